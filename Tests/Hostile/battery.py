"""Runs `conform` on subjects that misbehave: nothing that they start or store is left, the exit code is the right one.

    battery.py CONFORM [--sample] [--jobs N] [NAME ...]

Each mode of `modes.py` is a run of its own, in a folder and with a folder for temporary files of its own.
"""
import argparse
import fcntl
import json
import os
import shlex
import shutil
import signal
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
            time.sleep(0.3 if len(self.mode.signals) > 1 else 0)
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
                state = Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state in "ZX":
                    continue
                environment = Path("/proc", entry, "environ").read_bytes().split(b"\0")
                words = Path("/proc", entry, "cmdline").read_bytes()
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

    def play(self):
        mode = self.mode
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
        self.expect(not self.stored(), f"folders are left: {self.stored()[:3]}")
        self.expect((self.canary / "precious").read_text() == "kept", "a file that is not the kit's has changed")
        getattr(checks, "after_" + mode.check, lambda trial: None)(self)
        return self

    def close(self):
        subprocess.run(["rm", "-rf", self.folder])


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
    def before_full_disk(trial):
        disk = trial.folder / "conform-report"
        disk.mkdir()
        # Room for the reserve and little more; in a namespace of its own, so that the mount goes with the process.
        trial.command = lambda bend=None, options=(), command=trial.command: [
            "unshare", "-m", "sh", "-c",
            f'mount -t tmpfs -o size=600k full {disk} && "$@"; code=$?; cp -r {disk}/. {trial.folder}/kept; exit $code',
            "sh", *command(bend, options)]

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
