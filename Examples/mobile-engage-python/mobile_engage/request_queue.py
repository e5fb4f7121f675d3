"""The queue of calls. Calls are stored first, and then performed one after another in their order."""
import asyncio

from .errors import MobileEngageError, Postponed, outcome, refused
from .service_client import Withheld, is_ok

EVENT = "event"
SWITCH = "switch"
LEAST_PAUSE = 1.0  # the shortest time between two attempts, in seconds


class Handler:
    """Handles calls of some kinds: makes their requests, and handles the answers."""

    kinds = ()
    needs_token = False

    def draft(self, entries):
        """The request for these calls, or None if they only change the SDK."""
        raise NotImplementedError

    def accepted(self, entries, answer):
        """Handles the answer. Raises `MobileEngageError` if the answer is not valid."""

    def given_up(self, entries, error):
        """Handles a final failure."""


class RequestQueue:
    def __init__(self, platform, storage, client, choices):
        self.platform, self.storage, self.client, self.choices = platform, storage, client, choices
        self.handlers = {}
        self.outcomes = {}  # futures by the id of their entry
        self.work = asyncio.Event()
        self.opportunity = asyncio.Event()
        self.failures = 0  # consecutive failures

    def register(self, handler):
        for kind in handler.kinds:
            self.handlers[kind] = handler

    # -- waiting calls

    def submit(self, kind, data=None):
        entry = self.storage.append(kind, data or {})
        self.work.set()
        if self.choices.retry_on_submit:
            self.opportunity.set()
        return entry

    def outcome_of(self, entry):
        future = outcome()
        self.outcomes.setdefault(entry.id, []).append(future)
        return future

    def pending(self, *kinds):
        """The calls that wait for the application code that was set last, the oldest first."""
        queue = self.storage.queue
        start = max((at + 1 for at, entry in enumerate(queue) if entry.kind == SWITCH), default=0)
        return [entry for entry in queue[start:] if entry.kind in kinds]

    def last_switch(self):
        return next((entry for entry in reversed(self.storage.queue) if entry.kind == SWITCH), None)

    def next_entries(self):
        """The next calls to send: one call, or consecutive events. Calls without their token are skipped."""
        queue = self.storage.queue
        for at, entry in enumerate(queue):
            if self.is_held(entry):
                continue
            return self.batch(queue, at) if entry.kind == EVENT else [entry]
        return []

    def is_held(self, entry):
        return self.handlers[entry.kind].needs_token and not self.client.can_have_token()

    def batch(self, queue, at):
        end = at + 1
        while end < len(queue) and end - at < self.choices.batch_size and queue[end].kind == EVENT:
            end += 1
        return queue[at:end]

    # -- performing calls

    async def run(self):
        while True:
            entries = self.next_entries()
            if not entries or not self.platform.is_online:
                self.work.clear()
                await self.work.wait()
                continue
            if self.choices.gather and entries[0].kind == EVENT:
                await asyncio.sleep(self.choices.gather)
                entries = self.next_entries()
            try:
                await self.carry_out(entries)
                self.failures = 0
            except Withheld:
                continue  # the next search of the queue skips it
            except Postponed as failure:
                self.failures += 1
                await self.rest(failure)

    async def carry_out(self, entries):
        handler = self.handlers[entries[0].kind]
        draft = handler.draft(entries)
        answer = None if draft is None else await self.client.send_in_line(draft)
        error = None
        with self.storage.transaction():
            try:
                if answer is not None and not is_ok(answer):
                    raise refused(answer)
                handler.accepted(entries, answer)
            except MobileEngageError as failure:
                error = failure
                handler.given_up(entries, failure)
            self.storage.remove(entries)
        self.settle(entries, error)

    def settle(self, entries, error):
        for entry in entries:
            for future in self.outcomes.pop(entry.id, ()):
                if not future.done():
                    future.set_exception(error) if error else future.set_result(None)

    # -- repeating requests

    async def rest(self, failure):
        """Waits until the pause ends or there is an opportunity, such as a restored network."""
        self.opportunity.clear()
        started = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.pause(failure)):
                await self.opportunity.wait()
        except TimeoutError:
            return
        waited = asyncio.get_running_loop().time() - started
        if waited < LEAST_PAUSE:
            await asyncio.sleep(LEAST_PAUSE - waited)

    def pause(self, failure):
        """The pause in seconds, or None to wait only for an opportunity."""
        pauses = self.choices.pauses
        if not pauses:
            return failure.pause
        pause = pauses[min(self.failures, len(pauses)) - 1]
        if self.choices.jitter:
            pause *= self.platform.lot.uniform(0.5, 1)
        return max(LEAST_PAUSE, failure.pause) if failure.pause is not None else pause

    def seize_opportunity(self):
        """Called if the network or the app is back."""
        self.work.set()
        self.opportunity.set()
