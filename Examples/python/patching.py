"""Named changes of the SDK, made before it runs. The SDK itself knows nothing of them."""


class Changes:
    """Changes by their names; each is a function without parameters."""

    def __init__(self):
        self.made = {}

    def named(self, name):
        def add(change):
            if name in self.made:
                raise ValueError(f"there are two of {name}")
            self.made[name] = change
            return change

        return add

    def make(self, names, refuse):
        for name in names:
            if name not in self.made:
                refuse(f"there is no {name}; there are {', '.join(sorted(self.made))}")
            self.made[name]()


def replace(owner, name):
    """Replaces a method by what the decorated function makes of it."""

    def put(make):
        setattr(owner, name, make(getattr(owner, name)))
        return make

    return put


def constant(value):
    return lambda *arguments, **named: value
