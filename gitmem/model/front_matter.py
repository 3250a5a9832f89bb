"""python-frontmatter's handler for headers that are not plain, with values as `yaml_reading` defines them.

Loaded only when such a header is met: with the YAML parser it takes longer to load than many commands run.
"""

from __future__ import annotations

from typing import Any

from frontmatter.default_handlers import YAMLHandler

from gitmem.model.fences import is_fenced, split_text
from gitmem.model.yaml_events import read_events
from gitmem.model.yaml_reading import Entry


class StrictHandler(YAMLHandler):
    """Fences and values read without surprises."""

    def detect(self, text: str) -> bool:
        return is_fenced(text)

    def split(self, text: str) -> tuple[str, str]:
        return split_text(text)

    def entries(self, fm: str) -> list[Entry] | None:
        """The fields with their places; None where the block is not a mapping. Raises `HeaderError`."""
        return read_events(fm)

    def load(self, fm: str, **_: object) -> dict[str, Any]:
        """The fields as plain JSON values; empty where the block is not a mapping."""
        return {entry.key: entry.value for entry in self.entries(fm) or ()}


HANDLER: Any = StrictHandler()
