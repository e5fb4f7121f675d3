"""The words of comments in Swift: no comment uses a word that words.tsv lists."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


def texts(file):
    return [pages.comments(file.read_text(encoding="utf-8"))]


class CommentTests(unittest.TestCase):
    def test_no_comment_uses_a_word_of_the_list(self):
        folders = [folder for top in ("Sources", "Tests") for folder in sorted((pages.ROOT / top).iterdir())
                   if next(folder.rglob("*.swift"), None)]
        self.assertGreater(len(folders), 40)
        for folder in folders:
            with self.subTest(target=pages.name(folder)):
                self.assertFalse(found := checks.complaints(folder, "*.swift", texts), "\n" + "\n".join(found[-40:]))

    def test_a_word_in_a_comment_is_found(self):
        text = pages.comments("/// The kit lends a key.\nlet lends = 1\n")
        self.assertEqual(len(list(checks.words(text, checks.table("words.tsv")))), 1)


if __name__ == "__main__":
    unittest.main()
