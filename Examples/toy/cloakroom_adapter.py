"""The adapter of the SDK beside this file. It translates, and adds nothing."""
import sys
from pathlib import Path

# The part that is the same for all protocols comes unchanged from the example.
sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from cloakroom_sdk import Cloakroom, CloakroomError, Transport
from conform_adapter import Adapter, run


class CloakroomAdapter(Adapter):
    hello = {
        "protocolVersion": 1, "protocol": "cloakroom", "specRevision": "2026-01-01",
        "sdk": {"name": "cloakroom-python", "version": "1.0.0", "language": "python"},
        "capabilities": [], "clocks": ["virtual", "real"], "instances": "many",
    }
    errors = (CloakroomError,)

    def make_sdk(self, launch):
        return Cloakroom(launch.counted(Transport()))

    async def do_fetch(self, params):
        return await self.sdk.fetch(params["url"], params["number"])


run(CloakroomAdapter)
