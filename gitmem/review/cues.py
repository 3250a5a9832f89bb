"""Orders to a model by what they are made of, in any of six languages.

A word like `always`, `without telling` or `the model` is harmless. Rules here name sets of such cues that
only an order has together, near each other: in one sentence, or in two of the same paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from gitmem.review import lexicon_lasting, lexicon_roles, lexicon_rules, lexicon_secrets, lexicon_words
from gitmem.review.deeds import COMMAND, EXFILTRATION, LOOSE_ORDER
from gitmem.review.dialogue import false_turns, turns
from gitmem.review.markup import ROLE, TOOL_CALL
from gitmem.review.override import OVERRIDE
from gitmem.review.phrases import Cue, Lexicon
from gitmem.review.rule import Match
from gitmem.review.sway import AUTHORITY, PERSONA, POISONING
from gitmem.review.traits import TRAITS, traits

_SENTENCE_END = re.compile(r"\n(?:[^\S\n]*\n)?|。|[!?](?=[\s\u3040-\u9fff\"')]|$)|[.](?=[\"')]?(?:\s|$))")


class Combination(Struct, frozen=True):
    """Cues that make an order where all stand within `sentences` sentences of one paragraph."""

    code: str
    severity: str
    says: str
    cues: frozenset[str]
    sentences: int = 1


def _of(code: str, severity: str, says: str, cues: str, sentences: int = 1) -> Combination:
    return Combination(code, severity, says, frozenset(cues.split()), sentences)


COMBINATIONS: tuple[Combination, ...] = (
    _of(OVERRIDE, "error", "tells a model to drop its instructions", "drop earlier order"),
    _of(OVERRIDE, "error", "declares the instructions of a model void", "earlier void you", 2),
    _of(OVERRIDE, "error", "declares the instructions of a model void", "earlier void order", 2),
    _of(OVERRIDE, "error", "declares the instructions of a model void", "given void persona", 2),
    _of(OVERRIDE, "error", "brings a task of its own", "sole order", 2),
    _of(OVERRIDE, "error", "brings a task of its own", "sole void", 2),
    _of(ROLE, "error", "speaks to a model in the words of an order", "address order"),
    _of(ROLE, "error", "speaks to a model in the words of an order", "address must"),
    _of(PERSONA, "error", "tells a model to be one without limits", "persona unbound", 2),
    _of(AUTHORITY, "error", "claims an authority over the model", "claim grant", 2),
    _of(ROLE, "error", "speaks to a model in the words of an order", "address trust"),
    _of(ROLE, "error", "speaks to a model in the words of an order", "address grant"),
    _of(AUTHORITY, "warning", "tells a model to take something for consent", "order assumed"),
    _of(AUTHORITY, "warning", "tells a model to take something for consent", "standing assumed"),
    _of(AUTHORITY, "warning", "tells a model to take something for consent", "order consent standing", 2),
    _of(AUTHORITY, "warning", "tells a model to take something for consent", "consent outrank", 2),
    _of(POISONING, "warning", "puts itself above the user", "order standing outrank", 2),
    _of(POISONING, "warning", "puts itself above the user", "must standing outrank", 2),
    _of(POISONING, "warning", "keeps itself from being corrected", "order keep"),
    _of(POISONING, "warning", "keeps itself from being corrected", "standing keep", 2),
    _of(POISONING, "warning", "keeps itself from being corrected", "keep outrank", 2),
    _of(POISONING, "warning", "keeps itself from being corrected", "keep secrecy order", 2),
    _of(EXFILTRATION, "error", "tells a model to send away what is private", "dispatch secret place", 2),
    _of(EXFILTRATION, "error", "tells a model to send away what is private", "dispatch place secrecy", 2),
    _of(EXFILTRATION, "error", "carries away what is private in an address", "slot send"),
    _of(COMMAND, "error", "tells a model to act and to hide it", "secrecy shell", 2),
    _of(COMMAND, "error", "tells a model to act and to hide it", "secrecy code order", 2),
    _of(COMMAND, "error", "tells a model to act and to hide it", "secrecy order standing", 2),
    _of(COMMAND, "error", "tells a model to act and to hide it", "secrecy order you must", 2),
    _of(COMMAND, "warning", "wants a command run that weakens a machine", "risk order standing", 2),
    _of(TOOL_CALL, "error", "tells a model to call a tool", "call code first order"),
    _of(TOOL_CALL, "warning", "tells a model to call a tool", "call arguments"),
    _of(TOOL_CALL, "warning", "tells a model to call a tool", "machine must arguments"),
    _of(TOOL_CALL, "warning", "tells a model to call a tool", "order arguments first"),
)


@cache
def _lexicon() -> Lexicon:
    modules = (lexicon_words, lexicon_rules, lexicon_roles, lexicon_secrets, lexicon_lasting)
    return Lexicon({cue: table for module in modules for cue, table in module.TABLES.items()})


def cues_of(text: str, *, is_dialogue: bool = False, is_whole: bool = True) -> list[Cue]:
    """The cues in folded text, in its order; unless `is_whole`, without traits that combine with nothing."""
    found = _lexicon().cues(text)
    wanted = TRAITS if is_whole else _wanted({cue.name for cue in found})
    further = traits(text, found, wanted=wanted, is_dialogue=is_dialogue)
    return sorted([*found, *further], key=lambda cue: cue.start)


def _wanted(names: set[str]) -> frozenset[str]:
    """The cues of the combinations of which the phrases `names` are there."""
    near = names | TRAITS | ({"consent"} if "assumed" in names else set())
    return frozenset[str]().union(*(one.cues for one in COMBINATIONS if one.cues <= near))


def combined(text: str, cues: Sequence[Cue]) -> Iterator[tuple[Combination, int, int]]:
    """Every combination of cues in folded text with where it starts and ends: each once in a sentence."""
    names = {cue.name for cue in cues} | {"order", "consent"}
    possible = [one for one in COMBINATIONS if one.cues <= names]
    sentences = _by_sentence(text, cues) if possible else []
    for number in range(len(sentences)):
        near: dict[str, Cue] = {}
        for count, each in enumerate(sentences[number : number + 2], 1):
            if count > 1 and each.begins_paragraph:
                break
            for cue in each.cues:
                near.setdefault(cue.name, cue)
            if "must" in near and near.keys() & {"you", "machine"}:
                near.setdefault("order", near["must"])
            if "assumed" in near:
                near.setdefault("consent", near["assumed"])
            for one in possible:
                if one.sentences >= count and one.cues <= near.keys():
                    places = [near[name] for name in one.cues]
                    last = max(place.end for place in places)
                    if count == 1 or last > each.start:
                        yield one, min(place.start for place in places), last


class _Sentence(Struct):
    start: int
    begins_paragraph: bool
    cues: list[Cue]


def _by_sentence(text: str, cues: Sequence[Cue]) -> list[_Sentence]:
    """The sentences that have cues, and in each its cues; sentences without any count as well."""
    sentences = [_Sentence(0, True, [])]
    ends = _SENTENCE_END.finditer(text)
    end = next(ends, None)
    for cue in cues:
        while end is not None and end.start() <= cue.start:
            sentences.append(_Sentence(end.end(), end.group().count("\n") > 1, []))
            end = next(ends, None)
        sentences[-1].cues.append(cue)
    return sentences


def found_in(text: str) -> Iterator[Match]:
    """What the combinations find in folded text; places are those of it."""
    spoken = turns(text)
    cues = cues_of(text, is_dialogue=bool(spoken), is_whole=bool(spoken))
    for one, start, end in combined(text, cues):
        yield Match(one.code, one.severity, one.says, start, end)
    yield from false_turns(text, cues, spoken)


def speaks_to_a_model(text: str, *, is_shown: bool = True, is_description: bool = False) -> bool:
    """Whether folded text that a reader does not see gives orders.

    Text that is never shown needs less for that; text that describes a picture or a link needs more.
    """
    if not is_description and LOOSE_ORDER.search(text):
        return True
    cues = cues_of(text)
    names = {cue.name for cue in cues}
    orders = bool(names & {"order", "must"})
    machine = next((cue.start for cue in cues if cue.name == "machine"), len(text))
    if any(cue.name in ("order", "must") and machine < cue.start for cue in cues):
        return True
    if "address" in names and not is_description:
        return True
    if orders and names & {"secret", "consent", "secrecy", "risk", "claim", "earlier"}:
        return True
    if not is_shown and (orders or names & {"address", "consent", "secrecy", "persona", "claim"}):
        return True
    return next(combined(text, cues), None) is not None
