"""The data of a backend: the users of sessions, and the installs and Sentiance ids of users."""
import sqlite3
import threading
from dataclasses import dataclass


class Sessions:
    """The sessions of logged-in users. Sentiance knows the user of a session by the external id."""

    def __init__(self, text):
        """`text` contains pairs of a session and an external id, such as `s-1=anna,s-2=ben`."""
        self.users = dict(pair.split("=", 1) for pair in text.split(",") if pair)

    def external_id(self, session):
        return self.users.get(session)


@dataclass
class Link:
    sentiance_id: str
    installs: list  # the newest first


class Links:
    """The table of users: the installs of each user, and the Sentiance id, which helps to find the causes of problems."""

    def __init__(self, path=":memory:"):
        self.lock = threading.Lock()
        self.database = sqlite3.connect(path, check_same_thread=False)
        with self.lock, self.database:
            self.database.execute("CREATE TABLE IF NOT EXISTS user (external_id TEXT PRIMARY KEY, sentiance_id TEXT NOT NULL)")
            self.database.execute(
                "CREATE TABLE IF NOT EXISTS install (number INTEGER PRIMARY KEY AUTOINCREMENT, "
                "install_id TEXT NOT NULL UNIQUE, external_id TEXT NOT NULL)")

    def keep(self, external_id, install_id, sentiance_id):
        with self.lock, self.database:
            self.database.execute("REPLACE INTO user VALUES (?, ?)", (external_id, sentiance_id))
            self.database.execute(
                "REPLACE INTO install (install_id, external_id) VALUES (?, ?)", (install_id, external_id))

    def of(self, external_id):
        with self.lock:
            row = self.database.execute("SELECT sentiance_id FROM user WHERE external_id = ?", (external_id,)).fetchone()
            installs = self.database.execute(
                "SELECT install_id FROM install WHERE external_id = ? ORDER BY number DESC", (external_id,)).fetchall()
        return None if row is None else Link(row[0], [install for install, in installs])

    def forget(self, external_id):
        with self.lock, self.database:
            self.database.execute("DELETE FROM user WHERE external_id = ?", (external_id,))
            self.database.execute("DELETE FROM install WHERE external_id = ?", (external_id,))
