"""Whether a place in a text is quoted, and whether the text there speaks of attacks: then it is no order."""

from __future__ import annotations

import re

from gitmem.model.code_spans import FENCE, INLINE
from gitmem.model.document import parse_document

_BLOCK = re.compile(r"^[ ]{0,3}>[^\n]*$", re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|„[^“”\n]{2,600}[“”]|«[^»\n]{2,600}»|「[^」\n]{2,600}」|"
    r"『[^』\n]{2,600}』|(?<!\w)'[^'\n]{6,600}'(?!\w)|‘[^’\n]{6,600}’(?!\w)|《[^》\n]{2,200}》"
)
_ABOUT_ATTACKS = re.compile(
    r"prompt[ -]?injection|injection attack|inject(?:ed|ing|s)? (?:prompt|instruction)|jail ?break|"
    r"red[ -]?team|attacker|adversarial|malicious|\battacks?\b|exploit|untrusted|phishing|"
    r"social engineering|注入|攻击|恶意|越狱|攻擊|惡意",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"\bexamples?\b|\be\.g\.|for instance|such as|phrases?|\blike\b|detect|filter|block|refus|\bflag|"
    r"warn|beware|trick|attempt|tries|tried|\bsays?\b|\bsaid\b|\bwrote\b|\breads?\b|containing|"
    r"contains|called|titled|quot|string|test|例如|比如|诸如|检测|拦截|拒绝|警惕|写着|写道|包含|含有|"
    r"类似|说",
    re.IGNORECASE,
)
_WINDOW = 240


class Quotations:
    """The quoted parts of one memory file: code, block quotes, quotation marks. The header has none."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._start = len(text) - len(parse_document(text).body)
        body = text[self._start :]
        self._spans = [
            (found.start() + self._start, found.end() + self._start)
            for pattern in (FENCE, INLINE, _BLOCK, _QUOTED)
            for found in pattern.finditer(body)
        ]

    def has(self, start: int, end: int) -> bool:
        """Whether the place from `start` to `end` is inside a quotation."""
        return any(first <= start and end <= last for first, last in self._spans) or any(
            first <= start < last and end - last <= 2 for first, last in self._spans
        )

    def softening(self, start: int, end: int) -> int:
        """By how many steps a finding there is less severe: 0, 1, or 2."""
        before = self._text[max(self._start, start - _WINDOW) : start]
        after = self._text[end : end + _WINDOW // 2]
        is_about = bool(_ABOUT_ATTACKS.search(before) or _ABOUT_ATTACKS.search(after))
        if not self.has(start, end):
            return int(is_about)
        return 2 if is_about or _EXAMPLE.search(before) else 1
