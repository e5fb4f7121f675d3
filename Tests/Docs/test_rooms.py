"""The README of each target: what it is for, which targets may import it, and where a change begins.

`python3 Tests/Docs/test_rooms.py --write` writes the lists of imports again from Package.swift.
"""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import test_layout  # noqa: E402

MARK = "<!-- imports -->"
# Fewer lines than this: a README is read before the code, not instead of it.
LIMIT = 40
HEADING = "## Where a change begins"
# A row of the table: what one wants to do, the type, its file.
ROW = re.compile(r"^\| (?P<aim>[^|`]+(?:`[^`]+`[^|`]*)*) \| `(?P<type>\w+)` in `(?P<file>[\w/+.-]+\.swift)` \|$", re.M)


def imports(name, targets):
    """The targets that Package.swift lets a target import, and those that may import it."""
    def listed(names):
        return ", ".join(f"`{other}`" for other in sorted(names, key=str.lower))

    below = targets[name][1] & set(targets)
    above = {other for other, (_, imported, _) in targets.items() if name in imported}
    down = f"It may import {listed(below)}." if below else "It must not import any target of the kit."
    up = f"These targets may import it: {listed(above)}." if above else "No target of the kit may import it."
    return f"{down}\n\n{up}"


def complaints(text, folder, expected):
    """What a README lacks; an empty list is a pass."""
    found = []
    if (count := text.count("\n")) >= LIMIT:
        found.append(f"{count} lines, expected fewer than {LIMIT}")
    parts = text.split(MARK)
    if len(parts) != 3:
        found.append(f"expected the lists of imports between two lines '{MARK}'")
    elif parts[1].strip() != expected:
        found.append("the lists of imports are not those of Package.swift: run python3 Tests/Docs/test_rooms.py --write")
    rows = list(ROW.finditer(text.partition(HEADING)[2]))
    if not rows:
        found.append(f"expected '{HEADING}' with a table of aims, types and files")
    for row in rows:
        file = folder / row["file"]
        declares = file.is_file() and re.search(
            rf"^\s*(?:\w+ )*(?:struct|enum|class|protocol|actor) {row['type']}\b", file.read_text(encoding="utf-8"), re.M)
        if not declares:
            found.append(f"'{row['file']}' does not declare '{row['type']}'")
    return found


class RoomTests(unittest.TestCase):
    def test_each_target_has_a_readme(self):
        targets = test_layout.targets()
        self.assertGreater(len(targets), 40)
        for name, (folder, _, _) in targets.items():
            with self.subTest(target=name):
                file = folder / "README.md"
                self.assertTrue(file.is_file(), f"expected {file.relative_to(test_layout.ROOT)}")
                self.assertFalse(
                    found := complaints(file.read_text(encoding="utf-8"), folder, imports(name, targets)), "\n".join(found))

    def test_a_bad_readme_is_found(self):
        name, targets = "Digests", test_layout.targets()
        folder, expected = targets[name][0], imports(name, targets)
        good = f"# X\n\n{MARK}\n\n{expected}\n\n{MARK}\n\n{HEADING}\n\n| to | begin at |\n|---|---|\n| hash `x` | `SHA256` in `SHA256.swift` |\n"
        self.assertFalse(complaints(good, folder, expected))
        for bad in [
            good.replace("`SHA256` in", "`SHA512` in"), good.replace("`SHA256.swift`", "`Gone.swift`"), good.replace("| hash", "hash"),
            good.replace(MARK, ""), good.replace("may import", "imports"), good + "line\n" * LIMIT,
        ]:
            self.assertTrue(complaints(bad, folder, expected), bad)

    def test_the_drawing_of_a_run_names_types_that_exist(self):
        """CONTRIBUTING.md names the file that draws the pipeline; each step there names a target and a type of it."""
        place = "Sources/ConformanceRunner/Runner.swift"
        self.assertIn(f"]({place})", (test_layout.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
        drawing = (test_layout.ROOT / place).read_text(encoding="utf-8").partition("package struct Runner")[0]
        steps = re.findall(r"^///     (\w+)\s+(\w+)\.(\w+) ", drawing, re.M)
        self.assertEqual([step for step, _, _ in steps], ["load", "plan", "perform", "judge", "settle", "render"])
        for step, target, kind in steps:
            text = "\n".join(file.read_text(encoding="utf-8") for file in test_layout.targets()[target][0].rglob("*.swift"))
            self.assertRegex(text, rf"(?m)^(?:\w+ )*(?:struct|enum|class|protocol|actor) {kind}\b", step)


if __name__ == "__main__":
    if "--write" in sys.argv:
        found = test_layout.targets()
        for name, (folder, _, _) in found.items():
            file = folder / "README.md"
            before, _, after = file.read_text(encoding="utf-8").split(MARK)
            file.write_text(f"{before}{MARK}\n\n{imports(name, found)}\n\n{MARK}{after}", encoding="utf-8")
    else:
        unittest.main()
