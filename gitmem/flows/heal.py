"""heal: a clone that holds the old history of what was forgotten elsewhere gets the new one. For people only.

    1  the remote's history is fetched; its tombstones tell which commits here are old
    2  each old commit is matched with the one that stands for it there: same author, dates and message
    3  all other commits are work of this clone: it is put on the new history, without what it says of
       forgotten memories, by the same rewriting as `forget`
    4  refs move, and the old history is taken off the disk and looked for, as `forget` does
    5  main takes in what else the remote has, tombstones with it

What was forgotten is not told to this clone: it is what the old commits have and the new ones do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct
from pygit2.enums import ObjectType

from gitmem.errors import NotFound
from gitmem.flows.forget import Forgetting, alone
from gitmem.flows.forgetting.forgotten import tombstones_of
from gitmem.flows.forgetting.journal import read_entry
from gitmem.flows.forgetting.look import Look, Looking
from gitmem.flows.forgetting.obstacles import refuse_obstacles
from gitmem.flows.forgetting.rewrite import NoObjects, Rewritten, rewrite
from gitmem.flows.forgetting.values import Proof
from gitmem.flows.merge import PolicyChange, merge
from gitmem.flows.rights.acting import require_person
from gitmem.flows.syncing.fork import remote_of
from gitmem.flows.work import Work
from gitmem.git.history_walk import History, all_refs, read_history
from gitmem.git.objects import read_blob, read_raw
from gitmem.git.recover import recover
from gitmem.git.remotes import fetch_branches, remote_branches
from gitmem.git.rewrite import parse_headers
from gitmem.git.trees import decode_path, encode_path
from gitmem.model.change import Origin
from gitmem.model.ids import id_key
from gitmem.model.tombstones import Tombstones
from gitmem.privacy.targets import Wanted, read_version

Key = tuple[bytes, bytes, bytes]


class Healed(Struct, frozen=True):
    """What became of this clone: its own commits on the new history, and how many of them were let go.

    `main` is where main stands now. With `is_dry_run` nothing has changed.
    """

    remote: str
    old: int
    kept: int
    dropped: int
    main: str | None
    proof: Proof | None
    is_dry_run: bool = False
    notices: tuple[str, ...] = ()


def heal(work: Work, remote: str | None, *, is_dry_run: bool = False) -> Healed:
    """Brings this clone to the remote's history. May be repeated, also after a death on the way.

    Raises `Refused` for an agent, `NotFound` where nothing here is old, and what `forget` and `merge` raise.
    """
    require_person(work.identity, "heal")
    work = work.on(work.place.main)
    name = remote_of(work.place, remote)
    refuse_obstacles(work)
    branches = remote_branches(work.place.repository, name)
    fetch_branches(work.place.repository, name, list(branches))
    theirs = work.place.repository.remote_tip(name, work.place.main)
    if theirs is None:
        raise NotFound(f"{name} has no branch {work.place.main}", name=work.place.main)
    with alone(work):
        recover(work.place.repository)
        healing = _Healing(work, name, theirs, frozenset(branches), tombstones_of(work.place, theirs))
        if is_dry_run:
            return healing.foreseen()
        healed = healing.run()
    revision = f"{name}/{work.place.main}"
    merging = merge(work, revision, origin=Origin(reason="healed"), policy=PolicyChange.LEAVE)
    return Healed(
        name, healed.old, healed.kept, healed.dropped, merging.commit, healed.proof,
        notices=(*healed.notices, *merging.notices),
    )  # fmt: skip


class _Healing(Struct):
    work: Work
    remote: str
    theirs: str
    branches: frozenset[str]
    tombstones: Tombstones

    def foreseen(self) -> Healed:
        """What would be done."""
        look, preset, own = self._look()
        rewritten = rewrite(self.work.place.repository, look, NoObjects(), preset=preset)
        dropped = _dropped(rewritten, own)
        return Healed(self.remote, len(preset), len(own) - dropped, dropped, None, None, is_dry_run=True)

    def run(self) -> Healed:
        look, preset, own = self._look()
        forgetting = Forgetting.of_heal(self.work, look)
        receipt, rewritten = forgetting.carry_out(look, preset)
        named = [f"{path} names a memory that was forgotten" for path in sorted(look.mentions)]
        dropped = _dropped(rewritten, own)
        return Healed(
            self.remote, len(preset), len(own) - dropped, dropped, None, receipt.proof, notices=tuple(named)
        )

    def _look(self) -> tuple[Look, dict[str, str | None], list[str]]:
        """What is to be left out, what stands for old commits, and the commits that were made here."""
        repository = self.work.place.repository
        refs = all_refs(repository)
        prefix = f"refs/remotes/{self.remote}/"
        there = [ref for ref in refs if ref.name.removeprefix(prefix) in self.branches]
        here = [ref for ref in refs if ref not in there]
        new = read_history(repository, there, with_logs=False)
        all_ = read_history(repository, [*there, *here])
        if not self._is_old() and read_entry(self.work.place) is None:
            raise NotFound(f"nothing here is of a history that {self.remote} has rewritten", name=self.remote)
        matching = _Matching(self.work, new, all_, self.tombstones)
        preset = matching.preset()
        heads = read_history(repository, [ref for ref in here if ref.branch], with_logs=False)
        own = [oid for oid in heads.changes if oid not in preset and oid not in new.changes]
        gone = matching.gone(preset)
        look = Looking(self.work, Wanted(tuple(sorted(matching.ids_of(gone))))).look()
        matching.replace(look, preset, gone)
        return look, preset, own

    def _is_old(self) -> bool:
        """Whether anything here, a log at least, may hold a commit that a tombstone names."""
        return any(self.work.place.repository.has_object(oid) for oid in self.tombstones.commits)


class _Matching(Struct):
    """Old commits beside the new ones that stand for them."""

    work: Work
    new: History
    all: History
    tombstones: Tombstones

    def preset(self) -> dict[str, str | None]:
        """What stands for each old commit; for one that is gone, what stands for its first parent."""
        by_key: dict[Key, list[str]] = defaultdict(list)
        for oid in self.new.changes:
            by_key[self._key(oid)].append(oid)
        found: dict[str, str | None] = {}
        for oid in self.all.changes:
            if oid in self.new.changes:
                continue
            parents = self._parents(oid)
            same = by_key.get(self._key(oid), [])
            if same:
                wanted = [_standing(found, parent) for parent in parents]
                found[oid] = next((each for each in same if self._parents(each) == wanted), same[0])
            elif oid in self.tombstones.commits:
                found[oid] = _standing(found, parents[0]) if parents else None
        return found

    def gone(self, preset: dict[str, str | None]) -> set[tuple[bytes, str]]:
        """The files that old commits brought and the new history does not have."""
        return {
            (path, new)
            for oid in preset
            for path, _, new in self.all.changes[oid]
            if new is not None and (path, new) not in self.new.files
        }

    def ids_of(self, gone: set[tuple[bytes, str]]) -> set[str]:
        """The ids of memories that are gone for good: no file of the new history has them."""
        place = self.work.place
        is_memory = place.config.is_memory_path
        memories = [
            read_version(path, blob, self._read)
            for raw, blob in sorted(gone)
            if is_memory(path := decode_path(raw))
        ]
        ids = {id_key(memory.id): memory.id for memory in memories}
        paths = {encode_path(memory.path) for memory in memories}
        kept = {
            id_key(read_version(decode_path(raw), blob, self._read).id)
            for raw, blob in self.new.files
            if raw in paths
        }
        return {each for key, each in ids.items() if key not in kept}

    def replace(self, look: Look, preset: dict[str, str | None], gone: set[tuple[bytes, str]]) -> None:
        """Where a new commit has another file in the place of an old one, that one stands in its place."""
        repository = self.work.place.repository
        for oid, made in preset.items():
            for path, _, blob in self.all.changes[oid]:
                if blob is None or (path, blob) not in gone or blob in look.files.get(path, {}):
                    continue
                entry = repository.entry(made, decode_path(path)) if made else None
                look.files.setdefault(path, {})[blob] = entry.oid if entry is not None else None

    def _key(self, oid: str) -> Key:
        headers = parse_headers(read_raw(self.work.place.repository.raw, oid, ObjectType.COMMIT))
        return headers.first(b"author") or b"", headers.first(b"committer") or b"", headers.message

    def _parents(self, oid: str) -> list[str]:
        headers = parse_headers(read_raw(self.work.place.repository.raw, oid, ObjectType.COMMIT))
        return [value.decode("ascii") for name, value in headers.lines if name == b"parent"]

    def _read(self, blob: str) -> bytes:
        return read_blob(self.work.place.repository.raw, blob)


def _dropped(rewritten: Rewritten, own: Iterable[str]) -> int:
    """How many commits that were made here have nothing left in them."""
    return len(set(own) & set(rewritten.dropped))


def _standing(found: dict[str, str | None], oid: str) -> str | None:
    """What stands for a commit, itself where it is not old."""
    return found[oid] if oid in found else oid  # noqa: SIM401  (None is an answer too)
