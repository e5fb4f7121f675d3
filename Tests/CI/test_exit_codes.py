"""The files for CI engines lose no exit code. The tests run the scripts of each file as its engine does, with a program in
the place of 'conform' that fails at a chosen call, and look at the exit code of the job."""
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "spec/kit/ci"
# The exit codes of a run that has judged: violations, unjudged, a stale baseline.
VERDICTS = (1, 3, 4)
# Bad input, and a process that was killed.
FAILURES = (2, 137)
# Settings with which an engine ignores the exit code of a script.
IGNORING = re.compile(
    r"continue-on-error|continueOnError|allow_failure|catchError|warnError|returnStatus|podFailurePolicy|ignore_failure")

# Notes its arguments, writes a record into the folder of --output, and ends with the code that PLAN has for this call. PLAN
# contains words such as 2:137, the number of a call and its exit code.
PROGRAM = r"""#!/usr/bin/env bash
number=1
until mkdir "$CALLS/$number" 2>/dev/null; do number=$((number + 1)); done
printf '%s\n' "$@" >"$CALLS/$number/arguments"
while [ $# -gt 0 ]; do
  if [ "$1" = --output ]; then mkdir -p "$2" && echo '{"record":"end","conclusion":"conformant"}' >"$2/run.jsonl"; fi
  shift
done
for word in $PLAN; do
  if [ "${word%:*}" = "$number" ]; then exit "${word#*:}"; fi
done
"""

GITLAB_SHELLS = (["bash", "-eo", "pipefail"], ["sh", "-e"])


PROGRAMS = tempfile.TemporaryDirectory()


def setUpModule():
    """Writes the program once, before there are threads. While one thread writes a program, another may start a process, which
    has the file open for writing until its own program starts. The system refuses to start a program that is open for writing."""
    program = pathlib.Path(PROGRAMS.name) / "conform"
    program.write_text(PROGRAM)
    program.chmod(0o755)


def tearDownModule():
    PROGRAMS.cleanup()


class Job:
    """A folder in which the scripts of one job run, with 'conform' on the PATH."""

    def __init__(self, folder, plan):
        self.folder = pathlib.Path(folder)
        self.calls = self.folder / "calls"
        self.calls.mkdir()
        plain = {name: value for name, value in os.environ.items() if name != "CONFORM"}
        self.variables = {**plain, "PATH": f"{PROGRAMS.name}:{plain['PATH']}", "CALLS": str(self.calls), "PLAN": plan}

    def run(self, command, **variables):
        done = subprocess.run(command, cwd=self.folder, env={**self.variables, **variables}, capture_output=True, timeout=60)
        return done.returncode

    def arguments(self):
        """The arguments of each call of 'conform', in the order of the calls."""
        numbers = sorted(int(call.name) for call in self.calls.iterdir())
        return [(self.calls / str(number) / "arguments").read_text().splitlines() for number in numbers]


class Expressions:
    """The expressions of GitHub and Azure that the files use."""

    def __init__(self, values):
        self.values = values

    def filled(self, text):
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: self.values.get(match[1], ""), str(text))

    def allow(self, condition, failed):
        """Whether a step runs. Without a function of the status, only if no step before it has failed."""
        condition = re.sub(r"^\$\{\{|\}\}$", "", str(condition or "success()")).strip()
        text, count = re.subn(r"always\(\)|!cancelled\(\)", "True", condition)
        if failed and not count:
            return False
        text = text.replace("success()", "True").replace("&&", " and ").replace("||", " or ")
        text = re.sub(r"\b(inputs|steps)\.[\w.-]+", lambda match: repr(self.values.get(match[0], "")), text)
        return eval(text, {"__builtins__": {}})  # The files are our own.


