"""Whoosh's Porter2 stemmer, asked only for the steps that can change a word.

Its steps try dozens of endings one after another on every word, most of which have none of them. A look at
all endings at once leaves most of the steps out, with the same stems.
"""

from __future__ import annotations

from whoosh.lang import porter2

_STEP_1B = (*porter2.s1b_suffixes, "eed", "eedly")
_STEP_2 = tuple(ending for ending, _, _ in porter2.s2_triples)
_STEP_3 = tuple(ending for ending, _, _ in porter2.s3_triples)
_STEP_4 = (*porter2.s4_delete_list, "sion", "tion")


def stem(word: str) -> str:
    """The stem of a word in lower case, as `whoosh.lang.porter2.stem` gives it."""
    if len(word) <= 2:
        return word
    word = word.removeprefix("'")
    if word in porter2.exceptional_forms:
        return str(porter2.exceptional_forms[word])
    if "y" in word:
        word = porter2.capitalize_consonant_ys(word)
    r1 = porter2.get_r1(word)
    match = porter2.r_exp.match(word, r1)
    r2 = match.start(1) if match else len(word)
    if "'" in word:
        word = porter2.step_0(word)
    if word.endswith(("s", "ied")):
        word = porter2.step_1a(word)
    if word in porter2.exceptional_early_exit_post_1a:
        return word
    if word.endswith(_STEP_1B):
        word = porter2.step_1b(word, r1)
    if word.endswith(("y", "Y")):
        word = porter2.step_1c(word)
    return _last_steps(word, r1, r2)


def _last_steps(word: str, r1: int, r2: int) -> str:
    if word.endswith(_STEP_2):
        word = porter2.step_2(word, r1)
    if word.endswith(_STEP_3):
        word = porter2.step_3(word, r1, r2)
    if word.endswith(_STEP_4):
        word = porter2.step_4(word, r2)
    if word.endswith(("l", "e")):
        word = porter2.step_5(word, r1, r2)
    return word.replace("Y", "y")
