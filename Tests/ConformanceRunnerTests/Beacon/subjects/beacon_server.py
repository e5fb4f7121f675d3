"""A server of the toy protocol Beacon: the services lamp and log, on one port or on two. The standard library alone.

`POST /control/COMMAND` does what an operator can do; `--defect NAME` makes it wrong in one way.
"""
import argparse
import json
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PAGE = 10


class Station:
    """What the server knows. Every method gives back a status and a body."""

    def __init__(self, dialect, key, defects):
        self.version = {"one": 1, "two": 2}[dialect]
        self.key, self.defects = key, defects
        self.lock = threading.Lock()
        self.passes, self.towers, self.book = set(), {}, {}
        self.watch, self.turns = "w", 0

    def tower(self, name):
        return self.towers.setdefault(name, {"shown": {}, "count": 0})

    def issue(self, authorization, body):
        if authorization != "Bearer " + self.key and "key.any" not in self.defects:
            return 401, {"error": "the key is wrong"}
        token = "pass-" + uuid.uuid4().hex
        self.passes.add(token)
        return 201, {"pass": token, "keeper": body["keeper"]}

    def standing(self, name):
        tower = self.tower(name)
        return 200, {"tower": name, "lit": tower["count"] > 0, "seq": tower["count"], "version": self.version}

    def signal(self, name, token, body):
        if token not in self.passes and "pass.any" not in self.defects:
            return 401, {"error": "the pass is not valid"}
        tower = self.tower(name)
        if body["id"] not in tower["shown"] or "signal.shown-twice" in self.defects:
            tower["count"] += 1
            tower["shown"][body["id"]] = 1 if "seq.same" in self.defects else tower["count"]
            self.turns += 1
        return 202, {"seq": tower["shown"][body["id"]]}

    def write(self, keeper, body):
        notes = body["notes"]
        if not notes:
            return 400, {"error": "a page has notes"}
        if len(notes) > PAGE:
            return 413, {"error": "at most ten notes at a time"}
        self.book.setdefault(keeper, []).extend(notes)
        return 200, {"kept": len(notes)}

    def read(self, keeper, last):
        notes = list(self.book.get(keeper, []))
        if last and "last.all" not in self.defects:
            notes = notes[-1:]
        if "notes.reversed" in self.defects:
            notes.reverse()
        return 200, {"notes": notes}

    def operate(self, command, body):
        if command == "grantPass":
            self.passes.add(body["pass"])
        elif command == "expirePass":
            if "pass.for-ever" not in self.defects:
                self.passes.discard(body["pass"])
        elif command == "setWatch":
            self.watch = body["watch"]
        else:
            return 404, {"error": "there is no such command"}
        return 200, None


class Handler(BaseHTTPRequestHandler):
    station = None

    def answer(self):
        target = urlsplit(self.path)
        parts = target.path.strip("/").split("/")
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        station = self.station
        with station.lock:
            try:
                status, body = self.route(parts, parse_qs(target.query), json.loads(data) if data else {})
            except (ValueError, KeyError, TypeError) as error:
                status, body = 400, {"error": f"the request makes no sense: {type(error).__name__}"}
            watch = f"{station.watch}-{station.turns}"
        text = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if parts[0] in ("towers", "v2"):
            self.send_header("X-Watch", watch)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = answer

    def route(self, parts, query, body):
        station, fields = self.station, self.headers
        match self.command, *parts:
            case "POST", "passes":
                return station.issue(fields.get("Authorization"), body)
            case "GET", "towers", "nearest":
                return 200, {"tower": "north"}
            case "GET", "towers", name:
                return station.standing(name)
            case "POST", "towers", name, "signals" if station.version == 1:
                return station.signal(name, fields.get("X-Pass"), body)
            case "POST", "v2", "signals" if station.version == 2:
                return station.signal(body["tower"], fields.get("X-Pass"), body)
            case "POST", "notes":
                return station.write(fields.get("X-Keeper"), body)
            case "GET", "notes":
                return station.read(fields.get("X-Keeper"), query.get("last") == ["true"])
            case "POST", "control", command:
                return station.operate(command, body)
        return 404, {"error": "there is no such place"}

    def log_message(self, *arguments):
        pass  # a log of each request helps nobody


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--log-port", type=int, help="a port of its own for the service log")
    options.add_argument("--dialect", choices=["one", "two"], default="one")
    options.add_argument("--key", default="key-of-the-station")
    options.add_argument("--defect", action="append", default=[])
    given = options.parse_args()
    Handler.station = Station(given.dialect, given.key, frozenset(given.defect))
    servers = [ThreadingHTTPServer(("127.0.0.1", given.port), Handler)]
    if given.log_port is not None:
        servers.append(ThreadingHTTPServer(("127.0.0.1", given.log_port), Handler))
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print("listening on " + " ".join(str(server.server_port) for server in servers), flush=True)
    servers[0].serve_forever()


main()
