"""The sentences of the requirements: one sentence each, with the RFC 2119 keyword of its level."""
import pathlib
import sys
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import checks  # noqa: E402
import pages  # noqa: E402


class RequirementTests(unittest.TestCase):
    def test_each_is_one_sentence_with_the_keyword_of_its_level(self):
        complaints, count = [], 0
        for file in sorted(pages.ROOT.glob("spec/*/requirements/*.yaml")):
            for row in yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)["requirements"]:
                count += 1
                complaints += [
                    f"{pages.name(file)}: {row['id']}: {complaint}: {row['text']}"
                    for complaint in checks.requirement(row["level"], row["text"])]
        self.assertGreater(count, 800)
        self.assertFalse(complaints, f"{len(complaints)} complaints\n" + "\n".join(complaints))


if __name__ == "__main__":
    unittest.main()
