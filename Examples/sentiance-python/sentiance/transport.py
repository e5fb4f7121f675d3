"""Sends one request. Redirects are not followed, since only the platform may get the data of a request."""
from threaded_http import RequestFailed, exchange

REQUEST_LIMIT = 30  # seconds until the SDK gives up a request


class NoConnection(Exception):
    """No complete response arrived."""


class Transport:
    limit = REQUEST_LIMIT

    async def send(self, method, url, headers, body):
        try:
            return await exchange(method, url, headers, body, self.limit)
        except TimeoutError:
            raise NoConnection(f"no answer within {self.limit} s") from None
        except RequestFailed as error:
            raise NoConnection(str(error)) from None
