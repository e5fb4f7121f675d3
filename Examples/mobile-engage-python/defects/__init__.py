"""Ways to break the SDK, one at a time: `--defect NAME`. What each of them breaks stands in defects.yaml."""
import inspect

from . import contacts, events, headers, push, queue, registration, sessions, shipped, state, tokens
from .patching import CHOSEN, DEFECTS

__all__ = [
    "DEFECTS", "break_sdk", "contacts", "events", "headers", "push", "queue", "registration", "sessions", "shipped",
    "state", "tokens",
]


def break_sdk(name, chosen, adapter):
    """Puts a defect into the SDK, and into `chosen` what it chooses."""
    if name not in DEFECTS:
        raise SystemExit(f"there is no defect {name}")
    make = DEFECTS[name]
    make(adapter) if "adapter" in inspect.signature(make).parameters else make()
    chosen.update(CHOSEN)
