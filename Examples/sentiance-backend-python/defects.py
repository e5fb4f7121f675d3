"""Defects. Each violates a requirement, which `defects.yaml` names. Authors of backends make such mistakes: a status
that is passed on, a cache without a key, an id that a client may choose, a path that is joined as text."""
import json
import os
import ssl
import threading
import time
import types
from urllib.parse import quote, quote_plus, urlencode, urlsplit

import platform_client
from accounts import Links, Sessions
from patching import Changes, constant, replace
from platform_client import Answer, AuthenticationCode, BadAnswer, PlatformClient, Refused, Unreachable
from service import Backend, Handler, Problem

defects = Changes()
inject = defects.make
defect = defects.named

NOWHERE = "https://api.sentiance.invalid"  # never the real host
PUBLIC = "https://api.sentiance.com"


def patch_call(change):
    """Replaces calls of the platform by `change(client, original, method, path, key, body)`."""

    @replace(PlatformClient, "call")
    def make(original):
        return lambda self, method, path, key, body=None: change(
            self, lambda *of: original(self, *of), method, path, key, body)


def patch_headers(change):
    @replace(PlatformClient, "headers")
    def make(original):
        return lambda self, key, body: change(self, original(self, key, body))


def patch_route(name, change):
    """Replaces the answer of a route by `change(backend, original, request)`."""

    @replace(Backend, name)
    def make(original):
        return lambda self, request: change(self, lambda: original(self, request), request)


def patch_external_id(change):
    """Changes the user of each route: `change(request, external_id)` returns the user's external id."""

    @replace(Backend, "external_id")
    def make(original):
        return lambda self, request: change(request, original(self, request))


# -- the request for a link


@defect("link.sent-twice")
def _():
    def change(client, call, method, path, *rest):
        if path.endswith("/link"):
            call(method, path, *rest)
        return call(method, path, *rest)

    patch_call(change)


@defect("link.without-version")
def _():
    patch_call(lambda client, call, method, path, *rest: call(method, path.replace("/v2/", "/"), *rest))


@defect("link.version-one")
def _():
    patch_call(lambda client, call, method, path, *rest: call(method, path.replace("/v2/", "/v1/"), *rest))


@defect("link.by-put")
def _():
    patch_call(lambda client, call, method, path, *rest: call("PUT" if path.endswith("/link") else method, path, *rest))


@defect("link.ids-exchanged")
def _():
    @replace(PlatformClient, "link")
    def make(original):
        return lambda self, install_id, external_id: original(self, external_id, install_id)


@defect("link.install-of-first-request")
def _():
    first = {}

    @replace(PlatformClient, "link")
    def make(original):
        return lambda self, install_id, external_id: original(self, first.setdefault(external_id, install_id), external_id)


@defect("link.crossed")
def _():
    """The backend stores the install of a request in a field that all requests share."""

    @replace(Backend, "install_id")
    def make(original):
        def install_id(self, request):
            self.latest = original(self, request)
            time.sleep(0.05)
            return self.latest

        return install_id


@defect("link.installs-read")
def _():
    @replace(PlatformClient, "link")
    def make(original):
        def link(self, *of):
            user_id = original(self, *of)
            try:
                self.call("GET", f"/v2/users/{user_id}/installs", self.api_key)
            except platform_client.PlatformError:
                pass  # the result is only for the log
            return user_id

        return link


@defect("link.platform-pinged")
def _():
    def change(client, call, method, path, *rest):
        try:
            call("GET", "/health", client.api_key)
        except platform_client.PlatformError:
            pass
        return call(method, path, *rest)

    patch_call(change)


# -- the key


def patch_authorization(value):
    patch_headers(lambda client, fields: {**fields, "Authorization": value(client, fields["Authorization"])})


@defect("key.without-scheme")
def _():
    patch_authorization(lambda client, value: value.removeprefix("Bearer "))


@defect("key.scheme-basic")
def _():
    patch_authorization(lambda client, value: "Basic " + value.removeprefix("Bearer "))


@defect("key.of-the-session")
def _():
    @replace(Backend, "session")
    def make(original):
        def session(self, request):
            self.platform.forwarded = request.headers.get("Authorization")
            return original(self, request)

        return session

    patch_authorization(lambda client, value: client.forwarded or value)


@defect("key.is-the-secret")
def _():
    @replace(Backend, "__init__")
    def make(original):
        def init(self, environment, links):
            original(self, environment, links)
            self.platform.api_key = self.secret

        return init


