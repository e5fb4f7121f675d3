"""Linkers: what an app writes to have an install linked through its backend.

The SDK calls a linker on a background thread. Whatever the linker reports may come from any thread; the first report
counts, and only `True` is success.
"""
import asyncio
from abc import ABC, abstractmethod


class LinkerCall:
    """One call of a linker, and what it comes to."""

    def __init__(self, loop):
        self.loop, self.outcome = loop, loop.create_future()

    def settle(self, linked):
        """From any thread."""
        self.loop.call_soon_threadsafe(self.take, linked)

    def take(self, linked):
        if not self.outcome.done():
            self.outcome.set_result(linked)

    async def succeeded(self, patience):
        try:
            async with asyncio.timeout(patience):
                return await self.outcome is True
        except TimeoutError:
            return False


class LinkerCallback:
    """What an asynchronous linker reports to."""

    def __init__(self, call):
        self.call = call

    def on_success(self):
        self.call.settle(True)

    def on_failure(self):
        self.call.settle(False)


class SyncUserLinker(ABC):
    """Returns once it is known whether the install was linked."""

    @abstractmethod
    def link(self, install_id): ...

    def run(self, install_id, call):
        call.settle(self.link(install_id))


class AsyncUserLinker(ABC):
    """Returns at once, and reports to the callback later."""

    @abstractmethod
    def link(self, install_id, callback): ...

    def run(self, install_id, call):
        self.link(install_id, LinkerCallback(call))


class FutureUserLinker(ABC):
    """Returns a `concurrent.futures.Future` of the outcome."""

    @abstractmethod
    def link(self, install_id): ...

    def run(self, install_id, call):
        self.link(install_id).add_done_callback(lambda future: self.report(future, call))

    def report(self, future, call):
        failed = future.cancelled() or future.exception() is not None
        call.settle(False if failed else future.result())


class NoOpLinker:
    """Stands for no linking, where an argument has to be a linker."""


NO_OP_LINKER = NoOpLinker()


def links(linker):
    """Whether the linker is one that has to be asked."""
    return linker is not None and linker is not NO_OP_LINKER


def run_linker(linker, install_id, call):
    """What runs on the background thread. A linker that throws has not linked."""
    try:
        linker.run(install_id, call)
    except Exception:
        call.settle(False)
