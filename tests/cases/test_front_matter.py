"""What people and programs write into headers is read for what it says and never rewritten by the way."""

from __future__ import annotations

import difflib
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from ruamel.yaml import YAML

from gitmem.errors import BadInput, Refused
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git, gitmem


def put(folder: Path, **files: bytes | str) -> None:
    """Commits files by hand, as a person would."""
    for name, data in files.items():
        (folder / f"{name}.md").write_bytes(data.encode() if isinstance(data, str) else data)
    git(folder, "-c", "core.autocrlf=false", "add", "-A")
    git(folder, "commit", "-qm", "by hand")


def changed_lines(old: bytes, new: bytes) -> list[str]:
    before, after = (data.decode("latin-1").splitlines(keepends=True) for data in (old, new))
    return [
        line
        for line in difflib.unified_diff(before, after, n=0)
        if line[:3] not in ("---", "+++") and line[0] != "@"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "starts: 11:45",
        "starts: 12:30:45",
        "mode: 0755",
        "version: 1.10",
        "commit: 914e0371",
        "answer: no",
        "when: 2024-05-07",
        "at: 2024-05-07T23:30:00+09:00",
        "big: 123456789012345678901234567890",
        "count: 1_000",
        "nothing: Null",
        "half: .5",
        "hex: 0xFF",
    ],
)
def test_an_edit_of_one_field_leaves_every_other_value_as_it_was_typed(
    store: Store, folder: Path, line: str
) -> None:
    """A value that YAML could take for a number, a date or a truth keeps its spelling, in the file and in JSON."""
    before = f"---\nid: m-1\n{line}\nends: 09:15\n---\nDaily call.\n".encode()
    put(folder, note=before)
    store.tag("m-1", add=["work"])
    assert changed_lines(before, (folder / "note.md").read_bytes()) == ["+tags:\n", "+  - work\n"]
    name, _, value = line.partition(": ")
    assert store.show("m-1").memory.fields[name] == value
    assert_sound(folder)


@pytest.mark.parametrize(
    "value",
    [
        "914e0371",
        "12e03",
        "1.10",
        "11:45",
        "no",
        "y",
        "~",
        "=",
        "0x1F",
        "1_000",
        ".inf",
        "2024-05-07",
        "<<",
        "",
        " x ",
        "# no",
        "- a",
        "a: b",
        "{{date}}",
        "@sam",
        "`ls`",
        "50%",
        "%x",
        "[a]",
        "null",
        "a\u2028b",
        "\x7f",
        "\ufeffx",
        "…",
    ],
)
def test_a_text_is_written_so_that_both_kinds_of_reader_get_the_same_text(store: Store, value: str) -> None:
    """Readers of YAML 1.1 and 1.2 agree on every text that gitmem writes into a header."""
    written = store.remember("Fixed in this commit.", fields={"value": value}, title=f"t {value}")
    header = store.show(written.id).raw.decode().split("---\n")[1]
    assert yaml.safe_load(header)["value"] == value
    assert YAML(typ="safe", pure=True).load(header)["value"] == value
    assert store.show(written.id).memory.title == f"t {value}"


