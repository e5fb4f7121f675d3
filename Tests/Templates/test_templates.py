"""Each template leads from an empty folder to a red and a green case, by the commands and the code of its own page.

LANGUAGES names those to try, separated by spaces; CONFORM names the program.
"""
import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import threading
import unittest

import yaml

from template import Template, lacks

executed = ["python", "javascript", "typescript", "java", "kotlin", "swift"]
wanted = os.environ.get("LANGUAGES", " ".join(executed)).split()
timers = yaml.safe_load((pathlib.Path(__file__).parent / "timers.yaml").read_text())

EPOCH = 1_767_225_600_000


def launch(folder):
    clock = {"mode": "virtual", "epoch": EPOCH, "scale": 1}
    return "launch", {"storage": folder, "clock": clock, "seed": 1, "environment": {}}


class TemplateTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def expect(self, template, line, code, lines=()):
        found, output = template.perform(line)
        self.assertEqual(found, code, f"{line}\n{output}")
        self.assertIsNone(lacks(output, lines), f"{line}\n{output}")

    def test_page_leads_to_a_red_and_a_green_case(self):
        for language in wanted:
            with self.subTest(language=language):
                self.lead(Template(language, tempfile.mkdtemp(dir=self.folder)))

    def test_template_of_each_protocol_passes_the_doctor(self):
        listed = Template(wanted[0], self.folder).perform("conform list protocols")[1]
        for protocol in [line.split()[0] for line in listed.splitlines()]:
            for language in wanted:
                with self.subTest(protocol=protocol, language=language):
                    self.examine(Template(language, tempfile.mkdtemp(dir=self.folder)), protocol)

    def examine(self, template, protocol):
        line = f"conform init adapter --protocol {protocol} --language {template.language} adapter"
        self.expect(template, line, 0)
        template.build()
        sdk = shlex.split(template.command("doctor"))[-1]
        self.expect(template, f"conform doctor --protocol {protocol} --sdk {shlex.quote(sdk)}", 0, ["score: ", "100 %"])

    def lead(self, template):
        for line in template.commands:
            if line.startswith("conform init "):
                self.expect(template, line, 0)
        template.build()
        self.expect(template, template.command("doctor"), 0, ["score: ", "100 %"])
        self.expect(template, template.command("run"), 3, template.red)
        pristine = template.file.read_text()
        template.write(
            {"start": template.code["In `start`:"], "addItem": template.code["In `addItem`:"]},
            template.code.get("Below the first line:", ""))
        template.build()
        self.expect(template, template.command("run"), 0, template.green)
        if template.language in timers:
            template.file.write_text(pristine)
            self.keep_time(template)

    def keep_time(self, template):
        """The virtual clock fires timers in order and shows their times, and storage outlives an app."""
        row = timers[template.language]
        text = template.file.read_text()
        self.assertIn(row["clocks"][0], text)
        template.file.write_text(text.replace(*row["clocks"]))
        template.write({"start": row["start"], "addItem": row["addItem"]})
        template.build()
        self.expect(template, template.command("doctor"), 0, ["ok      clock", "100 %"])
        storage = tempfile.mkdtemp(dir=self.folder)
        requests = [
            launch(storage), ("start", {"url": ""}),
            *[("advance", {"to": to, "inFlight": 0}) for to in (0, 1500, 2500)],
            ("quit", {}), launch(storage), ("addItem", {"title": ""}), ("quit", {}), ("shutdown", {}),
        ]
        called = self.talk(template, requests)
        first, second = (("callback", "d1", text) for text in ("first", "second"))
        answered = [("result", None), ("result", {"next": 1000}), first, ("result", {"next": 2000}), second]
        if template.language == "kotlin":  # its start ends when its delay does
            answered = answered[1:] + [answered[0]]
        answered += [("result", {"next": 5000}), ("result", None)]
        self.assertEqual(called, [("result", None), *answered, *[("result", r) for r in (None, EPOCH + 2000, None, None)]])

    def talk(self, template, requests):
        """What an adapter answers, results and callbacks in order. Only 'start' may take longer than its line."""
        sdk = shlex.split(shlex.split(template.command("run"))[-1])
        process = subprocess.Popen(
            sdk, cwd=template.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        limit = threading.Timer(120, process.kill)
        limit.start()
        said = []
        for id, (method, params) in enumerate(requests, 1):
            process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n")
            process.stdin.flush()
            while method != "start":
                message = json.loads(process.stdout.readline() or "null")
                self.assertIsNotNone(message, f"the adapter ended before it answered {method}, after {said}")
                is_call = "method" in message
                said.append(
                    ("callback", *message["params"].values()) if is_call else ("result", message.get("result", message)))
                if message.get("id") == id:
                    break
        process.communicate()
        limit.cancel()
        self.assertEqual(process.returncode, 0)
        return said


class PageTests(unittest.TestCase):
    def test_lines_in_another_order_are_lacking(self):
        self.assertIsNone(lacks("one\ntwo 3\n", ["one", "two …"]))
        self.assertEqual(lacks("two\none\n", ["one", "two"]), "two")

    def test_template_that_is_not_executed_says_so(self):
        self.assertIn("**Not executed.**", Template("dart", ".").page)


if __name__ == "__main__":
    unittest.main()
