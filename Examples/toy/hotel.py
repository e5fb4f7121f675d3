"""A backend of the toy protocol Cloakroom: a hotel that hands in its guests' coats at the counter.

`COUNTER_URL` is the URL of the counter.
"""
import http.client
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

REQUEST_LIMIT = 4  # seconds until the hotel gives up a request to the counter


def hand_in(coat):
    """Hands in a coat. Returns the number of the coat."""
    counter = urlsplit(os.environ["COUNTER_URL"])
    connection = http.client.HTTPConnection(counter.hostname, counter.port, timeout=REQUEST_LIMIT)
    try:
        connection.request("POST", "/", json.dumps({"coat": coat}), {"Content-Type": "application/json"})
        return json.load(connection.getresponse())["number"]
    finally:
        connection.close()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            self.answer(200, {"number": hand_in(json.loads(text)["coat"])})
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
            print(f"no number: {error!r}", file=sys.stderr)
            self.answer(502, {"error": "no number"})

    def do_GET(self):
        self.answer(404, {})

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass  # a log of each request is not needed


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
