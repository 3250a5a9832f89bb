"""Words that carry nothing in a question; dropped from queries, never from what is indexed."""

from __future__ import annotations

_QUESTION_WORDS = """
    who whom whose what which when where why how
    did do does doing done didn don doesn is are was were be been being am isn aren wasn weren
    has have had having hasn haven hadn will would shall should can could may might must wouldn couldn shouldn
    many much long often ever
    """
_COMMON_WORDS = """
    a an the and or but if then than that this these those there here
    of in on at by for from to with into onto about as up out off over under
    i me my mine myself you your yours yourself he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves
    not no nor so too very just also any some all each such own same other
    s t d ll re ve m
    """
_HAN_PARTICLES = frozenset("的了吗呢吧啊么是在有和与为被")
DROPPED = _HAN_PARTICLES.union(_QUESTION_WORDS.split(), _COMMON_WORDS.split())
