"""Runs `conform` on subjects that misbehave: nothing that they start or store is left, the exit code is the right one.

    battery.py CONFORM [--sample] [--jobs N] [NAME ...]

Each mode of `modes.py` is a run of its own, in a folder and with a folder for temporary files of its own.
"""
import argparse
import base64
import fcntl
import json
import os
import quopri
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import modes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BEACON = ROOT / "Tests" / "ConformanceRunnerTests" / "Beacon"
PATIENCE = 120  # seconds until a run that does not end counts as hung
PEAK = 300  # megabytes that a run may take, with any subject
SERVED = 200  # megabytes that the reference server may take, with any clients
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
CASE = ("--case", "config.base-url.malformed", "--dialect", "spec", "--requirement", "LF-CFG-012")
BACKEND = """kit: 2
start:
  program: [{python}, -S, -E, {here}/hostile_backend.py, {bend}, --port, "${{app.port}}"]
  environment: {{ LAMP_URL: "${{lamp.url}}", LAMP_KEY: "${{apiKey}}", SESSIONS: "${{sessionA}}=${{keeperA}}" }}
  ready: {{ path: /health, within: 10s }}
probe: {{ exchange: app-pass, with: {{ session: "${{sessionA}}" }}, reaches: [lamp] }}
values: {{ apiKey: canary-4f1c9a7e21, sessionA: s-anna-77, keeperA: anna, sessionB: s-ben-78, keeperB: ben }}
exchanges: {{ app-pass: {{ method: POST, path: /session/pass, headers: {{ Authorization: "Basic ${{session}}" }} }} }}
answers: {{ app-pass: {{ pass: $.body.token }} }}
limits: {{ deadline: 8s, attempts: 1 }}
"""
SERVER = """kit: 2
start:
  program: [{python}, -S, -E, {here}/hostile_backend.py, {bend}, --port, "${{lamp.port}}", --log-port, "${{log.port}}", --key, "${{apiKey}}"]
  ready: {{ path: /towers/nearest, within: 10s }}
values: {{ apiKey: key-of-the-station }}
hooks:
  setWatch: {{ program: [/bin/sh, -c, {hook}, {python}, "${{lamp.url}}/control/setWatch"] }}
  grantPass: {{ http: {{ url: "${{lamp.url}}/control/grantPass", body: {{ pass: "${{pass}}" }} }} }}
  expirePass: {{ http: {{ url: "${{lamp.url}}/control/expirePass", body: {{ pass: "${{pass}}" }} }} }}
"""


