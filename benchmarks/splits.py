"""Whether weights carry over: tuned on three conversations, tried on the other two."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import mean
from types import ModuleType
from typing import Any

from measuring import MEASURES, Answered, means

from gitmem.index.sessions import Weights
from gitmem.recall import author, dates, meaning, neighbours, relevance, session
from gitmem.recall.weights import LENT_BY_EARLIER, LENT_BY_LATER

TRIES = 40
SEED = 5
TUNED_MEASURES = MEASURES[:3]
Choices = Mapping[str, tuple[tuple[ModuleType, ...], tuple[Any, ...]]]
CHOICES: Choices = {
    "K1": ((neighbours, relevance), (0.6, 0.8, 1.0, 1.3)),
    "AUTHOR_LIFT": ((author,), (0.1, 0.2, 0.3, 0.5)),
    "DATE_LIFT": ((dates,), (0.0, 0.2, 0.5, 0.8)),
    "SESSION_SHARE": ((session,), (0.1, 0.3, 0.5)),
    "SESSION_K1": ((session,), (0.4, 0.7, 1.2)),
    "SESSION_B": ((session,), (0.25, 0.5, 0.75)),
    "LENT_BY_LONG": ((neighbours,), (0.0, 0.3, 0.6)),
    "LENDING": (
        (neighbours,),
        tuple(
            Weights(
                later=tuple(share * weight for weight in LENT_BY_EARLIER),
                earlier=tuple(other * weight for weight in LENT_BY_LATER),
            )
            for share in (0.6, 1.0, 1.4)
            for other in (0.6, 1.0, 1.4)
        ),
    ),
}
"""The weights that are tried, where they are used, and their values."""
MEANING_CHOICES: Choices = {
    "MEANING_SHARE": ((meaning,), (0.5, 0.75, 1.0, 1.25, 1.5, 2.0)),
    "MEANING_LENT": ((meaning,), (0.0, 0.35, 0.5, 0.65)),
}
"""The same for embeddings."""

Run = Callable[[], list[Answered]]


def split_gaps(run: Run, choices: Choices = CHOICES) -> Iterator[str]:
    """For every choice of three scopes: how the weights best there do on the others, in Markdown."""
    tried = list(_tried(run, choices))
    scopes = sorted({str(row.query["scope"]) for row in tried[0]})
    yield f"Weights chosen from {len(tried)} settings; the value is the mean of {', '.join(TUNED_MEASURES)}."
    yield ""
    yield "| tuned on | tried on the others | tuned on the others | gap |"
    yield "| --- | --: | --: | --: |"
    gaps = []
    for three in combinations(scopes, 3):
        others = [scope for scope in scopes if scope not in three]
        chosen = max(tried, key=lambda rows: _value(rows, three))
        best = max(tried, key=lambda rows: _value(rows, others))
        gaps.append(_value(best, others) - _value(chosen, others))
        values = (_value(chosen, others), _value(best, others), gaps[-1])
        yield f"| {', '.join(three)} | {' | '.join(f'{value:.1f}' for value in values)} |"
    yield f"| mean of {len(gaps)} | | | {mean(gaps):.2f} |"


def _tried(run: Run, choices: Choices) -> Iterator[list[Answered]]:
    """The answers with the weights as they are, then with weights drawn from the choices."""
    shipped = {name: getattr(modules[0], name) for name, (modules, _) in choices.items()}
    draw = random.Random(SEED)
    yield run()
    for _ in range(TRIES - 1):
        _set({name: draw.choice(values) for name, (_, values) in choices.items()}, choices)
        yield run()
    _set(shipped, choices)


def _set(weights: dict[str, Any], choices: Choices) -> None:
    for name, value in weights.items():
        for module in choices[name][0]:
            setattr(module, name, value)


def _value(rows: Sequence[Answered], scopes: Sequence[str]) -> float:
    chosen = [row for row in rows if str(row.query["scope"]) in scopes]
    return mean(means(chosen).means[name] for name in TUNED_MEASURES)
