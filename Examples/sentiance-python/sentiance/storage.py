"""What outlives the app: one JSON document, replaced as a whole, so that it is never half written."""
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
    credentials: str | None = None  # a digest of the app's credentials that it was created with


@dataclass
class Attempt:
    """A creation that has begun. Begun again after a lost answer or a crash it has the same id, so that the platform
    knows it is the same and neither a second user nor a used code comes of it."""

    id: str
    key: str


class Store:
    def __init__(self, folder):
        self.path = Path(folder) / "sentiance.json"
        self.user, self.attempt = self.read()

    def read(self):
        """One that cannot be read counts as absent."""
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
        """The end of a creation: from here on the user is there, whatever happens to the app."""
        self.user, self.attempt = user, None
        self.save()

    def keep_attempt(self, attempt):
        self.attempt = attempt
        self.save()

    def wipe(self):
        self.user = self.attempt = None
        self.path.unlink(missing_ok=True)
