"""Tombstones for what is forgotten, in one commit on main; and the old tips, which stay in this clone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitmem.flows.forgetting.forgotten import NOTHING, tombstones_of
from gitmem.flows.forgetting.look import Look
from gitmem.flows.forgetting.rewrite import Rewritten
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import new_operation_id
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.commits import make_commit
from gitmem.git.objects import refresh
from gitmem.git.tree_edit import tree_with
from gitmem.git.trees import encode_path
from gitmem.model.change import Origin, Plan, commit_message
from gitmem.model.document import decode
from gitmem.model.tombstones import TOMBSTONES_PATH
from gitmem.model.visible import memories_text
from gitmem.platform import make_private_directory
from gitmem.privacy.normal import normal, telling_sentences
from gitmem.privacy.pieces import Piece, Sought
from gitmem.privacy.tombstones import Burial, Keys, commit_lines
from gitmem.versions.fork_settings import FORK_COMMIT
from gitmem.versions.place import Place

OLD_TIPS = "forgotten-tips"
_MOST_TIPS = 100_000
_TIP = re.compile("[0-9a-f]{40} [0-9a-f]{40}")


def bury(work: Work, look: Look, rewritten: Rewritten, base: str | None) -> str | None:
    """A commit on top of `base` with tombstones for what is forgotten; None where they are there already."""
    place = work.place
    refresh(place.repository.raw)
    known = tombstones_of(place, base) if base else NOTHING
    day = work.clock.now().date()
    burial = burial_of(look)
    keys = Keys(place.home)
    key = keys.own(known.keys)
    told = [each for each in rewritten.telling if each not in known.commits]
    lines = [*burial.lines(key, day, known), *commit_lines(told, day)]
    if not lines:
        return None
    repository = place.repository
    blob = repository.write_blob(known.with_lines(lines).data)
    count = len(look.targets.ids)
    subject = memories_text(count) if count else "a text"
    message = commit_message(Plan("forget", subject, (), origin=Origin()), new_operation_id(work.clock))
    return make_commit(
        repository,
        tree=tree_with(repository, base, {TOMBSTONES_PATH: blob}),
        parents=[base] if base else [],
        message=message,
        when=work.clock.now(),
    )


def burial_of(look: Look) -> Burial:
    """What gets a mark: ids, and of texts and sentences those that no surviving memory says."""
    texts: set[str] = set()
    sentences: set[str] = set()
    for versions in look.targets.versions.values():
        for memory in versions.values():
            texts.add(normal(memory.body))
            sentences.update(telling_sentences(memory.body), telling_sentences(memory.title))
    files = {}
    for _, blob in look.targets.attachments:
        files[blob] = look.read(blob)
        if b"\0" not in files[blob]:
            sentences.update(telling_sentences(decode(files[blob])[0]))
    pieces = {Piece(each.encode("utf-8")): each for each in {*texts, *sentences} if each}
    sought = Sought(pieces)
    gone = {(encode_path(path), blob) for path, blob in look.targets.files}
    surviving = {blob for raw, blob in look.history.shielding if (raw, blob) not in gone and raw}
    said: set[str] = set()
    for blob in surviving:
        text = normal(decode(look.read(blob))[0]).encode("utf-8", "surrogateescape")
        said |= {pieces[piece] for piece in sought.found_in(text)}
    return Burial(
        frozenset(look.targets.ids.values()),
        frozenset(texts - said - {""}),
        frozenset(sentences - said),
        tuple(data for blob, data in files.items() if blob not in surviving),
    )


def keep_old_tips(place: Place, rewritten: Rewritten) -> None:
    """Remembers where refs stood, and what stands there now: a remote that still stands there is old."""
    known = {old: rewritten.commits.get(new) or new for old, new in old_tips(place).items()}
    tips = known | {move.ref.target: move.new for move in rewritten.moves if move.new is not None}
    if rewritten.moves:
        make_private_directory(place.home)
        lines = [f"{old} {new}\n" for old, new in tips.items()][-_MOST_TIPS:]
        replace_regular(place.home / OLD_TIPS, "".join(lines).encode("ascii"), flush=True)


def old_tips(place: Place) -> dict[str, str]:
    """Where refs stood before history was rewritten here, and what stands for that now."""
    text = (read_regular(place.home / OLD_TIPS) or b"").decode("ascii", "replace")
    return dict(line.split(" ", 1) for line in text.splitlines() if _TIP.fullmatch(line))


def keep_fork(place: Place, commits: Mapping[str, str | None]) -> None:
    """Lets the config of a clone name the commit that stands now for the one that it was made from."""
    old = place.repository.config(FORK_COMMIT)
    new = commits.get(old) if old else None
    if new is not None and new != old:
        place.repository.set_config(FORK_COMMIT, new)
