"""Requests to the services of Mobile Engage: their headers, the client state, the contact token and its renewal."""
import asyncio
import re
import uuid
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from .errors import MobileEngageError, Postponed, refused
from .json_text import JSONWriter, object_in
from .transport import HTTPRequest

# Texts that a header field can carry unchanged.
SENDABLE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
TRANSIENT = (408, 429)
LONGEST_PAUSE = 60.0


@dataclass
class Draft:
    """A request before its headers.

    `token` is `needed` if the request needs the contact token, `welcome` if a known token is sent, or `never`.
    """

    service: str  # client, events, inbox, deep-link
    method: str
    path: str  # the path after the path of the application
    body: dict | None = None
    query: str = ""
    token: str = "never"
    renewable: bool = True  # the SDK renews the contact token after a 401
    verbatim: dict | None = None


class Withheld(Exception):
    """A request needs a contact token, but the SDK cannot get one."""


class Tokens:
    """The contact token and its refresh token."""

    def __init__(self, storage):
        self.storage = storage

    @property
    def contact(self):
        return self.storage.get("contactToken")

    @property
    def refresh(self):
        return self.storage.get("refreshToken")

    def linked(self, answer):
        """Stores the tokens of a link. Returns False, and stores no token, if the answer has no contact token."""
        found = object_in(answer.body)
        contact, refresh = sendable(found.get("contactToken")), text(found.get("refreshToken"))
        if contact is None:
            return False
        self.storage.set("contactToken", contact)
        # The old refresh token belongs to another contact, so it is deleted even if there is no new one.
        self.storage.set("refreshToken", refresh) if refresh else self.storage.delete("refreshToken")
        return True

    def renewed(self, answer):
        """Stores the tokens of a refresh. Returns False if the answer has no contact token."""
        found = object_in(answer.body)
        contact, refresh = sendable(found.get("contactToken")), text(found.get("refreshToken"))
        if contact is None:
            return False
        with self.storage.transaction():
            self.storage.set("contactToken", contact)
            if refresh:
                self.storage.set("refreshToken", refresh)
        return True

    def forget(self):
        self.storage.delete("contactToken", "refreshToken")


def sendable(token):
    return token if isinstance(token, str) and SENDABLE.fullmatch(token) else None


def text(token):
    """The refresh token if it is a text. Any text is valid, since it is sent in a body."""
    return token if isinstance(token, str) and token else None


