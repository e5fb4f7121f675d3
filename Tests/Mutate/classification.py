"""Reads survivors.yaml of a subject: what was decided about mutants that survived."""
from dataclasses import dataclass

from mutant import Unreadable, digest

CLASSES = ("equivalent", "allowed", "gap")
MEMBERS = {"file", "line", "through", "operator", "change", "digest", "class", "because", "sentence", "missing", "requirement"}


@dataclass
class Classification:
    where: str  # file and line of the entry
    file: str
    first: int
    last: int
    operator: str | None
    change: str | None
    kind: str

    def fits(self, mutant):
        return (
            mutant.file == self.file and self.first <= mutant.line <= self.last
            and self.operator in (None, mutant.operator) and self.change in (None, mutant.change))


def read(subject, root):
    """The classifications that hold today, and a sentence for each that is stale."""
    path = root / subject.survivors
    if not path.exists():
        return [], []
    import yaml

    text, name = path.read_text(encoding="utf-8"), subject.survivors
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise Unreadable(f"{name}:{mark.line + 1 if mark else 1}: is not YAML: {getattr(error, 'problem', error)}") from None
    if value is None:
        return [], []
    if not isinstance(value, dict) or set(value) != {"survivors"} or not isinstance(value["survivors"] or [], list):
        raise Unreadable(f"{name}:1: expected a mapping with one member, 'survivors', which is a list")
    nodes = document.value[0][1].value if value["survivors"] else []
    sources = {str(each.relative_to(root)): each for each in subject.files(root)}
    found, stale, lines = [], [], {}
    for node, entry in zip(nodes, value["survivors"] or []):
        where = f"{name}:{node.start_mark.line + 1}"
        check(entry, where, sources)
        if entry["file"] not in lines:
            lines[entry["file"]] = sources[entry["file"]].read_text(encoding="utf-8").splitlines()
        first = entry["line"]
        last = entry.get("through", first)
        place = located(lines[entry["file"]], first, last, entry["digest"])
        if place is None:
            stale.append(
                f"{where}: {entry['file']}:{first}: no line has the digest {entry['digest']} any more. "
                "Read the mutants of this place again and classify them, or remove the entry")
            continue
        found.append(Classification(
            where, entry["file"], place, place + last - first, entry.get("operator"), entry.get("change"), entry["class"]))
    return found, stale


def check(entry, where, sources):
    def refuse(text):
        raise Unreadable(f"{where}: {text}")

    if not isinstance(entry, dict):
        refuse("expected a mapping with file, line, digest, class and because")
    for name in ("file", "line", "digest", "class", "because"):
        if name not in entry:
            refuse(f"the member '{name}' is missing")
    for name in entry:
        if name not in MEMBERS:
            refuse(f"unknown member '{name}'; known are {', '.join(sorted(MEMBERS))}")
    if entry["class"] not in CLASSES:
        refuse(f"unknown class '{entry['class']}'; expected {', '.join(CLASSES[:-1])} or {CLASSES[-1]}")
    for name in ("line", "through"):
        if name in entry and (not isinstance(entry[name], int) or isinstance(entry[name], bool) or entry[name] < 1):
            refuse(f"'{name}': expected the number of a line, found {entry[name]!r}")
    if entry.get("through", entry["line"]) < entry["line"]:
        refuse("'through' is before 'line'")
    for name in MEMBERS - {"line", "through"}:
        if name in entry and (not isinstance(entry[name], str) or not entry[name].strip()):
            refuse(f"'{name}': expected a text, found {entry[name]!r}. Put digests of digits alone in quotes")
    if entry["file"] not in sources:
        refuse(f"'{entry['file']}' is not among the files that are mutated: {', '.join(sources)}")
    if entry["class"] == "allowed" and "sentence" not in entry:
        refuse("an allowed mutant needs 'sentence', the sentence that allows it")
    if entry["class"] == "gap" and "missing" not in entry:
        refuse("a gap needs 'missing', the case or requirement that would notice the mutant")


def located(lines, first, last, wanted):
    """The line at which the text is now: where it was, else the nearest one."""
    span = last - first
    places = sorted(range(1, len(lines) - span + 1), key=lambda each: abs(each - first))
    return next((each for each in places if digest("\n".join(lines[each - 1:each + span])) == wanted), None)
