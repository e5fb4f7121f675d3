"""Runs the kit against the honest subject, to learn which case runs which statement, and against each mutant."""
import bisect
import hashlib
import json
import os
import shutil
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import sources
from mutant import Unreadable
from sandbox import Sandbox

CASE_LIMIT = 20  # seconds
SLACK = 12  # milliseconds around a case in which a statement counts as its own
DEATHS = {"adapter-died": "the app died", "adapter-broke": "the adapter broke its protocol", "kit-error": "the kit failed"}
HANGS = {"adapter-hung": "the app hung", "time-limit": f"a case took longer than {CASE_LIMIT} s"}


@dataclass
class Outcome:
    kind: str  # killed, advisory, crashed, timed out or survived
    detail: str = ""
    case: str = ""
    confirmed: bool = False  # more than one case failed


@dataclass
class Honest:
    """What the kit says of the subject without a mutation."""

    cases: list  # in the order of the run
    verdicts: dict  # disposition, by case and requirement
    reached: dict  # the numbers of the cases, by file and place of a statement
    seconds: float


def name_of(instance):
    return instance["case"] + (f"[{instance['row']}]" if instance.get("row") is not None else "")


def selectors(names):
    """The options that select cases. A row whose name has a comma or a star is selected with all rows of its case."""
    plain, picked = set(), []
    for name in names:
        if "," in name or "*" in name:
            plain.add(name.split("[")[0])
    for name in names:
        if name.split("[")[0] not in plain:
            picked.append(name)
    arguments, picked = [], [*sorted(plain), *picked]
    for start in range(0, len(picked), 200):
        arguments += ["--case", ",".join(picked[start:start + 200])]
    return arguments


