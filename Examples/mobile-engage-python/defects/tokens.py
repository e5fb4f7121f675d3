"""Defects of the renewal of contact tokens."""
import asyncio

from mobile_engage.contacts import LINK, Contacts
from mobile_engage.errors import MobileEngageError, Postponed, outcome
from mobile_engage.events import Events
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import Push
from mobile_engage.request_queue import RequestQueue
from mobile_engage.service_client import Draft, ServiceClient, Tokens
from patching import around, override

from .parts import choose, defect, is_events, is_push, is_refresh, on_draft


async def no_renewal(self, used):
    return False


@defect("refresh.never")
def _():
    override(ServiceClient, "renew", no_renewal)


@defect("refresh.by-a-new-link")
def _():
    def make(original):
        async def renew(self, used):
            draft = Draft("client", "POST", "client/contact", {}, "anonymous=true", renewable=False)
            return self.tokens.linked(await self.attempt(draft))

        return renew

    around(ServiceClient, "renew", make)


@defect("refresh.nothing-sent-again")
def _():
    def make(original):
        async def renew(self, used):
            await original(self, used)
            return False

        return renew

    around(ServiceClient, "renew", make)


@defect("refresh.sent-again-with-the-old-token")
def _():
    def make(original):
        async def send(self, draft):
            self.held_token = self.tokens.contact
            try:
                return await original(self, draft)
            finally:
                self.held_token = None

        return send

    def change(client, headers):
        if "X-Contact-Token" in headers and getattr(client, "held_token", None):
            headers["X-Contact-Token"] = client.held_token

    around(ServiceClient, "send", make)
    on_draft(lambda draft: True, change)


@defect("refresh.sent-again-without-events")
def _():
    def make(original):
        async def renew(self, used):
            renewed = await original(self, used)
            self.renewed_now = renewed
            return renewed

        return renew

    def make_attempt(original):
        async def attempt(self, draft):
            if getattr(self, "renewed_now", False) and is_events(draft):
                self.renewed_now = False
                draft.body["events"] = draft.body["events"][-1:]
            return await original(self, draft)

        return attempt

    around(ServiceClient, "renew", make)
    around(ServiceClient, "attempt", make_attempt)


@defect("refresh.told-twice")
def _():
    # The callbacks of the first and of the second attempt are both called.
    def make_renew(original):
        async def renew(self, used):
            self.renewals = getattr(self, "renewals", 0) + 1
            return await original(self, used)

        return renew

    def make_settle(original):
        def settle(self, entries, error):
            twice = getattr(self.client, "renewals", 0) and entries[0].kind in (*Events.kinds, *Push.kinds)
            listeners = [future for entry in entries for future in self.outcomes.get(entry.id, ())]
            original(self, entries, error)
            self.client.renewals = 0
            for future in listeners if twice else ():
                for listener in getattr(future, "listeners", ()):
                    asyncio.get_running_loop().call_soon(listener, future)

        return settle

    around(ServiceClient, "renew", make_renew)
    around(RequestQueue, "settle", make_settle)
    around(RequestQueue, "outcome_of", lambda original: lambda self, entry: remembering_listeners(self, entry))


class Remembering:
    """An outcome that stores its listeners, so that they can be called again."""

    def __init__(self, future):
        self.future, self.listeners = future, []

    def add_done_callback(self, listener):
        self.listeners.append(listener)
        self.future.add_done_callback(listener)

    def __getattr__(self, name):
        return getattr(self.future, name)


def remembering_listeners(queue, entry):
    remembering = Remembering(outcome())
    queue.outcomes.setdefault(entry.id, []).append(remembering)
    return remembering


def only_for(applies):
    def make(original):
        async def send(self, draft):
            draft.renewable = draft.renewable and applies(draft)
            return await original(self, draft)

        return send

    around(ServiceClient, "send", make)


@defect("refresh.not-for-push-tokens")
def _():
    only_for(lambda draft: not is_push(draft))


@defect("refresh.not-for-cleared-push-tokens")
def _():
    only_for(lambda draft: not is_push(draft) or draft.method == "PUT")


@defect("refresh.not-for-the-inbox")
def _():
    only_for(lambda draft: draft.service != "inbox")


@defect("refresh.not-for-registration")
def _():
    only_for(lambda draft: draft.path != "client")


@defect("refresh.with-the-old-token")
def _():
    on_draft(is_refresh, lambda client, headers: headers.update({"X-Contact-Token": client.tokens.contact or ""}))


def refresh_body(change):
    def make(original):
        def refresh_draft(self, refresh):
            draft = original(self, refresh)
            change(self, draft)
            return draft

        return refresh_draft

    around(ServiceClient, "refresh_draft", make)


@defect("refresh.says-too-much")
def _():
    refresh_body(lambda client, draft: draft.body.update(contactToken=client.tokens.contact))


@defect("refresh.names-it-token")
def _():
    refresh_body(lambda client, draft: setattr(draft, "body", {"token": draft.body["refreshToken"]}))


