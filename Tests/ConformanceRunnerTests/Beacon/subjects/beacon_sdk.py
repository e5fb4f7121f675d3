"""An SDK of the toy protocol Beacon: the standard library alone.

`defects` are names of ways to be wrong, each of which breaks one rule; see `defects/sdk.yaml` of the catalogue.
"""
import asyncio
import json
import os
import uuid
from datetime import datetime, timezone
from pathlib import Path

from threaded_http import RequestFailed, exchange

REQUEST_LIMIT = 10  # seconds until a request is given up
PAUSES = (0, 1, 2)  # seconds before each attempt of a signal
NOTE_DELAY = 5  # seconds that notes wait for others, and between attempts
PAGE = 10  # notes at a time


class BeaconError(Exception):
    def __init__(self, kind, message, status=None):
        super().__init__(message)
        self.kind, self.status = kind, status


class NoAnswer(Exception):
    """Nothing whole came back."""


class Transport:
    """Sends one request and gives back status, header fields and body."""

    async def send(self, method, url, headers, body):
        try:
            return await exchange(method, url, headers, body, REQUEST_LIMIT)
        except TimeoutError:
            raise NoAnswer(f"no answer within {REQUEST_LIMIT} s") from None
        except RequestFailed as error:
            raise NoAnswer(str(error)) from None


class Store:
    """One JSON document, replaced as a whole with each change."""

    def __init__(self, folder):
        self.path = Path(folder) / "beacon.json"
        try:
            self.values = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            self.values = {"order": 0, "nextNote": 1, "notes": []}

    def save(self, without=()):
        draft = self.path.with_suffix(".new")
        kept = {name: value if name not in without else [] for name, value in self.values.items()}
        draft.write_text(json.dumps(kept))
        os.replace(draft, self.path)


