"""Orders to a model in English to drop its instructions, or to tell them.

Patterns read folded text (see `plain.py`); a blank is any run of blanks or marks of emphasis.
"""

from __future__ import annotations

from gitmem.review.rule import Rule, rule

OVERRIDE = "injection-override"

_GIVEN = (
    r"(?:instructions?|instruct|prompts?|prompting|guidelines?|directions|directives?|orders|rules?|"
    r"policies|programming|training|guardrails|restrictions|constraints|commands?|safeguards|"
    r"protocols?|guidance)"
)
_CORE = (
    r"(?:instructions?|prompts?|guidelines|directives?|guardrails|programming|safeguards|"
    r"safety (?:rules|policies))"
)
_EARLIER = (
    r"(?:previous|previously|prior|above|earlier|preceding|foregoing|past|original|initial|existing|"
    r"system|developer'?s?|safety|security|your|openai'?s?|anthropic'?s?|former|older|pre-?existing|"
    r"built-?in|default)"
)
_BETWEEN = (
    r"(?:all|any|every|each|everything|of|the|your|my|our|those|these|that|this|other|and|or|in|from|"
    r"given|provided|stated|set|content|hidden|internal|current|old|whatever|single|such|about|to|you|"
    r"were|been|have|"
    r"received|got|had|written|" + _EARLIER[3:-1] + r"|" + _GIVEN[3:-1] + r")"
)

