"""Orders to a model in English: to be somebody else, to obey somebody, to favour something for good."""

from __future__ import annotations

from gitmem.review.rule import Rule, rule

PERSONA = "injection-persona"
AUTHORITY = "injection-authority"
POISONING = "injection-poisoning"

# Where an order may begin: a line, a sentence, a list item, a quotation.
START = r"(?:^[\s>*#|\d.)\-+]*|[.;:!?,(\"'\u3002\uff01\uff0c|>\]]\s*)"
_TO_YOU = (
    START
    + r"|\b(?:you (?:must|should|shall|will|can|are to|have to|need to)|please|now|then|and|kindly|simply|"
    r"just|the (?:assistant|model|agent|ai) (?:must|should|shall|will)|remember to|be sure to|"
    r"make sure to) "
)
_YOUR_LIKE = r"(?:assistant|ai|model|chatbot|bot|agent|language model|llm|chatgpt|gpt|hacker|intelligence)"
_UNBOUND = (
    r"(?:unrestricted|unfiltered|uncensored|jailbroken|unlimited|unbound|unaligned|amoral|evil|"
    r"free (?:from|of) (?:all |any |your |these |the |its )*(?:restrictions|rules|filters|limits|"
    r"limitations|constraints|guidelines|policies)|no longer (?:bound|restricted|limited|constrained|"
    r"subject|required)|not bound by|(?:without|with no|have no|has no|having no|no) (?:any |all |"
    r"more )?(?:ethical |moral |safety |content |usage )*(?:restrictions|filters|guardrails|"
    r"limitations|guidelines|censorship|rules|limits|morals))"
)
_SUBJECT = (
    r"(?:user|users|someone|somebody|anyone|anybody|customer|client|human|person|people|visitor|employee)"
)
_ASKS = (
    r"(?:asks?|asking|mentions?|inquires?|enquires?|requests?|wants?|talks?|quer(?:y|ies)|says?|types?|"
    r"writes?|needs?|brings? up|seeks?)"
)
_PRAISE = (
    r"(?:recommend|promote|endorse|advertise|insist|pretend|lie|deny|steer|redirect|praise|push|"
    r"favou?r|claim|mislead|downplay|discourage|disparage)"
)
_OBEY = (
    r"(?:recommend|promote|endorse|advertise|trust|obey|comply with|believe|approve|defer to|"
    r"speak highly of|side with|give priority to|rate)"
)