class Trial:
    """One mode and the folder in which it is run."""

    def __init__(self, mode, conform):
        self.mode, self.conform = mode, conform
        self.folder = Path(tempfile.mkdtemp(prefix="hostile-", dir=MEMORY))
        self.temporary, self.canary = self.folder / "tmp", self.folder / "canary"
        self.temporary.mkdir()
        self.canary.mkdir()
        (self.canary / "precious").write_text("kept")
        self.problems = []
        self.peak = 0
        # What a process has in its environment from its start, so that it is known wherever it has gone.
        self.mark = f"HOSTILE_FOLDER={self.folder}"

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def command(self, bend=None, options=()):
        mode, folder = self.mode, self.folder
        bend = mode.bend if bend is None else bend
        if mode.kind == "adapter":
            sdk = [sys.executable, "-S", "-E", str(HERE / "hostile_adapter.py"), bend]
            return [self.conform, "run", "--sdk", shlex.join(sdk), *CASE, "--jobs", "1", *mode.options, *options]
        text, cases = (BACKEND, ("--role", "backend", "--case", "backend.pass")) if mode.kind == "backend" else (
            SERVER, ("--role", "server", "--case", "server.expired"))
        (folder / "binding.yaml").write_text(
            text.format(here=HERE, python=sys.executable, bend=json.dumps(bend), hook=json.dumps(mode.hook)))
        return [self.conform, "run", "--root", str(BEACON), "--protocol", "beacon",
                "--backend" if mode.kind == "backend" else "--server-file", "binding.yaml", *cases, *mode.options]

    def start(self, command):
        environment = {**os.environ, "TMPDIR": str(self.temporary), "HOSTILE_FOLDER": str(self.folder),
                       "HOSTILE_CANARY": str(self.canary), **self.mode.variables}
        self.output = open(self.folder / "output", "w+")
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=self.output, stderr=self.output)

    def run(self, command):
        """The exit code of a run, which gets the signals of the mode; None when it hung."""
        process = self.start(command)
        end = time.monotonic() + PATIENCE
        for name in self.mode.signals:
            while not (self.folder / "ready").exists() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(getattr(signal, "SIG" + name))
            # Two signals within a second are one.
            time.sleep(1.2 if len(self.mode.signals) > 1 else 0)
        code = self.end(process)
        self.output.seek(0)
        self.text = self.output.read()
        self.words = " ".join(self.text.split())
        self.output.close()
        return code

    def end(self, process):
        """The exit code of a process, None when it hung; and what it and those that it waited for took at most."""
        if process.returncode is not None:
            return process.returncode
        end, code = time.monotonic() + PATIENCE, None
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                process.kill()
                ended = os.wait4(process.pid, 0)
                break
            time.sleep(0.01)
        else:
            code = os.waitstatus_to_exitcode(ended[1])
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        self.peak = ended[2].ru_maxrss / 1024
        self.expect(self.peak < PEAK, f"it took {self.peak:.0f} MB of memory")
        return code

    def left(self):
        """The processes of this trial that still run."""
        found = set()
        pids = self.folder / "pids"
        enlisted = {int(line) for line in pids.read_text().split()} if pids.exists() else set()
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
                # A process whose first thread has ended is shown as dead, and lives in its other threads.
                if fields[0] == "X" or fields[0] == "Z" and int(fields[17]) <= 1:
                    continue
                thread = max(Path("/proc", entry, "task").iterdir(), key=lambda path: int(path.name))
                environment = (thread / "environ").read_bytes().split(b"\0")
                words = (thread / "cmdline").read_bytes()
            except (OSError, IndexError):
                continue
            is_ours = self.mark.encode() in environment
            # One without our variable is known by its number, and by what it is.
            if is_ours or int(entry) in enlisted and b"sleep" in words:
                found.add(f"{entry} {words.replace(bytes(1), b' ').decode(errors='replace')[:80]}")
        return found

    def expect_nothing_left(self):
        end = time.monotonic() + (30 if "KILL" in self.mode.signals or "ABRT" in self.mode.signals else 0)
        while (left := self.left()) and time.monotonic() < end:
            time.sleep(0.02)
        self.expect(not left, f"{len(left)} processes are left: {sorted(left)[:3]}")

    def stored(self):
        return sorted(os.listdir(self.temporary)) if self.temporary.exists() else []

    def serve(self):
        """What clients do to the reference server, which takes a bounded amount of memory and serves others still."""
        process = self.start([self.conform, "serve", "--port", "0", "--control", "--quiet"])
        try:
            end = time.monotonic() + PATIENCE
            while not (found := re.search(r"127\.0\.0\.1:(\d+)", (self.folder / "output").read_text())):
                if process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError("the server does not start")
                time.sleep(0.02)
            service = Service(int(found[1]))
            getattr(checks, "serve_" + self.mode.check)(self, service)
            status = Path(f"/proc/{process.pid}/status").read_text()
            self.peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024
            self.expect(self.peak < SERVED, f"it took {self.peak:.0f} MB of memory")
            self.expect(service.status(b"GET /api/sdk/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") == 200, "it serves nobody else")
        finally:
            process.terminate()
            process.wait(PATIENCE)
        return self

    def play(self):
        mode = self.mode
        if mode.kind == "service":
            return self.serve()
        getattr(checks, "before_" + mode.check, lambda trial: None)(self)
        code = self.run(self.command())
        self.expect(code == mode.code, f"exit code {code}, expected {mode.code}")
        for text in mode.says:
            self.expect(text in self.words, f"it does not say '{text}'")
        self.expect_nothing_left()
        if mode.leaves:
            self.expect(self.stored(), "a run that is killed leaves a folder, and none is there")
            next_run = subprocess.run(
                self.command(bend=""), cwd=self.folder, capture_output=True, text=True,
                env={**os.environ, "TMPDIR": str(self.temporary), "HOSTILE_FOLDER": str(self.folder)})
            self.expect(next_run.returncode == 0, f"the next run ends with {next_run.returncode}")
            self.expect(next_run.stderr.count("that did not finish") == 1,
                        "the next run does not say that it removed something")
        if not mode.keeps:
            self.expect(not self.stored(), f"folders are left: {self.stored()[:3]}")
        self.expect((self.canary / "precious").read_text() == "kept", "a file that is not the kit's has changed")
        getattr(checks, "after_" + mode.check, lambda trial: None)(self)
        return self

    def close(self):
        subprocess.run(["rm", "-rf", self.folder])


