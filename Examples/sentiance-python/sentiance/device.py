"""The facts about the app and the device that the SDK sends to the platform."""
from dataclasses import dataclass

TABLET_INCHES = 7.0  # a device with a smaller screen is a phone


@dataclass
class App:
    bundle_id: str
    version: str = "1.0.0"

    def facts(self):
        return {"bundle_id": self.bundle_id, "version": self.version}


@dataclass
class Device:
    os: str
    model: str
    form: str = "phone"  # used if the screen is unknown
    screen_inches: float | None = None

    def form_factor(self):
        if self.screen_inches is None:
            return self.form
        return "phone" if self.screen_inches < TABLET_INCHES else "tablet"

    def facts(self):
        return {"form_factor": self.form_factor(), "os": self.os, "model": self.model}

    def label(self):
        """The device in the User-Agent field. A header field can contain only printable ASCII. The body has the full model."""
        return "".join(c if " " <= c <= "~" else "?" for c in f"{self.os}; {self.model}")
