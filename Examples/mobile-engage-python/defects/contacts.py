"""Defects of anonymous and identified contacts, and of signing out."""
import asyncio

from mobile_engage.contacts import ANONYMOUS, LINK, Contacts
from mobile_engage.errors import MobileEngageError, failed, rejected, succeeded
from mobile_engage.events import Events
from mobile_engage.json_text import object_in
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.request_queue import EVENT, RequestQueue
from mobile_engage.service_client import Tokens
from patching import around, override

from .parts import choose, defect, gives_up, is_link, on_draft, redrafts, repeats


def is_anonymous(entry):
    return entry.kind == LINK and entry.data["digest"] == ANONYMOUS and not entry.data["signsOut"]


def is_sign_in(entry):
    return entry.kind == LINK and entry.data["digest"] != ANONYMOUS


def is_sign_out(entry):
    return entry.kind == LINK and entry.data["signsOut"]


# -- the anonymous contact


@defect("anonymous.never")
def _():
    override(Contacts, "ensure", lambda self: succeeded())


@defect("anonymous.query-of-one")
def _():
    choose(anonymous_query="anonymous=1")


@defect("anonymous.query-in-capitals")
def _():
    choose(anonymous_query="anonymous=TRUE")


@defect("anonymous.in-the-body")
def _():
    choose(anonymous_query="")
    redrafts(Contacts, lambda draft, entries: is_sign_in(entries[0]) or draft.body.update(anonymous=True))


@defect("anonymous.names-null")
def _():
    redrafts(
        Contacts,
        lambda draft, entries: is_sign_in(entries[0])
        or draft.body.update(contactFieldId=None, contactFieldValue=None))


@defect("anonymous.without-body")
def _():
    redrafts(Contacts, lambda draft, entries: is_sign_in(entries[0]) or setattr(draft, "body", None))


@defect("anonymous.refresh-token-lost")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            if is_anonymous(entries[0]):
                self.storage.delete("refreshToken")

        return accepted

    around(Contacts, "accepted", make)


def links_at_start(applies):
    def make(original):
        def start(self):
            if applies(self.storage.get("contact")) and not self.queue.pending(LINK):
                self.contacts.link_anonymously()
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("anonymous.at-each-start")
def _():
    links_at_start(lambda contact: contact == ANONYMOUS)


@defect("anonymous.over-the-identified")
def _():
    links_at_start(lambda contact: contact not in (None, ANONYMOUS))


@defect("anonymous.after-a-waiting-sign-in")
def _():
    def ensure(self):
        if not self.anonymous_allowed or any(is_anonymous(entry) for entry in self.queue.pending(LINK)):
            return succeeded()
        waiting = any(is_sign_in(entry) for entry in self.queue.pending(LINK))
        return self.link_anonymously() if waiting or self.standing() is None else succeeded()

    override(Contacts, "ensure", ensure)


@defect("anonymous.although-switched-off")
def _():
    around(MobileEngage, "start", lambda original: lambda self: allowed(self, original))


def allowed(sdk, original):
    sdk.contacts.anonymous_allowed = True
    return original(sdk)


@defect("anonymous.tried-once")
def _():
    gives_up(lambda entries, failure: is_anonymous(entries[0]))


@defect("anonymous.refused-for-ever")
def _():
    def make_given_up(original):
        def given_up(self, entries, error):
            original(self, entries, error)
            if is_anonymous(entries[0]):
                self.storage.set("anonymousRefused", True)

        return given_up

    around(Contacts, "given_up", make_given_up)
    around(
        Contacts, "ensure",
        lambda original: lambda self: succeeded() if self.storage.get("anonymousRefused") else original(self))


@defect("anonymous.refused-is-repeated")
def _():
    repeats(lambda draft, status: is_link(draft) and not draft.body and 400 <= status < 500)


