"""The options for the creation of a user."""
from urllib.parse import urlsplit

from .errors import Reason, SentianceError
from .linkers import AsyncUserLinker, SyncUserLinker, links

DEFAULT_PLATFORM_URL = "https://api.sentiance.com"


class UserCreationOptions:
    """Created by one of the two class methods or by the builder. Missing options are None."""

    def __init__(self):
        self.app_id = self.secret = self.linker = self.authentication_code = self.platform_url = None

    @classmethod
    def with_credentials(cls, app_id, secret, linker):
        """Creates a linked user through the linker. With None or `NO_OP_LINKER`, creates an anonymous user."""
        options = cls()
        options.app_id, options.secret, options.linker = app_id, secret, linker
        return options

    @classmethod
    def with_authentication_code(cls, code):
        options = cls()
        options.authentication_code = code
        return options

    @property
    def user_linker(self):
        return self.linker if isinstance(self.linker, SyncUserLinker) else None

    @property
    def async_user_linker(self):
        return self.linker if isinstance(self.linker, AsyncUserLinker) else None

    class Builder:
        """Builds options step by step: `Builder().credentials(id, secret, linker).platform_url(url).build()`."""

        def __init__(self):
            self.options = UserCreationOptions()

        def credentials(self, app_id, secret, linker=None):
            self.options.app_id, self.options.secret, self.options.linker = app_id, secret, linker
            return self

        def authentication_code(self, code):
            self.options.authentication_code = code
            return self

        def platform_url(self, url):
            self.options.platform_url = url
            return self

        def build(self):
            return self.options


class Creation:
    """The options at the time of the call. If there are a code and credentials, only the code is sent."""

    def __init__(self, options):
        self.platform_url = base_url(options.platform_url)
        self.code = options.authentication_code
        self.app_id = self.secret = self.linker = None
        if self.code is not None:
            self.check("the authentication code", self.code)
            return
        self.app_id, self.secret, self.linker = options.app_id, options.secret, options.linker
        self.check("the app id", self.app_id)
        self.check("the secret", self.secret)

    @staticmethod
    def check(name, value):
        if not isinstance(value, str) or not value.strip():
            raise SentianceError(Reason.INVALID_ARGUMENT, f"{name} is missing")

    @property
    def linking(self):
        return links(self.linker)

    def credentials(self):
        """The members that prove to the platform that the app may create a user."""
        if self.code is not None:
            return {"authentication_code": self.code}
        return {"app_id": self.app_id, "secret": self.secret, "linking": self.linking}


def base_url(text):
    """The URL without a slash at its end. The paths of the platform are appended to the path of the URL."""
    if text is None:
        return DEFAULT_PLATFORM_URL
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and parts.hostname and not parts.query and not parts.fragment
        parts.port  # raises if it is not a number
    except (ValueError, AttributeError, TypeError):
        sound = False
    if not sound or text != text.strip():
        raise SentianceError(Reason.INVALID_ARGUMENT, "the platform URL is not a URL")
    return text.rstrip("/")
