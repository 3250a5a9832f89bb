"""Text as a reader takes it in: look-alike letters, accents, invisible characters and case folded away."""

from __future__ import annotations

import unicodedata
from functools import cached_property
from itertools import accumulate


def _pairs(text: str) -> dict[str, str]:
    return {pair[0]: pair[1] for pair in text.split()}


_LOOK_ALIKES = _pairs(
    "аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo рp ԛq ѕs тt уy хx ѵv ԝw ԍg ґ"
    "r пn гr АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS "
    "ТT УY ХX αa βb ϲc εe ηn ιi κk νv οo ρp σo τt υu χx ωw γy ΑA ΒB ΕE Ζ"
    "Z ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX "
    "ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz "
    "ɑa ɡg ıi ɩi օo սu ոn һh ցg ԁd łl øo đd ħh ŧt Łl Øo Đd Ꭺa Ꭼe Ꮋh Ꮖi Ꮯc Ꮲp Ꮪs Ꭲt Ꮩv Ꮃw"
)
"""Letters of other scripts, and odd Latin ones, that look like plain Latin letters: each pair is both."""
_SIMPLIFIED = _pairs(
    "無无 視视 記记 規规 則则 設设 說说 "
    "對对 話话 從从 現现 開开 發发 總总 統统 員员 權权 將将 戶户 問问 薦荐 傳传 給给 "
    "訴诉 運运 執执 長长 憶忆 遠远 這这 "
    "聽听 準准 確确 認认 詢询 裝装 樣样 過过 優优 義义 戰战 錄录 鑰钥 碼码 為为 "
    "掉掉 約约 內内 絕绝 時时 來来 據据 "
    "隱隐 瞞瞒 務务 經经 誰谁 會会 機机 檔档 們们 實实 後后 終终 蓋盖 繞绕 個个"
)
"""Chinese characters that the rules speak of, from their traditional to their simplified form."""
_BLANK_LETTERS = frozenset("\u3164\u115f\u1160\uffa0\u2800\u17b4\u17b5")
"""They count as letters, and show nothing."""
_QUOTES = dict.fromkeys("‘’‚‛´", "'") | dict.fromkeys("“”„‟", '"')


def _folded(character: str) -> str:
    if character in "\n\t":
        return character
    category = unicodedata.category(character)
    if category in ("Cf", "Mn", "Me") or character in _BLANK_LETTERS:
        return ""
    if category == "Zs" or category == "Cc":
        return " "
    if category == "Pd":
        return "-"
    if character in _QUOTES:
        return _QUOTES[character]
    letters = (each for each in unicodedata.normalize("NFKD", character) if not unicodedata.combining(each))
    return "".join(_SIMPLIFIED.get(each) or _LOOK_ALIKES.get(each, each).casefold() for each in letters)


class _Folding(dict[int, str]):
    """What each character becomes, found out when it is met."""

    def __missing__(self, code: int) -> str:
        found = self[code] = _folded(chr(code))
        return found


_FOLDING = _Folding()


class Plain:
    """`text`, the folded form of `raw`, and the way back from a place in it."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = raw.lower() if raw.isascii() else raw.translate(_FOLDING)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The start and end in `raw` of what stands from `start` to `end` in `text`."""
        if self.raw.isascii():
            return start, end
        ends = self._ends
        first = _first_above(ends, start)
        last = _first_above(ends, max(start, end - 1))
        return first, last + 1

    @cached_property
    def _ends(self) -> list[int]:
        """For each character of `raw`, where what it became ends in `text`."""
        return list(accumulate(len(_FOLDING[ord(character)]) for character in self.raw))


def _first_above(ends: list[int], place: int) -> int:
    from bisect import bisect_right

    return min(bisect_right(ends, place), len(ends) - 1)
