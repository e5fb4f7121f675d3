"""Deviations of released SDKs from the workflow or from their own documents. Each violates a requirement."""
import asyncio

from mobile_engage.application import Application
from mobile_engage.contacts import ANONYMOUS, Contacts
from mobile_engage.errors import Postponed, outcome
from mobile_engage.events import Events
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import Push
from mobile_engage.registration import REGISTER, Registration
from mobile_engage.request_queue import RequestQueue
from mobile_engage.service_client import Draft, ServiceClient, is_ok
from mobile_engage.transport import Transport
from patching import around, override

from .contacts import is_sign_in, is_sign_out, unless_sign_out
from .events import merges_all
from .parts import defect, gives_up, in_memory, is_link, on_draft, redrafts
from .sessions import has_token


@defect("dev-01-events-below-v4")
def _():
    def make(original):
        def set_urls(self, code):
            original(self, code)
            self.client.urls["events"] = self.client.urls["events"].replace("/v3/apps/", "/v4/apps/")

        return set_urls

    around(MobileEngage, "set_urls", make)


@defect("dev-02-no-app-start-at-the-first-start")
def _():
    around(
        MobileEngage, "report_app_start",
        lambda original: lambda self: original(self) if has_token(self) else None)


@defect("dev-03-launch-only-with-a-token")
def _():
    around(
        MobileEngage, "launch",
        lambda original: lambda self: original(self) if has_token(self) else None)


@defect("dev-04-remembered-at-any-status")
def _():
    def make(original):
        def given_up(self, entries, error):
            self.remember(self.sent, self.storage.get("clientState") is not None)
            self.answered()

        return given_up

    around(Registration, "given_up", make)


@defect("dev-04-remembered-for-one-host-alone")
def _():
    def make(original):
        def remember(self, properties, had_state):
            if "eservice.emarsys.net" in self.queue.client.urls["client"]:
                original(self, properties, had_state)

        return remember

    around(Registration, "remember", make)


@defect("dev-05-registration-twice-at-once")
def _():
    def make(original):
        def came_to_foreground(self):
            waiting = self.is_set_up and self.queue.pending(REGISTER)
            original(self)
            if waiting and self.registration.sent is not None:
                draft = self.registration.draft(waiting[:1])
                self.spawn(self.answer(draft, outcome()))

        return came_to_foreground

    around(MobileEngage, "came_to_foreground", make)


@defect("dev-06-compares-without-lights")
def _():
    def comparable(properties):
        settings = dict(properties["pushSettings"])
        channels = settings.get("channelSettings")
        if isinstance(channels, list):
            settings["channelSettings"] = [
                {name: value for name, value in channel.items() if name != "shouldShowLights"} for channel in channels]
        return {**properties, "pushSettings": settings}

    def is_registered(self, properties):
        registered = self.storage.get("registered")
        return registered is not None and comparable(registered["properties"]) == comparable(properties)

    override(Registration, "is_registered", is_registered)


@defect("dev-07-registers-while-nobody-is-known")
def _():
    def make(original):
        def is_due(self):
            contact = self.storage.get("contact")
            return contact in (None, ANONYMOUS) and original(self)

        return is_due

    around(Registration, "is_due", make)


@defect("dev-10-same-value-over-starts")
def _():
    def make_digest(original):
        def digest(self, contact):
            return original(self, {name: value for name, value in contact.items() if name != "contactFieldId"})

        return digest

    around(Contacts, "digest", make_digest)
    override(Contacts, "may_skip", lambda self, digest, changes: not changes)


@defect("dev-11-old-tokens-until-overwritten")
def _():
    # Events after a sign-out do not wait for the sign-out.
    def make(original):
        def next_entries(self):
            found = original(self)
            if found and is_sign_out(found[0]):
                behind = [entry for entry in self.storage.queue if entry.kind == "event"]
                return behind[: self.choices.batch_size] or found
            return found

        return next_entries

    around(RequestQueue, "next_entries", make)
    unless_sign_out("given_up")


@defect("dev-13-token-with-the-anonymous-link")
def _():
    def change(client, headers):
        if client.tokens.contact is not None:
            headers["X-Contact-Token"] = client.tokens.contact

    on_draft(lambda draft: is_link(draft) and not draft.body, change)


@defect("dev-15-events-merged-over-a-contact-change")
def _():
    merges_all()


@defect("dev-15-only-the-first-event-of-a-request")
def _():
    override(Events, "events_of", lambda self, entries: [entry.data for entry in entries[:1]])


