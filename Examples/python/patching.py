"""Named changes of an SDK, made before it runs. The SDK itself knows nothing of them."""
import inspect
import os


def add_options(parser):
    """Has a program take names of changes: `--option` and `--defect`, and variables with commas between names."""
    parser.add_argument("--option", action="append", default=_named("CONFORM_VARIANT"))
    parser.add_argument("--defect", action="append", default=_named("CONFORM_DEFECT"))


def _named(variable):
    return [name for name in os.environ.get(variable, "").split(",") if name]


def find(name, among, refuse):
    """What has this name; one that nothing has is an error that tells the others."""
    if name not in among:
        refuse(f"there is no {name}; there are {', '.join(sorted(among))}")
    return among[name]


class Changes:
    """Changes by their names; each is a function, whose parameters are what it asks for of what `make` is given."""

    def __init__(self):
        self.made = {}

    def named(self, name):
        def add(change):
            if name in self.made:
                raise ValueError(f"there are two of {name}")
            self.made[name] = change
            return change

        return add

    def make(self, names, refuse, **given):
        for name in names:
            change = find(name, self.made, refuse)
            change(**{parameter: given[parameter] for parameter in inspect.signature(change).parameters})


def replace(owner, name):
    """Replaces a method by what the decorated function makes of it."""

    def put(make):
        around(owner, name, make)
        return make

    return put


def around(owner, name, make):
    """Replaces a method by what `make` makes of it. A name that is gone is an error, not a change that does nothing."""
    setattr(owner, name, make(getattr(owner, name)))


def override(owner, name, function):
    """Replaces a method by another that does not call it."""
    around(owner, name, lambda original: function)


def constant(value):
    return lambda *arguments, **named: value
