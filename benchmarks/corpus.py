"""A corpus that is the same on every machine.

A memory has about 830 bytes and stands where gitmem would put it. Words follow Zipf's law; one memory in
eight is Chinese. Number N gives the same memory always, so that a larger corpus begins with the smaller.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gitmem.model.change import Draft
from gitmem.model.ids import ALPHABET, LETTERS, MemoryId
from gitmem.model.memory import Json, MemoryType
from gitmem.model.place import file_name, folder_for, shard_of

SEED = 20261129
SIZES = (1_000, 10_000, 100_000)
FIRST_DAY = datetime(2023, 12, 1, tzinfo=UTC)
DAYS = 1_095
VOCABULARY = 30_000
COMMON = (
    "the of and to in a is that for it was on are as with be at by this from or have an they which you one we"
    " all her she there would their him been has when who will more no if out so said what up its about into"
    " than them can only other new some could time these two may then do first any my now such like our over"
    " me even most made after also did many before must through back years where much your way well down"
    " should because each just people how too little state good very make world still own see men work long"
    " get here between both life being under never day same another know while last might us great old year"
    " off come since against go came right used take three report meeting project customer invoice release"
    " deploy server database password contract budget travel flight hotel coffee family school doctor music"
).split()
SYLLABLES = (
    "ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge go ha he hi ho ka ke ki la le li lo lu"
    " ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo"
    " tion ment ing ter ver con per pro est and ent ist ous al ic ly er or an en"
).split()
SHARES = {
    MemoryType.SEMANTIC: 55,
    MemoryType.EPISODIC: 35,
    MemoryType.PROCEDURAL: 7,
    MemoryType.REFLECTIVE: 3,
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory of the corpus: where it stands, its bytes, and what a peer that knows no files needs."""

    number: int
    id: MemoryId
    type: MemoryType
    namespace: str
    path: str
    created: datetime
    title: str
    tags: Sequence[str]
    body: str
    data: bytes


@cache
def words() -> tuple[Sequence[str], Sequence[float]]:
    """The words, the most frequent first, and their cumulative weights."""
    chance = random.Random(SEED)
    known = dict.fromkeys(COMMON)
    while len(known) < VOCABULARY:
        known["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4)))] = None
    return list(known), _zipf(VOCABULARY)


@cache
def characters() -> tuple[Sequence[str], Sequence[float]]:
    """Chinese characters, the most frequent first, and their cumulative weights."""
    chance = random.Random(SEED + 1)
    return chance.sample([chr(code) for code in range(0x4E00, 0x9000)], 2_500), _zipf(2_500)


def _zipf(count: int) -> list[float]:
    return list(itertools.accumulate(1 / (rank + 2.7) for rank in range(count)))


def entry(number: int, revision: int = 0) -> Entry:
    """Memory `number` of the corpus; another `revision` has another text under the same name."""
    chance = random.Random(SEED * 1_000_003 + number)
    memory_id = MemoryId(chance.choice(LETTERS) + "".join(chance.choices(ALPHABET, k=7)))
    kind = chance.choices(list(SHARES), weights=list(SHARES.values()))[0]
    created = FIRST_DAY + timedelta(days=chance.randrange(DAYS), minutes=chance.randrange(1_440))
    namespace = _namespace(chance, kind)
    is_chinese = chance.random() < 0.125
    title = _text(chance, is_chinese, 40 if not is_chinese else 30).rstrip(".。")
    tags = sorted(set(chance.choices(words()[0][60:160], k=chance.randint(0, 3))))
    if revision:
        chance.seed(f"{SEED} {number} {revision}")
    body = _text(chance, is_chinese, int(chance.gauss(640, 120)))
    fields: dict[str, Json] = {
        "id": memory_id,
        "type": str(kind),
        "title": title,
        "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        **({"tags": list(tags)} if tags else {}),
        "importance": round(chance.random(), 1),
        "agent": f"agent-{number % 7}",
        "session": f"s-{number // 20}",
    }
    path = _path(kind, namespace, title, memory_id, created)
    data = Draft(memory_id, kind, path, fields, body).data
    return Entry(number, memory_id, kind, namespace, path, created, title, tags, body, data)


def _namespace(chance: random.Random, kind: MemoryType) -> str:
    if kind is MemoryType.EPISODIC or chance.random() < 0.4:
        return ""
    return f"people/person-{chance.randrange(200)}" if chance.random() < 0.5 else (
        f"projects/project-{chance.randrange(100)}"
    )  # fmt: skip


def _text(chance: random.Random, is_chinese: bool, size_bytes: int) -> str:
    """Sentences of about `size_bytes` in UTF-8."""
    known, weights = characters() if is_chinese else words()
    count = max(3, size_bytes // 3 if is_chinese else size_bytes // 6)
    chosen = chance.choices(known, cum_weights=weights, k=count)
    if is_chinese:
        return "。".join("".join(chosen[at : at + 18]) for at in range(0, count, 18)) + "。"
    sentences = (" ".join(chosen[at : at + 12]) for at in range(0, count, 12))
    return ". ".join(sentence[:1].upper() + sentence[1:] for sentence in sentences) + "."


def _path(kind: MemoryType, namespace: str, title: str, memory_id: MemoryId, created: datetime) -> str:
    folder = folder_for(kind, namespace, created)
    if not namespace and kind is not MemoryType.EPISODIC:
        folder = f"{folder}/{shard_of(memory_id)}"
    return f"{folder}/{file_name(kind, title, memory_id, created)}"


def question(number: int, terms: int, size: int) -> str:
    """`terms` words of medium rank that stand in one memory of the first `size`."""
    rank = {word: place for place, word in enumerate(words()[0])}
    for step in itertools.count():
        body = entry((number * 7_919 + step) % size).body.lower().replace(".", "")
        fitting = [word for word in dict.fromkeys(body.split()) if 30 <= rank.get(word, -1) < 5_000]
        if len(fitting) >= terms:
            return " ".join(random.Random(number).sample(fitting, terms))
    raise AssertionError
