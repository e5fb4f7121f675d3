"""The part of an adapter on Python's asyncio that is the same for every protocol. Copy this file beside your adapter.

    from conform_adapter import Adapter, run

    class MyAdapter(Adapter):
        hello = {"protocolVersion": 1, ...}        # the answer to `hello`
        errors = (MyError,)                        # with `kind`, and `status` if there was a response

        def make_sdk(self, launch):                # has `tasks`, the set of running tasks, and `close()`
            return MySDK(launch.storage, launch.counted(Transport()), launch.wall_clock)

        async def do_trackEvent(self, params):     # one method for each command of the protocol
            await self.sdk.track_event(params["name"])

        async def do_onLink(self, params):
            self.sdk.on_link(self.callback(params["handle"]))

    run(MyAdapter)

Everything runs on one asyncio loop. The virtual clock is in the selector, where asyncio waits for the next
timer. If no work is ready, the clock moves on instead of waiting. See `spec/kit/adapter-protocol.md`.
"""
import asyncio
import json
import math
import os
import selectors
import socket
import ssl
import stat
import sys
import time

sys.stdout = sys.stderr  # all prints go to the log


def send(**message):
    """Writes one message to the kit."""
    sys.__stdout__.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.__stdout__.flush()


# -- the clock


class VirtualClock:
    """The time that `advance` sets, in seconds as in asyncio. Only messages of the kit contain milliseconds."""

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
        """Called if no work is ready. Returns True if the loop must check for work again, and False if it can sleep."""
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
            # Rounded up: if the kit got a time before the timer is due, it would ask again and again.
            send(id=id, result={"next": None if due is None else math.ceil(due * 1e6 - 1e-3) / 1000})
        return False


class Selector(selectors.DefaultSelector):
    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def select(self, timeout=None):
        """asyncio passes 0 if work is ready, else the time until the next timer, or None without a timer."""
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


class CountedTransport:
    """The SDK's transport. It counts open requests for the clock, since `advance` is answered only after they have ended."""

    def __init__(self, transport, clock):
        self.transport, self.clock = transport, clock

    async def send(self, *request):
        self.clock.requests += 1
        try:
            return await self.transport.send(*request)
        finally:
            self.clock.requests -= 1  # the task that awaits the answer continues before the loop is idle


# -- the network


class Network:
    """Applies the settings of a launch to this whole process: an authority that TLS trusts, and addresses of names."""

    def __init__(self):
        self.trust, self.hosts = None, {}
        self.resolve, self.load = socket.getaddrinfo, ssl.SSLContext.load_default_certs
        socket.getaddrinfo = self.getaddrinfo
        network = self
        ssl.SSLContext.load_default_certs = lambda context, *purpose: network.load_certs(context, *purpose)

    def start(self, trust, hosts):
        self.trust, self.hosts = trust, hosts

    def getaddrinfo(self, host, *rest, **named):
        return self.resolve(self.hosts.get(host, host), *rest, **named)

    def load_certs(self, context, *purpose):
        """Adds the authority of the launch to each context that loads the default authorities."""
        self.load(context, *purpose)
        if self.trust is not None:
            context.load_verify_locations(cadata=self.trust)


# -- the commands


class Unsupported(Exception):
    """Raised by a command whose feature the SDK does not have."""


class Launch:
    """The parameters of an app's start: its storage folder, facts about its surroundings, a seed, and the clock. If the SDK
    lists several dialects, they include the dialect to use."""

    def __init__(self, params, clock):
        self.storage, self.environment = params["storage"], params["environment"]
        self.seed, self.clock = params["seed"], clock
        self.dialect = params.get("dialect")
        self.wall_clock = clock.wall

    def counted(self, transport):
        return CountedTransport(transport, self.clock)


class Adapter:
    """Answers the commands that every adapter has. A subclass adds a method `do_NAME` for each command of its protocol. In
    NAME, `_` replaces each `-`."""

    hello = None
    errors = ()

    def __init__(self, loop):
        self.loop, self.clock = loop, loop.clock
        self.network = Network()
        self.sdk = None
        self.open = set()
        self.finished = loop.create_future()

    def make_sdk(self, launch):
        raise NotImplementedError("an adapter makes its SDK in make_sdk")

    def callback(self, handle):
        """A function that the SDK can call. The argument is sent to the kit."""
        return lambda value=None: send(method="callback", params={"handle": handle, "value": value})

    def receive(self, line):
        """Handles a line of stdin. An empty line is the end of stdin."""
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
        handler = getattr(self, "do_" + method.replace("-", "_"), None)
        if handler is None:  # the kit also sends invented commands
            send(id=id, error={"code": -32601, "message": "there is no command " + method})
            return
        try:
            result = await handler(params)
        except Unsupported as error:
            send(id=id, error={"code": -32000, "message": str(error), "data": {"kind": "unsupported"}})
        except self.errors as error:
            send(id=id, error={"code": -32000, "message": str(error), "data": self.data(error)})
        except asyncio.CancelledError:
            send(id=id, error={"code": -32000, "message": "the app has ended", "data": {"kind": "ended"}})
        except Exception as error:  # the adapter or the SDK is broken: no reply, and run() ends with a traceback
            self.finish(error)
        else:
            send(id=id, result=result)
        if method == "shutdown":
            self.finish()

    def data(self, error):
        return {"kind": error.kind} if error.status is None else {"kind": error.kind, "status": error.status}

    def finish(self, error=None):
        if not self.finished.done():
            self.finished.set_exception(error) if error else self.finished.set_result(None)

    async def end_app(self):
        if self.sdk is None:
            return
        self.sdk.close()
        own = asyncio.current_task()
        tasks = [task for task in (*self.open, *self.sdk.tasks) if task is not own]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.sdk = None

    async def do_hello(self, params):
        return self.hello

    async def do_ping(self, params):
        return None

    async def do_launch(self, params):
        await self.end_app()
        clock = params["clock"]
        self.clock.start(clock["epoch"], active=clock["mode"] == "virtual")
        self.network.start(params.get("trust"), params.get("hosts", {}))
        self.sdk = self.make_sdk(Launch(params, self.clock))

    async def do_quit(self, params):
        await self.end_app()

    do_shutdown = do_quit


class Lines:
    """Passes each line of stdin to the adapter, and an empty line at the end of stdin."""

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


def run(make_adapter):
    """Speaks the protocol over stdin and stdout until `shutdown` or the end of stdin."""
    if stat.S_ISREG(os.fstat(0).st_mode):  # the system reports no events for a file
        sys.exit("commands come from a pipe, a socket or a terminal, and stdin is none of them")
    loop = Loop(VirtualClock())
    adapter = make_adapter(loop)
    Lines(loop, adapter)
    loop.run_until_complete(adapter.finished)
    # A thread may still wait for an answer, but no task needs this answer, and the thread has nothing left to write.
    sys.stderr.flush()
    os._exit(0)