@defect("anonymous.late-answer-wins")
def _():
    def make(original):
        async def carry_out(self, entries):
            if not is_anonymous(entries[0]):
                await original(self, entries)
                return
            handler = self.handlers[LINK]
            draft = handler.draft(entries)

            async def beside():
                handler.accepted(entries, await self.client.send(draft))
                self.settle(entries, None)
                self.work.set()

            self.beside = asyncio.get_running_loop().create_task(beside())
            self.storage.remove(entries)

        return carry_out

    around(RequestQueue, "carry_out", make)


@defect("anonymous.answer-without-token-is-fatal")
def _():
    def make(original):
        def linked(self, answer):
            object_in(answer.body)["contactToken"]  # without this member, the queue ends
            return original(self, answer)

        return linked

    around(Tokens, "linked", make)


@defect("anonymous.half-an-answer-is-enough")
def _():
    def make(original):
        def accepted(self, entries, answer):
            try:
                original(self, entries, answer)
            except MobileEngageError:
                if is_anonymous(entries[0]):
                    self.storage.set("contact", ANONYMOUS)
                    self.storage.set("contactToken", "undefined")
                raise

        return accepted

    around(Contacts, "accepted", make)


@defect("anonymous.not-after-an-update")
def _():
    around(
        Contacts, "ensure",
        lambda original: lambda self: succeeded() if self.storage.legacy() else original(self))


@defect("anonymous.tokens-from-headers")
def _():
    def make(original):
        def linked(self, answer):
            kept = original(self, answer)
            for name, header in (("contactToken", "X-Contact-Token"), ("refreshToken", "X-Refresh-Token")):
                if answer.header(header):
                    self.storage.set(name, answer.header(header))
            return kept

        return linked

    around(Tokens, "linked", make)


# -- identified contacts


@defect("contact.still-anonymous")
def _():
    choose(identified_query="anonymous=true")


@defect("contact.by-put")
def _():
    redrafts(Contacts, lambda draft, entries: is_sign_in(entries[0]) and setattr(draft, "method", "PUT"))


@defect("contact.field-as-text")
def _():
    redrafts(
        Contacts,
        lambda draft, entries: is_sign_in(entries[0])
        and draft.body.update(contactFieldId=str(draft.body["contactFieldId"])))


def values(change):
    """Changes the value of a contact in its request."""

    def change_draft(draft, entries):
        if "contactFieldValue" in draft.body:
            draft.body = {**draft.body, "contactFieldValue": change(draft.body["contactFieldValue"])}

    redrafts(Contacts, change_draft)


@defect("contact.digits-as-number")
def _():
    values(lambda value: int(value) if value.isdecimal() and value.isascii() else value)


@defect("contact.trimmed")
def _():
    values(str.strip)


@defect("contact.in-small-letters")
def _():
    values(str.lower)


@defect("contact.at-most-255-characters")
def _():
    values(lambda value: value[:255])


@defect("contact.without-control-characters")
def _():
    values(lambda value: "".join(character for character in value if character.isprintable()))


@defect("contact.open-id-as-value")
def _():
    def change(draft, entries):
        if "openIdToken" in draft.body:
            field, token = draft.body["contactFieldId"], draft.body["openIdToken"]
            draft.body = {"contactFieldId": field, "contactFieldValue": token}

    redrafts(Contacts, change)


@defect("contact.open-id-beside-an-empty-value")
def _():
    def change(draft, entries):
        if "openIdToken" in draft.body:
            draft.body = {**draft.body, "contactFieldValue": ""}

    redrafts(Contacts, change)


def keeps(name, applies):
    """Ignores one of the tokens in the answer to a link."""

    def make(original):
        def accepted(self, entries, answer):
            before = self.storage.get(name)
            original(self, entries, answer)
            if before is not None and applies(entries[0]):
                self.storage.set(name, before)

        return accepted

    around(Contacts, "accepted", make)


@defect("contact.old-token-kept")
def _():
    keeps("contactToken", is_sign_in)


@defect("contact.old-refresh-token-kept")
def _():
    keeps("refreshToken", is_sign_in)


@defect("contact.only-after-sign-out")
def _():
    def make(original):
        def sign_in(self, field, name, value):
            return original(self, field, name, value) if self.standing() in (None, ANONYMOUS) else succeeded()

        return sign_in

    around(Contacts, "sign_in", make)


