"""Carries the messages of an adapter that speaks over its standard streams: to the kit by a WebSocket, or as a server.

  python3 carried_adapter.py dial MODE COMMAND…     opens a WebSocket to CONFORM_ADAPTER_URL, again after each end
  python3 carried_adapter.py listen MODE COMMAND…   listens for HTTP, and prints its address

MODE is `whole`, or one way of breaking the carrier. It uses the standard library only.
"""
import base64
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


def carried(line):
    return line.rstrip(b"\n").replace(b'"instances":', HOST + b'"instances":', 1)


def started():
    return subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ended(process):
    process.kill()
    process.wait()


class WebSocket:
    def __init__(self, url, origin=None):
        place = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((place.hostname, place.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.input = self.socket.makefile("rb")
        self.lock = threading.Lock()
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /?{place.query} HTTP/1.1", f"Host: {place.netloc}", "Upgrade: websocket", "Connection: Upgrade",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "User-Agent: carried_adapter"]
        lines += [f"Origin: {origin}"] if origin else []
        self.socket.sendall("".join(line + "\r\n" for line in lines + [""]).encode())
        self.status = int(self.input.readline().split()[1])
        head = []
        while (line := self.input.readline()) not in (b"\r\n", b""):
            head.append(line)
        self.refusal = "" if self.status == 101 else self.input.read().decode()

    def frame(self, opcode, payload, fin=True, masked=True, length=None):
        length = len(payload) if length is None else length
        head = bytes([(0x80 if fin else 0) | opcode])
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


def serve(web_socket):
    """Carries messages between a WebSocket and a process until one of them ends."""
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
    origin = {"stranger": "https://example.com", "local": "http://localhost:8080"}.get(MODE)
    while True:
        try:
            web_socket = WebSocket(url, origin)
        except OSError:
            time.sleep(0.05)
            continue
        if web_socket.status != 101:
            sys.exit(f"refused with {web_socket.status}: {web_socket.refusal}")
        if MODE == "twice":
            second = WebSocket(url)
            print("second", second.read(), file=sys.stderr, flush=True)
        serve(web_socket)


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
        process = self.sessions[self.headers["Conform-Session"]] = started()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if MODE == "page" else "text/event-stream")
        if MODE == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Connection", "close")
        self.end_headers()
        for line in process.stdout:
            if MODE == "breaks-off" and b'"id":4' in line:
                self.connection.shutdown(socket.SHUT_RDWR)
                break
            end = b"\r\n" if MODE == "returns" else b"\n"
            self.wfile.write(b": a comment" + end + b"data: " + carried(line) + end + end)
        ended(process)
        self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if MODE == "refuses":
            return self.send_error(503)
        process = self.sessions[self.headers["Conform-Session"]]
        process.stdin.write(body)
        process.stdin.flush()
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


def listen():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/adapter", flush=True)
    server.serve_forever()


{"dial": dial, "listen": listen}[KIND]()