@defect("key.that-deletes")
def _():
    @replace(Backend, "__init__")
    def make(original):
        def init(self, environment, links):
            original(self, environment, links)
            self.platform.api_key = self.platform.delete_key or self.platform.api_key

        return init


@defect("key.in-header-of-its-own")
def _():
    patch_headers(lambda client, fields: {
        **{name: value for name, value in fields.items() if name != "Authorization"}, "X-Api-Key": client.api_key})


@defect("key.in-query")
def _():
    @replace(PlatformClient, "target")
    def make(original):
        return lambda self, path: original(self, path) + "?api_key=" + quote(self.api_key)


@defect("key.in-error")
def _():
    @replace(Backend, "platform_failed")
    def make(original):
        def platform_failed(self, request, error):
            status, body = original(self, request, error)
            return status, {**body, "request": {"headers": self.platform.headers(self.platform.api_key, {})}}

        return platform_failed


@defect("key.in-stack-trace")
def _():
    @replace(PlatformClient, "read_code")
    def make(original):
        def read_code(self, answer):
            try:
                return original(self, answer)
            except BadAnswer as error:
                raise Problem(500, f"{error!r} in call(key={self.api_key!r})") from None

        return read_code


@defect("key.in-answer-header")
def _():
    @replace(Handler, "fields")
    def make(original):
        return lambda self, *of: [*original(self, *of), ("X-Upstream-Authorization", "Bearer " + self.backend.platform.api_key)]


@defect("key.in-config")
def _():
    def change(backend, original, request):
        status, body = original()
        return status, {**body, "user_link_api_key": backend.platform.api_key}

    patch_route("config", change)


@defect("key.in-user")
def _():
    def change(backend, original, request):
        status, body = original()
        return status, {**body, "client": {"key": backend.platform.api_key}}

    patch_route("user", change)


@defect("key.given-with-code")
def _():
    def change(backend, original, request):
        status, body = original()
        return status, {**body, "api_key": backend.platform.api_key}

    patch_route("authentication_code", change)


@defect("key.in-log")
def _():
    @replace(PlatformClient, "send")
    def make(original):
        def send(self, method, target, headers, data):
            Backend.log(self, f"{method} {target} {headers}")
            return original(self, method, target, headers, data)

        return send


# -- the body


@defect("body.no-content-type")
def _():
    patch_headers(lambda client, fields: {name: value for name, value in fields.items() if name != "Content-Type"})


@defect("body.type-is-text")
def _():
    patch_headers(lambda client, fields: {**fields, "Content-Type": "text/plain"})


@defect("body.is-a-form")
def _():
    PlatformClient.encode = lambda self, body: None if body is None else urlencode(body).encode()
    patch_headers(lambda client, fields: {**fields, "Content-Type": "application/x-www-form-urlencoded"})


def patch_naming(naming):
    PlatformClient.naming = lambda self, external_id: naming(external_id)


@defect("body.id-is-a-number")
def _():
    patch_naming(lambda id: {"external_id": int("".join(filter(str.isdigit, id)) or "0")})


@defect("body.id-in-a-list")
def _():
    patch_naming(lambda id: {"external_id": [id]})


@defect("body.camel-case")
def _():
    patch_naming(lambda id: {"externalId": id})


@defect("body.wrapped")
def _():
    patch_naming(lambda id: {"data": {"external_id": id}})


@defect("body.more-members")
def _():
    patch_naming(lambda id: {"external_id": id, "source": "app", "email": None})


@defect("body.encoded-twice")
def _():
    PlatformClient.encode = lambda self, body: None if body is None else json.dumps(json.dumps(body)).encode()


# -- the user of a request


def anybody(method):
    """A request without a session is treated as a request of the first user."""

    @replace(Backend, method)
    def make(original):
        def route(self, request):
            if self.sessions.external_id(self.session(request)) is None:
                first = next(iter(self.sessions.users))
                del request.headers["Authorization"]
                request.headers["Authorization"] = "Bearer " + first
            return original(self, request)

        return route


@defect("session.not-needed-for-link")
def _():
    anybody("link")


@defect("session.not-needed-for-code")
def _():
    anybody("authentication_code")


@defect("session.not-needed-for-config")
def _():
    patch_route("config", lambda backend, original, request: (200, {"id": backend.app_id, "secret": backend.secret}))


@defect("session.any-is-good")
def _():
    @replace(Sessions, "external_id")
    def make(original):
        return lambda self, session: original(self, session) or session


