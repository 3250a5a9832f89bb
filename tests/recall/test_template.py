"""Templates of contexts: every text is one, or is refused in one line that says where it is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadInput
from gitmem.recall.template import DEFAULT, OF_A_MEMORY, SECTIONS, VALUES, parse_template

WORLD = {name: f"<{name}>" for name in VALUES}


def memory(name: str) -> dict[str, str]:
    return {key: f"{key}-{name}" for key in OF_A_MEMORY}


def rendered(text: str, **sections: list[str]) -> str:
    found = {section: [memory(name) for name in names] for section, names in sections.items()}
    return parse_template(text, where="t").render(WORLD, found)


def test_values_and_loops() -> None:
    """A loop gives its inside once for each memory, a `?` block once if there is one, and values anywhere."""
    text = "For {{ task }}:\n{{?howto}}\n## How\n{{#howto}}\n- {{id}} {{task}}\n{{/howto}}\n{{/howto}}\nend"
    assert rendered(text, howto=["a", "b"]) == "For <task>:\n## How\n- id-a <task>\n- id-b <task>\nend"
    assert rendered(text) == "For <task>:\nend"


def test_blocks_inside_a_line() -> None:
    """A tag that does not stand alone takes nothing with it."""
    assert rendered("[{{#howto}}{{id}}, {{/howto}}]", howto=["a", "b"]) == "[id-a, id-b, ]"


def test_what_is_put_in_is_never_read_as_a_template() -> None:
    """A memory that looks like a template stays as it is."""
    template = parse_template("{{#knowledge}}{{text}}{{/knowledge}}", where="t")
    hostile = memory("a") | {"text": "{{#howto}}{{id}}{{/howto}}{{task}}{{/knowledge}}"}
    assert template.render(WORLD, {"knowledge": [hostile]}) == hostile["text"]


def test_braces_that_are_no_tag_are_text() -> None:
    """Code with braces need not be escaped."""
    for text in ("{{", "}}", "{{ 1 + 1 }}", "{{a.b}}", "{{a|b}}", "{ {task} }", "{{{{", "${{x y}}"):
        assert rendered(text) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n{{nonsense}}", "t: line 2: {{nonsense}} is no placeholder; there are task, store, commit, date"),
        ("{{id}}", "t: line 1: {{id}} is no placeholder here; there are task, store, commit, date"),
        ("{{#facts}}x{{/facts}}", "t: line 1: facts is no section"),
        ("a\n\n{{#howto}}\nx", "t: line 3: {{#howto}} is never closed"),
        ("{{/howto}}", "t: line 1: {{/howto}} closes nothing: no block is open"),
        ("{{#howto}}{{/knowledge}}", "t: line 1: {{/knowledge}} closes nothing: {{/howto}} is due first"),
        ("{{#howto}}{{#howto}}{{/howto}}{{/howto}}", "{{#howto}} may not stand in {{#howto}}"),
        ("{{?howto}}{{?howto}}{{/howto}}{{/howto}}", "{{?howto}} may not stand in {{?howto}}"),
        ("{{#howto}}{{?working}}{{/working}}{{/howto}}", "{{?working}} may not stand in {{#howto}}"),
        ("x" * 20_001, "t: the template is longer than 20,000 characters"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    """The line names the template, its line and what is wrong with it."""
    with pytest.raises(BadInput) as caught:
        parse_template(text, where="t")
    assert message in caught.value.message and "\n" not in caught.value.message


def test_the_template_of_gitmem_is_one() -> None:
    """It shows every section, and nothing at all where there is no memory."""
    text = rendered(DEFAULT, **{section: [section] for section in SECTIONS})
    assert all(f"[id-{section} @version-{section} date-{section}]" in text for section in SECTIONS)
    assert not rendered(DEFAULT).strip()


PIECES = [
    "{{", "}}", "{{task}}", "{{id}}", "{{text}}", "{{#howto}}", "{{/howto}}", "{{?howto}}", "{{#working}}",
    "{{/working}}", "\n", " ", "text", "{{nonsense}}", "{{{{#howto}}}}", "{", "\r\n", "{{ # howto }}", "é",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=40))
def test_every_text_renders_or_is_refused(text: str) -> None:
    """Nothing else happens, and what is rendered is at most the template once for each memory."""
    names = ["a", "b", "c"]
    try:
        result = rendered(text, howto=names, working=names)
    except BadInput as error:
        assert "\n" not in error.message and error.message.startswith("t: ")
        return
    longest = max(map(len, [*WORLD.values(), *(value for name in names for value in memory(name).values())]))
    assert len(result) <= (len(text) + text.count("}}") * longest) * len(names)
