"""The blocks of pages that are marked `console`: each command runs and prints what the page shows."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pages  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("CONFORM", pages.ROOT / ".build/release/conform"))


def blocks(text):
    """The commands of the console blocks of a page, each with its line, expected lines and exit code."""
    commands, inside = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            commands.append([number, line[2:], [], 0])
        elif inside and (code := re.fullmatch(r"# exit code (\d+)", line)):
            commands[-1][3] = int(code[1])
        elif inside and line.strip() and not line.startswith("#"):
            commands[-1][2].append(line)
    return commands


def play(text, folder, environment):
    """Runs the commands and returns what is not as the page shows it."""
    complaints = []
    for number, command, expected, code in blocks(text):
        command = re.sub(r"\s{2,}# .*$", "", command)
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        output = done.stdout + done.stderr
        if done.returncode != code:
            complaints.append(f"{number}: '{command}' ends with {done.returncode}, expected {code}\n{output[-600:]}")
            continue
        rest = output
        for line in expected:
            found = re.search(".*?".join(map(re.escape, line.split("…"))), rest)
            if not found:
                complaints.append(f"{number}: '{command}' does not print '{line}'\n{output[-600:]}")
                break
            rest = rest[found.end():]
    return complaints


def scratch(folder):
    """A folder in which the commands of a page find the program and the examples."""
    folder = pathlib.Path(folder)
    (folder / "bin").mkdir()
    for name in ["conform", "bin/conform"]:
        (folder / name).write_text(f'#!/bin/sh\nexec "{PROGRAM.resolve()}" "$@"\n')
        (folder / name).chmod(0o755)
    (folder / "Examples").symlink_to(pages.ROOT / "Examples")
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def named(text):
    """The subcommands of conform that a page names, each with the options behind it, in code spans and blocks."""
    for command, sub, rest in re.findall(r"(?<![\w-])(conform ((?:baseline |init )?[a-z]+)\b([^`\n]*))", text):
        yield command, sub, re.findall(r"(?<=[\s(])--[a-z][a-z-]*", re.sub(r"'[^']*'|\s{2,}#.*", " ", rest))


class ConsoleTests(unittest.TestCase):
    def test_commands_and_options_exist(self):
        if not os.access(PROGRAM, os.X_OK):
            self.skipTest(f"{PROGRAM} is not built; run bin/conform --version")
        subcommands = "run serve list explain judge show report matrix prove lint fmt coverage doctor".split()
        subcommands += ["baseline write", "baseline check", "baseline prune", "init protocol", "init adapter"]
        options, complaints, count = {}, [], 0
        for sub in subcommands:
            help = subprocess.run([PROGRAM, *sub.split(), "--help"], capture_output=True, text=True)
            self.assertEqual(help.returncode, 0, help.stderr)
            options[sub] = set(re.findall(r"--[a-z][a-z-]*", help.stdout))
        for file in pages.written():
            for command, sub, used in named(file.read_text(encoding="utf-8")):
                if sub in options:
                    count += 1
                    complaints += [f"{pages.name(file)}: '{command}': no option {o}" for o in used if o not in options[sub]]
        self.assertGreater(count, 100)
        self.assertFalse(complaints, "\n" + "\n".join(complaints))

    def test_console_blocks_run(self):
        if not os.access(PROGRAM, os.X_OK):
            self.skipTest(f"{PROGRAM} is not built; run bin/conform --version")
        complaints, count = [], 0
        for file in pages.written():
            text = file.read_text(encoding="utf-8")
            if not blocks(text) or file == pages.ROOT / "Tests/Docs/README.md":
                continue
            count += len(blocks(text))
            with tempfile.TemporaryDirectory() as folder:
                complaints += [f"{pages.name(file)}:{c}" for c in play(text, folder, scratch(folder))]
        self.assertGreater(count, 5)
        self.assertFalse(complaints, "\n" + "\n".join(complaints))


if __name__ == "__main__":
    unittest.main()
