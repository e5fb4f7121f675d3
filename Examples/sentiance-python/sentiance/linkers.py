"""Linkers: code of an app that links an install through the app's backend.

The SDK calls a linker on a background thread. The linker may report on any thread. The first report
counts, and only `True` is a success.
"""
import asyncio
from abc import ABC, abstractmethod


class LinkerCall:
    """One call of a linker, and its outcome."""

    def __init__(self, loop):
        self.loop, self.outcome = loop, loop.create_future()

    def settle(self, linked):
        """Reports the outcome. May be called on any thread."""
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
    """The callback to which an asynchronous linker reports."""

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
    """A linker that means no linking, for arguments that must be a linker."""


NO_OP_LINKER = NoOpLinker()


def links(linker):
    """Whether the SDK must call the linker."""
    return linker is not None and linker is not NO_OP_LINKER


def run_linker(linker, install_id, call):
    """Runs a linker on the background thread. An exception counts as a failure."""
    try:
        linker.run(install_id, call)
    except Exception:
        call.settle(False)
