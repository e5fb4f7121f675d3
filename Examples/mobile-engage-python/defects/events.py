"""Defects of events and of the answers to events."""
import json
from datetime import datetime, timedelta, timezone

from mobile_engage.errors import MobileEngageError, Postponed, succeeded
from mobile_engage.events import Events
from mobile_engage.json_text import object_in
from mobile_engage.mobile_engage import MobileEngage
from mobile_engage.request_queue import EVENT, RequestQueue
from mobile_engage.service_client import ServiceClient
from patching import around, override

from .parts import choose, defect, gives_up, is_events, redrafts, repeats


def bodies(change):
    """Changes the bodies of requests with events."""
    redrafts(Events, lambda draft, entries: change(draft.body))


def each_event(change):
    """Changes events as they are tracked: `change(event, handler)`."""

    def make(original):
        def event(self, type, name, attributes):
            made = original(self, type, name, attributes)
            change(made, self)
            return made

        return event

    around(Events, "event", make)


@defect("event.internal")
def _():
    each_event(lambda event, handler: event.update(type="internal"))


@defect("event.of-another-type")
def _():
    each_event(lambda event, handler: event["type"] == "internal" and event.update(type="system"))


@defect("event.not-in-an-array")
def _():
    choose(batch_size=1)
    bodies(lambda body: body.update(events=body["events"][0]))


@defect("event.empty-array-at-start")
def _():
    def make(original):
        async def send(self, draft):
            if is_events(draft) and not getattr(self, "greeted", False):
                self.greeted = True
                events, draft.body["events"] = draft.body["events"], []
                await original(self, draft)
                draft.body["events"] = events
            return await original(self, draft)

        return send

    around(ServiceClient, "send", make)


@defect("event.no-clicks")
def _():
    bodies(lambda body: body.pop("clicks"))


@defect("event.viewed-messages-null")
def _():
    bodies(lambda body: body.update(viewedMessages=None))


def timestamps(write):
    override(Events, "timestamp", lambda self: write(self.platform.wall_clock()))


def utc(now, precision):
    return datetime.fromtimestamp(now, timezone.utc).isoformat(timespec=precision).replace("+00:00", "Z")


@defect("event.local-time")
def _():
    def write(now):
        return datetime.fromtimestamp(now, timezone(timedelta(hours=1))).isoformat(timespec="milliseconds")

    timestamps(write)


@defect("event.local-time-as-utc")
def _():
    def write(now):
        local = datetime.fromtimestamp(now, timezone(timedelta(hours=1)))
        return local.isoformat(timespec="milliseconds").removesuffix("+01:00") + "Z"

    timestamps(write)


@defect("event.epoch")
def _():
    timestamps(lambda now: int(now * 1000))


@defect("event.without-milliseconds")
def _():
    timestamps(lambda now: utc(now, "seconds"))


@defect("event.microseconds")
def _():
    timestamps(lambda now: utc(now, "microseconds"))


@defect("event.zero-offset")
def _():
    timestamps(lambda now: datetime.fromtimestamp(now, timezone.utc).isoformat(timespec="milliseconds"))


@defect("event.timestamp-of-sending")
def _():
    override(
        Events, "events_of",
        lambda self, entries: [{**entry.data, "timestamp": self.timestamp()} for entry in entries])


@defect("event.timestamp-of-the-second-attempt")
def _():
    def events_of(self, entries):
        self.drafted = getattr(self, "drafted", set())
        events = []
        for entry in entries:
            again = entry.id in self.drafted
            self.drafted.add(entry.id)
            events.append({**entry.data, "timestamp": self.timestamp()} if again else entry.data)
        return events

    override(Events, "events_of", events_of)


def attributes(change):
    def change_event(event, handler):
        if "attributes" in event:
            event["attributes"] = {name: change(value) for name, value in event["attributes"].items()}

    each_event(change_event)


@defect("event.attributes-typed")
def _():
    def typed(value):
        return json.loads(value) if value.isdecimal() or value in ("true", "false") else value

    attributes(typed)


@defect("event.attributes-null")
def _():
    each_event(lambda event, handler: event.setdefault("attributes", None))


@defect("event.attributes-empty-lost")
def _():
    def change(event, handler):
        if "attributes" in event:
            event["attributes"] = {name: value for name, value in event["attributes"].items() if value}

    each_event(change)


@defect("event.attributes-at-most-20")
def _():
    def change(event, handler):
        if "attributes" in event:
            event["attributes"] = dict(list(event["attributes"].items())[:20])

    each_event(change)


