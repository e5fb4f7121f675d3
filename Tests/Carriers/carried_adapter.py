"""Carries the messages of an adapter that speaks over its standard streams: to the kit by a WebSocket, or as a server.

  python3 carried_adapter.py dial MODE COMMAND…     opens a WebSocket to CONFORM_ADAPTER_URL, again after each end
  python3 carried_adapter.py listen MODE COMMAND…   listens for HTTP, and prints its address

MODE is `whole`, or one way of breaking the carrier. It uses the standard library only.
"""
import base64
import gzip
import http.server
import os
import socket
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

KIND, MODE, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]


# What the place of this adapter can do: see `host` in the adapter protocol.
HOST = {"dial": b'"host":["files","kill"],', "listen": b'"host":["files"],'}[KIND]


sessions = 0


def carried(line):
    line = line.rstrip(b"\n").replace(b'"instances":', HOST + b'"instances":', 1)
    if MODE == "batch":
        return b"[" + line + b"]"
    return line.replace(b'"version":"', b'"version":"%d.' % sessions) if MODE == "other-sdk" else line


def started():
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ended(process):
    process.kill()
    process.wait()


class WebSocket:
    def __init__(self, url, fields=()):
        place = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((place.hostname, place.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb")
        self.lock = threading.Lock()
        key = base64.b64encode(os.urandom(16)).decode()
        version, method = "8" if MODE == "old-version" else "13", "POST" if MODE == "post" else "GET"
        lines = [f"{method} /?{place.query} HTTP/1.1", f"Host: {place.netloc}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", f"Sec-WebSocket-Version: {version}",
                 "User-Agent: carried_adapter", *fields]
        self.socket.sendall("".join(line + "\r\n" for line in lines + [""]).encode())
        self.status = int(self.input.readline().split()[1])
        head = []
        while (line := self.input.readline()) not in (b"\r\n", b""):
            head.append(line)
        self.refusal = "" if self.status == 101 else self.input.read().decode()

    def frame(self, opcode, payload, fin=True, masked=True, length=None, reserved=0):
        length = len(payload) if length is None else length
        head = bytes([(0x80 if fin else 0) | reserved | opcode])
        mark = 0x80 if masked else 0
        if length < 126:
            head += bytes([mark | length])
        elif length < 1 << 16:
            head += bytes([mark | 126]) + struct.pack(">H", length)
        else:
            head += bytes([mark | 127]) + struct.pack(">Q", length)
        if masked:
            mask = os.urandom(4)
            head += mask
            payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        with self.lock:
            self.socket.sendall(head + payload)

    def text(self, payload):
        if MODE == "fragments":
            pieces = [payload[start:start + 20] for start in range(0, len(payload), 20)]
            for index, piece in enumerate(pieces):
                self.frame(1 if index == 0 else 0, piece, fin=index == len(pieces) - 1)
        elif MODE == "binary":
            self.frame(2, payload)
        elif MODE == "unmasked":
            self.frame(1, payload, masked=False)
        elif MODE == "long":
            self.frame(1, b"{", length=64 << 20)
        elif MODE in FRAMES:
            for opcode, piece, options in FRAMES[MODE]:
                self.frame(opcode, payload if piece is None else piece, **options)
        elif MODE == "reset":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Wakes the reader, whose call would keep the connection open.
            self.socket.shutdown(socket.SHUT_RD)
            self.input.close()
            self.socket.close()
        else:
            self.frame(1, payload)

    def read(self):
        """The next message as opcode and payload; None at the end."""
        head = self.input.read(2)
        if len(head) < 2:
            return None
        length = head[1] & 0x7F
        if length >= 126:
            size = 2 if length == 126 else 8
            length = int.from_bytes(self.input.read(size), "big")
        return head[0] & 0x0F, self.input.read(length)


# The frames in place of each message, by mode. The payload None is the message itself.
FRAMES = {
    "compressed": [(1, None, {"reserved": 0x40})],
    "opcode": [(3, None, {})],
    "control-opcode": [(11, b"", {})],
    "interleaved": [(1, b"{", {"fin": False}), (1, None, {})],
    "continues": [(0, None, {})],
    "many-fragments": [(1, b"{", {"fin": False})] + [(0, b" ", {"fin": False})] * (1 << 14),
    "long-ping": [(9, b"x" * 126, {})],
    "ping-in-parts": [(9, b"x", {"fin": False})],
    "close-without-code": [(8, b"", {})],
    "close-1005": [(8, struct.pack(">H", 1005), {})],
    "close-of-a-byte": [(8, b"\3", {})],
    "close-1000": [(8, struct.pack(">H", 1000), {})],
}


def serve(web_socket):
    """Carries messages between a WebSocket and a process until one of them ends."""
    global sessions
    sessions += 1
    process = started()

    def up():
        for line in process.stdout:
            if MODE == "leaves" and b'"id":4' in line:
                return web_socket.frame(8, struct.pack(">H", 1001))
            if MODE == "vanishes" and b'"id":4' in line:
                return web_socket.socket.shutdown(socket.SHUT_RDWR)
            web_socket.text(carried(line))
        try:
            web_socket.frame(8, struct.pack(">H", 1000))
        except OSError:
            pass

    threading.Thread(target=up, daemon=True).start()
    while (message := web_socket.read()) is not None:
        opcode, payload = message
        if opcode == 8:
            print("closed", int.from_bytes(payload[:2], "big"), payload[2:].decode(), file=sys.stderr, flush=True)
            break
        process.stdin.write(payload + b"\n")
        process.stdin.flush()
    ended(process)


def dial():
    url = os.environ["CONFORM_ADAPTER_URL"]
    if MODE == "no-token":
        url = url.split("?")[0]
    fields = {
        "stranger": ["Origin: https://example.com"], "local": ["Origin: http://localhost:8080"],
        "two-origins": ["Origin: http://localhost", "Origin: https://example.com"], "control-character": ["X: \x1b[31m"],
    }.get(MODE, [])
    while True:
        try:
            web_socket = WebSocket(url, fields)
        except OSError:
            time.sleep(0.05)
            continue
        if web_socket.status != 101:
            sys.exit(f"refused with {web_socket.status}: {web_socket.refusal}")
        if MODE == "twice":
            second = WebSocket(url)
            print("second", second.read(), file=sys.stderr, flush=True)
        serve(web_socket)


# The bytes in place of an answer, by mode.
ANSWERS = {
    "banner": b"SSH-2.0-OpenSSH_9.2\r\n",
    "other-version": b"HTTP/2.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
    "long-head": b"HTTP/1.1 200 OK\r\n" + b"X: %s\r\n" % (b"y" * 4000) * 300,
    "coded": b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions = {}

    def do_GET(self):
        if MODE == "no-adapter":
            return self.send_error(404)
        if MODE == "redirect":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if MODE == "silent":
            time.sleep(60)
        if MODE in ANSWERS:
            self.wfile.write(ANSWERS[MODE])
            time.sleep(1)
            self.close_connection = True
            return None
        process = self.sessions[self.headers["Conform-Session"]] = started()
        self.send_response(304 if MODE == "not-modified" else 200)
        types = {"page": "text/html", "other-type": "text/event-streamish", "charset": "Text/Event-Stream; charset=utf-8"}
        self.send_header("Content-Type", types.get(MODE, "text/event-stream"))
        if MODE == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Connection", "close")
        self.end_headers()
        for line in process.stdout:
            if MODE == "breaks-off" and b'"id":4' in line:
                self.connection.shutdown(socket.SHUT_RDWR)
                break
            end = b"\r\n" if MODE == "returns" else b"\n"
            line = carried(line)
            if MODE == "without-data":
                self.wfile.write(line + b"\n\n")
            elif MODE == "without-end":
                self.wfile.write(b"data: " + line + b"\n")
            elif MODE == "compressed":
                self.wfile.write(gzip.compress(b"data: " + line + b"\n\n"))
            else:
                mark = b"\xef\xbb\xbf" if MODE == "mark" else b""
                self.wfile.write(mark + b": a comment" + end + b"data: " + line + end + end)
        ended(process)
        self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if MODE == "refuses":
            return self.send_error(503)
        process = self.sessions[self.headers["Conform-Session"]]
        if MODE == "never-accepts":
            time.sleep(60)
        process.stdin.write(body)
        process.stdin.flush()
        answer = b'{"jsonrpc":"2.0"}' if MODE == "replies-at-once" else b""
        self.send_response(200 if MODE == "says-200" else 202)
        if MODE == "accepts-compressed":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format, *arguments):
        pass


def listen():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/adapter", flush=True)
    server.serve_forever()


{"dial": dial, "listen": listen}[KIND]()
