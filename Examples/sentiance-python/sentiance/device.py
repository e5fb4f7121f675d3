"""What the SDK tells the platform about the app and the device."""
from dataclasses import dataclass

TABLET_INCHES = 7.0  # a smaller screen is that of a phone


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
    form: str = "phone"  # counts where nobody knows the screen
    screen_inches: float | None = None

    def form_factor(self):
        if self.screen_inches is None:
            return self.form
        return "phone" if self.screen_inches < TABLET_INCHES else "tablet"

    def facts(self):
        return {"form_factor": self.form_factor(), "os": self.os, "model": self.model}

    def label(self):
        """Names the device in the User-Agent field. A header field takes printable ASCII only; the body has the model whole."""
        return "".join(c if " " <= c <= "~" else "?" for c in f"{self.os}; {self.model}")
