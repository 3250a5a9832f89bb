"""Embeddings: which encoder this clone uses, the vectors it has, and the making of those that are missing.

All of it is said by git's config and the environment, never by a file of the store: whoever shares a store
can neither make gitmem send texts away nor make it compute.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import BadInput, GitmemError
from gitmem.flows.reading.locked import is_encrypting
from gitmem.flows.reading.source import SnapshotSource
from gitmem.flows.work import Work
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.reading import START_BYTES
from gitmem.model.sealed import is_sealed
from gitmem.platform import FileLock, at_low_priority, spawn_detached

if TYPE_CHECKING:
    from gitmem.embed.embedder import Embedder
    from gitmem.embed.endpoint import EndpointSettings
    from gitmem.embed.meaning import Questions
    from gitmem.embed.vectors import Vectors, VectorStore
    from gitmem.index.content import IndexContent
    from gitmem.index.view import IndexView
    from gitmem.recall.stages import Meaning

OFF, LOCAL, ENDPOINT = "off", "local", "endpoint"
SETTING = "gitmem.embeddings"
MOST_IN_PASSING = 32
"""So many memories without a vector are embedded by the recall that meets them; more in the background."""
BATCH_MEMORIES = 128
_GUARD = "vectors.guard"
_TURN_SECONDS = 600.0


class Embedded(Struct, frozen=True):
    """What `embed` did: `made` of `memories` were embedded now, the others before."""

    encoder: str
    commit: CommitId | None
    memories: int
    made: int


def setting(work: Work, name: str = "") -> str | None:
    """`GITMEM_EMBEDDINGS…` of the environment, else `gitmem.embeddings…` of git's config."""
    variable = "GITMEM_EMBEDDINGS" + "".join(f"_{each}" if each.isupper() else each for each in name).upper()
    value = os.environ.get(variable) or work.place.repository.config(f"{SETTING}{name}")
    return value.strip() if value and value.strip() else None


def embedder_of(work: Work) -> Embedder | None:
    """The encoder of this clone; None where embeddings are off, as they are unless somebody asked for them.

    Raises `BadInput` naming the setting that cannot be used, `OutsideFailure` where the extra is missing.
    """
    wanted = (setting(work) or OFF).casefold()
    if wanted == OFF:
        return None
    if wanted == LOCAL:
        return _local()
    if wanted != ENDPOINT:
        raise BadInput(f"{SETTING} must be {OFF}, {LOCAL} or {ENDPOINT}, not {wanted!r}", field=SETTING)
    return _endpoint(_endpoint_settings(work))


def _endpoint_settings(work: Work) -> EndpointSettings:
    from gitmem.embed.embedder import SIMILAR
    from gitmem.embed.endpoint import TIMEOUT_SECONDS, EndpointSettings

    url, model = setting(work, "Url"), setting(work, "Model")
    for name, value in (("Url", url), ("Model", model)):
        if value is None:
            raise BadInput(
                f"{SETTING} is 'endpoint', but {SETTING}{name} is not set", field=f"{SETTING}{name}"
            )
    return EndpointSettings(
        url or "",
        model or "",
        setting(work, "KeyVariable"),
        _number(work, "TimeoutSeconds", TIMEOUT_SECONDS, most=600),
        _number(work, "Similar", SIMILAR, most=1),
    )


def _number(work: Work, name: str, default: float, *, most: float) -> float:
    value = setting(work, name)
    with suppress(ValueError):
        number = default if value is None else float(value)
        if 0 < number <= most:
            return number
    raise BadInput(
        f"{SETTING}{name} must be a number above 0 and at most {most:g}, not {value!r}",
        field=f"{SETTING}{name}",
    )


@lru_cache(maxsize=1)
def _local() -> Embedder:
    """The same one for each recall of a process: loading it takes more than a second."""
    from gitmem.embed.local import LocalEncoder

    return LocalEncoder()


@lru_cache(maxsize=4)
def _endpoint(settings: EndpointSettings) -> Embedder:
    from gitmem.embed.endpoint import EndpointEncoder

    return EndpointEncoder(settings)


def vector_store(work: Work, embedder: Embedder) -> VectorStore:
    """Where the vectors of `embedder` are kept; the folder says which passages it was given."""
    from gitmem.embed.passages import VERSION
    from gitmem.embed.vectors import VectorStore

    return VectorStore(work.place.home / "vectors" / f"{embedder.name}-p{VERSION}")


def meaning_of(
    work: Work, view: IndexView, say: Callable[[str], None], questions: Questions
) -> Meaning | None:
    """What recall asks for the meaning of memories; None where it has to do without, and `say` was told why.

    A few memories without a vector are embedded first. If there are many, what is there is used, and the
    others are made in the background. `questions` are those of one recall, of all its branches.
    """
    try:
        embedder = embedder_of(work)
        if embedder is None:
            return None
        from gitmem.embed.meaning import KnownMeaning

        if questions.failure is not None:
            say(_without(questions.failure))
            return None
        store = vector_store(work, embedder)
        vectors = store.read()
        missing = _not_encrypted(work, view, view.read(lambda content: _missing(content, vectors)))
        if missing and len(missing) <= MOST_IN_PASSING:
            vectors = _made_in_passing(view, embedder, store, missing)
        elif missing:
            say(
                f"{len(missing):,} of {view.count:,} memories have no vector yet and were found by words "
                "alone; 'gitmem embed' makes them"
            )
            _wake(work)
        return KnownMeaning(embedder, vectors, lambda why: say(_without(why)), questions)
    except GitmemError as error:
        questions.failure = error.message + (f" ({error.hint})" if error.hint else "")
        say(_without(questions.failure))
        return None


