"""What the README promises is there."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib

import pytest

from tests.docs.pages import ROOT, SAMPLE, blocks

README = (ROOT / "README.md").read_text("utf-8")
SCRIPTS = ("docs/sample/run.sh", "tests/run.sh", "docs/sample/venv.sh", ".ci/run")


def test_the_readme_gives_one_command_for_the_sample_and_one_for_the_tests() -> None:
    """Each stands alone in a block of its own."""
    alone = [block.text for block in blocks(README) if block.language == "text"]
    assert "bash docs/sample/run.sh\n" in alone
    assert "bash tests/run.sh\n" in alone


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_scripts_are_valid(script: str) -> None:
    """bash can read them, and those that are run have the right to."""
    subprocess.run(["bash", "-n", script], cwd=ROOT, check=True)
    if script != "docs/sample/venv.sh":
        assert os.access(ROOT / script, os.X_OK)


def test_ci_runs_the_commands_of_the_readme() -> None:
    """What is promised is what is checked."""
    ci = (ROOT / ".ci/run").read_text("utf-8")
    assert "bash tests/run.sh" in ci
    assert "bash docs/sample/run.sh" in ci


def test_the_install_command_names_the_distribution() -> None:
    """`pip install NAME` in the README is the name in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"pip install {project['name']}\n" in README
    assert (ROOT / "CHANGELOG.md").read_text("utf-8").find(f"## {project['version']}") > 0


def test_the_sample_has_as_many_memories_as_the_script_says() -> None:
    """25 files and 8 lines."""
    script = (SAMPLE / "run.sh").read_text("utf-8")
    files = len(list((SAMPLE / "memories").rglob("*.md")))
    lines = len((SAMPLE / "session.jsonl").read_text("utf-8").splitlines())
    assert f'say "{files} memories' in script
    assert f'say "{lines} more' in script
