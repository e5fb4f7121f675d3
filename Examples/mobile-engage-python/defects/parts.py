"""Parts of several defects. Each part replaces one or a few methods of the SDK."""
from mobile_engage.errors import Postponed, refused
from mobile_engage.request_queue import RequestQueue
from mobile_engage.service_client import ServiceClient
from patching import Changes, around

DEFECTS = Changes()
CHOSEN = {}  # values of `Choices` that are not legal
defect = DEFECTS.named


def choose(**fields):
    CHOSEN.update(fields)


def gives_up(applies):
    """Gives up calls that failed temporarily, if `applies(entries, postponed)` is true."""

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
    """Sends finally refused requests again, if `applies(draft, status)` is true."""

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
    """Loses some calls when the process ends."""

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
    """Changes the requests of a handler: `change(draft, entries)`."""

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
