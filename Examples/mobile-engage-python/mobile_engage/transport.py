"""HTTP. Each worker thread performs one request at a time."""
import asyncio
import http.client
import select
import threading
from dataclasses import dataclass
from urllib.parse import urlsplit

from .errors import MobileEngageError

REQUEST_TIMEOUT = 30.0  # seconds


@dataclass
class HTTPRequest:
    method: str
    url: str
    headers: list  # pairs, in the order in which they are sent
    body: bytes | None


@dataclass
class HTTPResponse:
    status: int
    headers: list
    body: bytes

    def header(self, name):
        """The value of a field. The name may have any case."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class Transport:
    """Sends one request. Returns the response with any status. Raises `network` if there is no response."""

    def __init__(self, keep_alive=False, chunked=False):
        self.keep_alive, self.chunked = keep_alive, chunked
        self.resting = {}  # one open connection for each scheme and host

    async def send(self, request):
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        connection, key = self.connection(request)

        def finish(setter, value):
            if not done.done():
                getattr(done, setter)(value)

        def work():
            try:
                result = "set_result", self.exchange(connection, request)
            except Exception as error:  # for any exception, there is no complete response
                connection.close()
                result = "set_exception", MobileEngageError("network", f"{type(error).__name__}: {error}")
            try:
                loop.call_soon_threadsafe(finish, *result)
            except RuntimeError:
                pass  # the loop is closed, and no task waits for the result

        threading.Thread(target=work, daemon=True).start()
        try:
            # The limit is a timer of the loop. The limit of the library only ends connections that were not closed.
            async with asyncio.timeout(self.timeout()):
                response = await done
        except TimeoutError:
            abort(connection)
            raise MobileEngageError("network", f"no response within {self.timeout()} s") from None
        except asyncio.CancelledError:
            abort(connection)
            raise
        self.rest(key, connection)
        return response

    def timeout(self):
        return REQUEST_TIMEOUT

    def connection(self, request):
        parts = urlsplit(request.url)
        key = parts.scheme, parts.netloc
        connection = self.resting.pop(key, None)
        if connection is not None and is_usable(connection):
            return connection, key
        make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return make(parts.hostname, parts.port, timeout=self.timeout() * 4), key

    def rest(self, key, connection):
        if self.keep_alive and connection.sock is not None and key not in self.resting:
            self.resting[key] = connection
        else:
            connection.close()

    def exchange(self, connection, request):
        parts = urlsplit(request.url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.putrequest(request.method, target, skip_accept_encoding=True)
        for name, value in request.headers:
            connection.putheader(name, value)
        if not self.keep_alive:
            connection.putheader("Connection", "close")
        chunked = self.chunked and request.body is not None
        if chunked:
            connection.putheader("Transfer-Encoding", "chunked")
        elif request.body is not None:
            connection.putheader("Content-Length", str(len(request.body)))
        connection.endheaders(iter([request.body]) if chunked else request.body, encode_chunked=chunked)
        response = connection.getresponse()
        return HTTPResponse(response.status, response.getheaders(), response.read())


def is_usable(connection):
    """Whether the server has neither closed the kept connection nor sent unexpected bytes."""
    return connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]


def abort(connection):
    """Wakes the thread that waits for a response."""
    if connection.sock is not None:
        try:
            connection.sock.shutdown(2)
        except OSError:
            pass
