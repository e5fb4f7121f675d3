"""The adapter of the LinkForty SDK beside this file. It translates, and adds nothing.

Everything runs on one asyncio loop; a thread reads stdin. The virtual clock sits where asyncio asks how long to sleep:
it is asked only when no work is ready, and says when the next timer is due. See `spec/kit/adapter-protocol.md`.
"""
import asyncio
import json
import os
import selectors
import sys
import threading
import time

from linkforty_sdk import VERSION, LinkForty, LinkFortyError, Transport

HELLO = {
    "protocolVersion": 1, "protocol": "linkforty", "specRevision": "2026-03-12",
    "sdk": {"name": "linkforty-python-example", "version": VERSION, "language": "python", "platform": sys.platform},
    "capabilities": [
        "initialization", "deferred-deep-links", "events", "revenue", "user-identity", "install-data", "first-launch",
        "offline-queue", "data-management", "reset", "device-id", "storage-corruption", "set-device",
    ],
    "clocks": ["virtual", "real"], "instances": "many",
}

DEVICE = ("timezone", "language", "platformVersion", "appVersion", "screenWidth", "screenHeight", "scale")

sys.stdout = sys.stderr  # whatever prints, prints to the log


def send(**message):
    sys.__stdout__.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.__stdout__.flush()


# -- the clock


class VirtualClock:
    """Time as `advance` tells it. Seconds, as asyncio counts them; the kit's milliseconds only at the edges."""

    def __init__(self):
        self.active = False
        self.start(0, active=False)

    def start(self, epoch, active):
        self.active, self.epoch = active, epoch / 1000
        self.now = 0.0
        self.requests = 0
        self.waiting = []  # (id, to, inFlight)

    def wall(self):
        return self.epoch + self.now if self.active else time.time()

    def advance(self, id, to, in_flight):
        self.waiting.append((id, to / 1000, in_flight))

    def step(self, until_timer):
        """Called when no work is ready. True when the loop shall look again, False when it shall sleep."""
        if not self.waiting:
            return False
        _, to, in_flight = self.waiting[-1]
        due = None if until_timer is None else self.now + until_timer
        if self.requests <= in_flight:
            if due is not None and due <= to + 1e-9:
                self.now = max(self.now, due)
                return True  # asyncio fires the timer
            self.now = max(self.now, to)
        done = [each for each in self.waiting if self.now >= each[1] and self.requests <= each[2]]
        self.waiting = [each for each in self.waiting if each not in done]
        for id, _, _ in done:
            send(id=id, result={"next": None if due is None else round(due * 1000, 3)})
        return False


class Selector(selectors.DefaultSelector):
    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def select(self, timeout=None):
        """asyncio passes 0 when work is ready, else the time to the next timer, or None without one."""
        if not self.clock.active or timeout == 0:
            return super().select(timeout)
        events = super().select(0)
        if events or self.clock.step(timeout):
            return events
        return super().select(None)


class Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock):
        self.clock = clock
        super().__init__(Selector(clock))

    def time(self):
        return self.clock.now if self.clock.active else super().time()


class CountingTransport(Transport):
    def __init__(self, clock):
        self.clock = clock

    async def send(self, *request):
        self.clock.requests += 1
        try:
            return await super().send(*request)
        finally:
            self.clock.requests -= 1  # whoever awaits goes on before the loop is idle


# -- the commands


