"""Defects of registration and of a change of the application code."""
import asyncio
import json

from mobile_engage.application import Application
from mobile_engage.contacts import Contacts
from mobile_engage.errors import MobileEngageError, all_of
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import Push
from mobile_engage.registration import REGISTER, Registration
from mobile_engage.request_queue import RequestQueue
from patching import around, override

from .parts import defect, gives_up, is_registration, redrafts, repeats


@defect("registration.every-start")
def _():
    override(Registration, "is_registered", lambda self, properties: False)


@defect("registration.never-again")
def _():
    override(Registration, "is_registered", lambda self, properties: self.storage.get("registered") is not None)


def ignores(name):
    """Ignores one property when properties are compared."""

    def without(properties):
        return {key: value for key, value in properties.items() if key != name}

    def is_registered(self, properties):
        registered = self.storage.get("registered")
        return registered is not None and without(registered["properties"]) == without(properties)

    override(Registration, "is_registered", is_registered)


PROPERTIES = {
    "platform": "platform", "application-version": "applicationVersion", "device-model": "deviceModel",
    "os-version": "osVersion", "sdk-version": "sdkVersion", "language": "language", "timezone": "timezone",
    "push-settings": "pushSettings",
}
for spelled, name in PROPERTIES.items():
    defect(f"registration.ignores-{spelled}")(lambda name=name: ignores(name))


@defect("registration.compares-push-settings-by-size")
def _():
    def comparable(properties):
        return {**properties, "pushSettings": len(properties["pushSettings"])}

    def is_registered(self, properties):
        registered = self.storage.get("registered")
        return registered is not None and comparable(registered["properties"]) == comparable(properties)

    override(Registration, "is_registered", is_registered)


@defect("registration.remembered-at-any-answer")
def _():
    def is_registration_entry(entries, failure):
        return entries[0].kind == REGISTER

    gives_up(is_registration_entry)
    around(Registration, "given_up", remembering)


def remembering(original):
    def given_up(self, entries, error):
        self.remember(self.sent, self.storage.get("clientState") is not None)
        self.answered()

    return given_up


@defect("registration.refused-is-repeated")
def _():
    repeats(lambda draft, status: is_registration(draft) and 400 <= status < 500)


@defect("registration.with-each-sign-in")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            self.queue.submit(REGISTER)

        return accepted

    around(Contacts, "accepted", make)


@defect("registration.with-each-push-token")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            self.queue.submit(REGISTER)

        return accepted

    around(Push, "accepted", make)


@defect("registration.seen-before")
def _():
    def make(original):
        def remember(self, properties, had_state):
            original(self, properties, had_state)
            self.storage.set("seen", [*self.storage.get("seen", []), properties])

        return remember

    around(Registration, "remember", make)
    override(Registration, "is_registered", lambda self, properties: properties in self.storage.get("seen", []))


@defect("registration.update-is-registered")
def _():
    around(
        Registration, "is_registered",
        lambda original: lambda self, properties: bool(self.storage.legacy()) or original(self, properties))


@defect("registration.needs-an-answer-of-json")
def _():
    def make(original):
        def accepted(self, entries, answer):
            try:
                json.loads(answer.body)
            except ValueError:
                raise MobileEngageError("internal", "the answer is not JSON") from None
            original(self, entries, answer)

        return accepted

    around(Registration, "accepted", make)


@defect("registration.only-204")
def _():
    def make(original):
        def accepted(self, entries, answer):
            if answer.status != 204:
                raise MobileEngageError("http", f"the server answered {answer.status}", answer.status)
            original(self, entries, answer)

        return accepted

    around(Registration, "accepted", make)


@defect("registration.without-code")
def _():
    def make(original):
        def setup(self, configuration):
            configuration.application_code = configuration.application_code or "undefined"
            return original(self, configuration)

        return setup

    around(MobileEngage, "setup", make)


