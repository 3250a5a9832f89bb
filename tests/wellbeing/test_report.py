"""The report is one page that needs nothing else, shows the numbers, and is harmless whatever memories say."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from html.parser import HTMLParser
from pathlib import Path

import pytest
from msgspec.structs import replace

from gitmem.cli.charts import scale, shortened
from gitmem.cli.report_page import report_page
from gitmem.store import Store
from tests.browser import Browser
from tests.conftest import gitmem
from tests.wellbeing.sample import HOSTILE, Sample

ALLOWED = frozenset(
    "html head meta title style body main header h1 span p dl div dt dd section h2 ul li strong svg rect line "
    "text circle polyline details summary table thead tbody tr th td footer".split()
)


class Read(HTMLParser):
    """The elements of a page, checked to be closed in order, and the texts of its tables."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag != "meta":
            self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open[-1:] in (["td"], ["th"]):
            self.tables[-1][-1][-1] += data

    def table(self, *heads: str) -> list[list[str]]:
        """The rows of the table whose head begins so."""
        (found,) = (table for table in self.tables if table[0][: len(heads)] == list(heads))
        return found[1:]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return {}


@pytest.fixture
def page(sample: Sample, made: dict[str, str]) -> str:
    if not made:
        made["page"] = report_page(sample.open().health())
    return made["page"]


def test_the_page_needs_nothing_but_itself(page: str) -> None:
    """No script, no address, no style that its policy does not know by its digest."""
    read = Read(page)
    assert {tag for tag, _ in read.elements} <= ALLOWED
    names = {name for _, attributes in read.elements for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (
        names & {"style", "href", "src", "xlink:href"}
    )
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert "url(" not in style and "@import" not in style
    policies = [a["content"] for tag, a in read.elements if a.get("http-equiv") == "Content-Security-Policy"]
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    ]


def test_a_hostile_title_is_text(page: str) -> None:
    assert " ".join(HOSTILE.replace("\u202e", " ").split()) in Read(page).text
    assert "<img" not in page and "\u202e" not in page and page.count("</script") == 0


def test_charts_have_names_and_tables_with_the_same_numbers(sample: Sample, page: str) -> None:
    health, read = sample.open().health(), Read(page)
    charts = [attributes for tag, attributes in read.elements if tag == "svg"]
    assert len(charts) == 4
    assert all(chart["role"] == "img" and chart["aria-label"] for chart in charts)
    months = read.table("Month")
    assert [row[0] for row in months] == [month.month for month in health.months]
    assert [int(row[1]) for row in months] == [month.memories for month in health.months]
    assert all(sum(map(int, row[2:])) == int(row[1]) for row in months)
    assert [(row[0], int(row[1])) for row in read.table("Namespace")] == [
        (each.name, each.size.memories) for each in health.namespaces
    ]
    assert health.latency is not None
    assert [(row[0], int(row[1])) for row in read.table("Day")] == [
        (day, count) for day, count, *_ in health.latency.by_day
    ]
    assert health.outlook is not None
    steps = zip(*(health.outlook.strengths[kind] for kind in sorted(health.outlook.strengths)), strict=True)
    assert [sorted(map(int, row[1:])) for row in read.table("Strength")] == [sorted(step) for step in steps]
    assert "tend: nothing to do" in read.text or "tend: would" in read.text
    assert [row[0] for row in read.table("Proposal")] == ["what-the-move-means"]


def test_heights_of_columns_are_as_the_numbers(page: str) -> None:
    """A part twice as high means twice as many: all in one measure."""
    parts = re.findall(r'height="([\d.]+)"><title>[\d-]+: \w+ ([\d,]+)</title>', page)
    measures = [float(height) / int(count) for height, count in parts if int(count) >= 9]
    assert len(measures) > 8
    assert max(measures) - min(measures) < 0.02


def test_the_same_health_gives_the_same_page(sample: Sample, page: str) -> None:
    assert report_page(sample.open().health()) == page


def test_what_could_not_be_looked_at_is_no_zero(sample: Sample) -> None:
    health = replace(
        sample.open().health(),
        size=None,
        months=(),
        namespaces=(),
        troubles=None,
        objects=None,
        proposals=None,
    )
    read = Read(report_page(health))
    assert read.text.count("could not be looked at") >= 8
    assert "No memories yet" not in read.text and "No proposals" not in read.text