@defect("session.looked-at-last")
def _():
    """The backend calls the platform before it checks the session, and ignores the answer."""
    for method in ("link", "authentication_code"):
        @replace(Backend, method)
        def make(original, method=method):
            def route(self, request):
                if self.sessions.external_id(self.session(request)) is None:
                    if method == "link":
                        self.platform.link(self.install_id(request), "nobody")
                    else:
                        self.platform.authentication_code("nobody")
                return original(self, request)

            return route


@defect("session.prefix-is-enough")
def _():
    @replace(Sessions, "external_id")
    def make(original):
        def external_id(self, session):
            known = next((each for each in self.users if session and session[:3] == each[:3]), session)
            return original(self, known)

        return external_id


@defect("user.of-the-body")
def _():
    patch_external_id(lambda request, id: request.body.get("external_id") or id)


@defect("user.of-the-query")
def _():
    patch_external_id(lambda request, id: (request.query.get("user_id") or [id])[0])


@defect("user.of-a-header")
def _():
    patch_external_id(lambda request, id: request.headers.get("X-User-Id") or id)


@defect("user.is-the-session")
def _():
    @replace(Backend, "external_id")
    def make(original):
        def external_id(self, request):
            original(self, request)
            return self.session(request)

        return external_id


@defect("user.one-for-all")
def _():
    patch_external_id(lambda request, id: "customer")


@defect("user.constant-for-code")
def _():
    patch_user_of_code(lambda id: "customer-1")


@defect("user.hashed-for-code")
def _():
    patch_user_of_code(lambda id: f"user:{id}")


def patch_user_of_code(change):
    @replace(PlatformClient, "authentication_code")
    def make(original):
        return lambda self, external_id: original(self, change(external_id))


@defect("user.capital")
def _():
    @replace(PlatformClient, "link")
    def make(original):
        return lambda self, install_id, external_id: original(self, install_id, external_id.capitalize())


@defect("user.new-each-time")
def _():
    numbers = iter(range(1 << 30))
    patch_external_id(lambda request, id: f"{id}-{next(numbers)}")


# -- answers to the app


@defect("told.before-the-answer")
def _():
    def change(backend, original, request):
        backend.install_id(request), backend.external_id(request)
        threading.Thread(target=quietly(original), daemon=True).start()
        return 200, {"linked": True}

    patch_route("link", change)


def quietly(work):
    def run():
        try:
            work()
        except platform_client.PlatformError:
            pass

    return run


def told_as_success(route, errors, body):
    def change(backend, original, request):
        try:
            return original()
        except errors as error:
            backend.log(str(error))
            return 200, body

    patch_route(route, change)


@defect("told.refusal-is-success")
def _():
    told_as_success("link", Refused, {"linked": False})


@defect("told.unreachable-is-success")
def _():
    told_as_success("link", Unreachable, {"linked": True})


@defect("told.not-found-is-success")
def _():
    def change(backend, original, request):
        try:
            return original()
        except Refused as error:
            if error.status != 404:
                raise
            return 200, {"linked": False, "reason": "gone"}

    patch_route("link", change)


@defect("told.server-error-is-success")
def _():
    def change(backend, original, request):
        try:
            return original()
        except Refused as error:
            if error.status < 500:
                raise
            return 202, {"linked": "later"}

    patch_route("link", change)


@defect("told.no-user-is-success")
def _():
    PlatformClient.user_id = lambda self, answer: "unknown"


@defect("told.redirect-is-success")
def _():
    PlatformClient.is_success = lambda self, answer: answer.status < 400

    @replace(PlatformClient, "user_id")
    def make(original):
        return lambda self, answer: original(self, answer) if answer.status == 200 else ""


@defect("told.status-of-the-platform")
def _():
    @replace(Backend, "platform_failed")
    def make(original):
        def platform_failed(self, request, error):
            status, body = original(self, request, error)
            return (error.status if isinstance(error, Refused) else status), body

        return platform_failed


@defect("told.nothing")
def _():
    """The exception of a failed call ends the thread, and the app gets no answer."""

    @replace(Backend, "platform_failed")
    def make(original):
        def platform_failed(self, request, error):
            time.sleep(3600)

        return platform_failed


@defect("wait.unlimited")
def _():
    PlatformClient.attempt_limit = constant(3600)


# -- the install id


@defect("path.not-encoded")
def _():
    PlatformClient.segment = lambda self, text: text.replace(" ", "%20")


@defect("path.slash-kept")
def _():
    PlatformClient.segment = lambda self, text: quote(text)


