"""What goes wrong, and how calls tell it."""
import asyncio


class MobileEngageError(Exception):
    """A call that failed for good: `kind` is http, network, rejected or internal, `status` that of an answer."""

    def __init__(self, kind, message, status=None):
        super().__init__(message)
        self.kind, self.status = kind, status


class Postponed(Exception):
    """A request that failed for the moment. It is kept; whoever does not wait that long is told the `cause`."""

    def __init__(self, cause, pause=None):
        super().__init__(str(cause))
        self.cause, self.pause = cause, pause


def rejected(message):
    return MobileEngageError("rejected", message)


def refused(answer):
    return MobileEngageError("http", f"the server answered {answer.status}", answer.status)


# -- outcomes: what calls return


def outcome():
    """A future that nobody has to look at."""
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
    """The outcome of several: success when all succeed, else the first failure, once all are known."""
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
