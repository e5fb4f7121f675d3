#!/usr/bin/env python3
"""Verifies the bundle of a certificate: archive, signatures, digests, completeness, times. Does not judge again."""

import argparse
import base64
import datetime
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

BLOCK = 512
TYPE = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATES = {
    "certificate.dsse.json": "https://conform.example/conformance/v1",
    "test-result.dsse.json": "https://in-toto.io/attestation/test-result/v0.1",
}
NAME = re.compile(
    r"certificate\.dsse\.json|challenge\.json|findings\.json|run\.jsonl|test-result\.dsse\.json"
    r"|(?:evidence|pack(?:/(?!\.)[A-Za-z0-9\-_@\[\]%.]+)*)/(?!\.)[A-Za-z0-9\-_@\[\]%.]{1,100}"
)
LARGEST_FILE, LARGEST_BUNDLE, MOST_FILES = 1 << 28, 1 << 32, 100_000


# The exceptions that unexpected content of a file can cause.
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)


class NoBundle(Exception):
    """The file is not a bundle, or a key is not a key."""


def header(name, size):
    """Returns the only header that is valid for a file with this name and size."""
    folder, _, last = name.rpartition("/")
    block = bytearray(BLOCK)
    fields = {
        0: last, 100: "0000644", 108: "0000000", 116: "0000000", 124: f"{size:011o}", 136: "0" * 11,
        148: " " * 8, 156: "0", 257: "ustar", 263: "00", 329: "0000000", 337: "0000000", 345: folder,
    }
    for place, text in fields.items():
        block[place:place + len(text)] = text.encode()
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return bytes(block)


def text(field):
    return field.split(b"\0")[0].decode("utf-8", "replace")


def files(path):
    """The files of a bundle by name."""
    found, last, total = {}, "", 0
    with open(path, "rb") as archive:
        while (block := archive.read(BLOCK)) != bytes(BLOCK):
            folder = text(block[345:500])
            name = (folder + "/" if folder else "") + text(block[:100])
            if len(block) < BLOCK or not NAME.fullmatch(name) or not re.fullmatch(rb"[0-7]{11}", block[124:135]):
                raise NoBundle(f"behind '{last}': the archive is cut off, or has a file that is not of a bundle")
            size = int(block[124:135], 8)
            total += size
            if block != header(name, size):
                raise NoBundle(f"the header of '{name}' is not that of a bundle's file")
            if name.encode() <= last.encode():
                raise NoBundle(f"'{name}' is there twice or out of order")
            if size > LARGEST_FILE or total > LARGEST_BUNDLE or len(found) >= MOST_FILES:
                raise NoBundle(f"'{name}' is too much")
            content, padding = archive.read(size), archive.read(-size % BLOCK)
            if len(content) != size or padding != bytes(-size % BLOCK):
                raise NoBundle(f"'{name}' is cut off, or something is hidden behind it")
            found[name], last = content, name
        if archive.read(BLOCK) != bytes(BLOCK) or archive.read(1):
            raise NoBundle("the archive does not end with 1,024 zeros")
    for name in [*PREDICATES, "run.jsonl"]:
        if name not in found:
            raise NoBundle(f"the bundle has no '{name}'")
    return found


def public_key(path):
    """A public key, with its id."""
    try:
        with open(path, "rb") as file:
            key = load_pem_public_key(file.read())
    except ValueError as problem:
        raise NoBundle(f"{path}: not a public key in PEM: {problem}") from problem
    if not isinstance(key, Ed25519PublicKey):
        raise NoBundle(f"{path}: a key of another kind than Ed25519")
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return key, "sha256:" + hashlib.sha256(der).hexdigest()


def accepts(key, signature, message):
    try:
        key.verify(signature, message)
        return True
    except InvalidSignature:
        return False


