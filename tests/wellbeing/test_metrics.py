"""The metrics are what the text format of Prometheus allows, by a reader that follows its rules."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gitmem.cli.prometheus import MOST_NAMESPACES, OTHERS, Family, health_metrics
from gitmem.cli.render_health import TROUBLES
from gitmem.flows.wellbeing.measures import Namespace, Size
from tests.conftest import gitmem
from tests.wellbeing.sample import HOSTILE, Sample

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
LABEL = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
VALUE = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf")
Sample_ = tuple[str, tuple[tuple[str, str], ...]]


def parse(text: str) -> dict[Sample_, float]:
    """The samples of an exposition. Raises `AssertionError` where it breaks a rule of the format."""
    assert text.endswith("\n")
    samples: dict[Sample_, float] = {}
    typed: dict[str, str] = {}
    helped: set[str] = set()
    finished: set[str] = set()
    current = ""
    for line in text.removesuffix("\n").split("\n"):
        if line.startswith("#"):
            mark, keyword, name, rest = line.split(" ", 3)
            assert mark == "#" and NAME.fullmatch(name)
            assert name not in finished, f"{name} comes in two groups"
            if keyword == "HELP":
                assert name not in helped
                helped.add(name)
                unescape(rest, quotes=False)
            else:
                assert keyword == "TYPE" and rest == "gauge" and name not in typed
                assert not any(found == name for found, _ in samples), "TYPE comes before the samples"
                typed[name] = rest
        else:
            name, labels, value = parse_sample(line)
            assert name in typed and name in helped
            assert (name, labels) not in samples, f"{line} comes twice"
            samples[name, labels] = float(value)
        if name != current:
            finished.add(current)
            current = name
    assert {name for name, _ in samples} == set(typed) == helped
    return samples


def parse_sample(line: str) -> tuple[str, tuple[tuple[str, str], ...], str]:
    match = NAME.match(line)
    assert match, line
    name, rest, labels = match[0], line[match.end() :], []
    if rest.startswith("{"):
        rest = rest[1:]
        while not rest.startswith("}"):
            found = LABEL.match(rest)
            assert found and rest[found.end() : found.end() + 2] == '="', line
            rest = rest[found.end() + 2 :]
            end = re.match(r'(?:[^"\\\n]|\\.)*', rest)
            assert end and rest[end.end() : end.end() + 1] == '"', line
            labels.append((found[0], unescape(end[0], quotes=True)))
            rest = rest[end.end() + 1 :].removeprefix(",")
        rest = rest[1:]
    assert len({label for label, _ in labels}) == len(labels)
    blank, _, value = rest.partition(" ")
    assert not blank and VALUE.fullmatch(value), line
    return name, tuple(sorted(labels)), value


def unescape(text: str, *, quotes: bool) -> str:
    allowed = {"\\\\": "\\", "\\n": "\n"} | ({'\\"': '"'} if quotes else {})
    rest = re.sub(r"\\.|\\$", lambda found: allowed[found[0]], text)
    assert "\n" not in text
    return rest


def one(samples: dict[Sample_, float], name: str, **labels: str) -> float:
    return samples[name, tuple(sorted(labels.items()))]


def test_every_number_is_that_of_the_json(sample: Sample) -> None:
    """The command prints what the rules allow, the same numbers, and no memory by name."""
    ran = gitmem(sample.folder, "health", "--prometheus")
    told = gitmem(sample.folder, "health", "--json").json
    assert ran.code == 1
    samples = parse(ran.out)
    assert one(samples, "gitmem_health_well") == 0
    assert one(samples, "gitmem_health_over", setting="broken_headers") == 1
    assert one(samples, "gitmem_memories", branch="main") == told["size"]["memories"] == 178
    assert one(samples, "gitmem_memory_bytes", branch="main") == told["size"]["bytes"]
    for kind, count in told["by_type"].items():
        assert one(samples, "gitmem_type_memories", type=kind) == count
    for each in told["namespaces"]:
        assert one(samples, "gitmem_namespace_memories", namespace=each["name"]) == each["memories"]
    for name, _ in TROUBLES:
        assert one(samples, f"gitmem_{name}") == len(told["troubles"][name])
    for percent in ("50", "95", "99"):
        found = one(samples, "gitmem_recall_seconds", percentile=percent)
        assert found == pytest.approx(told["recall"][f"p{percent}_ms"] / 1000)
    assert one(samples, "gitmem_git_loose_objects") == told["git"]["loose"]
    assert one(samples, "gitmem_open_proposals") == 1
    for action, count in told["tend"]["actions"].items():
        assert one(samples, "gitmem_tend_memories", action=action) == count
    assert one(samples, "gitmem_tend_memories", action="stay") == told["tend"]["kept"]
    below = [sum(each) for each in zip(*told["strengths"].values(), strict=True)]
    assert sum(below) == 178
    assert [one(samples, "gitmem_strength_memories", upto=f"{n / 10:.1f}") for n in range(1, 11)] == below
    (lag,) = told["indexes"]
    assert one(samples, "gitmem_index_built", branch="main") == int(lag["commit"] is not None)
    assert samples.get(("gitmem_index_behind_commits", (("branch", "main"),)), 0) == lag["commits_behind"]
    for name in ("header-9", "links-77", "img", "note0001", HOSTILE, "Office", "what-the-move-means"):
        assert name not in ran.out


def test_names_of_any_kind_are_labels(sample: Sample) -> None:
    """Quotes, line ends and backslashes are escaped; what looks the same when written is one series."""
    health = sample.open().health()
    names = ['semantic/a"b', "semantic/a\\b", "semantic/a\nb", "semantic/\udce4", "semantic/\udcf6", "张三"]
    odd = replace(health, namespaces=[Namespace(name, Size(2, 10), 0) for name in names])
    samples = parse(health_metrics(odd))
    for name in (*names[:3], "张三"):
        assert one(samples, "gitmem_namespace_memories", namespace=name) == 2
    assert one(samples, "gitmem_namespace_memories", namespace="semantic/?") == 4


def test_small_namespaces_are_added_up(sample: Sample) -> None:
    """A scrape stays small, and the sum stays right, also beside one that is called so."""
    health = sample.open().health()
    many = [Namespace(f"semantic/n{number}", Size(3, 1), 0) for number in range(MOST_NAMESPACES - 1)]
    many += [
        Namespace(OTHERS, Size(2, 1), 0),
        Namespace("small", Size(1, 1), 0),
        Namespace("tiny", Size(1, 1), 0),
    ]
    samples = parse(health_metrics(replace(health, namespaces=many)))
    found = {
        labels: value for (name, labels), value in samples.items() if name == "gitmem_namespace_memories"
    }
    assert len(found) == MOST_NAMESPACES
    assert sum(found.values()) == sum(each.size.memories for each in many)
    assert found[(("namespace", OTHERS),)] == 4


def test_what_could_not_be_looked_at_has_no_sample(sample: Sample) -> None:
    """No zero for what nobody knows."""
    health = sample.open().health()
    blind = replace(
        health, troubles=None, objects=None, latency=None, proposals=None, branches=(), indexes=()
    )
    names = {name for name, _ in parse(health_metrics(blind))}
    assert not names & {
        "gitmem_broken_links",
        "gitmem_git_packs",
        "gitmem_recalls_30d",
        "gitmem_open_proposals",
        "gitmem_memories",
        "gitmem_index_behind_commits",
    }


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5),
    st.text(),
)
def test_any_text_and_number_comes_back(labels: dict[str, float], told: str) -> None:
    """Whatever a label, a help or a value is, the reader gets it back."""
    family = Family("gitmem_x", told.replace("\r", "") or "h")
    for text, value in labels.items():
        family.add(value, name=text)
    expected = {text.encode("utf-8", "replace").decode(): value for text, value in labels.items()}
    assert {key[0][1]: value for (_, key), value in parse(family.text()).items()} == expected
