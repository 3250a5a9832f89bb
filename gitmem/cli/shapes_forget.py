"""The JSON of forget, heal and tombstones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape

if TYPE_CHECKING:
    from gitmem.flows.forgetting.elsewhere import Pushed
    from gitmem.flows.forgetting.values import ForgetPlan, Proof, Receipt
    from gitmem.flows.heal import Healed
    from gitmem.flows.tombstones import Buried


def plan_shape(plan: ForgetPlan) -> Shape:
    return {
        "memories": [
            {
                "id": memory.id,
                "title": memory.title,
                "versions": memory.versions,
                "attachments": memory.attachments,
            }
            for memory in plan.memories
        ],
        "answer": plan.answer,
        "commits": plan.commits,
        "dropped": plan.dropped,
        "signatures": plan.signatures,
        "refs": dict(plan.refs),
        "leftovers": plan.leftovers,
        "mentions": dict(plan.mentions),
        "shared": dict(plan.shared),
        "also_said": dict(plan.also_said),
        "names": list(plan.names),
        "redacts_mentions": plan.redacts_mentions,
        "aside": plan.aside,
    }


def receipt_shape(receipt: Receipt) -> Shape:
    return {
        "ids": list(receipt.ids),
        "day": receipt.day,
        "repeated": receipt.is_repeated,
        "removed": dict(receipt.removed),
        "mentions": dict(receipt.mentions),
        "shared": dict(receipt.shared),
        "also_said": dict(receipt.also_said),
        "names": list(receipt.names),
        "redacts_mentions": receipt.redacts_mentions,
        "elsewhere": [{"place": each.place, "command": each.command} for each in receipt.elsewhere],
        "proof": _proof(receipt.proof),
        "version": receipt.commit,
        "pushed": list(receipt.pushed),
    }


def _proof(proof: Proof) -> Shape:
    return {
        "holds": proof.holds,
        "objects": proof.objects,
        "files": proof.files,
        "pieces": proof.pieces,
        "found": dict(proof.found),
        "unread": list(proof.unread),
    }


def pushed_shape(pushed: Pushed) -> Shape:
    left = [{"ref": name, "reason": why} for name, why in pushed.left]
    return {"remote": pushed.remote, "refs": list(pushed.refs), "left": left}


def healed_shape(healed: Healed) -> Shape:
    return {
        "remote": healed.remote,
        "old": healed.old,
        "kept": healed.kept,
        "dropped": healed.dropped,
        "version": healed.main,
        "proof": None if healed.proof is None else _proof(healed.proof),
        "dry_run": healed.is_dry_run,
        "notices": list(healed.notices),
    }


def tombstones_shape(buried: Buried) -> Shape:
    return {
        "counts": dict(buried.counts),
        "last": buried.last,
        "keys": list(buried.keys),
        "missing": list(buried.missing),
        "checks_texts": buried.checks_texts,
    }
