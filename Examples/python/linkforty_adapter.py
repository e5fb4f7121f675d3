"""The adapter of the LinkForty SDK beside this file. It translates, and adds nothing."""
import sys

from conform_adapter import Adapter, run
from linkforty_sdk import VERSION, LinkForty, LinkFortyError, Transport

DEVICE = ("timezone", "language", "platformVersion", "appVersion", "screenWidth", "screenHeight", "scale")


def describe(device, facts):
    facts = dict(facts)
    scale = facts.pop("scale", 1)  # the SDK reads native pixels, as platforms report them
    for name in ("screenWidth", "screenHeight"):
        if name in facts:
            facts[name] = round(facts[name] * scale)
    for name, value in facts.items():
        setattr(device, name, value)


class LinkFortyAdapter(Adapter):
    hello = {
        "protocolVersion": 1, "protocol": "linkforty", "specRevision": "2026-03-12",
        "sdk": {"name": "linkforty-python-example", "version": VERSION, "language": "python", "platform": sys.platform},
        "capabilities": [
            "initialization", "deferred-deep-links", "events", "revenue", "user-identity", "install-data", "first-launch",
            "offline-queue", "data-management", "reset", "device-id", "storage-corruption", "set-device", "tls",
        ],
        "clocks": ["virtual", "real"], "instances": "many",
    }
    errors = (LinkFortyError,)

    def make_sdk(self, launch):
        sdk = LinkForty(launch.storage, launch.counted(Transport()), launch.wall_clock)
        describe(sdk.device, {name: launch.environment[name] for name in DEVICE if name in launch.environment})
        return sdk

    async def do_initialize(self, params):
        names = {
            "baseUrl": "base", "apiKey": "api_key", "attributionWindowHours": "attribution_window_hours",
            "deviceId": "device_id",
        }
        options = {names[name]: value for name, value in params.items() if name in names}
        return await self.sdk.initialize(**options)

    async def do_onDeferredDeepLink(self, params):
        self.sdk.on_deferred_deep_link(self.callback(params["handle"]))

    async def do_trackEvent(self, params):
        await self.sdk.track_event(params["name"], params.get("properties"))

    async def do_trackRevenue(self, params):
        await self.sdk.track_revenue(params["amount"], params["currency"], params.get("properties"))

    async def do_flush(self, params):
        await self.sdk.flush()

    async def do_queueSize(self, params):
        return self.sdk.queue_size()

    async def do_clearQueue(self, params):
        self.sdk.clear_queue()

    async def do_setExternalUserId(self, params):
        self.sdk.external_user_id = params["id"]

    async def do_getExternalUserId(self, params):
        return self.sdk.external_user_id

    async def do_getInstallId(self, params):
        return self.sdk.install_id()

    async def do_getInstallData(self, params):
        return self.sdk.install_data()

    async def do_isFirstLaunch(self, params):
        return self.sdk.is_first_launch()

    async def do_clearData(self, params):
        self.sdk.clear_data()

    async def do_reset(self, params):
        self.sdk.reset()

    async def do_setDevice(self, params):
        describe(self.sdk.device, params)

    async def do_corruptStorage(self, params):
        name = {"queue": "queue", "installData": "install"}[params["what"]]
        self.sdk.store.path(name).write_bytes(b"\xff{not JSON")


run(LinkFortyAdapter)
