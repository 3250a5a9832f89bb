"""The cases that the modules of the merge name, one by one, with what comes out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitmem.model.document import parse_document
from gitmem.model.ids import BlobId
from gitmem.model.merge.file import is_disputed, merge_texts
from gitmem.model.merge.outcome import MAX_MERGED_BYTES, CannotMerge, Case, Merged, Side, version_name
from gitmem.model.merge.settle import disputes_of, settled
from gitmem.model.reading import read_memory


def memory(body: str, kind: str = "semantic", header: str = "") -> str:
    return f"---\nid: m7k2q9xw\ntype: {kind}\n{header}---\n{body}"


def body_of(merged: Merged) -> str:
    return parse_document(merged.text).body


def header_of(merged: Merged) -> str:
    return parse_document(merged.text).header.removeprefix("id: m7k2q9xw\ntype: semantic\n")


DOC = "# Offices\n\nLyon is the main one.\n\n- Alice\n- Bob\n- Carol\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n```sh\nmake a\nmake b\nmake c\n```\n\nEnd.\n"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(("Lyon", "Paris"), ("End.", "The end."), None, id="paragraphs apart"),
        pytest.param(("- Bob\n", "- Bob\n- Dave\n"), ("- Carol\n", "- Caroline\n"), None, id="items side by side"),
        pytest.param(("| 1 | 2 |", "| 1 | 22 |"), ("| 3 | 4 |", "| 33 | 4 |"), None, id="rows side by side"),
        pytest.param(("make a", "make aa"), ("make c", "make cc"), None, id="lines of a fence apart"),
        pytest.param(("- Bob\n", ""), ("- Alice\n", "- Alice A.\n"), None, id="removed beside changed"),
        pytest.param(("- Bob\n", "- Bob\n- Eve\n"), ("- Bob\n", "- Bob\n- Dave\n"), ("- Bob\n", "- Bob\n- Dave\n- Eve\n"), id="both added"),
        pytest.param(("End.", "The end."), ("End.", "The end."), ("End.", "The end."), id="both the same"),
    ],
)  # fmt: skip
def test_changes_that_keep_apart_both_stand(
    first: tuple[str, str], second: tuple[str, str], expected: tuple[str, str] | None
) -> None:
    """Blocks are merged one by one, and lines of a block where an unchanged one stands between."""
    merged = merge_texts(memory(DOC), memory(DOC.replace(*first)), memory(DOC.replace(*second)))
    wanted = DOC.replace(*expected) if expected else DOC.replace(*first).replace(*second)
    assert body_of(merged) == wanted
    assert not merged.is_disputed


@pytest.mark.parametrize(
    ("first", "second", "passage"),
    [
        pytest.param(("make b", "make x"), ("make b", "make y"), "```sh\nmake a\nmake x\nmake c\n```\n", id="fence"),
        pytest.param(("make a", "make x"), ("make b", "make y"), "```sh\nmake x\nmake b\nmake c\n```\n", id="touching"),
        pytest.param(("| 1 | 2 |", "| 1 | x |"), ("| 1 | 2 |", "| 1 | y |"), "| a | b |\n|---|---|\n| 1 | x |\n| 3 | 4 |\n", id="table"),
        pytest.param(("- Bob\n", "- x\n"), ("- Bob\n", "- y\n"), "- x\n", id="item"),
        pytest.param(("- Bob\n", "- x\n"), ("- Bob\n", ""), "- x\n", id="removed"),
    ],
)  # fmt: skip
def test_a_dispute_holds_whole_blocks_and_leaves_the_rest(
    first: tuple[str, str], second: tuple[str, str], passage: str
) -> None:
    """A fence, table or item is never torn; what nobody disputes stays outside; each version comes back exactly."""
    sides = (memory(DOC.replace(*first)), memory(DOC.replace(*second)))
    merged = merge_texts(memory(DOC), *sides)
    (dispute,) = disputes_of(merged.text)
    assert passage in [option.text for option in dispute.options]
    assert body_of(merged).startswith("# Offices\n\nLyon is the main one.\n\n- Alice\n")
    assert body_of(merged).endswith("\nEnd.\n")
    assert {settled(merged.text, lambda d, n=n: d.options[n]) for n in (0, 1)} == set(sides)  # type: ignore[misc]


def test_the_rule_of_each_type() -> None:
    """semantic by confidence, else disputed; procedural disputed; reflective and episodic both kept; working newer."""

    def merged(kind: str, header: tuple[str, str] = ("", "")) -> Merged:
        base, x, y = (
            memory("It is so.\n", kind),
            memory("It is X.\n", kind, header[0]),
            memory("It is Y.\n", kind, header[1]),
        )
        return merge_texts(base, x, y)

    assert merged("semantic").is_disputed
    assert merged("semantic", ("confidence: 0.9\n", "confidence: 0.75\n")).is_disputed
    sure = merged("semantic", ("confidence: 0.9\n", "confidence: 0.7\n"))
    assert (body_of(sure), sure.is_disputed) == ("It is X.\n", False)
    assert Case.MORE_CERTAIN in [decision.case for decision in sure.decisions]
    assert merged("procedural", ("confidence: 0.9\n", "confidence: 0.7\n")).is_disputed
    assert body_of(merged("reflective")) == body_of(merged("episodic")) == "It is X.\n\nIt is Y.\n"
    assert merged("working").is_disputed, "nothing says which one is newer"
    old = Side(memory("Old.\n", "working"), datetime(2026, 11, 1, tzinfo=UTC))
    new = Side(memory("New.\n", "working"), datetime(2026, 11, 2, tzinfo=UTC))
    assert body_of(merge_texts(memory("It.\n", "working"), new, old)) == "New.\n"


def test_the_folder_says_the_type_of_a_memory_without_one() -> None:
    """A note in the folder of episodes is one."""
    merged = merge_texts("08:00 a\n", "08:00 a\n09:00 x\n", "08:00 a\n08:30 y\n", path="episodic/2026/day.md")
    assert merged.text == "08:00 a\n08:30 y\n09:00 x\n"


def test_entries_of_an_episode_stand_in_order_of_time() -> None:
    merged = merge_texts(
        memory("14:05 a\n", "episodic"),
        memory("14:05 a\n14:20 x\n16:00 x2\n", "episodic"),
        memory("14:05 a\n14:30 y\nwith a note\n15:30 y2\n", "episodic"),
    )
    assert body_of(merged) == "14:05 a\n14:20 x\n14:30 y\nwith a note\n15:30 y2\n16:00 x2\n"


def test_what_both_added_is_disputed_where_order_is_meant() -> None:
    """Two new steps in one place of a procedure are; two new sections are not."""
    base = memory("1. one\n2. two\n", "procedural")
    assert merge_texts(base, base + "3. x\n", base + "3. y\n").is_disputed
    sections = merge_texts(base, base + "\n## X\n\nx\n", base + "\n## Y\n\ny\n")
    assert body_of(sections) == "1. one\n2. two\n\n## X\n\nx\n\n## Y\n\ny\n"


@pytest.mark.parametrize(
    ("base", "first", "second", "expected"),
    [
        ("tags:\n  - a\n  - b\n", "tags:\n  - a\n  - c\n", "tags:\n  - a\n  - b\n  - d\n", "tags:\n  - a\n  - c\n  - d\n"),
        ("tags: [a]  # why\n", "tags: [a, b]  # why\n", "tags: [a, c]  # why\n", "tags: [a, b, c]  # why\n"),
        ("tags: [a]\n", "tags: [A]\n", "tags: [a, b]\n", "tags: [A, b]\n"),
        ("tags: [a]\n", "", "", ""),
        ("tags: [a]\n", "", "tags: [a, b]\n", "tags: [b]\n"),
        ("", "tags: a, b\n", "tags: [c]\n", None),
        ("created: 2026-11-05\n", "created: 2026-11-04T10:00:00Z\n", "created: 2026-11-03\n", "created: 2026-11-03\n"),
        ("created: 2026-11-05\n", "created: 2026-11-07\n", "created: 2026-11-05\n", "created: 2026-11-07\n"),
        ("", "valid_until: 2026-11-04\n", "valid_until: 2026-11-09\n", "valid_until: 2026-11-09\n"),
        ("uses: 3\n", "uses: 5\n", "uses: 4\n", "uses: 6\n"),
        ("importance: 0.5\n", "importance: 0.2\n", "importance: 0.3\n", "importance: 0.3\n"),
        ("own: 1\n", "own: 1\n", "own: two # say\n", "own: two # say\n"),
        ("# top\na: 1\nb: 2\n", "# new top\na: 1\nb: 2\n", "# top\na: 1\nb: 3\n", "# new top\na: 1\nb: 3\n"),
        ("a: 1\nb: 2\n", "b: 2\na: 1\n", "a: 1\nb: 3\n", "b: 3\na: 1\n"),
        ("a: 1\n", "a: 1\nx: 1\n", "a: 1\ny: 1\n", "a: 1\nx: 1\ny: 1\n"),
    ],
)  # fmt: skip
def test_header_fields(base: str, first: str, second: str, expected: str | None) -> None:
    """Each field by its rule, in the lines of a side, with comments, order and style."""
    texts = [
        memory(f"Text {own}.\n\nMore.\n", header=header)
        for own, header in (("", base), ("", first), ("", second))
    ]
    texts[1] = texts[1].replace("More.\n", "More.\n\nFirst.\n")
    texts[2] = texts[2].replace("More.\n", "More of it.\n")
    merged = merge_texts(*texts)
    if expected is None:
        assert sorted(parse_document(merged.text).fields["tags"]) == ["a", "b", "c"]  # type: ignore[arg-type, type-var]
    else:
        assert header_of(merged) == expected
    assert not merged.is_disputed


def test_a_disputed_field_keeps_both_values_and_no_marker() -> None:
    """`disputed` names the field and both values; settling brings one back and leaves nothing of the dispute."""
    x, y = (
        memory("T.\n", header="title: Left\nstatus: expired\n"),
        memory("T.\n", header="title: Right\nstatus: expired\n"),
    )
    merged = merge_texts(memory("T.\n", header="title: T\nstatus: expired\n"), x, y)
    fields = parse_document(merged.text).fields
    assert fields["status"] == "disputed"
    assert fields["disputed"] == [
        {"field": "title", "values": {version_name(x): "Left", version_name(y): "Right"}},
        {"field": "status", "value": "expired"},
    ]
    assert "<<<" not in merged.text
    assert read_memory("x.md", BlobId(""), merged.text.encode()).problems == ()
    (dispute,) = disputes_of(merged.text)
    for number, option in enumerate(dispute.options):
        assert settled(merged.text, lambda d, n=number: d.options[n]) == (x if "Left" in option.text else y)  # type: ignore[misc]


def test_a_version_has_the_name_of_its_blob_and_says_who_wrote_it() -> None:
    """The name is the same on every clone; the agent is named where the two differ."""
    x, y = memory("X.\n", header="agent: bot-a\n"), memory("Y.\n", header="agent: bot-b\n")
    merged = merge_texts(None, x, y)
    assert f"**Version {version_name(x)} (bot-a):**\n\n> X.\n" in merged.text
    assert read_memory("x.md", BlobId(""), merged.text.encode()).title in ("X.", "Y.")


def test_a_dispute_that_one_side_settled_is_settled() -> None:
    """Also where the other side changed something else, or added a third version."""
    base, x, y, z = (memory(f"One.\n\nIt is {each}.\n\nEnd.\n") for each in ("so", "X", "Y", "Z"))
    disputed = merge_texts(base, x, y).text
    chosen = settled(disputed, lambda d: next(o for o in d.options if "X" in o.text))
    assert chosen == x
    other = disputed.replace("End.", "The end.")
    merged = merge_texts(disputed, chosen, other)
    assert (merged.text, merged.is_disputed) == (x.replace("End.", "The end."), False)
    third = merge_texts(base, disputed, z).text
    assert len(disputes_of(third)[0].options) == 3
    left = merge_texts(disputed, chosen, third).text
    assert sorted(option.text for option in disputes_of(left)[0].options) == ["It is X.\n", "It is Z.\n"]
    undecided = merge_texts(disputed, x, y).text
    assert len(disputes_of(undecided)[0].options) == 2


def test_what_is_settled_in_part_stays_disputed_for_the_rest() -> None:
    base = memory("A.\n\nSame.\n\nB.\n")
    merged = merge_texts(
        base, base.replace("A.", "A1").replace("B.", "B1"), base.replace("A.", "A2").replace("B.", "B2")
    ).text
    first, second = disputes_of(merged)
    assert first.line < second.line
    some = settled(merged, lambda d: d.options[0] if "A" in d.options[0].text else None)
    assert is_disputed(some)
    assert len(disputes_of(some)) == 1
    assert not is_disputed(settled(some, lambda d: d.options[0]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("---\nid: q\ntags: [a\n---\nx\n", "---\nid: q\ntags: [b]\n---\ny\n", id="broken header"),
        pytest.param("---\nid: q\ntags: a\n", "---\nid: q\n---\ny", id="header not closed"),
        pytest.param("---\nid: q\n---\nx\r\ny\n", "---\nid: r\n---\nz", id="two memories, odd line ends"),
        pytest.param("\ufeff---\nid: q\n---\nx", "---\nid: r\n---\nz\n", id="two memories, byte order mark"),
        pytest.param("---\nid: q\n---\n\x00\udcff", "---\nid: r\n---\n> z\n", id="bytes that are no text"),
        pytest.param("---\nid: q\ndisputed: yes\ntitle: a\n---\nx\n", "---\nid: q\ntitle: b\n---\nx\n", id="a field of that name"),
    ],
)  # fmt: skip
def test_what_cannot_be_merged_by_field_is_kept_whole(first: str, second: str) -> None:
    """Both files stand in one valid memory, and either comes back byte for byte."""
    merged = merge_texts(None, first, second)
    document = parse_document(merged.text)
    assert document.error is None
    assert (document.fields["id"], document.fields["status"]) == ("q", "disputed")
    assert {settled(merged.text, lambda d, n=n: d.options[n]) for n in (0, 1)} == {first, second}  # type: ignore[misc]


def test_an_equal_broken_header_stays_and_the_texts_below_it_merge() -> None:
    head = "---\nid: q\ntags: [a\n---\n"
    merged = merge_texts(f"{head}A.\n\nB.\n", f"{head}A1.\n\nB.\n", f"{head}A.\n\nB1.\n")
    assert merged.text == f"{head}A1.\n\nB1.\n"


def test_the_form_of_a_file_is_merged_like_a_field() -> None:
    """Line ends, byte order mark and last line end: the side that changed them decides."""
    base = memory("A.\n\nSame.\n\nB.\n")
    windows = "\ufeff" + base.replace("\n", "\r\n").replace("A.", "A1.")
    merged = merge_texts(base, windows, base.replace("B.\n", "B1."))
    assert merged.text == "\ufeff" + base.replace("A.", "A1.").replace("B.\n", "B1.").replace("\n", "\r\n")


def test_an_unclosed_fence_cannot_swallow_a_dispute() -> None:
    """Where the text below would be inside it, the files are kept whole."""
    base = memory("A.\n\nB.\n\nC.\n")
    x, y = base.replace("A.", "```\ncode"), base.replace("C.", "C2.").replace("A.", "A2.")
    merged = merge_texts(base, x, y)
    assert {settled(merged.text, lambda d, n=n: d.options[n]) for n in (0, 1)} >= {x} or "C2." in merged.text  # type: ignore[misc]
    assert disputes_of(merged.text)


def test_an_emptied_file_does_not_take_the_edit_away() -> None:
    base, edit = memory("A.\n"), memory("A.\n\nB.\n")
    assert merge_texts(base, "", edit).text == edit
    assert merge_texts(base, "", base).text == ""


def test_files_that_are_too_large_are_refused() -> None:
    half = "x" * (MAX_MERGED_BYTES // 2)
    with pytest.raises(CannotMerge):
        merge_texts("", half + "a", half + "b")
