"""Defects of headers, paths and bodies that all requests share."""
import json
from urllib.parse import quote, urlsplit

from mobile_engage.contacts import Contacts
from mobile_engage.json_text import JSONWriter
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.push import Push
from mobile_engage.service_client import ServiceClient
from patching import around, override

from .parts import choose, defect, is_events, is_link, is_push, is_refresh, on_draft, redrafts


def always(draft):
    return True


def is_set(draft):
    return is_push(draft) and draft.method == "PUT"


def is_clear(draft):
    return is_push(draft) and draft.method == "DELETE"


@defect("headers.no-client-id-with-refreshes")
def _():
    on_draft(is_refresh, lambda client, headers: headers.pop("X-Client-Id"))


@defect("headers.no-client-id-with-the-inbox")
def _():
    on_draft(lambda draft: draft.service == "inbox", lambda client, headers: headers.pop("X-Client-Id"))


@defect("headers.client-id-twice")
def _():
    around(
        ServiceClient, "arranged",
        lambda original: lambda self, headers: [*original(self, headers), ("x-client-id", self.client_id())])


@defect("headers.new-client-id-at-each-start")
def _():
    def make(original):
        def start(self):
            self.storage.delete("clientId")
            return original(self)

        return start

    around(MobileEngage, "start", make)


@defect("headers.new-client-id-after-sign-out")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            if entries[0].data.get("signsOut"):
                self.storage.delete("clientId")

        return accepted

    around(Contacts, "accepted", make)


@defect("headers.client-id-of-the-contact")
def _():
    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            if entries[0].data.get("contact"):
                self.storage.set("clientId", entries[0].data["digest"][:32])

        return accepted

    around(Contacts, "accepted", make)


@defect("headers.client-id-of-the-model")
def _():
    def make_client_id(self):
        return f"device-{quote(self.platform.device.deviceModel, safe='')}"

    override(ServiceClient, "make_client_id", make_client_id)


@defect("headers.order-of-the-process")
def _():
    def next_order(self):
        self.count = getattr(self, "count", -1) + 1
        return self.count

    override(ServiceClient, "next_order", next_order)


@defect("headers.order-with-fraction")
def _():
    around(ServiceClient, "next_order", lambda original: lambda self: original(self) + 0.5)


@defect("headers.order-with-exponent")
def _():
    around(ServiceClient, "next_order", lambda original: lambda self: f"{original(self):.12e}")


@defect("headers.no-order-with-refreshes")
def _():
    on_draft(is_refresh, lambda client, headers: headers.pop("X-Request-Order"))


@defect("headers.order-by-the-wall-clock")
def _():
    override(ServiceClient, "next_order", lambda self: self.now_ms())


@defect("headers.order-in-seconds")
def _():
    def next_order(self):
        last = self.storage.get("requestOrder", 0)
        self.storage.set("requestOrder", max(last, self.now_ms() // 1000))
        return self.storage.get("requestOrder")

    override(ServiceClient, "next_order", next_order)


@defect("headers.order-wraps")
def _():
    around(ServiceClient, "next_order", lambda original: lambda self: original(self) % 4)


@defect("headers.order-of-the-first-attempt")
def _():
    def make(original):
        def headers(self, draft):
            fields = original(self, draft)
            self.orders = getattr(self, "orders", {})
            key = draft.path, draft.query, json.dumps(draft.body)
            fields["X-Request-Order"] = self.orders.setdefault(key, fields["X-Request-Order"])
            return fields

        return headers

    around(ServiceClient, "headers", make)


@defect("headers.version-of-the-library")
def _():
    on_draft(always, lambda client, headers: headers.update({"X-EMARSYS-SDK-VERSION": "0.0.1"}))


@defect("headers.no-version")
def _():
    on_draft(always, lambda client, headers: headers.pop("X-EMARSYS-SDK-VERSION"))


@defect("headers.mode-release")
def _():
    choose(sdk_mode="release")


@defect("headers.mode-in-capitals")
def _():
    choose(sdk_mode="PRODUCTION")


@defect("headers.plain-text")
def _():
    choose(content_type="text/plain; charset=utf-8")


@defect("headers.form-with-links")
def _():
    def make(original):
        def request(self, draft):
            made = original(self, draft)
            if is_link(draft):
                made.headers = [(name, value) for name, value in made.headers if name.lower() != "content-type"]
            return made

        return request

    around(ServiceClient, "request", make)


@defect("headers.no-token-with-events")
def _():
    on_draft(is_events, lambda client, headers: headers.pop("X-Contact-Token", None))


@defect("headers.no-token-with-push-tokens")
def _():
    on_draft(is_set, lambda client, headers: headers.pop("X-Contact-Token"))


@defect("headers.no-token-with-cleared-push-tokens")
def _():
    on_draft(is_clear, lambda client, headers: headers.pop("X-Contact-Token"))


def with_token(client, headers):
    if client.tokens.contact is not None:
        headers["X-Contact-Token"] = client.tokens.contact


@defect("headers.token-with-sign-ins")
def _():
    on_draft(lambda draft: is_link(draft) and draft.body, with_token)


@defect("headers.token-as-bearer")
def _():
    def change(client, headers):
        token = headers.pop("X-Contact-Token", None)
        if token:
            headers["Authorization"] = f"Bearer {token}"

    on_draft(always, change)


@defect("headers.token-escaped")
def _():
    def change(client, headers):
        if "X-Contact-Token" in headers:
            headers["X-Contact-Token"] = quote(headers["X-Contact-Token"], safe="")

    on_draft(always, change)


@defect("headers.token-padding-lost")
def _():
    def change(client, headers):
        if "X-Contact-Token" in headers:
            headers["X-Contact-Token"] = headers["X-Contact-Token"].rstrip("=")

    on_draft(always, change)


@defect("headers.push-token-in-the-url")
def _():
    def change(draft, entries):
        if draft.body:
            draft.query = "pushToken=" + quote(draft.body["pushToken"], safe="")

    redrafts(Push, change)


@defect("headers.contact-in-the-url")
def _():
    def change(draft, entries):
        value = draft.body.get("contactFieldValue")
        if value:
            draft.query = "contactFieldValue=" + quote(value, safe="")

    redrafts(Contacts, change)


@defect("headers.token-in-the-url")
def _():
    def make(original):
        def url(self, draft):
            made = original(self, draft)
            token = self.tokens.contact
            if not is_events(draft) or token is None:
                return made
            return made + ("&" if urlsplit(made).query else "?") + "token=" + quote(token, safe="")

        return url

    around(ServiceClient, "url", make)


@defect("json.member-twice")
def _():
    def make(original):
        def encode(self, value, verbatim=None):
            made = original(self, value, verbatim)
            if "pushToken" not in value:
                return made
            return made.replace(b"{", b'{"pushToken": "", ', 1)

        return encode

    around(JSONWriter, "encode", make)


@defect("json.latin-1")
def _():
    choose(json_ascii=False)

    def make(original):
        def encode(self, value, verbatim=None):
            return original(self, value, verbatim).decode().encode("latin-1", "replace")

        return encode

    around(JSONWriter, "encode", make)


@defect("json.in-an-array")
def _():
    def make(original):
        def request(self, draft):
            made = original(self, draft)
            if is_set(draft):
                made.body = b"[" + made.body + b"]"
            return made

        return request

    around(ServiceClient, "request", make)
