"""The verbs for coding agents: what they are told, what is kept of their sessions, how they are set up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gitmem.errors import GitmemError, NotAStore
from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.agents.events import EventAnswer
    from gitmem.flows.install import Installed
    from gitmem.flows.takein import Imported
    from gitmem.model.change import Origin


class AgentVerbs(Handle):
    """What coding agents ask of a store by themselves."""

    def answer_event(
        self, agent: str, event: str, payload: Mapping[str, Any], *, most: int | None = None
    ) -> EventAnswer:
        """What `agent` is told at `event`, and what is kept of its session; `payload` is as it gives it.

        At most `most` memories answer a prompt. Raises `BadInput` for an agent or event that is not known,
        `NotAStore` for a repository without a commit: it is not made a store unasked.
        """
        from gitmem.flows.agents import events as events
        from gitmem.model.change import Origin

        events.check_event(agent, event)
        if self.place.is_new:
            top = self.place.repository.worktree or self.place.repository.git_dir
            raise NotAStore(f"{top} is a new repository, and no store yet", hint="'gitmem init' makes it one")
        if event == events.SESSION_START:
            return self._with_notes(events.brief_for_session(self._work), agent, payload)
        if event == events.PROMPT_SUBMIT:
            limit = events.DEFAULT_MOST_MEMORIES if most is None else most
            answer = events.memories_for_prompt(self._work, payload, most=limit)
            work = self._for_new([Origin(agent=agent)])
            return replace(answer, saved=events.save_where_triggered(work, agent, payload))
        saved = events.save_session_of(self._for_new([Origin(agent=agent)]), agent, event, payload)
        return self._with_notes(saved, agent, payload) if event == events.SESSION_END else saved

    def _with_notes(self, answer: EventAnswer, agent: str, payload: Mapping[str, Any]) -> EventAnswer:
        """Begins or ends the notes of the session; where that fails, the answer stands, and says so."""
        from gitmem.flows.agents import events as events
        from gitmem.flows.agents.noting import begin_notes, end_notes

        try:
            is_start = answer.event == events.SESSION_START
            (begin_notes if is_start else end_notes)(self._work, agent, payload)
        except GitmemError as error:
            return replace(answer, unsettled=error.message)
        return answer

    def import_agent(
        self, agent: str, project: str | Path | None = None, *, origin: Origin | None = None
    ) -> Imported:
        """Takes in what a coding agent keeps of a project: its own memories, and an episode for each session.

        The project is that of the current folder where none is named. May be repeated without doubles.
        """
        from gitmem.flows.agents.imports import import_agent

        given = origin or no_origin()
        return import_agent(self._for_new([given]), agent, None if project is None else Path(project), given)

    @staticmethod
    def install(
        agent: str, folder: str | Path = ".", *, for_user: bool = False, is_dry_run: bool = False
    ) -> Installed:
        """Puts gitmem into the settings of a coding agent: of the project of `folder`, or of the user.

        Raises `Refused` for an agent, and for settings that cannot be read; then nothing is changed.
        """
        from gitmem.flows.install import install

        return install(agent, Path(folder), for_user=for_user, is_dry_run=is_dry_run)

    @staticmethod
    def uninstall(
        agent: str, folder: str | Path = ".", *, for_user: bool = False, is_dry_run: bool = False
    ) -> Installed:
        """Takes out of the settings what `install` put there, and nothing else."""
        from gitmem.flows.install import uninstall

        return uninstall(agent, Path(folder), for_user=for_user, is_dry_run=is_dry_run)
