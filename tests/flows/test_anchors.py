"""Anchors: the commit is noted, staleness is what git shows, recall marks and lowers, confirm settles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, NotFound, Refused
from gitmem.flows.writing.drafting import Request
from gitmem.model.anchors import Verdict
from gitmem.recall.weights import STALE_FACTOR
from gitmem.store import Store
from gitmem.versions.code import find_code
from gitmem.versions.staleness import Judge
from tests.conftest import NOW, assert_sound, git, gitmem

APP = "LIMIT = 25\n\n\ndef main(a):\n    return a\n\n\ndef other():\n    return 1\n"


def commit(folder: Path, files: dict[str, str | None], message: str = "work") -> str:
    """A commit of these files; None removes one."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
        git(folder, "add", "-A", "--", name)
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def code(person: None, tmp_path: Path) -> Path:
    """A repository of code."""
    folder = tmp_path / "code"
    git(tmp_path, "init", "-q", "code")
    commit(
        folder, {"src/app.py": APP, "src/db.py": "x = 1\n", "README.md": "# Code\n", ".gitignore": "mem/\n"}
    )
    return folder


@pytest.fixture
def nested(code: Path) -> Store:
    """A store in a folder of the code that git ignores there."""
    return Store.init(code / "mem", clock=FixedClock(NOW))


def verdict(store: Store, memory_id: str = "doc") -> Verdict:
    (found,) = store.show(memory_id).verdicts
    return found


def states(store: Store, memory_id: str = "doc") -> list[str]:
    return [each.state for each in store.show(memory_id).verdicts]


def anchored(store: Store, *anchors: str, id: str = "doc") -> tuple[str, ...]:
    store.remember("The app takes 25 requests", id=id, anchors=anchors)
    return store.show(id).memory.anchors


def test_the_commit_of_the_code_is_noted_where_none_is_written(nested: Store, code: Path) -> None:
    """A page and an anchor with a commit stay as they are written."""
    head = git(code, "rev-parse", "--short=12", "HEAD").strip()
    older = git(code, "rev-parse", "HEAD")[:8]
    given = ["src/app.py", "src/app.py#main", f"src/db.py@{older}", "https://example.com/a"]
    assert anchored(nested, *given) == (
        f"src/app.py@{head}", f"src/app.py#main@{head}", f"src/db.py@{older}{head[8:]}", "https://example.com/a",
    )  # fmt: skip
    raw = nested.show("doc").raw.decode()
    assert f'anchors:\n  - "src/app.py@{head}"\n' in raw
    assert states(nested) == ["fresh", "fresh", "fresh", "page"]
    assert_sound(code)


def test_an_adopted_repository_is_its_own_code(code: Path) -> None:
    """The store's own commits change no code, so they make nothing stale."""
    older = commit(code, {"src/app.py": "older\n"})
    commit(code, {"src/app.py": APP})
    store = Store.init(code, clock=FixedClock(NOW))
    anchored(store, "src/app.py")
    store.remember("More")
    assert states(store) == ["fresh"]
    commit(code, {"src/app.py": APP + "# more\n"})
    assert states(store) == ["changed"]
    git(code, "checkout", "-q", "-b", "feature", older)
    assert states(store) == ["unknown"], "what is checked out is older than the commit that was noted"


def test_a_store_in_a_worktree_of_its_own_speaks_of_the_code_beside_it(code: Path, tmp_path: Path) -> None:
    """The store's branch holds memories only, and stands in a linked worktree."""
    git(code, "worktree", "add", "-q", "--detach", str(tmp_path / "mem"))
    git(tmp_path / "mem", "checkout", "-q", "--orphan", "memory")
    git(tmp_path / "mem", "rm", "-rqf", ".")
    git(tmp_path / "mem", "commit", "-q", "--allow-empty", "-m", "root")
    store = Store.init(tmp_path / "mem", clock=FixedClock(NOW))
    anchored(store, "src/app.py")
    commit(code, {"src/app.py": "new\n"})
    assert states(store) == ["changed"]


