"""Parses answers of the platform. A wrong type is an error, and unknown members are ignored."""
import json
from dataclasses import dataclass
from datetime import datetime

SWITCHED_OFF = "disable_sdk"


class BadAnswer(Exception):
    """An answer with a success status and an invalid body."""


@dataclass
class Token:
    id: str
    expires_at: str

    def is_valid(self, now):
        return now < moment(self.expires_at)


@dataclass
class Configuration:
    active: bool
    linked: bool
    switched_off: bool

    @property
    def enabled(self):
        return self.active and not self.switched_off


@dataclass
class CreatedUser:
    install_id: str
    token: Token
    user_id: str | None
    linked: bool
    configuration: Configuration


@dataclass
class Person:
    id: str
    linked: bool
    configuration: Configuration


def moment(text):
    """The seconds since 1970 of a timestamp. The timestamp must have a zone."""
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError("no zone")
    return instant.timestamp()


def document(data):
    try:
        value = json.loads(data)
    except ValueError:
        raise BadAnswer("the body is not JSON") from None
    if not isinstance(value, dict):
        raise BadAnswer("the body is not an object")
    return value


def member(document, name, kind):
    value = document.get(name)
    if not isinstance(value, kind) or value == "":
        raise BadAnswer(f"{name} is missing or has the wrong type")
    return value


def read_token(body):
    token = Token(member(body, "id", str), member(body, "expires_at", str))
    try:
        moment(token.expires_at)
    except ValueError:
        raise BadAnswer("expires_at is not a timestamp") from None
    return token


def read_configuration(body):
    action = member(body, "killswitch_action", str)
    return Configuration(member(body, "active", bool), member(body, "linked", bool), action == SWITCHED_OFF)


def read_created_user(body):
    """Reads the answer to a creation. There is no user until the install is linked."""
    user_id = body.get("user_id")
    return CreatedUser(
        member(body, "install_id", str), read_token(member(body, "token", dict)),
        None if user_id is None else member(body, "user_id", str), member(body, "linked", bool),
        read_configuration(member(body, "config", dict)))


def read_person(body):
    return Person(
        member(body, "id", str), member(body, "third_party_linked", bool),
        read_configuration(member(body, "config", dict)))
