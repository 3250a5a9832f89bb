"""What comes in by batch and import: refused by its line in one line, or taken in exactly as it was meant."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from gitmem.errors import BadInput, GitmemError
from gitmem.model.strict_json import parse_json
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

MEMORY = "---\nid: zz\n---\nfine zebra\n"
ODD_TEXTS = [
    *("\x00", "\ud800", "\x1b[31m", "\u202ex", "a\u200bb", "a\nb", "a\rb", "\u2028", "\x85", "\x7f"),
    *("../x", "-x", "--help", "aux", "con ", "x.", "C:\\x", ".git", "", " ", "\ufeff", "@{-1}"),
    *("id: x", "0x1F", "1e5", "null", "*a", "&a", "!!python/object:os.system x", "x" * 5_000),
]
ODD_VALUES: list[object] = [10**400, -1, 2, True, [], {}, [[["x"]]], None, 0.5]
TEXT_KEYS = (
    "text",
    "title",
    "in",
    "id",
    "path",
    "created",
    "agent",
    "session",
    "source",
    "reason",
    "subject",
)
LIST_KEYS = ("tags", "entities", "supersedes")


def lines() -> list[str]:
    found: list[dict[str, object]] = []
    for number, value in enumerate([*ODD_TEXTS, *ODD_VALUES]):
        # Each value meets a few of the keys, each key every kind of value.
        found += [{key: value} for key in TEXT_KEYS[number % 3 :: 3]]
        found.append({LIST_KEYS[number % 3]: [value]})
        found += [{"importance": value}, {"fields": {"own": value}}, {"fields": {str(value)[:9]: [value]}}]
    return [json.dumps({"text": f"text {number}", **each}) for number, each in enumerate(found)]


def test_every_odd_value_is_refused_in_a_line_or_reads_back(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """No value of any key ends the program, dirties the tree, or gives a memory that cannot be read."""
    good = [line for line in lines() if is_taken(store, line)]
    assert 50 < len(good) < len(lines())
    assert_sound(folder)
    codes = {finding.code for finding in store.check().findings if finding.severity == "error"}
    # Characters that nobody sees are kept as they are, and told.
    assert codes <= {"injection-hidden-text"}
    store.export(tmp_path / "out.jsonl")
    other = Store.init(tmp_path / "other")
    other.import_jsonl(tmp_path / "out.jsonl")
    assert git(tmp_path / "other", "rev-parse", "HEAD^{tree}:semantic") == git(
        folder, "rev-parse", "HEAD^{tree}:semantic"
    )


def is_taken(store: Store, line: str) -> bool:
    try:
        store.remember_jsonl(line, name="batch")
    except GitmemError as error:
        assert "\n" not in error.message and len(error.message) < 1_300
        return False
    return True


NO_JSON = [
    '{"text": "a", "text": "b"}',
    '{"text": "a", "fields": {"x": 1, "x": 2}}',
    '{"text": "a", "fields": {"x": NaN}}',
    '{"text": "a", "fields": {"x": -Infinity}}',
    '{"text": "a", "fields": {"x": 1e999}}',
    '{"text": "a", "fields": {"x": ' + "9" * 5_000 + "}}",
    '{"text": "a", "fields": {"x": ' + "[" * 10_000 + "]" * 10_000 + "}}",
    "[" * 10_000,
    '{"text": "a"} {"text": "b"}',
    '{"text": "a"}\r{"text": "b"}',
]


@pytest.mark.parametrize("line", NO_JSON, ids=range(len(NO_JSON)))
def test_what_json_would_read_as_something_else_is_refused(store: Store, folder: Path, line: str) -> None:
    """A key given twice, a number that is none, and whatever Python's reader takes beyond that."""
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(BadInput, match=r"^batch:1: ") as caught:
        store.remember_jsonl(line, name="batch")
    assert "\n" not in caught.value.message
    (folder.parent / "in.jsonl").write_text(
        line.replace('"text": "a"', '"path": "a.md", "raw": "x", "raw": "y"')
    )
    with pytest.raises(BadInput, match=r"in\.jsonl:[12]: "):
        store.import_jsonl(folder.parent / "in.jsonl")
    assert git(folder, "rev-parse", "HEAD") == before


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_any_line_end_are_no_content(store: Store, tmp_path: Path, end: str) -> None:
    written = store.remember_jsonl("\ufeff" + end.join(['{"text": "one"}', '{"text": "two"}', ""]), name="b")
    assert [store.show(each.id).memory.body for each in written] == ["one\n", "two\n"]
    file = tmp_path / "in.jsonl"
    file.write_bytes(("\ufeff" + json.dumps({"path": "a.md", "raw": MEMORY}) + end).encode())
    store.import_jsonl(file)
    assert store.show("zz").memory.body == "fine zebra\n"