class Adapter:
    def __init__(self, loop):
        self.loop, self.clock = loop, loop.clock
        self.sdk = None
        self.open = set()
        self.finished = loop.create_future()

    def receive(self, line):
        if not line:
            self.finish()
            return
        command = json.loads(line)
        method, params = command["method"], command["params"]
        if method == "advance":
            self.clock.advance(command["id"], params["to"], params["inFlight"])
            return
        task = self.loop.create_task(self.answer(command["id"], method, params))
        if method not in ("quit", "shutdown"):
            self.open.add(task)
            task.add_done_callback(self.open.discard)

    async def answer(self, id, method, params):
        handler = getattr(self, "do_" + method, None)
        if handler is None:  # also what the kit has made up
            send(id=id, error={"code": -32601, "message": "there is no command " + method})
            return
        try:
            result = await handler(params)
        except LinkFortyError as error:
            data = {"kind": error.kind} if error.status is None else {"kind": error.kind, "status": error.status}
            send(id=id, error={"code": -32000, "message": str(error), "data": data})
        except asyncio.CancelledError:
            send(id=id, error={"code": -32000, "message": "the app has ended", "data": {"kind": "ended"}})
        except Exception as error:  # the adapter or the SDK is broken: no reply, and main() ends with a traceback
            self.finish(error)
        else:
            send(id=id, result=result)
        if method == "shutdown":
            self.finish()

    def finish(self, error=None):
        if not self.finished.done():
            self.finished.set_exception(error) if error else self.finished.set_result(None)

    async def end_app(self):
        if self.sdk is None:
            return
        self.sdk.close()
        tasks = [*self.open, *self.sdk.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.sdk = None

    async def do_hello(self, params):
        return HELLO

    async def do_ping(self, params):
        return None

    async def do_launch(self, params):
        await self.end_app()
        clock = params["clock"]
        self.clock.start(clock["epoch"], active=clock["mode"] == "virtual")
        self.sdk = LinkForty(params["storage"], CountingTransport(self.clock), self.clock.wall)
        await self.do_setDevice({name: params["environment"][name] for name in DEVICE if name in params["environment"]})

    async def do_quit(self, params):
        await self.end_app()

    do_shutdown = do_quit

    async def do_initialize(self, params):
        names = {
            "baseUrl": "base", "apiKey": "api_key", "attributionWindowHours": "attribution_window_hours",
            "deviceId": "device_id",
        }
        options = {names[name]: value for name, value in params.items() if name in names}
        return await self.sdk.initialize(**options)

    async def do_onDeferredDeepLink(self, params):
        handle = params["handle"]
        self.sdk.on_deferred_deep_link(
            lambda link: send(method="callback", params={"handle": handle, "value": link}))

    async def do_trackEvent(self, params):
        await self.sdk.track_event(params["name"], params.get("properties"))

    async def do_trackRevenue(self, params):
        await self.sdk.track_revenue(params["amount"], params["currency"], params.get("properties"))

    async def do_flush(self, params):
        await self.sdk.flush()

    async def do_queueSize(self, params):
        return self.sdk.queue_size()

    async def do_clearQueue(self, params):
        self.sdk.clear_queue()

    async def do_setExternalUserId(self, params):
        self.sdk.external_user_id = params["id"]

    async def do_getExternalUserId(self, params):
        return self.sdk.external_user_id

    async def do_getInstallId(self, params):
        return self.sdk.install_id()

    async def do_getInstallData(self, params):
        return self.sdk.install_data()

    async def do_isFirstLaunch(self, params):
        return self.sdk.is_first_launch()

    async def do_clearData(self, params):
        self.sdk.clear_data()

    async def do_reset(self, params):
        self.sdk.reset()

    async def do_setDevice(self, params):
        facts = dict(params)
        scale = facts.pop("scale", 1)  # the SDK reads native pixels, as a platform would report them
        for name in ("screenWidth", "screenHeight"):
            if name in facts:
                facts[name] = round(facts[name] * scale)
        for name, value in facts.items():
            setattr(self.sdk.device, name, value)

    async def do_corruptStorage(self, params):
        name = {"queue": "queue", "installData": "install"}[params["what"]]
        self.sdk.store.path(name).write_bytes(b"\xff{not JSON")


def read_stdin(loop, adapter):
    for line in iter(sys.stdin.buffer.readline, b""):
        loop.call_soon_threadsafe(adapter.receive, line)
    loop.call_soon_threadsafe(adapter.receive, b"")


def main():
    loop = Loop(VirtualClock())
    adapter = Adapter(loop)
    threading.Thread(target=read_stdin, args=(loop, adapter), daemon=True).start()
    loop.run_until_complete(adapter.finished)
    # A thread may still wait for stdin, or for an answer that nobody wants any more.
    sys.stderr.flush()
    os._exit(0)


main()
