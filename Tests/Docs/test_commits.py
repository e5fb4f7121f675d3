"""The subjects of all commits after the one that `commits-since` names."""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


def git(*words):
    return subprocess.run(["git", "-C", str(pages.ROOT), *words], capture_output=True, text=True)


class CommitTests(unittest.TestCase):
    def test_subjects_are_short_and_imperative(self):
        since = (checks.FOLDER / "commits-since").read_text(encoding="utf-8").strip()
        if git("cat-file", "-e", since + "^{commit}").returncode:
            self.skipTest(f"the history does not reach back to {since}")
        subjects = git("log", "--no-merges", "--format=%s", f"{since}..HEAD").stdout.splitlines()
        complaints = [complaint for line in subjects for complaint in checks.subject(line)]
        self.assertFalse(complaints, "\n" + "\n".join(complaints))


if __name__ == "__main__":
    unittest.main()
