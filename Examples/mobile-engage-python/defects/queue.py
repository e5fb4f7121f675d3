"""Defects of the queue, of repeated requests, and of an app without a network."""
import asyncio
import json
import uuid

from mobile_engage.contacts import LINK
from mobile_engage.errors import MobileEngageError, Postponed, failed
from mobile_engage.events import Events
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import CLEAR_PUSH, SET_PUSH
from mobile_engage.request_queue import EVENT, RequestQueue
from mobile_engage.service_client import ServiceClient
from mobile_engage.storage import Storage
from mobile_engage.transport import Transport
from patching import around, override

from .parts import choose, defect, drop, gives_up, in_memory, repeats

CHANGES = (LINK, SET_PUSH, CLEAR_PUSH)


def reorders(key):
    """Sorts waiting calls by `key(entry)`."""

    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            self.storage.queue.sort(key=lambda each: (key(each), each.id))
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("queue.two-at-a-time")
def _():
    def make(original):
        async def run(self):
            self.open = set()
            self.second = asyncio.get_running_loop().create_task(original(self))
            await original(self)

        return run

    def make_next(original):
        def next_entries(self):
            open = getattr(self, "open", set())
            whole = self.storage.queue
            self.storage.queue = [entry for entry in whole if entry.id not in open]
            try:
                return original(self)
            finally:
                self.storage.queue = whole

        return next_entries

    def make_carry(original):
        async def carry_out(self, entries):
            ids = {entry.id for entry in entries}
            self.open |= ids
            self.work.set()
            try:
                await original(self, entries)
            finally:
                self.open -= ids

        return carry_out

    override(ServiceClient, "send_in_line", ServiceClient.send)
    choose(batch_size=1)
    around(RequestQueue, "run", make)
    around(RequestQueue, "next_entries", make_next)
    around(RequestQueue, "carry_out", make_carry)


@defect("queue.push-tokens-before-links")
def _():
    ranks = {SET_PUSH: 1, CLEAR_PUSH: 1, LINK: 2, EVENT: 3}
    reorders(lambda entry: ranks.get(entry.kind, 0))


@defect("queue.clears-before-sets")
def _():
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            if kind == CLEAR_PUSH:
                queue = self.storage.queue
                queue.remove(entry)
                at = next((i for i, each in enumerate(queue) if each.kind == SET_PUSH), len(queue))
                queue.insert(at, entry)
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("queue.in-memory")
def _():
    in_memory(lambda entry: True)


@defect("queue.events-in-memory")
def _():
    in_memory(lambda entry: entry.kind == EVENT)


@defect("queue.calls-in-memory")
def _():
    in_memory(lambda entry: entry.kind in CHANGES)


@defect("queue.written-when-closed")
def _():
    # A killed app loses its calls, and a closed app does not.
    def make_append(original):
        def append(self, kind, data):
            entry = original(self, kind, data)
            with self.transaction():
                self.database.execute("DELETE FROM queue WHERE id = ?", (entry.id,))
            return entry

        return append

    def make_close(original):
        def close(self):
            if self.database is not None:
                for entry in self.queue:
                    row = entry.id, entry.kind, json.dumps(entry.data)
                    self.database.execute("INSERT OR REPLACE INTO queue VALUES (?, ?, ?)", row)
            original(self)

        return close

    around(Storage, "append", make_append)
    around(Storage, "close", make_close)


@defect("queue.left-over-backwards")
def _():
    around(Storage, "load", lambda original: lambda self: turned(self, original))


def turned(storage, original):
    original(storage)
    storage.queue.reverse()


@defect("queue.left-over-last")
def _():
    def make(original):
        def start(self):
            left, self.storage.queue = self.storage.queue, []
            started = original(self)
            self.storage.queue = self.storage.queue + left
            return started

        return start

    around(MobileEngage, "start", make)


@defect("queue.left-over-dropped")
def _():
    def make(original):
        def start(self):
            self.storage.remove(self.storage.queue)
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("queue.refusal-empties-it")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, error)
            if error is not None and error.kind == "http":
                left = self.storage.queue
                self.storage.remove(left)
                original(self, left, error)

        return settle

    around(RequestQueue, "settle", make)


@defect("queue.refusal-stops-it")
def _():
    def make(original):
        async def carry_out(self, entries):
            await original(self, entries)
            if self.was_refused:
                await asyncio.Event().wait()

        return carry_out

    def make_settle(original):
        def settle(self, entries, error):
            original(self, entries, error)
            self.was_refused = error is not None and error.kind == "http"

        return settle

    RequestQueue.was_refused = False
    around(RequestQueue, "carry_out", make)
    around(RequestQueue, "settle", make_settle)


# -- repeated requests


def is_final(*statuses):
    gives_up(lambda entries, failure: failure.cause.status in statuses)


for status in (408, 429, 500, 502, 503, 504):
    defect(f"retry.{status}-is-final")(lambda status=status: is_final(status))


for status in (402, 403, 404, 405, 409, 410, 413, 415, 422):
    defect(f"retry.{status}-is-repeated")(lambda status=status: repeats(lambda draft, found: found == status))


@defect("retry.418-is-repeated")
def _():
    repeats(lambda draft, status: status in (418, 451, 499))


@defect("retry.hot-loop")
def _():
    choose(pauses=(0.1,))


