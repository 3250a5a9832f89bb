"""What is worth saying once a commit is on its branch: no name, files left alone, an index that lags."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gitmem.git.identity import Author
from gitmem.git.publish import PublishResult
from gitmem.git.repository import Worktree
from gitmem.model.change import Plan
from gitmem.versions.place import Place


def said_of(author: Author) -> list[str]:
    """What is to be said of who a commit is by: where git knows nobody."""
    if not author.is_fallback:
        return []
    return [
        f"git knows no name and address here, so the commit is by {author.name} <{author.email}>; "
        "set user.name and user.email"
    ]


class Said(Struct, frozen=True):
    """What is worth saying of a publication to those whose plans it carried out."""

    place: Place
    branch: str
    author: Author
    worktrees: list[Worktree]
    result: PublishResult

    def about(self, plan: Plan) -> tuple[str, ...]:
        """The notices for the one whose plan this is, without what became of the files of others."""
        paths = {"", *(write.path for write in plan.writes)}
        skipped = [each for each in self.result.skipped if each.path in paths]
        return replace(self, result=replace(self.result, skipped=skipped)).all()

    def all(self) -> tuple[str, ...]:
        """All notices."""
        place, branch, result = self.place, self.branch, self.result
        notices: list[str] = []
        notices += said_of(self.author)
        if not self.worktrees and not place.repository.is_bare and branch == place.main:
            notices.append(f"{branch} is not checked out here; it moved, the files of this checkout did not")
        if result.pending and not any(skipped.may_come for skipped in result.skipped):
            locks = [lock for each in self.worktrees if (lock := each.git_dir / "index.lock").exists()]
            removable = f"; if no git command is running, remove {locks[0]}" if locks else ""
            notices.append(
                "git's index is locked by another program; it will be brought along when it is free"
                + removable
            )
        for skipped in result.skipped:
            what = f"{skipped.path} in {skipped.worktree} was left alone"
            if not skipped.path:
                what = f"the files in {skipped.worktree} were not brought along yet"
            elif skipped.may_come:
                what = f"{skipped.path} in {skipped.worktree} could not be written yet"
            notices.append(f"{what}: {skipped.reason}")
        return tuple(notices)
