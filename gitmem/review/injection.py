"""Text in a memory that gives orders to a model.

    override, persona, authority, poisoning      what it says, in English and Chinese
    role, tool call                              what it looks like: the frame around a model's input
    exfiltration, command                        what it wants done behind a person's back
    hidden text, hidden markup                   what a reader does not see
    payload, obfuscated                          one of these in a disguise

A finding inside code, a quotation, or a passage about attacks is less severe: memories may speak of prompts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gitmem.review.chinese import CHINESE
from gitmem.review.cues import found_in, speaks_to_a_model
from gitmem.review.deeds import DEEDS
from gitmem.review.hidden import hidden_characters
from gitmem.review.hidden_markup import ATTRIBUTE, HIDDEN_MARKUP, UNSEEN, hidden_regions, is_prose
from gitmem.review.markup import FRAMES, TOOL_CALL
from gitmem.review.override import OVERRIDES
from gitmem.review.payloads import Payload, closed_up, payloads, taken_apart, turned
from gitmem.review.plain import Plain
from gitmem.review.quoting import Quotations
from gitmem.review.rule import Match, Rule, matches
from gitmem.review.sway import SWAYS

PAYLOAD = "injection-payload"
OBFUSCATED = "injection-obfuscated"
SPOKEN: tuple[Rule, ...] = (*OVERRIDES, *SWAYS, *DEEDS, *CHINESE)
"""The rules about what a text says."""
RULES: tuple[Rule, ...] = (*SPOKEN, *FRAMES)
_LEAD = re.compile(r"[\s.;:!?,(\"'|*>#-]*(?=.)", re.DOTALL)
"""What a pattern takes in before an order, to see that it begins there."""
_SOFTER = {"error": "warning", "warning": "note", "note": "note"}
MOST_MATCHES = 20
"""How many places of one memory are reported."""


def find_injections(text: str) -> list[Match]:
    """The places in a memory file that give orders to a model, in the order of the file; at most 20.

    `text` is the whole file, header included. Pure; takes time in proportion to the length of the text.
    """
    plain = Plain(text)
    said = list(_said(plain))
    found = [*hidden_characters(text), *_in_hidden_places(text, said), *said]
    found += _in_disguise(plain, said)
    if not found:
        return []
    quotations = Quotations(text)
    return _apart([_softened(each, quotations) for each in found])[:MOST_MATCHES]


def _said(plain: Plain) -> Iterator[Match]:
    for rule, found in matches(RULES, plain.text):
        lead = _LEAD.match(found.group())
        start, end = plain.place(found.start() + (lead.end() if lead else 0), found.end())
        yield Match(rule.code, rule.severity, rule.says, start, end)
    for each in found_in(plain.text):
        start, end = plain.place(each.start, each.end)
        yield replace(each, start=start, end=end)


def _in_hidden_places(text: str, said: Sequence[Match]) -> Iterator[Match]:
    for each in hidden_regions(text):
        region = text[each.start : each.end]
        is_shown, is_description = each.where != UNSEEN, each.where == ATTRIBUTE
        severity, says = "error", f"gives orders {each.where}"
        folded = Plain(region).text
        is_order = speaks_to_a_model(folded, is_shown=is_shown, is_description=is_description)
        if not is_order and not any(each.start <= one.start < each.end for one in said):
            if is_shown or not is_prose(region):
                continue
            severity, says = "warning", f"says something {each.where}"
        yield Match(
            HIDDEN_MARKUP, severity, says, each.start, each.end, is_hidden=True, decoded=region.strip()
        )


def _in_disguise(plain: Plain, said: Sequence[Match]) -> Iterator[Match]:
    for each in payloads(plain.raw):
        if _gives_orders(each.said):
            yield _disguised(PAYLOAD, each.start, each.end, each)
    for text, how in turned(plain.text):
        if _gives_orders(text):
            yield _disguised(OBFUSCATED, 0, len(plain.raw), Payload(0, 0, text, how))
    for each in taken_apart(plain):
        start, end = plain.place(each.start, each.end)
        if not any(one.start < end and start < one.end for one in said):
            yield _disguised(OBFUSCATED, start, end, each)
    closed = closed_up(plain.text)
    if closed is not None and not said:
        first = next(matches(CHINESE, closed), None)
        if first is not None:
            said_there = Payload(0, 0, first[1].group(), "characters set apart")
            yield _disguised(OBFUSCATED, 0, len(plain.raw), said_there)


def _gives_orders(text: str) -> bool:
    plain = Plain(text).text
    return speaks_to_a_model(plain) or next(matches(SPOKEN, plain), None) is not None


def _disguised(code: str, start: int, end: int, payload: Payload) -> Match:
    says = f"gives orders in a disguise ({payload.how})"
    return Match(code, "error", says, start, end, is_hidden=True, decoded=payload.said)


def _softened(match: Match, quotations: Quotations) -> Match:
    """`match`, less severe where a reader takes it for a quotation. What nobody sees quotes nothing."""
    if match.is_hidden and match.code != HIDDEN_MARKUP:
        return match
    steps = quotations.softening(match.start, match.end)
    if match.code == TOOL_CALL and steps:
        steps = 2
    severity = match.severity
    for _ in range(steps):
        severity = _SOFTER[severity]
    return replace(match, severity=severity)


def _apart(found: Sequence[Match]) -> list[Match]:
    """Those that say something of their own: of several in one place that have one code, the first."""
    kept: list[Match] = []
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if not any(one.code == each.code and each.start < one.end for one in kept):
            kept.append(each)
    return kept
