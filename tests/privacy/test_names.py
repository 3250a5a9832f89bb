"""Names of people: found by a package where the policy asks for them, and a clear word where it is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import OutsideFailure
from gitmem.privacy.names import ArgusNames, names_detector
from gitmem.store import Store
from tests.conftest import NOW, git


@pytest.fixture(autouse=True)
def no_detector_is_kept() -> Iterator[None]:
    """Each test finds the package as it is then."""
    names_detector.cache_clear()
    yield
    names_detector.cache_clear()


def only_alice(text: str, **_: Any) -> tuple[str, dict[str, str]]:
    return text, {"P-00001": "Alice Johnson"} if "Alice Johnson" in text else {}


@pytest.fixture
def asking(store: Store, folder: Path) -> Store:
    """A store whose policy keeps names out."""
    store.remember("first", id="one")
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text("utf-8") + "\n[privacy]\nname = 'redact'\n", "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", "policy")
    return Store.open(folder, clock=FixedClock(NOW))


def test_without_the_package_nothing_is_written(
    asking: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The policy asks for what cannot be done here, so the write is refused, and says what to install."""
    monkeypatch.setitem(sys.modules, "argus_redact", None)
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(OutsideFailure, match="argus-redact is not installed") as caught:
        asking.append("one", "met Alice Johnson")
    assert caught.value.hint == "pip install 'gitmem-store[pii]'"
    assert git(folder, "rev-parse", "HEAD") == before


def test_with_it_names_become_placeholders(asking: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each place where the name stands; the other rules go first."""
    module = ModuleType("argus_redact")
    module.redact = only_alice  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "argus_redact", module)
    written = asking.append("one", "met Alice Johnson, and Alice Johnson called 13800138000")
    body = asking.show("one").memory.body
    assert "Alice" not in body and body.count("[NAME:") == 2 and "[PHONE:" in body
    assert written.notices == ("a name and a phone number redacted before writing",)


def test_the_package_itself_finds_names_in_both_languages() -> None:
    """Where it is installed."""
    redact = pytest.importorskip("argus_redact").redact
    chinese = "昨天张伟和李娜在北京讨论了项目，电话13800138000。"
    for text, name in (("Contact Mary Smith.", "Mary Smith"), (chinese, "张伟")):
        found = ArgusNames(redact).find(text)
        assert [text[each.start : each.end] for each in found] == [name]
