"""Tokens are rather counted too many than too few; by tiktoken only where that needs no network."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.recall import tokens
from gitmem.recall.tokens import estimate_tokens, token_count

# What the vocabularies cl100k_base, o200k_base, Qwen and DeepSeek count, the most and the fewest of the four.
COUNTED = [
    ("Alice wants the monthly report by e-mail, not in chat.", 13, 13),
    (
        "用户不喜欢在早上开会，偏好下午两点以后。项目贝塔的数据库迁移由李四负责，回滚脚本放在运维仓库。",
        29,
        57,
    ),
    (
        "把 API 的超时时间改成 30 秒，部署到 prod-eu-1 之前先跑 pytest。张三说 2026-11-29 之前要上线 v2.3.1。",
        45,
        54,
    ),
    ("def total(rows: list[int]) -> int:\n    return sum(row for row in rows if row > 0)\n", 24, 25),
    (
        "2026-11-29T15:30:12Z ERROR [worker-3] db.pool: timeout after 30000ms (attempt 2/5) id=m7k2q9xw",
        44,
        54,
    ),
    ("Алиса хочет получать отчёты по электронной почте, а не в чате.", 19, 31),
]


@pytest.mark.parametrize(("text", "fewest", "most"), COUNTED)
def test_the_estimate_is_near_what_models_count(text: str, fewest: int, most: int) -> None:
    """Not below nine tenths of the vocabulary that needs most, nor above three times the one that needs fewest."""
    assert 0.9 * most <= estimate_tokens(text) <= 3 * fewest


@given(st.text())
def test_every_text_has_an_estimate(text: str) -> None:
    """From one token for twelve characters, which only blanks reach, to three for one; nothing takes none."""
    assert len(text) / 12 - 1 <= estimate_tokens(text) <= 3 * len(text)
    assert estimate_tokens("") == 0


def test_tiktoken_without_its_vocabulary_is_not_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It would fetch it; a file that is not the vocabulary does not count as one."""
    fake = ModuleType("tiktoken")
    fake.__spec__ = __import__("importlib.machinery").machinery.ModuleSpec("tiktoken", None)
    monkeypatch.setitem(sys.modules, "tiktoken", fake)
    monkeypatch.setattr(socket, "socket", None)
    for folder in ("", str(tmp_path)):
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", folder)
        tokens._tiktoken.cache_clear()
        assert token_count() == (estimate_tokens, "estimate")
    (tmp_path / "fb374d419588a4632f3f557e76b4b70aebbca790").write_text("not the vocabulary")
    tokens._tiktoken.cache_clear()
    assert token_count()[1] == "estimate"
    tokens._tiktoken.cache_clear()


def test_tiktoken_is_used_where_all_of_it_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """And whatever goes wrong in it, the estimate is there."""

    class Encoding:
        def encode_ordinary(self, text: str) -> list[str]:
            return text.split()

    fake = ModuleType("tiktoken")
    fake.__spec__ = __import__("importlib.machinery").machinery.ModuleSpec("tiktoken", None)
    fake.get_encoding = lambda _name: Encoding()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tiktoken", fake)
    monkeypatch.setattr(tokens, "_has_vocabulary", lambda: True)
    tokens._tiktoken.cache_clear()
    count, name = token_count()
    assert (count("one two three"), name) == (3, "o200k_base")
    del fake.get_encoding
    tokens._tiktoken.cache_clear()
    assert token_count()[1] == "estimate"
    tokens._tiktoken.cache_clear()
