"""A folder and a run of the kit that a mutant cannot leave: bounded in time, disk, memory and number of processes."""
import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

MARK = "CONFORM_MUTANT"
MAX_DISK = 512 << 20  # bytes in the folder, with the evidence of a whole run
MAX_FILE = 64 << 20
MAX_MEMORY = 3 << 30
MAX_PROCESSES = 150


OPEN = set()


def close_all():
    """For an interrupt: the threads that use the sandboxes do not see it."""
    for each in list(OPEN):
        each.__exit__()


class Sandbox:
    """A copied folder for one mutant. Everything in it and every process of it is gone afterwards."""

    def __init__(self, subject, root):
        self.folder = Path(tempfile.mkdtemp(prefix="conform-mutant-"))
        self.mark = uuid.uuid4().hex
        OPEN.add(self)
        for name in (subject.folder, *subject.shared):
            shutil.copytree(root / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)
        (self.folder / "tmp").mkdir()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        OPEN.discard(self)
        self.kill_all()
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self):
        """The processes that this sandbox has started, whatever session they are in."""
        wanted = f"{MARK}={self.mark}".encode()
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    with open(f"/proc/{entry}/environ", "rb") as file:
                        if wanted in file.read():
                            yield int(entry)
                except OSError:
                    pass

    def kill_all(self):
        for _ in range(20):
            found = list(self.processes())
            if not found:
                return
            for process in found:
                try:
                    os.kill(process, signal.SIGKILL)
                except OSError:
                    pass
            time.sleep(0.05)

    def breach(self):
        """Which bound is broken, if one is."""
        found = list(self.processes())
        if len(found) > MAX_PROCESSES:
            return f"it started more than {MAX_PROCESSES} processes"
        page, memory = resource.getpagesize(), 0
        for process in found:
            try:
                with open(f"/proc/{process}/statm", encoding="ascii") as file:
                    memory += int(file.read().split()[1]) * page
            except OSError:
                pass
        if memory > MAX_MEMORY:
            return f"it used more than {MAX_MEMORY >> 20} MiB of memory"
        size = 0
        for folder, _, names in os.walk(self.folder):
            for name in names:
                try:
                    size += os.lstat(os.path.join(folder, name)).st_blocks * 512
                except OSError:
                    pass
        if size > MAX_DISK:
            return f"it wrote more than {MAX_DISK >> 20} MiB"
        return None

    def run(self, command, *, limit, on_record=None):
        """Runs the kit here. `on_record` gets each line of the record as it is written, and may return True: enough.

        Returns (exit code or None, what ended it: "", "enough", "time" or a broken bound, the end of its stderr)."""
        output = self.folder / "report"
        shutil.rmtree(output, ignore_errors=True)
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(self.folder / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}

        def bound():
            resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE, MAX_FILE))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        log = self.folder / "log"
        with open(log, "wb") as file:
            process = subprocess.Popen(
                [*command, "--output", str(output), "--force", "--quiet"], cwd=self.folder, env=environment, stdout=file,
                stderr=file, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=bound)
            ended, begun, checked = "", time.monotonic(), time.monotonic()
            records = Records(output / "run.jsonl")
            try:
                while True:
                    code = process.poll()
                    for record in records.read():
                        if on_record is not None and on_record(record):
                            ended = "enough"
                    if code is not None or ended:
                        break
                    now = time.monotonic()
                    if now - begun > limit:
                        ended = "time"
                    elif now - checked > 2:
                        checked, ended = now, self.breach() or ""
                    if not ended:
                        time.sleep(0.05)
            finally:
                records.close()
                if process.poll() is None:
                    process.kill()
                    process.wait()
                self.kill_all()
        with open(log, "rb") as file:
            file.seek(max(0, log.stat().st_size - 2000))
            text = file.read().decode("utf-8", "replace").strip()
        return process.returncode if ended == "" else None, ended, text


class Records:
    """The lines of a record while it is written."""

    def __init__(self, path):
        self.path, self.file, self.rest = path, None, b""

    def close(self):
        if self.file is not None:
            self.file.close()

    def read(self):
        if self.file is None:
            try:
                self.file = open(self.path, "rb")
            except OSError:
                return
        *lines, self.rest = (self.rest + self.file.read()).split(b"\n")
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError:
                pass
