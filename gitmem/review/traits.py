"""Cues that are no phrases: how an order begins, whom it speaks to, what it runs, where it sends things."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from gitmem.review.phrases import Cue

_BEFORE = 48
"""How many characters before a word are looked at."""
_BEGINS = re.compile(
    r"(?:^|[\n.,;:!?(\[{\"'>*#|=、。«„]\s*|[-–—]\s+|\d[.)]\s*|\b(?:and|then|or|but|please|always|never|"
    r"now|also|just|to|"
    r"must|should|shall|you will|instead|simply|only|silently|secretly|quietly|not|und|dann|bitte|"
    r"sofort|immer|oder|nie|sollst|musst|et|puis|toujours|jamais|dois|doit|y|luego|siempre|nunca|debes|no|ne|"
    r"not|don't|be sure to|make sure to) (?:[a-z]{1,12}ly )?)$"
)
_ADDRESSED = re.compile(
    r"(?:\b(?:note|notes|message|instructions?|hint|info|attention|reminder|word|order|directive|rule|"
    r"hinweis|anweisung|nachricht|notiz|an (?=d|alle|jede)|consigne|consignes|instruction|a l'attention|"
    r"avis|nota|aviso|"
    r"instruccion|instrucciones|mensaje|notice|request|memo|dear|hey|hello|hi|liebe[rs]?|cher|chere|"
    r"querid[oa]|atencion|achtung)"
    r"[\s:,]*(?:to|for|an|fur|pour|a|para|of|au|aux|al)?[\s:,]*"
    r"(?:(?:the|any|all|every|each|future|our|your|die|das|den|der|alle|le|la|l'|les|tout|el|todo|"
    r"reading|other|"
    r"next)[\s']*){0,3}|(?:^|[\n.!?。>*«])\s*@?|[致给对]\s*)$"
)
_VOCATIVE = re.compile(
    r"[\"'*_]{0,2}\s?(?:[:：,，]|请|(?:reading|who reads?|that reads?|processing|summari[sz]ing|"
    r"handling|reviewing)\b)"
)
_HEAD = re.compile(
    r"(?:^|[\n.!?。>*(\[:\"])\s*(?:attention|hinweis|anweisung|note|instructions?|message|avis|nota|"
    r"aviso)\b[^\n:]{0,30}$"
)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_HOST = re.compile(
    r"(?<![\w@./-])(?:[\w-]{1,63}\.){1,4}(?:invalid|example|test|com|net|org|io|dev|ru|cn|xyz|app|site|link|"
    r"online|info|top|click|host|cloud)\b(?![\w(])"
)
_URL = re.compile(r"(?<!\]\()(?<!\]\(<)\b(?:https?|ftp|wss?)://(?!\S{1,80}/(?:oauth|auth|login|token)\b)\S")
"""An address that is written out; not where one logs in, to which a token belongs."""
_ENV = re.compile(r"(?<![\w.])\.env\b(?!\.)|\benv\s*\||\bprintenv\b|`env`|\bthe env\b")
_SLOT_WORDS = (
    r"(?:api[_-]?key|token|secret|password|passwd|credential|conversation|history|prompt|chat|memory|"
    r"memories|"
    r"context|message|session|cookie|user|email|phone|mot_de_passe|passwort|contrasena|gesprach|verlauf|"
    r"historique|historial|clave|address|card|env|密|口令|身份证|手机|用户|对话|记录|会话|姓名)"
)
_SLOT = re.compile(
    rf"https?://[^\s)\"'>]{{0,200}}?[?&/=][^\s)\"'>]{{0,80}}?(?:[<{{\[$][^\n>}}\]]{{0,60}}?{_SLOT_WORDS}|"
    rf"=(?:[a-z_]*_)?{_SLOT_WORDS}[^\s)]{{0,20}}(?=[^\n]{{0,160}}?(?:set to|replac|value|real|actual|"
    rf"filled|真实|替换|"
    r"ersetz|rempla|reempla|sustitu|置き換え|実際))"
    rf")|<[^<>\n]{{0,60}}?{_SLOT_WORDS}[^<>\n]{{0,40}}>\.[\w-]+\.\w+|"
    rf"\{{[^{{}}\n]{{0,60}}?{_SLOT_WORDS}[^{{}}\n]{{0,40}}\}}\.[\w-]+\.\w+"
)
_CODE = re.compile(r"`[^`\n]{2,200}`|(?<![\w.])[a-z]+(?:_[a-z]+)+\b|\b[a-z]+\([^)\n]{0,80}\)")
_ARGUMENTS = re.compile(
    r"`[^`\n]{2,80}`[^\n]{0,20}\{[^\n}]{2,200}\}|\b[a-z]\w+\(\w+\s*=|\b\w+=(?:true|false|all|\d+|\")"
)
_SHELL = re.compile(
    r"\b(?:git (?:commit|push|config|reset|clean|remote)|curl|wget|chmod|chown|rm -|sudo|crontab|ssh|"
    r"scp|nc|ncat|pip3? install|"
    r"npm (?:install|i)|mysqldump|pg_dump|powershell|bash|zsh|systemctl|kubectl|docker|eval|history -c|"
    r"iptables|"
    r"useradd|passwd|dd if|mkfs|tar c\w*|rsync|cat|echo|export|python3? -c|apt(?:-get)? install|"
    r"launchctl|schtasks)\b[^\n]{2}"
)
_RISK = re.compile(
    r"--no-verify|core\.hookspath|--(?:extra-)?index-url[ =]http|--registry[ =]http|--trusted-host|"
    r"chmod\s+(?:-\w+\s+)?[0-7]?777|"
    r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z|da)?sh\b|\|\s*(?:nc|ncat|curl)\b|history -c|"
    r"\.bash_history|"
    r"\bunset histfile|strict-?ssl[ =]false|sslverify[ =]false|--insecure\b|stricthostkeychecking[ =]no|"
    r"setenforce 0|"
    r"ufw disable|/dev/tcp/|authorized_keys|nopasswd|base64 (?:-d|--decode)|--force\b|push -f\b"
)
_NOT = re.compile(
    r"(?:\bnot|\bnever|n't|\bno|\bcannot|\bnicht|\bnie|\bkein\w*|\bpas|\bjamais|\bnunca|不得?|不要|禁止|"
    r"不能|不可|勿|没有|未)\s*(?:[a-z]{1,8} )?$"
)
_SPEAKER = re.compile(
    r"^[ \t>*_#\[(【-]{0,8}(?:systeme|sistema|システム|系统|system[ -](?:message|notice|note|override|"
    r"update|prompt|alert)|developer|developpeur|entwickler|desarrollador|開発者|开发者|"
    r"administrator|administrateur|administrador|管理者|管理员|betreiber|operateur|"
    r"operator)[\])】*_]{0,3}\s?[:-]",
    re.MULTILINE,
)
_NAMED = re.compile(r"[\"']?\s?[:=]")
_EUROPEAN = frozenset("abcdefghijklmnopqrstuvwxyz")


TRAITS = frozenset("order dispatch address place secret slot code arguments shell risk".split())
"""The names of these cues; `secret` is that of phrases too."""


def traits(
    text: str, found: Sequence[Cue], *, wanted: AbstractSet[str] = TRAITS, is_dialogue: bool = False
) -> Iterator[Cue]:
    """The further cues of folded text in which the phrases `found` are; of patterns only those `wanted`.

    order       a verb that begins a clause, as imperatives do
    dispatch    a verb of sending that begins a clause
    address     the machine, spoken to
    place       an address to which things can be sent
    slot        an address with room for what is private
    code        a name or command in code
    arguments   a call with arguments
    shell       a command line
    risk        a command line that weakens the machine
    """
    for cue in found:
        if cue.name in ("do", "drop") and "order" in wanted and _begins_a_clause(text, cue.start):
            yield Cue("order", cue.start, cue.end)
        elif cue.name == "send" and _is_told_to_send(text, cue):
            yield Cue("dispatch", cue.start, cue.end)
        elif cue.name == "machine" and _is_spoken_to(text, cue, is_dialogue):
            yield Cue("address", cue.start, cue.end)
    for name, pattern, sign in (
        ("place", _EMAIL, "@"),
        ("place", _HOST, "."),
        ("place", _URL, "://"),
        ("secret", _ENV, "env"),
        ("address", _SPEAKER, ""),
        ("slot", _SLOT, "."),
        ("code", _CODE, ""),
        ("arguments", _ARGUMENTS, ""),
        ("shell", _SHELL, ""),
        ("risk", _RISK, ""),
    ):
        if name in wanted and sign in text:
            for match in pattern.finditer(text):
                yield Cue(name, match.start(), match.end())


def _begins_a_clause(text: str, start: int) -> bool:
    if text[start] not in _EUROPEAN:
        return True
    return _BEGINS.search(text[max(0, start - _BEFORE) : start]) is not None


def _is_told_to_send(text: str, cue: Cue) -> bool:
    before = text[max(0, cue.start - _BEFORE) : cue.start]
    return _begins_a_clause(text, cue.start) and not _NAMED.match(text, cue.end) and not _NOT.search(before)


def _is_spoken_to(text: str, cue: Cue, is_dialogue: bool) -> bool:
    """In the record of a conversation, a name before a colon is who speaks."""
    before = text[max(0, cue.start - _BEFORE) : cue.start]
    if is_dialogue and text[cue.end : cue.end + 2].lstrip("* ")[:1] == ":":
        return False
    return bool(_VOCATIVE.match(text, cue.end) and (_ADDRESSED.search(before) or _HEAD.search(before)))
