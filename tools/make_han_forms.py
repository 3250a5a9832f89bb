"""Make gitmem/index/han_forms.txt from two files of the Unicode Han Database.

usage: python tools/make_han_forms.py DIR

DIR holds Unihan_Variants.txt and Unihan_OtherMappings.txt (Unicode 15.0; Debian's package `unicode-data`
has them, compressed). Every character that is written in more than one way gets one form that it is
folded to: the simplified one where there is one, else the one that more character sets know.

1. Traditional to simplified: kSimplifiedVariant; of several the first that GB 2312 has.
2. Japanese new to old forms: kJinmeiyoKanji, and `NEW_AND_OLD` for the rest of the 1949 table.
3. Other ways of writing the same (峯 峰): kZVariant and kSemanticVariant, where GB 2312 has exactly one of
   them, the character itself is not in GB 2312 and no everyday Japanese one.

Only characters of the two oldest Han blocks in a national character set take part.
"""

from __future__ import annotations

import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "gitmem" / "index" / "han_forms.txt"
SETS = ("kBigFive", "kJis0", "kKSC0", "kHKSCS", "kGB0", "kGB1")
NEW_AND_OLD = """
    亀龜 仮假 処處 剤劑 労勞 効效 勅敕 勧勸 呉吳 営營 囲圍 図圖 圧壓 塩鹽 壌壤 壱壹 変變 娯娛 対對
    帰歸 廃廢 弐貳 悩惱 戸戶 戻戾 択擇 拠據 拡擴 挙舉 擧舉 挿插 斎齋 査查 桟棧 権權 歓歡 歯齒 歳歲
    殻殼 氷冰 沢澤 済濟 渓溪 満滿 犠犧 猟獵 産產 発發 穏穩 窓窗 粛肅 経經 絵繪 絶絕 継繼 続續 総總
    縄繩 脳腦 舎舍 舗鋪 艶艷 蛍螢 衆眾 覇霸 覚覺 観觀 訳譯 説說 読讀 賛贊 軽輕 辺邊 逓遞 遅遲 郷鄉
    釈釋 鉄鐵 鉱礦 鑛礦 銭錢 鋭銳 関關 閲閱 闘鬥 鬪鬥 隠隱 隣鄰 隷隸 霊靈 頬頰 顔顏 駄馱 駅驛 髄髓
    麺麵 齢齡 両兩 値值 戦戰 奨獎 醤醬 痩瘦 勲勛 勳勛 焔焰 鴬鶯 蝿蠅 頚頸 鹸鹼 蝋蠟 讃贊 嚢囊 填塡
    噛嚙 鶏雞 鷄雞 錬煉 鍊煉 浄净 淨净 渋澀 澁澀 駆驅 駈驅 汚污 裏裡 啓啟 姉姊 妬妒 呪咒 粧妝 剝剥
    鉢缽 週周 佈布 靑青
"""
BOTH_IN_USE = "芸藝 浜濱 豊豐 証證 缶罐 糸絲"
"""Japanese forms that Chinese has as rare characters of their own; they fold all the same."""
NOT_FOLDED = "覆"
LINE_CHARACTERS = 54


def main() -> None:
    properties = _properties(Path(sys.argv[1]))
    groups: dict[str, list[str]] = defaultdict(list)
    for character, form in sorted(_forms(properties).items()):
        groups[form].append(character)
    lines = [""]
    for form, characters in sorted(groups.items()):
        group = form + "".join(characters)
        if len(lines[-1]) + len(group) >= LINE_CHARACTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {group}".strip()
    head = [line for line in TARGET.read_text("utf-8").splitlines() if line.startswith("#")]
    TARGET.write_text("\n".join([*head, *lines]) + "\n", "utf-8")


def _properties(folder: Path) -> Mapping[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name in ("Unihan_Variants.txt", "Unihan_OtherMappings.txt"):
        for line in (folder / name).read_text("utf-8").splitlines():
            if line.startswith("U+"):
                code, kind, value = line.split("\t")
                found[kind][_character(code)] = value
    return found


def _character(code: str) -> str:
    return chr(int(code.removeprefix("U+"), 16))


def _characters(value: str) -> list[str]:
    return [_character(part.partition("<")[0]) for part in value.split()]


def _forms(properties: Mapping[str, dict[str, str]]) -> dict[str, str]:
    mainland, everyday = properties["kGB0"], properties["kJoyoKanji"]
    found: dict[str, str] = {}

    def end(character: str) -> str:
        while character in found:
            character = found[character]
        return character

    def takes_part(character: str) -> bool:
        is_common = any(character in properties[name] for name in SETS)
        return is_common and "\u3400" <= character <= "\u9fff" and character not in NOT_FOLDED

    for character, value in properties["kSimplifiedVariant"].items():
        others = [other for other in _characters(value) if other != character]
        form = next((other for other in others if other in mainland), next(iter(others), ""))
        if takes_part(character) and "\u3400" <= form <= "\u9fff":
            found[character] = form
    for new, old in _new_and_old(properties):
        new_end, old_end = end(new), end(old)
        are_both_chinese = {new_end, old_end}.issubset(mainland)
        if new_end == old_end or (are_both_chinese and new + old not in BOTH_IN_USE):
            continue
        form, other = (old_end, new_end) if old_end in mainland else (new_end, old_end)
        found[other] = form
    for kind in ("kZVariant", "kSemanticVariant"):
        for character, value in properties[kind].items():
            if character in {**found, **mainland, **everyday} or not takes_part(character):
                continue
            forms = {end(other) for other in _characters(value)}.intersection(mainland)
            if len(forms) == 1 and character >= "\u4e00":
                found[character] = forms.pop()
    return {character: end(character) for character in found}


def _new_and_old(properties: Mapping[str, dict[str, str]]) -> Iterator[tuple[str, str]]:
    for pair in (NEW_AND_OLD + BOTH_IN_USE).split():
        yield pair[0], pair[1]
    for old, value in properties["kJinmeiyoKanji"].items():
        new = _character(value.partition(":")[2]) if ":" in value else old
        if new != old and all(unicodedata.normalize("NFKC", each) == each for each in (new, old)):
            yield new, old


if __name__ == "__main__":
    main()