def github(job):
    """The code of the last step that failed, or 0."""
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    values = {f"inputs.{name}": str(entry.get("default", "")) for name, entry in action["inputs"].items()}
    values |= {"inputs.arguments": "--sdk\n./adapter", "inputs.matrix-check": "matrix.md"}
    expressions, result = Expressions(values), 0
    for step in action["runs"]["steps"]:
        if "run" not in step or not expressions.allow(step.get("if"), result):
            continue
        output = job.folder / "output"
        output.write_text("")
        variables = {name: expressions.filled(text) for name, text in step.get("env", {}).items()}
        code = job.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", expressions.filled(step["run"])],
            GITHUB_OUTPUT=str(output), GITHUB_STEP_SUMMARY=str(job.folder / "summary"), **variables)
        result = code or result
        for name, _, value in (line.partition("=") for line in output.read_text().splitlines()):
            values[f"steps.{step.get('id')}.outputs.{name}"] = value
    return result


def gitlab(name, shell):
    def perform(job):
        entry = yaml.safe_load((FOLDER / "gitlab.yml").read_text())[name]
        (job.folder / "shards/1").mkdir(parents=True)
        (job.folder / "shards/1/run.jsonl").write_text("{}\n")
        return job.run([*shell, "-c", "\n".join(entry["script"])], CI_NODE_INDEX="1", CI_NODE_TOTAL="4", **entry["variables"])

    return perform


def azure_merge(job):
    (job.folder / "shards/conform-report-1").mkdir(parents=True)
    (job.folder / "shards/conform-report-1/run.jsonl").write_text("{}\n")
    return azure(job, "azure-merge.yml")


def azure(job, file="azure-steps.yml"):
    document = yaml.safe_load((FOLDER / file).read_text())
    values = {f"parameters.{entry['name']}": entry.get("default", "--sdk ./adapter") for entry in document["parameters"]}
    expressions, result = Expressions(values), 0
    for step in document["steps"]:
        if "bash" in step and expressions.allow(step.get("condition"), result):
            variables = {name: expressions.filled(text) for name, text in step.get("env", {}).items()}
            result = job.run(["bash", "--noprofile", "--norc", "-c", step["bash"]], **variables) or result
    return result


def jenkins(job):
    for line in re.findall(r"\bsh '([^']*)'", (FOLDER / "Jenkinsfile").read_text()):
        if code := job.run(["sh", "-xe", "-c", line]):
            return code
    return 0


def kubernetes_job():
    return yaml.safe_load((FOLDER / "kubernetes.yaml").read_text())["spec"]


def kubernetes(job, index=0):
    container = kubernetes_job()["template"]["spec"]["containers"][0]
    arguments = [argument.replace("/shards/", f"{job.folder}/shards/") for argument in container["args"]]
    return job.run(container["command"] + arguments, JOB_COMPLETION_INDEX=str(index))


def script(name, **variables):
    return lambda job: job.run([str(FOLDER / name), "--sdk", "./adapter"], **variables)


# The jobs of each file.
JOBS = {
    "action.yml": {"": github},
    "gitlab.yml": {f"{name}, {shell[0]}": gitlab(name, shell) for name in (".conform", ".conform-merge") for shell in GITLAB_SHELLS},
    "azure-steps.yml": {"": azure},
    "azure-merge.yml": {"": azure_merge},
    "Jenkinsfile": {"": jenkins},
    "kubernetes.yaml": {"": kubernetes},
    "bazel_test.sh": {"": script("bazel_test.sh", TEST_TOTAL_SHARDS="2", TEST_SHARD_INDEX="0")},
    "slurm.sh": {"": script("slurm.sh", SLURM_ARRAY_JOB_ID="7", SLURM_ARRAY_TASK_ID="1", SLURM_ARRAY_TASK_COUNT="4")},
    "parallel.sh": {"": script("parallel.sh")},
}