@pytest.mark.parametrize("how", ["committed", "git config"])
def test_a_store_elsewhere_is_told_where_the_code_is(code: Path, tmp_path: Path, how: str) -> None:
    store = Store.init(tmp_path / "mem", clock=FixedClock(NOW))
    folder = tmp_path / "mem"
    written = store.remember("Before", anchors=["src/app.py"])
    assert "no code repository is known" in written.notices[0]
    assert store.show(written.id).memory.anchors == ("src/app.py",)
    if how == "committed":
        config = (folder / ".gitmem/config.toml").read_text() + '\n[anchors]\nrepository = "../code"\n'
        commit(folder, {".gitmem/config.toml": config})
    else:
        git(folder, "config", "gitmem.codeRepository", str(code))
    store = Store.open(folder)
    anchored(store, "src/app.py")
    assert states(store) == ["fresh"]
    assert states(store, written.id) == ["unknown"], "no commit was noted"


@pytest.mark.parametrize("path", ["/etc", "~/code", "3", "C:/code"])
def test_a_committed_config_cannot_name_any_folder(store: Store, folder: Path, path: str) -> None:
    """It comes with a clone; only a path from the store is taken."""
    value = path if path == "3" else json.dumps(path)
    config = (folder / ".gitmem/config.toml").read_text() + f"\n[anchors]\nrepository = {value}\n"
    commit(folder, {".gitmem/config.toml": config})
    ran = gitmem(folder, "list")
    assert ran.code == 7
    assert "anchors.repository" in ran.err


CHANGES: list[tuple[str, dict[str, str | None], str, str | None]] = [
    ("src/app.py", {"src/db.py": "y\n"}, "fresh", None),
    ("src/app.py", {"src/app.py": APP + "\n"}, "changed", None),
    ("src", {"src/db.py": "y\n"}, "changed", None),
    ("src", {"README.md": "y\n"}, "fresh", None),
    ("src/app.py", {"src/app.py": None}, "gone", None),
    ("src/app.py", {"src/app.py": None, "lib/app.py": APP}, "moved", "lib/app.py"),
    ("src/app.py", {"src/app.py": None, "lib/run.py": APP + "# new\n"}, "changed", "lib/run.py"),
    ("src/app.py", {"src/app.py": None, "lib/app.py": "quite another\n"}, "gone", None),
    ("src/app.py#main", {"src/app.py": APP.replace("return 1", "return 2")}, "fresh", None),
    ("src/app.py#main", {"src/app.py": "import os\n" + APP.replace("25", "30")}, "fresh", None),
    ("src/app.py#main", {"src/app.py": APP.replace("return a", "return -a")}, "changed", None),
    ("src/app.py#main", {"src/app.py": APP.replace("def main", "def start")}, "lost", None),
    ("src/app.py#LIMIT", {"src/app.py": APP.replace("25", "30")}, "changed", None),
    ("src/app.py#main", {"src/app.py": None, "lib/app.py": APP + "# new\n"}, "moved", "lib/app.py"),
    (
        "src/app.py#main",
        {"src/app.py": None, "lib/app.py": APP.replace("return a", "x")},
        "changed",
        "lib/app.py",
    ),
    ("src/app.py#main", {"src/app.py": None}, "gone", None),
]


@pytest.mark.parametrize(("anchor", "files", "state", "path"), CHANGES)
def test_staleness_is_what_git_shows(
    nested: Store, code: Path, anchor: str, files: dict[str, str | None], state: str, path: str | None
) -> None:
    """A file by its bytes, a symbol by its definition; what was renamed is followed."""
    anchored(nested, anchor)
    commit(code, files)
    found = verdict(nested)
    assert (found.state, found.path) == (state, path), found
    assert found.is_stale == (state in ("changed", "lost", "gone"))


def test_what_comes_back_is_fresh_again(nested: Store, code: Path) -> None:
    anchored(nested, "src/app.py")
    commit(code, {"src/app.py": "broken\n"})
    assert states(nested) == ["changed"]
    commit(code, {"src/app.py": APP})
    assert states(nested) == ["fresh"]