class Beacon:
    def __init__(self, storage, transport, wall_clock, surroundings, defects=frozenset()):
        self.transport, self.wall_clock, self.defects = transport, wall_clock, defects
        self.surroundings = dict(surroundings)
        self.language_at_launch = self.surroundings.get("language")
        self.store = Store(storage)
        if "order.starts-again" in defects:
            self.store.values["order"] = 0
        self.settings, self.version, self.watch = None, None, None
        self.line, self.page = asyncio.Lock(), asyncio.Lock()
        self.listeners, self.tasks, self.timer = [], set(), None

    def close(self):
        if self.timer:
            self.timer.cancel()
        self.timer = None

    # -- the API

    async def start(self, **settings):
        self.settings = settings
        self.plan_page()
        try:
            await self.ask_tower()
        except NoAnswer:
            pass  # a tower that cannot be asked is no reason not to start

    async def signal(self, word):
        self.check_started()
        if not word:
            raise BeaconError("invalid-word", "a word has letters")
        if "order.parallel" in self.defects:
            seq = await self.attempts(word)
        else:
            async with self.line:
                seq = await self.attempts(word)
        seen = {"seq": seq, "word": word, "at": round(self.wall_clock() * 1000)}
        for listener in self.listeners * (2 if "seen.twice" in self.defects else 1):
            listener(seen)
        return {"seq": seq + 1000 if "seq.made-up" in self.defects else seq}

    def on_seen(self, listener):
        self.listeners.append(listener)

    def note(self, text):
        self.check_started()
        values = self.store.values
        values["notes"].append({"n": values["nextNote"], "text": text, "at": self.instant()})
        values["nextNote"] += 1
        self.save()
        self.plan_page()

    async def flush(self):
        self.check_started()
        sent = 0
        notes = self.store.values["notes"]
        size = PAGE + 1 if "notes.eleven" in self.defects else PAGE
        async with self.page:
            while notes:
                page = notes[:size]
                if not await self.send_page(page):
                    self.plan_page()
                    break
                del notes[: len(page)]
                if "notes.left-behind" in self.defects:
                    self.store.values.setdefault("sent", []).extend(page)
                self.save()
                sent += len(page)
        return {"sent": sent}

    def note_count(self):
        return len(self.store.values["notes"])

    def surround(self, facts):
        self.surroundings.update(facts)
        if facts.get("online") and self.settings and self.note_count():
            self.begin(self.flush())

    # -- signals

    async def ask_tower(self):
        """The version of a tower says where its signals go."""
        status, _, body = await self.request("lamp", "GET", "/towers/" + self.settings["tower"])
        try:
            self.version = json.loads(body)["version"]
        except (ValueError, TypeError, KeyError):
            raise NoAnswer(f"status {status}, and no word of the version") from None

    async def attempts(self, word):
        id = self.new_id()
        for pause in PAUSES[:2] if "retry.twice" in self.defects else PAUSES:
            if pause and "retry.at-once" not in self.defects:
                await asyncio.sleep(pause)
            if "retry.new-id" in self.defects:
                id = self.new_id()
            try:
                return await self.attempt(id, word)
            except NoAnswer:
                if not self.surroundings.get("online", True):
                    break
        raise BeaconError("network", "the tower did not answer")

    async def attempt(self, id, word):
        if self.version is None:
            await self.ask_tower()
        tower = self.settings["tower"]
        path, body = f"/towers/{tower}/signals", {"id": id, "word": word}
        if self.version == 2:
            path, body = "/v2/signals", {"tower": tower, **body}
        status, _, answer = await self.request("lamp", "POST", path, body, {"X-Pass": self.settings["pass"]})
        if status >= 500 or (status >= 300 and "refusal.retried" in self.defects):
            raise NoAnswer(f"status {status}")
        if status >= 300:
            raise BeaconError("refused", f"status {status}", status)
        try:
            return json.loads(answer)["seq"]
        except (ValueError, TypeError, KeyError):
            if "answer.crash" in self.defects:
                os._exit(70)
            raise NoAnswer("the answer makes no sense") from None

    def new_id(self):
        return str(self.store.values["order"]) if "id.not-a-uuid" in self.defects else str(uuid.uuid4())

    # -- notes

    async def send_page(self, page):
        notes = page
        if "notes.instant-of-sending" in self.defects:
            notes = [{**note, "at": self.instant()} for note in page]
        try:
            status, _, _ = await self.request(
                "log", "POST", "/notes", {"notes": notes}, {"X-Keeper": self.settings["keeper"]})
        except NoAnswer:
            return False
        return 200 <= status < 300

    def plan_page(self):
        """Sends what waits in five seconds, unless that is planned already."""
        if self.timer is None and self.note_count():
            self.timer = asyncio.get_running_loop().call_later(NOTE_DELAY, self.page_is_due)

    def page_is_due(self):
        self.timer = None
        self.begin(self.flush())

    def save(self):
        self.store.save(without={"notes"} if "notes.in-memory" in self.defects else ())

    # -- requests

    async def request(self, service, method, path, body=None, headers=None):
        if not self.surroundings.get("online", True) and "network.ignored" not in self.defects:
            raise NoAnswer("there is no network")
        self.store.values["order"] += 1
        self.save()
        fields = {"X-Order": str(self.store.values["order"]), **(headers or {})}
        language = self.language_at_launch if "language.stuck" in self.defects else self.surroundings.get("language")
        if language:
            fields["Accept-Language"] = language
        if service == "lamp" and self.watch:
            fields["X-Watch"] = self.watch
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            fields["Content-Type"] = "application/json"
        answer = await self.transport.send(method, self.settings[service + "Url"] + path, fields, data)
        if service == "lamp" and not (self.watch and "watch.first" in self.defects):
            self.watch = answer[1].get("x-watch", self.watch)
        return answer

    def check_started(self):
        if self.settings is None:
            raise BeaconError("not-started", "start comes first")

    def instant(self):
        moment = datetime.fromtimestamp(self.wall_clock(), timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"

    def begin(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