@defect("contact.skipped-after-a-start")
def _():
    override(Contacts, "may_skip", lambda self, digest, changes: not changes)


@defect("contact.told-apart-by-value")
def _():
    def make(original):
        def digest(self, contact):
            return original(self, {name: value for name, value in contact.items() if name != "contactFieldId"})

        return digest

    around(Contacts, "digest", make)
    choose(skip_same_contact=True)


@defect("contact.refusal-is-success")
def _():
    def make(original):
        async def carry_out(self, entries):
            if is_sign_in(entries[0]):
                self.settle(entries, None)
            await original(self, entries)

        return carry_out

    around(RequestQueue, "carry_out", make)


@defect("contact.refusal-tells-no-status")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, MobileEngageError(error.kind, str(error)) if error else None)

        return settle

    around(RequestQueue, "settle", make)


@defect("contact.refusal-is-internal")
def _():
    def make(original):
        def settle(self, entries, error):
            hidden = error is not None and error.kind == "http" and is_sign_in(entries[0])
            original(self, entries, MobileEngageError("internal", str(error)) if hidden else error)

        return settle

    around(RequestQueue, "settle", make)


@defect("contact.refusal-loses-tokens")
def _():
    def make(original):
        def given_up(self, entries, error):
            original(self, entries, error)
            if is_sign_in(entries[0]):
                self.client.tokens.forget()

        return given_up

    around(Contacts, "given_up", make)


@defect("contact.tokens-gone-while-signing-in")
def _():
    def make(original):
        def draft(self, entries):
            if is_sign_in(entries[0]):
                self.client.tokens.forget()
            return original(self, entries)

        return draft

    around(Contacts, "draft", make)


@defect("contact.tried-once")
def _():
    gives_up(lambda entries, failure: is_sign_in(entries[0]))


@defect("contact.first-of-two-wins")
def _():
    def make(original):
        def sign_in(self, field, name, value):
            waiting = [entry for entry in self.queue.pending(LINK) if is_sign_in(entry)]
            return self.queue.outcome_of(waiting[0]) if waiting else original(self, field, name, value)

        return sign_in

    around(Contacts, "sign_in", make)


@defect("contact.last-goes-first")
def _():
    def make(original):
        def next_entries(self):
            found = original(self)
            if found and is_sign_in(found[0]):
                return [entry for entry in self.pending(LINK) if is_sign_in(entry)][-1:]
            return found

        return next_entries

    around(RequestQueue, "next_entries", make)


def lets_pass(forgiven):
    around(
        Contacts, "problem",
        lambda original: lambda self, field, value: None if forgiven(field, value) else original(self, field, value))


@defect("contact.empty-is-sent")
def _():
    lets_pass(lambda field, value: value == "")


@defect("contact.field-zero-is-sent")
def _():
    lets_pass(lambda field, value: field == 0)


@defect("contact.negative-field-is-sent")
def _():
    lets_pass(lambda field, value: field < 0)


@defect("contact.forgotten-at-start")
def _():
    def make(original):
        def start(self):
            if self.storage.get("contact") not in (None, ANONYMOUS):
                self.client.tokens.forget()
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("contact.nobody-is-somebody")
def _():
    def make(original):
        def accepted(self, entries, answer):
            try:
                original(self, entries, answer)
            except MobileEngageError:
                if not is_sign_in(entries[0]):
                    raise

        return accepted

    around(Contacts, "accepted", make)


@defect("contact.nobody-takes-the-tokens")
def _():
    def make(original):
        def given_up(self, entries, error):
            original(self, entries, error)
            if is_sign_in(entries[0]) and error.kind == "internal":
                self.client.tokens.forget()

        return given_up

    around(Contacts, "given_up", make)


