"""Mutates the SDKs, servers and backends of Examples/ and reports which mutants the cases notice. See spec/kit/mutation.md."""
import argparse
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import classification
import sandbox
import sources
from mutant import Unreadable
from subjects import SUBJECTS
from trial import Outcome, Trials

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("killed", "advisory", "crashed", "timed out", "survived")
BOUND = 95.0


def arguments():
    protocols = sorted({each.protocol for each in SUBJECTS})
    parser = argparse.ArgumentParser(
        prog="bin/mutate", description="Mutates the example SDKs, servers and backends, and reports which mutants the cases notice.",
        epilog="Exit code: 0, S is at least 95 % for each subject, or --sample was given; 1, it is less; 2, bad input.")
    parser.add_argument("protocol", nargs="?", metavar="PROTOCOL", help=f"one of {', '.join(protocols)}; all if not given")
    parser.add_argument("--subject", action="append", metavar="NAME", help="only this subject; may be repeated")
    parser.add_argument("--sample", type=int, metavar="N", help="so many mutants in all, spread evenly over the subjects")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the sample (default: 1)")
    parser.add_argument("--file", metavar="PART", help="only mutants whose file:line contains this text")
    parser.add_argument("--jobs", type=int, default=4, metavar="N", help="how many cases run at once (default: 4)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="how many mutants run at once (default: 1)")
    parser.add_argument("--reached-only", action="store_true", help="do not try the cases that do not reach a surviving mutant")
    parser.add_argument("--conform", metavar="COMMAND", help="the kit (default: bin/conform)")
    parser.add_argument("--spec-root", metavar="FOLDER", help="a folder with spec/ and Fixtures/ instead of this repository")
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    given = parser.parse_args()
    if given.protocol is not None and given.protocol not in protocols:
        raise Unreadable(f"there is no protocol '{given.protocol}' with a subject to mutate; expected {', '.join(protocols)}")
    for name in given.subject or ():
        if name not in {each.name for each in SUBJECTS}:
            raise Unreadable(f"there is no subject '{name}'; expected {', '.join(each.name for each in SUBJECTS)}")
    for name in ("sample", "jobs", "workers"):
        if getattr(given, name) is not None and getattr(given, name) < 1:
            raise Unreadable(f"--{name}: expected a number of at least 1, found {getattr(given, name)}")
    return given


def kit(given):
    """The command of the kit. bin/conform is asked once, so that it is built, and then the program itself is used."""
    if given.conform:
        command = shlex.split(given.conform)
        if not shutil.which(command[0]):
            raise Unreadable(f"--conform: there is no program '{command[0]}'")
        command[0] = str(Path(shutil.which(command[0])).resolve())
        return command
    build = subprocess.run([str(ROOT / "bin/conform"), "--version"], stdout=subprocess.DEVNULL)
    if build.returncode:
        raise Unreadable("bin/conform: the kit could not be built; see above")
    return [str(ROOT / ".build/release/conform")]


def share(sample, mutants):
    """How many mutants of each subject are tried: an even share, and what one does not have goes to the others."""
    counts, left = dict.fromkeys(mutants, 0), sample
    while left and any(counts[name] < len(mutants[name]) for name in mutants):
        for name in mutants:
            if left and counts[name] < len(mutants[name]):
                counts[name] += 1
                left -= 1
    return counts


class Report:
    def __init__(self, subject, decided):
        self.subject, self.decided = subject, decided
        self.results = []

    def add(self, mutant, outcome):
        found = next((each for each in self.decided if each.fits(mutant)), None)
        self.results.append((mutant, outcome, found.kind if found else None))
        noticed = outcome.kind in ("killed", "advisory")
        note = f" ({found.kind})" if found and not noticed else ""
        detail = f"{outcome.detail}  {outcome.case}".strip()
        say(f"{outcome.kind + note:<22} {detail:<44} {mutant.place}  {mutant.operator}: {mutant.change}")
        if found and noticed and found.kind != "gap":
            say(f"{found.where}: is classified as {found.kind}, and {outcome.detail} notices it. Remove the entry", error=True)

    def count(self, kind):
        return sum(outcome.kind == kind for _, outcome, _ in self.results)

    def excluded(self, kind):
        return sum(decided == kind and outcome.kind not in ("killed", "advisory") for _, outcome, decided in self.results)

    @property
    def denominator(self):
        return len(self.results) - self.excluded("equivalent") - self.excluded("allowed")

    @property
    def score(self):
        noticed = self.count("killed") + self.count("advisory")
        return 100 * noticed / self.denominator if self.denominator else None

    @property
    def not_green(self):
        """How much of the denominator ends a run with anything but the honest verdicts: with what crashed and timed out."""
        seen = len(self.results) - self.count("survived")
        return f"{100 * seen / self.denominator:.1f} %" if self.denominator else "-"

    def line(self):
        score = "no mutant" if self.score is None else f"{self.score:.1f} %"
        return (f"S  {self.subject.name:<28} {self.count('killed')}+{self.count('advisory')}/({len(self.results)}-"
                f"{self.excluded('equivalent')}-{self.excluded('allowed')}) = {score}")

    def entries(self):
        """What survives and is not classified, as entries for survivors.yaml."""
        for mutant, outcome, decided in self.results:
            if decided is None and outcome.kind not in ("killed", "advisory"):
                yield (f"  - file: {mutant.file}\n    line: {mutant.line}\n    digest: {quoted(mutant.digest)}\n"
                       f"    operator: {mutant.operator}\n    change: {quoted(mutant.change)}\n"
                       f"    class:  # equivalent, allowed or gap; it {outcome.kind}"
                       f"{': ' + outcome.detail if outcome.detail else ''}\n    because: \n")


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def say(text, error=False):
    print(text, file=sys.stderr if error else sys.stdout, flush=True)


def main():
    given = arguments()
    chosen = [
        each for each in SUBJECTS
        if given.protocol in (None, each.protocol) and (not given.subject or each.name in given.subject)]
    if not chosen:
        raise Unreadable("no subject is left: --subject names none of this protocol")
    reports, mutants = {}, {}
    stale = []
    for subject in chosen:
        decided, gone = classification.read(subject, ROOT)
        stale += gone
        reports[subject.name] = Report(subject, decided)
        mutants[subject.name] = [
            each for each in sources.find_mutants(subject, ROOT) if given.file is None or given.file in f"{each.place}:"]
    for sentence in stale:
        say(sentence, error=True)
    if stale and given.sample is None:
        return 2
    if given.sample is not None:
        counts = share(given.sample, mutants)
        for name, each in mutants.items():
            order = sorted(random.Random(f"{given.seed} {name}").sample(range(len(each)), counts[name]))
            mutants[name] = [each[number] for number in order]
    if given.list:
        for name, each in mutants.items():
            for mutant in each:
                say(f"{name}  {mutant.place}  {mutant.digest}  {mutant.operator}: {mutant.change}")
        return 0
    conform = kit(given)
    spec_root = Path(given.spec_root).resolve() if given.spec_root else None
    if spec_root and not (spec_root / "spec").is_dir():
        raise Unreadable(f"--spec-root: {spec_root} has no folder spec/")
    for subject in chosen:
        report, begun = reports[subject.name], time.monotonic()
        if not mutants[subject.name]:
            continue
        trials = Trials(
            subject, ROOT, conform, jobs=given.jobs, spec_root=spec_root, cache=ROOT / ".build/mutate")
        say(f"{subject.name}: {len(mutants[subject.name])} mutants; which case runs which line …")
        honest = trials.learn()
        say(f"{subject.name}: {len(honest.cases)} cases run {len(honest.reached)} statements")

        def attempt(mutant):
            try:
                return trials.judge(mutant, rest=not given.reached_only)
            except (OSError, ValueError, KeyError) as error:  # costs this mutant, and no other
                return Outcome("crashed", f"the trial failed: {error}")

        pool = ThreadPoolExecutor(given.workers)
        for mutant, outcome in zip(mutants[subject.name], pool.map(attempt, mutants[subject.name])):
            report.add(mutant, outcome)
        say(f"{subject.name}: {time.monotonic() - begun:.0f} s\n")
    table(reports.values())
    return 0 if given.sample is not None or all(
        each.score is None or each.score >= BOUND for each in reports.values()) else 1


def table(reports):
    for report in reports:
        entries = list(report.entries())
        if entries:
            say(f"Not classified yet, for {report.subject.survivors}:\n\nsurvivors:")
            for entry in entries:
                say(entry)
    say(f"{'subject':<30}{''.join(f'{kind:>11}' for kind in KINDS)}{'equivalent':>12}{'allowed':>9}{'gap':>5}{'not green':>11}")
    for report in reports:
        say(f"{report.subject.name:<30}{''.join(f'{report.count(kind):>11}' for kind in KINDS)}"
            f"{report.excluded('equivalent'):>12}{report.excluded('allowed'):>9}{report.excluded('gap'):>5}{report.not_green:>11}")
    say("")
    for report in reports:
        say(report.line())


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends what it has started, as for an interrupt
    try:
        code = main()
    except Unreadable as error:
        say(f"mutate: {error}", error=True)
        code = 2
    except KeyboardInterrupt:
        say("mutate: interrupted", error=True)
        sandbox.close_all()
        code = 130
    sys.stdout.flush()
    os._exit(code)
