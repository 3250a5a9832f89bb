"""The versions of one memory along one chain, by the commits of which git says that they changed its path.

Git reads commits quicker than a walk does here, and hardly any where its commit graph has filters of changed
paths. It only says where to look: each step is told by the walk.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from gitmem.git.path_history import commits_touching
from gitmem.versions.walk import Step, Walk

WALKED_BEFORE = 500
"""So many commits are walked before git is asked: as long as that takes, it takes git to start."""


def steps_by_git(walk: Walk) -> Iterator[Step]:
    """The steps of `walk` from where it stands, wherever git says there may be one.

    Where git says less, or what does not fit, `walk` is left standing there, to go on by itself.
    """
    repository = walk.repository
    while walk.commit is not None and not repository.grafts():
        path = walk.path
        with closing(commits_touching(repository, walk.commit.id, path)) as commits:
            for commit in commits:
                if not walk.skip_to(repository.commit(commit)):
                    return
                yield from walk.steps(most_commits=1)
                if walk.commit is None or walk.path != path:
                    break
            else:
                return
