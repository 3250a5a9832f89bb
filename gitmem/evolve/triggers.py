"""When the session of a coding agent is saved besides its end: by what is said, and how long it goes on.

asked     the prompt asks for something to be remembered
state     the prompt says that a task is done, has failed, or is given up
turns     so many prompts since the beginning, again and again
"""

from __future__ import annotations

from gitmem.evolve.importance import ASKED, find_phrase
from gitmem.versions.judging_settings import TriggerSettings

STATES = (
    "is done",
    "we are done",
    "that's done",
    "it works",
    "works now",
    "is fixed",
    "is merged",
    "merged it",
    "is released",
    "is deployed",
    "ship it",
    "has failed",
    "it failed",
    "roll back",
    "rolled back",
    "give up",
    "gave up",
    "next task",
    "完成了",
    "搞定",
    "做好了",
    "修好了",
    "已合并",
    "已发布",
    "上线了",
    "失败了",
    "回滚",
    "放弃",
    "下一个任务",
)
"""That the state of a task changed."""


def trigger_of(prompt: str, turn: int, settings: TriggerSettings) -> str | None:
    """Why the session is to be saved now, as `asked: "remember this"`; None where it need not be.

    `prompt` is without what hosts put in, `turn` counts the prompts of the session from 1.
    """
    if settings.asked and (found := find_phrase(prompt, ASKED)):
        return f'asked: "{found}"'
    if settings.states and (found := find_phrase(prompt, STATES)):
        return f'state: "{found}"'
    if settings.every_turns and turn and turn % settings.every_turns == 0:
        return f"turns: {turn}"
    return None
