"""A Sentiance SDK: user creation, user linking, restoration and reset. Its public names."""
from .device import App, Device
from .errors import Reason, SentianceError
from .init_state import InitState
from .linkers import NO_OP_LINKER, AsyncUserLinker, FutureUserLinker, SyncUserLinker
from .options import UserCreationOptions
from .sdk import VERSION, Sentiance
from .transport import Transport

__all__ = [
    "App", "AsyncUserLinker", "Device", "FutureUserLinker", "InitState", "NO_OP_LINKER", "Reason", "Sentiance",
    "SentianceError", "SyncUserLinker", "Transport", "UserCreationOptions", "VERSION",
]
