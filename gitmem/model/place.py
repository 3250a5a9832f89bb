"""Where memories stand: type folder, namespace, file name; and which paths are safe anywhere.

semantic/people/alice/alice-wants-reports-by-e-mail-m7k2q9xw.md   with a namespace
semantic/m7/alice-wants-reports-by-e-mail-m7k2q9xw.md             without
episodic/people/alice/2026/11/29/1530-alice-called-m7k2q9xw.md    episodes by day
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from fnmatch import translate
from functools import lru_cache

from gitmem.errors import BadInput
from gitmem.model.ids import MemoryId
from gitmem.model.memory import MemoryType

MAX_NAME_BYTES = 180
"""Of a file name: leaves room below the usual 255 for suffixes that programs add."""
MAX_SLUG_BYTES = 96
ATTACHMENTS = ".files/"
"""What follows the name of a memory file, without `.md`, in the paths of its attachments."""
MAX_PATH_BYTES = 1024
NOT_MEMORIES = frozenset({"readme.md", "license.md", "contributing.md", "changelog.md", "code_of_conduct.md"})
_DAY = re.compile(r"(?:^|/)\d{4}/\d{2}/\d{2}$")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\..*)?")
_GIT_FOLDER = re.compile(r"(?i)(\.git|git~\d+)[. ]*")
_ILLEGAL = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_NO_WORD = re.compile(r"[^a-z0-9]+")
_IGNORED_BY_HFS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def is_memory_path(path: str, exclude: Sequence[str] = ()) -> bool:
    """Whether the file at `path` is a memory: any `*.md` that no pattern of `exclude` matches."""
    folder, _, name = path.rpartition("/")
    lowered = name.casefold()
    if not lowered.endswith(".md") or lowered in NOT_MEMORIES or name.startswith("."):
        return False
    if any(part.startswith(".") or part.endswith(".files") for part in folder.split("/") if part):
        return False
    return not exclude or _any_of(tuple(exclude)).match(path) is None


@lru_cache(maxsize=16)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """One expression for all patterns, as the shell reads them; `*` takes slashes too."""
    return re.compile("|".join(f"(?:{translate(pattern)})" for pattern in patterns))


def type_of(path: str) -> MemoryType | None:
    """The type that the first folder of `path` names, if it names one."""
    first, slash, _ = path.partition("/")
    try:
        return MemoryType(first) if slash else None
    except ValueError:
        return None


def namespace_of(path: str, memory_id: str) -> str:
    """The folders between the type and what gitmem adds below: days, and the shard of the id."""
    folder, _, name = path.rpartition("/")
    if not name or type_of(path) is None:
        return folder
    _, _, below = folder.partition("/")
    below = _DAY.sub("", below)
    shard = memory_id[:2].casefold()
    if below == shard or below.endswith("/" + shard):
        below = below[: -len(shard)].rstrip("/")
    return below


def folder_for(memory_type: MemoryType, namespace: str, created: datetime) -> str:
    """The folder of a new memory, before any shard."""
    parts = [str(memory_type)]
    if namespace:
        parts.append(namespace)
    if memory_type is MemoryType.EPISODIC:
        parts.append(created.strftime("%Y/%m/%d"))
    return "/".join(parts)


def shard_of(memory_id: MemoryId) -> str:
    """The folder of the first two characters of an id, safe as a folder name."""
    shard = memory_id[:2].casefold().strip(".")
    return shard if len(shard) == 2 and not shard.startswith("-") else "00"


def file_name(memory_type: MemoryType, title: str, memory_id: MemoryId, created: datetime) -> str:
    """`alice-wants-reports-m7k2q9xw.md`; an episode begins with its time of day."""
    slug = slug_of(title)
    parts = [created.strftime("%H%M")] if memory_type is MemoryType.EPISODIC else []
    parts += [slug] if slug and slug != memory_id.casefold() else []
    name = "-".join([*parts, memory_id])
    if _RESERVED.fullmatch(name + ".md"):
        name = "m-" + name
    return name + ".md"


def slug_of(title: str) -> str:
    """`title` as lower-case words joined by hyphens; any script is kept, marks too."""
    if title.isascii():
        return _cut_to_bytes(_NO_WORD.sub("-", title.lower()).strip("-"), MAX_SLUG_BYTES).strip("-")
    text = unicodedata.normalize("NFC", _IGNORED_BY_HFS.sub("", title)).casefold()
    text = unicodedata.normalize("NFC", text)
    kept = "".join(character if _belongs_to_word(character) else "-" for character in text)
    return _cut_to_bytes(re.sub("-{2,}", "-", kept).strip("-"), MAX_SLUG_BYTES).strip("-")


def _belongs_to_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"


def _cut_to_bytes(text: str, size_bytes: int) -> str:
    """The longest start of `text` within `size_bytes`, cut at a hyphen if one is near."""
    if len(text.encode("utf-8", "ignore")) <= size_bytes:
        return text
    cut = text.encode("utf-8", "ignore")[:size_bytes].decode("utf-8", "ignore")
    while cut and unicodedata.category(text[len(cut)])[0] == "M":
        cut = cut[:-1]
    head, hyphen, _ = cut.rpartition("-")
    return head if hyphen and len(head) > len(cut) // 2 else cut


def attachment_folder(path: str) -> str:
    """The folder of the attachments of the memory at `path`, with the slash at its end."""
    return path[: -len(".md")] + ATTACHMENTS


def owner_of(path: str) -> str | None:
    """The path of the memory that the file at `path` is attached to; None if it is no attachment."""
    stem, found, _ = path.partition(ATTACHMENTS)
    return stem + ".md" if found else None


def parse_namespace(text: str) -> str:
    """A namespace as given by a caller: `people/alice`. Raises `BadInput` where it is not safe."""
    namespace = unicodedata.normalize("NFC", text.strip().strip("/"))
    if not namespace:
        raise BadInput("--in: the namespace is empty", field="in", hint="use folders such as people/alice")
    _refuse_unsafe(namespace, field="in")
    if any(part.casefold().endswith(ATTACHMENTS.rstrip("/")) for part in namespace.split("/")):
        raise BadInput(f"--in: {namespace!r} is refused: folders of that name hold attachments", field="in")
    return namespace


def parse_memory_path(text: str) -> str:
    """A path for a new memory as given by a caller. Raises `BadInput` where it is not safe everywhere."""
    _refuse_unsafe(text, field="path")
    if not text.endswith(".md"):
        raise BadInput(f"--path: {text!r} does not end in .md", field="path")
    return text


def _refuse_unsafe(path: str, *, field: str) -> None:
    reason = why_unsafe(path) or why_misleading(path)
    if reason:
        raise BadInput(f"--{field}: {path!r} is refused: {reason}", field=field)


def why_misleading(path: str) -> str | None:
    """Why no new file is put at `path`, although every system could hold it; None if one may be."""
    if _IGNORED_BY_HFS.search(path):
        return "it has an invisible character"
    for part in path.split("/"):
        if part.startswith((" ", "~")):
            return f"a part begins with {part[0]!r}"
    return None


def name_key(path: str) -> str:
    """The form in which paths are compared: two that any file system takes for one are one."""
    if path.isascii():
        return path.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def safe_path(path: str) -> str:
    """`path` itself where it is safe everywhere, else one made from it, the same on every machine."""
    if why_unsafe(path) is None:
        return path
    return "/".join(part if _why_unsafe_part(part) is None else _safe_part(part) for part in path.split("/"))


def _safe_part(part: str) -> str:
    stem, dot, ending = (
        part.rpartition(".") if part.casefold().endswith((".md", ".files")) else (part, "", "")
    )
    digest = hashlib.sha256(part.encode("utf-8", "surrogateescape")).hexdigest()[:6]
    slug = slug_of("".join(character for character in stem if not "\ud800" <= character <= "\udfff"))
    return f"{slug}-{digest}".lstrip("-") + dot + ending


def why_unsafe(path: str) -> str | None:
    """Why `path` cannot be used inside a store on every system; None if it can."""
    if path.startswith("/"):
        return "it is absolute"
    if len(path.encode("utf-8", "replace")) > MAX_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    for part in path.split("/"):
        reason = _why_unsafe_part(part)
        if reason:
            return reason
    return None


def _why_unsafe_part(part: str) -> str | None:
    visible = _IGNORED_BY_HFS.sub("", part)
    if part in ("", ".", ".."):
        return "it has an empty, '.' or '..' part"
    if any("\ud800" <= character <= "\udfff" for character in part):
        return "it is not valid UTF-8"
    if _ILLEGAL.search(part):
        return "it has a character that some systems forbid"
    if _GIT_FOLDER.fullmatch(visible):
        return "it names git's own files"
    if part.startswith((".", "-")):
        return f"a part begins with {part[0]!r}"
    if part[-1] in ". ":
        return "a part ends with a dot or blank"
    if _RESERVED.fullmatch(part):
        return f"{part!r} is a device name on Windows"
    if len(part.encode("utf-8")) > MAX_NAME_BYTES:
        return f"a part is longer than {MAX_NAME_BYTES} bytes"
    return None