class ServiceClient:
    def __init__(self, platform, storage, choices, version):
        self.platform, self.storage, self.choices, self.version = platform, storage, choices, version
        self.tokens = Tokens(storage)
        self.writer = JSONWriter(choices)
        self.urls = {}
        self.renewing = asyncio.Lock()
        self.line = asyncio.Lock()
        self.refused_refresh = None  # a refresh token that the server has refused
        self.events_need_token = choices.hold_without_token
        self.on_renewal = lambda: None

    # -- one attempt

    async def attempt(self, draft):
        """Sends a request once. Raises `Postponed` if there is no answer, or if the status is temporary."""
        if self.choices.send_delay:
            await asyncio.sleep(self.choices.send_delay)
        try:
            answer = await self.platform.transport.send(self.request(draft))
        except MobileEngageError as error:
            raise Postponed(error) from None
        if draft.service != "deep-link" and (is_ok(answer) or self.choices.state_of_failures):
            self.keep_state(answer)
        if self.is_transient(answer):
            raise Postponed(refused(answer), self.asked_pause(answer))
        return answer

    def is_transient(self, answer):
        if 300 <= answer.status < 400:
            return not self.choices.redirect_is_final
        return answer.status in TRANSIENT or answer.status >= 500

    def keep_state(self, answer):
        state = answer.header("X-Client-State")
        if state:
            self.storage.set("clientState", state)

    def asked_pause(self, answer):
        asked = answer.header("Retry-After")
        if not self.choices.honour_retry_after or asked is None:
            return None
        return min(LONGEST_PAUSE, seconds_until(asked.strip(), self.platform.wall_clock()))

    # -- with renewal of the contact token

    async def send(self, draft):
        """Sends a request. If the server refuses the contact token, renews the token and sends the request again."""
        if draft.token == "needed" and self.tokens.contact is None and not await self.renew(None):
            raise Withheld
        for renewals in range(self.choices.max_refreshes + 1):
            used = self.tokens.contact
            answer = await self.attempt(draft)
            if answer.status == 401 and used is None and is_events(draft):
                self.events_need_token = True
                raise Withheld
            if answer.status != 401 or not draft.renewable or renewals == self.choices.max_refreshes:
                return answer
            if not await self.renew(used):
                return answer
        return answer

    async def send_in_line(self, draft):
        async with self.line:
            return await self.send(draft)

    async def renew(self, used):
        """Gets a new contact token after the given one was refused. Returns False if there is none."""
        async with self.renewing:
            if self.tokens.contact != used:
                return True  # another call has renewed the token or linked another contact meanwhile
            refresh = self.tokens.refresh
            if refresh is None or refresh == self.refused_refresh:
                return False
            answer = await self.attempt(self.refresh_draft(refresh))
            if self.tokens.refresh != refresh:
                return self.tokens.contact is not None  # the answer belongs to an earlier contact
            if not is_ok(answer) or not self.tokens.renewed(answer):
                # An answer without a token may be a mistake of the server. If there was no token before, one attempt is enough.
                if not is_ok(answer) or used is None:
                    self.refused_refresh = refresh
                return False
        self.on_renewal()
        if self.choices.pause_after_refresh:
            await asyncio.sleep(self.choices.pause_after_refresh)
        return True

    def can_have_token(self):
        refresh = self.tokens.refresh
        return self.tokens.contact is not None or (refresh is not None and refresh != self.refused_refresh)

    def refresh_draft(self, refresh):
        return Draft("client", "POST", "client/contact-token", {"refreshToken": refresh}, renewable=False)

    # -- how requests look

    def request(self, draft):
        body = None if draft.body is None else self.writer.encode(draft.body, draft.verbatim)
        headers = self.foreign_headers() if draft.service == "deep-link" else self.headers(draft)
        if body is not None or (self.choices.content_type_always and draft.service != "deep-link"):
            headers["Content-Type"] = self.choices.content_type
        return HTTPRequest(draft.method, self.url(draft), self.arranged(headers), body)

    def url(self, draft):
        base = self.urls[draft.service].rstrip("/")
        return f"{base}/{draft.path}" + (f"?{draft.query}" if draft.query else "")

    def headers(self, draft):
        headers = {"X-Client-Id": self.client_id()}
        state = self.storage.get("clientState")
        if state is not None:
            headers["X-Client-State"] = state
        if self.carries_token(draft):
            headers["X-Contact-Token"] = self.tokens.contact
        headers["X-Request-Order"] = str(self.next_order())
        headers["X-EMARSYS-SDK-VERSION"] = self.sdk_version()
        if self.choices.sdk_mode:
            headers["X-EMARSYS-SDK-MODE"] = self.choices.sdk_mode
        return headers

    def carries_token(self, draft):
        return draft.token != "never" and self.tokens.contact is not None

    def foreign_headers(self):
        """The header fields for a service that does not know clients."""
        return {"User-Agent": f"Emarsys SDK {self.sdk_version()} Python"}

    def sdk_version(self):
        return self.platform.device.properties(self.version)["sdkVersion"]

    def arranged(self, headers):
        spell = {"lower": str.lower, "upper": str.upper}.get(self.choices.header_case, str)
        fields = [(spell(name), value) for name, value in headers.items()]
        return fields[::-1] if self.choices.headers_reversed else fields

    def client_id(self):
        known = self.storage.get("clientId")
        if known is None:
            known = self.make_client_id()
            self.storage.set("clientId", known)
        return known

    def make_client_id(self):
        legacy = self.storage.legacy().get("hardwareId")
        if self.choices.keep_legacy_id and sendable(legacy):
            return legacy
        id = uuid.uuid4()
        forms = {"uuid": str(id), "capitals": str(id).upper(), "hex": id.hex}
        return forms.get(self.choices.client_id_form) or f"{self.storage.get('applicationCode')}_{id}"

    def next_order(self):
        """A larger number than all earlier orders, even after a restart or if the wall clock was set back."""
        last = self.storage.get("requestOrder", 0)
        order = last + 1 if self.choices.counting_order else max(self.now_ms(), last + 1)
        self.storage.set("requestOrder", order)
        return order

    def now_ms(self):
        return int(self.platform.wall_clock() * 1000)


def is_events(draft):
    return draft.service == "events"


def is_ok(answer):
    return 200 <= answer.status < 300


def seconds_until(asked, now):
    """The seconds that the field Retry-After asks for. The field contains seconds or a date."""
    if re.fullmatch("[0-9]{1,9}", asked):
        return float(asked)
    try:
        return max(0.0, parsedate_to_datetime(asked).timestamp() - now)
    except ValueError:
        return 0.0
