"""What a mutant is, and what keeps the tool from working at all."""
import hashlib
from dataclasses import dataclass


class Unreadable(Exception):
    """Bad input: a sentence with file and line."""


@dataclass
class Mutant:
    file: str  # from the root of the repository
    line: int
    operator: str
    start: int  # bytes
    end: int
    before: str
    after: str
    reached_by: str  # the statement whose execution reaches the mutant
    at_start: bool  # it runs once, when the program starts, and what it leaves is used later
    text: str = ""  # the source line, without blanks at its ends

    def apply(self, source):
        return source[:self.start] + self.after.encode() + source[self.end:]

    @property
    def change(self):
        before, after = short(self.before), short(self.after)
        if before == after:  # the difference is further to the right
            before, after = short(self.before, 10_000), short(self.after, 10_000)
            first = next((n for n, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
            before, after = ("…" + short(each[max(0, first - 30):]) for each in (before, after))
        return f"{before} → {after}".strip()

    @property
    def digest(self):
        return digest(self.text)

    @property
    def place(self):
        return f"{self.file}:{self.line}"


def short(text, limit=70):
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit - 1] + "…"


def digest(text):
    """The digest of source lines, each without blanks at its ends."""
    lines = "\n".join(line.strip() for line in text.strip().splitlines())
    return hashlib.sha256(lines.encode()).hexdigest()[:12]
