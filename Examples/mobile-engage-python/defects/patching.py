"""How a defect gets into the SDK, which knows nothing of it: one method or a few are replaced."""
from mobile_engage.errors import Postponed, refused
from mobile_engage.request_queue import RequestQueue
from mobile_engage.service_client import ServiceClient

DEFECTS = {}
CHOSEN = {}  # values of Choices that are none of the legal ones


def defect(name):
    def add(function):
        if name in DEFECTS:
            raise ValueError(f"there are two of {name}")
        DEFECTS[name] = function
        return function

    return add


def override(owner, name, function):
    """Replaces a method."""
    getattr(owner, name)  # a name that is gone is an error, not a defect that does nothing
    setattr(owner, name, function)


def around(owner, name, make):
    """Replaces a method by what `make` makes of it."""
    setattr(owner, name, make(getattr(owner, name)))


def choose(**fields):
    CHOSEN.update(fields)


# -- what several defects are made of


def gives_up(applies):
    """What failed for the moment is given up, where `applies(entries, postponed)` says so."""

    def make(original):
        async def carry_out(self, entries):
            try:
                await original(self, entries)
            except Postponed as failure:
                if not applies(entries, failure):
                    raise
                drop(self, entries, failure.cause)

        return carry_out

    around(RequestQueue, "carry_out", make)


def drop(queue, entries, error):
    queue.handlers[entries[0].kind].given_up(entries, error)
    queue.storage.remove(entries)
    queue.settle(entries, error)


def repeats(applies, pause=2.0):
    """What was refused for good is sent again, where `applies(draft, status)` says so."""

    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            if applies(draft, answer.status):
                raise Postponed(refused(answer))
            return answer

        return attempt

    around(ServiceClient, "attempt", make)
    choose(pauses=(pause,))


def in_memory(applies):
    """Some calls are forgotten when the process ends."""

    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            if applies(entry):
                with self.storage.transaction():
                    self.storage.database.execute("DELETE FROM queue WHERE id = ?", (entry.id,))
            return entry

        return submit

    around(RequestQueue, "submit", make)


def on_draft(applies, change):
    """Changes the headers of some requests: `change(client, headers)`."""

    def make(original):
        def headers(self, draft):
            fields = original(self, draft)
            if applies(draft):
                change(self, fields)
            return fields

        return headers

    around(ServiceClient, "headers", make)


def redrafts(handler, change):
    """Changes the requests of a handler: `change(draft, entries)`, which may be None."""

    def make(original):
        def draft(self, entries):
            made = original(self, entries)
            if made is not None:
                change(made, entries)
            return made

        return draft

    around(handler, "draft", make)


def is_push(draft):
    return draft.path.endswith("push-token")


def is_link(draft):
    return draft.path == "client/contact"


def is_refresh(draft):
    return draft.path == "client/contact-token"


def is_events(draft):
    return draft.service == "events"


def is_registration(draft):
    return draft.path == "client"
