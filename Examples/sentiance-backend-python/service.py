"""The requests that an app can send to its backend, and the HTTP server."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from accounts import Sessions
from platform_client import PlatformClient, PlatformError, Refused, Unreachable

BODY_LIMIT = 1 << 16  # bytes


class Problem(Exception):
    """An error answer for the app. It contains no text of the platform."""

    def __init__(self, status, error):
        super().__init__(error)
        self.status, self.error = status, error


class Request:
    """A request of an app. `body` is the parsed JSON. It is parsed only after the session is known."""

    def __init__(self, method, target, headers, data):
        parts = urlsplit(target)
        self.method, self.path = method, parts.path
        self.query, self.headers, self.data = parse_qs(parts.query), headers, data

    @property
    def body(self):
        try:
            value = json.loads(self.data) if self.data else {}
        except ValueError:
            raise Problem(400, "the body is not JSON") from None
        if not isinstance(value, dict):
            raise Problem(400, "the body is not an object")
        return value


class Backend:
    def __init__(self, environment, links):
        self.sessions, self.links = Sessions(environment.get("SESSIONS", "")), links
        self.app_id, self.secret = environment.get("SENTIANCE_APP_ID"), environment.get("SENTIANCE_APP_SECRET")
        self.platform = PlatformClient(
            environment["SENTIANCE_BASE_URL"], environment["SENTIANCE_API_KEY"], environment.get("SENTIANCE_DELETE_KEY"))
        self.routes = {
            ("GET", "/health"): self.health,
            ("POST", "/sentiance/link"): self.link,
            ("POST", "/sentiance/auth-code"): self.authentication_code,
            ("GET", "/sentiance/config"): self.config,
            ("GET", "/sentiance/user"): self.user,
            ("DELETE", "/sentiance/user"): self.delete_user,
        }

    def answer(self, request):
        """The status and the body of the answer to the app."""
        route = self.routes.get((request.method, request.path))
        if route is None:
            return 404, {"error": "there is no such place"}
        try:
            return route(request)
        except Problem as problem:
            return problem.status, {"error": problem.error}
        except PlatformError as error:
            return self.platform_failed(request, error)

    # -- the routes

    def health(self, request):
        return 200, {"healthy": True}

    def link(self, request):
        """Links an install. Only after the platform reports success, stores the link and reports success to the app."""
        external_id = self.external_id(request)
        install_id = self.install_id(request)
        sentiance_id = self.platform.link(install_id, external_id)
        self.links.keep(external_id, install_id, sentiance_id)
        return 200, {"linked": True, "id": sentiance_id}

    def authentication_code(self, request):
        """Requests a new code each time, because a code is valid for minutes and permits the same as a login."""
        issued = self.platform.authentication_code(self.external_id(request))
        return 200, {
            "auth_code": issued.code, "expires_at": issued.expires_at, "platform_url": self.platform.base_url,
        }

    def config(self, request):
        self.external_id(request)
        if not self.app_id or not self.secret:
            raise Problem(404, "this app has a code instead")
        return 200, {"id": self.app_id, "secret": self.secret}

    def user(self, request):
        link = self.links.of(self.external_id(request))
        if link is None:
            return 200, {"linked": False, "id": None, "install_id": None, "former_install_ids": []}
        return 200, {
            "linked": True, "id": link.sentiance_id, "install_id": link.installs[0],
            "former_install_ids": link.installs[1:],
        }

    def delete_user(self, request):
        external_id = self.external_id(request)
        if not self.platform.delete_key:
            raise Problem(404, "nobody is deleted here")
        link = self.links.of(external_id)
        if link is None:
            raise Problem(404, "the user has no Sentiance user")
        try:
            self.platform.delete_user(link.sentiance_id)
        except Refused as error:
            if error.status != 404:  # after a 404, the user is deleted already
                raise
        self.links.forget(external_id)
        return 200, {"deleted": True}

    # -- data in the app's request

    def external_id(self, request):
        """The user of the request. Only the session identifies the user; other claims of a client are ignored."""
        external_id = self.sessions.external_id(self.session(request))
        if external_id is None:
            raise Problem(401, "there is no such session")
        return external_id

    def session(self, request):
        scheme, _, session = (request.headers.get("Authorization") or "").partition(" ")
        return session.strip() if scheme.lower() == "bearer" else None

    def install_id(self, request):
        """The install id: any text except `.` and `..`, which would change the path of a URL."""
        install_id = request.body.get("install_id")
        if not isinstance(install_id, str) or not install_id.strip() or install_id in (".", ".."):
            raise Problem(400, "the install id is missing")
        try:
            install_id.encode()
        except UnicodeEncodeError:
            raise Problem(400, "the install id is not a text") from None
        return install_id

    # -- answers to the app after a failed call of the platform

    def platform_failed(self, request, error):
        """Logs the details. A refused key is a mistake of the backend, so the answer must not make the app log in again."""
        self.log(f"{request.method} {request.path}: {error}")
        if isinstance(error, Refused) and error.is_about_the_install:
            return 409, {"error": "this install cannot be linked"}
        if isinstance(error, Refused) and error.is_temporary:
            return 503, {"error": "try again later"}
        if isinstance(error, Unreachable):
            return 504, {"error": "try again later"}
        return 502, {"error": "Sentiance cannot be asked"}

    def log(self, line):
        print(line, file=sys.stderr, flush=True)


class Handler(BaseHTTPRequestHandler):
    """The HTTP server of the backend."""

    protocol_version = "HTTP/1.1"
    timeout = 30  # seconds that a client may take to send the next bytes
    backend = None

    def serve(self):
        data = self.read_body()
        if data is None:
            self.close_connection = True
            self.reply(413, {"error": "the body is too long"})
            return
        self.reply(*self.answer(Request(self.command, self.path, self.headers, data)))

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = serve

    def answer(self, request):
        try:
            return self.backend.answer(request)
        except Exception as error:  # the app must get an answer without secrets or a stack trace
            self.backend.log(f"{request.method} {request.path}: {type(error).__name__}")
            return 500, {"error": "something went wrong"}

    def read_body(self):
        try:
            length = int(self.headers.get("Content-Length") or 0)
        except ValueError:
            length = -1
        return self.rfile.read(length) if 0 <= length <= BODY_LIMIT else None

    def reply(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        for name, value in self.fields(status, text):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def fields(self, status, text):
        fields = [
            ("Content-Type", "application/json"), ("Content-Length", str(len(text))), ("Cache-Control", "no-store"),
        ]
        return fields + [("WWW-Authenticate", "Bearer")] if status == 401 else fields

    def log_message(self, *arguments):
        pass  # the code that detects a failure logs it


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
