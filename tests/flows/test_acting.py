"""Who is acting: an agent if anything says so, a person only if nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import BadInput, Refused, StoreProblem
from gitmem.flows.rights.acting import HARNESSES, acting
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from gitmem.versions.policy import Policy, Rules, parse_policy
from tests.conftest import git, gitmem


def set_policy(folder: Path, text: str) -> None:
    """A person commits `text` at the end of the config."""
    config = folder / ".gitmem" / "config.toml"
    config.write_text(config.read_text("utf-8") + text, encoding="utf-8")
    git(folder, "commit", "-qam", "policy")


@pytest.mark.parametrize(
    ("environ", "at_terminal", "expected"),
    [
        ({}, True, "person:Test Person"),
        ({}, False, "agent:unattended"),
        ({"GITMEM_IDENTITY": "person:alice"}, False, "person:alice"),
        ({"GITMEM_IDENTITY": "agent:bot"}, True, "agent:bot"),
        *[({name: "1"}, True, f"agent:{agent}") for name, agent in HARNESSES.items()],
        ({"GITMEM_IDENTITY": "person:alice", "CLAUDECODE": "1"}, True, "agent:claude-code"),
        ({"GITMEM_IDENTITY": "agent:bot", "CLAUDECODE": "1"}, True, "agent:bot"),
    ],
)
def test_whatever_says_agent_wins(
    store: Store, environ: dict[str, str], at_terminal: bool, expected: str
) -> None:
    assert str(acting(store.place, environ, at_terminal=at_terminal)) == expected


def test_git_config_may_make_an_agent_and_never_unmake_one(store: Store, folder: Path) -> None:
    git(folder, "config", "gitmem.identity", "person:alice")
    assert acting(store.place, {"GITMEM_IDENTITY": "agent:bot"}, at_terminal=True).kind is Kind.AGENT
    git(folder, "config", "gitmem.identity", "agent:bot")
    assert acting(store.place, {"GITMEM_IDENTITY": "person:alice"}, at_terminal=True).name == "bot"


def test_the_policy_names_agents_whatever_they_say(store: Store, folder: Path) -> None:
    set_policy(folder, '\n[identities.bot]\nkind = "agent"\n')
    place = Store.open(folder).place
    assert acting(place, {"GITMEM_IDENTITY": "person:bot"}, at_terminal=True).kind is Kind.AGENT
    assert acting(place, {"GITMEM_IDENTITY": "person:alice"}, at_terminal=False).kind is Kind.PERSON


@pytest.mark.parametrize("text", ["alice", "robot:alice", "person:", "person:a\nb", "agent:" + "x" * 65])
def test_what_is_no_identity_is_refused_by_name(store: Store, text: str) -> None:
    with pytest.raises(BadInput, match="GITMEM_IDENTITY"):
        acting(store.place, {"GITMEM_IDENTITY": text}, at_terminal=True)


def test_only_the_committed_head_of_main_is_policy(store: Store, folder: Path) -> None:
    git(folder, "checkout", "-qb", "loose")
    set_policy(folder, '\n[identities.bot]\nkind = "agent"\n')
    assert Store.open(folder).place.config.policy == Policy()
    git(folder, "checkout", "-q", "main")
    config = folder / ".gitmem" / "config.toml"
    config.write_text(config.read_text("utf-8") + '\n[identities.bot]\nkind = "agent"\n', encoding="utf-8")
    assert Store.open(folder).place.config.policy == Policy()
    git(folder, "commit", "-qam", "policy")
    assert Store.open(folder).place.config.policy.identities["bot"].kind is Kind.AGENT


def test_a_clone_on_another_branch_goes_by_main(store: Store, folder: Path, tmp_path: Path) -> None:
    set_policy(folder, '\n[identities.bot]\nreview = "required"\n')
    git(folder, "checkout", "-qb", "loose", "HEAD~1")
    git(tmp_path, "clone", "-q", "--branch", "loose", str(folder), "copy")
    git(tmp_path / "copy", "branch", "-q", "main", "origin/main")
    policy = Store.open(tmp_path / "copy").place.config.policy
    assert policy.rules_for(Identity(Kind.AGENT, "bot")).must_propose


def test_agents_without_a_table_go_by_the_star() -> None:
    policy = parse_policy(
        {"identities": {"*": {"review": "required"}, "bot": {"trust": "quarantine"}}}, where="config"
    )
    assert policy.rules_for(Identity(Kind.AGENT, "other")) == Rules(must_propose=True)
    assert policy.rules_for(Identity(Kind.AGENT, "bot")) == Rules(is_quarantined=True)
    assert policy.rules_for(Identity(Kind.PERSON, "alice")) == Rules()


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"identities": []}, "identities"),
        ({"identities": {"bot": 1}}, "bot"),
        ({"identities": {"bot": {"kind": "robot"}}}, "identities.bot.kind"),
        ({"identities": {"bot": {"review": True}}}, "identities.bot.review"),
        ({"trust": {"quarantine": "https://*"}}, "trust.quarantine"),
        ({"trust": {"require_signed": "yes"}}, "trust.require_signed"),
    ],
)
def test_a_wrong_setting_is_named(values: dict[str, object], named: str) -> None:
    with pytest.raises(StoreProblem, match=named):
        parse_policy(values, where="config")


def test_sources_match_by_pattern_without_case() -> None:
    policy = parse_policy({"trust": {"quarantine": ["https://*", "tool:*"]}}, where="config")
    assert policy.is_untrusted("HTTPS://example.com/page")
    assert policy.is_untrusted("tool:browser")
    assert not policy.is_untrusted("notes/alice.md")
    assert not policy.is_untrusted(None)


def test_uninit_needs_a_person(store: Store, folder: Path) -> None:
    ran = gitmem(folder, "uninit", env={"GITMEM_IDENTITY": "agent:bot"})
    assert (ran.code, ran.err.count("\n")) == (5, 1)
    assert "agent:bot" in ran.err
    assert (folder / ".gitmem").exists()
    with pytest.raises(Refused):
        Store.open(folder, identity=Identity(Kind.AGENT, "bot")).uninit()
    assert gitmem(folder, "uninit").code == 0


def test_a_door_for_agents_takes_over_no_person(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is what the process gives an agent; that of a person, with its rights, is not used."""
    monkeypatch.setenv("GITMEM_IDENTITY", "person:tester")
    identity = store.as_agent().status().identity
    assert str(identity) == "agent:unattended" and not identity.is_person
    monkeypatch.setenv("CLAUDECODE", "1")
    assert str(store.as_agent().status().identity) == "agent:claude-code"
    monkeypatch.setenv("GITMEM_IDENTITY", "agent:planner")
    assert str(store.as_agent().on("main").status().identity) == "agent:planner"