def test_an_edit_that_is_not_committed_makes_nothing_stale(nested: Store, code: Path) -> None:
    """Git's commits count, not the files; that an edit is there is said when the anchor is written."""
    (code / "src/app.py").write_text("edit\n")
    (code / "new.py").write_text("x = 1\n")
    written = nested.remember("x", id="doc", anchors=["src/app.py", "new.py"])
    assert any("src/app.py has an edit" in notice for notice in written.notices)
    assert any("new.py is not committed yet" in notice for notice in written.notices)
    assert states(nested) == ["fresh", "gone"]
    git(code, "checkout", "-q", "src/app.py")
    commit(code, {"new.py": "x = 1\n"})
    assert states(nested) == ["fresh", "fresh"], "it counts from the commit that brought it"
    commit(code, {"new.py": "x = 2\n"})
    assert states(nested) == ["fresh", "changed"]


@pytest.mark.parametrize(
    "anchor", ["nope.py", "../secret", "/etc/passwd", "src/app.py@0123456789ab", "link.py", "away/x", ""]
)
def test_an_anchor_to_nothing_is_refused(nested: Store, code: Path, tmp_path: Path, anchor: str) -> None:
    """No such file or commit, out of the repository, or by way of a link."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/x").write_text("secret")
    (code / "link.py").symlink_to("src/app.py")
    (code / "away").symlink_to(tmp_path / "out")
    commit(code, {}, "nothing")
    git(code, "add", "-A")
    git(code, "commit", "-qm", "links")
    with pytest.raises(BadInput):
        nested.remember("x", anchors=[anchor])


def test_a_tag_or_branch_is_written_as_the_commit_that_it_names(nested: Store, code: Path) -> None:
    git(code, "tag", "v1.2")
    old = git(code, "rev-parse", "--short=12", "HEAD").strip()
    commit(code, {"src/app.py": "new\n", "img@2x.png": "png\n"})
    assert anchored(nested, "src/app.py#main@v1.2") == (f"src/app.py#main@{old}",)
    assert states(nested) == ["lost"]
    assert anchored(nested, "img@2x.png", id="two")[0].startswith("img@2x.png@")


def test_a_symbol_that_is_not_found_is_said_at_once(nested: Store) -> None:
    written = nested.remember("x", anchors=["src/app.py#nosuch"])
    assert written.notices == ("no definition of nosuch was found in src/app.py",)


@pytest.fixture
def stale(nested: Store, code: Path) -> Store:
    """Two memories that fit alike, of which the better is anchored to what changed since."""
    nested.remember_all(
        [
            Request("The harbor limit is 25", id="stale", anchors=["src/app.py#LIMIT"]),
            Request("The harbor limit is in the config file of the app", id="plain"),
        ]
    )
    assert [each.hit.record.id for each in nested.recall("harbor limit").hits] == ["stale", "plain"]
    commit(code, {"src/app.py": APP.replace("25", "30")})
    return nested


def test_recall_marks_and_lowers_what_is_stale_and_hides_nothing(stale: Store, code: Path) -> None:
    plain, hit = (each.hit for each in stale.recall("harbor limit").hits)
    assert (plain.record.id, hit.record.id) == ("plain", "stale")
    assert [label.rpartition(" ")[0] for label in hit.labels] == ["stale: LIMIT in src/app.py changed since"]
    assert hit.reasons[-1].stage == "anchors"
    assert hit.reasons[-1].factor == STALE_FACTOR
    score = 0.0
    for reason in hit.reasons:
        score = reason.applied(score)
    assert score == pytest.approx(hit.score, abs=1e-3)
    assert stale.recall("stale").hits[0].hit.record.id == "stale", "what is named exactly stays in front"
    ran = gitmem(code / "mem", "recall", "harbor limit", "--json").json
    assert ran["results"][0]["verdicts"] == []
    found = ran["results"][1]["verdicts"][0]
    assert (found["state"], found["stale"], found["path"]) == ("changed", True, None)
    assert ran["results"][1]["anchors"] == [found["anchor"]]


def test_the_past_is_not_judged_by_the_present_code(stale: Store) -> None:
    assert not any(each.hit.labels for each in stale.at("HEAD").recall("harbor limit").hits)


def test_check_reports_stale_anchors_without_failing(stale: Store, code: Path) -> None:
    stale.update("plain", anchors=["src/db.py"])
    commit(code, {"src/db.py": None, "lib/db.py": "x = 1\n"})
    checked = stale.check()
    assert checked.is_clean
    assert {(each.severity, each.code) for each in checked.findings} == {
        ("warning", "anchor-stale"), ("note", "anchor-moved"),
    }  # fmt: skip
    ran = gitmem(code / "mem", "check")
    assert ran.code == 0
    assert "'gitmem confirm stale' where it still holds" in ran.out
    assert "1 anchored to what has another path now" in ran.out


def test_confirm_makes_anchors_count_from_now(stale: Store, code: Path) -> None:
    """One commit, only the anchors change, and what moved is named by its new path."""
    stale.update("stale", anchors=["src/app.py#LIMIT@" + git(code, "rev-parse", "HEAD~1")[:12], "src/db.py"])
    commit(code, {"src/db.py": None, "lib/db.py": "x = 1\n"})
    assert states(stale, "stale") == ["changed", "moved"]
    before = stale.show("stale")
    confirmed = stale.confirm("stale")
    head = git(code, "rev-parse", "--short=12", "HEAD").strip()
    assert list(confirmed.anchors) == [f"src/app.py#LIMIT@{head}", f"lib/db.py@{head}"]
    after = stale.show("stale")
    assert after.memory.anchors == tuple(confirmed.anchors)
    assert after.memory.body == before.memory.body
    assert states(stale, "stale") == ["fresh", "fresh"]
    assert stale.log("stale").entries[0].operation == "confirm"
    assert stale.confirm("stale").written.replaced is None, "confirmed already"
    assert stale.recall("harbor limit").hits[0].hit.labels == ()
    worktree = code / "mem"
    assert_sound(worktree)


def test_confirm_takes_single_anchors_and_keeps_the_style_of_the_header(nested: Store, code: Path) -> None:
    (code / "mem/notes.md").write_text(
        "---\nid: doc\nanchor: src/app.py#main   # the entry\nanchors: [src/db.py, src/app.py]\n---\nx\n"
    )
    git(code / "mem", "add", "notes.md")
    git(code / "mem", "commit", "-qm", "by hand")
    nested.confirm("doc", ["src/app.py#main", "src/db.py"])
    head = git(code, "rev-parse", "--short=12", "HEAD").strip()
    raw = nested.show("doc").raw.decode()
    assert f'anchor: "src/app.py#main@{head}"   # the entry' in raw
    assert nested.show("doc").memory.anchors == (f"src/db.py@{head}", "src/app.py", f"src/app.py#main@{head}")
    with pytest.raises(NotFound):
        nested.confirm("doc", ["src/nope.py"])


def test_what_is_gone_cannot_be_confirmed(nested: Store, code: Path) -> None:
    anchored(nested, "src/db.py")
    commit(code, {"src/db.py": None})
    with pytest.raises(Refused, match="gone"):
        nested.confirm("doc")
    nested.update("doc", anchors=["src/app.py"])
    assert states(nested) == ["fresh"]
    nested.remember("no anchors", id="none")
    with pytest.raises(Refused, match="no anchors"):
        nested.confirm("none")


def test_verdicts_are_kept_and_may_be_lost(stale: Store, code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compared is not compared again, until the file changes; a damaged file is no harm."""
    stale.recall("harbor limit")
    kept = code / "mem/.git/gitmem/anchors.json"
    assert kept.exists()
    with monkeypatch.context() as patch:
        patch.setattr(Judge, "_looked_into", lambda *_: pytest.fail("compared again"))
        assert states(stale, "stale") == ["changed"]
    for damage in (b"\xff", b"{}", b'{"format": 1, "verdicts": {"x": 3}}', b"[" * 10_000):
        kept.write_bytes(damage)
        assert states(stale, "stale") == ["changed"]
    commit(code, {"src/app.py": APP})
    assert states(stale, "stale") == ["fresh"]


