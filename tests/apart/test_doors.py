"""Whoever looks at the whole of a store, past what hides things, is known by name and says why."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "gitmem"
WHOLE = frozenset({"whole", "unguarded", "as_stored"})
ALLOWED = {
    "flows/writing/admission.py": "compares what is written with all that stands there",
    "flows/rights/apart.py": "compares what is written with all that stands there",
    "flows/writing/apply.py": "commits have all files, also those that their author does not see",
    "flows/accept.py": "what is merged was looked at before; what stays hidden is merged as it is",
    "flows/embeddings.py": "vectors are those of all, and of what is stored",
    "flows/reading/edits.py": "what the worktree looks like is kept for all, and shown by rights",
    "flows/reading/find.py": "an id is in use wherever it is used",
    "flows/judging/texts.py": "texts are compared as they are stored, and given as they are seen",
    "flows/reading/locked.py": "asks whether a file that is seen is encrypted",
    "flows/merge.py": "merges all, reports by rights",
    "flows/reading/indexed.py": "the index is that of all; views of it hide",
    "flows/reading/past.py": "the index of the past is that of all",
    "flows/propose.py": "whoever may only propose is told what they did",
    "flows/writing/repeat.py": "looks for a write of its own by its name",
    "flows/review.py": "asks whether a merge would be refused",
    "flows/writing/routing.py": "finds its own proposal, and brings what main says into it",
    "flows/writing/sealing.py": "keeps the ciphertext of what did not change",
    "flows/sync.py": "carries all, tells by rights",
    "flows/syncing/doubles.py": "unites all of a sync, which tells by rights",
    "flows/upkeep.py": "indexes are those of all",
    "flows/wellbeing/lag.py": "counts commits that an index does not show",
    "flows/work.py": "defines it",
    "privacy/pieces.py": "means a piece of text that stands whole",
    "store/syncing.py": "the guard of a shared repository keeps all memories",
    "versions/chain.py": "commits by time, without what they say",
    "versions/history.py": "follows all, gives what may be seen",
    "versions/merge_base.py": "bases of merges stay as they are stored",
    "versions/place.py": "defines it",
    "versions/proposals.py": "a proposal is one whoever looks, and is given by rights",
    "versions/signed.py": "verdicts are kept for all",
    "versions/tables.py": "tables are those of all",
    "versions/veil.py": "defines it",
}


def _modules_with(words: frozenset[str]) -> Iterator[Path]:
    """The modules worth parsing: whose text has one of the words."""
    for file in PACKAGE.rglob("*.py"):
        if any(word in file.read_text(encoding="utf-8") for word in words):
            yield file


def test_only_known_modules_look_past_what_is_hidden() -> None:
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in _modules_with(WHOLE)
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Attribute) and node.attr in WHOLE
    }
    assert found == set(ALLOWED)


OPENING = frozenset({"find_place", "place_of"})


def test_only_known_modules_open_a_place_by_themselves() -> None:
    """A handle has a place with rights; who finds one by itself gives no memory to anybody."""
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in _modules_with(OPENING)
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPENING
    }
    assert found == {
        "flows/rights/apart.py",
        "flows/clone.py",
        "flows/doctor.py",
        "flows/doctoring/git.py",
        "flows/found.py",
        "flows/install.py",
        "store/__init__.py",
        "versions/place.py",
    }
