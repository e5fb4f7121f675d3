"""An SDK of the toy protocol Cloakroom: it fetches coats."""
import json

from threaded_http import RequestFailed, exchange

REQUEST_LIMIT = 10  # seconds until the SDK gives up a request


class CloakroomError(Exception):
    def __init__(self, kind, message, status=None):
        super().__init__(message)
        self.kind, self.status = kind, status


class Transport:
    """Sends one request. Returns status, header fields and body."""

    async def send(self, method, url, headers, body):
        return await exchange(method, url, headers, body, REQUEST_LIMIT)


class Cloakroom:
    def __init__(self, transport):
        self.transport = transport
        self.tasks = set()  # no task runs between two calls

    def close(self):
        """Does nothing, since the SDK has no data to store."""

    async def fetch(self, url, number):
        """Returns the coat with this number."""
        try:
            status, _, body = await self.transport.send(
                "POST", url + "/", {"Content-Type": "application/json"}, json.dumps({"number": number}).encode())
            if status != 200:
                raise CloakroomError("refused", "the counter has no coat for this number", status)
            return json.loads(body)["coat"]
        except (TimeoutError, RequestFailed, ValueError, KeyError) as error:
            raise CloakroomError("network", f"the counter did not answer: {error!r}") from None
