"""One HTTP request on a worker thread, for an SDK that lives on an asyncio loop and has the standard library alone."""
import asyncio
import http.client
import threading
from urllib.parse import urlsplit


class RequestFailed(Exception):
    """Nothing whole came back."""


async def exchange(method, url, headers, body, limit):
    """Status, header fields (names in small letters) and body of the response.

    Raises `TimeoutError` after `limit` seconds of the loop's clock, and `RequestFailed` whatever else goes wrong.
    """
    parts = urlsplit(url)
    make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    # The limit is a timer of the loop; that of the library only ends what was forgotten.
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
        except Exception as error:  # whatever it is, the request failed
            outcome = "set_exception", RequestFailed(f"{type(error).__name__}: {error}")
        finally:
            connection.close()
        try:
            loop.call_soon_threadsafe(finish, *outcome)
        except RuntimeError:
            pass  # the loop is closed, nobody waits any more

    threading.Thread(target=work, daemon=True).start()
    try:
        async with asyncio.timeout(limit):
            return await done
    finally:
        abort(connection)


def abort(connection):
    """Ends a request whose thread still waits for the response; does nothing to one that is over."""
    if connection.sock is not None:
        try:
            connection.sock.shutdown(2)
        except OSError:
            pass