class Service:
    """The reference server at a port."""

    def __init__(self, port):
        self.port = port

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def status(self, request):
        """The status of the answer to a request."""
        with self.connect() as line:
            line.sendall(request)
            return int(line.recv(4096).split()[1])

    @staticmethod
    def close_by_server(lines, seconds):
        """How many of these connections the server has closed after a time."""
        end, closed = time.monotonic() + seconds, set()
        while len(closed) < len(lines) and time.monotonic() < end:
            for line in select.select([line for line in lines if line not in closed], [], [], 0.5)[0]:
                try:
                    if not line.recv(65536):
                        closed.add(line)
                except OSError:
                    closed.add(line)
        return len(closed)


class checks:
    """What some modes need before, and what is true after."""

    @staticmethod
    def after_no_leftovers(trial):
        trial.expect("left a process" not in trial.words, "a child that ended with its parent is told")

    @staticmethod
    def after_canary(trial):
        expected = ["precious"] if "--force" not in trial.mode.options else None
        if expected:
            trial.expect(os.listdir(trial.canary) == expected, f"the folder holds {os.listdir(trial.canary)}")

    @staticmethod
    def report(trial):
        """A whole report of an honest run."""
        done = subprocess.run(trial.command(bend=""), cwd=trial.folder, capture_output=True, env={
            **os.environ, "TMPDIR": str(trial.temporary), "HOSTILE_FOLDER": str(trial.folder)})
        trial.expect(done.returncode == 0, "the run before did not pass")
        return trial.folder / "conform-report"

    @staticmethod
    def before_canary_evidence(trial):
        report = checks.report(trial)
        shutil.rmtree(report / "evidence")
        (report / "evidence").symlink_to(trial.canary)

    @staticmethod
    def before_canary_junit(trial):
        report = checks.report(trial)
        (report / "junit.xml").unlink()
        (report / "junit.xml").symlink_to(trial.canary / "precious")

    @staticmethod
    def before_canary_evidence_file(trial):
        report = checks.report(trial)
        file = next((report / "evidence").iterdir())
        file.unlink()
        file.symlink_to(trial.canary / "precious")

    @staticmethod
    def before_locked(trial):
        report = checks.report(trial)
        trial.lock = open(report / ".conform-report", "r+")
        fcntl.flock(trial.lock, fcntl.LOCK_EX)

    @staticmethod
    def after_locked(trial):
        trial.expect((trial.folder / "conform-report" / "junit.xml").exists(), "another run's file is gone")
        trial.lock.close()

    @staticmethod
    def before_stale(trial):
        checks.report(trial)

    @staticmethod
    def after_stale(trial):
        names = os.listdir(trial.folder / "conform-report")
        trial.expect("junit.xml" not in names and "run.jsonl" not in names, f"old results look new: {names}")
        trial.expect("junit.xml.stale" in names, f"old results are gone: {names}")

    @staticmethod
    def before_other_evidence(trial):
        report = checks.report(trial)
        (report / "evidence" / "other.case@spec.jsonl").write_text("{}\n")

    @staticmethod
    def after_other_evidence(trial):
        evidence = trial.folder / "conform-report" / "evidence"
        trial.expect((evidence / "other.case@spec.jsonl").exists(), "the evidence of another selection is gone")
        trial.expect(len(os.listdir(evidence)) == 4, f"the evidence is {os.listdir(evidence)}")

    @staticmethod
    def before_secrets(trial):
        # Each spelling of it is one long piece, and it has a letter that JSON may escape.
        secret = "canary/4f1c9a7e21"
        plain = trial.command
        trial.command = lambda bend=None, options=(): [
            word.replace(sys.executable, f"API_TOKEN={secret} {sys.executable}", 1) if "hostile_adapter" in word else word
            for word in plain(bend, options)]
        trial.secret = secret

    @staticmethod
    def after_secrets(trial):
        names = {"os": os, "base64": base64, "json": json, "quopri": quopri}
        source = (HERE / "hostile_adapter.py").read_text()
        exec(source[source.index("def spellings"):source.index("def ready")], names)
        written = trial.text.encode() + b"".join(
            file.read_bytes() for file in (trial.folder / "conform-report").rglob("*") if file.is_file())
        trial.expect(b"[redacted]" in written, "nothing was redacted")
        for spelling in names["spellings"](trial.secret):
            for line in spelling.split():
                trial.expect(len(line) < 12 or line not in written, f"'{line.decode()}' is written")

    @staticmethod
    def after_markup(trial):
        record = str(trial.folder / "conform-report/run.jsonl")
        for words in (["report", record, "--format", "markdown"], ["matrix", record], ["matrix", record, "--format", "csv"]):
            text = subprocess.run([trial.conform, *words], capture_output=True, text=True).stdout
            is_csv = words[-1] == "csv"
            for raw in ("\u202e", "\u200b", *(("\n;=",) if is_csv else ("](https://", " @team", " #1 ", "~~x"))):
                trial.expect(raw not in text, f"{' '.join(words[:1] + words[2:])} shows {raw!r}")

    @staticmethod
    def serve_slow_heads(trial, service):
        lines = [service.connect() for _ in range(500)]
        for line in lines:
            try:
                line.sendall(b"GET /api/sdk/v1/health HTTP/1.1\r\nX-Slow: ")
            except OSError:
                pass
        closed = service.close_by_server(lines, 20)
        trial.expect(closed == len(lines), f"{len(lines) - closed} of {len(lines)} slow connections stay open")

    @staticmethod
    def serve_unfinished_bodies(trial, service):
        head = (b"POST /api/sdk/v1/event HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                b"Content-Length: 2621440\r\n\r\n")

        def send(_):
            line = service.connect()
            line.settimeout(10)
            try:
                line.sendall(head + b"x" * 2621439)
            except OSError:
                pass
            return line
        with ThreadPoolExecutor(16) as pool:
            lines = list(pool.map(send, range(200)))
        closed = service.close_by_server(lines, 45)
        trial.expect(closed == len(lines), f"{len(lines) - closed} of {len(lines)} unfinished bodies stay open")

    @staticmethod
    def serve_rebinding(trial, service):
        def answer(host, more=b"", kind=b"application/json"):
            return service.status(b"POST /_conform/createTemplate HTTP/1.1\r\nHost: " + host + b"\r\nContent-Type: " + kind
                                  + b"\r\nContent-Length: 16\r\n" + more + b"\r\n{\"slug\":\"promo\"}")
        trial.expect(answer(b"attacker.example") == 403, "a command for another host is obeyed")
        trial.expect(answer(b"localhost", b"Origin: http://attacker.example\r\n") == 403, "a page's command is obeyed")
        trial.expect(answer(b"localhost", kind=b"application/jsonfoo") == 400, "application/jsonfoo is taken")
        trial.expect(answer(b"localhost") == 200, "an operator's command is refused")

    @staticmethod
    def serve_hosts(trial, service):
        for host in (b"", b"Host: a\r\nHost: b\r\n"):
            status = service.status(b"GET /api/sdk/v1/health HTTP/1.1\r\n" + host + b"\r\n")
            trial.expect(status == 400, f"'{host.decode().strip()}' is answered with {status}")

    @staticmethod
    def in_a_namespace(trial, script):
        """Runs the command after a script, with mounts of its own, which go with the process."""
        trial.command = lambda bend=None, options=(), command=trial.command: [
            "unshare", "-m", "sh", "-c", script, "sh", *command(bend, options)]

    @staticmethod
    def before_namespace(trial):
        checks.in_a_namespace(trial, '"$@"')

    @staticmethod
    def judged(trial, change):
        """What `judge` says of an honest report whose first evidence is changed; it ends in any case."""
        report = checks.report(trial)
        evidence = sorted((report / "evidence").iterdir())[0]
        change(evidence)
        done = subprocess.run([trial.conform, "judge", "--record", str(report / "run.jsonl")], capture_output=True,
                              text=True, timeout=PATIENCE)
        trial.expect(done.returncode == 1, f"judge ends with {done.returncode}: {done.stdout[-300:]}")
        return done.stdout

    @staticmethod
    def before_device(trial):
        def change(evidence):
            evidence.unlink()
            evidence.symlink_to("/dev/zero")
        trial.expect("it is a link" in checks.judged(trial, change), "judge does not say that it is a link")

    @staticmethod
    def before_sparse(trial):
        said = checks.judged(trial, lambda evidence: os.truncate(evidence, 1 << 40))
        trial.expect("it is longer than" in said, "judge does not say that it is too long")

    @staticmethod
    def before_full_disk(trial):
        disk = trial.folder / "conform-report"
        disk.mkdir()
        # Room for the reserve and little more.
        checks.in_a_namespace(
            trial,
            f'mount -t tmpfs -o size=600k full {disk} && "$@"; code=$?; cp -r {disk}/. {trial.folder}/kept; exit $code')

    @staticmethod
    def after_full_disk(trial):
        kept = trial.folder / "kept"
        lines = (kept / "run.jsonl").read_text().splitlines()
        end = json.loads(lines[-1])
        trial.expect(end["record"] == "end" and end["exitCode"] == 3, f"the record ends with {lines[-1][:200]}")
        trial.expect("No space left" in (kept / "junit.xml").read_text(), "the JUnit file does not say so")
        report = subprocess.run([trial.conform, "report", str(kept / "run.jsonl")], capture_output=True, text=True)
        trial.expect(report.returncode == 3, f"the record is refused: {report.stderr[:200]}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("conform")
    options.add_argument("names", nargs="*")
    options.add_argument("--sample", action="store_true")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_intermixed_args()
    # Under nohup the kit would be deaf to SIGHUP too, as it should be there.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    conform = str(Path(given.conform).resolve())
    chosen = [mode for mode in modes.MODES
              if (not given.names or mode.name in given.names) and (mode.sample or not given.sample)]
    unknown = set(given.names) - {mode.name for mode in modes.MODES}
    if unknown:
        sys.exit(f"unknown modes: {', '.join(sorted(unknown))}")

    def play(mode):
        trial = Trial(mode, conform)
        begin = time.monotonic()
        try:
            trial.play()
        except Exception as error:
            trial.problems.append(f"{type(error).__name__}: {error}")
        text = f"{'ok  ' if not trial.problems else 'FAIL'} {mode.name}  {time.monotonic() - begin:.1f} s, {trial.peak:.0f} MB"
        if trial.problems:
            tail = "\n    | ".join(getattr(trial, "text", "").splitlines()[-12:])
            text += "".join(f"\n    {problem}" for problem in trial.problems) + f"\n    | {tail}"
        print(text, flush=True)
        trial.close()
        return trial

    with ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(play, chosen))
    passed = sum(not trial.problems for trial in results)
    print(f"{passed} of {len(results)} modes, at most {max(trial.peak for trial in results):.0f} MB")
    sys.exit(0 if passed == len(results) else 1)


main()