BROKEN = {
    "colon": "title: Fix: the boiler",
    "at": "owner: @sam",
    "tick": "cmd: `ls`",
    "percent": "share: %x",
    "braces": "on: {{date}}",
    "tab": "\tx: y",
    "twice": "tags: [a]\ntags: [b]",
    "pair": "? [a, b]\n: pair",
    "deep": "x: " + "[" * 2000 + "]" * 2000,
    "bomb": "a: &a [x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"{c}: &{c} [{','.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    ),
    "ring": "self: &x\n  again: *x",
    "long": "x: " + "a" * 70_000,
    "latin": "name: caf\udce9",
    "surrogate": 'name: "\\ud800"',
    "vertical": "name: a\x0bb",
    "second": "a: b\n--- \nc: d",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_header_that_cannot_be_read_is_named_and_blocks_nothing(
    store: Store, folder: Path, name: str
) -> None:
    """The memory is found by its text, the others too; an edit is refused and not a byte of it changes."""
    data = f"---\nid: bad\n{BROKEN[name]}\n---\nBoiler valve turns left.\n".encode("utf-8", "surrogateescape")
    put(folder, good="---\nid: good\n---\nwalrus and boiler\n", bad=data)
    assert {hit.hit.record.path for hit in store.recall("boiler").hits} == {"good.md", "bad.md"}
    if name == "second":
        return
    findings = [finding for finding in store.check().findings if finding.severity == "error"]
    assert {finding.path for finding in findings} == {"bad.md"}
    with pytest.raises(Refused, match=r"bad\.md"):
        store.tag("bad.md", add=["home"])
    assert (folder / "bad.md").read_bytes() == data
    assert_sound(folder)


@pytest.mark.parametrize(
    "value", ["due: 2024-02-30", "score: !!float", "n: " + "9" * 5000, "t: !!timestamp x", "b: !!int ''"]
)
def test_a_value_that_makes_a_parser_stumble_stays_text(store: Store, folder: Path, value: str) -> None:
    """A date that no calendar has and a number that no program holds are kept as they are written."""
    put(folder, odd=f"---\nid: odd\n{value}\n---\npay rent\n", fine="---\nid: fine\n---\nzebra rent\n")
    assert len(store.recall("rent").hits) == 2
    assert all(isinstance(each, str) for each in store.show("odd").memory.fields.values())
    assert store.check().is_clean


def test_a_character_that_yaml_refuses_is_named_with_its_line(store: Store, folder: Path) -> None:
    """It cannot be seen, so whoever looks for it needs the line."""
    put(folder, odd="---\nid: odd\ntitle: fine\nname: a\x07b\n---\nx\n")
    assert [(finding.path, finding.line) for finding in store.check().findings] == [("odd.md", 4)]


def test_a_hostile_header_costs_bounded_time_and_memory(store: Store, folder: Path) -> None:
    """A few hundred bytes that would unfold to millions of values are refused within seconds and little memory."""
    put(folder, bomb=f"---\nid: bomb\n{BROKEN['bomb']}---\nlaughing gnome\n")
    done = subprocess.run(
        [*COMMAND, "recall", "gnome", "--json"],
        cwd=folder,
        capture_output=True,
        timeout=20,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000)),
        check=True,
    )
    assert [hit["path"] for hit in json.loads(done.stdout)["results"]] == ["bomb.md"]


def test_a_tag_of_another_language_runs_nothing(store: Store, folder: Path) -> None:
    """A tag that names code is a value like any other."""
    target = folder.parent / "ran"
    command = f'!!python/object/apply:os.system ["touch {target}"]'
    put(folder, tagged=f"---\nid: tagged\ncmd: {command}\n---\nbody\n")
    assert store.show("tagged").memory.fields["cmd"] == [f"touch {target}"]
    assert not target.exists()


def test_a_few_honest_anchors_work(store: Store, folder: Path) -> None:
    """An alias stands for what it names."""
    put(folder, a="---\nid: anchors\nowner: &o sam\nreviewer: *o\nbackup: *o\n---\nx\n")
    assert store.show("anchors").memory.fields["backup"] == "sam"
    assert store.check().is_clean


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nThe spare key is under the blue pot.\n\n---\n\nSecond part.\n\n---\nstatus: not a field\n",
        "---\n- a list\n- of things about a spare key\n---\nblue pot\n",
        "---\n# A heading on the spare key\n\n---\nblue pot\n",
        "----\nid: four\n----\nspare key, blue pot\n",
        '{\n"not": json\n}\nspare key, blue pot\n',
        "+++\ntitle = 1\n+++\nspare key, blue pot\n",
        "***\nspare key: here\n***\nblue pot\n",
    ],
)
def test_what_stands_between_two_rules_is_text_unless_it_is_a_mapping(
    store: Store, folder: Path, tmp_path: Path, text: str
) -> None:
    """No paragraph is taken for a header and lost, neither in the store nor by an import."""
    put(folder, rule=text)
    shown = store.show("rule.md")
    assert (shown.memory.body, shown.memory.fields) == (text, {})
    assert len(store.recall("spare key").hits) == 1
    source = tmp_path / "other.md"
    source.write_text(text)
    assert store.import_folder(source).counts == {"known": 1}
    assert store.import_folder(source, force=True).counts == {"new": 1}
    assert store.show("other.md").raw == text.encode() == source.read_bytes()


