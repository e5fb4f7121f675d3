"""The SDK as an app sees it.

Calls return their outcome. The outcome is a future. It is done when the server has accepted the call, or when the SDK
has given up the call.
Everything runs on one event loop, except requests, which run on worker threads.
"""
import asyncio
from dataclasses import dataclass
from urllib.parse import quote

from .application import Application
from .choices import Choices
from .contacts import Contacts
from .errors import MobileEngageError, Postponed, all_of, failed, outcome, refused, rejected
from .events import Events, Sessions
from .json_text import object_in
from .push import Push
from .registration import Registration
from .request_queue import RequestQueue
from .service_client import Draft, ServiceClient, Withheld, is_ok
from .storage import Storage

VERSION = "1.0.0"


@dataclass
class Configuration:
    application_code: str | None
    client_url: str
    events_url: str
    inbox_url: str | None = None
    deep_link_url: str | None = None
    anonymous_contacts: bool = True


class MobileEngage:
    def __init__(self, platform, choices=None):
        self.platform, self.choices = platform, choices or Choices()
        self.storage = Storage(platform.folder, self.choices.late_writes)
        self.client = ServiceClient(platform, self.storage, self.choices, VERSION)
        self.queue = RequestQueue(platform, self.storage, self.client, self.choices)
        self.registration = Registration(platform, self.storage, self.queue, self.choices, VERSION)
        self.events = Events(platform, self.storage, self.queue, self.choices, VERSION)
        self.sessions = Sessions(self.events, self.choices)
        self.contacts = Contacts(self.storage, self.queue, self.client, self.choices)
        self.push = Push(self.storage, self.queue, self.choices)
        self.application = Application(self)
        self.contacts.sessions, self.contacts.push = self.sessions, self.push
        self.client.on_renewal = self.push.renewed
        for handler in (self.registration, self.events, self.contacts, self.push, self.application):
            self.queue.register(handler)
        self.configuration = None
        self.pushed_early = None  # a push token that the platform reported before the setup
        self.tasks = set()

    def spawn(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def close(self):
        if self.is_set_up and self.choices.session_ends_at_exit:
            self.sessions.end()
        self.storage.close()

    # -- setup

    @property
    def is_set_up(self):
        return self.configuration is not None

    def setup(self, configuration):
        if not configuration.application_code:
            return failed(rejected("there is no application code"))
        if self.is_set_up:
            return self.change_application_code(configuration.application_code)
        self.configuration = configuration
        self.contacts.anonymous_allowed = configuration.anonymous_contacts
        with self.storage.transaction():
            started = self.start()
        self.spawn(self.queue.run())
        return started

    def start(self):
        self.application.open(self.configuration.application_code)
        self.contacts.drop_unwanted()
        started = self.initialize()
        self.launch()
        self.set_early_push_token()
        return started

    def initialize(self):
        """Registers the client and links it to an anonymous contact, if necessary."""
        return all_of([self.registration.ensure(), self.contacts.ensure()])

    def launch(self):
        self.sessions.in_foreground = self.platform.in_foreground
        steps = [self.sessions.begin, self.report_app_start]
        for step in reversed(steps) if self.choices.app_start_first else steps:
            step()

    def report_app_start(self):
        if self.choices.app_start:
            self.events.track_internal("app:start")

    def set_early_push_token(self):
        if self.pushed_early is not None:
            self.push.set(self.pushed_early)
            self.pushed_early = None

    # -- calls of the app

    def call(self, function, *arguments):
        if not self.is_set_up:
            return failed(rejected("the SDK is not set up"))
        with self.storage.transaction():  # a sign-in ends a session, links, and starts the next session
            return function(*arguments)

    def set_contact(self, field, value):
        return self.call(self.contacts.sign_in, field, "contactFieldValue", value)

    def set_authenticated_contact(self, field, open_id_token):
        return self.call(self.contacts.sign_in, field, "openIdToken", open_id_token)

    def clear_contact(self):
        return self.call(self.contacts.sign_out)

    def track_custom_event(self, name, attributes=None):
        return self.call(self.events.track_custom, name, attributes)

    def set_push_token(self, token):
        return self.call(self.push.set, token)

    def clear_push_token(self):
        return self.call(self.push.clear)

    def change_application_code(self, code):
        return self.call(self.application.change, code)

    def pause_in_app(self):
        self.events.in_app_paused = True

    def resume_in_app(self):
        self.events.in_app_paused = False

    def fetch_inbox(self):
        return self.call(self.fetch, Draft("inbox", "GET", "inbox", token=self.fetch_token()))

    def fetch_geofences(self):
        return self.call(self.fetch, Draft("client", "GET", "geo-fences", token=self.fetch_token()))

    def fetch_token(self):
        return "welcome" if self.choices.token_on_fetches else "never"

    def track_deep_link(self, link):
        if not link:
            return failed(rejected("the link is empty"))
        return self.call(self.fetch, Draft("deep-link", "POST", "api/clicks", {"ems_dl": link}, renewable=False))

    # -- requests that change no data: they do not wait for the queue, and are not stored

    def fetch(self, draft):
        if draft.service not in self.client.urls:
            return failed(rejected(f"there is no URL of the service {draft.service}"))
        future = outcome()
        self.spawn(self.answer(draft, future))
        return future

    async def answer(self, draft, future):
        send = self.client.send_in_line if self.choices.fetches_in_line else self.client.send
        try:
            answer = await send(draft)
            if not is_ok(answer):
                raise refused(answer)
        except (Postponed, Withheld, MobileEngageError) as failure:
            future.set_exception(getattr(failure, "cause", failure))
        else:
            future.set_result(object_in(answer.body))

    def set_urls(self, code):
        """Sets the base URL of each service for an application code."""
        configuration, application = self.configuration, quote(code, safe="")
        version = "v4" if self.choices.events_v4 else "v3"
        bases = {
            "client": (configuration.client_url, f"v3/apps/{application}"),
            "events": (configuration.events_url, f"{version}/apps/{application}"),
            "inbox": (configuration.inbox_url, f"v3/apps/{application}"),
            "deep-link": (configuration.deep_link_url, ""),
        }
        self.client.urls = {name: f"{url.rstrip('/')}/{path}" for name, (url, path) in bases.items() if url}

    # -- reports of the platform

    def came_to_foreground(self):
        self.platform.in_foreground = self.sessions.in_foreground = True
        if self.is_set_up:
            self.registration.ensure()
            self.sessions.begin()
            self.queue.seize_opportunity()

    def went_to_background(self):
        self.platform.in_foreground = False
        if self.is_set_up:
            self.sessions.end()
        self.sessions.in_foreground = False

    def network_changed(self, is_online):
        self.platform.is_online = is_online
        if is_online:
            self.queue.seize_opportunity()

    def got_push_token(self, token):
        if self.is_set_up:
            self.push.set(token)
        else:
            self.pushed_early = token
