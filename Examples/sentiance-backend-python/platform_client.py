"""The calls that a backend makes of the Sentiance platform. The API key is used here, and is known nowhere else."""
import http.client
import json
import ssl
import threading
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

ATTEMPT_LIMIT = 8  # seconds until a request that is not answered is given up
ANSWER_LIMIT = 1 << 20  # bytes; what is longer is none of the answers that we know


class PlatformError(Exception):
    """The platform has not done what it was asked to, or nobody knows whether it has."""


class Refused(PlatformError):
    """The platform has answered, and it was no."""

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
    """Nothing whole came back in time."""


class BadAnswer(PlatformError):
    """A success whose body makes no sense."""


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
        """Links an install to a user of ours. Comes to the id of the Sentiance user."""
        path = f"/v2/users/{self.segment(install_id)}/link"
        return self.user_id(self.call("POST", path, self.api_key, self.naming(external_id)))

    def authentication_code(self, external_id):
        """A code with which an app creates or restores the Sentiance user of a user of ours."""
        return self.read_code(self.call("POST", "/users/auth-code", self.api_key, self.naming(external_id)))

    def delete_user(self, user_id):
        self.call("DELETE", f"/users/{self.segment(user_id)}", self.delete_key)

    # -- what is sent and what is read

    def naming(self, external_id):
        return {"external_id": external_id}

    def segment(self, text):
        """One segment of a path, whatever stands in it."""
        return quote(text, safe="")

    def user_id(self, answer):
        """`person_id` is what older answers call it."""
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
        """One attempt. An app that waits for its user can ask again itself."""
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
        """One request on a connection of its own. Redirects are not followed: the key is for one host alone."""
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
        """A certificate that nobody vouches for ends the request before it is sent."""
        limit = self.attempt_limit()
        if self.address.scheme == "https":
            trust = ssl.create_default_context()
            return http.client.HTTPSConnection(self.address.hostname, self.address.port, timeout=limit, context=trust)
        return http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=limit)

    def abort(self, connection):
        """The time-out of a socket is for each piece of the answer; this one is for the whole."""
        if connection.sock is not None:
            try:
                connection.sock.shutdown(2)
            except OSError:
                pass
