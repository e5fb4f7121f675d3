"""What is mutated: the SDKs, servers and backends of Examples/, without their adapters, options and planted defects."""
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Subject:
    name: str
    protocol: str
    dialect: str  # the first of the protocol
    folder: str  # has survivors.yaml
    sources: tuple  # patterns
    command: tuple  # the options of `conform run` that name the subject
    shared: tuple = ()  # folders that it needs besides its own
    without: tuple = ()  # files among the sources that are not part of the product

    def files(self, root):
        found = sorted(path for pattern in self.sources for path in Path(root).glob(pattern))
        return [path for path in found if str(path.relative_to(root)) not in self.without]

    @property
    def survivors(self):
        return f"{self.folder}/survivors.yaml"


SUBJECTS = (
    Subject(
        "linkforty-python", "linkforty", "spec", "Examples/python",
        ("Examples/python/linkforty_sdk.py", "Examples/python/threaded_http.py"),
        ("--role", "sdk", "--sdk", "python3 Examples/python/linkforty_adapter.py")),
    Subject(
        "linkforty-javascript", "linkforty", "spec", "Examples/javascript", ("Examples/javascript/linkforty/*.mjs",),
        ("--role", "sdk", "--sdk", "node Examples/javascript/adapter.mjs")),
    Subject(
        "linkforty-server-javascript", "linkforty", "spec", "Examples/javascript-server",
        ("Examples/javascript-server/linkforty/*.mjs",),
        ("--server-file", "Examples/javascript-server/provisioning.yaml"),
        without=("Examples/javascript-server/linkforty/control.mjs",)),  # the hooks of provisioning.yaml
    Subject(
        "mobile-engage-python", "mobile-engage", "v3", "Examples/mobile-engage-python",
        ("Examples/mobile-engage-python/mobile_engage/*.py",),
        ("--sdk", "python3 Examples/mobile-engage-python/adapter.py"), ("Examples/python",)),
    Subject(
        "sentiance-python", "sentiance", "v2", "Examples/sentiance-python", ("Examples/sentiance-python/sentiance/*.py",),
        ("--sdk", "python3 Examples/sentiance-python/adapter.py"), ("Examples/python",)),
    Subject(
        "sentiance-backend-python", "sentiance", "v2", "Examples/sentiance-backend-python",
        tuple(f"Examples/sentiance-backend-python/{name}.py" for name in ("accounts", "platform_client", "service")),
        ("--backend", "Examples/sentiance-backend-python/binding.yaml"), ("Examples/python",)),
)