class Trials:
    def __init__(self, subject, root, conform, *, jobs, spec_root=None, cache=None):
        self.subject, self.root = subject, root
        self.command = [
            *conform, "run", "--root", str(spec_root or root), "--protocol", subject.protocol, "--dialect", subject.dialect,
            "--time-limit", str(CASE_LIMIT), *subject.command]
        self.jobs, self.spec_root, self.cache = jobs, Path(spec_root or root), cache
        self.conform = conform

    # -- the honest subject

    def state(self):
        """A digest of all that the coverage depends on."""
        total = hashlib.sha256()
        here = Path(__file__).parent
        files = [here / "python_source.py", here / "javascript_source.mjs", *(
            path for folder in (self.root / self.subject.folder, *(self.root / each for each in self.subject.shared),
                                self.spec_root / "spec" / self.subject.protocol, self.spec_root / "Fixtures")
            for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)]
        for path in files:
            if path.name != "survivors.yaml":
                total.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        program = shutil.which(self.conform[-1])
        if program:
            found = os.stat(program)
            total.update(f"{found.st_size} {found.st_mtime_ns}".encode())
        return total.hexdigest()[:20]

    def learn(self):
        """Plays all cases, one after the other, with sources that report what they run. The result is kept."""
        kept = self.cache and self.cache / f"{self.subject.name}-{self.state()}.json"
        if kept and kept.exists():
            value = json.loads(kept.read_text(encoding="utf-8"))
            reached = {tuple(key.split("|")): set(cases) for key, cases in value["reached"].items()}
            verdicts = {tuple(key.split("|", 1)): each for key, each in value["verdicts"].items()}
            self.honest = Honest(value["cases"], verdicts, reached, value["seconds"])
            return self.honest
        with Sandbox(self.subject, self.root) as sandbox:
            hits = sandbox.folder / "hits"
            numbers = sources.instrument(self.subject, self.root, sandbox.folder, hits)
            cases, verdicts, begun = [], {}, time.monotonic()

            def record(value):
                if value["record"] == "case":
                    evidence = sandbox.folder / "report" / "evidence" / Path(value.get("evidence", "-")).name
                    try:
                        end = evidence.stat().st_mtime_ns // 1_000_000
                    except OSError:
                        end = time.time_ns() // 1_000_000
                    cases.append((name_of(value["instance"]), end))
                elif value["record"] == "verdict":
                    verdicts[name_of(value["instance"]), value["requirement"]] = value["disposition"]

            code, ended, text = sandbox.run([*self.command, "--jobs", "1"], limit=3600, on_record=record)
            seconds = time.monotonic() - begun
            if code not in (0, 1, 3) or not cases:
                why = f"was ended: {ended}" if ended else f"ended with code {code}"
                raise Unreadable(f"{self.subject.name}: the run without a mutation {why}. It printed: {text[-600:]}")
            reached = self.attribute(cases, numbers, hits)
        self.honest = Honest([name for name, _ in cases], verdicts, reached, seconds)
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            draft = kept.with_suffix(f".{os.getpid()}")
            draft.write_text(json.dumps({
                "cases": self.honest.cases, "seconds": seconds,
                "reached": {"|".join(key): sorted(numbers) for key, numbers in reached.items()},
                "verdicts": {"|".join(key): each for key, each in verdicts.items()},
            }), encoding="utf-8")
            draft.replace(kept)
        return self.honest

    def attribute(self, cases, numbers, hits):
        """Which case ran which statement: the one that was under way at that time."""
        ends = [end for _, end in cases]
        names = {number: place for place, number in numbers.items()}
        reached = defaultdict(set)
        if not hits.exists():
            raise Unreadable(f"{self.subject.name}: no statement of its sources was run. Is this the subject that the kit starts?")
        for line in hits.read_bytes().splitlines():
            at, _, number = line.partition(b" ")
            place = names.get(int(number))
            if place is None:
                continue
            first = bisect.bisect_left(ends, int(at) - SLACK)
            last = bisect.bisect_left(ends, int(at) + SLACK)
            reached[place].update(range(first, min(last, len(ends) - 1) + 1))
        return dict(reached)

    # -- a mutant

    def judge(self, mutant, *, rest=True):
        place = mutant.file, mutant.reached_by
        cases = self.honest.cases
        chosen = self.honest.reached.get(place, set())
        if mutant.at_start and place in self.honest.reached:
            chosen = set(range(len(cases)))
        if not chosen:
            return Outcome("survived", "no case runs this line")
        ordered = [cases[number] for number in sorted(chosen)]
        other = [name for number, name in enumerate(cases) if number not in chosen]
        with Sandbox(self.subject, self.root) as sandbox:
            target = sandbox.folder / mutant.file
            target.write_bytes(mutant.apply((self.root / mutant.file).read_bytes()))
            outcome = self.play(sandbox, ordered)
            if outcome.kind == "survived" and rest and other:
                outcome = self.play(sandbox, other)
        return outcome

    def play(self, sandbox, names):
        """Plays cases against the mutant until a requirement fails that the honest subject keeps."""
        doubtful = set()
        while True:
            found = self.once(sandbox, names, doubtful)
            if found.kind != "killed" or found.confirmed:
                return found
            # One case that fails alone as well is the mutant's doing, and not that of a busy machine.
            if self.once(sandbox, [found.case], doubtful).kind == "killed":
                return found
            doubtful.add(found.case)

    def once(self, sandbox, names, doubtful):
        seen = {}

        def record(value):
            if value["record"] == "case":
                kind = value["ending"]["kind"]
                case = name_of(value["instance"])
                if kind in DEATHS and ("crashed", case) not in seen:
                    seen.setdefault("crashed", (DEATHS[kind], case))
                elif kind in HANGS:
                    seen.setdefault("timed out", (HANGS[kind], case))
            elif value["record"] == "verdict":
                case, requirement = name_of(value["instance"]), value["requirement"]
                before = self.honest.verdicts.get((case, requirement))
                now = value["disposition"]
                if case in doubtful or before == now:
                    return False
                if now == "fail" and before in ("pass", "advisory", "skipped"):
                    # The second case that fails confirms the first, and the run has shown enough.
                    return seen.setdefault("killed", (requirement, case))[1] != case and seen.setdefault("confirmed", True)
                if now == "advisory" and before in ("pass", "skipped"):
                    seen.setdefault("advisory", (requirement, case))
                if now == "error":
                    seen.setdefault("unjudged", (f"{requirement} could not be judged", case))
            return False

        everything = len(names) == len(self.honest.cases)
        chosen = [] if everything else selectors(names)
        jobs = "1" if len(names) == 1 else str(self.jobs)
        limit = 60 + 3 * self.honest.seconds
        code, ended, text = sandbox.run([*self.command, *chosen, "--jobs", jobs], limit=limit, on_record=record)
        for kind in ("killed", "advisory"):
            if kind in seen:
                return Outcome(kind, *seen[kind], confirmed="confirmed" in seen)
        if ended == "time":
            return Outcome("timed out", f"the cases took longer than {limit:.0f} s")
        if ended not in ("", "enough"):
            return Outcome("crashed", ended)
        for kind in ("timed out", "crashed"):
            if kind in seen and seen[kind][1] not in doubtful and self.is_new(seen[kind][1]):
                return Outcome(kind, *seen[kind])
        if code not in (0, 1, 3, 4):
            said = [line for line in text.splitlines() if line.startswith("conform:")] or text.splitlines()[-1:]
            return Outcome("crashed", f"the kit ended with code {code}: {' '.join(said)[:160]}")
        if "unjudged" in seen:
            return Outcome("crashed", *seen["unjudged"])
        return Outcome("survived")

    def is_new(self, case):
        return not any(value == "error" for (name, _), value in self.honest.verdicts.items() if name == case)