def test_a_hostile_header_reads_nothing_outside_of_the_repository(
    nested: Store, code: Path, tmp_path: Path
) -> None:
    """Paths that lead away, links, revisions and options are no anchors, and are reported."""
    (tmp_path / "secret.py").write_text("x = 1\n")
    (code / "link.py").symlink_to(tmp_path / "secret.py")
    commit(code, {}, "nothing")
    git(code, "add", "link.py")
    git(code, "commit", "-qm", "link")
    names = [
        "../secret.py",
        "/etc/passwd",
        "link.py@0123456",
        "--help",
        "src/app.py@HEAD",
        "$(touch x)",
        "src/app.py#(.*)+$@deadbeef",
    ]
    header = "".join(f"  - {json.dumps(name)}\n" for name in names)
    (code / "mem/evil.md").write_text(f"---\nid: evil\nanchors:\n{header}---\nx\n")
    git(code / "mem", "add", "-A")
    git(code / "mem", "commit", "-qm", "evil")
    assert {each.state for each in nested.show("evil").verdicts} <= {"unknown", "gone"}
    assert len(nested.show("evil").memory.problems) == 2
    assert nested.recall("x").total == 1
    assert nested.check().is_clean


def test_a_code_repository_that_is_missing_is_said_and_not_taken_for_changed(
    stale: Store, code: Path
) -> None:
    git(code / "mem", "config", "gitmem.codeRepository", "/nowhere/at/all")
    answer = stale.recall("harbor limit")
    assert any("anchors were not looked at" in note for note in answer.notes)
    assert not any(each.hit.labels for each in answer.hits)
    assert states(stale, "stale") == ["unknown"]
    assert "anchor-unknown" in {finding.code for finding in stale.check().findings}


