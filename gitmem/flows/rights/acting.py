"""Who is acting: told by the environment, git config, the policy, or a terminal; an agent if in doubt.

1. whatever says "agent" makes it an agent: `GITMEM_IDENTITY`, `gitmem.identity` of git config, the
   variable of a known harness, or the policy of the store for the name that was given
2. a person: `GITMEM_IDENTITY` or `gitmem.identity` says so, or a terminal is there
3. else an agent called `unattended`

These are rules at gitmem's doors. Whoever may run plain git on the store is not bound by them.
"""

from __future__ import annotations

import getpass
import sys
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gitmem.errors import Refused
from gitmem.model.change import FileWrite
from gitmem.model.identity import UNATTENDED, Identity, Kind, parse_identity
from gitmem.surroundings import environ
from gitmem.versions.place import Place

IDENTITY_VARIABLE = "GITMEM_IDENTITY"
IDENTITY_SETTING = "gitmem.identity"
HARNESSES = {
    "CLAUDECODE": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_THREAD_ID": "codex",
    "CURSOR_AGENT": "cursor",
    "GEMINI_CLI": "gemini-cli",
    "OPENCLAW_SESSION": "openclaw",
}
"""Variables that coding agents set for the commands they run."""


def acting(place: Place, variables: Mapping[str, str], *, at_terminal: bool) -> Identity:
    """Who acts on `place`. Raises `BadInput` naming a setting that is no identity."""
    claims = _claims(place, variables)
    for claim in claims:
        if not claim.is_person:
            return claim
        if place.config.policy.rules_for(claim).kind is Kind.AGENT:
            return replace(claim, kind=Kind.AGENT, why="the policy of the store")
    if claims:
        return claims[0]
    if not at_terminal:
        return UNATTENDED
    identity = Identity(Kind.PERSON, place.repository.config("user.name") or _login(), "terminal")
    is_agent = place.config.policy.rules_for(identity).kind is Kind.AGENT
    return replace(identity, kind=Kind.AGENT, why="the policy of the store") if is_agent else identity


def acting_here(place: Place) -> Identity:
    """Who acts on `place` by the environment and the streams of this process."""
    return acting(place, environ(), at_terminal=_is_terminal())


def agent_here(place: Place, name: str | None = None) -> Identity:
    """The agent that acts on `place` where it cannot be a person, whatever the environment says.

    A person's name is not taken over: an agent in somebody's name would have the rights of that name.
    `name` is what the host that calls is said to be. It counts where nothing else names an agent, but gives
    no rights: where the policy binds those whom nothing names, it binds this one too.
    """
    agents = [claim for claim in _claims(place, environ()) if not claim.is_person]
    if agents:
        return agents[0]
    rules = place.config.policy.rules_for(UNATTENDED)
    if name is not None and not (rules.must_propose or rules.is_quarantined):
        return Identity(Kind.AGENT, name, "its hook")
    return replace(UNATTENDED, why="nothing names the agent that asks")


def acting_without_store() -> Identity:
    """Who acts where there is no store to ask: by the environment and the streams of this process."""
    variables = environ()
    named = variables.get(IDENTITY_VARIABLE)
    claims = [parse_identity(named, IDENTITY_VARIABLE)] if named else []
    claims += [Identity(Kind.AGENT, name, key) for key, name in HARNESSES.items() if variables.get(key)]
    agents = [claim for claim in claims if not claim.is_person]
    if agents or claims:
        return (agents or claims)[0]
    return Identity(Kind.PERSON, _login(), "terminal") if _is_terminal() else UNATTENDED


def told_here() -> tuple[object, ...]:
    """All that tells who acts here, but for the repository: who agree in it act as one."""
    variables = environ()
    named = [variables.get(name) for name in (IDENTITY_VARIABLE, *HARNESSES)]
    return (*named, _is_terminal())


def require_person(identity: Identity, what: str) -> None:
    """Raises `Refused` where an agent is about to do what only a person may."""
    if not identity.is_person:
        raise Refused(
            f"{what} needs a person; this is {identity} ({identity.why})",
            hint=f"run it at a terminal, or say who you are: {IDENTITY_VARIABLE}=person:NAME",
        )


def refuse_removal(place: Place, identity: Identity, gone: Sequence[str], new: Sequence[str] = ()) -> None:
    """Raises `Refused` where an agent takes memory files away; `new` are those that come instead."""
    lost = [path for path in gone if place.config.is_memory_path(path)]
    kept = [path for path in new if place.config.is_memory_path(path)]
    if not identity.is_person and len(lost) > len(kept):
        raise Refused(
            f"{lost[0]} would be gone, and {identity} removes no memory ({identity.why})",
            hint="'gitmem suggest archive ID' proposes it, and a person decides",
        )


def refuse_removing_writes(place: Place, identity: Identity, writes: Sequence[FileWrite]) -> None:
    """The same of what a plan writes."""
    gone = [write.path for write in writes if write.data is None and write.blob is None]
    refuse_removal(place, identity, gone, [write.path for write in writes if write.old is None])


def require_reviewer(place: Place, identity: Identity, what: str) -> str:
    """Who reviews, as a trailer names them.

    Raises `Refused` for an agent, and for a person who can only propose or is not trusted.
    """
    require_person(identity, what)
    rules = place.config.policy.rules_for(identity)
    if rules.must_propose or rules.is_quarantined:
        raise Refused(f"{what} needs somebody else: {identity} can only propose, as the policy says")
    return str(identity)


def _claims(place: Place, variables: Mapping[str, str]) -> list[Identity]:
    """What is said of who acts, the nearest first."""
    claims = []
    named = variables.get(IDENTITY_VARIABLE)
    if named:
        claims.append(parse_identity(named, IDENTITY_VARIABLE))
    configured = place.repository.config(IDENTITY_SETTING)
    if configured:
        claims.append(parse_identity(configured, IDENTITY_SETTING))
    claims += [
        Identity(Kind.AGENT, name, harness) for harness, name in HARNESSES.items() if variables.get(harness)
    ]
    return claims


def _is_terminal() -> bool:
    try:
        return sys.stdin.isatty() and sys.stdout.isatty()
    except (AttributeError, ValueError):
        # A process may run with its streams closed.
        return False


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "somebody"
