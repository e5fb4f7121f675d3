"""Links the client to an anonymous contact, or to a contact that the app names."""
import hashlib
import json

from .errors import MobileEngageError, failed, rejected, succeeded
from .request_queue import Handler
from .service_client import Draft

LINK = "link"  # to an anonymous contact, or to the contact in its data
UNLINK = "unlink"  # if there are no anonymous contacts: delete the tokens, send no request
ANONYMOUS = "anonymous"


class Contacts(Handler):
    kinds = (LINK, UNLINK)

    def __init__(self, storage, queue, client, choices):
        self.storage, self.queue, self.client, self.choices = storage, queue, client, choices
        self.anonymous_allowed = True
        self.sessions = None
        self.push = None
        self.signed_in = None  # the contact that this process signed in

    # -- calls

    def ensure(self):
        """Links to an anonymous contact if the client has no contact. Returns the outcome."""
        pending = self.queue.pending(LINK)
        if pending:
            return self.queue.outcome_of(pending[-1])
        if not self.anonymous_allowed or self.standing() is not None:
            return succeeded()
        return self.link_anonymously()

    def sign_in(self, field, name, value):
        """`name` is the member for the value: contactFieldValue or openIdToken."""
        problem = self.problem(field, value)
        if problem:
            return failed(rejected(problem))
        contact = {"contactFieldId": field, name: value}
        digest = self.digest(contact)
        changes = digest != self.standing()
        if self.may_skip(digest, changes):
            pending = self.queue.pending(LINK)
            return self.queue.outcome_of(pending[-1]) if pending else succeeded()
        self.signed_in = digest
        return self.link(contact, digest, changes)

    def problem(self, field, value):
        if isinstance(field, bool) or not isinstance(field, int) or field <= 0:
            return "the contact field is not a positive number"
        return None if isinstance(value, str) and value else "the contact's value is empty"

    def may_skip(self, digest, changes):
        return self.choices.skip_same_contact and not changes and digest == self.signed_in

    def link(self, contact, digest, changes):
        # The end of the old session belongs to the old contact, so it is sent first.
        if changes:
            self.sessions.end()
        entry = self.queue.submit(LINK, {"contact": contact, "digest": digest, "signsOut": False})
        if changes:
            self.sessions.begin()
        return self.queue.outcome_of(entry)

    def sign_out(self):
        standing = self.standing()
        if standing in (None, ANONYMOUS) and self.choices.skip_anonymous_sign_out:
            return self.ensure()
        self.signed_in = None
        self.sessions.end()
        outcome = self.link_anonymously(signs_out=True) if self.anonymous_allowed else self.unlink()
        if self.choices.session_after_sign_out:
            self.sessions.begin()
        return outcome

    def link_anonymously(self, signs_out=False):
        data = {"contact": {}, "digest": ANONYMOUS, "signsOut": signs_out}
        return self.queue.outcome_of(self.queue.submit(LINK, data))

    def unlink(self):
        return self.queue.outcome_of(self.queue.submit(UNLINK))

    def standing(self):
        """The contact after all waiting calls: a digest, `anonymous`, or None."""
        for entry in reversed(self.queue.pending(LINK, UNLINK)):
            return entry.data["digest"] if entry.kind == LINK else None
        if self.queue.last_switch() is not None or not self.has_tokens():
            return None
        return self.storage.get("contact")

    def has_tokens(self):
        tokens = self.client.tokens
        return tokens.contact is not None or tokens.refresh is not None

    def digest(self, contact):
        """A digest that distinguishes contacts, so that their values need not be stored."""
        return hashlib.sha256(json.dumps([self.client.client_id(), contact], sort_keys=True).encode()).hexdigest()

    def drop_unwanted(self):
        """Replaces anonymous links in the queue that a process with anonymous contacts left there."""
        if not self.anonymous_allowed:
            for entry in self.queue.pending(LINK):
                if entry.data["digest"] == ANONYMOUS:
                    self.storage.replace(entry, UNLINK)

    # -- Handler

    def draft(self, entries):
        entry = entries[0]
        if entry.kind == UNLINK:
            return None
        is_anonymous = entry.data["digest"] == ANONYMOUS
        query = self.choices.anonymous_query if is_anonymous else self.choices.identified_query
        return self.link_draft(entry.data["contact"], query)

    def link_draft(self, contact, query):
        return Draft("client", "POST", "client/contact", contact, query, renewable=False)

    def accepted(self, entries, answer):
        data = entries[0].data
        if answer is None:
            self.forget()
        elif self.client.tokens.linked(answer):
            self.storage.set("contact", data["digest"])
            if data["signsOut"]:
                self.push.forget()
        else:
            raise MobileEngageError("internal", "the answer to the link has no contact token")

    def given_up(self, entries, error):
        data = entries[0].data
        if data.get("signsOut"):
            self.forget()  # a user who has signed out must not count as signed in
        if self.signed_in == data.get("digest"):
            self.signed_in = None

    def forget(self):
        self.client.tokens.forget()
        self.storage.delete("contact")
        self.push.forget()
