"""The application code, and its change while the app runs or between two starts."""
from .errors import failed, rejected
from .push import CLEAR_PUSH
from .request_queue import SWITCH, Handler


class Application(Handler):
    kinds = (SWITCH,)

    def __init__(self, sdk):
        self.sdk = sdk

    def open(self, code):
        """Handles the code of the setup. If it differs from the last code, the application is changed."""
        stored = self.sdk.storage.get("applicationCode")
        self.sdk.set_urls(stored or code)
        if stored is None:
            self.sdk.storage.set("applicationCode", code)
        elif code != self.standing():
            self.switch(code)

    def change(self, code):
        if not code:
            return failed(rejected("there is no application code"))
        if code == self.standing():
            return self.sdk.initialize()
        self.sdk.sessions.end()
        push_token = self.sdk.push.standing()
        self.switch(code)
        done = self.sdk.initialize()
        self.sdk.sessions.begin()
        if push_token is not None:
            self.sdk.push.set(push_token)
        return done

    def standing(self):
        """The code that will be in use after all waiting calls."""
        switch = self.sdk.queue.last_switch()
        return switch.data["to"] if switch else self.sdk.storage.get("applicationCode")

    def switch(self, code):
        if self.sdk.choices.take_leave:
            self.take_leave()
        self.sdk.queue.submit(SWITCH, {"to": code})

    def take_leave(self):
        if self.sdk.push.standing() is not None:
            self.sdk.queue.submit(CLEAR_PUSH)
        if self.sdk.contacts.standing() not in (None, "anonymous"):
            self.sdk.contacts.sign_out()

    # -- Handler

    def draft(self, entries):
        return None

    def accepted(self, entries, answer):
        """Switches to the new code. No data of the old application is sent to the new one."""
        code, storage = entries[0].data["to"], self.sdk.storage
        self.give_up_before(entries[0])
        self.sdk.contacts.forget()
        self.sdk.registration.forget()
        self.forget_state()
        storage.set("applicationCode", code)
        self.sdk.set_urls(code)

    def forget_state(self):
        self.sdk.storage.delete("clientState", "eventState")

    def give_up_before(self, switch):
        """Gives up the calls that still wait for a token of the old application."""
        left = [entry for entry in self.sdk.storage.queue if entry.id < switch.id]
        self.sdk.storage.remove(left)
        self.sdk.queue.settle(left, rejected("the application code was changed"))