@defect("refresh.with-underscore")
def _():
    refresh_body(lambda client, draft: setattr(draft, "path", "client/contact_token"))


@defect("refresh.by-put")
def _():
    refresh_body(lambda client, draft: setattr(draft, "method", "PUT"))


def not_stored(*names):
    """Keeps some values of a renewal only in memory."""

    def make(original):
        def renewed(self, answer):
            before = {name: self.storage.get(name) for name in names}
            kept = original(self, answer)
            for name in names:
                now = self.storage.get(name)
                self.storage.set(name, before[name])
                self.storage.values[name] = now
            return kept

        return renewed

    around(Tokens, "renewed", make)


@defect("refresh.in-memory")
def _():
    not_stored("contactToken")


@defect("refresh.rotation-in-memory")
def _():
    not_stored("refreshToken")


@defect("refresh.rotation-ignored")
def _():
    def make(original):
        def renewed(self, answer):
            before = self.refresh
            kept = original(self, answer)
            self.storage.set("refreshToken", before)
            return kept

        return renewed

    around(Tokens, "renewed", make)


@defect("refresh.rotation-expected")
def _():
    def make(original):
        def renewed(self, answer):
            before = self.refresh
            kept = original(self, answer)
            if self.refresh == before:
                self.storage.delete("refreshToken")
            return kept

        return renewed

    around(Tokens, "renewed", make)


@defect("refresh.endless")
def _():
    choose(max_refreshes=10_000, pause_after_refresh=0.5)


@defect("refresh.five-times")
def _():
    choose(max_refreshes=5)


@defect("refresh.refused-is-repeated")
def _():
    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            while is_refresh(draft) and 400 <= answer.status < 500:
                await asyncio.sleep(0.5)
                answer = await original(self, draft)
            return answer

        return attempt

    around(ServiceClient, "attempt", make)


@defect("refresh.refused-blocks-the-queue")
def _():
    def make(original):
        async def renew(self, used):
            renewed = await original(self, used)
            if not renewed:
                await asyncio.Event().wait()
            return renewed

        return renew

    around(ServiceClient, "renew", make)


@defect("refresh.without-refresh-token-says-null")
def _():
    def make(original):
        async def renew(self, used):
            if self.tokens.refresh is None:
                await self.attempt(self.refresh_draft(None))
                return False
            return await original(self, used)

        return renew

    around(ServiceClient, "renew", make)


@defect("refresh.each-request-once-more")
def _():
    def make(original):
        async def send(self, draft):
            if getattr(self, "was_renewed", False) and is_events(draft):
                await self.renew(self.tokens.contact)
            return await original(self, draft)

        return send

    def make_renew(original):
        async def renew(self, used):
            self.was_renewed = await original(self, used)
            return self.was_renewed

        return renew

    choose(batch_size=1)
    around(ServiceClient, "send", make)
    around(ServiceClient, "renew", make_renew)


@defect("refresh.token-with-events")
def _():
    on_draft(is_events, lambda client, headers: headers.update({"X-Refresh-Token": client.tokens.refresh or ""}))


@defect("refresh.token-with-links")
def _():
    def make(original):
        def link_draft(self, contact, query):
            refresh = self.client.tokens.refresh
            return original(self, {**contact, "refreshToken": refresh} if refresh and contact else contact, query)

        return link_draft

    around(Contacts, "link_draft", make)


def renews_on(status):
    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            if answer.status == status and draft.renewable:
                answer.status = 401
            return answer

        return attempt

    around(ServiceClient, "attempt", make)


@defect("refresh.on-403")
def _():
    renews_on(403)


@defect("refresh.on-400")
def _():
    renews_on(400)


@defect("refresh.not-after-a-start")
def _():
    def make(original):
        def start(self):
            self.client.refused_refresh = self.client.tokens.refresh
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("refresh.nothing-is-a-token")
def _():
    def make(original):
        def renewed(self, answer):
            if not original(self, answer):
                self.storage.set("contactToken", "undefined")
            return True

        return renewed

    around(Tokens, "renewed", make)


@defect("refresh.empty-answer-is-repeated")
def _():
    def make(original):
        def renewed(self, answer):
            if not original(self, answer):
                raise Postponed(MobileEngageError("internal", "the answer has no contact token"))
            return True

        return renewed

    around(Tokens, "renewed", make)
    choose(pauses=(0.5,))


@defect("refresh.fails-for-the-moment-is-for-ever")
def _():
    def make(original):
        async def renew(self, used):
            try:
                return await original(self, used)
            except Postponed:
                return False

        return renew

    around(ServiceClient, "renew", make)


@defect("refresh.only-by-the-first-contact")
def _():
    def make(original):
        def accepted(self, entries, answer):
            first = self.storage.get("firstRefresh")
            original(self, entries, answer)
            if first is not None and entries[0].kind == LINK:
                self.storage.set("refreshToken", first)
            elif self.client.tokens.refresh is not None:
                self.storage.set("firstRefresh", self.client.tokens.refresh)

        return accepted

    around(Contacts, "accepted", make)


