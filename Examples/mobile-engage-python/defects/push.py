"""Defects of push tokens."""
import json

from mobile_engage.contacts import Contacts
from mobile_engage.errors import failed, rejected, succeeded
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import CLEAR_PUSH, SET_PUSH, Push
from mobile_engage.request_queue import RequestQueue
from patching import around, override

from .parts import defect, gives_up, is_push, redrafts, repeats


def is_set(entry):
    return entry.kind == SET_PUSH


@defect("push.with-underscore")
def _():
    override(Push, "path", lambda self: "client/push_token")


@defect("push.by-post")
def _():
    redrafts(Push, lambda draft, entries: is_set(entries[0]) and setattr(draft, "method", "POST"))


@defect("push.names-it-token")
def _():
    def change(draft, entries):
        if is_set(entries[0]):
            draft.body = {"token": draft.body["pushToken"]}

    redrafts(Push, change)


@defect("push.again-after-a-start")
def _():
    def make(original):
        def start(self):
            self.push.forget()
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("push.again-each-time")
def _():
    override(Push, "is_unchanged", lambda self, token: False)


@defect("push.first-is-kept")
def _():
    override(Push, "is_unchanged", lambda self, token: self.standing() is not None)


@defect("push.told-apart-without-case")
def _():
    override(Push, "is_unchanged", lambda self, token: (self.standing() or "").lower() == token.lower())


@defect("push.told-apart-by-length")
def _():
    override(Push, "is_unchanged", lambda self, token: len(self.standing() or "") == len(token))


@defect("push.registered-once-in-its-life")
def _():
    def make(original):
        def remember(self, token):
            original(self, token)
            self.storage.set("pushTokens", [*self.storage.get("pushTokens", []), token])

        return remember

    around(Push, "remember", make)
    override(Push, "is_unchanged", lambda self, token: token in self.storage.get("pushTokens", []))


@defect("push.remembered-before-the-answer")
def _():
    def make(original):
        def draft(self, entries):
            if is_set(entries[0]):
                self.remember(entries[0].data["pushToken"])
            return original(self, entries)

        return draft

    around(Push, "draft", make)
    gives_up(lambda entries, failure: is_set(entries[0]))


@defect("push.refused-is-registered")
def _():
    def make(original):
        def given_up(self, entries, error):
            original(self, entries, error)
            if is_set(entries[0]):
                self.remember(entries[0].data["pushToken"])

        return given_up

    around(Push, "given_up", make)


@defect("push.cleared-by-an-empty-one")
def _():
    def change(draft, entries):
        if entries[0].kind == CLEAR_PUSH:
            draft.method, draft.body = "PUT", {"pushToken": ""}

    redrafts(Push, change)


@defect("push.cleared-is-not-forgotten")
def _():
    def make(original):
        def accepted(self, entries, answer):
            if is_set(entries[0]):
                original(self, entries, answer)

        return accepted

    def standing(self):
        waiting = self.queue.pending(SET_PUSH)
        return waiting[-1].data["pushToken"] if waiting else self.registered()

    around(Push, "accepted", make)
    override(Push, "standing", standing)


@defect("push.cleared-locally")
def _():
    def clear(self):
        self.forget()
        return succeeded()

    override(Push, "clear", clear)


@defect("push.last-in-first-out")
def _():
    def make(original):
        def next_entries(self):
            found = original(self)
            return self.pending(SET_PUSH)[-1:] if found and is_set(found[0]) else found

        return next_entries

    around(RequestQueue, "next_entries", make)


def tokens(change):
    around(Push, "set", lambda original: lambda self, token: original(self, change(token)))


@defect("push.in-small-letters")
def _():
    tokens(str.lower)


@defect("push.at-most-255-characters")
def _():
    tokens(lambda token: token[:255])


@defect("push.behind-the-colon")
def _():
    tokens(lambda token: token.rsplit(":", 1)[-1])


@defect("push.parsed-as-json")
def _():
    def change(draft, entries):
        if is_set(entries[0]) and draft.body["pushToken"].startswith("{"):
            draft.body = {"pushToken": json.loads(draft.body["pushToken"])}

    redrafts(Push, change)


@defect("push.empty-is-sent")
def _():
    def make(original):
        def set(self, token):
            if token == "":
                return self.queue.outcome_of(self.queue.submit(SET_PUSH, {"pushToken": token}))
            return original(self, token)

        return set

    around(Push, "set", make)


@defect("push.empty-is-success")
def _():
    around(Push, "set", lambda original: lambda self, token: original(self, token) if token else succeeded())


@defect("push.refused-is-repeated")
def _():
    repeats(lambda draft, status: is_push(draft) and 400 <= status < 500 and status != 401)


@defect("push.refused-is-the-last")
def _():
    def make_given_up(original):
        def given_up(self, entries, error):
            self.is_refused = True
            original(self, entries, error)

        return given_up

    Push.is_refused = False
    around(Push, "given_up", make_given_up)
    around(Push, "set", lambda original: lambda self, token: succeeded() if self.is_refused else original(self, token))


@defect("push.refused-is-success")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, None if is_set(entries[0]) else error)

        return settle

    around(RequestQueue, "settle", make)


@defect("push.clearing-nothing-fails")
def _():
    around(
        Push, "clear",
        lambda original: lambda self: original(self) if self.standing() else failed(rejected("there is no push token")))


@defect("push.remembered-after-sign-out")
def _():
    def standing(self):
        for entry in reversed(self.queue.pending(SET_PUSH, CLEAR_PUSH)):
            return entry.data["pushToken"] if is_set(entry) else None
        return self.registered()

    def make(original):
        def accepted(self, entries, answer):
            token = self.push.registered()
            original(self, entries, answer)
            if token is not None:
                self.push.remember(token)

        return accepted

    override(Push, "standing", standing)
    around(Contacts, "accepted", make)


@defect("push.not-from-the-platform")
def _():
    override(MobileEngage, "got_push_token", lambda self, token: None)
