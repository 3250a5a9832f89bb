"""What the words around a number say that it is."""

from __future__ import annotations

import re
from enum import IntEnum

from gitmem.model.lazily import Lazy
from gitmem.privacy.runs import Run

_PHONE = Lazy(
    r"(?i)(?:\b(?:tel(?:efon(?:e|o)?|[eé]fono|ephone)?|t[eé]l(?:[eé]phone)?|"
    r"(?:tele|cell|mobile[ \-]?|work[ \-]|home[ \-])?phones?|mobile?|cell(?:ular)?|handy(?:nummer)?|"
    r"rufnummer|fax|telefax|whats ?app|sms|hotline|landline|voice ?mail|m[oó]vil|celular|portable|ligue|"
    r"ph)\b|电话|電話|手机|手機|座机|热线|熱線|传真|傳真|致电|拨打|撥打|来电|联系方式|联系号码|聯絡|携帯|전화|휴대폰|連絡先|手机号|联系人|微信|钉钉)"
)
_CALL = Lazy(
    r"(?i)(?:\b(?:call(?:ed|s|ing)?|ring|rang|dial(?:led|ed)?|text(?:ed)?|reach(?:ed|able)?|contact|anrufen|erreichbar|"
    r"number is|appel(?:er|ez)|llama[rd]?\w*)\b|打给|打|联系|聯繫|呼叫|联络)"
)
_OTHER = Lazy(
    r"(?i)(?:\b(?:orders?|invoices?|tracking|track|shipments?|parcel|rows?|lines?|builds?|sku|parts?|serial|models?|"
    r"versions?|epoch|timestamps?|ts|ids?|uid|pid|uuid|accounts?|acct|tickets?|cases?|refs?|references?|isbn|issn|"
    r"ports?|batch|lot|commits?|revisions?|rev|hash|sizes?|bytes|offsets?|seeds?|records?|entry|entries|page|"
    r"issues?|prs?|transactions?|txn|receipts?|bookings?|rfc|doi|barcode|ean|upc|vin|checksum|index|count(?:er|s)?|"
    r"population|total|sum|amount|balance|price|revenue|snowflake|asin|imei|iccid|mac|job|run|task|key|step|code|patent|"
    r"worker|customer|user|member|student|employee|client|case|chip|frequency|memory|address|drawings?|dwg|sheet|figure|passports?|0x\w*)\b"
    r"(?:[ _\-](?:number|num|no|nr)\b(?:\.?[ ](?:is|was))?)?|"
    r"订单|單號|单号|發票|发票|快递(?!员|小哥)|运单|编号|編號|序列号|型号|版本|工号|学号|流水|账号|帳號|条码|条形码|批次|批号|房间|"
    r"身份|护照|证号|证件|卡号|邮编|时间戳|金额|总计|合计|尺寸|群|QQ|编码|代码|户号|税号|信用代码|件号|料号|哈希|随机|种子|主键|ID|id)"
)
NEAR = 32


class Told(IntEnum):
    """How surely the words around a number say that it is one to call."""

    NO = 0
    PERHAPS = 1
    SURELY = 2


def told_phone(run: Run) -> Told:
    """What the words nearest to the number say; one that means nothing else is sure."""
    before = run.before(48)
    sure = _last(_PHONE, before)
    told = max(sure, _last(_CALL, before[-28:], len(before[:-28])))
    if told < 0:
        return Told.PERHAPS if _PHONE.search(run.after(14)) and not says_other(run) else Told.NO
    if told <= _last(_OTHER, before):
        return Told.NO
    return Told.SURELY if len(before) - NEAR <= sure and sure >= 0 else Told.PERHAPS


def says_other(run: Run) -> bool:
    """Whether the words directly before the number say that it counts or names something else."""
    clause = re.split(r"[,;，。；、|]", run.before(NEAR))[-1]
    other = _last(_OTHER, clause)
    return other >= 0 and other >= max(_last(_PHONE, clause), _last(_CALL, clause))


def _last(pattern: Lazy, text: str, offset: int = 0) -> int:
    """Where the last match ends; -1 where there is none."""
    place = -1
    for found in pattern.finditer(text):
        place = found.end() + offset
    return place