@pytest.mark.parametrize(
    "text",
    [
        "---\nid: m-1\ntitle: never closed\nbody at once\n",
        "---\nid: m-1\ntitle: never closed\n\nThe body.\n",
        "---\ntags: [a]\n",
    ],
)
def test_no_header_is_put_above_one_that_was_never_closed(store: Store, folder: Path, text: str) -> None:
    """A header without a closing fence is reported and kept; its text is found."""
    put(folder, open=text)
    with pytest.raises(Refused, match="not closed"):
        store.tag("open.md", add=["x"])
    assert (folder / "open.md").read_text() == text
    assert [finding.code for finding in store.check().findings if finding.severity == "error"] == ["header"]


@pytest.mark.parametrize(
    "text",
    [
        "---\n<<<<<<< HEAD\ntags: [a]\n=======\ntags: [b]\n>>>>>>> x\nid: m-1\n---\nboiler\n",
        "---\n<% tp.date.now() %>\nid: m-1\ntitle: T: 3\n---\nboiler\n",
        "---\n\tid: m-1\n\ttitle: by tabs\n---\nboiler\n",
        '---\n  id: m-1\n title: "not closed\n---\nboiler\n',
        "---\n- id: m-1\ntitle: half a list\n---\nboiler\n",
        '+++\nid = "m-1"\ntitle = "of another maker"\n+++\nboiler\n',
        '\ufeff+++\r\ntags = ["a"]\r\n+++\r\nboiler\r\n',
        "--- # of the ops team\nid: m-1\n---\nboiler\n",
        "---yaml\r\ntitle: with its language\r\n---\r\nboiler\r\n",
        "  ---\n  id: m-1\n  ---\nboiler\n",
    ],
)
def test_no_header_is_put_above_one_that_begins_oddly_or_is_of_another_kind(
    store: Store, folder: Path, text: str
) -> None:
    """A conflict marker, a template or tabs in its first line, or TOML: it is reported, found and kept."""
    put(folder, odd=text.encode())
    with pytest.raises(Refused, match="header"):
        store.tag("odd.md", add=["x"])
    assert (folder / "odd.md").read_bytes() == text.encode()
    assert {finding.path for finding in store.check().findings if finding.severity == "error"} == {"odd.md"}
    assert store.recall("boiler").total == 1


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("---\n", "---\n"),
        ("---  \n", "---\t\n"),
        ("\n\n---\n", "---\n"),
        ("---\n", "...\n"),
        ("\ufeff---\n", "---\n"),
        ("\ufeff\ufeff---\n", "---\n"),
    ],
)
def test_every_usual_fence_is_one_header(store: Store, folder: Path, opening: str, closing: str) -> None:
    """Blanks, blank lines, three dots and a byte order mark do not hide a header, and none is put on top."""
    before = f"{opening}id: m-1\ntitle: Router\n{closing}Reboot.\n".encode()
    put(folder, fence=before)
    store.tag("m-1", add=["net"])
    assert changed_lines(before, (folder / "fence.md").read_bytes()) == ["+tags:\n", "+  - net\n"]
    assert store.show("m-1").memory.body == "Reboot.\n"


