"""The data that outlives the app: one JSON document. It is replaced as a whole, so it is never half written."""
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from .answers import Token


@dataclass
class User:
    id: str
    install_id: str
    token: Token
    linked: bool
    enabled: bool
    platform_url: str
    credentials: str | None = None  # a digest of the app's credentials at the creation


@dataclass
class Attempt:
    """A creation that has begun. If it is repeated after a lost answer or a crash, it has the same id. So the platform
    recognises it, creates no second user, and does not refuse the code as used."""

    id: str
    key: str


class Store:
    def __init__(self, folder):
        self.path = Path(folder) / "sentiance.json"
        self.user, self.attempt = self.read()

    def read(self):
        """Reads the document. An unreadable document counts as absent."""
        try:
            document = json.loads(self.path.read_bytes())
            user, attempt = document["user"], document["attempt"]
            return (
                user and User(**{**user, "token": Token(**user["token"])}),
                attempt and Attempt(**attempt),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None, None

    def save(self):
        draft = self.path.with_suffix(".draft")
        with open(draft, "w", encoding="utf-8") as file:
            json.dump(self.document(), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self.path)

    def document(self):
        return {"user": self.user and asdict(self.user), "attempt": self.attempt and asdict(self.attempt)}

    def keep_user(self, user):
        """Stores the user at the end of a creation. From now on the user survives a crash of the app."""
        self.user, self.attempt = user, None
        self.save()

    def keep_attempt(self, attempt):
        self.attempt = attempt
        self.save()

    def wipe(self):
        self.user = self.attempt = None
        self.path.unlink(missing_ok=True)
