"""The calls of the platform that an SDK makes."""
import json

from .answers import (
    BadAnswer, document, read_configuration, read_created_user, read_person, read_token,
)

# The error codes of an install that may not work for its user any more.
DISABLING = ("INSTALL_DEACTIVATED", "INSTALL_DISABLED", "INSTALL_DELETED")


class Refused(Exception):
    """The platform has refused the request."""

    def __init__(self, status, code, message):
        super().__init__(f"{code or 'no error code'}: {message} (HTTP {status})")
        self.status, self.code = status, code

    @property
    def is_temporary(self):
        """Whether the same request may succeed later."""
        return self.status >= 500 or self.status == 429

    @property
    def disables(self):
        return self.status == 403 and self.code in DISABLING


def refusal(status, body):
    try:
        said = document(body)
    except BadAnswer:
        said = {}
    code, message = said.get("errorCode"), said.get("message")
    return Refused(status, code if isinstance(code, str) else None, message if isinstance(message, str) else "")


class PlatformApi:
    def __init__(self, transport, agent):
        self.transport, self.agent = transport, agent

    async def create(self, base, body):
        return read_created_user(await self.call("POST", base, "/sdk/users", body=body))

    async def person(self, base, token):
        return read_person(await self.call("GET", base, "/sdk/person", token))

    async def link(self, base, token, code):
        return read_person(await self.call("POST", base, "/sdk/users/link", token, {"authentication_code": code}))

    async def configuration(self, base, token):
        return read_configuration(await self.call("GET", base, "/sdk/config", token))

    async def renew(self, base, token):
        return read_token(await self.call("POST", base, "/sdk/tokens", token))

    async def announce_reset(self, base, token):
        await self.send("POST", base + "/sdk/reset", self.headers(token, True), b"{}")

    async def call(self, method, base, path, token=None, body=None):
        data = None if body is None else json.dumps(body).encode()
        status, _, answer = await self.send(method, base + path, self.headers(token, body is not None), data)
        if status != 200:
            raise refusal(status, answer)
        return document(answer)

    async def send(self, method, url, headers, data):
        return await self.transport.send(method, url, headers, data)

    def headers(self, token, has_body):
        fields = {"Accept": "application/json", "User-Agent": self.agent}
        if has_body:
            fields["Content-Type"] = "application/json"
        if token is not None:
            fields["Authorization"] = "Bearer " + token
        return fields
