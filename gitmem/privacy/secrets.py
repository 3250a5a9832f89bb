"""Secrets that are no key of a service: private keys, tokens, passwords in addresses and assignments."""

from __future__ import annotations

import base64
import json
import re
from bisect import bisect
from collections.abc import Iterator

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import SECRET
from gitmem.privacy.assigned import is_placeholder, looks_random, values_beside_key_words
from gitmem.privacy.found import Found

_PEM = Lazy(r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = Lazy(r"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = Lazy(r"(?:[A-Za-z0-9+/=]{16,}|\\[nr]|\s|[A-Za-z-]{4,20}: [^\n]{1,80}\n)*")
MOST_PEM_CHARACTERS = 20_000
_JWT = Lazy(r"(?<![A-Za-z0-9_\-])(eyJ[A-Za-z0-9_\-]{8,1000})\.[A-Za-z0-9_\-]{8,8000}\.[A-Za-z0-9_\-]{0,1000}")
_IN_URL = Lazy(r"(?<![A-Za-z])([A-Za-z][A-Za-z0-9+.\-]{1,20})://([^\s/@:\"'<>]{0,100}):([^\s\"'<>/]{1,200})@")
_TOKEN_IN_URL = Lazy(r"://([A-Za-z0-9_\-]{20,200})@")
_BEARER = Lazy(r"(?i)\bbearer[ :]{1,3}([A-Za-z0-9._~+/=\-]{16,2000})")
_BASIC = Lazy(r"(?i)\bbasic ([A-Za-z0-9+/]{8,500}={0,2})(?![A-Za-z0-9+/=])")
_KEY_ID = Lazy(r"(?<![A-Za-z0-9_])(?:AKIA|ASIA|AKID|LTAI)[A-Za-z0-9]{12,40}")
_ITS_SECRET = Lazy(r"[^\n]{0,60}?(?<![A-Za-z0-9+/=])(?P<value>[A-Za-z0-9+/]{30,44})(?![A-Za-z0-9+/=])")
_IN_QUERY = Lazy(
    r"[?&](?:key|appid|app_?key|api_?key|access_?token|token|auth|secret|password|pwd|sign)=([^\s&#\"'<>]{8,300})"
)
_OF_COMMAND = Lazy(
    r"\b(?:mysql(?:dump|admin)?\b[^\n|;]{0,100}?\s-p|sshpass\s+-p\s?)(?!\s)['\"]?(?P<value>[^\s'\"]{4,100})"
)
_CURL_USER = Lazy(r"\bcurl\b[^\n|;]{0,200}?\s(?:-u|--user)[ =]['\"]?[^\s:'\"]{1,60}:([^\s'\"]{4,100})")


def secrets_in(text: str) -> Iterator[Found]:
    """The secrets in a plain text, the surest first; places may overlap."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "eyJ" in text:
        for found in _JWT.finditer(text):
            if _is_jwt_header(found[1]):
                yield Found(SECRET, found.start(), found.end())
    if "://" in text:
        yield from _in_addresses(text)
    yield from _in_headers(text)
    yield from _beside_ids(text)
    if "mysql" in text or "sshpass" in text:
        for found in _OF_COMMAND.finditer(text):
            if not is_placeholder(found["value"]):
                yield Found(SECRET, found.start("value"), found.end("value"))
    yield from values_beside_key_words(text)


def _private_keys(text: str) -> Iterator[Found]:
    ends = [found.end() for found in _PEM_END.finditer(text)]
    done = 0
    while found := _PEM.search(text, done):
        most = found.end() + MOST_PEM_CHARACTERS
        closing = ends[place] if (place := bisect(ends, found.end())) < len(ends) else most + 1
        body = _PEM_BODY.match(text, found.end(), most)
        done = closing if closing <= most else body.end() if body else found.end()
        if closing <= most or done - found.end() >= 16:
            yield Found(SECRET, found.start(), done)


def _is_jwt_header(part: str) -> bool:
    try:
        values = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, RecursionError):
        return False
    return isinstance(values, dict) and "alg" in values


def _in_addresses(text: str) -> Iterator[Found]:
    """Passwords between a scheme and a host, a token that stands there alone, and keys of a query."""
    for found in _IN_QUERY.finditer(text):
        if looks_random(found[1]):
            yield Found(SECRET, found.start(1), found.end(1))
    if "@" not in text:
        return
    for found in _IN_URL.finditer(text):
        if not is_placeholder(found[3]) and found[3] != found[2]:
            yield Found(SECRET, found.start(3), found.end(3))
    for found in _TOKEN_IN_URL.finditer(text):
        if re.search("[0-9]", found[1]) and re.search("[A-Za-z]", found[1]):
            yield Found(SECRET, found.start(1), found.end(1))


def _beside_ids(text: str) -> Iterator[Found]:
    """The secret that stands behind the id of a cloud's access key."""
    if not any(prefix in text for prefix in ("AKIA", "ASIA", "AKID", "LTAI")):
        return
    for known in _KEY_ID.finditer(text):
        found = _ITS_SECRET.match(text, known.end())
        if found is not None and looks_random(found["value"]):
            yield Found(SECRET, found.start("value"), found.end("value"))


def _in_headers(text: str) -> Iterator[Found]:
    """Credentials of HTTP requests."""
    lowered = text.lower()
    if "bearer" in lowered:
        for found in _BEARER.finditer(text):
            if re.search("[0-9]", found[1]) and not is_placeholder(found[1]):
                yield Found(SECRET, found.start(1), found.end(1))
    if "basic " in lowered:
        for found in _BASIC.finditer(text):
            if _is_pair(found[1]):
                yield Found(SECRET, found.start(1), found.end(1))
    if "curl" in text:
        for found in _CURL_USER.finditer(text):
            if not is_placeholder(found[1]):
                yield Found(SECRET, found.start(1), found.end(1))


def _is_pair(encoded: str) -> bool:
    """Whether base64 holds `user:password`."""
    try:
        decoded = base64.b64decode(encoded, validate=True).decode("utf-8")
    except ValueError:
        return False
    return ":" in decoded and decoded.isprintable()
