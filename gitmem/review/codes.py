"""Everything that `check` can find, by its code: how bad it is, what it is, and what to do about it.

Codes are promises: one is never renamed, and never means something else.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Check(Struct, frozen=True):
    """One kind of finding. `severity` is the usual one; a single finding may have another."""

    code: str
    severity: str
    title: str
    advice: str


def _checks(*checks: tuple[str, str, str, str]) -> Mapping[str, Check]:
    return {code: Check(code, severity, title, advice) for code, severity, title, advice in checks}


_REVIEW = "take it out, or, where the memory is about such texts, quote it in a block of code"

CHECKS = _checks(
    ("header", "error", "A header that cannot be read", "mend the header by hand, then 'gitmem commit'"),
    ("encoding", "error", "A file that is not UTF-8", "save it as UTF-8, then 'gitmem commit'"),
    ("binary", "error", "A file with NUL bytes", "take it out, or attach it to a memory"),
    ("too-large", "error", "A file too large to be read", "split it, or attach it to a memory"),
    ("damaged", "error", "An object that git cannot read", "'gitmem doctor' looks for an intact copy"),
    ("path", "error", "A path that git does not check out", "rename it in a commit made elsewhere"),
    (
        "conflict-marker",
        "error",
        "Markers that a merge left",
        "'gitmem doctor --fix' merges both sides by meaning",
    ),
    (
        "duplicate-id",
        "error",
        "One id on two files",
        "take the line 'id:' out of one of the two, then 'gitmem commit'",
    ),
    ("doubled", "error", "A memory on two branches", "'gitmem doctor --fix' takes it off one of them"),
    (
        "field",
        "warning",
        "A field whose value cannot be used",
        "write a value of the kind that the file format names",
    ),
    (
        "forgotten",
        "error",
        "What was forgotten, brought back by plain git",
        "'gitmem forget ID' takes it out again; 'gitmem heal' lets a whole old history go",
    ),
    (
        "not-encrypted",
        "error",
        "A memory in the clear in an encrypted partition",
        "'gitmem update ID' encrypts it; its older versions stay in the clear",
    ),
    (
        "telling-name",
        "warning",
        "A file name that tells what is encrypted",
        "'gitmem rename ID TITLE' names it by its id; older commits keep the old name",
    ),
    ("unfinished", "warning", "A write that was interrupted", "any other command finishes it"),
    ("broken-link", "warning", "A link to a memory that is not there", "mend the id, or take the link out"),
    ("disputed", "warning", "A memory of which several versions are kept", "'gitmem resolve ID' settles it"),
    ("anchor-stale", "warning", "An anchor whose target changed", "look, then 'gitmem confirm ID'"),
    ("link", "warning", "A symbolic link", "put the text in its place: links are not followed"),
    ("name", "warning", "A name that some systems cannot have", "'gitmem rename ID' gives another"),
    ("filter", "warning", "A file behind a git filter", "take the filter off memories in .gitattributes"),
    (
        "large-folder",
        "warning",
        "A folder with too many files",
        "put memories into namespaces: 'gitmem rename ID'",
    ),
    (
        "anchor-moved",
        "note",
        "An anchor whose target has another path",
        "'gitmem confirm ID' writes the new path",
    ),
    (
        "anchor-unknown",
        "note",
        "An anchor that could not be looked at",
        "set anchors.repository, or git config gitmem.codeRepository",
    ),
    ("no-header", "note", "A note without a header", "nothing: it is known by its path"),
    ("no-id", "note", "A header without an id", "nothing: the memory is known by its path"),
    (
        "id-changed",
        "error",
        "An id that changed hands",
        "give the text its id back; a new memory needs a new file",
    ),
    (
        "deleted",
        "error",
        "A memory deleted and not archived",
        "'gitmem archive ID' in its place keeps it at hand",
    ),
    (
        "near-duplicate",
        "warning",
        "A memory that says what another says",
        "update the other one, or say what differs",
    ),
    (
        "contradiction",
        "warning",
        "A memory that contradicts another",
        "correct the other, or name it in 'supersedes'",
    ),
    (
        "size",
        "error",
        "A memory or a change over the limits of the store",
        "split it, or raise the limit in [check]",
    ),
    (
        "foreign-host",
        "warning",
        "A link to a host that the policy does not list",
        "take the link out, or add the host to check.hosts",
    ),
    ("secret", "error", "A secret", "take it out, and have it changed where it opens something"),
    (
        "personal-data",
        "error",
        "Personal data that the policy keeps out",
        "take it out, or let a person allow the kind under [privacy]",
    ),
    ("policy-changed", "error", "A change to the policy of the store", "a person looks at it and merges it"),
    ("injection-override", "error", "Tells a model to drop its instructions", _REVIEW),
    ("injection-role", "error", "Looks like the frame around a model's input", _REVIEW),
    ("injection-hidden-text", "error", "Holds characters that nobody sees", "take the characters out"),
    ("injection-hidden-markup", "error", "Gives orders where nobody looks", "take the comment or markup out"),
    ("injection-tool-call", "error", "Looks like a call of a tool", _REVIEW),
    ("injection-payload", "error", "Gives orders in an encoding", "decode it, look, and take it out"),
    ("injection-obfuscated", "error", "Gives orders in a disguise", "take it out"),
    ("injection-exfiltration", "error", "Wants private things sent away", _REVIEW),
    ("injection-command", "error", "Wants something done in secret", _REVIEW),
    ("injection-persona", "error", "Tells a model to be somebody else", _REVIEW),
    ("injection-authority", "error", "Claims an authority over the model", _REVIEW),
    ("injection-poisoning", "warning", "Sets what a model favours or trusts", _REVIEW),
)
"""The kinds of findings, in the order of the documentation."""