def performed(perform, plan=""):
    """The exit code of a job, and the arguments of its calls of 'conform'."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(folder, plan)
        return perform(job), job.arguments()


def jobs():
    """The jobs whose tools are here."""
    for file, of_file in JOBS.items():
        if file != "parallel.sh" or shutil.which("parallel"):
            for name, perform in of_file.items():
                yield f"{file} {name}", perform


class ExitCodeTests(unittest.TestCase):
    def test_each_file_is_tried(self):
        self.assertEqual(set(JOBS), {file.name for file in FOLDER.iterdir()} | {"action.yml"})

    def test_a_job_without_a_failure_ends_with_0(self):
        for name, perform in jobs():
            with self.subTest(job=name):
                code, calls = performed(perform)
                self.assertEqual(code, 0)
                self.assertTrue(calls, "no call of conform")

    def test_a_failure_of_any_call_is_the_exit_code_of_the_job(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for name, perform in jobs():
                calls = performed(perform)[1]
                merges = any(call[0] == "merge" for call in calls)
                plans = list(itertools.product(range(1, len(calls) + 1), FAILURES + VERDICTS))
                codes = pool.map(lambda plan: performed(perform, "%d:%d" % plan)[0], plans)
                for (number, code), found in zip(plans, codes):
                    call = calls[number - 1][0]
                    # The verdicts of shards are for the merge.
                    expected = 0 if merges and call == "run" and code in VERDICTS else code
                    with self.subTest(job=name, call=f"{number}, conform {call}", code=code):
                        self.assertEqual(found, expected)

    def test_the_verdict_of_a_shard_does_not_stop_the_merge(self):
        for name, perform in jobs():
            calls = performed(perform)[1]
            if any(call[0] == "merge" for call in calls):
                with self.subTest(job=name):
                    plan = " ".join(f"{number}:1" for number, call in enumerate(calls, 1) if call[0] == "run")
                    self.assertEqual(performed(perform, plan)[1][-1][0], calls[-1][0])

    def test_the_exit_code_of_the_run_comes_before_that_of_a_report(self):
        for name, perform in jobs():
            calls = [call[0] for call in performed(perform)[1]]
            run = max(number for number, call in enumerate(calls, 1) if call in ("run", "merge"))
            for number in range(run + 1, len(calls) + 1):
                with self.subTest(job=name, call=f"{number}, conform {calls[number - 1]}"):
                    self.assertEqual(performed(perform, f"{run}:1 {number}:2")[0], 1)

    def test_no_engine_ignores_a_failure(self):
        for file in [*FOLDER.iterdir(), ROOT / "action.yml"]:
            with self.subTest(file=file.name):
                self.assertIsNone(IGNORING.search(file.read_text()))


class OptionTests(unittest.TestCase):
    def test_kubernetes_has_a_pod_for_each_shard(self):
        job = kubernetes_job()
        self.assertEqual(job["completionMode"], "Indexed")
        # Kubernetes accepts a limit for each index only with this policy.
        self.assertEqual(job["template"]["spec"]["restartPolicy"], "Never")
        outputs = set()
        for index in range(job["completions"]):
            arguments = performed(lambda folder: kubernetes(folder, index))[1][0]
            self.assertEqual(arguments[arguments.index("--shards") + 1], str(job["completions"]))
            outputs.add(arguments[arguments.index("--output") + 1].rpartition("/")[2])
        self.assertEqual(len(outputs), job["completions"])

    def test_kubernetes_mounts_the_volumes_that_it_names(self):
        pod = kubernetes_job()["template"]["spec"]
        mounted = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
        self.assertEqual(mounted, {volume["name"] for volume in pod["volumes"]})

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
    def test_parallel_keeps_blanks_and_patterns_of_an_option(self):
        perform = lambda job: job.run([str(FOLDER / "parallel.sh"), "--sdk", "python3 a.py", "--case", "*"])  # noqa: E731
        for call in performed(perform)[1][:-1]:
            self.assertEqual(call[:5], ["run", "--sdk", "python3 a.py", "--case", "*"])


if __name__ == "__main__":
    unittest.main()
