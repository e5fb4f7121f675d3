"""The stored data: values by name, and the queue. A database never stores a part of a change if the app is killed."""
import asyncio
import json
import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

TABLES = """
    CREATE TABLE IF NOT EXISTS value (name TEXT PRIMARY KEY, json TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS queue (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, json TEXT NOT NULL);
"""
LEGACY_NAME = "mobile-engage-v2.json"


@dataclass
class Entry:
    """A waiting call. `data` contains its parameters. All other data is read when the call is sent."""

    id: int
    kind: str
    data: dict = field(default_factory=dict)


class Storage:
    """Two tables, with a copy in memory. JSON is escaped to ASCII, so that any text of an app can be stored."""

    def __init__(self, folder, late=False):
        self.folder, self.late = Path(folder), late
        self.database = sqlite3.connect(self.folder / "mobile-engage.sqlite", isolation_level=None)
        # With these two settings, a killed app loses no data. A crash of the system may lose the last transaction.
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = NORMAL")
        self.database.executescript(TABLES)
        self.depth = 0
        self.load()

    def load(self):
        self.values = {name: json.loads(text) for name, text in self.database.execute("SELECT name, json FROM value")}
        rows = self.database.execute("SELECT id, kind, json FROM queue ORDER BY id")
        self.queue = [Entry(id, kind, json.loads(text)) for id, kind, text in rows]

    @contextmanager
    def transaction(self):
        """Changes in the block are written together or not at all."""
        if self.depth == 0 and not self.database.in_transaction:
            self.database.execute("BEGIN")
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
            if self.depth == 0:
                self.written()

    def written(self):
        if self.late:
            asyncio.get_running_loop().call_soon(self.commit)
        else:
            self.commit()

    def commit(self):
        if self.database is not None and self.database.in_transaction:
            self.database.execute("COMMIT")

    def get(self, name, default=None):
        return self.values.get(name, default)

    def set(self, name, value):
        self.values[name] = value
        with self.transaction():
            self.database.execute("INSERT OR REPLACE INTO value VALUES (?, ?)", (name, json.dumps(value)))

    def delete(self, *names):
        with self.transaction():
            for name in names:
                self.values.pop(name, None)
                self.database.execute("DELETE FROM value WHERE name = ?", (name,))

    def append(self, kind, data):
        with self.transaction():
            cursor = self.database.execute("INSERT INTO queue (kind, json) VALUES (?, ?)", (kind, json.dumps(data)))
        entry = Entry(cursor.lastrowid, kind, data)
        self.queue.append(entry)
        return entry

    def replace(self, entry, kind):
        entry.kind = kind
        with self.transaction():
            self.database.execute("UPDATE queue SET kind = ? WHERE id = ?", (kind, entry.id))

    def remove(self, entries):
        gone = {entry.id for entry in entries}
        self.queue = [entry for entry in self.queue if entry.id not in gone]
        with self.transaction():
            self.database.executemany("DELETE FROM queue WHERE id = ?", [(id,) for id in gone])

    def close(self):
        if self.database is not None:
            self.commit()
            self.database.close()
            self.database = None

    # -- data of an SDK version before v3

    def legacy_path(self):
        return self.folder / LEGACY_NAME

    def legacy(self):
        try:
            found = json.loads(self.legacy_path().read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def seed_legacy(self, hardware_id, contact):
        document = {"hardwareId": hardware_id, **({"contact": contact} if contact else {})}
        self.legacy_path().write_text(json.dumps(document), encoding="ascii")