def test_the_code_may_be_at_a_commit_that_lacks_the_one_noted(nested: Store, code: Path) -> None:
    """A shallow or rewritten repository: nobody can say, and nobody guesses."""
    (code / "mem/x.md").write_text('---\nid: doc\nanchor: "src/app.py@000000000000"\n---\nx\n')
    git(code / "mem", "add", "-A")
    git(code / "mem", "commit", "-qm", "x")
    assert states(nested) == ["unknown"]


def test_a_batch_and_the_command_take_anchors(nested: Store, code: Path) -> None:
    nested.remember_jsonl('{"text": "a", "id": "one", "anchors": ["src/app.py"]}\n')
    assert states(nested, "one") == ["fresh"]
    ran = gitmem(
        code / "mem", "remember", "b", "--id", "two", "--anchor", "src/app.py#main", "--anchor", "README.md"
    )
    assert ran.code == 0, ran.err
    shown = gitmem(code / "mem", "show", "two", "--json").json
    assert [each["state"] for each in shown["verdicts"]] == ["fresh", "fresh"]
    assert shown["fields"] == {}
    ran = gitmem(code / "mem", "update", "two", "--anchor", "src/db.py", "--json")
    assert ran.code == 0, ran.err
    assert gitmem(code / "mem", "confirm", "two", "--json").json["anchors"] == shown_anchors(code)
    assert gitmem(code / "mem", "update", "two", "--unset", "anchors").code == 0
    assert gitmem(code / "mem", "show", "two", "--json").json["anchors"] == []


def shown_anchors(code: Path) -> list[str]:
    return [f"src/db.py@{git(code, 'rev-parse', '--short=12', 'HEAD').strip()}"]


def test_the_code_is_looked_for_only_where_there_are_anchors(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store without anchors pays nothing for them."""
    monkeypatch.setattr("gitmem.flows.reading.anchor_look.find_code", lambda _: pytest.fail("looked"))
    store.remember("x", id="x")
    assert store.recall("x").total == 1
    store.show("x")
    store.check()
    assert find_code(store.place) is None