@pytest.mark.parametrize("text", ["aGVs bG8=", "aGVsbG8", "aGVsbG8!", "aGVs\nbG8=", "*", 5, None, ["aGk="]])
def test_base64_that_is_not_exact_is_refused(store: Store, tmp_path: Path, text: object) -> None:
    """What a lenient reader leaves out would be gone without a word."""
    for value in (
        {"path": "a.md", "raw": {"base64": text}},
        {"path": "a.md", "raw": MEMORY, "attachments": {"a.files/x": text}},
    ):
        (tmp_path / "in.jsonl").write_text(json.dumps(value))
        with pytest.raises(BadInput, match=r"in\.jsonl:1"):
            store.import_jsonl(tmp_path / "in.jsonl")
    assert not store.list().total


PATHS = [
    *("../x.md", "/x.md", "C:/x.md", "C:x.md", "a/../../x.md", "a\\..\\x.md", ".git/x.md", ".GIT/x.md"),
    *("git~1/x.md", ".g\u200cit/x.md", "aux.md", "con/x.md", "x./y.md", "x /y.md", "-x.md", "a\x00.md"),
    *("\ud800.md", ".gitmem/config.toml", ".gitattributes", "", ".md", "a//b.md", "./a.md", "a\x1b.md"),
    *("x" * 300 + ".md", "a/" * 300 + "x.md"),
]


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_leads_elsewhere_is_refused_in_an_import(
    store: Store, folder: Path, tmp_path: Path, path: str
) -> None:
    """As that of a memory, and as that of something attached to one."""
    before = git(folder, "rev-parse", "HEAD")
    content = base64.b64encode(b"x").decode()
    for value in (
        {"path": path, "raw": MEMORY},
        {"path": "a.md", "raw": MEMORY, "attachments": {path: content}},
        {"path": "a.md", "raw": MEMORY, "attachments": {f"a.files/{path}": content}},
    ):
        (tmp_path / "in.jsonl").write_text(json.dumps(value))
        with pytest.raises(BadInput) as caught:
            store.import_jsonl(tmp_path / "in.jsonl")
        assert "\n" not in caught.value.message
    assert git(folder, "rev-parse", "HEAD") == before


@pytest.mark.parametrize("name", ["other.md", "b.files/x", "x.txt", "semantic/evil.md"])
def test_an_attachment_is_one_of_its_own_memory(store: Store, tmp_path: Path, name: str) -> None:
    """A file is not smuggled in under the name of another memory."""
    value = {"path": "a.md", "raw": MEMORY, "attachments": {name: base64.b64encode(b"x").decode()}}
    (tmp_path / "in.jsonl").write_text(json.dumps(value))
    with pytest.raises(BadInput, match="not a path of an attachment"):
        store.import_jsonl(tmp_path / "in.jsonl")


def test_a_file_that_is_no_memory_is_skipped_and_said(store: Store, folder: Path, tmp_path: Path) -> None:
    lines = [json.dumps({"path": path, "raw": MEMORY}) for path in ("x.txt", "README.md", "a.md")]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    done = store.import_jsonl(tmp_path / "in.jsonl")
    assert done.files["x.txt"] == done.files["README.md"] == "skipped"
    assert git(folder, "ls-files", "x.txt", "README.md") == "" and store.list().total == 1


def test_strict_json_is_json() -> None:
    assert parse_json('{"a": [1, 2.5, "x", null, true], "b": {"a": 1}}') == {
        "a": [1, 2.5, "x", None, True],
        "b": {"a": 1},
    }


def test_a_hook_that_is_a_pipe_is_not_waited_for(store: Store, folder: Path) -> None:
    """Whose hook it is cannot be said, so it is not ours."""
    hook = folder / ".git/hooks/post-commit"
    hook.unlink(missing_ok=True)
    os.mkfifo(hook)
    assert gitmem(folder, "status", timeout=20).code == 0
