"""The backend of Beacon, after a piece of Python that misbehaves: the first word on the command line."""
import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
bend, sys.argv = sys.argv[1], [sys.argv[0], *sys.argv[2:]]
sys.path.insert(0, HERE)


def names():
    """What the hostile adapter knows, without its loop."""
    with open(os.path.join(HERE, "hostile_adapter.py")) as file:
        text = file.read()
    known = {}
    exec(text[: text.index("enlist()\nexec")], known)
    return known


known = names()
known["enlist"]()
exec(bend, known)
subjects = os.path.join(HERE, "..", "ConformanceRunnerTests", "Beacon", "subjects")
runpy.run_path(os.path.join(subjects, known.get("program", "beacon_backend.py")), run_name="__main__")
