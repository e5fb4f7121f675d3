"""An adapter that 'conform init adapter' writes, and the page beside it, whose commands and code the tests use."""
import os
import pathlib
import re
import shlex
import subprocess

root = pathlib.Path(__file__).resolve().parents[2]
program = os.environ.get("CONFORM", str(root / ".build/release/conform"))


class Template:
    """The folder of one template while it is tried."""

    def __init__(self, language, folder):
        self.language, self.folder = language, pathlib.Path(folder)
        self.page = (root / "Examples/templates" / language / "ADAPTER-README.md").read_text()
        blocks = re.findall(r"([^\n]*)\n\n```(\w+)\n(.*?)```", self.page, re.S)
        self.commands = next(code for _, kind, code in blocks if kind == "sh").splitlines()
        self.red, self.green = [code.splitlines() for _, kind, code in blocks if kind == "text"]
        self.code = {lead: code for lead, kind, code in blocks if kind not in ("sh", "text")}

    def perform(self, line):
        """Runs a command of the page; the exit code and all that it printed."""
        line = re.sub(r"^conform ", shlex.quote(program) + " ", line)
        done = subprocess.run(line, shell=True, cwd=self.folder, capture_output=True, text=True, timeout=900)
        return done.returncode, done.stdout + done.stderr

    def build(self):
        for line in self.commands:
            if line.split()[0] != "conform":
                code, output = self.perform(line)
                if code != 0:
                    raise AssertionError(f"{line}: exit code {code}\n{output}")

    def command(self, name):
        """The line of the page that begins with 'conform NAME'."""
        return next(line for line in self.commands if line.startswith(f"conform {name} "))

    @property
    def file(self):
        names = {
            "python": "adapter.py", "javascript": "adapter.mjs", "typescript": "adapter.mts", "java": "Adapter.java",
            "kotlin": "Adapter.kt", "swift": "Sources/Adapter/main.swift", "dart": "adapter.dart",
        }
        return self.folder / "adapter" / names[self.language]

    def write(self, bodies, head=""):
        """Puts bodies where 'REPLACE HERE' is, by the name of the command, and lines below the first one."""
        lines = self.file.read_text().splitlines()
        for name, body in bodies.items():
            at = next(i for i, line in enumerate(lines) if f"the command '{name}' is not written yet" in line)
            assert "REPLACE HERE" in lines[at - 1], lines[at - 1]
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            lines[at - 1 : at + 1] = [indent + line for line in body.splitlines()]
        self.file.write_text("\n".join(lines[:1] + head.splitlines() + lines[1:]) + "\n")


def lacks(output, lines):
    """The first of the lines that an output does not contain in this order; '…' matches any text."""
    at = 0
    for line in lines:
        pattern = ".*?".join(re.escape(part) for part in line.split("…"))
        found = re.compile(pattern).search(output, at)
        if not found:
            return line
        at = found.end()
    return None