@defect("event.attributes-beside-the-name")
def _():
    each_event(lambda event, handler: event["type"] == "custom" and event.update(event.get("attributes", {})))


@defect("event.attributes-without-line-breaks")
def _():
    attributes(lambda value: value.replace("\n", " "))


@defect("event.names-trimmed")
def _():
    each_event(lambda event, handler: event.update(name=event["name"].strip()))


@defect("event.names-in-small-letters")
def _():
    each_event(lambda event, handler: event.update(name=event["name"].lower()))


@defect("event.names-escaped")
def _():
    def escaped(text):
        return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")

    each_event(lambda event, handler: event.update(name=escaped(event["name"])))


@defect("event.names-at-most-255-characters")
def _():
    each_event(lambda event, handler: event.update(name=event["name"][:255]))


@defect("event.token-of-tracking")
def _():
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            self.client.tokens_of = getattr(self.client, "tokens_of", {})
            self.client.tokens_of[entry.id] = self.client.tokens.contact
            return entry

        return submit

    def make_headers(original):
        def headers(self, draft):
            fields = original(self, draft)
            token = getattr(draft, "old_token", None)
            if token and "X-Contact-Token" in fields:
                fields["X-Contact-Token"] = token
            return fields

        return headers

    def make_draft(original):
        def draft(self, entries):
            made = original(self, entries)
            made.old_token = getattr(self.queue.client, "tokens_of", {}).get(entries[0].id)
            return made

        return draft

    around(RequestQueue, "submit", make)
    around(ServiceClient, "headers", make_headers)
    around(Events, "draft", make_draft)


@defect("event.newest-first")
def _():
    override(Events, "events_of", lambda self, entries: [entry.data for entry in reversed(entries)])


@defect("event.sorted-by-name")
def _():
    override(
        Events, "events_of",
        lambda self, entries: sorted((entry.data for entry in entries), key=lambda event: event["name"]))


@defect("event.last-of-a-batch-twice")
def _():
    def make(original):
        async def carry_out(self, entries):
            await original(self, entries)
            if entries[0].kind == EVENT and len(entries) > 1:
                self.submit(EVENT, entries[-1].data)

        return carry_out

    around(RequestQueue, "carry_out", make)


@defect("event.all-twice")
def _():
    def make(original):
        def track_custom(self, name, attributes=None):
            original(self, name, attributes)
            return original(self, name, attributes)

        return track_custom

    around(Events, "track_custom", make)


@defect("event.only-first-of-a-batch")
def _():
    override(Events, "events_of", lambda self, entries: [entries[0].data])


@defect("event.queue-of-a-hundred")
def _():
    def make(original):
        def submit(self, kind, data=None):
            entry = original(self, kind, data)
            events = [each for each in self.storage.queue if each.kind == EVENT]
            if len(events) > 100:
                self.storage.remove(events[:1])
            return entry

        return submit

    around(RequestQueue, "submit", make)


@defect("event.waits-for-the-server")
def _(adapter):
    # The command waits for the whole call, so it returns only after the server has answered.
    async def do_trackCustomEvent(self, params):
        outcome = self.sdk.track_custom_event(params["name"], params.get("attributes"))
        self.told(outcome, params)
        try:
            await outcome
        except MobileEngageError:
            pass

    override(adapter, "do_trackCustomEvent", do_trackCustomEvent)


def repeats_answers(applies):
    """Treats some 2xx answers to events as failures, so that the events are sent again: `applies(answer)`."""

    def make(original):
        async def attempt(self, draft):
            answer = await original(self, draft)
            if is_events(draft) and 200 <= answer.status < 300 and applies(answer):
                raise Postponed(MobileEngageError("internal", "the answer cannot be read"))
            return answer

        return attempt

    around(ServiceClient, "attempt", make)
    choose(pauses=(2.0,))


@defect("event.only-204-is-success")
def _():
    repeats_answers(lambda answer: answer.status != 204)


@defect("event.200-needs-a-body")
def _():
    repeats_answers(lambda answer: answer.status == 200 and not answer.body)


@defect("event.204-needs-a-body")
def _():
    repeats_answers(lambda answer: answer.status == 204)


@defect("event.answer-that-is-no-json-is-repeated")
def _():
    repeats_answers(lambda answer: bool(answer.body) and not is_json(answer.body))


