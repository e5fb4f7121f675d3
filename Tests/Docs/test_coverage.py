"""The tables of `conform coverage`: each cell of `--flow`, `--moments`, `--values` and `--negatives` has a reason or a
case."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import pages  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("CONFORM", pages.ROOT / ".build/release/conform"))
SUMS = re.compile(r"^(\d+) cells: \d+ with (?:cases|claims), \d+ with a reason, (\d+) empty$", re.M)


class CoverageTests(unittest.TestCase):
    @unittest.skipUnless(PROGRAM.exists(), "the program is not built")
    def test_no_cell_is_empty(self):
        for protocol in sorted(file.parent.name for file in pages.ROOT.glob("spec/*/protocol.yaml")):
            for table in ("--flow", "--moments", "--values", "--negatives"):
                with self.subTest(protocol=protocol, table=table):
                    command = [PROGRAM, "coverage", "--root", pages.ROOT, "--protocol", protocol, table]
                    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
                    sums = SUMS.findall(done.stdout)
                    self.assertTrue(done.returncode == 0 and sums, done.stdout + done.stderr)
                    empty = sum(int(count) for _, count in sums)
                    self.assertEqual(empty, 0, f"add a case, or a reason in spec/{protocol}/coverage.yaml\n{done.stdout}")


if __name__ == "__main__":
    unittest.main()