def test_an_empty_store_has_a_page_too(store: Store) -> None:
    read = Read(report_page(store.health()))
    assert "well" in read.text and "No proposals." in read.text


def test_long_lists_say_what_they_leave_out(sample: Sample) -> None:
    health = sample.open().health()
    assert health.troubles is not None
    (one,) = health.troubles.disputes
    read = Read(report_page(replace(health, troubles=replace(health.troubles, disputes=[one] * 1053))))
    assert "Disputed (1,053)" in read.text
    assert "1,003 more are left out" in read.text


@pytest.mark.parametrize(
    ("most", "top", "ticks"),
    [(0, 1, 1), (1, 1, 5), (3, 3, 4), (7, 8, 5), (178, 200, 5), (10_000, 10_000, 5), (0.33, 0.4, 5)],
)
def test_an_axis_holds_the_most_in_round_steps(most: float, top: float, ticks: int) -> None:
    found, values = scale(most)
    assert found == pytest.approx(top)
    assert len(values) == ticks
    assert found >= most


def test_a_long_name_is_cut_in_the_middle() -> None:
    assert shortened("semantic/people/alice", 21) == "semantic/people/alice"
    assert shortened("semantic/people/alice-in-the-long-land", 20) == "semantic/…-long-land"


def test_the_command_writes_prints_and_overwrites_only_reports(own_sample: Sample, tmp_path: Path) -> None:
    folder = own_sample.folder
    target = tmp_path / "report.html"
    ran = gitmem(folder, "report", "--html", str(target), "--json")
    assert (ran.code, ran.json["bytes"], ran.json["findings"]) == (0, target.stat().st_size, 1)
    first = target.read_text("utf-8")
    Read(first)
    assert gitmem(folder, "report", "--html", str(target)).code == 0
    printed = gitmem(folder, "report", "--html", "-")
    assert printed.out.startswith("<!doctype html>")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["report.html", "team"]
    mine = tmp_path / "mine.html"
    mine.write_text("my own page")
    refused = gitmem(folder, "report", "--html", str(mine))
    assert (refused.code, mine.read_text()) == (5, "my own page")
    assert "mine.html is not a report of gitmem" in refused.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("report", 2, "--html FILE"),
        ("report --html - --json", 2, "contradict"),
        ("report --html /nowhere/at/all/r.html", 8, "cannot be written"),
        ("report --html .", 5, "is not a report"),
        ("health --json --prometheus", 2, "contradict"),
        ("health --branch nowhere", 3, "nowhere"),
    ],
)
def test_wrong_use_is_one_clear_line(store: Store, folder: Path, words: str, code: int, said: str) -> None:
    ran = gitmem(folder, *words.split())
    assert ran.code == code
    assert said in ran.err and "Traceback" not in ran.err


def test_a_store_that_is_well_ends_with_0(store: Store, folder: Path) -> None:
    ran = gitmem(folder, "health")
    assert ran.code == 0, ran.out + ran.err
    assert ran.out.startswith("health    well\n")


def test_a_real_browser_shows_it_without_complaint(
    sample: Sample, page: str, browser: Browser, tmp_path: Path
) -> None:
    """Light, dark and narrow: no message in its console, nothing fetched, nothing beside the page."""
    file = tmp_path / "report.html"
    file.write_text(page, "utf-8")
    shown = browser.open(file, width=1100, height=900)
    assert shown.evaluate("document.querySelectorAll('svg').length") == 4
    assert shown.evaluate("document.querySelectorAll('script, img, link, iframe').length") == 0
    assert shown.text("h1") == "How team is doing"
    assert shown.text(".figure") == "178"
    light = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    for width, is_dark in ((1100, True), (390, False)):
        shown.look(width=width, height=900, is_dark=is_dark)
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
        is_light = shown.evaluate("getComputedStyle(document.body).backgroundColor") == light
        assert is_light is not is_dark
    overflow = "[...document.querySelectorAll('svg text')].filter(t => { const b = t.getBBox(), v = t.ownerSVGElement.viewBox.baseVal; return b.x < -1 || b.x + b.width > v.width + 1 }).length"
    assert shown.evaluate(overflow) == 0
    assert shown.problems == []
    assert shown.requests == [file.as_uri()]
    shown.close()
