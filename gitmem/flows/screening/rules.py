"""The privacy rules of a store at work: which hold where, and the placeholders of this clone."""

from __future__ import annotations

from msgspec import Struct, field

from gitmem.model.ids import BlobId
from gitmem.model.memory import MemoryType
from gitmem.model.place import owner_of, type_of
from gitmem.model.reading import read_memory
from gitmem.model.sensitive import NAME, Action, PrivacyRules
from gitmem.privacy.detect import Detector
from gitmem.privacy.judge import Judge
from gitmem.privacy.placeholders import placeholder
from gitmem.versions.place import Place
from gitmem.versions.privacy_key import privacy_key
from gitmem.versions.privacy_settings import PRIVACY_SETTING, parse_own_actions

MOST_TEXT_BYTES = 8 * 1024 * 1024
"""Of one file, how much is judged."""
_OF_GIT_AND_GITMEM = (".gitmem/", ".gitattributes", ".gitignore")


class FileText(Struct, frozen=True):
    """The text of a file as far as it is judged, and the bytes that follow."""

    text: str
    rest: bytes = b""

    @property
    def is_cut(self) -> bool:
        return bool(self.rest)


def is_judged(path: str) -> bool:
    """Whether the file at `path` is judged: what git and gitmem go by is not."""
    return not path.startswith(_OF_GIT_AND_GITMEM)


def text_of(data: bytes) -> FileText | None:
    """The text in `data`; None where it is no text, since a NUL is in it."""
    start, rest = data[:MOST_TEXT_BYTES], data[MOST_TEXT_BYTES:]
    if b"\x00" in start:
        return None
    return FileText(start.decode("utf-8", "surrogateescape"), rest)


class Screening(Struct):
    """The rules of a place, as its policy and the git config of this clone have them."""

    place: Place
    _own: dict[str, Action] | None = None
    _judges: dict[str | None, Judge] = field(default_factory=dict)
    _key: bytes | None = None

    @property
    def is_needed(self) -> bool:
        """Whether anything is looked for at all."""
        partitions = self.place.config.policy.partitions
        return bool(self.judge().rules.kinds) or any(each.privacy for each in partitions)

    def judge(self, path: str | None = None, data: bytes = b"") -> Judge:
        """The rules for the file at `path` with the bytes `data`; for texts of no file without."""
        policy = self.place.config.policy
        partition = None
        if path is not None and policy.partitions:
            partition = policy.partition_of(path, _type(path, data))
        name = partition.name if partition else None
        if name not in self._judges:
            rules = policy.privacy.within(partition.privacy if partition else {})
            rules = rules.tightened(self._tightening())
            self._judges[name] = Judge(rules, _detectors(rules))
        return self._judges[name]

    def title(self, title: str, path: str | None = None) -> str:
        """A title as it may be shown: in a file name, as that of a proposal, in what is said of a write."""
        return self.judge(path).hidden(title, self.hide)

    def hide(self, kind: str, value: str) -> str:
        """The placeholder of a value in this clone; the key is made when it is first needed."""
        if self._key is None:
            self._key = privacy_key(self.place.home)
        return placeholder(kind, value, self._key)

    def _tightening(self) -> dict[str, Action]:
        if self._own is None:
            setting = self.place.repository.config(PRIVACY_SETTING)
            self._own = parse_own_actions(setting) if setting and setting.strip() else {}
        return self._own


def _type(path: str, data: bytes) -> MemoryType:
    """The type of the memory in `data`; without them, and of an attachment, the folder tells."""
    if owner_of(path) is not None or not data:
        return type_of(path) or MemoryType.SEMANTIC
    return read_memory(path, BlobId(""), data).type


def _detectors(rules: PrivacyRules) -> tuple[Detector, ...]:
    if rules.action_of(NAME) is Action.ALLOW:
        return ()
    from gitmem.privacy.names import names_detector

    return (names_detector(),)