def only_form(envelope):
    """Returns the only valid bytes for the file of an envelope."""
    signatures = [{"keyid": one["keyid"], "sig": one["sig"]} for one in envelope["signatures"]]
    members = {"payloadType": envelope["payloadType"], "payload": envelope["payload"], "signatures": signatures}
    return json.dumps(members, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def statement(name, content, keys):
    """Returns the statement of an envelope, and the reason if it is not signed."""
    try:
        envelope = json.loads(content)
        payload = base64.b64decode(envelope["payload"], validate=True)
        signatures = [base64.b64decode(one["sig"], validate=True) for one in envelope["signatures"]]
        value = json.loads(payload)
        is_known = (envelope["payloadType"], value["_type"], value["predicateType"]) == (TYPE, STATEMENT, PREDICATES[name])
        has_form = content == only_form(envelope) and {len(one) for one in signatures} <= {64} and len(signatures) <= 16
        has_form &= all(len(one["keyid"].encode()) <= 71 for one in envelope["signatures"])
    except UNREADABLE as problem:
        raise NoBundle(f"'{name}' is not a signed statement: {problem!r}") from problem
    if not has_form:
        raise NoBundle(f"'{name}' has members, spaces or signatures that no signature covers")
    if not is_known:
        raise NoBundle(f"'{name}' is of another type or a later version")
    message = f"DSSEv1 {len(TYPE)} {TYPE} {len(payload)} ".encode() + payload
    reasons = [
        f"'{name}' has no signature by {identity}"
        for key, identity in keys
        if not any(accepts(key, signature, message) for signature in signatures)
    ]
    return value, reasons


def digest(content):
    return hashlib.sha256(content).hexdigest()


def record_problems(found, predicate):
    """Differences between the transcripts and the record, and missing parts of the record."""
    try:
        lines = [json.loads(line) for line in found["run.jsonl"].splitlines()]
        cases = [line for line in lines if line["record"] == "case"]
        named = {"evidence/" + case["evidence"].split("/")[-1]: case["evidenceDigest"] for case in cases}
        run, end = lines[0], lines[-1]
        is_whole = (end["record"], run["planned"]) == ("end", len(cases))
        # A case that was added after the frozen set may fail. Only a reader with the set knows these cases. A requirement
    # under dispute may be violated. Only a reader with the protocol knows whether other requirements are violated.
        may_fail = predicate.get("scored", len(cases)) < len(cases) or bool(predicate.get("disputed"))
        is_whole &= end["conclusion"] == "conformant" or may_fail
    except UNREADABLE as problem:
        return [f"the record cannot be read: {problem!r}"]
    # A tier can be about profiles. Only a reader with the protocol knows these profiles.
    allowed = {"--role", "--dialect"} | ({"--profile"} if predicate.get("profiles") else set())
    reasons = [] if is_whole else ["the record is not that of a whole, conformant run"]
    if "baseline" in run or run["withoutPositions"] or set(run["selection"][::2]) - allowed:
        reasons.append("the run was narrowed, had a baseline, or switched positions off")
    there = {name for name in found if name.startswith("evidence/")}
    reasons += [f"the record does not name '{name}'" for name in sorted(there - named.keys())]
    reasons += [f"the bundle lacks '{name}'" for name in sorted(named.keys() - there)]
    reasons += [
        f"'{name}' is not the transcript of the record" for name in sorted(there & named.keys())
        if digest(found[name]) != named[name]
    ]
    return reasons


def moment(value):
    time = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if time.tzinfo is None:
        raise ValueError(f"'{value}' has no zone")
    return time


def ended(record):
    """Returns the time at which a run ended."""
    try:
        lines = record.splitlines()
        milliseconds = json.loads(lines[-1]).get("duration", 0)
        return moment(json.loads(lines[0])["startedAt"]) + datetime.timedelta(milliseconds=milliseconds)
    except (*UNREADABLE, OverflowError) as problem:
        raise NoBundle(f"the record cannot be read: {problem!r}") from problem


def challenge_problems(content, found, began):
    """Reasons why a run does not answer the challenge in its bundle."""
    try:
        signed = base64.b64decode(json.loads(content)["payload"], validate=True)
        payload = json.loads(signed)
        nonce = bytes.fromhex(payload["nonce"])
        seed = int.from_bytes(hashlib.sha256(b"conform challenge 1" + nonce).digest()[:8], "big")
        run = json.loads(found["run.jsonl"].splitlines()[0])
        is_answer = int(run["seed"]) == seed and run.get("challenge") == digest(signed)
        is_answer &= moment(payload["issued"]) <= began < moment(payload["expires"])
    except UNREADABLE as problem:
        raise NoBundle(f"the challenge cannot be read: {problem!r}") from problem
    return [] if is_answer else ["the run does not answer the challenge: its seed, its digest or its time is another"]


def verify(path, keys, now):
    """Returns the reasons why a bundle is not valid, and whether the certificate has expired."""
    found = files(path)
    certificate, reasons = statement("certificate.dsse.json", found["certificate.dsse.json"], keys)
    result, more = statement("test-result.dsse.json", found["test-result.dsse.json"], keys)
    reasons += more
    try:
        predicate = certificate["predicate"]
        issued, expires = moment(predicate["issued"]), moment(predicate["expires"])
        began = moment(predicate["startedAt"])
        first = certificate["subject"][0]
        recorded = first["digest"]["sha256"] if first["name"] == "run.jsonl" else None
        is_same = certificate["subject"] == result["subject"]
        passed = result["predicate"]["result"] == "PASSED"
    except UNREADABLE as problem:
        raise NoBundle(f"the statement cannot be read: {problem!r}") from problem
    if recorded != digest(found["run.jsonl"]):
        reasons.append("the record is not the one of the statement")
    if not is_same or not passed:
        reasons.append("the two statements do not agree")
    findings = found.get("findings.json")
    if predicate.get("findings") != (digest(findings) if findings is not None else None):
        reasons.append("the findings are not those of the statement")
    challenge = found.get("challenge.json")
    if predicate.get("challenge") != (digest(challenge) if challenge is not None else None):
        reasons.append("the challenge is not the one of the statement")
    elif challenge is not None:
        reasons += challenge_problems(challenge, found, began)
    pack = sorted((name[5:].encode(), digest(content)) for name, content in found.items() if name.startswith("pack/"))
    listed = b"".join(value.encode() + b"  " + name + b"\n" for name, value in pack)
    if predicate.get("packFiles") != (digest(listed) if pack else None):
        reasons.append("the files of the protocol are not those of the statement")
    if not began <= ended(found["run.jsonl"]) <= issued <= now:
        reasons.append("it was issued before its run, or in the future")
    return reasons + record_problems(found, predicate), expires <= now


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle")
    parser.add_argument("--key", action="append", required=True, help="a public key in PEM; each must have signed")
    parser.add_argument("--at", help="the moment to verify for, in ISO 8601, instead of now")
    options = parser.parse_args()
    try:
        now = moment(options.at) if options.at else datetime.datetime.now(datetime.timezone.utc)
        reasons, is_expired = verify(options.bundle, [public_key(path) for path in options.key], now)
    except (NoBundle, OSError, ValueError) as problem:
        print(f"verify: {problem}", file=sys.stderr)
        return 2
    for reason in reasons:
        print(f"not valid: {reason}")
    if not reasons:
        print("expired" if is_expired else "valid: signatures, digests, completeness and times; verdicts were not judged")
    return 1 if reasons else 5 if is_expired else 0


if __name__ == "__main__":
    sys.exit(main())
