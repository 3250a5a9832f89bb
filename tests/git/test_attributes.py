"""Attributes are what git says they are, whether or not git is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git.attributes import READ_HERE, Attributes, NotPlain, parse_rule
from gitmem.git.repository import Repository
from tests.git.helpers import git

PATTERNS = [
    "*.md",
    "*",
    "*.txt",
    "a/*.md",
    "x.md",
    "*.m?",
    '"*.md"',
    "# *.md",
    "/x.md",
    "!*.md",
    "[attr]mine",
    "a/",
]
WORDS = ["filter=lfs", "-filter", "!text", "text", "-text", "text=auto", "eol=crlf", "ident", "binary", "merge=x",
         "-diff", "crlf", "working-tree-encoding=UTF-16", "mine", "eol", "-text=x", "a..b"]  # fmt: skip
LINES = st.tuples(
    st.sampled_from(["", " "]), st.sampled_from(PATTERNS), st.lists(st.sampled_from(WORDS), max_size=3)
)
FILES = st.lists(LINES.map(lambda line: line[0] + " ".join([line[1], *line[2]])), max_size=4).map("\n".join)
PATHS = ["x.md", "a/x.md", "a/b/y.md", "a/b/z.txt", "c/x.md", ".md"]


def as_git_says(root: Path, path: str) -> dict[str, str | bool | None]:
    """Every attribute that is read here, from `git check-attr`."""
    fields = git(root, "check-attr", "-z", *sorted(READ_HERE), "--", path).split("\0")
    words = dict(zip(fields[1::3], fields[2::3], strict=False))
    return {
        name: {"set": True, "unset": False, "unspecified": None}.get(word, word)
        for name, word in words.items()
    }


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(top=FILES, below=FILES, staged=FILES, info=FILES, is_top_removed=st.booleans())
def test_attributes_are_those_of_check_attr(
    repo: Repository, top: str, below: str, staged: str, info: str, is_top_removed: bool
) -> None:
    """Rules in the worktree, in a folder, only in the index and in `info/attributes`, in git's order.

    What is not plain is libgit2's to say, which reads some of it in another way than git.
    """
    root = repo.worktree
    assert root is not None
    (root / "a" / "b").mkdir(parents=True, exist_ok=True)
    (root / "c").mkdir(exist_ok=True)
    index = [".gitattributes", "a/b/.gitattributes", "c/.gitattributes"]
    for place, text in zip(index, (top, below, staged), strict=True):
        (root / place).write_text(text + "\n")
        blob = repo.write_blob((text + "\n").encode())
        git(root, "update-index", "--add", "--cacheinfo", f"100644,{blob},{place}")
    (root / "c/.gitattributes").unlink()
    if is_top_removed:
        (root / ".gitattributes").unlink()
    (repo.git_dir / "info").mkdir(exist_ok=True)
    (repo.git_dir / "info" / "attributes").write_text(info + "\n")
    attributes = Attributes(Repository.discover(root).raw, root)
    for path in PATHS:
        if attributes.is_plain(path):
            assert {name: attributes.get(path, name) for name in READ_HERE} == as_git_says(root, path), path


def test_what_a_store_says_of_its_files_needs_no_question(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`*.md -text` is read without libgit2, which would read the whole index."""
    root = repo.worktree
    assert root is not None
    (root / ".gitattributes").write_text("*.md -text\n*.png binary\n".replace("binary", "-diff"))
    attributes = repo.attributes()
    monkeypatch.setattr(attributes, "_repo", _NoQuestions(repo))
    assert attributes.get("a/new/x.md", "text") is False
    assert attributes.get("a/new/x.md", "filter") is None


class _NoQuestions:
    """A repository that knows where it is and what its config says, but no attributes."""

    def __init__(self, repo: Repository) -> None:
        self.path, self.config = repo.raw.path, repo.raw.config


@pytest.mark.parametrize(
    "line",
    [
        b'"*.md" text',
        b"[attr]x text",
        b"a/*.md text",
        b"*.m[d] text",
        b"*.md binary",
        b"*.md -text=x",
        b"*.md text\x0bx",
    ],
)
def test_a_line_that_is_not_plain_is_left_to_git(line: bytes) -> None:
    with pytest.raises(NotPlain):
        parse_rule(line)


def test_a_file_that_is_only_in_the_index_is_left_to_git(repo: Repository) -> None:
    """Its rules hold for git; for the folders beside it they are read here."""
    root = repo.worktree
    assert root is not None
    (root / "a" / ".gitattributes").write_text("*.md filter=lfs\n")
    git(root, "add", "a/.gitattributes")
    assert repo.attributes().is_plain("a/x.md")
    (root / "a" / ".gitattributes").unlink()
    attributes = repo.attributes()
    assert not attributes.is_plain("a/x.md") and attributes.is_plain("x.md")
    assert attributes.get("a/x.md", "filter") == "lfs" and attributes.get("x.md", "filter") is None


def test_lines_about_other_attributes_are_passed_over() -> None:
    """Whatever their pattern is."""
    assert parse_rule(b"docs/**/*.m? merge=union -diff") == []
    assert [rule.value for rule in parse_rule(b" *.md !text -filter eol=lf ident\r")] == [
        None,
        False,
        "lf",
        True,
    ]
