"""Chinese, Japanese and Korean are found as well as English."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.index.analysis import query_terms
from gitmem.recall.snippet import snippet
from tests.index.memory_source import found, note
from tests.recall.cjk_notes import LANGUAGES
from tests.recall.test_search import make_view


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_finds_its_memory_first(tmp_path: Path, language: str) -> None:
    """Whatever the form of the characters, and although particles and endings are everywhere."""
    notes, questions = LANGUAGES[language]
    with make_view(tmp_path, *(note(name, text) for name, text in notes.items())) as view:
        first = {question: found(view, question, 1) for question in questions}
    assert first == {question: [name] for question, name in questions.items()}


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("用户对花生过敏，过年不吃花。", "花生过敏", ["花生过敏"]),
        ("住在臺中的車站後面", "台中车站", ["臺中", "車站"]),
        ("ﾃﾞｰﾀﾍﾞｰｽの設定", "データベース", ["ﾃﾞｰﾀﾍﾞｰｽ"]),
        ("㌔とＡＢＣ", "abc", ["ＡＢＣ"]),
        ("㌔とＡＢＣ", "キロ", ["㌔"]),
        ("민수는 서울에서 왔다", "서울", ["서울"]),
        ("渋谷駅まで歩く", "澁谷驛", ["渋谷駅"]),
        ("send an e‑mail now", "email", ["e‑mail"]),
        ("the ﬁle of STRASSE", "file straße", ["ﬁle", "STRASSE"]),
        ("calls getUserName here", "user", ["User"]),
        ("calls getUserName here", "getusername", ["getUserName"]),
        ("葛\U000e0100城市へ", "葛城", ["葛\U000e0100城"]),
        ("ไปเที่ยวเชียงใหม่", "เชียงใหม่", ["เชียงใหม่"]),
        ("in İstanbul today", "istanbul", ["İstanbul"]),
        ("وصل الكِتَابُ أمس", "الكتاب", ["الكِتَابُ"]),
    ],
)
def test_marks_are_where_the_words_are_written(text: str, query: str, marks: list[str]) -> None:
    """Also where folding makes a text longer or shorter."""
    shown = snippet(f"An opening. {text}", query_terms(query), 120)
    assert [shown.text[start:end] for start, end in shown.marks] == marks
