"""E-mail addresses, and IP addresses where they are asked for.

What looks alike and is none: `react@18.2.0`, `actions/checkout@v4`, `git@github.com:owner/repository.git`,
`ssh://git@host/`, `getty@tty1.service`, `icon@2x.png`, `@alice@social.example`, `ssh root@build.example.com`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import EMAIL, IP
from gitmem.privacy.found import Found
from gitmem.privacy.plain import line_before, word_before

_LETTERS = r"A-Za-z0-9\u00c0-\u024f\u0370-\u052f"
"""Latin, Greek and Cyrillic: scripts with blanks between words, so that an address has a beginning."""
_LOCAL = Lazy(rf"[{_LETTERS}][{_LETTERS}._%+'\-]{{0,63}}\Z")
_LOCAL_CHARACTER = Lazy(rf"[{_LETTERS}._%+\-]|(?<=[A-Za-z])'(?=[A-Za-z])")
_DOMAIN = Lazy(rf"[{_LETTERS}][{_LETTERS}\-]{{0,62}}(?:\.[{_LETTERS}\-]{{1,63}}){{0,8}}")
_VERSION = Lazy(r"v?\d+\.\d+|\d+x$|\d+x\.")
_CLONE_PATH = Lazy(r":(?!//)[\w~.\-]{0,100}(?:/|\.git\b)")
_COMMAND = Lazy(
    r"(?:^|[\s`'\"$(])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs)\s(?:[^|;&\n]{0,80}[\s'\"])?\Z"
)
_USER_OF_URL = Lazy(r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^/?#]*\Z")
_MAIL_WORD = Lazy(
    r"(?i)(?:\be-?mails?\b|\bmail(?:to|box)?\b|\bwrite to\b|邮箱|郵箱|邮件|郵件|信箱|\b(?:to|from|cc|bcc):)"
    r"[^\n@]{0,24}\Z"
)
_NO_HOST = frozenset(
    "latest next main master head stable beta alpha canary rc dev edge nightly workspace npm link".split()
)
_COUNTRIES = frozenset(
    "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw "
    "by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et "
    "eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie "
    "il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv "
    "ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr "
    "nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl "
    "sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz "
    "va vc ve vg vi vn vu wf ws ye yt za zm zw".split()
)
_GENERIC = frozenset(
    "com org net edu gov mil int info biz name pro mobi asia tel jobs travel museum aero coop cat post "
    "arpa app dev page web site online store shop blog cloud tech email mail news media group team work "
    "works life live world today global company business agency digital design studio systems network "
    "software solutions services support center consulting capital finance bank insurance legal law "
    "health care clinic hospital dental school academy university education institute foundation ngo ong "
    "charity events social community club zone space website host hosting domains computer technology "
    "engineering energy industries international enterprises holdings ventures partners marketing press "
    "agency expert guru ninja rocks cool fun games game art photo photography video film music band radio "
    "show theater house homes land estate properties rentals restaurant cafe bar pizza beer wine coffee "
    "kitchen recipes fashion style shoes jewelry gifts sale deals market auction city town berlin hamburg "
    "koeln london paris nyc tokyo osaka amsterdam wien swiss africa quebec scot wales top xyz icu vip win "
    "bid loan men wang ren link click one plus best wiki ink lol run bot chat moe example test invalid "
    "localhost local localdomain internal intranet corp lan home private onion".split()
)
_OF_SCRIPTS = frozenset("рф рус москва онлайн сайт орг дети бел укр срб мкд бг мон қаз ею ελ ευ".split())
"""What a domain in Greek or Cyrillic ends in."""
_IPV4 = Lazy(r"(?<![\w.\-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w\-]|\.\d)")
_IPV6 = Lazy(r"(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,6}(?![\w:])")


def emails_in(text: str) -> Iterator[Found]:
    """The e-mail addresses in a plain text."""
    at = text.find("@")
    while at >= 0:
        found = _email_around(text, at)
        if found is not None:
            yield found
        at = text.find("@", at + 1)


def _email_around(text: str, at: int) -> Found | None:
    start = at
    while start > 0 and at - start < 64 and _LOCAL_CHARACTER.match(text, start - 1):
        start -= 1
    while start < at and text[start] in ".-%+'":
        start += 1
    domain = _DOMAIN.match(text, at + 1)
    if start == at or domain is None or not _LOCAL.match(text, start, at) or text[at - 1] == ".":
        return None
    if (start > 0 and text[start - 1] in "@\\") or _USER_OF_URL.search(word_before(text, start)):
        return None
    host = domain.group().rstrip(".-")
    labels = host.split(".")
    while len(labels) > 2 and not _is_top(labels[-1]):
        labels.pop()
    host = ".".join(labels)
    end = at + 1 + len(host)
    if len(labels) == 1:
        return Found(EMAIL, start, end) if _is_intranet(text, start, end, host) else None
    if not _is_top(labels[-1]) or not all(labels) or _VERSION.match(host):
        return None
    if text[start:at] == "git" and text[end : end + 1] == ":":
        return None
    if _CLONE_PATH.match(text, end) or _COMMAND.search(line_before(text, start, 100)):
        return None
    if text[end : end + 1] == "(" and labels[-1].lower() in _COUNTRIES:
        return None
    return Found(EMAIL, start, end)


def _is_top(label: str) -> bool:
    lowered = label.lower()
    known = lowered in _COUNTRIES or lowered in _GENERIC or lowered in _OF_SCRIPTS
    return known or lowered.startswith("xn--")


def _is_intranet(text: str, start: int, end: int, host: str) -> bool:
    """Whether a name without a dot is a mail host: only where a word says that this is an address."""
    if host.lower() in _NO_HOST or len(host) < 3 or not re.search(r"[A-Za-z]{2}", host):
        return False
    if re.match(r"[:/(@.]\w", text[end : end + 2]) or re.match(r"v?\d", host):
        return False
    before = line_before(text, start, 48)
    return (_MAIL_WORD.search(before) is not None or "mail" in host.lower()) and not _COMMAND.search(
        line_before(text, start, 100)
    )


def ips_in(text: str) -> Iterator[Found]:
    """The IP addresses in a plain text, but for those of this machine."""
    for pattern in (_IPV4, _IPV6):
        for found in pattern.finditer(text):
            if not found.group().startswith(("127.", "0.")):
                yield Found(IP, found.start(), found.end())
