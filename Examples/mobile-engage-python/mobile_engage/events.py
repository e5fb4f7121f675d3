"""Events of the app and of the SDK, and their sessions."""
import asyncio
import uuid
from datetime import datetime, timezone

from .errors import failed, rejected
from .json_text import member_text
from .request_queue import EVENT, Handler
from .service_client import Draft


class Events(Handler):
    kinds = (EVENT,)

    def __init__(self, platform, storage, queue, choices, version):
        self.platform, self.storage, self.queue, self.choices, self.version = platform, storage, queue, choices, version
        self.session_id = None
        self.in_app_paused = False

    @property
    def needs_token(self):
        return self.queue.client.events_need_token

    # -- calls

    def track_custom(self, name, attributes=None):
        problem = self.problem(name, attributes)
        if problem:
            return failed(rejected(problem))
        return self.queue.outcome_of(self.queue.submit(EVENT, self.event("custom", name, attributes)))

    def track_internal(self, name, attributes=None):
        self.queue.submit(EVENT, self.event("internal", name, attributes))

    def problem(self, name, attributes):
        if not isinstance(name, str) or not name:
            return "the event has no name"
        if attributes is None:
            return None
        texts = isinstance(attributes, dict) and all(isinstance(value, str) for value in attributes.values())
        return None if texts else "an attribute is not a text"

    def event(self, type, name, attributes):
        event = {"type": type, "name": name, "timestamp": self.timestamp()}
        if attributes or self.choices.empty_attributes:
            event["attributes"] = dict(attributes or {})
        if self.session_id is not None:
            event["sessionId"] = self.session_id
        return event

    def timestamp(self):
        now = datetime.fromtimestamp(self.platform.wall_clock(), timezone.utc)
        return now.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"

    # -- Handler

    def draft(self, entries):
        token = "needed" if self.needs_token else "welcome"
        return Draft("events", "POST", self.path(), self.body(entries), token=token, verbatim=self.event_state())

    def path(self):
        return "client/events"

    def body(self, entries):
        body = {"events": self.events_of(entries), "clicks": [], "viewedMessages": []}
        if self.in_app_paused:
            body["dnd"] = True
        if self.choices.application_members:
            properties = self.platform.device.properties(self.version)
            body["language"] = properties["language"]
            body["ems_sdk"] = properties["sdkVersion"]
            body["application_version"] = properties["applicationVersion"]
        return body

    def events_of(self, entries):
        return [entry.data for entry in entries]

    def event_state(self):
        state = self.storage.get("eventState") if self.choices.events_v4 else None
        return None if state is None else {"deviceEventState": state}

    def accepted(self, entries, answer):
        if self.choices.events_v4:
            self.keep_event_state(answer)

    def keep_event_state(self, answer):
        state = member_text(answer.body, "deviceEventState")
        if state is not None:
            self.storage.set("eventState", state)


class Sessions:
    """Makes a session for each time in the foreground and for each contact."""

    def __init__(self, events, choices):
        self.events, self.choices = events, choices
        self.in_foreground = False
        self.began = None

    def begin(self):
        if not self.in_foreground or self.events.session_id is not None:
            return
        self.events.session_id = self.make_id()
        self.began = self.now()
        self.events.track_internal("session:start")

    def end(self):
        if self.events.session_id is None:
            return
        self.events.track_internal("session:end", {"duration": self.duration()})
        self.events.session_id = None

    def make_id(self):
        id = str(uuid.uuid4())
        return id.upper() if self.choices.session_id_capitals else id

    def duration(self):
        return str(round((self.now() - self.began) * 1000))

    def now(self):
        """The time of the loop. The wall clock may be set back during a session."""
        return asyncio.get_running_loop().time()
