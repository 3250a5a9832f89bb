"""Words that carry nothing in a question; dropped from queries, never from what is indexed."""

from __future__ import annotations

_QUESTION_WORDS = """
    who whom whose what which when where why how
    did do does doing done didn don doesn is are was were be been being am isn aren wasn weren
    has have had having hasn haven hadn will would shall should can could may might must wouldn couldn shouldn
    many much long often ever
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt couldnt shouldnt cant cannot
    """
_COMMON_WORDS = """
    a an the and or but if then than that this these those there here
    of in on at by for from to with into onto about as up out off over under
    i me my mine myself you your yours yourself he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves
    not no nor so too very just also any some all each such own same other
    s t d ll re ve m
    """
# Of a text without blanks each character and each pair is a term; in folded form: hiragana, simplified.
_CHINESE = """
    的 了 吗 呢 吧 啊 么 是 在 有 和 与 为 被 什 怎 哪 谁
    什么 怎么 哪里 哪个 哪些 多少 为什 怎样 如何 何时
    """
_HIRAGANA = " ".join(map(chr, range(0x3041, 0x3097)))
_JAPANESE = """
    です ます した して する まし ませ せん でし すか たか から まで いる ある ない こと もの とい いう って
    どこ いつ だれ どう どの どれ なに なぜ どん これ それ この その れば らい いで 何 誰 何で 何を 何が 何か
    """
_KOREAN = """
    은 는 이 가 을 를 의 에 와 과 도 로 서 다 요 까 니 습 합 입 습니 니다 니까 입니 합니 에서 으로 에게
    언제 어디 누구 무엇 어떻 떻게 어떤 왜 있습 없습
    """
DROPPED = frozenset(
    " ".join((_QUESTION_WORDS, _COMMON_WORDS, _CHINESE, _HIRAGANA, _JAPANESE, _KOREAN)).split()
)

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
