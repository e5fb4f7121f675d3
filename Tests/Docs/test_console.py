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


def help_of(words, columns):
    done = subprocess.run(
        [PROGRAM, *words, "--help"], capture_output=True, text=True, env={**os.environ, "COLUMNS": str(columns)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def commands(words=()):
    """Every command that the help lists, and the commands below it: the words behind `conform`."""
    lists = re.search(r"SUBCOMMANDS:\n(.*?)(?:\n\n|\Z)", help_of(words, 400), re.S)
    found = [list(words)]
    for name in re.findall(r"^  ([a-z-]+)", lists[1] if lists else "", re.M):
        found += commands([*words, name])
    return found


def torn(overview):
    """The lines of an overview that go on in the next line. At a great width each paragraph is one line."""
    lines = overview.split("\n")
    return [line for line, after in zip(lines, lines[1:]) if re.match(r"\S", line) and re.match(r"\S", after)]


def named(text):
    """The subcommands of conform that a page names, each with the options behind it, in code spans and blocks."""
    for command, sub, rest in re.findall(r"(?<![\w-])(conform ((?:(?:baseline|challenge|init|key|registry) )?[a-z]+)\b([^`\n]*))", text):
        yield command, sub, re.findall(r"(?<=[\s(])--[a-z][a-z-]*", re.sub(r"'[^']*'|\s{2,}#.*", " ", rest))


class ConsoleTests(unittest.TestCase):
    def test_commands_and_options_exist(self):
        if not os.access(PROGRAM, os.X_OK):
            self.skipTest(f"{PROGRAM} is not built; run bin/conform --version")
        # A page that names a group of commands without one of them names no options.
        options = {" ".join(words): set(re.findall(r"--[a-z][a-z-]*", help_of(words, 400))) for words in commands() if words}
        self.assertGreater(len(options), 25)
        complaints, count = [], 0
        for file in pages.written():
            for command, sub, used in named(file.read_text(encoding="utf-8")):
                if sub in options:
                    count += 1
                    complaints += [f"{pages.name(file)}: '{command}': no option {o}" for o in used if o not in options[sub]]
        self.assertGreater(count, 100)
        self.assertFalse(complaints, "\n" + "\n".join(complaints))

    def test_paragraphs_of_help_are_wrapped_once(self):
        if not os.access(PROGRAM, os.X_OK):
            self.skipTest(f"{PROGRAM} is not built; run bin/conform --version")
        found = {" ".join(words): torn(help_of(words, 4000).partition("\nUSAGE:")[0]) for words in commands()}
        self.assertEqual({name: lines for name, lines in found.items() if lines}, {})
        self.assertEqual(torn("OVERVIEW: One.\n\nA paragraph that\ngoes on.\n  conform run\n"), ["A paragraph that"])

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
