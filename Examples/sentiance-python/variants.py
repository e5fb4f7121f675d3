"""Other choices where the documents leave the behaviour open. All options are legal; `defects.yaml` gives the reasons."""
import asyncio
import http.client
import json
import os
import select
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import sentiance.sdk as sdk_module
from patching import Changes, constant, replace
from sentiance.answers import moment
from sentiance.errors import Reason, SentianceError
from sentiance.platform import PlatformApi, Refused
from sentiance.sdk import Sentiance
from sentiance.transport import NoConnection, Transport
from threaded_http import abort

options = Changes()
choose = options.make


# -- repeated requests


def retrying(pauses):
    """Repeats a creation after a failure of the network or the platform, but not after a refusal."""

    @replace(PlatformApi, "create")
    def make(original):
        async def create(self, base, body):
            for pause in pauses:
                try:
                    return await original(self, base, body)
                except NoConnection:
                    pass
                except Refused as refused:
                    if not refused.is_temporary:
                        raise
                await asyncio.sleep(pause)
            return await original(self, base, body)

        return create


@options.named("retry.backoff")
def _():
    retrying((1, 2))


@options.named("retry.once")
def _():
    retrying((0.5,))


@options.named("confirm.repeated")
def _():
    @replace(PlatformApi, "person")
    def make(original):
        async def person(self, base, token):
            try:
                return await original(self, base, token)
            except NoConnection:
                await asyncio.sleep(1)
                return await original(self, base, token)

        return person


# -- the form of requests


@options.named("headers.reversed")
def _():
    @replace(PlatformApi, "headers")
    def make(original):
        return lambda self, token, has_body: dict(reversed(original(self, token, has_body).items()))


@options.named("headers.lower-case")
def _():
    @replace(PlatformApi, "headers")
    def make(original):
        return lambda self, token, has_body: {n.lower(): v for n, v in original(self, token, has_body).items()}


@options.named("headers.charset")
def _():
    @replace(PlatformApi, "headers")
    def make(original):
        def headers(self, token, has_body):
            fields = original(self, token, has_body)
            if has_body:
                fields["Content-Type"] = "application/json; charset=utf-8"
            return fields

        return headers


@options.named("headers.request-id")
def _():
    @replace(PlatformApi, "headers")
    def make(original):
        return lambda self, *of: {**original(self, *of), "X-Request-Id": str(uuid.uuid4()), "Accept-Language": "en-GB"}


@options.named("body.members-sorted")
def _():
    @replace(PlatformApi, "send")
    def make(original):
        def send(self, method, url, headers, data):
            if data is not None:
                data = json.dumps(json.loads(data), sort_keys=True, indent=1).encode()
            return original(self, method, url, headers, data)

        return send


@options.named("body.more-about-the-device")
def _():
    @replace(Sentiance, "creation_body")
    def make(original):
        def creation_body(self, creation, attempt):
            body = original(self, creation, attempt)
            more = {"manufacturer": "Example", "locale": "en_GB", "timezone": "Europe/Brussels"}
            return {**body, "device": {**body["device"], **more}}

        return creation_body


@options.named("attempt.short-id")
def _():
    Sentiance.new_attempt_id = lambda self: os.urandom(12).hex()


# -- connections


class KeptConnections:
    """One open connection for each host. A second request at the same time gets a new connection."""

    def __init__(self):
        self.free, self.lock = {}, threading.Lock()

    def take(self, make, host, port, limit):
        with self.lock:
            kept = self.free.pop((make, host, port), None)
        if kept is not None and select.select([kept.sock], [], [], 0)[0]:
            kept.close()  # the server has closed it meanwhile
            kept = None
        return kept or make(host, port, timeout=limit)

    def give_back(self, make, host, port, connection):
        with self.lock:
            self.free[make, host, port] = connection


@options.named("connection.keep-alive")
def _():
    kept = KeptConnections()

    def request(connection, method, parts, headers, body):
        """Returns the answer, and whether the connection can be used again."""
        try:
            connection.request(method, parts.path or "/", body, headers)
            response = connection.getresponse()
            answer = response.status, {n.lower(): v for n, v in response.getheaders()}, response.read()
        except Exception as error:
            connection.close()
            raise NoConnection(type(error).__name__) from None
        if response.will_close:
            connection.close()
        return answer, not response.will_close

    async def send(self, method, url, headers, body):
        parts = urlsplit(url)
        make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        where = make, parts.hostname, parts.port
        connection = kept.take(*where, self.limit * 4)
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def settle(setter, value):
            if not done.done():
                getattr(done, setter)(value)

        def work():
            try:
                outcome = "set_result", request(connection, method, parts, headers, body)
            except NoConnection as error:
                outcome = "set_exception", error
            try:
                loop.call_soon_threadsafe(settle, *outcome)
            except RuntimeError:
                pass  # the loop is closed, and no task waits for the result

        threading.Thread(target=work, daemon=True).start()
        is_free = False
        try:
            async with asyncio.timeout(self.limit):
                answer, is_free = await done
                return answer
        except TimeoutError:
            raise NoConnection(f"no answer within {self.limit} s") from None
        finally:
            if is_free:
                kept.give_back(*where, connection)
            else:
                abort(connection)  # otherwise its answer could be read as the answer to the next request

    Transport.send = send


@options.named("connection.close")
def _():
    @replace(PlatformApi, "headers")
    def make(original):
        return lambda self, token, has_body: {**original(self, token, has_body), "Connection": "close"}


@options.named("connection.chunked")
def _():
    @replace(PlatformApi, "send")
    def make(original):
        def send(self, method, url, headers, data):
            return original(self, method, url, headers, data and iter([data[:7], data[7:]]))

        return send