@defect("dev-16-refresh-that-fails-drops-the-request")
def _():
    def make(original):
        async def renew(self, used):
            try:
                return await original(self, used)
            except Postponed as failure:
                if failure.cause.status is None:
                    raise
                return False

        return renew

    around(ServiceClient, "renew", make)


@defect("dev-17-third-refresh-is-one-too-many")
def _():
    def make(original):
        async def send(self, draft):
            self.rounds = 0
            answer = await original(self, draft)
            if self.rounds >= 3 and is_ok(answer):
                answer.status = 418
            return answer

        return send

    def make_renew(original):
        async def renew(self, used):
            self.rounds += 1
            return await original(self, used)

        return renew

    around(ServiceClient, "send", make)
    around(ServiceClient, "renew", make_renew)


@defect("dev-19-refresh-without-refresh-token")
def _():
    def make(original):
        async def renew(self, used):
            if self.tokens.refresh is None:
                draft = self.refresh_draft(None)
                draft.body = {}
                await self.attempt(draft)
                return False
            return await original(self, used)

        return renew

    around(ServiceClient, "renew", make)


@defect("dev-20-cleared-push-token-comes-back")
def _():
    def make_set(original):
        def set(self, token):
            if token:
                self.storage.set("localPushToken", token)
            return original(self, token)

        return set

    def make_start(original):
        def start(self):
            started = original(self)
            local = self.storage.get("localPushToken")
            if local is not None:
                self.push.set(local)
            return started

        return start

    around(Push, "set", make_set)
    around(MobileEngage, "start", make_start)


@defect("dev-20-push-token-by-identity")
def _():
    override(Push, "is_unchanged", lambda self, token: token is self.standing())


@defect("dev-20-empty-push-token-never-ends")
def _():
    around(Push, "set", lambda original: lambda self, token: original(self, token) if token else outcome())


@defect("dev-21-push-token-before-the-link")
def _():
    def make(original):
        def set(self, token):
            told = original(self, token)
            self.storage.queue.sort(key=lambda entry: (entry.kind != "set-push", entry.id))
            return told

        return set

    Push.needs_token = False
    redrafts(Push, lambda draft, entries: setattr(draft, "token", "welcome"))
    around(Push, "set", make)


@defect("dev-22-state-from-any-host")
def _():
    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            if draft.service == "deep-link":
                self.keep_state(answer)
            return answer

        return attempt

    around(ServiceClient, "attempt", make)


@defect("dev-23-tokens-from-refusals")
def _():
    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            if not is_ok(answer):
                self.tokens.renewed(answer)
            return answer

        return attempt

    around(ServiceClient, "attempt", make)


@defect("dev-25-unknown-host-drops-the-request")
def _():
    gives_up(lambda entries, failure: failure.cause.kind == "network" and "not found" in str(failure.cause))


@defect("dev-26-no-read-timeout")
def _():
    override(Transport, "timeout", lambda self: 100_000.0)


@defect("dev-27-session-with-each-focus")
def _(adapter):
    def make(original):
        async def do_surroundings(self, params):
            await original(self, params)
            if params.get("active") and self.sdk.is_set_up:
                self.sdk.events.session_id = None
                self.sdk.sessions.begin()

        return do_surroundings

    around(adapter, "do_surroundings", make)


@defect("dev-28-session-end-after-the-first-link")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            if not is_sign_in(entries[0]) and not is_sign_out(entries[0]):
                self.sessions.events.track_internal("session:end", {"duration": "0"})

        return accepted

    around(Contacts, "accepted", make)


@defect("dev-29-session-end-behind-the-link")
def _():
    def link(self, contact, digest, changes):
        entry = self.queue.submit("link", {"contact": contact, "digest": digest, "signsOut": False})
        if changes:
            self.sessions.end()
            self.sessions.begin()
        return self.queue.outcome_of(entry)

    override(Contacts, "link", link)


@defect("dev-31-old-application-after-the-new")
def _():
    # The old push token is removed only after the new application is registered.
    def make_switch(original):
        def accepted(self, entries, answer):
            self.sdk.storage.set("leaving", self.sdk.client.urls["client"])
            original(self, entries, answer)

        return accepted

    def make_registered(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            left = self.storage.get("leaving")
            if left is not None:
                self.storage.delete("leaving")
                draft = Draft("leaving", "DELETE", "client/push-token", token="welcome")
                self.queue.client.urls["leaving"] = left
                self.leave = asyncio.get_running_loop().create_task(self.queue.client.send(draft))

        return accepted

    around(Application, "accepted", make_switch)
    around(Registration, "accepted", make_registered)


@defect("dev-33-sign-out-in-memory")
def _():
    in_memory(is_sign_out)

