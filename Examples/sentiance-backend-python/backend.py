"""A customer's backend for Sentiance. It links the installs of its users, and gets authentication codes for its users.

Environment variables:
  SENTIANCE_BASE_URL    the URL of the platform
  SENTIANCE_API_KEY     a key with the scope user.link
  SENTIANCE_DELETE_KEY  a key with the scope user.delete; without it, the backend deletes no users
  SENTIANCE_APP_ID      the app's credentials, for apps that get them from their backend
  SENTIANCE_APP_SECRET
  SESSIONS              the sessions: pairs of a session and an external id, such as s-1=anna,s-2=ben

`--option NAME` makes the backend use another legal choice. `--defect NAME` adds a defect. Both may be repeated. The
variables CONFORM_VARIANT and CONFORM_DEFECT do the same, with commas between names.
"""
import argparse
import os
import sys
from pathlib import Path

# The examples share the module that changes a program by name.
sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from accounts import Links
from patching import add_options
from service import Backend, Handler, Server


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--port", type=int, default=8000)
    arguments.add_argument("--database", default=":memory:", help="a file for what shall outlive the process")
    add_options(arguments)
    given = arguments.parse_args()
    if given.option:
        import variants
        variants.choose(given.option, arguments.error)
    if given.defect:
        import defects
        defects.inject(given.defect, arguments.error)
    Handler.backend = Backend(os.environ, Links(given.database))
    server = Server(("127.0.0.1", given.port), Handler)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