@defect("path.encoded-twice")
def _():
    PlatformClient.segment = lambda self, text: quote(quote(text, safe=""), safe="")


@defect("path.plus-for-space")
def _():
    PlatformClient.segment = lambda self, text: quote_plus(text, safe="")


@defect("path.dots-followed")
def _():
    @replace(Backend, "install_id")
    def make(original):
        def install_id(self, request):
            given = request.body.get("install_id")
            return given if given in (".", "..") else original(self, request)

        return install_id


@defect("install.cut")
def _():
    @replace(Backend, "install_id")
    def make(original):
        return lambda self, request: original(self, request)[:24]


@defect("install.empty-sent")
def _():
    Backend.install_id = lambda self, request: request.body.get("install_id") or ""


@defect("install.undefined-sent")
def _():
    Backend.install_id = lambda self, request: str(request.body.get("install_id") or "undefined")


@defect("install.refused-for-ever")
def _():
    """If an install of a user was refused once, the backend never links this user again."""
    refused = set()

    @replace(PlatformClient, "link")
    def make(original):
        def link(self, install_id, external_id):
            if external_id in refused:
                raise BadAnswer("it failed before")
            try:
                return original(self, install_id, external_id)
            except Refused:
                refused.add(external_id)
                raise

        return link


@defect("install.stored-first")
def _():
    """A stored install counts as linked, and it is stored before the platform is called."""

    def change(backend, original, request):
        external_id, install_id = backend.external_id(request), backend.install_id(request)
        link = backend.links.of(external_id)
        if link is not None and install_id in link.installs:
            return 200, {"linked": True, "id": link.sentiance_id}
        backend.links.keep(external_id, install_id, link.sentiance_id if link else "")
        return original()

    patch_route("link", change)


@defect("install.not-stored")
def _():
    Links.keep = constant(None)


@defect("install.stored-for-the-last-user")
def _():
    @replace(Links, "of")
    def make(original):
        return lambda self, external_id: original(self, getattr(self, "last", external_id))

    @replace(Links, "keep")
    def make_keep(original):
        def keep(self, external_id, *of):
            self.last = external_id
            original(self, external_id, *of)

        return keep


# -- codes


@defect("code.with-version")
def _():
    patch_call(lambda client, call, method, path, *rest: call(
        method, "/v2" + path if path == "/users/auth-code" else path, *rest))


@defect("code.by-get")
def _():
    patch_call(lambda client, call, method, path, *rest: call(
        "GET" if path == "/users/auth-code" else method, path, *rest))


def patch_code(change):
    @replace(PlatformClient, "read_code")
    def make(original):
        def read_code(self, answer):
            issued = original(self, answer)
            return AuthenticationCode(change(issued.code), issued.expires_at)

        return read_code


@defect("code.in-capitals")
def _():
    patch_code(str.upper)


@defect("code.cut")
def _():
    patch_code(lambda code: code[:64])


@defect("code.encoded")
def _():
    patch_code(lambda code: quote(code, safe=""))


@defect("code.with-scheme")
def _():
    patch_code(lambda code: "Bearer " + code)


@defect("code.cached")
def _():
    cache_codes(lambda external_id: external_id)


@defect("code.cached-without-user")
def _():
    cache_codes(lambda external_id: None)


def cache_codes(key):
    cache = {}

    @replace(PlatformClient, "authentication_code")
    def make(original):
        def authentication_code(self, external_id):
            if key(external_id) not in cache:
                cache[key(external_id)] = original(self, external_id)
            return cache[key(external_id)]

        return authentication_code


@defect("code.crossed")
def _():
    """The backend stores the latest code in a field that all requests share."""

    @replace(PlatformClient, "authentication_code")
    def make(original):
        def authentication_code(self, external_id):
            self.latest = original(self, external_id)
            time.sleep(0.05)
            return self.latest

        return authentication_code


@defect("code.former-one-on-failure")
def _():
    former = {}

    @replace(PlatformClient, "authentication_code")
    def make(original):
        def authentication_code(self, external_id):
            try:
                former[external_id] = original(self, external_id)
            except platform_client.PlatformError:
                if external_id not in former:
                    raise
            return former[external_id]

        return authentication_code


@defect("code.failure-is-success")
def _():
    told_as_success("authentication_code", platform_client.PlatformError, {"auth_code": None})


@defect("code.made-up-on-failure")
def _():
    told_as_success("authentication_code", Unreachable, {"auth_code": "0" * 32})


