"""The hook `setLinkState`: switches a link on or off, or lets it expire.

A real one would talk to the database or to an admin API; this one asks the reference server, whose URL is its argument.
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
# What goes wrong ends the program with another code than 0, and its last words on stderr tell why.
with urllib.request.urlopen(request, timeout=5) as response:
    json.load(response)
json.dump(None, sys.stdout)