@defect("registration.lost-state-is-no-reason")
def _():
    def is_registered(self, properties):
        registered = self.storage.get("registered")
        return registered is not None and registered["properties"] == properties

    override(Registration, "is_registered", is_registered)


@defect("registration.after-the-link")
def _():
    override(MobileEngage, "initialize", lambda self: all_of([self.contacts.ensure(), self.registration.ensure()]))


@defect("registration.slash-behind")
def _():
    redrafts(Registration, lambda draft, entries: setattr(draft, "path", "client/"))


@defect("registration.by-put")
def _():
    redrafts(Registration, lambda draft, entries: setattr(draft, "method", "PUT"))


@defect("registration.code-in-small-letters")
def _():
    around(MobileEngage, "set_urls", lambda original: lambda self, code: original(self, code.lower()))


@defect("registration.without-timezone")
def _():
    redrafts(Registration, lambda draft, entries: draft.body.pop("timezone"))


@defect("registration.version-as-number")
def _():
    def change(draft, entries):
        try:
            draft.body["osVersion"] = float(draft.body["osVersion"])
        except ValueError:
            pass

    redrafts(Registration, change)


@defect("registration.version-unknown")
def _():
    redrafts(Registration, lambda draft, entries: draft.body.update(applicationVersion="unknown"))


@defect("registration.push-settings-as-text")
def _():
    def change(draft, entries):
        draft.body["pushSettings"] = json.dumps(draft.body["pushSettings"])

    redrafts(Registration, change)


@defect("registration.language-with-underscore")
def _():
    redrafts(Registration, lambda draft, entries: draft.body.update(language=draft.body["language"].replace("-", "_")))


@defect("registration.timezone-with-colon")
def _():
    redrafts(Registration, lambda draft, entries: draft.body.update(timezone=with_colon(draft.body["timezone"])))


def with_colon(offset):
    return f"{offset[:3]}:{offset[3:]}"


@defect("registration.platform-in-capitals")
def _():
    redrafts(Registration, lambda draft, entries: draft.body.update(platform=draft.body["platform"].upper()))


@defect("registration.stale-properties")
def _():
    def make(original):
        def draft(self, entries):
            made = original(self, entries)
            registered = self.storage.get("registered")
            if registered is not None:
                made.body = dict(registered["properties"])
            return made

        return draft

    around(Registration, "draft", make)


@defect("registration.waits-for-the-first-call")
def _():
    def make_run(original):
        async def run(self):
            self.called = asyncio.Event()
            await self.called.wait()
            await original(self)

        return run

    def make_call(original):
        def call(self, function, *arguments):
            if self.is_set_up:
                asyncio.get_running_loop().call_soon(lambda: self.queue.called.set())
            return original(self, function, *arguments)

        return call

    around(RequestQueue, "run", make_run)
    around(MobileEngage, "call", make_call)


@defect("registration.not-in-the-foreground")
def _():
    def came_to_foreground(self):
        self.platform.in_foreground = self.sessions.in_foreground = True
        if self.is_set_up:
            self.sessions.begin()
            self.queue.seize_opportunity()

    override(MobileEngage, "came_to_foreground", came_to_foreground)


@defect("registration.tried-once")
def _():
    gives_up(lambda entries, failure: entries[0].kind == REGISTER)


# -- change of the application code


@defect("application.old-path")
def _():
    def make(original):
        def accepted(self, entries, answer):
            self.sdk.set_urls, kept = lambda code: None, self.sdk.set_urls
            original(self, entries, answer)
            self.sdk.set_urls = kept

        return accepted

    around(Application, "accepted", make)


@defect("application.not-registered-again")
def _():
    override(Registration, "forget", lambda self: None)
    override(
        Registration, "is_due",
        lambda self: self.properties() != self.refused and not self.is_registered(self.properties()))
    override(Application, "forget_state", lambda self: None)


@defect("application.state-kept")
def _():
    override(Application, "forget_state", lambda self: None)
