"""Defects of the client state."""
from urllib.parse import unquote

from mobile_engage.contacts import Contacts
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.service_client import ServiceClient
from patching import around, override

from .parts import defect, is_events, is_link, is_push, is_refresh, on_draft


def reads(change):
    """Stores `change(text)` in place of a client state that arrives."""

    def keep_state(self, answer):
        state = answer.header("X-Client-State")
        if state:
            self.storage.set("clientState", change(state))

    override(ServiceClient, "keep_state", keep_state)


def keeps_unless(applies):
    """Ignores the client state in the answers to some requests."""

    def make(original):
        async def attempt(self, draft):
            before = self.storage.get("clientState")
            try:
                return await original(self, draft)
            finally:
                if applies(draft) and before is not None:
                    self.storage.set("clientState", before)

        return attempt

    around(ServiceClient, "attempt", make)


def leaves_out(applies):
    on_draft(applies, lambda client, headers: headers.pop("X-Client-State", None))


@defect("state.first-is-kept")
def _():
    def keep_state(self, answer):
        state = answer.header("X-Client-State")
        if state and self.storage.get("clientState") is None:
            self.storage.set("clientState", state)

    override(ServiceClient, "keep_state", keep_state)


@defect("state.lost-at-start")
def _():
    def make(original):
        def start(self):
            self.storage.delete("clientState")
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("state.percent-decoded")
def _():
    reads(unquote)


@defect("state.cut-like-a-cookie")
def _():
    reads(lambda text: text.split(";")[0])


@defect("state.first-of-a-list")
def _():
    reads(lambda text: text.split(",")[0])


@defect("state.unquoted")
def _():
    reads(lambda text: text.strip('"'))


@defect("state.spaces-squeezed")
def _():
    reads(lambda text: " ".join(text.split()))


@defect("state.number-parsed")
def _():
    reads(lambda text: str(int(text)) if text.isdecimal() else text)


@defect("state.padding-lost")
def _():
    reads(lambda text: text.rstrip("="))


@defect("state.at-most-4096-bytes")
def _():
    reads(lambda text: text[:4096])


def exactly(spelling):
    def keep_state(self, answer):
        state = dict(answer.headers).get(spelling)
        if state:
            self.storage.set("clientState", state)

    override(ServiceClient, "keep_state", keep_state)


@defect("state.header-by-its-case")
def _():
    exactly("X-Client-State")


@defect("state.header-in-small-letters")
def _():
    def keep_state(self, answer):
        found = dict(answer.headers)
        state = found.get("x-client-state") or found.get("X-Client-State")
        if state:
            self.storage.set("clientState", state)

    override(ServiceClient, "keep_state", keep_state)


@defect("state.null-at-first")
def _():
    on_draft(lambda draft: True, lambda client, headers: headers.setdefault("X-Client-State", "null"))


@defect("state.empty-at-first")
def _():
    on_draft(lambda draft: True, lambda client, headers: headers.setdefault("X-Client-State", ""))


@defect("state.not-with-refreshes")
def _():
    leaves_out(is_refresh)


@defect("state.not-with-links")
def _():
    leaves_out(is_link)


@defect("state.not-with-push-tokens")
def _():
    leaves_out(is_push)


@defect("state.not-with-events")
def _():
    leaves_out(is_events)


@defect("state.not-with-the-inbox")
def _():
    leaves_out(lambda draft: draft.service == "inbox")


@defect("state.not-with-geofences")
def _():
    leaves_out(lambda draft: draft.path == "geo-fences")


@defect("state.not-from-links")
def _():
    keeps_unless(is_link)


@defect("state.not-from-push-tokens")
def _():
    keeps_unless(lambda draft: is_push(draft) and draft.method == "PUT")


@defect("state.not-from-cleared-push-tokens")
def _():
    keeps_unless(lambda draft: is_push(draft) and draft.method == "DELETE")


@defect("state.not-from-events")
def _():
    keeps_unless(is_events)


@defect("state.not-from-refreshes")
def _():
    keeps_unless(is_refresh)


@defect("state.missing-is-none")
def _():
    def make(original):
        def keep_state(self, answer):
            if answer.header("X-Client-State") is None:
                self.storage.delete("clientState")
            original(self, answer)

        return keep_state

    around(ServiceClient, "keep_state", make)


@defect("state.empty-is-a-state")
def _():
    def keep_state(self, answer):
        state = answer.header("X-Client-State")
        if state is not None:
            self.storage.set("clientState", state)

    override(ServiceClient, "keep_state", keep_state)


@defect("state.to-deep-links")
def _():
    def make(original):
        def foreign_headers(self):
            state = self.storage.get("clientState")
            return {**original(self), "X-Client-Id": self.client_id(), **({"X-Client-State": state} if state else {})}

        return foreign_headers

    around(ServiceClient, "foreign_headers", make)


@defect("state.dropped-at-sign-out")
def _():
    def make(original):
        def sign_out(self):
            self.storage.delete("clientState")
            return original(self)

        return sign_out

    around(Contacts, "sign_out", make)


@defect("state.one-behind")
def _():
    def make(original):
        def keep_state(self, answer):
            late = self.storage.get("lateState")
            state = answer.header("X-Client-State")
            if state:
                self.storage.set("lateState", state)
                self.storage.set("clientState", late or state)

        return keep_state

    around(ServiceClient, "keep_state", make)


@defect("state.back-to-the-first-under-a-new-contact")
def _():
    def make(original):
        def accepted(self, entries, answer):
            before = self.storage.get("stateOfRegistration")
            original(self, entries, answer)
            if before is not None and entries[0].data.get("signsOut") is False and entries[0].data["contact"]:
                self.storage.set("clientState", before)

        return accepted

    def make_keep(original):
        def keep_state(self, answer):
            original(self, answer)
            if self.storage.get("stateOfRegistration") is None and self.storage.get("clientState") is not None:
                self.storage.set("stateOfRegistration", self.storage.get("clientState"))

        return keep_state

    around(Contacts, "accepted", make)
    around(ServiceClient, "keep_state", make_keep)


@defect("state.breaks-while-a-request-is-open")
def _():
    def make(original):
        async def attempt(self, draft):
            before = self.storage.get("clientState")
            answer = await original(self, draft)
            if self.storage.get("clientState") != before and before is not None and self.open > 1:
                raise RuntimeError("the state has changed under way")
            return answer

        return attempt

    def counted(original):
        async def attempt(self, draft):
            self.open = getattr(self, "open", 0) + 1
            try:
                return await original(self, draft)
            finally:
                self.open -= 1

        return attempt

    around(ServiceClient, "attempt", make)
    around(ServiceClient, "attempt", counted)