def test_only_the_lines_of_the_field_change(store: Store, folder: Path) -> None:
    """Comments, order, quotes, folding, offsets, blank lines and trailing blanks are the same bytes."""
    before = (
        b'---\n# owner: the ops team\ntitle: "Quoted: yes"\nzeta: 1\nalpha: 2   # keep me\n'
        b"created: 2024-05-07T23:30:00+09:00\nlong: >-\n  folded text that\n  spans two lines\n"
        b"tags: [ b, a ]\nid: keep\n---\n\n\n    indented code first\n\nlast line  \n\n\n"
    )
    put(folder, keep=before)
    store.tag("keep", add=["c"])
    assert changed_lines(before, (folder / "keep.md").read_bytes()) == [
        "-tags: [ b, a ]\n",
        "+tags: [ b, a, c ]\n",
    ]
    store.tag("keep", remove=["c"])
    assert (folder / "keep.md").read_bytes() == before


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("created: yesterday", "created: 'yesterday' is no date or time"),
        ("created: 2024-02-30", "created: '2024-02-30' is no date or time"),
        ("created: 2024-05", "created: '2024-05' is no date or time"),
        ("created: 1717171717", "created: '1717171717' is no date or time"),
        ("valid_from: 7.5.2024", "valid_from: '7.5.2024' is no date, month or year"),
        ('valid_until: "{{date}}"', "valid_until: '{{date}}' is no date, month or year"),
        ("created: 2024-05-07 10:00", ""),
        ("created: 2024-05-07T10:00:00.123+09:00", ""),
        ("valid_until: 2024", ""),
    ],
)
def test_a_date_that_names_none_is_reported(store: Store, folder: Path, line: str, complaint: str) -> None:
    """Filters by date pass the memory over: `check` says so, for the store and for a change."""
    git(folder, "branch", "before")
    put(folder, dated=f"---\nid: dated\n{line}\n---\ntext\n")
    for checked in (store.check(), store.check(base="before")):
        said = [finding.message for finding in checked.findings if finding.code == "field"]
        assert len(said) == bool(complaint) and all(each.startswith(complaint) for each in said)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("pinned: maybe", 'pinned: "maybe" is neither true nor false; read as false'),
        ("pinned: 1", "pinned: 1 is neither true nor false; read as false"),
        ("pinned: [true]", "pinned: [true] is neither true nor false; read as false"),
        ("pinned: Yes", ""),
        ("pinned: no", ""),
        ("pinned:", ""),
        ("confirmed: often", 'confirmed: "often" is not a number; read as 0'),
        ("confirmed: 3", ""),
        ("aliases: [Alpha, 007, [nested, x]]", "aliases: an item is a list or mapping and is left out"),
        ("alias: {a: b}", "alias: an item is a list or mapping and is left out"),
        ("aliases: [Alpha, 2024, ~]", ""),
    ],
)
def test_a_mark_that_says_nothing_is_reported_and_shown_as_it_counts(
    store: Store, folder: Path, line: str, complaint: str
) -> None:
    """Who writes it believes that the memory is pinned, confirmed, or known by another name."""
    put(folder, marked=f"---\nid: marked\n{line}\n---\ntext\n")
    problems = [(finding.message, finding.line) for finding in store.check().findings]
    assert problems == ([(complaint, 3)] if complaint else [])
    assert (", pinned" in gitmem(folder, "show", "marked").out) == (line == "pinned: Yes")


def test_the_comment_of_a_field_outlives_its_value(store: Store, folder: Path) -> None:
    """Also where a text becomes a list, a block a line, or a list loses one item and gets another."""
    put(
        folder,
        noted="---\nid: noted\ntags: b # one\nsource: | # two\n  a\n  b\nempty: # three\nentities: # four\n"
        "  - 'a'  # five\n  - b\n  # six\n  - c\naliases: [x, y] # seven\n---\ntext\n",
    )
    store.tag("noted", add=["c"])
    store.update(
        "noted", fields={"source": "z", "empty": ["q"], "entities": ["a", "c", "d"], "aliases": ["w"]}
    )
    assert store.show("noted").raw.decode() == (
        "---\nid: noted\ntags: # one\n  - b\n  - c\nsource: z # two\nempty: # three\n  - q\nentities: # four\n"
        "  - 'a'  # five\n  # six\n  - c\n  - d\naliases: # seven\n  - w\n---\ntext\n"
    )


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        ("tags: [2024, true, ~, [nested, x]]", "tags: [2024, true, ~, [nested, x], new]"),
        ("tags:\n  - {a: 1}\n  - b", "tags:\n  - {a: 1}\n  - b\n  - new"),
        ("tags: [[Home]]", "tags: [[Home], new]"),
        ('title: "a\u2028b"\ntags: [a]', 'title: "a\u2028b"\ntags: [a, new]'),
    ],
)
def test_a_tag_that_cannot_be_read_is_not_lost_by_adding_one(
    store: Store, folder: Path, tags: str, after: str
) -> None:
    """Items that are no tags stay as they are written."""
    put(folder, odd=f"---\nid: odd\n{tags}\n---\nx\n")
    store.tag("odd", add=["new"])
    assert (folder / "odd.md").read_text() == f"---\nid: odd\n{after}\n---\nx\n"


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        ("tags: [\n  a,\n  b,\n  c,\n]", "tags: [\n  b,\n]"),
        ("tags:\n  [\n    a,\n    b,\n    c\n  ]", "tags:\n  [\n    b\n  ]"),
        ("tags: [a, b,\n  c] # mine", "tags: [b] # mine"),
        ("tags: [a,\n  b, # the second\n  d,\n  c]", "tags: [b, # the second\n  d]"),
        ('tags: ["a",\n  "two\n  lines", c]', 'tags: ["two\n  lines"]'),
    ],
)
def test_tags_in_brackets_over_several_lines_can_be_removed(
    store: Store, folder: Path, tags: str, after: str
) -> None:
    """As programs write them that break long lines; what stays keeps its lines and comments."""
    put(folder, wide=f"---\nid: wide\n{tags}\nzeta: 1\n---\nx\n")
    store.tag("wide", remove=["a", "c"])
    assert (folder / "wide.md").read_text() == f"---\nid: wide\n{after}\nzeta: 1\n---\nx\n"


