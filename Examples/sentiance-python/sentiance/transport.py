"""Sends one request. Redirects are not followed: what a request carries is for the platform alone."""
from threaded_http import RequestFailed, exchange

REQUEST_LIMIT = 30  # seconds until a request is given up


class NoConnection(Exception):
    """Nothing whole came back."""


class Transport:
    limit = REQUEST_LIMIT

    async def send(self, method, url, headers, body):
        try:
            return await exchange(method, url, headers, body, self.limit)
        except TimeoutError:
            raise NoConnection(f"no answer within {self.limit} s") from None
        except RequestFailed as error:
            raise NoConnection(str(error)) from None
