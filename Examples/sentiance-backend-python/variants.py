"""Other choices where the documents leave the behaviour open. All options are legal; `defects.yaml` gives the reasons."""
import http.client
import json
import select
import threading
import time
from datetime import datetime, timezone

from patching import Changes, constant, replace
from platform_client import PlatformClient, Refused, Unreachable
from service import Backend, Handler, Problem

options = Changes()
choose = options.make

DEADLINE = 12  # seconds for all attempts together


@options.named("retry.backoff")
def _():
    """Makes three attempts with a shorter limit. Waits as long as the platform requests in `Retry-After`."""
    PlatformClient.attempt_limit = constant(3)

    @replace(PlatformClient, "call")
    def make(original):
        def call(self, *request):
            end = time.monotonic() + DEADLINE
            for pause in (0.5, 1.5):
                try:
                    return original(self, *request)
                except Unreachable:
                    pass
                except Refused as refused:
                    if not refused.is_temporary:
                        raise
                    told = (refused.retry_after or "").strip()
                    if told and not told.isdigit():
                        raise
                    pause = max(pause, int(told or 0))
                    if time.monotonic() + pause + self.attempt_limit() > end:
                        raise
                time.sleep(pause)
            return original(self, *request)

        return call


def patch_headers(change):
    @replace(PlatformClient, "headers")
    def make(original):
        return lambda self, key, body: change(original(self, key, body))


@options.named("code.kept-while-it-lives")
def _():
    """Returns the same code to a user until the code expires."""
    kept, lock = {}, threading.Lock()

    @replace(PlatformClient, "authentication_code")
    def make(original):
        def authentication_code(self, external_id):
            with lock:
                issued, end = kept.get(external_id, (None, None))
            if issued is not None and datetime.now(timezone.utc) < end:
                return issued
            issued = original(self, external_id)
            if issued.expires_at:
                with lock:
                    kept[external_id] = issued, datetime.fromisoformat(issued.expires_at)
            return issued

        return authentication_code


@options.named("headers.reversed")
def _():
    patch_headers(lambda fields: dict(reversed(fields.items())))


@options.named("headers.lower-case")
def _():
    patch_headers(lambda fields: {name.lower(): value for name, value in fields.items()})


@options.named("headers.charset")
def _():
    patch_headers(lambda fields: {
        name: value + "; charset=utf-8" if name == "Content-Type" else value for name, value in fields.items()})


@options.named("headers.more")
def _():
    patch_headers(lambda fields: {**fields, "User-Agent": "customer-backend/3.2", "X-Request-Id": "r-77"})


@options.named("body.spaced")
def _():
    PlatformClient.encode = lambda self, body: None if body is None else json.dumps(body, indent=2).encode()


@options.named("connection.close")
def _():
    patch_headers(lambda fields: {**fields, "Connection": "close"})


@options.named("connection.keep-alive")
def _():
    """Keeps a connection for each thread that serves an app, as long as the platform keeps it open."""
    kept = threading.local()

    @replace(PlatformClient, "connect")
    def make(original):
        def connect(self):
            connection = getattr(kept, "connection", None)
            if connection is not None and connection.sock is not None:
                if not select.select([connection.sock], [], [], 0)[0]:
                    return connection
                http.client.HTTPConnection.close(connection)
            kept.connection = original(self)
            kept.connection.close = constant(None)  # callers must not close the connection after a request
            return kept.connection

        return connect

    @replace(PlatformClient, "send")
    def make_send(original):
        def send(self, *request):
            try:
                return original(self, *request)
            except Unreachable:
                http.client.HTTPConnection.close(kept.connection)
                raise

        return send


@options.named("path.encodes-all")
def _():
    def segment(self, text):
        return "".join(
            chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02X}" for byte in text.encode())

    PlatformClient.segment = segment


@options.named("answers.slow")
def _():
    @replace(Handler, "reply")
    def make(original):
        def reply(self, *of):
            time.sleep(0.7)
            original(self, *of)

        return reply


@options.named("answers.old-http")
def _():
    Handler.protocol_version = "HTTP/1.0"


@options.named("answers.more-members")
def _():
    @replace(Backend, "answer")
    def make(original):
        def answer(self, request):
            status, body = original(self, request)
            return status, {**body, "request": "r-77", "version": 3}

        return answer


@options.named("link.answers-201")
def _():
    @replace(Backend, "link")
    def make(original):
        return lambda self, request: (201, original(self, request)[1])


@options.named("session.answers-403")
def _():
    @replace(Backend, "external_id")
    def make(original):
        def external_id(self, request):
            try:
                return original(self, request)
            except Problem as problem:
                raise Problem(403, problem.error) from None

        return external_id


@options.named("failure.always-500")
def _():
    @replace(Backend, "platform_failed")
    def make(original):
        return lambda self, request, error: (500, original(self, request, error)[1])


@options.named("naming.refused")
def _():
    """Refuses a request in which the client names a user."""

    @replace(Backend, "external_id")
    def make(original):
        def external_id(self, request):
            external_id = original(self, request)
            if "user_id" in request.query or "X-User-Id" in request.headers or "external_id" in request.body:
                raise Problem(400, "the session says who the user is")
            return external_id

        return external_id