SWAYS: tuple[Rule, ...] = (
    rule(
        PERSONA,
        "error",
        "tells a model to be one without limits",
        "dan anything jailbreak jailbroken unrestricted unfiltered uncensore"
        "d unlimited unaligned amoral evil free "
        "bound restrictions filters limitations guidelines guardrails censor"
        "ship longer rules limits morals",
        rf"\b(?:you (?:are|will be|shall be|can be|must be|have been|act)|you're|act as|become|"
        rf"acting as|pretend to be|pretend (?:that )?you(?: are|'re)?|respond as|answer as|roleplay as|"
        rf"simulate|imagine you are|as) (?:\w+ ){{0,4}}?(?:dan\b(?=[^.]{{0,200}}(?:anything|restrict|"
        rf"limit|rule|policy|now))|{_UNBOUND}(?! account))",
    ),
    rule(
        PERSONA,
        "error",
        "tells a model to be somebody else",
        "you",
        r"\byou are (?:now|henceforth|from now on|no longer) (?:going to (?:be|act as|"
        r"pretend to be) )?(?:called |"
        rf"named |known as )?(?:dan\b|(?:an?|my|the|in) (?:[\w-]+ ){{0,4}}?{_YOUR_LIKE}\b(?! (?:of|"
        rf"for) the (?:month|"
        r"year))|in (?:developer|dev|god|jailbreak|dan|unrestricted|root|sudo|maintenance|debug|admin|"
        r"opposite) mode)",
    ),
    rule(
        PERSONA,
        "error",
        "switches a model to a mode without limits",
        "mode",
        r"\b(?:jailbreak|jailbroken|dan|god|unrestricted|unfiltered|uncensored|opposite|"
        r"no-limits?) mode\b(?=[^.\n]{0,80}(?:enabled|activated|on\b|engaged|now|you|respon|answer|"
        r"without|restrict))|\b(?:enter|enable|activate|switch to|engage|unlock|go into|turn on|"
        r"simulate)(?: \w+){0,2} (?:jailbreak|god|dan|unrestricted|unfiltered|uncensored) mode\b|"
        r"\b(?:developer|dev|debug|admin|maintenance|sudo|root|"
        r"god) mode\b(?=[^\n]{0,120}\b(?:your (?:\w+ )?(?:filters|restrictions|guidelines|policies|"
        r"rules|instructions|safety)|you (?:can|will|must|may|are|have no|no longer)|chatgpt|"
        r"(?:content|safety) (?:filters?|policy|policies|checks|guidelines|restrictions)|(?:no|without|"
        r"ignore) (?:any )?(?:restrictions|limits|filters|rules)))",
    ),
    rule(
        PERSONA,
        "error",
        "tells a model that nothing binds it",
        "do anything restrictions limits rules filters guidelines character",
        r"\bdo anything now\b|\byou (?:have|are under|are subject to) no (?:more |ethical |moral |"
        r"content |safety )?(?:restrictions|limits|filters|guidelines|guardrails|censorship)\b|"
        r"\byou (?:can|will|must|may) (?:now )?(?:do|say|generate|answer|"
        r"produce) (?:absolutely )?anything (?:you want|without|regardless|i ask)\b|"
        r"\bstay in character\b(?=[^\n]{0,120}\b(?:restrict|polic|filter|guideline|dan\b|"
        r"never (?:break|refuse)))|\b(?:never|must not|cannot|can't|do not|don't) refuse (?:any|a|my|"
        r"to answer)\b",
    ),
    rule(
        AUTHORITY,
        "error",
        "claims an authority over the model",
        "administrator admin developer creator owner operator root superuser"
        " anthropic openai google microsoft boss "
        "supervisor maker team ceo engineer security",
        r"\b(?:as|i am|i'm|this is|speaking as|on behalf of|acting as|signed|"
        r"from) your (?:\w+ ){0,2}(?:administrator|admin|developer|creator|owner|operator|superuser|"
        r"boss|supervisor|maker|programmer|trainer|engineer)\b[^.\n]{0,60}?\b(?:authori[sz]e|order|"
        r"command|instruct|grant|permit|allow|demand|require|approve|override|direct|tell|want|need|"
        r"you (?:must|may|can|are|should|will|have))\b|\b(?:i am|i'm|this is|we are|speaking as|"
        r"on behalf of) (?:an? |the )?(?:\w+ ){0,3}(?:openai|anthropic|google deepmind|"
        r"system administrator|developers? of this (?:model|assistant|system)|your (?:developers|"
        r"creators))\b[^\n]{0,80}?\b(?:authori[sz]e|order|command|instruct|grant|permit|override|"
        r"you (?:must|have (?:my|permission)|are (?:allowed|authori[sz]ed|permitted)))\b|\b(?:message|"
        r"notice|instructions?|order|note|update|request|directive) (?:comes |is |"
        r"sent )?from (?:the )?(?:openai|anthropic|google|microsoft|your (?:\w+ )?(?:developers?|"
        r"admins?|administrators?|creators?|owner)|system administrator|security team|"
        r"admin team)\b[^\n]{0,80}?\b(?:disabled|authori[sz]ed|you must|comply|obey|lifted)\b|"
        r"\byou have (?:my|full|our) (?:full |explicit )?(?:permission|authori[sz]ation|approval|"
        r"consent) to\b",
    ),
    rule(
        AUTHORITY,
        "error",
        "claims to authorise the model",
        "authorize authorise authorized authorised grant granted permit perm"
        "itted command order instruct approved cleared "
        "access rights privileges permissions verified preapproved",
        r"\b(?:i|we) (?:hereby |now |explicitly |fully |officially )*(?:authori[sz]e|order|command|"
        r"instruct|permit|grant) (?:you|the (?:assistant|agent|model|ai|bot)|all (?:agents|assistants|"
        r"models)|any (?:agent|ai))\b|\byou (?:are|have been|were) (?:hereby |now |fully |pre-?|"
        r"already )*(?:authori[sz]ed|cleared|approved|granted (?:full |admin |"
        r"root )?\w*) (?:by \w+(?: \w+){0,4} )?(?:to|for|with) (?:do|perform|execute|bypass|ignore|"
        r"access|skip|disable|all|any|every|everything|anything|share|reveal|send|delete|transfer|"
        r"use any)\b|\b(?:user|account|requester|sender|person)\b[^.\n]{0,40}\b(?:is|"
        r"has been) (?:pre-?|fully |already )*(?:authori[sz]ed|approved|verified|cleared) (?:for|"
        r"to (?:do|access|perform|request|see)) (?:all|any|every|everything|anything)\b|\b(?:agent|"
        r"assistant|ai|model)s? (?:is|are|has been|have been) (?:hereby |now |fully |"
        r"pre-?)*(?:authori[sz]ed|permitted|cleared) to (?:share|reveal|skip|bypass|disable|ignore|"
        r"transfer|execute any|run any|access all)\b|\bpre-?(?:approved|authori[sz]ed) (?:all|any|every)\b"
        rf"|(?:{START})you (?:now )?have (?:(?:full|unrestricted|root|admin|administrator|"
        rf"unlimited) )+(?:access|rights|"
        r"privileges|permissions?)\b[^.\n]{0,30}\b(?:any|all|every|must|everything)\b",
    ),
    rule(
        AUTHORITY,
        "warning",
        "tells a model to act without asking",
        "without",
        r"\balways (?:[^.\n]|\.(?=\S)){1,120}? without (?:ever )?(?:asking|confirmation|confirming|"
        r"approval|permission|checking with|verification|verifying|question(?:s|ing)?|consent|"
        r"hesitation|further (?:review|checks?|confirmation|approval)|any (?:confirmation|approval|"
        r"review|questions?|checks?|verification))\b",
    ),
    rule(
        AUTHORITY,
        "warning",
        "tells a model not to ask before it acts",
        "ask asking request seek wait require",
        r"\b(?:never|do not|don't|no need to|stop) (?:ask(?:ing)?|request(?:ing)?|seek(?:ing)?|"
        r"wait(?:ing)? for|require)(?: me| the user| anyone| for| any| user| human)* (?:confirmation|"
        r"permission|approval|consent|review)\b(?=[^.\n]{0,100}\b(?:delet|transfer|pay|send|execut|"
        r"push|install|grant|shell|command|wire|purchas|shar|upload|sudo|file|any (?:action|request|"
        r"tool)))|\bnever ask(?: (?:me|the user|users|anyone|them|again))* before (?:delet|send|transf|"
        r"pay|execut|run|install|push|shar|wir)",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model to favour or trust something for good",
        "always",
        rf"(?:{_TO_YOU}(?:from now on,? )?)always (?:{_OBEY}\b(?! that)|(?:suggest|mention|bring up|"
        rf"push|plug|point (?:them|users|people) to)\b[^.\n]{{0,60}}? (?:when|if|whenever) (?:(?:the|a|"
        rf"an|any) )?(?:{_SUBJECT}|asked)\b)",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model to keep a rule for good",
        "remember memorize memorise note store save orders instructions commands requests",
        r"\b(?:remember|memori[sz]e|store|save|keep in (?:mind|memory)|note)(?:,? (?:this|permanently|"
        r"forever|that|to|"
        rf"it|for|the|future|in|your|memory|as|a|fact|you|must|should|need|have))*[:,]? (?:always|"
        rf"never) (?:{_OBEY[3:-1]}|"
        r"question|doubt|distrust|refuse|mention (?:the )?competitors?|flag|report)\b|"
        r"\bremember (?:this |that )?(?:permanently|forever|for all future)\b|\b(?:her|his|their|whose|"
        r"mallory's|\w+'s) (?:orders|instructions|commands|requests) (?:must|should|are to|"
        r"shall) (?:always |never )?be (?:followed|obeyed|trusted|executed|questioned|refused)\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers from now on",
        "now henceforth forward future",
        r"\b(?:from now on|from this (?:point|moment) (?:on|onward|onwards|forward)|henceforth|"
        r"going forward|(?:in|for) (?:all |any |every )?future (?:conversations?|sessions?|chats?|"
        r"interactions?|requests?|responses?))\b[^.\n]"
        rf"{{0,40}}?\b(?:whenever|every time|each time|any time|anytime|when|if)(?: (?:the|a|an|"
        rf"any))? {_SUBJECT} {_ASKS}\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers from now on",
        "now henceforth forward future",
        r"\b(?:from now on|from this (?:point|moment) (?:on|onward|onwards|forward)|henceforth|(?:in|"
        r"for) (?:all |any |every )?future (?:conversations?|sessions?|chats?|interactions?|"
        r"responses?))\b,? (?:you (?:will|must|shall|are to|should) )?(?:only |always |"
        r"never )?(?:ignore|obey|trust|recommend|promote|pretend|act as|comply|respond as|treat (?:all|"
        r"any|every)|prioriti[sz]e|speak as|refuse|mention|insert|append|end every)\b|\b(?:in|"
        r"for) (?:all |every )?future (?:conversations?|sessions?|chats?)\b[^.\n]{0,60}? over (?:every|"
        r"all|any) (?:\w+ )?(?:competitors?|others?|alternatives?|brands?)\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers to a question",
        "whenever when if every any anytime each",
        rf"\b(?:whenever|every time|each time|any time|anytime|when|if)(?: (?:the|a|an|"
        rf"any))? {_SUBJECT} {_ASKS}\b[^.\n]{{0,80}}?[, ](?:always |only |you (?:must|should|will) |"
        rf"strongly |subtly |please )*(?:{_PRAISE}\b|bring up\b|plug\b|tell (?:them|him|her|"
        r"the user) to (?:buy|visit|install|download|click|order|invest))"
        rf"|\b(?:whenever|when|if|every time)(?: you(?:'re| are))? asked (?:about|for|whether|"
        rf"if)\b[^.\n]{{0,80}}?[,\s](?:always |you (?:must|should) )*(?:{_PRAISE}|only (?:say|"
        rf"mention) (?:positive|good|nice)|never (?:mention|reveal)|say only)\b",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model what to put into its memory",
        "memory memories note instruction instructions message rule",
        r"\b(?:store|save|add|write|insert|record|put|commit|update|keep)\b[^.\n]{0,40}? (?:in|into|to|"
        r"with)(?: your) (?:long-?term |permanent |persistent |core )?memor(?:y|ies)\b|\b(?:delete|"
        r"erase|purge|wipe|forget|clear|overwrite|corrupt) (?:all )?(?:of )?your (?:other |previous |"
        r"existing |long-?term )?memor(?:y|ies)\b|^[\s>*-]*(?:add|save|store|write|commit)(?: this|"
        r" the following)? to (?:your )?(?:long-?term |permanent |your )memory\s?:|\b(?:never|do not|don't|"
        r"must not) (?:mention|reveal|disclose|refer to|talk about|acknowledge|show|quote) (?:this|"
        r"these|the above) (?:memory|note|instructions?|message|rules?|file|order)s?\b",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model to take text for orders",
        "treat consider regard",
        r"\b(?:treat|consider|regard)\b[^.\n]{0,60}? (?:as|to be) (?:a |an |the |your |fully |"
        r"absolutely )*(?:trusted (?:instructions?|source of instructions|command|authority)|"
        r"authoritative instructions?|system (?:messages?|prompts?|instructions?)|(?:instructions|"
        r"commands) from (?:the )?(?:system|developer|admin\w*|user|owner))\b",
    ),
)
