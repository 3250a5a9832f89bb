"""English words so common that any question and any memory share some of them by chance.

Written by hand from everyday English. A small store cannot tell which words are common:
each stands in few memories there.
"""

from __future__ import annotations

from functools import cache

from gitmem.index.analysis import term_of

_COMMON = """
    get got gotten make take go come see know think want use find give tell try ask need feel become leave
    put mean keep let begin seem help show hear run move live believe bring happen sit stand lose meet
    include continue set change lead understand follow stop allow add spend open walk wait stay fall reach
    remain turn start look like hold provide

    near far soon still yet even again back away around over under off out up down just really actually
    always never ever often already quite maybe perhaps else about between through across along toward
    among behind beyond own able much many more most less least every each any some such same other another
    first last next one two three four five six seven eight nine ten

    new old good bad great big small little long short high low right left well better best early late

    day today tomorrow yesterday week month year hour minute morning evening night while until before after
    since during monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december

    thing stuff way kind sort lot bit time people person someone somebody anyone everyone something anything
    everything nothing place part point case fact end side number name man woman
"""


@cache
def common_terms() -> frozenset[str]:
    """The stems of the common words."""
    return frozenset(map(term_of, _COMMON.split()))