def is_json(body):
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def crashes(applies):
    """Ends the queue permanently after some answers to events."""

    def make(original):
        def accepted(self, entries, answer):
            original(self, entries, answer)
            if applies(object_in(answer.body)):
                raise TypeError("the answer is not what was expected")

        return accepted

    around(Events, "accepted", make)


@defect("event.message-is-fatal")
def _():
    crashes(lambda body: "message" in body)


@defect("event.action-is-fatal")
def _():
    crashes(lambda body: "onEventAction" in body)


@defect("event.old-campaigns-are-fatal")
def _():
    crashes(lambda body: "oldCampaigns" in body)


@defect("event.unknown-member-is-fatal")
def _():
    known = {"message", "onEventAction", "oldCampaigns", "deviceEventState"}
    crashes(lambda body: bool(body.keys() - known))


@defect("event.refused-is-repeated")
def _():
    repeats(lambda draft, status: is_events(draft) and status == 400)


@defect("event.refused-is-success")
def _():
    def make(original):
        def settle(self, entries, error):
            original(self, entries, None if entries[0].kind == EVENT else error)

        return settle

    around(RequestQueue, "settle", make)


@defect("event.refused-ends-tracking")
def _():
    Events.is_refused = False

    def make_given_up(original):
        def given_up(self, entries, error):
            self.is_refused = True
            original(self, entries, error)

        return given_up

    def make_track(original):
        def track_custom(self, name, attributes=None):
            return succeeded() if self.is_refused else original(self, name, attributes)

        return track_custom

    around(Events, "given_up", make_given_up)
    around(Events, "track_custom", make_track)


@defect("event.reserved-names-are-internal")
def _():
    reserved = ("app:start", "session:start", "session:end")
    each_event(lambda event, handler: event["name"] in reserved and event.update(type="internal"))


@defect("event.lost-before-the-link")
def _():
    def make(original):
        def track_custom_event(self, name, attributes=None):
            if name and self.is_set_up and self.client.tokens.contact is None:
                return succeeded()
            return original(self, name, attributes)

        return track_custom_event

    around(MobileEngage, "track_custom_event", make)


@defect("event.session-missing")
def _():
    each_event(lambda event, handler: event["type"] == "custom" and event.pop("sessionId", None))


@defect("event.dnd-false")
def _():
    bodies(lambda body: body.setdefault("dnd", False))


@defect("event.dnd-always")
def _():
    bodies(lambda body: body.update(dnd=True))


@defect("event.dnd-as-text")
def _():
    bodies(lambda body: "dnd" in body and body.update(dnd="true"))


@defect("event.name-may-be-empty")
def _():
    around(
        Events, "problem",
        lambda original: lambda self, name, attributes: original(self, name or "unnamed", attributes))


@defect("event.path-without-client")
def _():
    override(Events, "path", lambda self: "events")


@defect("event.state-forgotten")
def _():
    choose(events_v4=True)
    override(Events, "event_state", lambda self: None)


@defect("event.state-of-the-first-answer")
def _():
    choose(events_v4=True)
    def make(original):
        def keep_event_state(self, answer):
            if self.storage.get("eventState") is None:
                original(self, answer)

        return keep_event_state

    around(Events, "keep_event_state", make)


@defect("event.state-without-nulls")
def _():
    choose(events_v4=True)
    def pruned(value):
        if isinstance(value, dict):
            return {name: pruned(member) for name, member in value.items() if member is not None}
        if isinstance(value, list):
            return [pruned(member) for member in value if member is not None]
        return value

    def make(original):
        def event_state(self):
            made = original(self)
            return made and {name: json.dumps(pruned(json.loads(text))) for name, text in made.items()}

        return event_state

    around(Events, "event_state", make)


@defect("event.state-as-text")
def _():
    choose(events_v4=True)
    around(
        Events, "event_state",
        lambda original: lambda self: quoted(original(self)))


def quoted(members):
    return members and {name: json.dumps(text) for name, text in members.items()}


@defect("event.state-with-whole-numbers")
def _():
    choose(events_v4=True)
    def whole(text):
        return json.dumps(json.loads(text, parse_float=lambda digits: int(float(digits))))

    def make(original):
        def event_state(self):
            made = original(self)
            return made and {name: whole(text) for name, text in made.items()}

        return event_state

    around(Events, "event_state", make)


@defect("event.tried-once")
def _():
    gives_up(lambda entries, failure: entries[0].kind == EVENT)


def merges_all():
    """Sends all queued events in one request, even events after a link request."""

    def batch(self, queue, at):
        return [entry for entry in queue if entry.kind == EVENT]

    override(RequestQueue, "batch", batch)
