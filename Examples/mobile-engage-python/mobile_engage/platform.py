"""What surrounds the SDK: the device, the clocks, the network and where the app is."""
import locale
import platform as host
import random
import time
from dataclasses import dataclass, field


def offset_from_utc():
    return time.strftime("%z") or "+0000"


@dataclass
class Device:
    """The properties that are registered. Without `sdkVersion` it is that of the SDK."""

    platform: str = host.system().lower() or "linux"
    applicationVersion: str = "1.0.0"
    deviceModel: str = host.machine() or "unknown"
    osVersion: str = host.release() or "unknown"
    sdkVersion: str = ""
    language: str = (locale.getlocale()[0] or "en_US").replace("_", "-")
    timezone: str = field(default_factory=offset_from_utc)
    pushSettings: dict = field(default_factory=lambda: {"areNotificationsEnabled": True})

    def properties(self, version):
        return {**vars(self), "sdkVersion": self.sdkVersion or version}


class Platform:
    """What an app brings along. Clocks are in seconds; `lot` draws what is drawn."""

    def __init__(
        self, folder, transport, wall_clock=time.time, device=None, lot=None, in_foreground=True, is_online=True
    ):
        self.folder, self.transport, self.wall_clock = folder, transport, wall_clock
        self.device = device or Device()
        self.lot = lot or random.SystemRandom()
        self.in_foreground, self.is_online = in_foreground, is_online