def test_a_comment_between_tags_in_brackets_is_not_lost(store: Store, folder: Path) -> None:
    """The edit is refused where the item before it becomes the last."""
    text = "---\nid: wide\ntags: [a, # the first\n  b]\n---\nx\n"
    put(folder, wide=text)
    with pytest.raises(Refused, match="comment"):
        store.tag("wide", remove=["b"])
    assert (folder / "wide.md").read_text() == text


def test_tags_that_are_a_mapping_are_not_overwritten(store: Store, folder: Path) -> None:
    """A mapping has no place for one more tag, so the edit is refused."""
    put(folder, odd="---\nid: odd\ntags: {a: 1}\n---\nx\n")
    with pytest.raises(Refused, match="mapping"):
        store.tag("odd", add=["new"])


def test_a_number_among_the_tags_can_be_removed_by_its_text(store: Store, folder: Path) -> None:
    """What reads as a tag can be taken out, however it was written."""
    put(folder, odd="---\nid: odd\ntags: [2024, b]\n---\nx\n")
    store.tag("odd", remove=["2024"])
    assert (folder / "odd.md").read_text() == "---\nid: odd\ntags: [b]\n---\nx\n"


def test_field_names_of_any_kind_are_fields(store: Store, folder: Path) -> None:
    """A name that collides with a program's own words, a number or a truth is a text."""
    put(
        folder,
        k1="---\nid: k1\ncontent: summary here\nhandler: none\nself: x\n---\nyak one\n",
        k2="---\nid: k2\n2024: a good year\non: true\n~: nothing\n---\nyak two\n",
    )
    assert store.show("k1").memory.fields["content"] == "summary here"
    assert store.show("k1").memory.body == "yak one\n"
    assert {"2024", "on", "~"} <= set(store.show("k2").memory.fields)
    assert len(store.recall("yak").hits) == 2


def test_every_value_goes_out_as_strict_json(store: Store, folder: Path) -> None:
    """Dates keep their text; what JSON does not know is text or a list. Reading writes nothing."""
    text = (
        "---\nid: d1\ntitle: lease\ncreated: 2024-05-07\nseen: 2024-05-07 10:00:00\ndone: .nan\nmost: -.inf\n"
        "raw: !!binary aGVsbG8=\nflags: !!set {x, y}\npairs: !!omap [a: 1]\n---\nLease ends in June.\n"
    )
    put(folder, d1=text)
    for arguments in (["recall", "lease", "--json"], ["show", "d1", "--json"], ["list", "--json"]):
        answer = gitmem(folder, *arguments).json
        shown = answer["results"][0] if "results" in answer else answer
        assert shown["created"] == "2024-05-07"
        assert shown["fields"]["seen"] == "2024-05-07 10:00:00"
        assert shown["fields"]["flags"] == ["x", "y"]
    assert (folder / "d1.md").read_text() == text
    assert_sound(folder)


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_the_line_ends_of_a_file_are_kept(store: Store, folder: Path, newline: str) -> None:
    """One header, one kind of line end, whatever is changed."""
    lines = ["---", "id: crlf1", "title: Router", "tags:", "  - net", "---", "", "Reboot on Mondays.", ""]
    put(folder, crlf=newline.join(lines).encode())
    store.tag("crlf1", add=["weekly"])
    store.update("crlf1", fields={"title": "Other", "floor": 2})
    if newline != "\r":
        store.append("crlf1", "Then wait.\nAnd see.")
    text = (folder / "crlf.md").read_bytes().decode()
    assert text.count(f"---{newline}") == 2
    assert text.replace(newline, "").isprintable()
    assert store.show("crlf1").memory.tags == ("net", "weekly")


@pytest.mark.parametrize("data", ["---\nid: u\n---\nx\n".encode("utf-16"), b"caf\xe9 au lait\n", b"a\x00b\n"])
def test_bytes_that_are_not_text_get_neither_header_nor_line(store: Store, folder: Path, data: bytes) -> None:
    """A file in another encoding is reported and left whole."""
    put(folder, odd=data)
    with pytest.raises(Refused):
        store.tag("odd.md", add=["x"])
    with pytest.raises(Refused):
        store.append("odd.md", "more")
    assert (folder / "odd.md").read_bytes() == data
    assert not store.check().is_clean


