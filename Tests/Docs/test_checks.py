"""Each check fails on a bad example, and passes the good one beside it."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402
import test_console  # noqa: E402


class CheckTests(unittest.TestCase):
    def test_words(self):
        patterns = checks.table("words.tsv")
        for bad in [
            "The server is told the port.", "What a server forgets is a defect.", "Who names several is asked.",
            "A 404 is no answer.", "A file lends the states.", "The run comes to nothing.", "The mock is forgiving.",
            "It is held against the schema.", "A stranger wrote it.", "Read this. That nothing passes says little.",
        ]:
            self.assertTrue(checks.words(bad, patterns), bad)
        for good in [
            "The adapter receives the port.", "`told` is a label.", "A run that is no longer valid ends.", "```\nit is told\n```",
            "What is the port?", "[a page](strangers/README.md) lists them.",
        ]:
            self.assertFalse(checks.words(good, patterns), good)

    def test_length(self):
        self.assertTrue(checks.length("line\n" * 400))
        self.assertFalse(checks.length("line\n" * 399))

    def test_audience(self):
        self.assertTrue(checks.audience("# Title\n\nAn adapter is a program.\n"))
        self.assertFalse(checks.audience("# Title\n\nThis page is for authors of adapters.\n"))

    def test_reading(self):
        hard = (
            "Notwithstanding considerable terminological heterogeneity, interoperability characteristics necessitate"
            " comprehensive architectural rationalisation. ")
        self.assertTrue(checks.reading(hard * 6))
        self.assertTrue(checks.reading("The kit runs a case " + "and then it runs a case " * 10 + "again."))
        self.assertFalse(checks.reading("The kit runs a case. It writes a record. " * 4))

    def test_spelling(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.md"
            file.write_text("The server recieves a request.\n")
            self.assertTrue(checks.spelling([file]))
            file.write_text("The server receives a request.\n")
            self.assertFalse(checks.spelling([file]))

    def test_links(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.md"
            other = pathlib.Path(folder) / "other.md"
            other.write_text("# A `title` of two\n")
            for bad in ["[x](gone.md)", "[x](other.md#gone)", "[x](#gone)"]:
                self.assertTrue(checks.links(file, bad), bad)
            for good in ["[x](other.md)", "[x](other.md#a-title-of-two)", "[x](https://example.com/y)", "`[x](gone.md)`"]:
                self.assertFalse(checks.links(file, good), good)

    def test_subjects(self):
        for bad in [
            "A reference SDK takes what comes at once", "Who gives a code to nobody has not kept it to one", "adds a test",
            "Added a test", "Adds a test", "Fixing the test", "Fix the test.", "Fix " + "x" * 69,
        ]:
            self.assertTrue(checks.subject(bad), bad)
        for good in ["Reject a baseline whose pack has changed", "Bring the pages up to date", "Pass each option", "Embed the data"]:
            self.assertFalse(checks.subject(good), good)

    def test_requirements(self):
        for level, bad in [
            ("MUST", "The queue holds 100 events."),
            ("MUST", "The queue SHOULD hold 100 events."),
            ("MUST", "The queue MUST NOT hold more than 100 events."),
            ("MUST", "The queue MUST hold 100 events and MUST drop others."),
            ("MUST", "The queue MUST hold 100 events. It drops others."),
            ("MUST", "The queue MUST hold 100 events"),
            ("MUST", "The queue MUST treat input properly."),
            ("MUST NOT", "A 5xx answer the server MUST NOT."),
            ("OBSERVE", "It is recorded whether the queue holds 100 events."),
            ("OBSERVE", "Recorded: whether the queue MUST hold 100 events."),
        ]:
            self.assertTrue(checks.requirement(level, bad), bad)
        for level, good in [
            ("MUST", "The event queue MUST hold at most 100 events."),
            ("SHOULD NOT", "The SDK SHOULD NOT send a request twice."),
            ("OBSERVE", "Recorded: whether the queue holds 100 events."),
        ]:
            self.assertFalse(checks.requirement(level, good), good)

    def test_console(self):
        with tempfile.TemporaryDirectory() as folder:
            for bad in ["$ false", "$ true\n# exit code 1", "$ echo one\ntwo", "$ echo one; echo two\ntwo\none"]:
                self.assertTrue(test_console.play(f"```console\n{bad}\n```\n", folder, None), bad)
            for good in ["$ true", "$ false\n# exit code 1", "$ echo one two three\none … three", "$ true      # a comment"]:
                self.assertFalse(test_console.play(f"```console\n{good}\n```\n", folder, None), good)

    def test_named_commands(self):
        text = "`conform run --sdk 'x --y' --jobs 1`\n```\nbin/conform init adapter --language python   # --no\n```\n"
        self.assertEqual(
            [(sub, used) for _, sub, used in test_console.named(text)],
            [("run", ["--sdk", "--jobs"]), ("init adapter", ["--language"])])

    def test_anchors(self):
        self.assertEqual(pages.anchors("# One `two`, three\n## A\n## A\n```\n# no\n```\n"), {"one-two-three", "a", "a-1"})


if __name__ == "__main__":
    unittest.main()
