"""How a write is judged: by the policy of the store, who acts, and what the caller asked for.

one memory      same text: confirmed; near-duplicate: refused; contradictions: marked for agents, told to
                    persons
many at once    same text: confirmed; nothing else, so that a batch of ten thousand is no slower by it
forced          nothing is compared; importance is still by rule
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import BadInput
from gitmem.flows.judging.verdicts import Judging
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request
from gitmem.model.injected import injected_in
from gitmem.versions.judging_settings import Whose


def judging_for(
    work: Work, *, is_bulk: bool = False, is_forced: bool = False, marks: bool | None = None
) -> Judging:
    """How what whoever acts writes to `work` is judged.

    `marks` says whether what a new memory contradicts is marked; None leaves it to the policy.
    """
    writing = work.place.config.writing
    is_person = work.identity.is_person
    rules = writing.judging
    is_single = not is_bulk and not is_forced
    return Judging(
        exact=not is_forced,
        near=is_single and rules.near_duplicates.holds_for(is_person=is_person),
        contradictions=is_single and (marks is True or rules.contradictions is not Whose.OFF),
        marks=rules.contradictions.holds_for(is_person=is_person) if marks is None else marks,
        weighs=writing.importance.weigh.holds_for(is_person=is_person),
        supersede_from=rules.supersede_from,
    )


_FORCED = "; --force writes all of it"


def refuse_injected(requests: Sequence[Request], *, hint: str = _FORCED) -> None:
    """Raises `BadInput` where a text holds what was put before a model: it is never learned again."""
    for request in requests:
        refuse_injected_text(request.text, hint=hint)
        refuse_injected_text(request.title, hint=hint)


def refuse_injected_text(text: str | None, *, hint: str = "") -> None:
    """Raises `BadInput` where `text` holds what was put before a model."""
    found = None if text is None else injected_in(text)
    if found is not None:
        raise BadInput(
            f"text: holds <{found}>, which was put before a model and is no news; nothing was written",
            field="text",
            hint=f"write what is new in words of its own, without that passage{hint}",
        )
