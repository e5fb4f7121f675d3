"""The surroundings of the SDK: the device, the clocks, the network, and whether the app is in the foreground."""
import locale
import platform as host
import random
import time
from dataclasses import dataclass, field


def offset_from_utc():
    return time.strftime("%z") or "+0000"


@dataclass
class Device:
    """The properties that are registered. If `sdkVersion` is not set, the version of the SDK is used."""

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
    """The parts that an app provides. Clocks are in seconds. `lot` is the source of random numbers."""

    def __init__(
        self, folder, transport, wall_clock=time.time, device=None, lot=None, in_foreground=True, is_online=True
    ):
        self.folder, self.transport, self.wall_clock = folder, transport, wall_clock
        self.device = device or Device()
        self.lot = lot or random.SystemRandom()
        self.in_foreground, self.is_online = in_foreground, is_online
