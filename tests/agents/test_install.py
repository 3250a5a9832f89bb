"""Settings of agents: what is put in is taken out again, to the byte, and nothing else is touched."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import BadInput, OutsideFailure, Refused
from gitmem.flows.agents.settings import EVENT_NAMES, Hooks, JsonServer, Skill, TomlServer
from gitmem.flows.agents.skill import SKILL
from gitmem.flows.install import Installed
from gitmem.store import Store
from tests.model.test_json_splice import Spelling

SETTINGS = [
    "{}",
    "{ }\n",
    '{"hooks": {}}',
    '{"hooks":{"SessionStart":[ ],"PreCompact":[\n]}}',
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]\n  }\n}\n',
    '{\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{"matcher": "startup", "hooks": []}\n\t\t]\n\t}\n}',
    '\ufeff{\r\n    "permissions": {"allow": ["Bash(gitmem recall:*)"]}\r\n}\r\n',
    '{\n  // mine\n  "hooks": {/* none */},\n  "mcpServers": {"other": {"command": "x"},},\n}\n',
    '{"mcpServers": {}, "hooks": {"UserPromptSubmit": []}}',
]
TOML = [
    "",
    'model = "gpt"',
    '# mine\nmodel = "gpt"\n\n[mcp_servers.other]\ncommand = "x"\n',
    "[profiles.a]\r\nx = 1\r\n",
    "\ufeff[a]\n",
]


@pytest.mark.parametrize("text", SETTINGS)
def test_any_settings_come_back_as_they_were(text: str) -> None:
    """Put in, again, and taken out: hooks of both agents, and the server, in one file."""
    settings = [
        Hooks(Path("f"), "claude-code", "gitmem"),
        Hooks(Path("f"), "codex", "/opt/a b/gitmem"),
        JsonServer(Path("f"), "gitmem"),
    ]
    new = text
    for setting in settings:
        changed = setting.put_in(new).text
        assert changed is not None and changed != new
        assert setting.put_in(changed).text == changed
        new = changed
    for setting in reversed(settings):
        taken = setting.taken_out(new).text
        assert taken is not None
        new = taken
    assert new == text


@settings(max_examples=50)
@given(st.randoms(use_true_random=False))
def test_settings_of_any_spelling_come_back_as_they_were(random: Random) -> None:
    """Blanks, comments and commas anywhere; settings in which something else stands on the way are refused."""
    test_any_settings_come_back_as_they_were(Spelling(random).settings())


@pytest.mark.parametrize("text", TOML)
def test_any_toml_comes_back_as_it_was(text: str) -> None:
    """A table at the end, and without it the same bytes."""
    server = TomlServer(Path("f"), "C:\\gitmem.exe")
    new = server.put_in(text).text
    assert new is not None
    assert tomllib.loads(new.removeprefix("\ufeff"))["mcp_servers"]["gitmem"]["args"] == ["mcp"]
    assert server.put_in(new).text == new
    assert server.taken_out(new).text == text


def test_a_newer_command_takes_the_place_of_the_older_one() -> None:
    """Installed again from elsewhere, each event has one entry; and it can be taken out by either."""
    text = Hooks(Path("f"), "claude-code", "/old/gitmem").put_in(SETTINGS[4]).text
    new = Hooks(Path("f"), "claude-code", "gitmem").put_in(text).text
    assert new is not None and "/old/" not in new
    assert new.count("hook-agent claude-code") == len(EVENT_NAMES)
    assert Hooks(Path("f"), "claude-code", "/third/gitmem").taken_out(new).text == SETTINGS[4]
    made = Hooks(Path("f"), "claude-code", "/old/gitmem").put_in(None).text
    assert Hooks(Path("f"), "claude-code", "gitmem").taken_out(made).text is None


def test_what_a_person_keeps_under_our_name_stays() -> None:
    """Another server called gitmem, a table that was changed, a skill that was edited."""
    other = '{"mcpServers": {"gitmem": {"command": "npx", "args": ["x"]}}}'
    server = JsonServer(Path("f"), "gitmem")
    assert server.put_in(other).text == server.taken_out(other).text == other
    assert "another server" in (server.put_in(other).reason or "")
    toml = TomlServer(Path("f"), "gitmem")
    assert toml.put_in('mcp_servers = {a = {command = "x"}}\n').reason is not None
    assert toml.put_in('[mcp_servers.gitmem]\ncommand = "x"\n').reason is not None
    changed = (toml.put_in("").text or "").replace('["mcp"]', "[ 'mcp' ]")
    assert toml.taken_out(changed).text == changed and toml.taken_out(changed).reason is not None
    skill = Skill(Path("f"))
    assert skill.put_in(SKILL + "mine").reason and skill.taken_out(SKILL + "mine").reason
    assert skill.taken_out(SKILL.replace("\n", "\r\n")).text is None


@pytest.fixture
def project(tmp_path: Path, person: None) -> Iterator[Path]:
    folder = tmp_path / "project"
    folder.mkdir()
    yield folder


def outcomes(done: Installed) -> dict[str, str]:
    return {each.file.name: each.outcome for each in done.files}


def test_a_project_is_set_up_and_left_without_a_trace(project: Path) -> None:
    """A dry run writes nothing; what was made goes with its folders; what was there stays, with its mode."""
    (project / "notes.txt").write_text("mine", "utf-8")
    assert outcomes(Store.install("claude-code", project, is_dry_run=True))["settings.json"] == "new"
    assert [path.name for path in project.iterdir()] == ["notes.txt"]
    done = Store.install("claude-code", project)
    assert set(outcomes(done).values()) == {"new"} and any("no store" in said for said in done.notices)
    hooks = json.loads((project / ".claude/settings.json").read_text("utf-8"))["hooks"]
    assert list(hooks) == list(EVENT_NAMES.values())
    assert set(outcomes(Store.install("claude-code", project)).values()) == {"same"}
    assert set(outcomes(Store.uninstall("claude-code", project)).values()) == {"removed"}
    assert set(outcomes(Store.uninstall("claude-code", project)).values()) == {"same"}
    assert [path.name for path in project.iterdir()] == ["notes.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes are those of POSIX")
def test_settings_that_are_a_link_stay_one(project: Path, sealed_environment: Path) -> None:
    """Dotfiles are often kept elsewhere: the file behind the link is written, with its mode."""
    real = project / "dotfiles.json"
    real.write_text(SETTINGS[4], "utf-8")
    real.chmod(0o600)
    link = sealed_environment / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    done = Store.install("claude-code", project, for_user=True)
    assert any("claude mcp add" in said for said in done.notices)
    assert link.is_symlink() and real.stat().st_mode & 0o777 == 0o600
    assert "hook-agent" in real.read_text("utf-8")
    Store.uninstall("claude-code", project, for_user=True)
    assert link.is_symlink() and real.read_text("utf-8") == SETTINGS[4]


def test_broken_settings_are_refused_before_anything_is_written(project: Path) -> None:
    """One line that names the file; the other files are not written either."""
    broken = project / ".mcp.json"
    broken.write_bytes(b'{"mcpServers": {')
    with pytest.raises(Refused, match=r"\.mcp\.json: line 1: .*nothing was changed"):
        Store.install("claude-code", project)
    assert broken.read_bytes() == b'{"mcpServers": {' and not (project / ".claude").exists()
    (project / ".codex").mkdir()
    (project / ".codex" / "config.toml").write_bytes(b"model = \n")
    with pytest.raises(Refused, match=r"config\.toml: is not TOML"):
        Store.install("codex", project)
    (project / ".codex" / "config.toml").write_bytes(b"\xff")
    with pytest.raises(Refused, match="not UTF-8"):
        Store.install("codex", project)
    assert [path.name for path in (project / ".codex").iterdir()] == ["config.toml"]


def test_where_a_file_cannot_be_written_all_stay_as_they_were(project: Path) -> None:
    """A file stands where the skill needs a folder: found when the settings before it are written."""
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_bytes(b"{ }\n")
    (project / ".claude" / "skills").write_bytes(b"mine")
    with pytest.raises(OutsideFailure, match=r"SKILL\.md: cannot be written"):
        Store.install("claude-code", project)
    assert (project / ".claude" / "settings.json").read_bytes() == b"{ }\n"
    assert not (project / ".mcp.json").exists()


def test_servers_that_are_no_table_are_kept(project: Path) -> None:
    (project / ".codex").mkdir()
    (project / ".codex" / "config.toml").write_bytes(b"[[mcp_servers]]\nx = 1\n")
    done = Store.install("codex", project)
    assert outcomes(done)["config.toml"] == "kept"
    assert (project / ".codex" / "config.toml").read_bytes() == b"[[mcp_servers]]\nx = 1\n"


def test_the_files_are_named_whole(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    done = Store.install("claude-code", Path(), is_dry_run=True)
    assert done.files[0].file == project / ".claude" / "settings.json"


def test_only_a_person_sets_agents_up(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that runs in the project may not give itself hooks, nor take them away."""
    with pytest.raises(BadInput, match="AGENT"):
        Store.install("emacs", project)
    monkeypatch.setenv("CLAUDECODE", "1")
    for verb in (Store.install, Store.uninstall):
        with pytest.raises(Refused, match="needs a person"):
            verb("claude-code", project)
    assert list(project.iterdir()) == []
