"""The adapter of the SDK beside this file: it translates, and adds nothing. `--defect NAME` makes the SDK wrong in one way."""
import argparse
import sys
from pathlib import Path

# What no protocol owns is that of the example, unchanged.
sys.path.append(str(Path(__file__).resolve().parents[4] / "Examples" / "python"))

from beacon_sdk import Beacon, BeaconError, Transport
from conform_adapter import Adapter, run


class BeaconAdapter(Adapter):
    hello = {
        "protocolVersion": 1, "protocol": "beacon", "specRevision": "2026-01-01",
        "sdk": {"name": "beacon-python", "version": "1.0.0", "language": "python", "platform": sys.platform},
        "capabilities": ["notes", "seen", "surroundings", "tls"], "clocks": ["virtual", "real"], "instances": "many",
    }
    errors = (BeaconError,)

    def __init__(self, loop, defects):
        super().__init__(loop)
        self.defects = defects

    def make_sdk(self, launch):
        return Beacon(
            launch.storage, launch.counted(Transport()), launch.wall_clock, launch.environment, self.defects)

    async def do_surroundings(self, params):
        self.sdk.surround(params)

    async def do_start(self, params):
        await self.sdk.start(**params)

    async def do_signal(self, params):
        return await self.sdk.signal(params["word"])

    async def do_onSeen(self, params):
        self.sdk.on_seen(self.callback(params["handle"]))

    async def do_note(self, params):
        self.sdk.note(params["text"])

    async def do_flush(self, params):
        return await self.sdk.flush()

    async def do_noteCount(self, params):
        return self.sdk.note_count()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--defect", action="append", default=[])
    defects = frozenset(options.parse_args().defect)
    run(lambda loop: BeaconAdapter(loop, defects))


main()
