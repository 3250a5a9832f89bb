"""The text of proposals: a summary first, then memory by memory."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.render_check import counts_text
from gitmem.cli.terminal import BOLD, DIM, YELLOW, painted
from gitmem.clock import iso_seconds
from gitmem.model.visible import one_line

if TYPE_CHECKING:
    from gitmem.flows.accept import Accepted
    from gitmem.flows.check import Finding
    from gitmem.flows.propose import Proposed
    from gitmem.flows.reject import Rejected
    from gitmem.flows.review import Review, ReviewedMemory
    from gitmem.model.diff import FieldChange
    from gitmem.model.memory import Json
    from gitmem.model.proposal import Proposal
    from gitmem.model.proposal_change import MemoryChange, ProposalChanges

KINDS = ("added", "changed", "moved", "archived")
MOST_SENTENCES = 8
"""Of one memory; `--json` has them all."""
MOST_PLACES = 10
"""Of findings that the summary names."""
PLAIN_FIELDS = frozenset({"type", "created", "title"})
"""Of a new memory these go without saying: the path, the date and the head line show them."""


def proposals_text(found: Sequence[tuple[Proposal, ProposalChanges]]) -> str:
    if not found:
        return "no proposals\n"
    return "".join(_listed(proposal, changes) for proposal, changes in found)


def _listed(proposal: Proposal, changes: ProposalChanges) -> str:
    state = "" if proposal.is_open else f" [{proposal.state}]"
    lines = [
        painted(proposal.name, YELLOW) + state + "  " + painted(one_line(proposal.title), BOLD),
        painted(f"    {_by(proposal)}; {_counts(changes.memories)}; {_distance(proposal)}", DIM),
    ]
    if changes.policy:
        lines.append(f"    needs a look: changes {', '.join(map(one_line, changes.policy))}")
    if proposal.reason:
        lines.append(f"    {one_line(proposal.reviewed_by or 'somebody')}: {one_line(proposal.reason)}")
    return "\n".join(lines) + "\n"


def _by(proposal: Proposal) -> str:
    return f"by {one_line(proposal.proposed_by)}, {iso_seconds(proposal.created)[:10]}"


def _distance(proposal: Proposal) -> str:
    return f"{proposal.ahead} ahead of main, {proposal.behind} behind"


def _counts(memories: Sequence[MemoryChange]) -> str:
    counts = {kind: sum(1 for each in memories if each.kind == kind) for kind in KINDS}
    parts = [f"{count} {kind}" for kind, count in counts.items() if count]
    return ", ".join(parts) or "no memories"


def proposed_text(proposed: Proposed) -> str:
    text = _listed(proposed.proposal, proposed.changes)
    for memory_id in proposed.disputed:
        text += f"    {memory_id} is disputed: both versions are in it\n"
    return text


def review_text(review: Review) -> str:
    found: dict[str, list[Finding]] = defaultdict(list)
    for finding in review.findings:
        found[finding.path].append(finding)
    memories = [_reviewed(each, found[each.change.memory.path]) for each in review.memories]
    return "\n".join([_summary(review), *memories])


def _summary(review: Review) -> str:
    proposal = review.proposal
    lines = [
        painted(one_line(proposal.title), BOLD),
        f"{proposal.name}, {proposal.state}, {_by(proposal)}; at {proposal.tip[:SHORT_COMMIT]}, "
        f"{_distance(proposal)}",
        *(f"    {line}".rstrip() for line in proposal.body.splitlines()),
        _counts([each.change for each in review.memories]),
    ]
    if proposal.reason:
        lines.append(
            f"rejected by {one_line(proposal.reviewed_by or 'somebody')}: {one_line(proposal.reason)}"
        )
    if review.policy:
        paths = ", ".join(map(one_line, review.policy))
        lines.append(f"policy: changes {paths}, which the store goes by; a person has to look at it")
    if review.files:
        lines.append(f"other files: {', '.join(map(one_line, review.files))}")
    if review.obstacle:
        lines.append(f"cannot be accepted as it stands: {one_line(review.obstacle)}")
    same = [each.change.id for each in review.memories if any(one.is_same_text for one in each.beside)]
    if same:
        lines.append(f"on main already, word for word: {', '.join(same)}")
    disputed = [each.change.id for each in review.memories if each.is_disputed]
    if disputed:
        lines.append(f"contradicts what main says by now: {', '.join(disputed)}")
    return "\n".join([*lines, *_found(review)]) + "\n"


def _found(review: Review) -> list[str]:
    """What `check` found, by how much and where; in full what is about none of the memories shown."""
    if not review.findings:
        return []
    shown = {each.change.memory.path for each in review.memories}
    places = list(dict.fromkeys(one_line(each.id or each.path) for each in review.findings))
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    elsewhere = [each for each in review.findings if each.path not in shown]
    return [
        f"check: {counts_text(review.findings)}, at {', '.join(places[:MOST_PLACES])}{more}",
        *(f"    {one_line(each.path)}: {_finding(each)}" for each in elsewhere),
    ]


def _finding(finding: Finding) -> str:
    line = f", line {finding.line}" if finding.line else ""
    return f"{finding.severity}{line}: {one_line(finding.message)} [{finding.code}]"


def _reviewed(reviewed: ReviewedMemory, findings: Sequence[Finding]) -> str:
    change = reviewed.change
    lines = [f"{change.kind}  {painted(change.id, YELLOW)}  {painted(one_line(change.memory.title), BOLD)}"]
    if change.old is not None and change.new is not None and change.old.path != change.new.path:
        lines.append(painted(f"    {one_line(change.old.path)} → {one_line(change.new.path)}", DIM))
    else:
        lines.append(painted(f"    {one_line(change.memory.path)}", DIM))
    is_new = change.old is None
    lines += [
        f"    {one_line(each.field)}: {_field(each, is_new=is_new)}"
        for each in reviewed.fields
        if not (is_new and each.field in PLAIN_FIELDS)
    ]
    for each in reviewed.sentences[:MOST_SENTENCES]:
        lines += [f"  - {one_line(each.old)}"] if each.old is not None else []
        lines += [f"  + {one_line(each.new)}"] if each.new is not None else []
    hidden = len(reviewed.sentences) - MOST_SENTENCES
    if hidden > 0:
        lines.append(f"    … and {hidden} more sentences; --json shows them")
    lines += [f"    attachment {one_line(name)}" for name in change.attachments]
    if change.is_disputed:
        lines.append("    disputed: both versions are in it, for 'gitmem resolve' to settle")
    elif reviewed.is_disputed:
        lines.append("    main says otherwise by now: accepting keeps both versions, as a dispute")
    elif change.is_changed_on_main and change.kind == "archived":
        lines.append("    main changed it since: accepting leaves it on main")
    elif change.is_changed_on_main:
        lines.append("    main changed it too: accepting merges both")
    for same in _by_code(findings):
        more = f", and {len(same) - 1} more" if len(same) > 1 else ""
        lines.append(painted(f"    {_finding(same[0])}{more}", YELLOW))
    for one in reviewed.beside:
        how = "the same text is in" if one.is_same_text else "beside"
        snippet = "" if one.is_same_text else f": {one_line(one.snippet)}"
        lines.append(painted(f"    {how} {one.id} {one_line(one.title)}{snippet}", DIM))
    return "\n".join(lines) + "\n"


def _by_code(findings: Sequence[Finding]) -> list[list[Finding]]:
    """The findings about one memory, those of one kind together."""
    found: dict[str, list[Finding]] = {}
    for each in findings:
        found.setdefault(each.code, []).append(each)
    return list(found.values())


def _field(change: FieldChange, *, is_new: bool) -> str:
    old, new = change.old, change.new
    if is_new:
        return _value(new)
    if isinstance(old, list) and isinstance(new, list):
        came = [f"+{_value(item)}" for item in new if item not in old]
        went = [f"-{_value(item)}" for item in old if item not in new]
        if came or went:
            return " ".join([*came, *went])
    return f"{_value(old)} → {_value(new)}"


def _value(value: Json) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(one_line(str(item)) for item in value)
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def accepted_text(accepted: Accepted) -> str:
    commit = (accepted.commit or "")[:SHORT_COMMIT]
    lines = [
        f"accepted {accepted.proposal.name} into main as {commit}, "
        f"reviewed by {one_line(accepted.reviewed_by)}"
    ]
    if accepted.archived:
        lines.append(f"archived: {', '.join(accepted.archived)}")
    if accepted.left:
        lines.append(f"left open: {', '.join(accepted.left)}")
    if accepted.disputed:
        count = len(accepted.disputed)
        memories = "memory is" if count == 1 else "memories are"
        lines.append(f"{count} {memories} disputed; 'gitmem conflicts' shows both versions")
    return "\n".join(lines) + "\n"


def rejected_text(rejected: Rejected) -> str:
    proposal = rejected.proposal
    return f"rejected {proposal.name}; its branch {proposal.branch} stays, at {proposal.tip[:SHORT_COMMIT]}\n"
