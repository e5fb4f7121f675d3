"""An adapter that answers what it must and misbehaves in one way, which is Python on the command line.

The piece of code is run once, after the names below are there; it may set `at[METHOD]` to what happens when the command
comes (True: it has been answered) and `after[METHOD]` to what happens behind the reply.
"""
import base64
import ctypes
import json
import os
import quopri
import signal
import socket
import subprocess
import sys
import threading
import time

PIDS = os.path.join(os.environ["HOSTILE_FOLDER"], "pids")
at, after, launch = {}, {}, {}

HELLO = {
    "protocolVersion": 1, "protocol": "linkforty", "specRevision": "2026-03-12",
    "sdk": {"name": "hostile", "version": "0.1.0", "language": "python"},
    "capabilities": ["initialization"], "clocks": ["virtual"], "instances": "many",
}


def write(line):
    os.write(1, line.encode())


def send(**message):
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def reply(id, value=None):
    send(id=id, result=value)


def enlist():
    with open(PIDS, "a") as file:
        file.write(f"{os.getpid()}\n")


def stay():
    enlist()
    while True:
        signal.pause()


def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)


def forked(*steps):
    """A process that takes these steps and stays; returns once it is known."""
    known, tell = os.pipe()
    if os.fork() == 0:
        for step in steps:
            step()
        enlist()
        os.write(tell, b".")
        os.close(tell)
        os.close(known)
        while True:
            signal.pause()
    os.close(tell)
    os.read(known, 1)
    os.close(known)


def again():
    """Leaves the parent behind: the second half of a double fork."""
    if os.fork():
        os._exit(0)


def quiet():
    """Lets go of the streams, as a daemon does."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)


def alone():
    os.chdir("/")
    os.setsid()


def headless():
    """A process whose first thread has ended: its state is that of a dead one, and it goes on in another thread."""
    enlist()
    threading.Thread(target=time.sleep, args=(600,)).start()
    ctypes.CDLL(None).pthread_exit(None)


def anonymous():
    """A program without a variable of ours."""
    enlist()
    os.execve("/bin/sleep", ["sleep", "600"], {})


def chain(count):
    for _ in range(count):
        if os.fork():
            stay()
        enlist()


def storm(seconds):
    """Forks as fast as it can; each child lives a moment."""
    end = time.monotonic() + seconds
    if os.fork() == 0:
        os.setsid()
        while time.monotonic() < end:
            if os.fork() == 0:
                time.sleep(0.05)
                os._exit(0)
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
        stay()


def parent_of(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def deep(folder, count, name="d"):
    """Folders in folders, deeper than any path may be long."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(count):
        os.mkdir(name, dir_fd=here)
        below = os.open(name, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def install(url):
    """The request that every app makes first, and nothing of its answer."""
    host, _, port = url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"POST /api/sdk/v1/install HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 2\r\n"
                     "Content-Type: application/json\r\nConnection: close\r\n\r\n{}".encode())
        while line.recv(65536):
            pass


def spellings(secret):
    """Ways in which logs spell a secret, a line each."""
    lines = base64.encodebytes(secret.encode() * 4).replace(b"\n", b"\r\n")
    return [
        secret.encode(), base64.b64encode(secret.encode()), base64.b64encode(secret.encode("utf-16-le")), lines,
        base64.b64encode(base64.b64encode(secret.encode())), base64.b32encode(secret.encode()),
        ":".join(f"{byte:02X}" for byte in secret.encode()).encode(), " ".join(f"0x{byte:02x}" for byte in
                                                                              secret.encode()).encode(),
        "".join(f"%u{ord(letter):04x}" for letter in secret).encode(), quopri.encodestring(secret.encode(), True),
        str(list(secret.encode())).encode(), base64.b64encode(json.dumps({"token": secret}).replace("/", "\\/").encode()),
    ]


def ready():
    open(os.path.join(os.environ["HOSTILE_FOLDER"], "ready"), "w").close()


def hang(*_):
    ready()
    stay()


enlist()
exec(sys.argv[1])

for line in iter(sys.stdin.readline, ""):
    command = json.loads(line)
    id, method, params = command["id"], command["method"], command["params"]
    if method == "launch":
        launch = params
    if method in at and at[method](id):
        continue
    if method == "hello":
        reply(id, HELLO)
    elif method in ("launch", "quit", "ping", "shutdown"):
        reply(id)
    elif method == "advance":
        reply(id, {"next": None})
    elif method == "initialize" and params["baseUrl"].startswith("http://"):
        install(params["baseUrl"])
        reply(id, {"installId": "0b8f6a9e-3d1c-4b55-9c7e-2f6a1d0e4c3b", "attributed": False, "confidenceScore": 0,
                   "matchedFactors": [], "deepLinkData": None})
    elif method == "initialize":
        send(id=id, error={"code": -32000, "message": "refused", "data": {"kind": "invalidConfiguration"}})
    else:
        send(id=id, error={"code": -32601, "message": "there is no command " + method})
    if method in after:
        after[method](id)
    if method == "shutdown":
        break
