"""The app around the SDK: its main thread, its background threads, and its linkers, whose outcome the kit decides.

The kit moves the clock only if the app does no work. So the work of these threads is counted like open requests. A
thread that waits until the kit decides the outcome of a linker does no work.
"""
import itertools
import queue
import threading
from concurrent.futures import Future

from sentiance import AsyncUserLinker, FutureUserLinker, SyncUserLinker


class Work:
    """The amount of work outside the loop. It is counted on the loop until the app has ended."""

    def __init__(self, loop, clock):
        self.loop, self.clock, self.over = loop, clock, False

    def begin(self):
        if not self.over:
            self.clock.requests += 1

    def end(self):
        if not self.over:
            self.clock.requests -= 1

    def end_from_thread(self):
        self.loop.call_soon_threadsafe(self.end)

    # A background thread that waits for the kit does no work.
    pause, resume = end, begin


class Background:
    """Runs each piece of work on a new thread."""

    def __init__(self, work):
        self.work = work

    def submit(self, job):
        self.work.begin()
        threading.Thread(target=self.run, args=(job,), daemon=True).start()

    def run(self, job):
        try:
            job()
        finally:
            self.work.end_from_thread()


class MainThread:
    """A thread that performs jobs one after another, like a looper or the main queue.

    While a linker blocks this thread, all queued jobs wait for the kit, too.
    """

    def __init__(self, work):
        self.work, self.jobs, self.queued, self.paused = work, queue.SimpleQueue(), 0, False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def post(self, job):
        self.queued += 1
        if not self.paused:
            self.work.begin()
        self.jobs.put(job)

    def run(self):
        while (job := self.jobs.get()) is not None:
            try:
                job()
            finally:
                self.work.loop.call_soon_threadsafe(self.job_ended)

    def job_ended(self):
        self.queued -= 1
        self.work.end()

    def pause(self):
        self.paused = True
        for _ in range(self.queued):
            self.work.end()

    def resume(self):
        self.paused = False
        for _ in range(self.queued):
            self.work.begin()

    def end(self):
        self.jobs.put(None)

    def name_of_current(self):
        return "main" if threading.current_thread() is self.thread else "background"


class ThrownByTheApp(Exception):
    pass


class LinkerCalls:
    """The calls of the app's linkers, by the names that the kit uses."""

    def __init__(self, work, main, background, tell):
        self.work, self.main, self.background, self.tell = work, main, background, tell
        self.calls, self.numbers = {}, itertools.count(1)

    def open(self, install_id, make):
        """Called by a linker, on the thread of the SDK."""
        call = make()
        name = f"link-{next(self.numbers)}"
        self.calls[name] = call
        self.tell({"call": name, "installId": install_id, "thread": self.main.name_of_current()})
        return call

    def answer(self, name, outcome, value, thread):
        run = self.main.post if thread == "main" else self.background.submit
        self.calls[name].answer(outcome, value, run)

    def end(self):
        for call in self.calls.values():
            call.release()


class BlockingCall:
    """A linker that blocks its thread until its outcome is known. A second answer has no effect."""

    def __init__(self, calls):
        on_main = calls.main.name_of_current() == "main"
        self.loop, self.blocked = calls.work.loop, calls.main if on_main else calls.work
        self.known, self.result = threading.Event(), None

    def wait(self):
        self.loop.call_soon_threadsafe(self.blocked.pause)  # from now on the SDK waits for the kit
        self.known.wait()
        return self.result()

    def answer(self, outcome, value, run):
        if not self.known.is_set():
            self.result = lambda: boolean(outcome, value)
            self.blocked.resume()
            self.known.set()

    def release(self):
        if not self.known.is_set():
            self.result = lambda: False
            self.known.set()


class CallbackCall:
    """A linker that has returned. The callback gets the outcome on the thread that the kit chooses."""

    def __init__(self, callback):
        self.callback = callback

    def answer(self, outcome, value, run):
        if outcome == "success":
            run(self.callback.on_success)
        elif outcome == "failure":
            run(self.callback.on_failure)
        else:
            raise Impossible("a callback takes success or failure")

    def release(self):
        pass


class FutureCall:
    """A linker that returns a future of the outcome. A future that is done does not change."""

    def __init__(self):
        self.future = Future()

    def answer(self, outcome, value, run):
        run(lambda: self.resolve(outcome, value))

    def resolve(self, outcome, value):
        if self.future.done():
            return
        try:
            self.future.set_result(boolean(outcome, value))
        except ThrownByTheApp as error:
            self.future.set_exception(error)

    def release(self):
        pass


class Impossible(Exception):
    """The kit requests an outcome that a linker of this style cannot have."""


def boolean(outcome, value):
    if outcome == "throw":
        raise ThrownByTheApp("the app's linker has thrown")
    return value if outcome == "value" else outcome == "success"


class SyncAppLinker(SyncUserLinker):
    def __init__(self, calls):
        self.calls = calls

    def link(self, install_id):
        return self.calls.open(install_id, lambda: BlockingCall(self.calls)).wait()


class AsyncAppLinker(AsyncUserLinker):
    def __init__(self, calls):
        self.calls = calls

    def link(self, install_id, callback):
        self.calls.open(install_id, lambda: CallbackCall(callback))


class FutureAppLinker(FutureUserLinker):
    def __init__(self, calls):
        self.calls = calls

    def link(self, install_id):
        return self.calls.open(install_id, FutureCall).future


# `app` is a linker of any style. A linker that returns its outcome can succeed, fail and throw, and reports in one way
# only. So a mistake in another style is visible only in cases that request this style.
STYLES = {"app": SyncAppLinker, "sync": SyncAppLinker, "async": AsyncAppLinker, "promise": FutureAppLinker}
