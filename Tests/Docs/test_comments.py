"""The words of comments and messages in Swift: no comment and no string of several words uses a word that words.tsv lists."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


LITERAL = re.compile(r'#*"""\n(.*?)"""|"((?:[^"\\\n]|\\\([^\n]*?\)|\\.)*)"', re.S)


def texts(file):
    return [pages.comments(file.read_text(encoding="utf-8"))]


def messages(swift):
    """The strings of a Swift file that are sentences or parts of some: at least three words without interpolations."""
    code = re.sub(r"^\s*//.*$", "", swift, flags=re.M)
    for block, line in LITERAL.findall(code):
        text = re.sub(r"\\\(.*?\)+|'[^']*'", "X", (block or line).replace("\\\n", ""))
        # A keyword, a template or code has other signs.
        for part in re.split(r"\n\s*\n|\\n", text):
            if len(re.findall(r"(?<!\S)[A-Za-z]{2,}(?=[\s.,;:!?)]|$)", part)) > 2 and not re.search(r"[{}<>;=]", part):
                yield " ".join(part.split())


PATTERNS = checks.table("words.tsv")


class CommentTests(unittest.TestCase):
    def test_no_comment_uses_a_word_of_the_list(self):
        folders = [folder for top in ("Sources", "Tests") for folder in sorted((pages.ROOT / top).iterdir())
                   if next(folder.rglob("*.swift"), None)]
        self.assertGreater(len(folders), 40)
        for folder in folders:
            with self.subTest(target=pages.name(folder)):
                self.assertFalse(found := checks.complaints(folder, "*.swift", texts), "\n" + "\n".join(found[-40:]))

    def test_no_message_uses_a_word_of_the_list(self):
        count = 0
        for file in sorted((pages.ROOT / "Sources").rglob("*.swift")):
            found = list(messages(file.read_text(encoding="utf-8")))
            count += len(found)
            with self.subTest(file=pages.name(file)):
                self.assertFalse(complaints := [c for text in found for c in checks.words(text, PATTERNS)], "\n".join(complaints))
        self.assertGreater(count, 1500)

    def test_a_word_in_a_message_is_found(self):
        swift = 'throw BadInput("the server \\(name) is told nothing of it")\nlet help = """\n  Who signs it.\n  """\n// "it is told"\n'
        self.assertEqual(sum(len(checks.words(text, PATTERNS)) for text in messages(swift)), 2)
        self.assertFalse([c for text in messages('f("the member \'told\' of it")') for c in checks.words(text, PATTERNS)])

    def test_a_word_in_a_comment_is_found(self):
        text = pages.comments("/// The kit lends a key.\nlet lends = 1\n")
        self.assertEqual(len(list(checks.words(text, checks.table("words.tsv")))), 1)


if __name__ == "__main__":
    unittest.main()
