"""A backend of the toy protocol Beacon: it gets passes from the lamp for keepers who have a session with it.

`LAMP_URL` and `LAMP_KEY` say where and with which key, `SESSIONS` which session is whose (`s-1=anna,s-2=ben`).
`--defect NAME` makes it wrong in one way.
"""
import argparse
import http.client
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

DEADLINE = 4  # seconds until a lamp that does not answer is given up; the book allows five


class NoPass(Exception):
    pass


class Backend:
    def __init__(self, environment, defects):
        self.url, self.key, self.defects = environment["LAMP_URL"], environment["LAMP_KEY"], defects
        self.sessions = dict(pair.split("=") for pair in environment["SESSIONS"].split(","))

    def pass_for(self, session, named):
        """The status and the body of the answer to the app; `named` is whom the app says it is."""
        keeper = self.sessions.get(session)
        if keeper is None:
            return 401, {"error": "there is no such session"}
        if "keeper.fixed" in self.defects:
            keeper = next(iter(self.sessions.values()))
        if "keeper.as-told" in self.defects:
            keeper = named or keeper
        try:
            return 200, {"token": self.issue(keeper)}
        except NoPass as problem:
            print(f"no pass for {keeper}: {problem}", file=sys.stderr)
            if "failure.as-success" in self.defects:
                return 200, {"error": "later"}
            reason = f"no pass with the key {self.key}" if "key.shown" in self.defects else "no pass"
            return 502, {"error": reason}

    def issue(self, keeper):
        parts = urlsplit(self.url)
        limit = None if "deadline.none" in self.defects else DEADLINE
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=limit)
        try:
            fields = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
            connection.request("POST", parts.path + "/passes", json.dumps({"keeper": keeper}), fields)
            response = connection.getresponse()
            if "deadline.of-header" in self.defects:
                connection.sock.settimeout(None)
            body = response.read()
            if response.status != 201:
                raise NoPass(f"status {response.status}")
            return json.loads(body)["pass"]
        except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
            raise NoPass(type(error).__name__) from None
        finally:
            connection.close()


class Handler(BaseHTTPRequestHandler):
    backend = None

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/health":
            status, body = 200, {"healthy": True}
        elif self.command == "POST" and self.path == "/session/pass":
            scheme, _, session = (self.headers.get("Authorization") or "").partition(" ")
            status, body = self.backend.pass_for(session if scheme == "Basic" else None, self.headers.get("X-Keeper"))
        else:
            status, body = 404, {"error": "there is no such place"}
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def log_message(self, *arguments):
        pass  # a log of each request helps nobody


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--defect", action="append", default=[])
    given = options.parse_args()
    Handler.backend = Backend(os.environ, frozenset(given.defect))
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


main()
