"""Registers the properties of the device if they differ from the last registered properties."""
from .request_queue import Handler
from .errors import succeeded
from .service_client import Draft

REGISTER = "register"


class Registration(Handler):
    kinds = (REGISTER,)

    def __init__(self, platform, storage, queue, choices, version):
        self.platform, self.storage, self.queue, self.choices, self.version = platform, storage, queue, choices, version
        self.sent = None  # the properties in the open request
        self.refused = None  # properties that the server refused in this process
        self.is_outdated = False  # whether they have changed since the open request left

    def ensure(self):
        """Registers the client if necessary. Returns the outcome."""
        pending = self.queue.pending(REGISTER)
        if pending:
            self.is_outdated = self.sent is not None and self.sent != self.properties()
            return self.queue.outcome_of(pending[-1])
        if not self.is_due():
            return succeeded()
        return self.queue.outcome_of(self.queue.submit(REGISTER))

    def is_due(self):
        properties = self.properties()
        if properties == self.refused:
            return False
        return self.queue.last_switch() is not None or not self.is_registered(properties)

    def is_registered(self, properties):
        registered = self.storage.get("registered")
        if registered is None or registered["properties"] != properties:
            return False
        # If the client state was lost, only another registration can restore it.
        return not registered["hadState"] or self.storage.get("clientState") is not None

    def properties(self):
        return self.platform.device.properties(self.version)

    # -- Handler

    def draft(self, entries):
        self.sent, self.is_outdated = self.properties(), False
        return Draft("client", "POST", "client", self.body(self.sent), token=self.token())

    def body(self, properties):
        return dict(properties)

    def token(self):
        return "welcome" if self.choices.token_on_client else "never"

    def accepted(self, entries, answer):
        had_state = self.storage.get("clientState") is not None
        self.remember(self.sent, had_state)
        self.answered()

    def remember(self, properties, had_state):
        self.refused = None
        self.storage.set("registered", {"properties": properties, "hadState": had_state})

    def given_up(self, entries, error):
        self.refused = self.sent
        self.answered()

    def answered(self):
        self.sent = None
        if self.is_outdated:
            self.is_outdated = False
            self.queue.submit(REGISTER)

    def forget(self):
        self.refused = None
        self.storage.delete("registered")
