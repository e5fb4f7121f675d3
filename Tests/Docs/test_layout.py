"""The layout of Sources: how large a target may be, what it may import, and what its code may name.

CONTRIBUTING.md has a table of the targets. `python3 Tests/Docs/test_layout.py --write` writes it again from Package.swift.
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
LIMIT = 4000
MODEL_LIMIT = 2500
# The values of the kit, below everything else: each target, and all that it may import of the kit.
VALUES = {
    "JSONKit": set(),
    "TextKit": {"JSONKit"},
    "Concurrency": set(),
    "HTTPValues": {"JSONKit"},
    "Templates": {"HTTPValues", "JSONKit", "TextKit"},
    "ConformanceModel": {"HTTPValues", "JSONKit", "Templates", "TextKit"},
    "ConformanceProvisioning": {"ConformanceModel", "HTTPValues", "JSONKit", "Templates"},
    "ConformanceTranscript": {"ConformanceModel", "HTTPValues", "JSONKit", "Templates", "TextKit"},
    "ConformanceVerdict": {"ConformanceModel", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates", "TextKit"},
    "ConformancePack": {"ConformanceModel", "ConformanceTranscript", "ConformanceVerdict", "HTTPValues", "JSONKit", "Templates"},
    "ServerRules": {"ConformanceModel", "ConformancePack", "ConformanceTranscript", "HTTPValues", "JSONKit", "Templates"},
}
# Groups of targets, and the groups that each may import from.
GROUPS = {
    "values": set(VALUES),
    "system": {"Digests", "Files"},
    "wire": {"AdapterProtocol", "ConformanceWire", "ConformanceTLS"},
    "catalogue": {"SpecDocuments", "ConformanceSpec", "Coverage", "FrozenSets", "Lint", "Format"},
    "judge": {"ConformanceJudge"},
    "bench": {"Processes", "Recording", "Adapters", "Carriers", "Subjects", "MockServices", "ConformanceBench"},
    "host": {"AdapterHost", "ReferenceKit"},
    "run": {"ConformanceRunner", "ConformanceUpgrade", "LiveServer", "Proof"},
    "report": {"Records", "ConformanceReport", "ConformanceHistory", "Certification"},
}
MAY = {
    "values": {"values"},
    "system": set(),
    "wire": {"values", "wire"},
    "catalogue": {"values", "system", "catalogue"},
    "judge": {"values"},
    "bench": {"values", "wire", "bench"},
    "host": {"values", "wire", "host"},
    "run": {"values", "wire", "judge", "bench", "host", "run"},
    "report": {"values", "system", "report"},
}
# The targets that call the system's library.
CALLS_THE_SYSTEM = {
    "Files", "wire", "bench", "CommandInterface", "conform", "conform-carriers", "conform-history", "conform-benchmarks", "conform-fuzz",
}
# The targets of one protocol, and those that know all protocols.
PROTOCOLS = {"LinkForty", "LinkFortyAdapter", "LinkFortyCore", "LinkFortyModel", "MobileEngage", "MobileEngageAdapter", "Sentiance", "SentianceAdapter",
             "SentianceBackend"}
ALL = PROTOCOLS | {"CommandInterface", "conform"}
# The defects of a reference reach into the parts that they break.
MUTUAL = {"LinkForty": {("SDK", "SDK/Defects")}}
MARK = "<!-- layout -->"


def targets():
    """The targets below Sources with what they import, in the order of Package.swift, and the comment above each."""
    text = (ROOT / "Package.swift").read_text()
    found = {}
    for match in re.finditer(
            r'((?:^    //.*\n)*)^    (?:library|\.target|\.executableTarget)\(\s*(?:name: )?"([\w-]+)"((?:.|\n)*?)(?=^    [./a-z\]]|^  \])',
            text, re.M):
        comment, name, rest = match.groups()
        path = re.search(r'path: "([^"]+)"', rest)
        folder = ROOT / (path[1] if path else f"Sources/{name}")
        if SOURCES in folder.parents and next(folder.rglob("*.swift"), None):
            words = " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())
            found[name] = (folder, set(re.findall(r'"([A-Z]\w+)"', rest)), words)
    return found


def lines(folder):
    return sum(len(file.read_text().splitlines()) for file in folder.rglob("*.swift"))


def drawing():
    """A table of the targets, those first that import nothing of the kit."""
    found = targets()
    depth = {}

    def level(name):
        if name not in depth:
            depth[name] = 0
            depth[name] = 1 + max([level(other) for other in found[name][1] if other in found], default=-1)
        return depth[name]

    rows = ["| level | target | what it holds |", "|---|---|---|"]
    for name in sorted(found, key=lambda name: (level(name), name.lower())):
        first = re.split(r"(?<=\.) ", found[name][2])[0].rstrip(".")
        rows.append(f"| {level(name)} | `{name}` | {first} |")
    return "\n".join(rows)


class LayoutTests(unittest.TestCase):
    def test_targets_have_a_size_in_which_things_are_found(self):
        for name, (folder, _, _) in targets().items():
            size = lines(folder)
            with self.subTest(target=name):
                self.assertLessEqual(size, MODEL_LIMIT if name == "ConformanceModel" else LIMIT)

    def test_values_import_only_values_below_them(self):
        for name, allowed in VALUES.items():
            folder = targets()[name][0]
            for file in folder.rglob("*.swift"):
                imported = set(re.findall(r"^\s*import (\w+)", file.read_text(), re.M)) & set(targets())
                self.assertLessEqual(imported, allowed, file.relative_to(ROOT))

    def test_no_two_folders_of_a_target_use_each_other(self):
        for name, (folder, _, _) in targets().items():
            declared, used = {}, {}
            for file in folder.rglob("*.swift"):
                place = file.parent.relative_to(folder).as_posix()
                text = re.sub(r"//.*", "", file.read_text())
                for word in re.findall(r"^(?:package |public |indirect |final )*(?:struct|enum|class|protocol) (\w+)", text, re.M):
                    declared[word] = place
                used.setdefault(place, set()).update(re.findall(r"(?<![.\w])[A-Z]\w+", text))
            pairs = {(place, declared[word]) for place, words in used.items() for word in words if word in declared}
            both = {tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1] and pair[::-1] in pairs}
            self.assertFalse(both - MUTUAL.get(name, set()), name)

    def test_only_targets_of_a_protocol_name_it(self):
        words = re.compile(r"linkforty|mobile.?engage|emarsys|sentiance", re.I)
        for name, (folder, _, _) in targets().items():
            if name in ALL or name in ("conform-benchmarks", "conform-fuzz"):
                continue
            for file in folder.rglob("*.swift"):
                code = re.sub(r"//.*", "", file.read_text())
                self.assertNotRegex(code, words, file.relative_to(ROOT))

    def test_a_target_imports_only_from_the_groups_that_it_may_know(self):
        group = {name: group for group, names in GROUPS.items() for name in names}
        for name, kind in group.items():
            for file in targets()[name][0].rglob("*.swift"):
                imported = set(re.findall(r"^\s*import (\w+)", file.read_text(), re.M)) & set(targets())
                known = {group.get(other, other) for other in imported}
                self.assertLessEqual(known, MAY[kind], file.relative_to(ROOT))

    def test_only_some_targets_call_the_system(self):
        group = {name: group for group, names in GROUPS.items() for name in names}
        for name, (folder, _, _) in targets().items():
            for file in folder.rglob("*.swift"):
                text = file.read_text()
                if "#if canImport(Glibc)" not in text and re.search(r"(?m)^import Glibc", text):
                    self.assertTrue({name, group.get(name)} & CALLS_THE_SYSTEM, file.relative_to(ROOT))

    def test_the_table_of_targets_is_that_of_the_manifest(self):
        page = (ROOT / "CONTRIBUTING.md").read_text()
        self.assertEqual(page.split(MARK)[1].strip(), drawing(), "run python3 Tests/Docs/test_layout.py --write")


if __name__ == "__main__":
    if "--write" in sys.argv:
        page = ROOT / "CONTRIBUTING.md"
        before, _, after = page.read_text().split(MARK)
        page.write_text(f"{before}{MARK}\n\n{drawing()}\n\n{MARK}{after}")
    else:
        unittest.main()
