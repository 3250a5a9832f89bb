"""The main job on real input: a repository of notes grown by hand, and five long conversations.

GITMEM_DATA names the folder of the data. Set but missing is a failure; not set, these tests are
skipped, since the data is not part of the project.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from gitmem.recall.where import Where
from gitmem.store import Store
from tests.conftest import git, gitmem

DATA = os.environ.get("GITMEM_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="GITMEM_DATA is not set")


@pytest.fixture
def data() -> Path:
    folder = Path(DATA or "")
    assert folder.is_dir(), f"GITMEM_DATA names {folder}, which is not there"
    return folder


@pytest.fixture
def notes(person: None, data: Path, tmp_path: Path) -> Path:
    """A clone of the notes, adopted as a store."""
    git(tmp_path, "clone", "-q", str(data / "til.bundle"), "til")
    return tmp_path / "til"


def digests(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and not {".git", ".gitmem"} & set(file.relative_to(folder).parts)
    }


def test_notes_kept_in_git_for_years_are_adopted_as_they_are(notes: Path) -> None:
    before = digests(notes)
    assert gitmem(notes, "init").code == 0
    found = gitmem(notes, "recall", "rename a git branch", "--json", timeout=120).json["results"]
    assert found[0]["path"] == "git/renaming-a-branch.md"
    assert gitmem(notes, "list", "--json").json["total"] > 1800
    log = gitmem(notes, "log", "git/renaming-a-branch.md", "--json").json
    first = git(
        notes,
        "log",
        "--diff-filter=A",
        "--follow",
        "--format=%ad",
        "--date=format:%Y",
        "--",
        found[0]["path"],
    ).split()[-1]
    assert log["entries"][-1]["date"].startswith(first)
    assert log["entries"][-1]["number"] == 1
    assert digests(notes) == before
    assert git(notes, "status", "--porcelain") == ""
    assert gitmem(notes, "check").code == 0
    print(f"\nnotes: {found[0]['path']} since {first}, {len(before)} files unchanged")


def test_the_oldest_notes_have_their_history_from_the_first_year(notes: Path) -> None:
    store = Store.init(notes)
    oldest = git(notes, "log", "--reverse", "--diff-filter=A", "--format=", "--name-only").split("\n")
    paths = [path for path in oldest if path.endswith(".md") and (notes / path).exists() and "/" in path][:5]
    for path in paths:
        year = git(notes, "log", "--follow", "--format=%ad", "--date=format:%Y", "--", path).split()[-1]
        assert store.log(path).entries[-1].date.startswith(year), path


def test_a_hundred_notes_are_archived_and_restored_with_their_history(notes: Path) -> None:
    store = Store.init(notes)
    paths = [path for path, _ in store.place.snapshot_of(store.branch).files()][:1000:10]
    assert len(paths) == 100
    # Without a table of versions each log walks the whole history.
    before = {path: [entry.commit for entry in store.log(path).entries] for path in paths[::5]}
    tree = git(notes, "rev-parse", "HEAD^{tree}")
    store.archive(paths)
    assert store.on("archive").list().total == 100
    assert [entry.commit for entry in store.log(paths[0]).entries] == before[paths[0]]
    store.restore(paths)
    assert {path: [entry.commit for entry in store.log(path).entries] for path in before} == before
    assert git(notes, "rev-parse", "HEAD^{tree}") == tree
    assert git(notes, "status", "--porcelain") == ""


def turns(data: Path) -> Iterator[dict[str, Any]]:
    """The conversations as a batch: speaker, date and session kept."""
    for line in (data / "locomo_open" / "turns.jsonl").read_text(encoding="utf-8").splitlines():
        turn = json.loads(line)
        moment = datetime.strptime(turn["date"], "%I:%M %p on %d %B, %Y")
        text = turn["text"] + (f"\n\n[{turn['caption']}]" if turn["caption"] else "")
        yield {
            "id": turn["id"].replace("/", "-").replace(":", "-"),
            "text": text,
            "type": "episodic",
            "in": turn["scope"],
            "created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "session": f"{turn['scope']}-{turn['session']}",
            "fields": {"speaker": turn["speaker"]},
        }


@pytest.mark.timeout(900)
def test_conversations_are_remembered_in_one_batch_and_recalled(
    person: None, data: Path, tmp_path: Path
) -> None:
    """Of the turns that answer a question, at least 65 % are among the first ten hits."""
    batch = tmp_path / "turns.jsonl"
    batch.write_text("\n".join(json.dumps(turn) for turn in turns(data)), encoding="utf-8")
    gitmem(tmp_path, "init", "mem")
    done = gitmem(tmp_path, "-C", "mem", "remember", "--batch", str(batch), "--json", timeout=300)
    assert done.json["count"] == 2760, done.err
    store = Store.open(tmp_path / "mem")
    queries = data / "locomo_open" / "queries.jsonl"
    run = tmp_path / "run.jsonl"
    scores = []
    with open(run, "w", encoding="utf-8") as file:
        for line in queries.read_text(encoding="utf-8").splitlines():
            query = json.loads(line)
            hits = store.recall(query["query"], Where(namespace=query["scope"]), limit=20).hits
            scope = query["scope"]
            ranked = [
                f"{scope}/" + each.hit.record.id.removeprefix(f"{scope}-").replace("-", ":") for each in hits
            ]
            file.write(json.dumps({"id": query["id"], "ranked": ranked}) + "\n")
            if query["relevant"]:
                scores.append(len(set(ranked[:10]) & set(query["relevant"])) / len(set(query["relevant"])))
    recall_at_10 = 100 * sum(scores) / len(scores)
    print(f"\nconversations: R@10 {recall_at_10:.1f} % over {len(scores)} questions")
    scorer = data.parent / "bench" / "score.py"
    if scorer.exists():
        output = subprocess.run(
            [sys.executable, str(scorer), str(queries), str(run)], capture_output=True, text=True, check=True
        ).stdout
        print(output)
        assert f"R@10 {recall_at_10:5.1f}" in output
    assert recall_at_10 >= 65.0
