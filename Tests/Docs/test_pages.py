"""The pages: words, spelling, readability, links, length and the first paragraph."""
import sys
import pathlib
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


class PageTests(unittest.TestCase):
    def expect_none(self, complaints):
        self.assertFalse(complaints, "\n" + "\n".join(complaints))

    def of_each(self, files, check):
        self.expect_none([
            f"{pages.name(file)}: {complaint}" for file in files for complaint in check(file, file.read_text(encoding="utf-8"))])

    def test_there_are_pages(self):
        self.assertGreater(len(pages.written()), 20)
        self.assertGreater(len(pages.all_pages()), len(pages.written()))

    def test_no_page_uses_a_word_of_the_list(self):
        patterns = checks.table("words.tsv")
        # The glossary lists the older words on purpose.
        self.of_each([f for f in pages.written() if f.name != "glossary.md"], lambda _, text: checks.words(text, patterns))

    def test_each_page_is_short(self):
        self.of_each(pages.written(), lambda _, text: checks.length(text))

    def test_each_page_says_for_whom_it_is(self):
        self.of_each(pages.written(), lambda _, text: checks.audience(text))

    def test_each_page_is_readable(self):
        limits = {row[0]: float(row[1]) for row in checks.table("reading.tsv")}
        names = {pages.name(file) for file in pages.written()}
        self.assertFalse(set(limits) - names, "reading.tsv names files that are not pages")
        self.of_each(pages.written(), lambda file, text: checks.reading(text, limits.get(pages.name(file), checks.HARDEST_GRADE)))

    def test_spelling(self):
        self.expect_none(checks.spelling(pages.written()))

    def test_links_and_anchors_resolve(self):
        self.of_each(pages.all_pages(), checks.links)


if __name__ == "__main__":
    unittest.main()
