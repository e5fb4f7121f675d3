"""Finds the mutants of a subject, and instruments its sources."""
import json
import subprocess
from pathlib import Path

import python_source
from mutant import Mutant, Unreadable

HERE = Path(__file__).resolve().parent


def run_node(*arguments, root):
    try:
        done = subprocess.run(
            ["node", str(HERE / "javascript_source.mjs"), *map(str, arguments)], capture_output=True, text=True, timeout=300)
    except FileNotFoundError:
        raise Unreadable("node: there is no such program. Install Node.js 18 or newer, and try again") from None
    if done.returncode == 4:
        raise Unreadable(
            "acorn, the parser of JavaScript, is missing. Install it and try again: sudo apt-get install node-acorn")
    if done.returncode == 3:
        error = json.loads(done.stderr)
        name = Path(error["file"]).resolve().relative_to(root)
        raise Unreadable(f"{name}:{error['line']}: does not parse: {error['message']}")
    if done.returncode:
        raise Unreadable(f"{HERE / 'javascript_source.mjs'}: ended with code {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def find_mutants(subject, root):
    files = subject.files(root)
    if not files:
        raise Unreadable(f"{root}: there is no file {' or '.join(subject.sources)}")
    found = []
    for path in files:
        if path.suffix == ".py":
            found += python_source.mutants(path, str(path.relative_to(root)))
    scripts = [path for path in files if path.suffix == ".mjs"]
    if scripts:
        for line in run_node("mutants", *scripts, root=root).splitlines():
            value = json.loads(line)
            value["file"] = str(Path(value["file"]).relative_to(root))
            found.append(Mutant(**value))
    lines = {str(path.relative_to(root)): path.read_text(encoding="utf-8").splitlines() for path in files}
    seen, kept = set(), []
    for mutant in found:
        mutant.text = lines[mutant.file][mutant.line - 1].strip()
        same = mutant.file, mutant.start, mutant.end, mutant.after
        if same not in seen:
            seen.add(same)
            kept.append(mutant)
    return sorted(kept, key=lambda each: (each.file, each.start, each.end, each.operator, each.after))


def instrument(subject, root, copied, hits):
    """Replaces the sources in the folder `copied`. Returns the number of each statement, by file and place."""
    numbers, following = {}, 1

    for path in subject.files(root):
        name = str(path.relative_to(root))
        target = Path(copied) / name
        if path.suffix == ".py":
            own = {}

            def number(place):
                return own.setdefault(place, following + len(own))

            target.write_bytes(python_source.instrument(path, name, number, hits))
            following += len(own)
        else:
            answer = json.loads(run_node("instrument", path, hits, following, root=root))
            target.write_text(answer["source"], encoding="utf-8")
            own, following = answer["numbers"], answer["next"]
        numbers.update({(name, place): value for place, value in own.items()})
    return numbers
