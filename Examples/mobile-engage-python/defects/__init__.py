"""Ways to break the SDK, one at a time: `--defect NAME`. What each of them breaks stands in defects.yaml."""
from . import contacts, events, headers, push, queue, registration, sessions, shipped, state, tokens
from .parts import CHOSEN, DEFECTS

__all__ = [
    "DEFECTS", "break_sdk", "contacts", "events", "headers", "push", "queue", "registration", "sessions", "shipped",
    "state", "tokens",
]


def break_sdk(names, chosen, adapter, refuse):
    """Puts defects into the SDK and its adapter, and into `chosen` what it chooses; `refuse` hears of unknown names."""
    DEFECTS.make(names, refuse, adapter=adapter)
    chosen.update(CHOSEN)