@defect("contact.value-in-events")
def _():
    def make_sign_in(original):
        def sign_in(self, field, name, value):
            self.sessions.events.contact_value = value
            return original(self, field, name, value)

        return sign_in

    def make_internal(original):
        def track_internal(self, name, attributes=None):
            value = getattr(self, "contact_value", None)
            original(self, name, {**(attributes or {}), "contact": value} if value else attributes)

        return track_internal

    around(Contacts, "sign_in", make_sign_in)
    around(Events, "track_internal", make_internal)


@defect("contact.value-in-a-header")
def _():
    def make_sign_in(original):
        def sign_in(self, field, name, value):
            if value.isascii() and value.isprintable():
                self.client.contact_value = value
            return original(self, field, name, value)

        return sign_in

    def change(client, headers):
        value = getattr(client, "contact_value", None)
        if value:
            headers["X-Contact"] = value

    around(Contacts, "sign_in", make_sign_in)
    on_draft(lambda draft: True, change)


# -- signing out


@defect("sign-out.by-delete")
def _():
    def change(draft, entries):
        if is_sign_out(entries[0]):
            draft.method, draft.query = "DELETE", ""

    redrafts(Contacts, change)


@defect("sign-out.local-only")
def _():
    def make(original):
        def sign_out(self):
            if self.standing() in (None, ANONYMOUS):
                return original(self)
            self.sessions.end()
            return self.unlink()

        return sign_out

    around(Contacts, "sign_out", make)


@defect("sign-out.in-two-requests")
def _():
    def make(original):
        def sign_out(self):
            first = original(self)
            self.link_anonymously()
            return first

        return sign_out

    around(Contacts, "sign_out", make)


@defect("sign-out.old-token-kept")
def _():
    keeps("contactToken", is_sign_out)


@defect("sign-out.old-refresh-token-kept")
def _():
    keeps("refreshToken", is_sign_out)


@defect("sign-out.twice-is-a-failure")
def _():
    def make(original):
        def sign_out(self):
            return failed(rejected("nobody is signed in")) if self.standing() == ANONYMOUS else original(self)

        return sign_out

    around(Contacts, "sign_out", make)


@defect("sign-out.tried-once")
def _():
    gives_up(lambda entries, failure: is_sign_out(entries[0]))


@defect("sign-out.events-overtake")
def _():
    def make(original):
        def next_entries(self):
            found = original(self)
            if found and is_sign_out(found[0]) and self.client.tokens.contact is not None:
                behind = [entry for entry in self.storage.queue if entry.kind == EVENT]
                return behind[: self.choices.batch_size] or found
            return found

        return next_entries

    around(RequestQueue, "next_entries", make)


@defect("sign-out.same-contact-is-ignored-afterwards")
def _():
    def make(original):
        def sign_in(self, field, name, value):
            digest = self.digest({"contactFieldId": field, name: value})
            if digest == self.ever:
                return succeeded()
            self.ever = digest
            return original(self, field, name, value)

        return sign_in

    Contacts.ever = None
    around(Contacts, "sign_in", make)


@defect("sign-out.undone-by-a-start")
def _():
    def make_accepted(original):
        def accepted(self, entries, answer):
            if is_sign_out(entries[0]):
                self.storage.set("lastIdentified", [self.client.tokens.contact, self.client.tokens.refresh])
            original(self, entries, answer)

        return accepted

    def make_start(original):
        def start(self):
            contact, refresh = self.storage.get("lastIdentified", (None, None))
            if contact is not None:
                self.storage.set("contactToken", contact)
                self.storage.set("refreshToken", refresh)
            return original(self)

        return start

    around(Contacts, "accepted", make_accepted)
    around(MobileEngage, "start", make_start)


def unless_sign_out(name):
    """Makes a method of `Contacts` ignore sign-outs."""

    def make(original):
        def method(self, entries, argument):
            return None if is_sign_out(entries[0]) else original(self, entries, argument)

        return method

    around(Contacts, name, make)


@defect("sign-out.refused-stays-signed-in")
def _():
    unless_sign_out("given_up")


@defect("sign-out.refused-is-success")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, None if is_sign_out(entries[0]) else error)

        return settle

    around(RequestQueue, "settle", make)
