"""python3 -m unittest discover Tests/Mutate"""
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

import classification
import mutate
import python_source
import sandbox
import sources
from mutant import Unreadable, digest
from subjects import SUBJECTS, Subject
from trial import Trials, selectors

HAS_ACORN = Path("/usr/share/nodejs/acorn").exists()

PROGRAM = '''
"""A program."""
import asyncio


class Box:
    """Keeps things."""

    limit: int = 3

    def __init__(self):
        self.kept = {}
        self.save = lambda name: self.kept.get(name, "none")

    async def put(self, name, value, *, soon=False):
        """Puts."""
        if len(self.kept) >= self.limit:
            raise ValueError("there is no room")
        try:
            await asyncio.sleep(0)
        except OSError:
            value = None
        self.kept[name] = value
        return value if soon else f"later {value}"
'''

SCRIPT = '''
export class Box {
  kept = new Map();
  limit = 3;
  put(name, value) {
    if (this.kept.size >= this.limit) throw new Error('there is no room');
    this.kept.set(name, value);
    const found = [1, 2, 3].filter((each) => each > 1);
    return value ? `later ${value}` : found.length;
  }
}
'''

# A kit that plays two cases: the first asks the subject for its answer, the second asks for nothing.
KIT = '''
import json, os, subprocess, sys, time
given = sys.argv[1:]
output = given[given.index("--output") + 1]
wanted = given[given.index("--case") + 1].split(",") if "--case" in given else ["asks", "idles"]
os.makedirs(output + "/evidence")
with open(output + "/run.jsonl", "w") as record:
    def write(**value):
        record.write(json.dumps(value) + "\\n")
        record.flush()
    for case in wanted:
        command = given[given.index("--sdk") + 1].split()
        done = subprocess.run(command, capture_output=True, text=True) if case == "asks" else None
        answer = done.stdout.strip() if done else "42"
        name = f"evidence/{case}.jsonl"
        open(f"{output}/{name}", "w").close()
        time.sleep(0.05)
        instance = {"case": case}
        kind = "adapter-died" if done and done.returncode else "completed"
        write(record="case", instance=instance, ending={"kind": kind}, evidence=name)
        write(record="verdict", instance=instance, requirement="X-1",
              disposition="error" if kind != "completed" else "pass" if answer == "42" else "fail")
'''

