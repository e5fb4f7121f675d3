"""A Mobile Engage v3 SDK on asyncio. It uses only the standard library."""
from .choices import Choices
from .errors import MobileEngageError
from .mobile_engage import VERSION, Configuration, MobileEngage
from .platform import Device, Platform
from .transport import Transport

__all__ = [
    "VERSION", "Choices", "Configuration", "Device", "MobileEngage", "MobileEngageError", "Platform", "Transport",
]
