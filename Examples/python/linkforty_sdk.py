"""A small LinkForty SDK: configuration, install report, deferred deep links, events with a queue, user identity.

It lives on an asyncio loop. Requests run on worker threads; everything else runs on the loop's thread, so nothing here
needs a lock. The SDK uses the timers of the loop. An app that needs a different clock provides a different loop.
"""
import asyncio
import json
import locale
import math
import os
import platform as host
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from pathlib import Path
from urllib.parse import urlsplit

from threaded_http import RequestFailed, exchange

VERSION = "0.1.0"
MAX_QUEUE = 100
REQUEST_TIMEOUT = 15.0  # seconds
RETRY_INTERVAL = 30.0  # seconds between attempts to send the queued events
MAX_WINDOW_HOURS = 2160
DEEP_LINK_FIELDS = (
    "shortCode", "iosUrl", "androidUrl", "webUrl", "utmParameters", "customParameters", "deepLinkPath", "appScheme",
    "clickedAt", "linkId",
)


class LinkFortyError(Exception):
    """An error of the SDK. `kind` is one of a fixed list. `status` is the HTTP status if there was a response."""

    def __init__(self, kind, message, status=None):
        super().__init__(message)
        self.kind, self.status = kind, status


@dataclass
class Device:
    """The facts about the device. The fingerprint consists of these facts."""

    timezone: str = os.environ.get("TZ") or "UTC"
    language: str = (locale.getlocale()[0] or "en_US").replace("_", "-")
    platform: str = host.system()
    platformVersion: str = host.release()
    appVersion: str = "1.0.0"
    screenWidth: int = 1920  # native pixels
    screenHeight: int = 1080

    def fingerprint(self):
        agent = f"LinkFortyExample/{self.appVersion} {self.platform}/{self.platformVersion}"
        return {"userAgent": agent, **vars(self)}


class Transport:
    """Sends one request. Raises `network` and `timeout`. Does not check the status."""

    async def send(self, method, url, headers, body):
        try:
            status, _, content = await exchange(method, url, headers, body, REQUEST_TIMEOUT)
        except TimeoutError:
            raise LinkFortyError("timeout", f"no response within {REQUEST_TIMEOUT} s") from None
        except RequestFailed as error:
            raise LinkFortyError("network", str(error)) from None
        return status, content


class Store:
    """JSON documents in a folder. Each document is replaced as a whole. An unreadable document counts as absent."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def path(self, name):
        return self.folder / f"linkforty-{name}.json"

    def read(self, name, kind):
        try:
            value = json.loads(self.path(name).read_bytes())
        except (OSError, ValueError):
            return kind()
        return value if isinstance(value, kind) else kind()

    def write(self, name, value):
        draft = self.path(name).with_suffix(".tmp")
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(value, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.path(name))

    def wipe(self):
        for path in self.folder.glob("linkforty-*"):
            path.unlink(missing_ok=True)


def is_event(value):
    return isinstance(value, dict) and isinstance(value.get("eventName"), str)


def base_url(text):
    """The URL without a slash at its end. Raises if the SDK must not use the URL."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except (ValueError, AttributeError, TypeError):
        raise LinkFortyError("invalidConfiguration", "the base URL is not a URL") from None
    if not host or text != text.strip():
        raise LinkFortyError("invalidConfiguration", "the base URL is not a URL with a host")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in ("localhost", "127.0.0.1")):
        raise LinkFortyError("invalidConfiguration", "the base URL must be HTTPS")
    return text.rstrip("/")


def window_hours(value):
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not number or not 1 <= value <= MAX_WINDOW_HOURS:
        raise LinkFortyError("invalidConfiguration", f"the attribution window must be 1 to {MAX_WINDOW_HOURS} hours")
    return value


