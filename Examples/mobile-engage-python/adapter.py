"""The adapter of the SDK in this folder: it translates, and adds nothing.

    adapter.py [--dialect events-v4] [--option NAME]... [--defect NAME]

`--option` makes the SDK use another legal choice. `--defect` adds a defect to the SDK. The variables CONFORM_VARIANT and
CONFORM_DEFECT do the same.
"""
import argparse
import random
import sys
import uuid
from dataclasses import fields
from pathlib import Path

# The part that is the same for all protocols comes unchanged from the other example.
sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from conform_adapter import Adapter, run
from mobile_engage import (
    VERSION, Choices, Configuration, Device, MobileEngage, MobileEngageError, Platform, Transport,
)
from options import OPTIONS
from patching import add_options, find

PROPERTIES = {field.name for field in fields(Device)}
CAPABILITIES = [
    "contact", "sign-out", "events", "push", "session-start", "app-start", "outcomes", "contact-field-per-call",
    "authenticated-contact", "clear-push", "provider-push", "foreground", "inactive", "sessions", "device-properties",
    "sdk-version", "push-settings", "network", "name-resolution", "wall-clock", "storage-loss", "legacy-storage",
    "application-code-change", "anonymous-switch", "in-app-pause", "inbox", "geofences", "deep-links",
]


class Phone:
    """The surroundings of the app, as the case sets them."""

    def __init__(self, environment):
        self.device = Device(
            platform="android", deviceModel="Pixel 8", osVersion="14", language="en-US", timezone="+0100")
        self.wall_clock_offset = 0.0  # seconds
        self.is_online = self.names_resolve = True
        self.learn(environment)

    def learn(self, facts):
        for name in PROPERTIES & facts.keys():
            setattr(self.device, name, facts[name])
        self.wall_clock_offset = facts.get("wallClockOffset", self.wall_clock_offset * 1000) / 1000
        self.is_online = facts.get("online", self.is_online)
        self.names_resolve = facts.get("namesResolve", self.names_resolve)


class Network:
    """The network of the phone."""

    def __init__(self, phone, transport):
        self.phone, self.transport = phone, transport

    async def send(self, request):
        if not self.phone.is_online:
            raise MobileEngageError("network", "there is no network")
        if not self.phone.names_resolve:
            raise MobileEngageError("network", "the name of the host was not found")
        return await self.transport.send(request)


class MobileEngageAdapter(Adapter):
    def __init__(self, loop, choices):
        super().__init__(loop)
        self.choices = choices
        self.hello = {
            "protocolVersion": 1, "protocol": "mobile-engage", "specRevision": "v3",
            "sdk": {"name": "mobile-engage-python", "version": VERSION, "language": "python", "platform": sys.platform},
            "capabilities": [name for name in CAPABILITIES if choices.app_start or name != "app-start"],
            "declares": self.declared(),
            "dialects": ["events-v4" if choices.events_v4 else "v3"],
            "clocks": ["virtual", "real"], "instances": "many",
        }

    def declared(self):
        """The longest pause before the SDK repeats a request; empty if no timer ends the pause."""
        return {"retryWindowMs": round(max(self.choices.pauses) * 1000)} if self.choices.pauses else {}

    def make_sdk(self, launch):
        self.folder = launch.storage
        self.phone = phone = Phone(launch.environment)
        transport = launch.counted(Transport(self.choices.keep_alive, self.choices.chunked))
        sdk = MobileEngage(
            Platform(
                launch.storage, Network(phone, transport), lambda: launch.wall_clock() + phone.wall_clock_offset,
                phone.device, random.Random(launch.seed), launch.environment.get("foreground", True), phone.is_online),
            self.choices)
        if "pushToken" in launch.environment:
            sdk.got_push_token(launch.environment["pushToken"])
        return sdk

    def told(self, outcome, params):
        """Reports the outcome of a call if the kit has passed a handle for it."""
        if "handle" not in params:
            return
        callback = self.callback(params["handle"])

        def tell(done):
            if done.cancelled():
                return
            error = done.exception()
            callback({"ok": True} if error is None else {"ok": False, "error": self.described(error)})

        outcome.add_done_callback(tell)

    def described(self, error):
        if not isinstance(error, MobileEngageError):
            raise error
        return {**self.data(error), "message": str(error)}

    # -- the surroundings of the app

    async def do_surroundings(self, params):
        self.phone.learn(params)
        if "online" in params:
            self.sdk.network_changed(params["online"])
        if "pushToken" in params:
            self.sdk.got_push_token(params["pushToken"])
        if "foreground" in params:
            self.sdk.came_to_foreground() if params["foreground"] else self.sdk.went_to_background()

    async def do_dropStorage(self, params):
        self.sdk.storage.delete(*params["keys"])

    async def do_seedLegacyStorage(self, params):
        contact = {name: params[name] for name in ("contactFieldId", "contactFieldValue") if name in params}
        self.sdk.storage.seed_legacy(str(uuid.uuid4()), contact)

    # -- calls of the app

    async def do_setup(self, params):
        configuration = Configuration(
            params.get("applicationCode"), params["clientUrl"], params["eventsUrl"], params.get("inboxUrl"),
            params.get("deepLinkUrl"), params.get("anonymousContacts", True))
        self.told(self.sdk.setup(configuration), params)

    async def do_setContact(self, params):
        self.told(self.sdk.set_contact(params["contactFieldId"], params["contactFieldValue"]), params)

    async def do_setAuthenticatedContact(self, params):
        self.told(self.sdk.set_authenticated_contact(params["contactFieldId"], params["openIdToken"]), params)

    async def do_clearContact(self, params):
        self.told(self.sdk.clear_contact(), params)

    async def do_trackCustomEvent(self, params):
        self.told(self.sdk.track_custom_event(params["name"], params.get("attributes")), params)

    async def do_setPushToken(self, params):
        self.told(self.sdk.set_push_token(params["pushToken"]), params)

    async def do_clearPushToken(self, params):
        self.told(self.sdk.clear_push_token(), params)

    async def do_setApplicationCode(self, params):
        self.told(self.sdk.change_application_code(params["applicationCode"]), params)

    async def do_pauseInApp(self, params):
        self.sdk.pause_in_app()

    async def do_resumeInApp(self, params):
        self.sdk.resume_in_app()

    async def do_fetchInbox(self, params):
        self.told(self.sdk.fetch_inbox(), params)

    async def do_fetchGeofences(self, params):
        self.told(self.sdk.fetch_geofences(), params)

    async def do_trackDeepLink(self, params):
        self.told(self.sdk.track_deep_link(params["link"]), params)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dialect", choices=["v3", "events-v4"], default="v3")
    add_options(parser)
    arguments = parser.parse_args()
    chosen = {"events_v4": arguments.dialect == "events-v4"}
    for name in arguments.option:
        chosen.update(find(name, OPTIONS, parser.error))
    if arguments.defect:
        from defects import break_sdk  # needed only if a defect is chosen

        break_sdk(arguments.defect, chosen, MobileEngageAdapter, parser.error)
    run(lambda loop: MobileEngageAdapter(loop, Choices(**chosen)))


main()
