"""Formats of keys that services give out: each with a text without which it cannot be there.

Sources: what the services say of their own keys. Each pattern is bounded, so that time grows with the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gitmem.model.lazily import Lazy
from gitmem.model.sensitive import SECRET
from gitmem.privacy.found import Found

_W = r"[A-Za-z0-9_\-]"
FORMATS: tuple[tuple[str, str], ...] = (
    # Clouds
    ("AKIA", r"AKIA[A-Z0-9]{16}"),
    ("ASIA", r"ASIA[A-Z0-9]{16}"),
    ("ABSK", r"ABSK[A-Za-z0-9+/]{40,200}={0,2}"),
    ("AIza", rf"AIza{_W}{{35}}"),
    ("GOCSPX-", rf"GOCSPX-{_W}{{28}}"),
    ("ya29.", rf"ya29\.{_W}{{20,300}}"),
    ("AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/]{40,100}={0,2}"),
    ("SharedAccessKey=", r"(?<=SharedAccessKey=)[A-Za-z0-9+/]{40,100}={0,2}"),
    ("sig=", r"(?<=[?&]sig=)[A-Za-z0-9%+/]{40,120}"),
    ("LTAI", r"LTAI[A-Za-z0-9]{12,30}"),
    ("AKID", r"AKID[A-Za-z0-9]{13,40}"),
    ("dop_v1_", r"dop_v1_[a-f0-9]{64}"),
    ("doo_v1_", r"doo_v1_[a-f0-9]{64}"),
    ("dor_v1_", r"dor_v1_[a-f0-9]{64}"),
    ("hvs.", rf"hvs\.{_W}{{20,300}}"),
    ("hvb.", rf"hvb\.{_W}{{20,300}}"),
    ("atlasv1.", rf"[A-Za-z0-9]{{14}}\.atlasv1\.{_W}{{60,100}}"),
    ("dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9.]{40,60}"),
    ("FlyV1 ", r"(?<=FlyV1 )fm[12][ar]?_[A-Za-z0-9+/=,_]{40,800}"),
    # Code and packages
    *((f"gh{kind}_", rf"gh{kind}_[A-Za-z0-9]{{30,255}}") for kind in "pousr"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{22,255}"),
    ("glpat-", rf"glpat-{_W}{{20,100}}(?:\.{_W}{{2,20}}){{0,2}}"),
    ("gl", rf"gl(?:dt|rt|cbt|ptt|ft|soat|agent|oas|imt)-{_W}{{20,100}}"),
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-", rf"pypi-{_W}{{32,500}}"),
    ("rubygems_", r"rubygems_[a-f0-9]{48}"),
    ("dckr_pat_", rf"dckr_pat_{_W}{{20,60}}"),
    ("ATATT3", r"ATATT3[A-Za-z0-9_\-=]{50,300}"),
    ("ATBB", r"ATBB[A-Za-z0-9]{24,60}"),
    ("lin_api_", r"lin_api_[A-Za-z0-9]{32,64}"),
    ("figd_", rf"figd_{_W}{{30,60}}"),
    ("PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("sntry", r"sntry[su]_[A-Za-z0-9+/=_]{40,300}"),
    ("glsa_", r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"),
    ("glc_", r"glc_[A-Za-z0-9+/]{32,400}={0,2}"),
    ("NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_\-.=]{32,64}"),
    ("sbp_", r"sbp_[a-f0-9]{40}"),
    # Models
    ("sk-ant-", rf"sk-ant-{_W}{{20,200}}"),
    ("sk-", rf"sk-(?=[A-Za-z_\-]{{0,40}}[0-9]){_W}{{20,250}}"),
    ("hf_", r"hf_[A-Za-z0-9]{30,60}"),
    ("gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
    ("xai-", r"xai-[A-Za-z0-9]{60,100}"),
    ("pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    ("r8_", r"r8_[A-Za-z0-9]{37}"),
    ("dapi", r"dapi[a-f0-9]{32}(?:-\d{1,2})?"),
    # Messages and mail
    ("xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9\-]{10,250}"),
    ("xapp-", r"xapp-\d-[A-Za-z0-9\-]{20,250}"),
    (
        "hooks.slack.com/",
        r"https?://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/\-]{20,150}",
    ),
    (
        "/api/webhooks/",
        rf"https?://[a-z.]{{0,20}}discord(?:app)?\.com/api/webhooks/\d{{17,20}}/{_W}{{40,100}}",
    ),
    (
        ".webhook.office.com/",
        r"https?://[a-z0-9\-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@\-/]{60,250}",
    ),
    ("open.feishu.cn/open-apis/bot/", r"https?://open\.feishu\.cn/open-apis/bot/v2/hook/[a-f0-9\-]{36}"),
    (":AA", rf"(?:bot)?\d{{8,10}}:AA{_W}{{32,34}}"),
    (".", rf"[MNO][A-Za-z0-9_\-]{{23,27}}\.{_W}{{6,7}}\.{_W}{{27,40}}"),
    ("SG.", rf"SG\.{_W}{{16,32}}\.{_W}{{16,64}}"),
    ("SK", r"SK[0-9a-f]{32}"),
    ("key-", r"key-[0-9a-f]{32}"),
    ("-us", r"[0-9a-f]{32}-us\d{1,2}"),
    ("xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    ("re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}"),
    # Shops and payment
    *(
        (f"{kind}_{mode}_", rf"{kind}_{mode}_[A-Za-z0-9]{{10,250}}")
        for kind in ("sk", "rk")
        for mode in ("live", "test")
    ),
    ("whsec_", r"whsec_[A-Za-z0-9+/]{24,64}={0,2}"),
    *((f"shp{kind}_", rf"shp{kind}_[a-fA-F0-9]{{32}}") for kind in ("at", "ca", "pa", "ss")),
    ("EAAA", rf"EAAA{_W}{{56,64}}"),
    ("sq0", rf"sq0(?:atp|csp|idp)-{_W}{{22,43}}"),
    # Notes and the rest
    ("secret_", r"secret_[A-Za-z0-9]{43}"),
    ("ntn_", r"ntn_[A-Za-z0-9]{40,60}"),
    ("pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("tskey-", r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,30}-[A-Za-z0-9]{20,60}"),
    ("1//0", rf"1//0{_W}{{40,120}}"),
    ("AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("AGE-PLUGIN-", r"AGE-PLUGIN-[A-Z0-9]{2,20}-1[A-Z0-9]{20,200}"),
)
"""Text that must be there, and the pattern."""


LEAST_CHARACTERS = 15
"""No key is shorter, and none has a blank in it: most texts hold no word that could be one."""
_LONG_WORD = Lazy(rf"\S{{{LEAST_CHARACTERS}}}")
_STANDS_FOR_ONE = Lazy(r"(?i)x{4}|your|example|placeholder|\.{3}|1234567890abcdef")
"""In what is written in the place of a key."""


@cache
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{source})(?![A-Za-z0-9])")


def keys_of_services(text: str) -> Iterator[Found]:
    """The keys in a plain text."""
    if _LONG_WORD.search(text) is None:
        return
    for needed, source in FORMATS:
        if needed in text:
            for found in _pattern(source).finditer(text):
                if _STANDS_FOR_ONE.search(found.group()) is None:
                    yield Found(SECRET, found.start(), found.end())
