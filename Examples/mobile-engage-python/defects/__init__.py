"""Defects of the SDK: `--defect NAME`. defects.yaml lists the requirements that each defect violates."""
from . import contacts, events, headers, push, queue, registration, sessions, shipped, state, tokens
from .parts import CHOSEN, DEFECTS

__all__ = [
    "DEFECTS", "break_sdk", "contacts", "events", "headers", "push", "queue", "registration", "sessions", "shipped",
    "state", "tokens",
]


def break_sdk(names, chosen, adapter, refuse):
    """Adds defects to the SDK and its adapter, and their choices to `chosen`. Calls `refuse` for an unknown name."""
    DEFECTS.make(names, refuse, adapter=adapter)
    chosen.update(CHOSEN)