@pytest.mark.parametrize(
    "fields",
    [{"x": "a" * 70_000}, {"x": float("inf")}, {"x": json.loads("[" * 60 + "]" * 60)}, {"x": ["a"] * 11_000}],
    ids=["long", "infinite", "deep", "many"],
)
def test_nothing_is_written_that_could_not_be_read_back(
    store: Store, folder: Path, fields: dict[str, object]
) -> None:
    """A header past the bounds is refused before there is a file."""
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(BadInput):
        store.remember("text", fields=fields)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        store.remember("text", title="x" * 70_000)
    assert git(folder, "rev-parse", "HEAD") == before
    assert_sound(folder)


@pytest.mark.parametrize(
    "written",
    [
        "other",
        '"[[other]]"',
        "[[other]]",
        "\n  - [[other]]",
        '["[[other#Part|shown]]"]',
        "[other, n-2]",
        "other, n-2",
        '"[[other]], [[n-2|two, or more]]"',
        "[2024, other]",
    ],
)
def test_other_memories_are_named_as_ids_or_links_in_a_list_or_a_text(
    store: Store, folder: Path, written: str
) -> None:
    """Each way is understood, reported by nobody, and not said twice by a link to the same memory."""
    note = f"---\nid: m-1\nrelated: {written}\nsupersedes: {written}\n---\ntext of the note\n"
    others = {"other": "other", "two": "n-2", "year": "2024"}
    put(folder, note=note, **{name: f"---\nid: {each}\n---\n{name}\n" for name, each in others.items()})
    memory = store.show("m-1").memory
    named = [relation.to for relation in memory.related]
    assert "other" in named and set(named) <= {"other", "n-2", "2024"}
    assert list(memory.supersedes) == named
    assert store.check().is_clean
    assert {link.end.id for link in store.related("m-1").neighbours} == set(named)
    assert store.link("m-1", "other").replaced is None
    assert (folder / "note.md").read_text() == note


def test_a_link_beside_others_in_one_text_keeps_them(store: Store, folder: Path) -> None:
    """The text becomes a list, each memory an entry."""
    put(
        folder,
        note='---\nid: m-1\nrelated: "[[a-1]], b-1"\n---\nx\n',
        **{name: f"---\nid: {name}-1\n---\n{name}\n" for name in "abc"},
    )
    store.link("m-1", "c-1")
    assert [each.to for each in store.show("m-1").memory.related] == ["a-1", "b-1", "c-1"]
    assert '  - "[[a-1]]"\n  - b-1\n' in (folder / "note.md").read_text()


def test_a_memory_may_be_related_to_another_by_its_title(store: Store, folder: Path) -> None:
    """As `related` finds it, so nobody reports the link as broken, for the store or for a change."""
    git(folder, "branch", "before")
    put(
        folder,
        plan="---\ntitle: The plan\n---\nfirst this\n",
        note='---\nid: m-1\nrelated: ["[[The plan]]", "[[plan]]", plan.md, Nowhere]\n---\nx\n',
    )
    for checked in (store.check(), store.check(base="before")):
        broken = [finding.message for finding in checked.findings if finding.code == "broken-link"]
        assert broken == ["related: no memory 'Nowhere'"]


def test_other_names_may_be_one_text_or_numbers(store: Store, folder: Path) -> None:
    """`aliases` is a list like any other."""
    put(
        folder,
        one="---\nid: one\naliases: Kea, Mountain parrot\n---\nx\n",
        two="---\nid: two\naliases: [2024, 007]\n---\ny\n",
        note="---\nid: m-1\n---\n[[kea]] [[mountain parrot]] [[2024]] [[007]]\n",
    )
    assert [link.end.id for link in store.related("m-1").neighbours] == ["one", "two"]


def test_a_body_that_looks_like_a_header_stays_body(store: Store) -> None:
    """Text given by a caller cannot slip fields into the header."""
    text = "---\nid: other\ntype: episodic\nstatus: expired\n---\nbody\n"
    written = store.remember(text, id="mine")
    assert store.show("mine").memory.body == text
    store.update("mine", text)
    assert (store.show("mine").memory.body, store.show("mine").memory.id) == (text, written.id)


if sys.platform == "win32":
    pytest.skip("needs POSIX limits", allow_module_level=True)
