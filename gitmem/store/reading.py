"""The verbs that read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.brief import Brief
    from gitmem.flows.check import Checked
    from gitmem.flows.compare import Blamed, Compared
    from gitmem.flows.conflicts import Conflicts, Disputed
    from gitmem.flows.context import Context
    from gitmem.flows.embeddings import Embedded
    from gitmem.flows.export import Exported
    from gitmem.flows.log import Log
    from gitmem.flows.reading.recollection import Listing, Recalled, Recollection
    from gitmem.flows.scan import Scanned
    from gitmem.flows.show import Shown
    from gitmem.flows.status import StoreStatus
    from gitmem.flows.upkeep import Indexed
    from gitmem.flows.usage import Shared, Usage
    from gitmem.flows.why import Why
    from gitmem.recall.where import Where


class ReadVerbs(Handle):
    """What can be asked of a store, now and of the past. Nothing here changes a memory."""

    def show(self, reference: str) -> Shown:
        """The memory with this id, beginning of an id, or path. Raises `NotFound`, `Ambiguous`."""
        from gitmem.flows.show import show

        return show(self._work, reference)

    def list(
        self,
        where: Where | None = None,
        *,
        limit: int | None = None,
        quarantined: bool = False,
        with_strengths: bool = False,
    ) -> Listing:
        """The memories that pass `where`, or wait on quarantine, newest first; with how alive each is now."""
        from gitmem.flows.recall import list_memories, list_quarantined
        from gitmem.flows.tending.strengths import list_with_strengths
        from gitmem.recall.where import Where

        ours = list_with_strengths if with_strengths else list_memories
        return (list_quarantined if quarantined else ours)(self._work, where or Where(), limit=limit)

    def recall(
        self,
        query: str,
        where: Where | None = None,
        *,
        limit: int = 10,
        archived: bool = False,
        quarantined: bool = False,
        syntax: bool = False,
        min_relevance: float | None = None,
        offset: int = 0,
        fits: Callable[[Sequence[Recalled]], int] | None = None,
        working: bool = False,
        session: str | None = None,
    ) -> Recollection:
        """The memories that answer `query`, best first, each with its reasons. Any text is a query.

        For who reads in pages: the first `offset` are left out, `fits` says for how many there is room. With
        `archived`, those on the archive too, labelled, with `quarantined` those that wait, with `working` the
        notes of all, not of the `session` alone. With `syntax`, `query` may have operators: `-word`, `tag:x`.
        Where none is as relevant as `min_relevance`, 0 to 1, there are no hits, but a `closest`.
        """
        from gitmem.flows.recall import recall
        from gitmem.recall.where import Where

        return recall(
            self._work,
            query,
            where or Where(),
            limit=limit,
            archived=archived,
            quarantined=quarantined,
            syntax=syntax,
            min_relevance=min_relevance,
            offset=offset,
            fits=fits,
            working=working,
            session=session,
        )

    def context(
        self,
        task: str,
        *,
        max_tokens: int = 2_000,
        agent: str | None = None,
        namespace: str | None = None,
        session: str | None = None,
    ) -> Context:
        """What is worth knowing for `task`, as one text for a language model, within `max_tokens`.

        The template is `.gitmem/context.md` of main, where the store has one. With `session`, working
        memories are those of it. Raises `BadInput`, and `StoreProblem` naming the line of a bad template.
        """
        from gitmem.flows.context import context
        from gitmem.flows.reading.mattering import Wanted

        return context(self._work, task, Wanted(agent, namespace, session), max_tokens=max_tokens)

    def brief(self) -> Brief:
        """An overview of the store for the beginning of a session, within 200 lines and 25,000 bytes."""
        from gitmem.flows.brief import brief

        return brief(self._work)

    def write_brief(self) -> tuple[Brief, Path]:
        """The overview, kept as MEMORY.md at the top of the worktree; and where that is.

        Raises `Refused` where a MEMORY.md stands there that gitmem did not write, or that git knows, and in a
        bare repository.
        """
        from gitmem.flows.agents.brief_file import write_brief

        return write_brief(self._work)

    def log(self, reference: str | None = None, *, limit: int | None = None) -> Log:
        """The commits of the branch, or the versions of one memory across renames, newest first."""
        from gitmem.flows.log import log, log_of

        return (
            log(self._work, limit=limit) if reference is None else log_of(self._work, reference, limit=limit)
        )

    def diff(self, reference: str, old: str | None = None, new: str | None = None) -> Compared:
        """How two versions of a memory differ; the newest and the one before it if none is named."""
        from gitmem.flows.compare import compare

        return compare(self._work, reference, old, new)

    def blame(self, reference: str) -> Blamed:
        """Every line of a memory with the version that brought it in."""
        from gitmem.flows.compare import blame

        return blame(self._work, reference)

    def why(self, reference: str, *, text: str | None = None, line: int | None = None) -> Why:
        """Every statement of a memory with the commit, agent, session, source, reviewer and reason behind it.

        With `text` those that contain it, with `line` the one at that line. Raises `NotFound` for none.
        """
        from gitmem.flows.why import why

        return why(self._work, reference, text=text, line=line)

    def usage(self, *, limit: int = 20) -> Usage:
        """The memories that were recalled and shown most, in this clone and those that shared theirs."""
        from gitmem.flows.usage import usage

        return usage(self._work, limit=limit)

    def share_usage(self, remote: str | None = None) -> Shared:
        """Puts the counts of this clone into `refs/gitmem/usage`, merged with what was fetched.

        With `remote`, fetches before and pushes after. No branch and no memory changes. Raises
        `BadInput`, `OutsideFailure`, `Busy`.
        """
        from gitmem.flows.usage import share_usage

        return share_usage(self._work, remote)

    def export(self, target: str | Path) -> Exported:
        """Writes all memories as files below a folder, or as JSON lines where `target` ends in .jsonl."""
        from gitmem.flows.export import export_folder, export_jsonl

        path = Path(target)
        return (export_jsonl if path.suffix == ".jsonl" else export_folder)(self._work, path)

    def check(self, base: str | None = None, *, is_thorough: bool = False) -> Checked:
        """What is wrong with the memories of the branch; changes nothing.

        With `base`, a branch or commit, only what changed is judged, from where it and the commit that is
        checked out meet, to that commit; on a handle on another branch or on the past, to the commit of that.
        Raises `NotFound` where they share no history.

        What memories say of each other, near-duplicates and contradictions, is looked at with `base`, or
        where it `is_thorough`: for a whole store that takes longer than all the rest.
        """
        from gitmem.flows.check import check
        from gitmem.flows.checks.change import check_change

        return check(self._work, is_thorough=is_thorough) if base is None else check_change(self._work, base)

    def scan(self, *, with_history: bool = False) -> Scanned:
        """Secrets and personal data that are in the store already, on all branches; changes nothing.

        With `with_history` also in every version and commit message. Raises `Refused` where who acts may not
        read all of it: what was found nowhere would say more than was looked at.
        """
        from gitmem.flows.rights.apart import require_sight
        from gitmem.flows.scan import scan

        require_sight(self.place, "scan")
        return scan(self._work, with_history=with_history)

    def conflicts(self) -> Conflicts:
        """The disputed memories of the branch, with their versions and who wrote them."""
        from gitmem.flows.conflicts import conflicts

        return conflicts(self._work)

    def disputed(self, reference: str) -> Disputed:
        """One memory as `conflicts` shows it, with the whole text of its file."""
        from gitmem.flows.conflicts import disputed

        return disputed(self._work, reference)

    def editor(self) -> str | None:
        """The editor that git would open here; None where it has none."""
        from gitmem.flows.conflicts import editor_of

        return editor_of(self._work)

    def status(self) -> StoreStatus:
        """Where the store is and how it stands; changes nothing."""
        from gitmem.flows.status import status

        return status(self._work)

    def reindex(self) -> Indexed:
        """Builds the search index anew beside the old one and swaps it in."""
        from gitmem.flows.upkeep import reindex

        return reindex(self._work)

    def embed(self) -> Embedded:
        """Embeds the memories that have no vector yet; may be repeated, and goes on where it ended.

        Raises `BadInput` where embeddings are off, `OutsideFailure` where the encoder fails.
        """
        from gitmem.flows.embeddings import embed

        return embed(self._work)

    def hook(self, name: str) -> Indexed:
        """What the git hook `name` asks for: the index up to date. Raises `BadInput` for other names."""
        from gitmem.flows.upkeep import hook

        return hook(self._work, name)

    @staticmethod
    def where(
        *,
        type: str | None = None,
        namespace: str | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        agent: str | None = None,
        session: str | None = None,
        status: str | None = None,
        since: str | None = None,
        until: str | None = None,
        before: str | None = None,
        after: str | None = None,
        fields: Sequence[tuple[str, str]] = (),
        valid_at: str | None = None,
    ) -> Where:
        """A filter for `recall` and `list`; all conditions must hold. Raises `BadInput` naming the option.

        `since`, `until`, `before` and `after` are dates, times, or words for them (`last wednesday`,
        `3 days ago`, `上周三`), read when the filter is used, by the clock and zone of the store;
        `valid_at` is an ISO date or time, a year or a month;
        `fields` are (front matter field, value).
        """
        from gitmem.flows.reading.filters import make_where

        return make_where(
            type=type,
            namespace=namespace,
            tags=tags,
            entities=entities,
            agent=agent,
            session=session,
            status=status,
            since=since,
            until=until,
            before=before,
            after=after,
            fields=fields,
            valid_at=valid_at,
        )

    def refresh(self) -> Indexed:
        """Brings the search index to the head of the branch, as the hooks do."""
        from gitmem.flows.upkeep import refresh

        return refresh(self._work)