class LinkForty:
    def __init__(self, folder, transport=None, wall_clock=time.time, device=None):
        self.store = Store(folder)
        self.transport = transport or Transport()
        self.wall_clock = wall_clock
        self.device = device or Device()
        self.tasks = set()
        self.abandoned = set()  # tasks that a reset ended
        self.era = 0  # grows with each clear_data(): older requests must not restore data
        self._forget()

    def _forget(self):
        self.config = None
        self.ready = False
        self.install = {}
        self.queue = []
        self.first_launch = False
        self.deferred_known = False  # whether the link is known, so that callbacks can be called
        self.deferred_callbacks = []
        self.external_user_id = None
        self.flushing = self.retry = None

    # -- initialization

    async def initialize(self, base=None, api_key=None, attribution_window_hours=168, device_id=None):
        if self.config is not None:
            raise LinkFortyError("alreadyInitialized", "initialize was called before")
        config = {"base": base_url(base), "key": api_key, "window": window_hours(attribution_window_hours)}
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise LinkFortyError("invalidConfiguration", "the API key cannot be sent in a header")
        self.config = config
        self.install = self.store.read("install", dict)
        self.queue = [event for event in self.store.read("queue", list) if is_event(event)][-MAX_QUEUE:]
        self.first_launch = not self.store.path("launched").exists()
        self.store.write("launched", True)
        self.ready = True
        if not isinstance(self.install.get("installId"), str):
            self.install = {}
            await self._outcome(self._in_background(self._report_install(device_id)))
        self._deliver_deferred()
        if self.queue:
            self._in_background(self.flush())
        data = self.install.get("deepLinkData")
        return {
            "installId": self.install.get("installId"), "attributed": self.install.get("attributed", False),
            "confidenceScore": self.install.get("confidenceScore", 0),
            "matchedFactors": self.install.get("matchedFactors", []), "deepLinkData": data,
        }

    async def _report_install(self, device_id):
        body = {**self.device.fingerprint(), "attributionWindowHours": self.config["window"]}
        if device_id is not None:
            body["deviceId"] = device_id
        era = self.era
        try:
            install = read_install(await self._post("/api/sdk/v1/install", body))
        except LinkFortyError:
            return  # counts as organic; the next launch reports again
        if self.era != era:
            return
        self.install = install
        self.store.write("install", self.install)

    # -- deferred deep links

    def on_deferred_deep_link(self, callback):
        if self.deferred_known:
            callback(self.install.get("deepLinkData"))
        else:
            self.deferred_callbacks.append(callback)

    def _deliver_deferred(self):
        self.deferred_known = True
        callbacks, self.deferred_callbacks = self.deferred_callbacks, []
        for callback in callbacks:
            callback(self.install.get("deepLinkData"))

    # -- events

    async def track_event(self, name, properties=None):
        self._require_initialized()
        if not isinstance(name, str) or not name.strip():
            raise LinkFortyError("invalidEventData", "the name is empty")
        now = datetime.fromtimestamp(self.wall_clock(), timezone.utc)
        event = {
            "eventName": name, "eventData": properties or {},
            "timestamp": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }
        if "installId" not in self.install:
            self._enqueue(event)  # it waits for an install id
            return
        era = self.era
        try:
            await self._outcome(self._in_background(self._send_event(event)))
        except LinkFortyError as error:
            if not worth_a_retry(error):
                raise
            if self.era == era:
                self._enqueue(event)
            if error.status is not None:
                raise
        else:
            if self.queue:
                self._in_background(self.flush())

    async def track_revenue(self, amount, currency, properties=None):
        self._require_initialized()
        try:
            number = Decimal(amount)
        except (InvalidOperation, TypeError, ValueError):
            raise LinkFortyError("invalidEventData", "the amount is not a number") from None
        if not number.is_finite() or not currency.strip():
            raise LinkFortyError("invalidEventData", "revenue needs an amount and a currency")
        value = int(number) if number == number.to_integral_value() else float(number)
        await self.track_event("revenue", {**(properties or {}), "amount": value, "currency": currency})

    async def _send_event(self, event):
        await self._post("/api/sdk/v1/event", {"installId": self.install["installId"], **event}, decode=False)

    def _enqueue(self, event):
        self.queue = (self.queue + [event])[-MAX_QUEUE:]  # the oldest event is dropped
        self.store.write("queue", self.queue)
        self._retry_later()

    async def flush(self):
        """Sends queued events, the oldest first, until one cannot be sent now. Only one flush runs at a time."""
        self._require_initialized()
        if self.flushing is None or self.flushing.done():
            self.flushing = self._in_background(self._flush())
        await self._outcome(self.flushing)

    async def _flush(self):
        while self.queue and "installId" in self.install:
            event = self.queue[0]
            try:
                await self._send_event(event)
            except LinkFortyError as error:
                if worth_a_retry(error):
                    self._retry_later()
                    return
            if self.queue and self.queue[0] is event:  # the event was not cleared or dropped meanwhile
                self.queue = self.queue[1:]
                self.store.write("queue", self.queue)

    def _retry_later(self):
        async def wait():
            await asyncio.sleep(RETRY_INTERVAL)
            self.retry = None
            await self.flush()

        if self.retry is None and "installId" in self.install:
            self.retry = self._in_background(wait())

    def queue_size(self):
        self._require_initialized()
        return len(self.queue)

    def clear_queue(self):
        self._require_initialized()
        self.queue = []
        self.store.write("queue", [])

    # -- accessors for the app

    def install_id(self):
        self._require_initialized()
        return self.install.get("installId")

    def install_data(self):
        self._require_initialized()
        return self.install.get("deepLinkData")

    def is_first_launch(self):
        self._require_initialized()
        return self.first_launch

    # -- data

    def clear_data(self):
        self.store.wipe()
        self.install, self.queue, self.external_user_id = {}, [], None
        self.era += 1

    def reset(self):
        """Returns to the state before `initialize`. Stored data stays."""
        self.abandoned.update(self.tasks)
        self.close()
        self._forget()

    def close(self):
        """Ends timers and requests. No data is lost, since the SDK stores data at once."""
        for task in self.tasks:
            task.cancel()

    # -- helpers

    def _require_initialized(self):
        if not self.ready:
            raise LinkFortyError("notInitialized", "call initialize first")

    def _in_background(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def _outcome(self, task):
        """The result of a task. If the SDK was reset meanwhile, raises an error."""
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and task in self.abandoned:
                raise LinkFortyError("generic", "the SDK was reset meanwhile") from None
            raise
        finally:
            self.abandoned.discard(task)

    def _done(self, task):
        self.tasks.discard(task)
        if not task.cancelled():
            task.exception()  # marks the exception as seen; a task that awaits this task gets it, too

    async def _post(self, path, body, decode=True):
        agent = self.device.fingerprint()["userAgent"].encode("ascii", "replace").decode()  # a header is ASCII
        headers = {"Content-Type": "application/json", "User-Agent": agent}
        if self.config["key"]:
            headers["Authorization"] = "Bearer " + self.config["key"]
        url = self.config["base"] + path
        status, data = await self.transport.send("POST", url, headers, json.dumps(body).encode())
        if not 200 <= status < 300:
            raise LinkFortyError("serverError", f"HTTP {status}", status)
        if not decode:
            return None
        try:
            return json.loads(data)
        except ValueError:
            raise LinkFortyError("decoding", "the response is not JSON") from None


def worth_a_retry(error):
    return error.kind in ("network", "timeout") or (error.status or 0) >= 500 or error.status == 429


def read_install(answer):
    """The server's response with the canonical names, without members that the SDK does not know."""
    if not isinstance(answer, dict) or not isinstance(answer.get("installId"), str):
        raise LinkFortyError("decoding", "the response has no installId")
    link = answer.get("deepLinkData")
    if answer.get("attributed") is not True or not isinstance(link, dict) or not link:
        link = None
    else:
        link = {name: link[name] for name in DEEP_LINK_FIELDS if link.get(name) is not None}
    score, factors = answer.get("confidenceScore"), answer.get("matchedFactors")
    return {
        "installId": answer["installId"], "attributed": answer.get("attributed") is True,
        "confidenceScore": score if isinstance(score, (int, float)) and not isinstance(score, bool) else 0,
        "matchedFactors": [factor for factor in factors if isinstance(factor, str)] if isinstance(factors, list) else [],
        "deepLinkData": link,
    }