@options.named("requests.unhurried")
def _():
    @replace(PlatformApi, "send")
    def make(original):
        async def send(self, *request):
            await asyncio.sleep(0.4)
            return await original(self, *request)

        return send


@options.named("limit.ten-seconds")
def _():
    Transport.limit = 10


@options.named("limit.thirty-five-seconds")
def _():
    Transport.limit = 35


# -- linkers


@options.named("linker.thread-pool")
def _():
    """Linkers run on a pool of threads."""
    pool = ThreadPoolExecutor(8)

    @replace(Sentiance, "run_linker")
    def make(original):
        return lambda self, work: original(self, lambda: pool.submit(work).result())


@options.named("linker.half-a-minute")
def _():
    Sentiance.linker_limit = constant(30)


@options.named("linker.no-limit")
def _():
    Sentiance.linker_limit = constant(None)


@options.named("install.kept")
def _():
    """After a linker has failed, the next creation uses the existing install."""

    @replace(Sentiance, "is_final")
    def make(original):
        return lambda self, error: error.reason != Reason.APP_SIDE_LINKING_FAILED and original(self, error)


# -- results and reasons


@options.named("arguments.by-completion")
def _():
    """Invalid arguments are reported to the completion, not raised."""

    @replace(Sentiance, "create_user")
    def make(original):
        def create_user(self, options, completion):
            try:
                original(self, options, completion)
            except SentianceError as error:
                if error.reason != Reason.INVALID_ARGUMENT:
                    raise
                self.complete(completion, error=SentianceError(Reason.UNEXPECTED_ERROR, error.details))

        return create_user


@options.named("refusal.unexpected-error")
def _():
    @replace(Sentiance, "refusal_reason")
    def make(original):
        def refusal_reason(self, refused):
            reason = original(self, refused)
            if reason == Reason.SERVER_ERROR and not refused.is_temporary and refused.status < 500:
                return Reason.UNEXPECTED_ERROR
            return reason

        return refusal_reason


@options.named("answer.unexpected-error")
def _():
    @replace(Sentiance, "ask")
    def make(original):
        async def ask(self, request):
            try:
                return await original(self, request)
            except SentianceError as error:
                if isinstance(error.__cause__, sdk_module.BadAnswer):
                    raise SentianceError(Reason.UNEXPECTED_ERROR, error.details) from error.__cause__
                raise

        return ask


@options.named("passive.refused")
def _():
    """The creation fails on a tablet that does not become the active device."""

    @replace(Sentiance, "settle_creation")
    def make(original):
        def settle_creation(self, creation, created, user_id, linked, configuration):
            if not configuration.active and "creation" in self.running:
                raise SentianceError(Reason.SERVER_ERROR, "another device is active")
            return original(self, creation, created, user_id, linked, configuration)

        return settle_creation


# -- the time of actions


@options.named("token.renewed-early")
def _():
    sdk_module.Token.is_valid = lambda self, now: now < moment(self.expires_at) - 60


@options.named("config.after-creation")
def _():
    @replace(Sentiance, "settle_creation")
    def make(original):
        def settle_creation(self, *of):
            info = original(self, *of)
            self.spawn(self.refresh())
            return info

        return settle_creation


@options.named("reset.announced-later")
def _():
    """The reset ends when the user is removed. It is reported to the platform afterwards."""

    @replace(Sentiance, "announce_reset")
    def make(original):
        async def announce_reset(self, leaving):
            self.spawn(original(self, leaving))

        return announce_reset


@options.named("init.again-while-creating")
def _():
    @replace(Sentiance, "initialize")
    def make(original):
        def initialize(self):
            if not ("creation" in self.running and self.init_phase == "INITIALIZED"):
                original(self)

        return initialize


@options.named("completion.next-turn")
def _():
    @replace(Sentiance, "complete")
    def make(original):
        def complete(self, *of, **named):
            asyncio.get_running_loop().call_later(0.05, lambda: original(self, *of, **named))

        return complete


# -- other messages on the wire


PATHS = {
    "/sdk/users/link": "/device/v9/accounts/links", "/sdk/users": "/device/v9/accounts", "/sdk/person": "/device/v9/me",
    "/sdk/config": "/device/v9/settings", "/sdk/tokens": "/device/v9/sessions", "/sdk/reset": "/device/v9/farewell",
}
MEMBERS = {
    "authentication_code": "authCode", "install_id": "installId", "user_id": "userId", "expires_at": "validUntil",
    "app_id": "appId", "third_party_linked": "isLinked", "form_factor": "formFactor", "attempt_id": "attemptId",
    "bundle_id": "bundleId", "killswitch_action": "killSwitch", "errorCode": "code",
}


def renamed(value, names):
    if isinstance(value, dict):
        return {names.get(name, name): renamed(member, names) for name, member in value.items()}
    return [renamed(each, names) for each in value] if isinstance(value, list) else value


def in_other_words(data, names):
    try:
        return json.dumps(renamed(json.loads(data), names)).encode()
    except ValueError:
        return data  # an invalid body stays unchanged


@options.named("wire.other")
def _():
    """Sends requests in the form of the exchanges in the folder `wire`. Run with `--wire`."""
    known = {other: own for own, other in MEMBERS.items()}

    @replace(PlatformApi, "send")
    def make(original):
        async def send(self, method, url, headers, data):
            own = next(path for path in PATHS if url.endswith(path))
            url = url.removesuffix(own) + PATHS[own]
            token = headers.get("Authorization")
            if token is not None:
                headers = {name: value for name, value in headers.items() if name != "Authorization"}
                headers["X-User-Token"] = token.removeprefix("Bearer ")
            data = None if data is None else in_other_words(data, MEMBERS)
            status, fields, body = await original(self, method, url, headers, data)
            return status, fields, in_other_words(body, known)

        return send
