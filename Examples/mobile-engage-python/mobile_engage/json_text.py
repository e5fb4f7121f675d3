"""Writes JSON for requests, and reads JSON of answers."""
import json

DECODER = json.JSONDecoder()


class JSONWriter:
    def __init__(self, choices):
        self.choices = choices

    def encode(self, value, verbatim=None):
        """The bytes of an object. `verbatim` contains members whose values are JSON texts already."""
        text = self.dumps(value, self.choices.json_ascii)
        for name, member in (verbatim or {}).items():
            text = f"{text.rstrip().removesuffix('}').rstrip()}, {json.dumps(name)}: {member}}}"
        try:
            return text.encode()
        except UnicodeEncodeError:  # half a surrogate pair has an escape, but no UTF-8
            return self.dumps(value, ascii=True).encode()

    def dumps(self, value, ascii):
        sort, indent = self.choices.json_sorted, self.choices.json_indent
        return json.dumps(value, ensure_ascii=ascii, sort_keys=sort, indent=indent)


def object_in(body):
    """The JSON object in a body. Any other body counts as an empty object."""
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def member_text(body, name):
    """The text of an object's member as written, so that numbers keep their digits; or None."""
    text = body.decode("utf-8", "replace").lstrip()
    if not isinstance(object_in(body).get(name), dict):
        return None
    at, found = 1, None
    while True:
        at = skip(text, at, " \t\r\n,")
        if text[at] == "}":
            return found
        key, at = DECODER.raw_decode(text, at)
        at = skip(text, at, " \t\r\n:")
        start = at
        _, at = DECODER.raw_decode(text, start)
        if key == name:
            found = text[start:at]


def skip(text, at, characters):
    while text[at] in characters:
        at += 1
    return at
