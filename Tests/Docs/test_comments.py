"""The words of comments in Swift: what words.tsv lists becomes rarer in each target, and never more frequent."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


def complaints(target):
    patterns = checks.table("words.tsv")
    return [f"{pages.name(file)}: {complaint}" for file in sorted(target.rglob("*.swift"))
            for complaint in checks.words(pages.comments(file.read_text(encoding="utf-8")), patterns)]


class CommentTests(unittest.TestCase):
    def test_no_target_has_more_words_of_the_list(self):
        known = {row[0]: int(row[1]) for row in checks.table("comments.tsv")}
        targets = {pages.name(folder): folder for top in ("Sources", "Tests")
                   for folder in sorted((pages.ROOT / top).iterdir()) if next(folder.rglob("*.swift"), None)}
        self.assertFalse(set(known) - set(targets), "comments.tsv names targets that do not exist")
        for name, folder in targets.items():
            with self.subTest(target=name):
                found = complaints(folder)
                self.assertLessEqual(len(found), known.get(name, 0), "\n" + "\n".join(found[-40:]))
                self.assertGreaterEqual(len(found), known.get(name, 0), f"write {len(found)} into comments.tsv")


if __name__ == "__main__":
    unittest.main()
