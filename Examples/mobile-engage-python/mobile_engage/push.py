"""Registers the push token if it differs from the registered push token."""
from .contacts import LINK
from .errors import failed, rejected, succeeded
from .request_queue import Handler
from .service_client import Draft

SET_PUSH = "set-push"
CLEAR_PUSH = "clear-push"


class Push(Handler):
    kinds = (SET_PUSH, CLEAR_PUSH)
    needs_token = True

    def __init__(self, storage, queue, choices):
        self.storage, self.queue, self.choices = storage, queue, choices

    # -- calls

    def set(self, token):
        if not isinstance(token, str) or not token:
            return failed(rejected("the push token is empty"))
        if self.is_unchanged(token):
            pending = self.queue.pending(SET_PUSH)
            return self.queue.outcome_of(pending[-1]) if pending else succeeded()
        return self.queue.outcome_of(self.queue.submit(SET_PUSH, {"pushToken": token}))

    def is_unchanged(self, token):
        return token == self.standing()

    def clear(self):
        return self.queue.outcome_of(self.queue.submit(CLEAR_PUSH))

    def standing(self):
        """The push token after all waiting calls, or None."""
        for entry in reversed(self.queue.pending(SET_PUSH, CLEAR_PUSH, LINK)):
            if entry.kind == SET_PUSH:
                return entry.data["pushToken"]
            if entry.kind == CLEAR_PUSH or entry.data["signsOut"]:
                return None
        return None if self.queue.last_switch() is not None else self.registered()

    def registered(self):
        return self.storage.get("pushToken")

    def renewed(self):
        """Called after the contact token was renewed."""
        token = self.registered()
        if self.choices.push_again_after_refresh and token is not None and token == self.standing():
            self.queue.submit(SET_PUSH, {"pushToken": token})

    def forget(self):
        self.storage.delete("pushToken")

    # -- Handler

    def draft(self, entries):
        entry = entries[0]
        if entry.kind == CLEAR_PUSH:
            return Draft("client", "DELETE", self.path(), {} if self.choices.delete_body else None, token="needed")
        return Draft("client", "PUT", self.path(), {"pushToken": entry.data["pushToken"]}, token="needed")

    def path(self):
        return "client/push-token"

    def accepted(self, entries, answer):
        entry = entries[0]
        if entry.kind == SET_PUSH:
            self.remember(entry.data["pushToken"])
        else:
            self.forget()

    def remember(self, token):
        self.storage.set("pushToken", token)

    def given_up(self, entries, error):
        if entries[0].kind == CLEAR_PUSH:
            self.forget()  # the server may still have the token, so the next push token is sent
