"""One HTTP request on a worker thread, for an SDK on an asyncio loop that uses only the standard library."""
import asyncio
import http.client
import threading
from urllib.parse import urlsplit


class RequestFailed(Exception):
    """No complete response arrived."""


async def exchange(method, url, headers, body, limit):
    """Status, header fields (names in small letters) and body of the response.

    Raises `TimeoutError` after `limit` seconds of the loop's clock, and `RequestFailed` for any other failure.
    """
    parts = urlsplit(url)
    make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    # The limit is a timer of the loop. The limit of the library only ends connections that were not closed.
    connection = make(parts.hostname, parts.port, timeout=limit * 4)
    loop = asyncio.get_running_loop()
    done = loop.create_future()

    def finish(setter, value):
        if not done.done():
            getattr(done, setter)(value)

    def work():
        try:
            connection.request(method, parts.path or "/", body, headers)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            outcome = "set_result", (response.status, fields, response.read())
        except Exception as error:  # for any exception, the request failed
            outcome = "set_exception", RequestFailed(f"{type(error).__name__}: {error}")
        finally:
            connection.close()
        try:
            loop.call_soon_threadsafe(finish, *outcome)
        except RuntimeError:
            pass  # the loop is closed, and no task waits for the result

    threading.Thread(target=work, daemon=True).start()
    try:
        async with asyncio.timeout(limit):
            return await done
    finally:
        abort(connection)


def abort(connection):
    """Ends a request whose thread still waits for the response. Does nothing if the request has ended."""
    if connection.sock is not None:
        try:
            connection.sock.shutdown(2)
        except OSError:
            pass
