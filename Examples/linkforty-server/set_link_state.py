"""The hook `setLinkState`: switches a link on or off, or lets it expire.

A real hook would use the database or an admin API. This hook calls the reference server. The URL of the server is the argument.
"""

import json
import sys
import urllib.request

params = json.load(sys.stdin)
request = urllib.request.Request(
    sys.argv[1] + "/_conform/setLinkState",
    data=json.dumps({"shortCode": params["shortCode"], "state": params["state"]}).encode(),
    headers={"Content-Type": "application/json"},
)
# Any error ends the program with an exit code other than 0. The last lines on stderr give the reason.
with urllib.request.urlopen(request, timeout=5) as response:
    json.load(response)
json.dump(None, sys.stdout)