def _without(why: str) -> str:
    return f"{why}; answered by words alone"


def _missing(content: IndexContent, vectors: Vectors) -> list[int]:
    """The live documents that have no vector."""
    import numpy as np

    from gitmem.index.columns import BLOB

    live = np.fromiter(content.all_documents(), dtype=np.int64)
    keys = np.array(content.numbers(BLOB), dtype=np.int64)
    return [int(number) for number in live[vectors.places(keys[live]) < 0]]


def _not_encrypted(work: Work, view: IndexView, documents: list[int]) -> list[int]:
    """Those of `documents` that are not encrypted: of others no vector is kept on the disk."""
    if not documents or not is_encrypting(work.place):
        return documents
    repository = work.place.as_stored.repository
    records = view.read(lambda content: [content.record(document) for document in documents])
    return [
        document
        for document, record in zip(documents, records, strict=True)
        if not repository.has_object(record.blob)
        or not is_sealed(repository.read_start(record.blob, START_BYTES))
    ]


def _made_in_passing(
    view: IndexView, embedder: Embedder, store: VectorStore, documents: Sequence[int]
) -> Vectors:
    from gitmem.embed.making import embedded

    records = view.read(lambda content: [content.record(document) for document in documents])
    store.append(embedded(embedder, map(view.memory, records)))
    return store.read()


def embed(work: Work) -> Embedded:
    """Embeds the memories of the branch that have no vector; may be repeated, and goes on where it ended.

    Raises `BadInput` where embeddings are off, `OutsideFailure` where the encoder or the disk fails; what
    was made before that is kept.
    """
    embedder = embedder_of(work)
    if embedder is None:
        raise BadInput("embeddings are off", field=SETTING, hint=f"'git config {SETTING} {LOCAL}'")
    with work.place.turn(_GUARD, timeout_seconds=_TURN_SECONDS):
        return _embed(work, embedder)


def _embed(work: Work, embedder: Embedder) -> Embedded:
    from gitmem.embed.making import embedded

    snapshot = work.snapshot()
    files = {blob: path for path, blob in snapshot.files()} if snapshot.commit else {}
    store = vector_store(work, embedder)
    source = SnapshotSource(work.place.as_stored, snapshot=snapshot)
    known = store.read().has(files)
    missing = [blob for blob in files if blob not in known]
    for done, batch in _batches(missing):
        work.progress("embedding", done, len(missing))
        memories = [source.read(files[blob], blob, has_attachments=False) for blob in batch]
        store.append(embedded(embedder, memories))
    if missing:
        work.progress("embedding", len(missing), len(missing))
    return Embedded(embedder.name, snapshot.commit, len(files), len(missing))


def _batches(blobs: Sequence[BlobId]) -> Iterator[tuple[int, Sequence[BlobId]]]:
    for start in range(0, len(blobs), BATCH_MEMORIES):
        yield start, blobs[start : start + BATCH_MEMORIES]


def catch_up_vectors(work: Work) -> None:
    """Embeds what is missing on the branch and the archive, unless another process is at it.

    Nothing where embeddings are off. What fails is said, and tried again.
    """
    try:
        embedder = embedder_of(work)
        if embedder is None or is_being_made(work):
            return
        archive = work.beside(work.place.config.branches["archive"])
        with work.place.turn(_GUARD, timeout_seconds=_TURN_SECONDS):
            for each in (work, archive):
                if each is not None:
                    _embed(each, embedder)
    except GitmemError as error:
        work.notice(f"memories could not be embedded: {error.message}")


def forget_vectors(work: Work, blobs: Sequence[BlobId]) -> int:
    """Takes the vectors of `blobs` out of every encoder's folder; how many there were.

    Raises `OutsideFailure` where that cannot be done.
    """
    from gitmem.embed.vectors import VectorStore

    folders = [path for path in (work.place.home / "vectors").glob("*") if path.is_dir()]
    return sum(VectorStore(folder).remove(blobs) for folder in folders)


def is_being_made(work: Work) -> bool:
    """Whether another process is making vectors just now."""
    lock = FileLock(work.place.home / _GUARD, timeout_seconds=0.0)
    try:
        return not lock.acquire()
    except OSError:
        return True
    finally:
        lock.release()


def _wake(work: Work) -> None:
    """Starts a process that makes the vectors, unless one is at it. Never fails, never for the past."""
    from gitmem.flows.running.background import HOOKS_VARIABLE
    from gitmem.flows.running.hooks import command_path

    command = command_path()
    if command is None or work.is_past or os.environ.get(HOOKS_VARIABLE) == "off" or is_being_made(work):
        return
    with suppress(OSError):
        folder = work.place.repository.worktree or work.place.repository.git_dir
        arguments = at_low_priority([command, "embed", "--branch", work.branch])
        spawn_detached(arguments, cwd=folder, env=os.environ)
