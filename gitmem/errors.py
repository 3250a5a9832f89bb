"""The exceptions of gitmem, one class for each thing a caller can react to.

Exit codes are promises: 0 done · 1 a check failed · 2 wrong use · 3 not found or ambiguous ·
4 conflict · 5 refused · 6 busy · 7 store problem · 8 outside failure · 70 bug · 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

MOST_MESSAGE_CHARACTERS = 1_200
"""A message may quote what somebody gave; of more than that, the middle is left out."""


class GitmemError(Exception):
    """Base of every error that gitmem raises on purpose.

    `message` is one line that names the file, field or setting; `hint`, where there is one, is
    the next step. `kind` is the stable name of the error in JSON.
    """

    exit_code = 70
    kind = "error"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        if len(message) > MOST_MESSAGE_CHARACTERS:
            half = MOST_MESSAGE_CHARACTERS // 2
            message = f"{message[:half]} … {message[-half:]}"
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[Callable[..., GitmemError], tuple[object, ...]]:
        """Another process gets the error whole, whatever its class asks for when it is made."""
        return _as_it_was, (type(self), self.args, self.__dict__)

    def facts(self) -> dict[str, object]:
        """What the error knows besides its message, as plain JSON values."""
        return {}

    def details(self) -> str:
        """Further lines for a person, below the message; usually none."""
        return ""


def _as_it_was(kind: type[GitmemError], args: tuple[object, ...], facts: dict[str, object]) -> GitmemError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(facts)
    return error


class BadInput(GitmemError):
    """A value the caller gave cannot be used; `field` names it."""

    exit_code = 2
    kind = "bad_input"

    def __init__(self, message: str, *, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.field = field

    def facts(self) -> dict[str, object]:
        return {"field": self.field} if self.field else {}


class NotFound(GitmemError):
    """No memory, version, branch or operation answers to `name`."""

    exit_code = 3
    kind = "not_found"

    def __init__(self, message: str, *, name: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.name = name

    def facts(self) -> dict[str, object]:
        return {"name": self.name}


class Ambiguous(GitmemError):
    """Several memories answer to `name`; `candidates` are their ids or paths."""

    exit_code = 3
    kind = "ambiguous"

    def __init__(self, name: str, candidates: Sequence[str], *, hint: str | None = None) -> None:
        shown = ", ".join(candidates[:5]) + (", …" if len(candidates) > 5 else "")
        super().__init__(f"{name!r} could be {shown}", hint=hint or "give more of the id, or the path")
        self.name = name
        self.candidates = tuple(candidates)

    def facts(self) -> dict[str, object]:
        return {"name": self.name, "candidates": list(self.candidates)}


class Conflict(GitmemError):
    """The memory changed since the caller read it, or carries an edit that is not committed."""

    exit_code = 4
    kind = "conflict"


class StaleVersion(Conflict):
    """The caller's version is no longer the newest; both texts are here, and nothing was changed."""

    kind = "stale_version"

    def __init__(
        self, path: str, *, expected: str, expected_text: str | None, current: str, current_text: str
    ) -> None:
        super().__init__(
            f"{path}: changed since {expected[:10]}; it is at {current[:10]} now, and nothing was written",
            hint="look at both texts, then repeat with --expect " + current[:10],
        )
        self.path = path
        self.expected = expected
        self.expected_text = expected_text
        self.current = current
        self.current_text = current_text

    def facts(self) -> dict[str, object]:
        return {
            "path": self.path,
            "expected": {"version": self.expected, "text": self.expected_text},
            "current": {"version": self.current, "text": self.current_text},
        }

    def details(self) -> str:
        old = "(not there)\n" if self.expected_text is None else self.expected_text
        return f"--- {self.expected[:10]} (yours)\n{old}\n+++ {self.current[:10]} (now)\n{self.current_text}"


class NearDuplicate(Conflict):
    """A memory says already all that the new one says, in nearly the same words; nothing was written.

    `id` and `path` are those of the memory that says it, `says` the beginning of its text.
    """

    kind = "near_duplicate"

    def __init__(self, id: str, path: str, says: str) -> None:
        super().__init__(
            f"nothing was written: {id} says this already, in other words: {says}",
            hint=f"'gitmem update {id}' changes it; --force writes this beside it",
        )
        self.id = id
        self.path = path
        self.says = says

    def facts(self) -> dict[str, object]:
        return {"id": self.id, "path": self.path, "says": self.says}


class Refused(GitmemError):
    """A rule of the store or of gitmem forbids what was asked."""

    exit_code = 5
    kind = "refused"


class Busy(GitmemError):
    """Somebody else holds what is needed, and waiting did not help; nothing was changed."""

    exit_code = 6
    kind = "busy"


class BranchMoved(Busy):
    """A branch kept moving under a write; every retry lost the race and nothing was changed."""

    kind = "branch_moved"


class StoreProblem(GitmemError):
    """The place is not a store, or cannot be used as one."""

    exit_code = 7
    kind = "store_problem"


class NotAStore(StoreProblem):
    """There is no repository here, or none that holds memories."""

    kind = "not_a_store"


class NewerFormat(StoreProblem):
    """The store was written by a newer gitmem than this one; nothing was touched."""

    kind = "newer_format"


class UnsupportedRepository(StoreProblem):
    """The repository uses a git feature that gitmem cannot write safely."""

    kind = "unsupported_repository"


class Damaged(StoreProblem):
    """An object or file of the store cannot be read."""

    kind = "damaged"


class OutsideFailure(GitmemError):
    """Git, the disk, the network or a signing program failed."""

    exit_code = 8
    kind = "outside_failure"


class SigningFailed(OutsideFailure):
    """`commit.gpgsign` is on and the signing program failed or took too long; nothing was committed."""

    kind = "signing_failed"