@defect("retry.once-a-second")
def _():
    choose(pauses=(0.9,))


@defect("retry.to-the-end-of-the-queue")
def _():
    def make(original):
        async def rest(self, failure):
            if self.storage.queue[0].kind in CHANGES:
                self.storage.queue.append(self.storage.queue.pop(0))
            await original(self, failure) if self.failures % 3 == 0 else None

        return rest

    around(RequestQueue, "rest", make)


@defect("retry.later-events-instead")
def _():
    def make(original):
        def next_entries(self):
            found = original(self)
            if found and found[0].kind == EVENT and self.failures:
                return [entry for entry in self.storage.queue if entry.kind == EVENT][-1:]
            return found

        return next_entries

    around(RequestQueue, "next_entries", make)


@defect("retry.body-made-anew")
def _():
    def events_of(self, entries):
        if not self.queue.failures:
            return [entry.data for entry in entries]
        return [{**entry.data, "sessionId": str(uuid.uuid4())} for entry in entries]

    override(Events, "events_of", events_of)


@defect("retry.closed-connections-are-final")
def _():
    gives_up(lambda entries, failure: failure.cause.kind == "network")


@defect("retry.closed-connections-are-success")
def _():
    def make(original):
        async def carry_out(self, entries):
            try:
                await original(self, entries)
            except Postponed as failure:
                if failure.cause.kind != "network":
                    raise
                self.storage.remove(entries)
                self.settle(entries, None)

        return carry_out

    around(RequestQueue, "carry_out", make)


@defect("retry.gives-up-waiting-for-good")
def _():
    gives_up(lambda entries, failure: "no response within" in str(failure.cause))


@defect("retry.waits-two-minutes")
def _():
    override(Transport, "timeout", lambda self: 120.0)


def told_at_once(applies):
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            if applies(self, entry):
                asyncio.get_running_loop().call_soon(lambda: self.settle([entry], None))
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("retry.success-when-queued")
def _():
    told_at_once(lambda queue, entry: True)


@defect("retry.success-after-the-first-attempt")
def _():
    def make(original):
        async def rest(self, failure):
            self.settle(self.next_entries(), None)
            await original(self, failure)

        return rest

    around(RequestQueue, "rest", make)


@defect("retry.only-at-the-next-start")
def _():
    async def rest(self, failure):
        await asyncio.Event().wait()

    override(RequestQueue, "rest", rest)


@defect("retry.every-ten-minutes")
def _():
    choose(pauses=(600.0,))
    override(RequestQueue, "seize_opportunity", lambda self: self.work.set())


@defect("retry.no-status-told")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, error and MobileEngageError(error.kind, str(error)))

        return settle

    around(RequestQueue, "settle", make)


@defect("retry.status-of-all-is-400")
def _():
    def make(original):
        def settle(self, entries, error):
            wrong = error is not None and error.status is not None
            original(self, entries, MobileEngageError(error.kind, str(error), 400) if wrong else error)

        return settle

    around(RequestQueue, "settle", make)


# -- offline


@defect("offline.calls-are-dropped")
def _():
    def make(original):
        def call(self, function, *arguments):
            if self.is_set_up and not self.platform.is_online:
                return failed(MobileEngageError("network", "there is no network"))
            return original(self, function, *arguments)

        return call

    around(MobileEngage, "call", make)


@defect("offline.only-events-are-kept")
def _():
    def make(original):
        def call(self, function, *arguments):
            if self.is_set_up and not self.platform.is_online and function != self.events.track_custom:
                return failed(MobileEngageError("network", "there is no network"))
            return original(self, function, *arguments)

        return call

    around(MobileEngage, "call", make)


def holds_at_most(number):
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            if len(self.storage.queue) > number:
                drop(self, self.storage.queue[:1], MobileEngageError("internal", "the queue is full"))
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("offline.holds-100")
def _():
    holds_at_most(100)


@defect("offline.holds-499")
def _():
    holds_at_most(499)


@defect("offline.in-memory")
def _():
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            if not self.platform.is_online:
                with self.storage.transaction():
                    self.storage.database.execute("DELETE FROM queue WHERE id = ?", (entry.id,))
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("offline.events-first")
def _():
    def make(original):
        def network_changed(self, is_online):
            self.storage.queue.sort(key=lambda entry: (entry.kind != EVENT, entry.id))
            original(self, is_online)

        return network_changed

    around(MobileEngage, "network_changed", make)


@defect("offline.setup-is-skipped")
def _():
    def make(original):
        def start(self):
            started = original(self)
            if not self.platform.is_online:
                self.storage.remove([entry for entry in self.storage.queue if entry.kind != EVENT])
            return started

        return start

    around(MobileEngage, "start", make)


@defect("offline.newest-first")
def _():
    def make(original):
        def network_changed(self, is_online):
            if is_online:
                self.storage.queue.reverse()
            original(self, is_online)

        return network_changed

    around(MobileEngage, "network_changed", make)


@defect("offline.kept-is-success")
def _():
    told_at_once(lambda queue, entry: not queue.platform.is_online)


@defect("offline.not-noticed-when-over")
def _():
    def network_changed(self, is_online):
        self.platform.is_online = is_online or not self.is_set_up

    override(MobileEngage, "network_changed", network_changed)
