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

_LIGHT_WORDS = """
    first last before after between since until recent recently lately current currently previous
    previously past next ago latest earlier initially
    day days week weeks month months year years time times date hour hours minute minutes
    total number amount different type types kind kinds sort few several one two
    happen happened event take takes took taken get gets got go goes went make makes made use uses used using
    have include includes including start started
    recommend recommended recommendation recommendations suggest suggested suggestion suggestions tip tips
    advice remind mention mentioned tell told say said think thing things something anything someone
    way please help know want need like
    """
LIGHT = frozenset(_LIGHT_WORDS.split())