SDK = '''
import sys


def answer():
    unused = len("abc") + 1
    return 6 * 7


print(answer())
'''


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.root = Path(self.temporary.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def subject(self, *patterns, command=()):
        return Subject("box", "boxes", "one", "own", patterns or ("own/*.py",), command)


class PythonSources(Folder):
    def test_finds_each_kind_of_mutant_and_all_of_them_parse(self):
        path = self.write("own/box.py", PROGRAM)
        found = python_source.mutants(path, "own/box.py")
        self.assertLessEqual(
            {"change operator", "off by one", "drop statement", "drop argument", "swap branches", "return early",
             "return nothing", "drop await", "change text", "swallow exception", "forget store", "forget clear",
             "change constant", "negate condition"}, {each.operator for each in found})
        for each in found:
            compile(each.apply(path.read_bytes()), "box.py", "exec")

    def test_leaves_docstrings_and_messages_alone(self):
        found = python_source.mutants(self.write("own/box.py", PROGRAM), "own/box.py")
        self.assertFalse([each for each in found if each.operator == "change text" and "room" in each.before])
        self.assertFalse([each for each in found if "Keeps" in each.before or "Puts" in each.before])

    def test_keeps_positions_behind_letters_beyond_ascii(self):
        path = self.write("own/box.py", 'name = "Grüße 🎉"; other = name == "x"\n')
        changed = [each.apply(path.read_bytes()).decode() for each in python_source.mutants(path, "own/box.py")]
        self.assertIn('name = "Grüße 🎉"; other = (name != \'x\')\n', changed)

    def test_an_instrumented_program_does_the_same_and_reports_what_it_runs(self):
        path = self.write("own/box.py", PROGRAM + '\nprint(asyncio.run(Box().put("a", 1)))\nprint(Box().save("b"))\n')
        numbers = {}
        hits = self.root / "hits"
        text = python_source.instrument(path, "own/box.py", lambda place: numbers.setdefault(place, len(numbers) + 1), hits)
        changed = self.root / "changed.py"
        changed.write_bytes(text)
        outputs = [subprocess.run([sys.executable, str(each)], capture_output=True, text=True).stdout for each in (path, changed)]
        self.assertEqual(outputs, ["later 1\nnone\n"] * 2)
        reported = {int(line.split()[1]) for line in hits.read_text().splitlines()}
        self.assertIn(numbers["23:8"], reported)  # the store
        self.assertNotIn(numbers["18:12"], reported)  # the error

    def test_a_source_that_does_not_parse_is_named_with_its_line(self):
        self.write("own/box.py", "a = 1\nif a ==:\n    pass\n")
        with self.assertRaisesRegex(Unreadable, r"own/box\.py:2: does not parse"):
            sources.find_mutants(self.subject(), self.root)


@unittest.skipUnless(HAS_ACORN, "node-acorn is not installed")
class JavaScriptSources(Folder):
    def test_finds_mutants_that_parse(self):
        self.write("own/box.mjs", SCRIPT)
        found = sources.find_mutants(self.subject("own/*.mjs"), self.root)
        self.assertLessEqual(
            {"off by one", "drop statement", "drop argument", "swap branches", "return early", "return nothing", "change text",
             "forget store", "change operator"}, {each.operator for each in found})
        self.assertFalse([each for each in found if each.operator == "change text" and "room" in each.before])

    def test_an_instrumented_module_does_the_same(self):
        self.write("own/box.mjs", SCRIPT)
        copied = self.root / "copied"
        (copied / "own").mkdir(parents=True)
        numbers = sources.instrument(self.subject("own/*.mjs"), self.root, copied, self.root / "hits")
        call = "import {{ Box }} from '{}/own/box.mjs'; console.log(new Box().put('a', 0), new Box().put('a', 1));"
        outputs = [
            subprocess.run(
                ["node", "--input-type=module", "-e", call.format(each)], capture_output=True, text=True).stdout
            for each in (self.root, copied)]
        self.assertEqual(outputs, ["2 later 1\n"] * 2)
        self.assertIn(numbers["own/box.mjs", "7:4"], {int(each.split()[1]) for each in (self.root / "hits").read_text().splitlines()})

    def test_a_source_that_does_not_parse_is_named_with_its_line(self):
        self.write("own/box.mjs", "const a = 1;\nif (a ==) {}\n")
        with self.assertRaisesRegex(Unreadable, r"own/box\.mjs:2: does not parse"):
            sources.find_mutants(self.subject("own/*.mjs"), self.root)


class MissingParser(unittest.TestCase):
    def test_the_error_says_what_to_install(self):
        answer = subprocess.CompletedProcess([], 4, "", "")
        with mock.patch.object(sources.subprocess, "run", return_value=answer):
            with self.assertRaisesRegex(Unreadable, "apt-get install node-acorn"):
                sources.run_node("mutants", "x.mjs", root=Path("/"))


class Classifications(Folder):
    ENTRY = {"file": "own/box.py", "line": "2", "digest": f"'{digest('b = 2')}'", "class": "equivalent", "because": "nobody reads b"}

    def read(self, **changes):
        self.write("own/box.py", "a = 1\nb = 2\n")
        entry = {**self.ENTRY, **{name.rstrip("_"): value for name, value in changes.items()}}
        lines = [f"{name}: {value}" for name, value in entry.items() if value is not None]
        self.write("own/survivors.yaml", "# decided\nsurvivors:\n  - " + "\n    ".join(lines) + "\n")
        return classification.read(self.subject(), self.root)

    def refused(self, text, **changes):
        with self.assertRaisesRegex(Unreadable, text):
            self.read(**changes)

    def test_an_entry_fits_the_mutants_of_its_line(self):
        (found,), stale = self.read()
        self.assertEqual((found.first, found.kind, stale), (2, "equivalent", []))
        for mutant in python_source.mutants(self.root / "own/box.py", "own/box.py"):
            self.assertEqual(found.fits(mutant), mutant.line == 2)

    def test_an_entry_moves_with_its_line(self):
        (found,), stale = self.read(line="1")
        self.assertEqual((found.first, stale), (2, []))

    def test_an_entry_is_stale_when_its_line_changes(self):
        found, (sentence,) = self.read(digest="'000000000000'")
        self.assertEqual(found, [])
        self.assertRegex(sentence, r"own/survivors\.yaml:3: own/box\.py:2: no line has the digest 000000000000 any more")

    def test_an_entry_covers_several_lines(self):
        (found,), _ = self.read(line="1", through="2", digest=f"'{digest('a = 1' + chr(10) + 'b = 2')}'")
        self.assertEqual((found.first, found.last), (1, 2))

    def test_refuses_bad_entries_with_file_and_line(self):
        self.refused(r"own/survivors\.yaml:3: unknown class 'fine'; expected equivalent, allowed or gap", class_="fine")
        self.refused(r"own/survivors\.yaml:3: the member 'because' is missing", because=None)
        self.refused(r"own/survivors\.yaml:3: unknown member 'reason'", reason="x")
        self.refused(r"own/survivors\.yaml:3: 'own/gone\.py' is not among the files", file="own/gone.py")
        self.refused(r"own/survivors\.yaml:3: an allowed mutant needs 'sentence'", class_="allowed")
        self.refused(r"own/survivors\.yaml:3: a gap needs 'missing'", class_="gap")
        self.refused(r"own/survivors\.yaml:3: 'line': expected the number of a line, found 'two'", line="two")
        self.write("own/survivors.yaml", "survivors: [\n")
        with self.assertRaisesRegex(Unreadable, r"own/survivors\.yaml:\d: is not YAML"):
            classification.read(self.subject(), self.root)

    def test_what_the_repository_has_can_be_read(self):
        for subject in SUBJECTS:
            _, stale = classification.read(subject, mutate.ROOT)
            self.assertEqual(stale, [])


class Bounds(Folder):
    def sandboxed(self, code, limit=20):
        self.write("own/box.py", "a = 1\n")
        with sandbox.Sandbox(self.subject(), self.root) as room:
            result = room.run([sys.executable, "-c", textwrap.dedent(code)], limit=limit)
            self.assertEqual(list(room.processes()), [])
        self.assertFalse(room.folder.exists())
        return result

    def test_ends_what_hangs_and_what_it_has_started(self):
        code, ended, _ = self.sandboxed("""
            import os, subprocess, time
            subprocess.Popen(["sleep", "600"], start_new_session=True)
            time.sleep(600)""", limit=2)
        self.assertEqual((code, ended), (None, "time"))

    def test_ends_what_fills_the_disk(self):
        with mock.patch.object(sandbox, "MAX_DISK", 8 << 20):
            _, ended, _ = self.sandboxed("""
                import time
                for number in range(4):
                    open(f"file{number}", "wb").write(b"x" * (4 << 20))
                time.sleep(60)""")
        self.assertEqual(ended, "it wrote more than 8 MiB")

    def test_a_single_file_has_a_bound_of_its_own(self):
        code, ended, _ = self.sandboxed('open("file", "wb").write(b"x" * (100 << 20))')
        self.assertNotEqual((code, ended), (0, ""))

    def test_ends_what_starts_too_many_processes(self):
        with mock.patch.object(sandbox, "MAX_PROCESSES", 5):
            _, ended, _ = self.sandboxed("""
                import subprocess, time
                for _ in range(8):
                    subprocess.Popen(["sleep", "600"])
                time.sleep(600)""")
        self.assertEqual(ended, "it started more than 5 processes")


class WholeTrials(Folder):
    def setUp(self):
        super().setUp()
        self.write("own/sdk.py", SDK)
        self.write("spec/boxes/protocol.yaml", "")
        kit = self.write("kit.py", KIT)
        self.trials = Trials(
            self.subject(command=("--sdk", f"{sys.executable} own/sdk.py")), self.root, [sys.executable, str(kit)], jobs=1,
            cache=self.root / "cache")
        self.trials.learn()

    def judge(self, before, after):
        text = self.root.joinpath("own/sdk.py").read_bytes()
        for mutant in python_source.mutants(self.root / "own/sdk.py", "own/sdk.py"):
            if mutant.apply(text) == text.replace(before.encode(), after.encode(), 1):
                return self.trials.judge(mutant)
        self.fail(f"there is no such mutant among "
                  f"{[each.change for each in python_source.mutants(self.root / 'own/sdk.py', 'own/sdk.py')]}")

    def test_knows_which_case_runs_which_line(self):
        self.assertIn(0, self.trials.honest.reached["own/sdk.py", "7:4"])

    def test_a_mutant_is_killed_by_a_requirement(self):
        outcome = self.judge("7", "8")
        self.assertEqual((outcome.kind, outcome.detail, outcome.case), ("killed", "X-1", "asks"))

    def test_a_mutant_survives_that_changes_nothing(self):
        self.assertEqual(self.judge("+ 1", "+ 2").kind, "survived")

    def test_what_was_learnt_is_kept(self):
        begun = time.monotonic()
        with mock.patch.object(sandbox.Sandbox, "run", side_effect=AssertionError("ran again")):
            self.trials.learn()
        self.assertLess(time.monotonic() - begun, 5)


class Command(unittest.TestCase):
    def refused(self, *given):
        done = subprocess.run(
            [sys.executable, str(Path(mutate.__file__)), *given], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("there is no protocol 'linkfourty'", self.refused("linkfourty"))
        self.assertIn("there is no subject 'x'", self.refused("--subject", "x"))
        self.assertIn("--sample: expected a number of at least 1, found 0", self.refused("--sample", "0"))
        self.assertIn("--conform: there is no program '/nowhere'", self.refused("sentiance", "--sample", "1", "--conform", "/nowhere"))

    def test_a_sample_is_shared_evenly(self):
        self.assertEqual(mutate.share(7, {"a": [0] * 9, "b": [0], "c": [0] * 9}), {"a": 3, "b": 1, "c": 3})

    def test_rows_with_a_comma_are_selected_with_their_case(self):
        self.assertEqual(selectors(["a[x]", "b[1,2]", "b[3]"]), ["--case", "b,a[x]"])


if __name__ == "__main__":
    unittest.main()
