"""Defects of sessions and of the launch."""
import uuid

from mobile_engage.contacts import ANONYMOUS, Contacts
from mobile_engage.events import Events, Sessions
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.registration import Registration
from mobile_engage.request_queue import EVENT, RequestQueue
from mobile_engage.service_client import ServiceClient
from patching import around, override

from .parts import choose, defect, is_events, on_draft


def internal(change):
    """Changes internal events: `change(name, attributes)`. If it returns None, the event is dropped."""

    def make(original):
        def track_internal(self, name, attributes=None):
            changed = change(name, attributes)
            if changed is not None:
                original(self, *changed)

        return track_internal

    around(Events, "track_internal", make)


def has_token(sdk):
    return sdk.client.tokens.contact is not None


@defect("session.no-start-at-launch")
def _():
    def make(original):
        def launch(self):
            self.platform.in_foreground, was = False, self.platform.in_foreground
            original(self)
            self.platform.in_foreground = self.sessions.in_foreground = was

        return launch

    around(MobileEngage, "launch", make)


@defect("session.no-start-at-the-second-launch")
def _():
    def make(original):
        def launch(self):
            if not has_token(self):
                original(self)
            else:
                self.events.track_internal("app:start")
                self.sessions.in_foreground = self.platform.in_foreground

        return launch

    around(MobileEngage, "launch", make)


@defect("session.start-is-custom")
def _():
    def make(original):
        def event(self, type, name, attributes):
            return original(self, "custom" if name == "session:start" else type, name, attributes)

        return event

    around(Events, "event", make)


@defect("session.start-with-underscore")
def _():
    internal(lambda name, attributes: (name.replace(":", "_"), attributes))


@defect("launch.no-app-start-at-the-second-start")
def _():
    def make(original):
        def launch(self):
            self.choices.app_start = not has_token(self)
            original(self)

        return launch

    around(MobileEngage, "launch", make)


@defect("launch.app-start-twice")
def _():
    def make(original):
        def launch(self):
            original(self)
            self.events.track_internal("app:start")

        return launch

    around(MobileEngage, "launch", make)


@defect("launch.app-start-in-each-foreground")
def _():
    def make(original):
        def came_to_foreground(self):
            original(self)
            if self.is_set_up:
                self.events.track_internal("app:start")

        return came_to_foreground

    around(MobileEngage, "came_to_foreground", make)


@defect("launch.app-start-with-each-session")
def _():
    def make(original):
        def begin(self):
            was_open = self.events.session_id is not None
            original(self)
            if not was_open and self.began is not None and self.events.session_id is not None and self.is_later:
                self.events.track_internal("app:start")
            self.is_later = True

        return begin

    Sessions.is_later = False
    around(Sessions, "begin", make)


@defect("launch.without-token")
def _():
    def make(original):
        def headers(self, draft):
            fields = original(self, draft)
            events = draft.body["events"] if is_events(draft) else []
            if any(event["name"] in ("session:start", "app:start") for event in events):
                fields.pop("X-Contact-Token", None)
            return fields

        return headers

    choose(batch_size=1)
    around(ServiceClient, "headers", make)


@defect("launch.without-state")
def _():
    def is_launch(draft):
        return is_events(draft) and any(event["name"] == "session:start" for event in draft.body["events"])

    choose(batch_size=1)
    on_draft(is_launch, lambda client, headers: headers.pop("X-Client-State", None))


def drops_launch(handler):
    """If a step of the start fails finally, drops the launch events, too."""

    def make(original):
        def given_up(self, entries, error):
            original(self, entries, error)
            names = ("session:start", "app:start")
            launch = [each for each in self.storage.queue if each.kind == EVENT and each.data["name"] in names]
            self.storage.remove(launch)

        return given_up

    around(handler, "given_up", make)


@defect("launch.lost-with-the-registration")
def _():
    drops_launch(Registration)


@defect("launch.lost-with-the-link")
def _():
    def make(original):
        async def rest(self, failure):
            waiting = self.storage.queue[0] if self.storage.queue else None
            if waiting is not None and waiting.kind == "link" and self.client.tokens.contact is None:
                names = ("session:start", "app:start")
                self.storage.remove([each for each in self.storage.queue if each.data.get("name") in names])
            await original(self, failure)

        return rest

    drops_launch(Contacts)
    around(RequestQueue, "rest", make)


@defect("launch.waits-for-a-registration-that-succeeds")
def _():
    def make(original):
        def next_entries(self):
            found = original(self)
            return [] if found and found[0].kind == EVENT and self.storage.get("registered") is None else found

        return next_entries

    around(RequestQueue, "next_entries", make)


@defect("launch.lost-without-token")
def _():
    def make(original):
        def launch(self):
            original(self)
            if not has_token(self):
                self.storage.remove([each for each in self.storage.queue if each.kind == EVENT])

        return launch

    around(MobileEngage, "launch", make)


@defect("session.one-id-for-ever")
def _():
    def make(original):
        def make_id(self):
            known = self.events.storage.get("session") or original(self)
            self.events.storage.set("session", known)
            return known

        return make_id

    around(Sessions, "make_id", make)


@defect("session.one-id-for-a-process")
def _():
    def make(original):
        def make_id(self):
            self.known = getattr(self, "known", None) or original(self)
            return self.known

        return make_id

    around(Sessions, "make_id", make)


