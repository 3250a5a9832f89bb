"""What the library hands to an agent holds nothing that it may not read, printed or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gitmem.errors import GitmemError
from gitmem.store import Store
from tests.apart.conftest import MARK, Planted, as_agent, as_person

READS: dict[str, Callable[[Store], Any]] = {
    "list": lambda store: (store.list(), store.on("side").list(), store.at("HEAD~8").list()),
    "recall": lambda store: store.recall("who pays better", archived=True, quarantined=True, min_relevance=0),
    "log": lambda store: (store.log(), store.log("freed"), store.on("archive").log()),
    "diff": lambda store: store.diff("tea"),
    "blame": lambda store: store.blame("freed"),
    "why": lambda store: store.why("freed"),
    "show": lambda store: [store.show(each) for each in ("freed", "freed@v1", "reports", "oldtea")],
    "usage": lambda store: store.usage(),
    "health": lambda store: store.health(),
    "check": lambda store: (store.check(is_thorough=True), store.check("HEAD~6")),
    "conflicts": lambda store: store.conflicts(),
    "status": lambda store: store.status(),
    "reindex": lambda store: store.reindex(),
    "proposals": lambda store: store.proposals(settled=True),
    "review": lambda store: store.review("cake-idea"),
    "related": lambda store: (
        store.related("reports", depth=3),
        store.related("tea"),
        store.related("oldtea"),
    ),
    "path": lambda store: store.path("tea", "reports"),
    "graph": lambda store: (
        store.graph(archived=True, snippets=True),
        store.graph_text(store.graph(snippets=True), "html"),
        store.graph(around="reports"),
    ),
    "entities": lambda store: store.entities(),
    "suggest_merges": lambda store: store.suggest_merges(dry_run=True),
    "context": lambda store: store.context("who pays better"),
    "consult": lambda store: store.consult("who pays better"),
    "brief": lambda store: store.brief(),
    "sessions": lambda store: store.sessions(),
    "tombstones": lambda store: store.tombstones(),
    "sync": lambda store: store.sync("origin", dry_run=True),
}
NOT_READING = frozenset(
    "delete_keys export_keys import_keys keys rewrap_keys "
    "accept amend answer_event append approve archive as_agent attach at branch clone close commit commit_edits confirm diagnose "
    "disputed doctor editor embed end_session export export_tombstone_key foresee foresee_jsonl forget found guard heal hook import_agent import_folder import_jsonl import_tombstone_key init install is_forgetting link merge note on open pin place plan_forget propose propose_archive push_forgotten reflect refresh reject remember remember_all remember_jsonl rename require_person resolve "
    "restore revert scan share_between_handles share_usage "
    "entity graph_text write_graph since_fork start_helper start_session tag tend undo uninit uninstall unlink unpin update where "
    "write_brief".split()
)
"""What writes, gives a handle, or is asked by the command only; see the matrix of verbs."""


def test_every_method_is_known() -> None:
    names = {name for name in dir(Store) if not name.startswith("_")}
    assert names == READS.keys() | NOT_READING


@pytest.mark.parametrize("method", READS)
def test_nothing_of_it_is_in_what_a_method_gives(method: str, planted: Planted) -> None:
    folder = planted.shared()
    shown = repr(READS[method](as_agent(folder))).replace(str(folder.parent), "").casefold()
    assert MARK not in shown
    if method not in (
        "diff",
        "usage",
        "status",
        "reindex",
        "review",
        "check",
        "tombstones",
        "path",
        "suggest_merges",
    ):
        try:
            told = repr(READS[method](as_person(folder))).casefold()
        except GitmemError as error:
            told = str(error)
        assert MARK in told


def test_what_is_handed_to_agents_by_a_person_holds_nothing_either(planted: Planted) -> None:
    """The server for agents, and the brief that is kept for them, in a person's process."""
    store = as_person(planted.copy("handed"))
    told = repr(store.as_agent().recall("who pays better", archived=True, min_relevance=0)).casefold()
    brief, file = store.write_brief()
    assert MARK not in told + brief.text.casefold() + file.read_text("utf-8").casefold()
    assert MARK in repr(store.brief()).casefold()
