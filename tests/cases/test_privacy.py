"""Personal data beside what looks like it: kept word for word, or gone without a trace."""

from __future__ import annotations

import re
from pathlib import Path

from gitmem.store import Store
from tests.conftest import git

KEPT = (
    "Log 2025-11-03 20:17:45 CST, build-20251103-07, row 318204477, epoch 1717171717000, "
    "sha 13912345678abcdef0123456789abcdef0123456, uuid 1b4e28ba-2fa1-11d2-883f-0016d3cca427, v2.39.5, "
    "ISBN 978-0-306-40615-7, 192.168.100.200, order 2024 1130 0917.",
    "Use react@18.2.0 and @scope/pkg@1.2.3-beta.4; clone git@github.com:org/repo.git; systemd "
    "getty@tty1.service; see https://host.example/@user; def f(@decorator.name); 3 apples @ 1.50",
)


def test_numbers_of_logs_and_signs_of_code_are_kept_word_for_word(store: Store, folder: Path) -> None:
    """Redaction cannot be undone, so a false hit would destroy the memory."""
    for number, text in enumerate(KEPT):
        written = store.remember(text, id=f"keep{number}")
        assert store.show(f"keep{number}").memory.body == text + "\n"
        assert written.notices == ()


def test_no_piece_of_a_phone_id_or_address_is_left_anywhere(store: Store, folder: Path) -> None:
    """Neither in a version nor in a message, a file name, or a piece of a longer number."""
    store.remember("Call +86 138-0013-8000, 13800138000, (202) 555-0143 or +1 202 555 0143.", id="phones")
    store.remember("证件号 11010519491231002X，电话13800138000。小写 11010519491231002x。", id="ids")
    store.remember(
        "Write to mara.o+x@mail.example.com, 'Li@example.cn'，or git@gitmail.example.org", id="mails"
    )
    assert store.show("ids").memory.body.count("[CN_ID:") == 2
    assert re.fullmatch(
        r"Call (\[PHONE:\w{4}\]), \1, (\[PHONE:\w{4}\]) or \2\.\n", store.show("phones").memory.body
    )
    assert store.show("mails").memory.body.count("[EMAIL:") == 3
    log = git(folder, "-c", "core.quotePath=false", "log", "--all", "--patch", "--name-only", "--format=%B")
    for piece in ("13800138000", "138-0013", "555", "110105", "002X", "19491231", "mara", "Li@", "gitmail"):
        assert piece.casefold() not in log.casefold(), piece