def unchecked_code(change):
    def read_code(self, answer):
        document = answer.document()
        return AuthenticationCode(change(document.get("authentication_code")), document.get("expires_at"))

    PlatformClient.read_code = read_code


@defect("code.missing-is-fine")
def _():
    unchecked_code(lambda code: code)


@defect("code.number-is-text")
def _():
    unchecked_code(lambda code: raised(BadAnswer("no code")) if code in (None, "") else str(code))


def raised(error):
    raise error


# -- the platform's address, and repeated requests


@defect("address.public-one-told")
def _():
    def change(backend, original, request):
        status, body = original()
        return status, {**body, "platform_url": PUBLIC}

    patch_route("authentication_code", change)


@defect("address.ignored")
def _():
    @replace(PlatformClient, "__init__")
    def make(original):
        return lambda self, base_url, *keys: original(self, NOWHERE, *keys)


def retrying(times, pause, wanted):
    def change(client, call, *request):
        for _ in range(times):
            try:
                return call(*request)
            except Refused as refused:
                if not wanted(refused):
                    raise
            time.sleep(pause)
        return call(*request)

    patch_call(change)


@defect("retry.refusals-too")
def _():
    retrying(2, 0.2, lambda refused: refused.status in (403, 404))


@defect("retry.twelve-times")
def _():
    retrying(11, 0.1, lambda refused: refused.is_temporary)


@defect("retry.at-once")
def _():
    retrying(1, 0, lambda refused: refused.is_temporary)


@defect("answer.unknown-members-refused")
def _():
    known = {"id", "person_id", "authentication_code", "expires_at"}

    @replace(Answer, "document")
    def make(original):
        def document(self):
            value = original(self)
            if self.status == 200 and set(value) - known:
                raise BadAnswer("unknown members")
            return value

        return document


@defect("redirect.followed")
def _():
    @replace(PlatformClient, "send")
    def make(original):
        def send(self, method, target, headers, data):
            answer = original(self, method, target, headers, data)
            where = answer.headers.get("Location")
            if answer.status not in (301, 302, 307, 308) or not where:
                return answer
            other = types.SimpleNamespace(address=urlsplit(where), attempt_limit=self.attempt_limit, abort=self.abort)
            other.connect = lambda: PlatformClient.connect(other)
            return original(other, method, urlsplit(where).path, headers, data)

        return send


@defect("tls.anything-trusted")
def _():
    platform_client.ssl = types.SimpleNamespace(create_default_context=ssl._create_unverified_context)


# -- deletion and the process


@defect("delete.external-id")
def _():
    def change(backend, original, request):
        external_id = backend.external_id(request)
        backend.platform.delete_user(external_id)
        backend.links.forget(external_id)
        return 200, {"deleted": True}

    patch_route("delete_user", change)


@defect("delete.install-id")
def _():
    def change(backend, original, request):
        external_id = backend.external_id(request)
        link = backend.links.of(external_id)
        if link is None:
            raise Problem(404, "the user has no Sentiance user")
        backend.platform.delete_user(link.installs[0])
        return 200, {"deleted": True}

    patch_route("delete_user", change)


@defect("process.dies-after-answer")
def _():
    @replace(Handler, "serve")
    def make(original):
        def serve(self):
            original(self)
            if self.path != "/health":
                threading.Timer(0.05, os._exit, [70]).start()

        return serve

    for name in ("do_GET", "do_POST", "do_DELETE"):
        setattr(Handler, name, Handler.serve)


@defect("process.dies-of-bad-answer")
def _():
    @replace(Answer, "document")
    def make(original):
        def document(self):
            try:
                return original(self)
            except BadAnswer:
                os._exit(70)

        return document


@defect("process.answers-one-at-a-time")
def _():
    line = threading.Lock()

    @replace(Handler, "answer")
    def make(original):
        def answer(self, request):
            with line:
                return original(self, request)

        return answer


@defect("process.goes-on-after-answer")
def _():
    """After the answer to the app, the backend sends the link again."""

    def change(backend, original, request):
        answer = original()
        again = backend.install_id(request), backend.external_id(request)
        threading.Timer(0.3, quietly(lambda: backend.platform.link(*again))).start()
        return answer

    patch_route("link", change)


@defect("process.hangs")
def _():
    """The pool has one connection, which is never returned. So the second request to the platform waits for ever."""
    pool = threading.Semaphore(1)

    @replace(PlatformClient, "send")
    def make(original):
        def send(self, *of):
            pool.acquire()
            return original(self, *of)

        return send
