"""How well the judgement of pairs agrees with the labels in `pairs.txt`.

Run as a program it prints the pairs that are judged otherwise, and the table of the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gitmem.evolve.claims import Reading
from gitmem.evolve.contradictions import contradictions
from gitmem.evolve.duplicates import repeats
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory

PAIRS = Path(__file__).with_name("pairs.txt")
"""The rules were made with these before the eyes."""
HELD_OUT = Path(__file__).with_name("held_out.txt")
"""These were written after, and no rule was changed for them."""
LABELS = ("same", "contrary", "other")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, in the order in which they came, and what is to be said of them."""

    label: str
    known: str
    new: str

    @property
    def is_chinese(self) -> bool:
        return any("\u4e00" <= each <= "\u9fff" for each in self.known)


@dataclass(slots=True)
class Counted:
    """How often a judgement was right, was wrong, and was missing."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    mistaken: list[Pair] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


def pairs(file: Path) -> list[Pair]:
    """The labelled pairs of a file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            label, known, new = (part.strip().replace("\\n", "\n") for part in line.split(" || "))
            assert label in LABELS, line
            found.append(Pair(label, known, new))
    return found


def reading(name: str, text: str) -> Reading:
    """The memory that a text is, as it stands in a file."""
    path = f"semantic/{name}.md"
    return Reading(read_memory(path, BlobId(name), f"---\nid: {name}\n---\n{text}\n".encode()), f"{text}\n")


def judged(pair: Pair) -> str:
    """What is said of a pair where the second comes after the first."""
    known, new = reading("known", pair.known), reading("new", pair.new)
    if repeats(new, known):
        return "same"
    return "contrary" if any(True for _ in contradictions(new, known)) else "other"


def measured(chosen: list[Pair]) -> dict[str, Counted]:
    """For duplicates and contradictions, how the judgement agrees with the labels."""
    counted = {"same": Counted(), "contrary": Counted()}
    for pair in chosen:
        said = judged(pair)
        for label, count in counted.items():
            if said == label == pair.label:
                count.right += 1
            elif said == label:
                count.wrong += 1
                count.mistaken.append(pair)
            elif pair.label == label:
                count.missed += 1
    return counted


def table() -> str:
    """The table of the documentation."""
    rows = [
        "| judgement | pairs | language | count | precision | recall |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    names = {"same": "near-duplicate", "contrary": "contradiction"}
    for label, name in names.items():
        for table, file in (("tuned on", PAIRS), ("held out", HELD_OUT)):
            for language, is_chinese in (("English", False), ("Chinese", True)):
                chosen = [pair for pair in pairs(file) if pair.is_chinese is is_chinese]
                count = measured(chosen)[label]
                figures = f"{len(chosen)} | {count.precision:.2f} | {count.recall:.2f}"
                rows.append(f"| {name} | {table} | {language} | {figures} |")
    return "\n".join(rows)


if __name__ == "__main__":
    for each in (*pairs(PAIRS), *pairs(HELD_OUT)):
        if (verdict := judged(each)) != each.label:
            print(f"{each.label} judged {verdict}: {each.known!r} / {each.new!r}")
    print(table())
