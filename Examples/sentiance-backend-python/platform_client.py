"""The calls of a backend to the Sentiance platform. No other module uses the API key."""
import http.client
import json
import ssl
import threading
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

ATTEMPT_LIMIT = 8  # seconds until the backend gives up an unanswered request
ANSWER_LIMIT = 1 << 20  # bytes; known answers are shorter


class PlatformError(Exception):
    """The call failed, or its result is unknown."""


class Refused(PlatformError):
    """The platform has refused the request."""

    def __init__(self, status, code=None, ref=None, retry_after=None):
        super().__init__(f"HTTP {status}, {code or 'no error code'}, ref {ref or 'none'}")
        self.status, self.code, self.retry_after = status, code, retry_after

    @property
    def is_temporary(self):
        return self.status >= 500 or self.status == 429

    @property
    def is_about_the_install(self):
        return self.status in (403, 404) and self.code is not None and self.code.startswith(("INSTALL_", "CANNOT_LINK_"))


class Unreachable(PlatformError):
    """No complete answer arrived in time."""


class BadAnswer(PlatformError):
    """An answer with a success status and an invalid body."""


@dataclass
class AuthenticationCode:
    code: str
    expires_at: str | None


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def document(self):
        try:
            value = json.loads(self.body)
        except ValueError:
            raise BadAnswer("the body is not JSON") from None
        if not isinstance(value, dict):
            raise BadAnswer("the body is not an object")
        return value

    def refusal(self):
        try:
            said = self.document()
        except BadAnswer:
            said = {}
        code, ref = said.get("errorCode"), said.get("ref")
        return Refused(
            self.status, code if isinstance(code, str) else None, ref if isinstance(ref, str) else None,
            self.headers.get("Retry-After"))


class PlatformClient:
    def __init__(self, base_url, api_key, delete_key=None):
        self.base_url = base_url.rstrip("/")
        self.address = urlsplit(self.base_url)
        self.api_key, self.delete_key = api_key, delete_key

    # -- the calls

    def link(self, install_id, external_id):
        """Links an install to a user of the backend. Returns the id of the Sentiance user."""
        path = f"/v2/users/{self.segment(install_id)}/link"
        return self.user_id(self.call("POST", path, self.api_key, self.naming(external_id)))

    def authentication_code(self, external_id):
        """Returns a code. With the code, an app creates or restores the Sentiance user of this user."""
        return self.read_code(self.call("POST", "/users/auth-code", self.api_key, self.naming(external_id)))

    def delete_user(self, user_id):
        self.call("DELETE", f"/users/{self.segment(user_id)}", self.delete_key)

    # -- the parts of requests and answers

    def naming(self, external_id):
        return {"external_id": external_id}

    def segment(self, text):
        """The text as one segment of a path, with any characters encoded."""
        return quote(text, safe="")

    def user_id(self, answer):
        """The id of the user. Older answers call it `person_id`."""
        document = answer.document()
        user_id = document.get("id", document.get("person_id"))
        if not isinstance(user_id, str) or not user_id:
            raise BadAnswer("the answer names no user")
        return user_id

    def read_code(self, answer):
        document = answer.document()
        code, expires_at = document.get("authentication_code"), document.get("expires_at")
        if not isinstance(code, str) or not code:
            raise BadAnswer("the answer has no code")
        return AuthenticationCode(code, expires_at if isinstance(expires_at, str) else None)

    # -- requests

    def call(self, method, path, key, body=None):
        """Makes one attempt. The app can repeat its request itself."""
        return self.attempt(method, path, key, body)

    def attempt(self, method, path, key, body):
        answer = self.send(method, self.target(path), self.headers(key, body), self.encode(body))
        if not self.is_success(answer):
            raise answer.refusal()
        return answer

    def is_success(self, answer):
        return answer.status == 200

    def target(self, path):
        return self.address.path + path

    def encode(self, body):
        return None if body is None else json.dumps(body).encode()

    def headers(self, key, body):
        fields = {"Authorization": "Bearer " + key, "Accept": "application/json"}
        if body is not None:
            fields["Content-Type"] = "application/json"
        return fields

    def send(self, method, target, headers, data):
        """Sends one request on a new connection. Redirects are not followed, since only one host may get the key."""
        connection = self.connect()
        expired = threading.Timer(self.attempt_limit(), self.abort, [connection])
        expired.daemon = True
        expired.start()
        try:
            connection.request(method, target, data, headers)
            response = connection.getresponse()
            body = response.read(ANSWER_LIMIT)
            if response.length:
                raise Unreachable("the answer is too long")
            return Answer(response.status, response.headers, body)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(type(error).__name__) from None
        finally:
            expired.cancel()
            connection.close()

    def attempt_limit(self):
        return ATTEMPT_LIMIT

    def connect(self):
        """Makes a connection. If the certificate is not trusted, the request fails before it is sent."""
        limit = self.attempt_limit()
        if self.address.scheme == "https":
            trust = ssl.create_default_context()
            return http.client.HTTPSConnection(self.address.hostname, self.address.port, timeout=limit, context=trust)
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=limit)

    def abort(self, connection):
        """Ends a request. A socket's time limit applies to each piece of the answer; this limit applies to the whole answer."""
        if connection.sock is not None:
            try:
                connection.sock.shutdown(2)
            except OSError:
                pass
