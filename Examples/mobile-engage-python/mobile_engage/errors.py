"""Errors, and the outcomes with which calls report them."""
import asyncio


class MobileEngageError(Exception):
    """A call that failed finally. `kind` is http, network, rejected or internal. `status` is the status of an answer."""

    def __init__(self, kind, message, status=None):
        super().__init__(message)
        self.kind, self.status = kind, status


class Postponed(Exception):
    """A request that failed temporarily. It stays in the queue. A call that does not wait for it fails with `cause`."""

    def __init__(self, cause, pause=None):
        super().__init__(str(cause))
        self.cause, self.pause = cause, pause


def rejected(message):
    return MobileEngageError("rejected", message)


def refused(answer):
    return MobileEngageError("http", f"the server answered {answer.status}", answer.status)


# -- outcomes, which calls return


def outcome():
    """A future whose error may stay unread."""
    future = asyncio.get_running_loop().create_future()
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future


def succeeded():
    future = outcome()
    future.set_result(None)
    return future


def failed(error):
    future = outcome()
    future.set_exception(error)
    return future


def all_of(futures):
    """The outcome of several calls: after all have ended, success, or the first failure."""
    whole, waiting = outcome(), set(futures)
    if not waiting:
        return succeeded()
    failures = []

    def one_done(future):
        waiting.discard(future)
        if not future.cancelled() and future.exception():
            failures.append(future.exception())
        if waiting or whole.done():
            return
        whole.set_exception(failures[0]) if failures else whole.set_result(None)

    for future in tuple(waiting):
        future.add_done_callback(one_done)
    return whole
