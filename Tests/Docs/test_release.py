"""`bin/release` passes a repository that is ready, and names what is missing in each other one."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pages  # noqa: E402

CHANGELOG = "# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-01-02\n\n### Added\n\n- One thing.\n\n## 1.1.0 - 2026-01-01\n\n- Old.\n"
PACKAGES = ["conform-1.2.0-linux-x86_64.tar.xz", "conform_1.2.0_amd64.deb", "conform-1.2.0-py3-none-manylinux_2_34_x86_64.whl"]


class ReleaseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ["bin", "dist", ".build/release"]:
            (self.root / name).mkdir(parents=True)
        shutil.copy(pages.ROOT / "bin/release", self.root / "bin/release")
        self.program("conform 1.2.0")
        (self.root / "CHANGELOG.md").write_text(CHANGELOG)
        (self.root / ".gitignore").write_text("dist/\n.build/\n")
        self.git("init", "-q")
        self.commit()
        for name in PACKAGES:
            (self.root / "dist" / name).write_text(name)

    def program(self, version):
        file = self.root / ".build/release/conform"
        file.write_text(f"#!/bin/sh\necho '{version}'\n")
        file.chmod(0o755)

    def git(self, *words):
        identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *words], cwd=self.root, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Make a repository")

    def release(self, *words):
        environment = {key: value for key, value in os.environ.items() if key not in ("CONFORM", "DIST")}
        environment |= {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@localhost"}
        environment |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@localhost"}
        done = subprocess.run(["bin/release", *words], cwd=self.root, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def expect_failure(self, text):
        code, output = self.release("--dry-run", "1.2.0")
        self.assertEqual(code, 1, output)
        self.assertIn("FAILED  " + text, output)
        self.assertEqual(output.count("FAILED"), 1, output)
        self.assertEqual(self.git("tag"), "")

    def test_a_dry_run_changes_nothing(self):
        code, output = self.release("--dry-run", "1.2.0")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.git("tag"), "")
        self.assertFalse((self.root / "dist/SHA256SUMS").exists())

    def test_a_release_writes_checksums_and_the_tag(self):
        code, output = self.release("1.2.0")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.git("tag"), "v1.2.0\n")
        sums = (self.root / "dist/SHA256SUMS").read_text()
        self.assertTrue(all(name in sums for name in PACKAGES), sums)

    def test_another_version_of_the_program(self):
        self.program("conform 1.1.0")
        self.expect_failure("version: .build/release/conform is 'conform 1.1.0', expected 'conform 1.2.0'")

    def test_no_heading_in_the_changelog(self):
        (self.root / "CHANGELOG.md").write_text(CHANGELOG.replace("1.2.0 - 2026-01-02", "1.2.0"))
        self.commit()
        self.touch()
        self.expect_failure("changelog: no heading '## 1.2.0 - YYYY-MM-DD'")

    def test_a_heading_without_entries(self):
        (self.root / "CHANGELOG.md").write_text(CHANGELOG.replace("- One thing.\n", ""))
        self.commit()
        self.touch()
        self.expect_failure("changelog: '## 1.2.0' has no entry")

    def test_unreleased_entries(self):
        (self.root / "CHANGELOG.md").write_text(CHANGELOG.replace("## Unreleased\n", "## Unreleased\n\n- New.\n"))
        self.commit()
        self.touch()
        self.expect_failure("changelog: 1 entries under '## Unreleased'")

    def test_a_file_that_is_not_committed(self):
        (self.root / "new").write_text("")
        self.expect_failure("clean tree: '?? new'")

    def test_a_missing_package(self):
        (self.root / "dist" / PACKAGES[1]).unlink()
        self.expect_failure("packages: no dist/conform_1.2.0_*.deb")

    def test_a_package_older_than_the_last_commit(self):
        os.utime(self.root / "dist" / PACKAGES[0], (1, 1))
        self.expect_failure(f"packages: dist/{PACKAGES[0]} is older than the last commit")

    def test_checksums_of_other_packages(self):
        (self.root / "dist/SHA256SUMS").write_text("0" * 64 + f"  {PACKAGES[0]}\n")
        self.expect_failure("checksums: dist/SHA256SUMS differs")

    def test_bad_input(self):
        for words in [[], ["1.2"], ["v1.2.0"], ["--force", "1.2.0"], ["1.2.0", "1.3.0"]]:
            self.assertEqual(self.release(*words)[0], 2, words)

    def touch(self):
        for name in PACKAGES:
            os.utime(self.root / "dist" / name)


if __name__ == "__main__":
    unittest.main()
