"""context: what is worth knowing for a task, as one text for a language model, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import BadInput, StoreProblem
from gitmem.flows.reading.uses import note_uses
from gitmem.flows.work import Work
from gitmem.git.modes import REGULAR_MODES
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.usage import RECALLED
from gitmem.model.visible import one_line

if TYPE_CHECKING:
    from gitmem.flows.reading.mattering import Found, Wanted
    from gitmem.recall.template import Template

TEMPLATE_PATH = ".gitmem/context.md"
DEFAULT_MAX_TOKENS = 2_000
MOST_TOKENS = 1_000_000
MOST_TASK_CHARACTERS = 20_000
MOST_SHOWN_TASK_CHARACTERS = 300


class InContext(Struct, frozen=True):
    """A memory that stands in a context: its version, and how much of its text is given."""

    id: MemoryId
    version: str
    section: str
    title: str
    characters: int
    total_characters: int


class Context(Struct, frozen=True):
    """The text, and what it is made of.

    `tokens` are counted by `counted_by`: the vocabulary of tiktoken, or `estimate`.

    `same` names memories that were left out because another one says the same, by id; `left_out` those that
    there was no room for. `commit` is what it shows.
    """

    text: str
    tokens: int
    max_tokens: int
    counted_by: str
    memories: Sequence[InContext]
    same: dict[MemoryId, MemoryId]
    left_out: Sequence[MemoryId]
    notes: Sequence[str]
    commit: CommitId | None


def context(work: Work, task: str, wanted: Wanted, *, max_tokens: int) -> Context:
    """The memories that matter for `task`, in the template of the store, within `max_tokens`.

    Working memories are those of the session that is wanted; those of others stay out. Raises `BadInput` for
    a budget or task that cannot be used, `StoreProblem` naming the line of a template that cannot be
    rendered.
    """
    from gitmem.flows.reading.mattering import mattering
    from gitmem.recall.composing import compose
    from gitmem.recall.tokens import token_count

    _check(task, max_tokens)
    template = _template(work)
    snapshot = work.snapshot()
    found, notes = mattering(work, snapshot, task, wanted)
    count, counted_by = token_count()
    composed = compose(
        [each.candidate for each in found],
        template,
        {
            "task": one_line(task)[:MOST_SHOWN_TASK_CHARACTERS],
            "store": _name(work),
            "commit": (snapshot.commit or "")[:10],
            "date": work.now().date().isoformat(),
        },
        max_tokens=max_tokens,
        count=count,
        is_same=lambda one, other: found[one].says_the_same(found[other]),
    )
    shown = [_in_context(found[taken.number], taken.characters) for taken in composed.taken]
    note_uses(work, RECALLED, (each.id for each in shown))
    return Context(
        composed.text,
        composed.tokens,
        max_tokens,
        counted_by,
        shown,
        {found[one].memory.id: found[other].memory.id for one, other in composed.same.items()},
        [found[number].memory.id for number in composed.left_out],
        [*_notes(len(found), len(shown), max_tokens, composed.least_tokens), *notes],
        snapshot.commit,
    )


def _check(task: str, max_tokens: int) -> None:
    if not 1 <= max_tokens <= MOST_TOKENS:
        raise BadInput(f"max_tokens must be from 1 to {MOST_TOKENS:,}, not {max_tokens}", field="max_tokens")
    if not task.strip():
        raise BadInput("the task is empty, so nothing can matter for it", field="task")
    if len(task) > MOST_TASK_CHARACTERS:
        raise BadInput(f"the task is longer than {MOST_TASK_CHARACTERS:,} characters", field="task")


def _in_context(found: Found, characters: int) -> InContext:
    candidate = found.candidate
    return InContext(
        found.memory.id,
        found.version[0],
        candidate.section,
        found.memory.title,
        characters,
        len(candidate.text.strip("\n").rstrip()),
    )


def _template(work: Work) -> Template:
    """The template that main has committed, or gitmem's own. Raises `StoreProblem` where it is none."""
    from gitmem.recall.template import DEFAULT, MOST_CHARACTERS, parse_template

    repository, tip = work.place.repository, work.place.tip(work.place.main)
    where = f"{work.place.main}:{TEMPLATE_PATH}"
    entry = repository.entry(tip, TEMPLATE_PATH) if tip else None
    if entry is None:
        return parse_template(DEFAULT, where="the template of gitmem")
    if entry.mode not in REGULAR_MODES:
        raise StoreProblem(f"{where}: is not a regular file, so it is not followed")
    data = repository.read_start(entry.oid, 4 * MOST_CHARACTERS + 1)
    try:
        return parse_template(data.decode("utf-8-sig"), where=where)
    except UnicodeDecodeError as error:
        raise StoreProblem(f"{where}: is not UTF-8 (byte {error.start})") from error
    except BadInput as error:
        raise StoreProblem(error.message, hint=error.hint) from error


def _name(work: Work) -> str:
    repository = work.place.repository
    return (repository.worktree or repository.common_dir).name


def _notes(found: int, shown: int, max_tokens: int, least_tokens: int) -> list[str]:
    if least_tokens > max_tokens:
        return [f"max_tokens: {max_tokens:,} is too few, the template alone takes {least_tokens:,}"]
    if not found:
        return ["nothing in the store is relevant to this"]
    if not shown:
        return [f"max_tokens: {max_tokens:,} is too few for any of the {found} memories that are relevant"]
    return []