OVERRIDES: tuple[Rule, ...] = (
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "ignore ignoring disregard disregarding forget forgetting neglect di"
        "smiss nullify unlearn omit scrap set throw toss "
        "ditch",
        r"\b(?:ignore|ignoring|disregard(?:ing)?|forget(?:ting)?(?: about)?|neglect|dismiss|nullify|"
        r"unlearn|omit|scrap|set aside|throw (?:away|out)|toss|ditch) "
        rf"(?:{_BETWEEN} ){{0,6}}?{_EARLIER} (?:{_BETWEEN} ){{0,4}}?{_GIVEN}\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "ignore disregard forget",
        r"\b(?:ignore|disregard|forget) (?:all|any|every|the|these|those) (?:of )?(?:the |these |"
        r"those |your |and |any )*(?:instructions|prompts|directives|guidelines|guardrails)\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "ignore disregard forget",
        r"\b(?:ignore|disregard|forget) (?:all |any |every |everything )?(?:of )?(?:the |these |those |"
        r"your )*(?:previous|prior|earlier|preceding|above) (?:\w+ )?(?:messages|context|"
        r"conversations?|content|text|inputs?)\b|\b(?:ignore|"
        r"disregard) the (?:user'?s (?:\w+ ){0,2}?(?:requests?|questions?|inputs?|messages?|"
        r"instructions?|quer(?:y|ies)|wishes)|user(?:[.,;!]|$| and (?:reply|respond|say|answer|do|tell)))",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop what it was told",
        "ignore disregard forget",
        r"\b(?:ignore|disregard|forget) (?:absolutely |completely )?(?:everything|all|anything|"
        r"whatever|what)(?: that)? (?:above|before this|previously|prior to|came before|you (?:were|"
        r"have been|had been|'ve been|know|knew|learned|were just|are) ?(?:told|taught|instructed|"
        r"given|asked|trained)?\b|you've|said (?:above|before)|has been said|was said|written above|"
        r"i (?:said|told you) (?:above|before|earlier))",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "override overriding bypass overrule discard abandon suspend circumv"
        "ent erase violate break replace reset "
        "drop delete wipe disable remove",
        r"\b(?:overrid(?:e|ing)|bypass|overrule|discard|abandon|suspend|circumvent|erase|violate|break|"
        r"replace|reset|"
        rf"drop|delete|wipe|disable|remove) (?:all |any |every |of )*(?:the |these |those )?(?:your|"
        rf"(?:all|any|your|previous|prior|earlier|preceding) (?:previous|prior|earlier|other|system|"
        rf"safety|original|and|or|your)) (?:{_BETWEEN} ){{0,3}}?{_CORE}",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "above before given",
        r"\b(?:ignore|disregard|forget|do not follow|don't follow|do not obey|don't obey) (?:all |any |"
        r"every |each )?(?:of )?(?:the |these |those |your )*(?:\w+ )?(?:instructions?|prompts?|"
        r"directives?|guidelines|directions|rules(?= (?:that )?you)|guidance) (?:above|before this|"
        r"given (?:above|before|earlier|so far)|(?:that )?you (?:were given|have been given|received))\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model not to follow its instructions",
        "follow following obey adhere comply attention listen heed bound",
        r"\b(?:do not|don't|stop|no longer|never|cease|quit|refuse to|not to|pay no|"
        r"instead of) (?:follow(?:ing)?|"
        rf"obey(?:ing)?|adher(?:e|ing) to|comply(?:ing)? with|attention to|listen(?:ing)? to|"
        rf"heed) (?:(?:{_BETWEEN} ){{0,5}}?{_EARLIER} (?:{_BETWEEN} ){{0,3}}?{_GIVEN}|(?:the |"
        rf"your )?system messages?)\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "declares the instructions of a model void",
        "instructions directives guidelines prompts prompt rules everything filters restrictions policies",
        rf"\b(?:all|any|your|the|these)? ?{_EARLIER} (?:{_BETWEEN} ){{0,5}}?(?:instructions|directives|"
        rf"guidelines|prompts?|rules) "
        r"(?:you (?:were given|have|received) )?(?:are|is|were|have been|has been|should be|must be|"
        r"can be|shall be) (?:now |hereby |all |no longer |null and )*(?:void|cancell?ed|revoked|"
        r"rescinded|suspended|valid|in effect|to be ignored|ignored|disregarded|forgotten|overridden|"
        r"nullified|lifted|replaced (?:by|with) (?:the|these))\b|\beverything (?:written |said |"
        r"stated )?(?:above|before|prior to)(?: this)?(?: \w+){0,2} (?:is|was) (?:no longer|void|"
        r"invalid|obsolete|cancell?ed|only a test|to be ignored)\b"
        rf"|\b(?:your|safety|system|content|openai'?s|anthropic'?s) (?:{_BETWEEN} ){{0,2}}?(?:{_GIVEN}|"
        rf"filters) (?:no longer|do not"
        r"|don't|will not|should not|need not) apply\b"
        rf"|\bprevious (?:{_BETWEEN} ){{0,2}}?(?:instructions|directives|prompts?) (?:were|"
        rf"was) (?:only |just )?(?:a |an )?"
        r"(?:tests?|jokes?|mistakes?|decoys?)\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "brings instructions of its own",
        "instructions instruction prompt directive directives task goal objective purpose role mission",
        r"\byour (?:new|real|actual|true|only|updated|revised|secret) (?:and only |sole |"
        r"system )?(?:instructions?|prompt|directives?|task|goal|objective|purpose|mission|role) (?:is|"
        r"are|will be|now)\b|^[\s>*#\[(-]*(?:new|updated|revised|important|urgent|additional|special|"
        r"hidden|secret|admin|real) (?:system |developer |admin |security )?(?:instructions?|prompt|"
        r"directives?)(?: for (?:the |any |all )?(?:ai|assistant|model|agent|llm)\w*)?[\])]? ?[:>-] ?\S",
    ),
    rule(
        OVERRIDE,
        "error",
        "puts itself above other instructions",
        "overrides override supersedes supersede precedence priority outranks replaces replace",
        r"\b(?:this|these|the following)(?: \w+)? (?:memory|note|instructions?|message|directive|rule|"
        r"prompt|command)s? (?:\w+ )?(?:overrides?|supersedes?|outranks?|replaces?|"
        r"takes? (?:precedence|priority) over|has priority over|"
        rf"ha(?:s|ve) precedence over) (?:{_BETWEEN} ){{0,4}}?(?:your|system|developer|safety|all|any|"
        rf"every|other) (?:(?:{_BETWEEN}|memories|system|safety) ){{0,3}}?(?:{_GIVEN}|memor(?:y|ies)|"
        rf"messages)\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "asks a model for its instructions",
        "reveal print show repeat output leak disclose display dump tell rec"
        "ite expose share write say give what",
        r"\b(?:reveal|print|show|repeat|output|leak|disclose|display|dump|tell|recite|expose|share|"
        r"write out|give) (?:me |us |them |the user |back |out |verbatim |all |of |the |text |"
        r"contents? |words |exact |full |complete |entire )*your (?:\w+ )?(?:system|initial|hidden|"
        r"original|secret|internal|confidential|full|exact|developer) (?:prompt|instructions?|message|"
        r"rules|directives?|configuration)\b|\bwhat (?:is|are|was|were) your (?:system|initial|"
        r"original|hidden|secret|exact) (?:prompt|instructions)\b|\brepeat (?:everything|"
        r"all(?: of)?(?: the)? (?:words|text)|the (?:words|text)) (?:above|before this)\b",
    ),
    rule(
        OVERRIDE,
        "error",
        "tells a model to drop its instructions",
        "ignora ignore ignorez oubliez oublie olvida olvide ignoriere vergis"
        "s ignorar desconsidere ignori dimentica",
        r"\b(?:ignora|ignore[zn]?|oubliez?|olvid[ae]|ignorar?|desconsidere|ignoriere|vergiss|ignori|"
        r"dimentica) (?:\w+ ){0,3}(?:instrucciones|instructions? (?:precedentes|ci-dessus|anterieures)|"
        r"anweisungen|instrucoes|istruzioni|instruktionen|consignes|reglas anteriores|directrices)\b",
    ),
)
