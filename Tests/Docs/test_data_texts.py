"""The words of texts in YAML data: no title, text, reason or comment uses a word that words.tsv lists."""
import pathlib
import re
import sys
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
TEXTS = {"title", "text", "reason", "gap", "because", "why"}
# Members that contain traffic and values of the protocol, not texts about them.
VALUES = {"steps", "assumes", "claims", "controls", "holds", "witness", "rows", "bend", "with", "is", "set"}


def members(node):
    """The titles, texts, gaps and reasons of a document."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in TEXTS and isinstance(value, str):
                yield value
            elif key not in VALUES:
                yield from members(value)
    elif isinstance(node, list):
        for value in node:
            yield from members(value)


def comments(text):
    """The comments of a file, one for each run of comment lines and one for each comment behind a value."""
    parts, before = [], False
    for line in text.split("\n"):
        found = re.match(r"\s*# ?(.*)", line)
        if found:
            parts.append(("\n" if before else "\n\n") + found[1])
        elif behind := re.match(r"(?:[^\"'#]|\"[^\"]*\"|'[^']*'|(?<! )#)*? # (.*)", line):
            parts.append("\n\n" + behind[1])
        before = bool(found)
    return "".join(parts)


def texts(file):
    text = file.read_text(encoding="utf-8")
    # The texts of requirements have a test of their own.
    if file.parent.name != "requirements":
        for document in yaml.load_all(text, LOADER):
            yield from members(document)
    yield comments(text)


class DataTextTests(unittest.TestCase):
    def test_no_text_uses_a_word_of_the_list(self):
        folders = [folder for folder in sorted((pages.ROOT / "spec").iterdir())
                   if folder.is_dir() and next(folder.rglob("*.yaml"), None)]
        self.assertGreater(len(folders), 3)
        for folder in folders:
            with self.subTest(folder=pages.name(folder)):
                self.assertFalse(found := checks.complaints(folder, "*.yaml", texts), "\n" + "\n".join(found[-40:]))

    def test_values_of_the_protocol_are_not_texts(self):
        document = {"cases": [{"title": "A", "steps": [{"call": "x", "with": {"title": "B"}}]}], "states": [{"text": "C"}]}
        self.assertEqual(list(members(document)), ["A", "C"])

    def test_comments_are_found(self):
        self.assertEqual(comments("# a\n# b\nx: 'y # z' # c\nv: a#b").split("\n\n"), ["", "a\nb", "c"])


if __name__ == "__main__":
    unittest.main()
