"""Named changes of an SDK. They are made before the SDK runs. The SDK itself contains no code for them."""
import inspect
import os


def add_options(parser):
    """Adds the options `--option` and `--defect`. The default values come from variables with commas between the names."""
    parser.add_argument("--option", action="append", default=_named("CONFORM_VARIANT"))
    parser.add_argument("--defect", action="append", default=_named("CONFORM_DEFECT"))


def _named(variable):
    return [name for name in os.environ.get(variable, "").split(",") if name]


def find(name, among, refuse):
    """The element with this name. For an unknown name, the error lists the known names."""
    if name not in among:
        refuse(f"there is no {name}; there are {', '.join(sorted(among))}")
    return among[name]


class Changes:
    """Changes by their names. Each change is a function. It gets the arguments of `make` that its parameters name."""

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
    """Replaces a method by the result of the decorated function, which gets the method."""

    def put(make):
        around(owner, name, make)
        return make

    return put


def around(owner, name, make):
    """Replaces a method by the result of `make`, which gets the method. An unknown name is an error."""
    setattr(owner, name, make(getattr(owner, name)))


def override(owner, name, function):
    """Replaces a method by another that does not call it."""
    around(owner, name, lambda original: function)


def constant(value):
    return lambda *arguments, **named: value
