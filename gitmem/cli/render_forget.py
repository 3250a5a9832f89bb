"""The text of forget, heal and tombstones. A receipt says how much and where, never what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.forgetting.elsewhere import Pushed
    from gitmem.flows.forgetting.values import ForgetPlan, Proof, Receipt
    from gitmem.flows.heal import Healed
    from gitmem.flows.tombstones import Buried

MOST_NAMED = 10
_KINDS = {
    "id": "id",
    "text": "text",
    "sentence": "sentence",
    "file": "attachment",
    "commit": "commit",
}


def plan_text(plan: ForgetPlan) -> str:
    """What would be forgotten, for the person who has to agree: the only text with titles in it."""
    lines = [f"would forget {memories_text(len(plan.memories))} for good:"]
    for memory in plan.memories:
        attached = f", {_many(memory.attachments, 'attachment')}" if memory.attachments else ""
        versions = _many(memory.versions, "version")
        lines.append(f"  {memory.id}  {one_line(memory.title)}  {versions}{attached}")
    written = _many(plan.commits, "commit")
    lines.append(f"{written} would be written anew, {plan.dropped:,} dropped{_signed(plan)}")
    lines += [f"  {kind}: {count:,}" for kind, count in sorted(plan.refs.items())]
    if plan.leftovers:
        lines.append(f"{_many(plan.leftovers, 'file')} in stashes, notes and old states would be reworded")
    if plan.aside:
        lines.append(f"{_many(plan.aside, 'damaged file')} in gitmem/aside would be removed, unread")
    lines += (
        _mentions(plan.mentions, plan.shared, plan.redacts_mentions)
        + _also_said(plan.also_said)
        + _names(plan.names)
    )
    return "\n".join(lines) + "\n"


def _signed(plan: ForgetPlan) -> str:
    return f", {_many(plan.signatures, 'signature')} would fall away" if plan.signatures else ""


def receipt_text(receipt: Receipt) -> str:
    done = "went on and forgot" if receipt.is_repeated else "forgot"
    ids = ", ".join(receipt.ids[:MOST_NAMED]) + (", …" if len(receipt.ids) > MOST_NAMED else "")
    lines = [f"{done} {ids or 'a text'} on {receipt.day}"]
    lines += [f"  {what}: {count:,}" for what, count in receipt.removed.items()]
    lines += (
        _mentions(receipt.mentions, receipt.shared, receipt.redacts_mentions)
        + _also_said(receipt.also_said)
        + _names(receipt.names)
    )
    if receipt.pushed:
        lines.append(f"pushed {_many(len(receipt.pushed), 'ref')}")
    lines.append("not reached from here:")
    lines += [f"  {each.place}: {each.command}" for each in receipt.elsewhere]
    return "\n".join(lines) + "\n" + proof_text(receipt.proof)


def _mentions(mentions: Mapping[str, int], shared: Mapping[str, int], redacts: bool) -> list[str]:
    lines = []
    does = "reworded" if redacts else "left as they are; --mentions rewords them"
    for files, what in ((mentions, "with mentions of it"), (shared, "beside memories with a line of it")):
        if files:
            lines.append(f"{_many(len(files), 'file')} {what}, {does}:")
            lines += [f"  {one_line(path)}" for path in sorted(files)[:MOST_NAMED]]
            lines += ["  …"] if len(files) > MOST_NAMED else []
    return lines


def _also_said(paths: Mapping[str, int]) -> list[str]:
    if not paths:
        return []
    if len(paths) == 1:
        lines = ["1 memory says a line of it too, and stays; 'gitmem forget ID' forgets it too:"]
    else:
        lines = [
            f"{len(paths):,} memories say a line of it too, and stay; 'gitmem forget ID...' forgets them too:"
        ]
    lines += [f"  {one_line(path)}" for path in sorted(paths)[:MOST_NAMED]]
    return lines + (["  …"] if len(paths) > MOST_NAMED else [])


def _names(names: Sequence[str]) -> list[str]:
    return [f"the id is in the name of {one_line(path)}, which stays" for path in names[:MOST_NAMED]]


def proof_text(proof: Proof) -> str:
    looked = f"{proof.objects:,} objects and {proof.files:,} files"
    line = f"proof: looked through {looked} for {_many(proof.pieces, 'piece')}: {len(proof.found):,} found\n"
    lines = [f"  still in {one_line(place)}: {count:,}" for place, count in proof.found.items()]
    lines += [f"  could not look at {one_line(place)}" for place in proof.unread]
    if not proof.holds:
        lines.append("take it out of there, then 'gitmem forget' looks again")
    return line + "".join(f"{each}\n" for each in lines)


def pushed_text(pushed: Pushed) -> str:
    lines = [f"{pushed.remote}: {_many(len(pushed.refs), 'ref')} moved to the rewritten history"]
    lines += [f"  {one_line(name)}" for name in pushed.refs]
    lines += [f"left {one_line(name)}: {why}" for name, why in pushed.left]
    return "\n".join(lines) + "\n"


def healed_text(healed: Healed) -> str:
    would = "would be " if healed.is_dry_run else ""
    lines = [
        f"{_many(healed.old, 'old commit')} {would}let go for those of {healed.remote}",
        f"{_many(healed.kept, 'commit')} made here {would}kept, {healed.dropped:,} had nothing left",
    ]
    if healed.main is not None:
        lines.append(f"main is at {healed.main[:SHORT_COMMIT]}")
    return "\n".join(lines) + "\n" + (proof_text(healed.proof) if healed.proof is not None else "")


def tombstones_text(buried: Buried) -> str:
    if buried.last is None:
        return "nothing was forgotten here\n"
    counts = ", ".join(_many(count, _KINDS[kind]) for kind, count in buried.counts.items() if count)
    lines = [f"kept out: {counts}; the last on {buried.last}"]
    lines += [f"key {name} is here" for name in buried.keys]
    lines += [
        f"key {name} is missing: what it marks is not known here; 'gitmem tombstones import-key' takes it in"
        for name in buried.missing
    ]
    return "\n".join(lines) + "\n"


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")