@defect("session.end-has-another-id")
def _():
    def make(original):
        def end(self):
            if self.events.session_id is not None:
                self.events.session_id = self.make_id()
            original(self)

        return end

    around(Sessions, "end", make)


@defect("session.end-names-no-session")
def _():
    def make(original):
        def event(self, type, name, attributes):
            made = original(self, type, name, attributes)
            if name == "session:end":
                made.pop("sessionId", None)
            return made

        return event

    around(Events, "event", make)


@defect("session.id-of-each-event")
def _():
    def make(original):
        def event(self, type, name, attributes):
            made = original(self, type, name, attributes)
            if "sessionId" in made:
                made["sessionId"] = str(uuid.uuid4())
            return made

        return event

    around(Events, "event", make)


@defect("session.never-starts-again")
def _():
    def make(original):
        def came_to_foreground(self):
            begin, self.sessions.begin = self.sessions.begin, lambda: None
            original(self)
            self.sessions.begin = begin

        return came_to_foreground

    around(MobileEngage, "came_to_foreground", make)


@defect("session.goes-on-in-the-foreground")
def _():
    def make(original):
        def begin(self):
            fresh, kept = self.events.session_id is None, getattr(self, "kept", None)
            original(self)
            if fresh and self.events.session_id is not None:
                self.kept = self.events.session_id = kept or self.events.session_id

        return begin

    around(Sessions, "begin", make)


@defect("session.never-ends")
def _():
    internal(lambda name, attributes: None if name == "session:end" else (name, attributes))


@defect("session.ends-at-the-next-start")
def _():
    def make(original):
        def went_to_background(self):
            self.platform.in_foreground = self.sessions.in_foreground = False

        return went_to_background

    def make_begin(original):
        def begin(self):
            self.end()
            original(self)

        return begin

    around(MobileEngage, "went_to_background", make)
    around(Sessions, "begin", make_begin)


def durations(write):
    override(Sessions, "duration", lambda self: write((self.now() - self.began) * 1000))


@defect("session.duration-in-seconds")
def _():
    durations(lambda ms: str(round(ms / 1000)))


@defect("session.duration-with-fraction")
def _():
    durations(lambda ms: f"{ms:.1f}")


@defect("session.duration-as-number")
def _():
    durations(round)


@defect("session.duration-since-launch")
def _():
    def make(original):
        def begin(self):
            began = self.began
            original(self)
            if began is not None:
                self.began = began

        return begin

    around(Sessions, "begin", make)


@defect("session.no-duration")
def _():
    internal(lambda name, attributes: (name, None))


@defect("session.id-in-the-background")
def _():
    def make(original):
        def event(self, type, name, attributes):
            made = original(self, type, name, attributes)
            if "sessionId" in made:
                self.last_session = made["sessionId"]
            elif getattr(self, "last_session", None):
                made["sessionId"] = self.last_session
            return made

        return event

    around(Events, "event", make)


def without_sessions(original):
    """Makes a call of `Contacts` that neither ends nor begins sessions."""

    def call(self, *arguments, **named):
        sessions, self.sessions = self.sessions, Silent()
        try:
            return original(self, *arguments, **named)
        finally:
            self.sessions = sessions

    return call


class Silent:
    def begin(self):
        pass

    def end(self):
        pass


@defect("session.outlives-a-sign-in")
def _():
    around(Contacts, "sign_in", without_sessions)


@defect("session.outlives-a-sign-out")
def _():
    around(Contacts, "sign_out", without_sessions)


@defect("session.ends-with-a-sign-in")
def _():
    def make(original):
        def link(self, contact, digest, changes):
            begin, self.sessions.begin = self.sessions.begin, lambda: None
            outcome = original(self, contact, digest, changes)
            self.sessions.begin = begin
            return outcome

        return link

    around(Contacts, "link", make)


@defect("session.starts-with-the-focus")
def _(adapter):
    def make(original):
        async def do_surroundings(self, params):
            await original(self, params)
            if params.get("active") and self.sdk.is_set_up:
                self.sdk.events.track_internal("session:start")

        return do_surroundings

    around(adapter, "do_surroundings", make)


@defect("session.starts-twice-at-launch")
def _():
    def make(original):
        def launch(self):
            original(self)
            if self.platform.in_foreground:
                self.events.track_internal("session:start")

        return launch

    around(MobileEngage, "launch", make)


@defect("session.ends-although-none-is-open")
def _():
    def make(original):
        def end(self):
            if self.events.session_id is None:
                self.events.track_internal("session:end", {"duration": "0"})
            original(self)

        return end

    around(Sessions, "end", make)


@defect("session.ends-in-the-background-again")
def _():
    def make(original):
        def sign_out(self):
            if self.standing() not in (None, ANONYMOUS) and self.sessions.events.session_id is None:
                self.sessions.events.track_internal("session:end", {"duration": "0"})
            return original(self)

        return sign_out

    around(Contacts, "sign_out", make)


@defect("session.starts-in-the-background")
def _():
    def make(original):
        def launch(self):
            self.platform.in_foreground, was = True, self.platform.in_foreground
            original(self)
            self.platform.in_foreground = self.sessions.in_foreground = was

        return launch

    around(MobileEngage, "launch", make)


@defect("session.events-of-type-session")
def _():
    def make(original):
        def event(self, type, name, attributes):
            is_of_session = type == "internal" and name.startswith("session:")
            return original(self, "session" if is_of_session else type, name, attributes)

        return event

    around(Events, "event", make)
