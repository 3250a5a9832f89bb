"""The verbs of keys: who can read what is encrypted, here and elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.keys import Keys


class KeyVerbs(Handle):
    """What can be done with the keys of encrypted memories; all but looking is for people."""

    def keys(self) -> Keys:
        """The keys that are here, and which of them can be used."""
        from gitmem.flows.keys import list_keys

        return list_keys(self._work)

    def export_keys(self, file: str | Path) -> Keys:
        """Writes all keys, wrapped as they are, to a new file. Raises `Refused` for an agent, `Conflict`."""
        from gitmem.flows.keys import export_keys

        return export_keys(self._work, Path(file))

    def import_keys(self, file: str | Path) -> Keys:
        """Takes in what `export_keys` wrote in another clone. Raises `Refused` for an agent, `BadInput`."""
        from gitmem.flows.keys import import_keys

        return import_keys(self._work, Path(file))

    def rewrap_keys(self) -> Keys:
        """Wraps the keys for the recipients that the policy names by now. Raises `Refused` for an agent."""
        from gitmem.flows.keys import rewrap_keys

        return rewrap_keys(self._work)

    def delete_keys(self, names: Sequence[str], *, confirmed: Sequence[str] = ()) -> Keys:
        """Deletes keys by name or subject; what was encrypted with them is lost. `confirmed` repeats `names`.

        Raises `Refused` for an agent, and where it is not confirmed; `NotFound`.
        """
        from gitmem.flows.keys import delete_keys

        return delete_keys(self._work, names, confirmed)
