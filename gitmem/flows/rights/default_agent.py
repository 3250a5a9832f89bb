"""The agent that writes in this clone where a caller names none: `gitmem.agent` of git's config."""

from __future__ import annotations

from msgspec.structs import replace

from gitmem.model.change import Origin, Plan
from gitmem.versions.place import Place

AGENT_SETTING = "gitmem.agent"


def with_default_agent(place: Place, origin: Origin) -> Origin:
    """`origin`, by the agent of this clone where it names none."""
    if origin.agent is not None:
        return origin
    agent = (place.repository.config(AGENT_SETTING) or "").strip()
    return replace(origin, agent=agent) if agent else origin


def signed_by_default(place: Place, plan: Plan) -> Plan:
    """`plan`, whose commit names the agent of this clone where its origin names none."""
    origin = with_default_agent(place, plan.origin)
    return plan if origin is plan.origin else replace(plan, origin=origin)
