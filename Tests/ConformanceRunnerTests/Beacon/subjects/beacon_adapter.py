"""The adapter of the SDK beside this file: it translates, and adds nothing. `--defect NAME` makes the SDK wrong in one way.

Everything runs on one asyncio loop. The virtual clock sits where asyncio asks how long to sleep:
it is asked only when no work is ready, and says when the next timer is due. See `spec/kit/adapter-protocol.md`.
"""
import argparse
import asyncio
import json
import os
import selectors
import sys
import time

from beacon_sdk import Beacon, BeaconError, Transport

HELLO = {
    "protocolVersion": 1, "protocol": "beacon", "specRevision": "2026-01-01",
    "sdk": {"name": "beacon-python", "version": "1.0.0", "language": "python", "platform": sys.platform},
    "capabilities": ["notes", "seen", "surroundings"], "clocks": ["virtual", "real"], "instances": "many",
}

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
    def __init__(self, loop, defects):
        self.loop, self.clock, self.defects = loop, loop.clock, defects
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
        except BeaconError as error:
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
        self.sdk = Beacon(
            params["storage"], CountingTransport(self.clock), self.clock.wall, params["environment"], self.defects)

    async def do_quit(self, params):
        await self.end_app()

    do_shutdown = do_quit

    async def do_surroundings(self, params):
        self.sdk.surround(params)

    async def do_start(self, params):
        await self.sdk.start(**params)

    async def do_signal(self, params):
        return await self.sdk.signal(params["word"])

    async def do_onSeen(self, params):
        handle = params["handle"]
        self.sdk.on_seen(lambda value: send(method="callback", params={"handle": handle, "value": value}))

    async def do_note(self, params):
        self.sdk.note(params["text"])

    async def do_flush(self, params):
        return await self.sdk.flush()

    async def do_noteCount(self, params):
        return self.sdk.note_count()


class Lines:
    """Hands each line of stdin to the adapter, and an empty one at its end."""

    def __init__(self, loop, adapter):
        self.loop, self.adapter, self.rest = loop, adapter, b""
        loop.add_reader(0, self.read)

    def read(self):
        data = os.read(0, 1 << 16)
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.adapter.receive(line)
        if not data:
            self.loop.remove_reader(0)
            self.adapter.receive(b"")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--defect", action="append", default=[])
    defects = frozenset(options.parse_args().defect)
    loop = Loop(VirtualClock())
    adapter = Adapter(loop, defects)
    Lines(loop, adapter)
    loop.run_until_complete(adapter.finished)
    # A worker may still wait for an answer that nobody wants any more; nothing of it is left to write.
    sys.stderr.flush()
    os._exit(0)


main()
