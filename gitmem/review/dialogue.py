"""Turns of a conversation with a model that a memory pretends to have had."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitmem.review.markup import ROLE
from gitmem.review.phrases import Cue
from gitmem.review.rule import Match

_TURN = re.compile(
    r"^[\s>*_#-]{0,8}(?P<who>(?P<system>system|systeme|sistema|システム|系统|developer|developpeur|entwickler|"
    r"desarrollador|operator)|(?P<model>assistant|assistent|assistante|asistente|ai|ki|ia|model|modele|bot|助手|模型|"
    r"アシスタント|chatgpt|claude|gpt)|user|human|benutzer|nutzer|mensch|utilisateur|utilisatrice|usuario|humano|"
    r"用户|人类|ユーサー)[*_]{0,2}\s?:[^\n]*$",
    re.MULTILINE,
)
_MOST_OF_TEXT = 0.7
"""The share of its lines from which on a memory is the record of a conversation."""


def turns(text: str) -> list[re.Match[str]]:
    """The lines of folded text that are turns of somebody; none if there is only one."""
    found = list(_TURN.finditer(text))
    return found if len(found) > 1 else []


def false_turns(text: str, cues: Sequence[Cue], found: Sequence[re.Match[str]]) -> Iterator[Match]:
    """Turns in which a model agrees to something, or a system allows it, in a text about something else.

    In the record of a conversation models agree all the time: there it is what would raise trust that counts.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    is_record = len(found) > _MOST_OF_TEXT * len(lines)
    for turn in found:
        said = {cue.name for cue in cues if turn.start() <= cue.start < turn.end()}
        if turn["system"]:
            is_false = bool(said & {"trust", "order", "must", "given"})
        elif turn["model"]:
            is_false = "agrees" in said and (bool(said & {"trust", "secret"}) or not is_record)
        else:
            is_false = False
        if is_false:
            severity = "warning" if is_record else "error"
            yield Match(ROLE, severity, "pretends that a model agreed to something", turn.start(), turn.end())
