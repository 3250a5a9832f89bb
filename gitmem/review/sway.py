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
    r"limitations|"
    r"constraints|guidelines|policies)|"
    r"no longer (?:bound|restricted|limited|constrained|subject|required)|not bound by|"
    r"(?:without|with no|have no|has no|having no|no) (?:any |all |more )?(?:ethical |moral |safety |"
    r"content |usage )*"
    r"(?:restrictions|filters|guardrails|limitations|guidelines|censorship|rules|limits|morals))"
)
_SUBJECT = (
    r"(?:user|users|someone|somebody|anyone|anybody|customer|client|human|person|people|visitor|employee)"
)
_ASKS = (
    r"(?:asks?|asking|mentions?|inquires?|enquires?|requests?|wants?|talks?|quer(?:y|ies)|says?|types?|"
    r"writes?|needs?|"
    r"brings? up|seeks?)"
)
_PRAISE = (
    r"(?:recommend|promote|endorse|advertise|insist|pretend|lie|deny|steer|redirect|praise|push|favou?r|"
    r"claim|mislead|downplay|discourage|disparage)"
)
_OBEY = (
    r"(?:recommend|promote|endorse|advertise|trust|obey|comply with|believe|approve|defer to|"
    r"speak highly of|"
    r"side with|give priority to|rate)"
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
        rf"acting as|pretend to be|"
        rf"pretend (?:that )?you(?: are|'re)?|respond as|answer as|roleplay as|simulate|"
        rf"imagine you are|as) "
        rf"(?:\w+ ){{0,4}}?(?:dan\b(?=[^.]{{0,200}}(?:anything|restrict|limit|rule|policy|now))|"
        rf"{_UNBOUND}(?! account))",
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
        r"\b(?:jailbreak|jailbroken|dan|god|unrestricted|unfiltered|uncensored|opposite|no-limits?) mode\b"
        r"(?=[^.\n]{0,80}(?:enabled|activated|on\b|engaged|now|you|respon|answer|without|restrict))"
        r"|\b(?:enter|enable|activate|switch to|engage|unlock|go into|turn on|"
        r"simulate)(?: \w+){0,2} (?:jailbreak|god|"
        r"dan|unrestricted|unfiltered|uncensored) mode\b"
        r"|\b(?:developer|dev|debug|admin|maintenance|sudo|root|"
        r"god) mode\b(?=[^\n]{0,120}\b(?:your (?:\w+ )?(?:filters|"
        r"restrictions|guidelines|policies|rules|instructions|safety)|you (?:can|will|must|may|are|"
        r"have no|no longer)|"
        r"chatgpt|(?:content|safety) (?:filters?|policy|policies|checks|guidelines|restrictions)|"
        r"(?:no|without|ignore) (?:any )?(?:restrictions|limits|filters|rules)))",
    ),
    rule(
        PERSONA,
        "error",
        "tells a model that nothing binds it",
        "do anything restrictions limits rules filters guidelines character",
        r"\bdo anything now\b|\byou (?:have|are under|are subject to) no (?:more |ethical |moral |"
        r"content |safety )?"
        r"(?:restrictions|limits|filters|guidelines|guardrails|censorship)\b"
        r"|\byou (?:can|will|must|may) (?:now )?(?:do|say|generate|answer|"
        r"produce) (?:absolutely )?anything (?:you "
        r"want|without|regardless|i ask)\b|\bstay in character\b(?=[^\n]{0,120}\b(?:restrict|polic|filter|"
        r"guideline|dan\b|never (?:break|refuse)))"
        r"|\b(?:never|must not|cannot|can't|do not|don't) refuse (?:any|a|my|to answer)\b",
    ),
    rule(
        AUTHORITY,
        "error",
        "claims an authority over the model",
        "administrator admin developer creator owner operator root superuser"
        " anthropic openai google microsoft boss "
        "supervisor maker team ceo engineer security",
        r"\b(?:as|i am|i'm|this is|speaking as|on behalf of|acting as|signed|"
        r"from) your (?:\w+ ){0,2}(?:administrator|"
        r"admin|developer|creator|owner|operator|superuser|boss|supervisor|maker|programmer|trainer|"
        r"engineer)\b"
        r"[^.\n]{0,60}?\b(?:authori[sz]e|order|command|instruct|grant|permit|allow|demand|require|"
        r"approve|override|"
        r"direct|tell|want|need|you (?:must|may|can|are|should|will|have))\b"
        r"|\b(?:i am|i'm|this is|we are|speaking as|on behalf of) (?:an? |the )?(?:\w+ ){0,3}(?:openai|"
        r"anthropic|google "
        r"deepmind|system administrator|developers? of this (?:model|assistant|system)|"
        r"your (?:developers|creators))"
        r"\b[^\n]{0,80}?\b(?:authori[sz]e|order|command|instruct|grant|permit|override|you (?:must|"
        r"have (?:my|permission)|are "
        r"(?:allowed|authori[sz]ed|permitted)))\b"
        r"|\b(?:message|notice|instructions?|order|note|update|request|directive) (?:comes |is |"
        r"sent )?from (?:the )?(?:openai|"
        r"anthropic|google|microsoft|your (?:\w+ )?(?:developers?|admins?|administrators?|creators?|"
        r"owner)|system "
        r"administrator|security team|admin team)\b[^\n]{0,80}?\b(?:disabled|authori[sz]ed|you must|"
        r"comply|obey|lifted)\b"
        r"|\byou have (?:my|full|our) (?:full |explicit )?(?:permission|authori[sz]ation|approval|"
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
        r"instruct|permit|"
        r"grant) (?:you|the (?:assistant|agent|model|ai|bot)|all (?:agents|assistants|models)|"
        r"any (?:agent|ai))\b"
        r"|\byou (?:are|have been|were) (?:hereby |now |fully |pre-?|already )*(?:authori[sz]ed|"
        r"cleared|approved|"
        r"granted (?:full |admin |root )?\w*) (?:by \w+(?: \w+){0,4} )?(?:to|for|with) (?:do|perform|"
        r"execute|bypass|"
        r"ignore|access|skip|disable|all|any|every|everything|anything|share|reveal|send|delete|"
        r"transfer|use any)\b"
        r"|\b(?:user|account|requester|sender|person)\b[^.\n]{0,40}\b(?:is|has been) (?:pre-?|fully |"
        r"already )*"
        r"(?:authori[sz]ed|approved|verified|cleared) (?:for|to (?:do|access|perform|request|"
        r"see)) (?:all|any|every|"
        r"everything|anything)\b"
        r"|\b(?:agent|assistant|ai|model)s? (?:is|are|has been|have been) (?:hereby |now |fully |"
        r"pre-?)*(?:authori[sz]ed|"
        r"permitted|cleared) to (?:share|reveal|skip|bypass|disable|ignore|transfer|execute any|"
        r"run any|access all)\b"
        r"|\bpre-?(?:approved|authori[sz]ed) (?:all|any|every)\b"
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
        r"approval|permission|"
        r"checking with|verification|verifying|question(?:s|ing)?|consent|hesitation|further (?:review|"
        r"checks?|"
        r"confirmation|approval)|any (?:confirmation|approval|review|questions?|checks?|verification))\b",
    ),
    rule(
        AUTHORITY,
        "warning",
        "tells a model not to ask before it acts",
        "ask asking request seek wait require",
        r"\b(?:never|do not|don't|no need to|stop) (?:ask(?:ing)?|request(?:ing)?|seek(?:ing)?|"
        r"wait(?:ing)? for|require)"
        r"(?: me| the user| anyone| for| any| user| human)* (?:confirmation|permission|approval|"
        r"consent|review)\b"
        r"(?=[^.\n]{0,100}\b(?:delet|transfer|pay|send|execut|push|install|grant|shell|command|wire|"
        r"purchas|shar|"
        r"upload|sudo|file|any (?:action|request|tool)))"
        r"|\bnever ask(?: (?:me|the user|users|anyone|them|again))* before (?:delet|send|transf|pay|"
        r"execut|run|install|push|"
        r"shar|wir)",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model to favour or trust something for good",
        "always",
        rf"(?:{_TO_YOU}(?:from now on,? )?)always (?:{_OBEY}\b(?! that)|(?:suggest|mention|bring up|"
        rf"push|plug|point (?:them|users|"
        rf"people) to)\b[^.\n]{{0,60}}? (?:when|if|whenever) (?:(?:the|a|an|any) )?(?:{_SUBJECT}|asked)\b)",
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
        r"question|doubt|distrust|refuse|mention (?:the )?competitors?|flag|report)\b"
        r"|\bremember (?:this |that )?(?:permanently|forever|for all future)\b"
        r"|\b(?:her|his|their|whose|mallory's|\w+'s) (?:orders|instructions|commands|requests) (?:must|"
        r"should|are to|shall) "
        r"(?:always |never )?be (?:followed|obeyed|trusted|executed|questioned|refused)\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers from now on",
        "now henceforth forward future",
        r"\b(?:from now on|from this (?:point|moment) (?:on|onward|onwards|forward)|henceforth|"
        r"going forward|(?:in|for)"
        r" (?:all |any |every )?future (?:conversations?|sessions?|chats?|interactions?|requests?|"
        r"responses?))\b[^.\n]"
        rf"{{0,40}}?\b(?:whenever|every time|each time|any time|anytime|when|if)(?: (?:the|a|an|"
        rf"any))? {_SUBJECT} {_ASKS}\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers from now on",
        "now henceforth forward future",
        r"\b(?:from now on|from this (?:point|moment) (?:on|onward|onwards|forward)|henceforth|(?:in|"
        r"for) (?:all |any |"
        r"every )?future (?:conversations?|sessions?|chats?|interactions?|"
        r"responses?))\b,? (?:you (?:will|must|shall|are "
        r"to|should) )?(?:only |always |never )?(?:ignore|obey|trust|recommend|promote|pretend|act as|"
        r"comply|respond as|"
        r"treat (?:all|any|every)|prioriti[sz]e|speak as|refuse|mention|insert|append|end every)\b"
        r"|\b(?:in|for) (?:all |every )?future (?:conversations?|sessions?|"
        r"chats?)\b[^.\n]{0,60}? over (?:every|all|any) (?:\w+ )?"
        r"(?:competitors?|others?|alternatives?|brands?)\b",
    ),
    rule(
        POISONING,
        "warning",
        "sets what a model answers to a question",
        "whenever when if every any anytime each",
        rf"\b(?:whenever|every time|each time|any time|anytime|when|if)(?: (?:the|a|an|"
        rf"any))? {_SUBJECT} {_ASKS}\b[^.\n]"
        rf"{{0,80}}?[, ](?:always |only |you (?:must|should|will) |strongly |subtly |"
        rf"please )*(?:{_PRAISE}\b|bring up\b|plug\b|tell (?:them|him|her|"
        r"the user) to (?:buy|visit|install|download|click|order|invest))"
        rf"|\b(?:whenever|when|if|every time)(?: you(?:'re| are))? asked (?:about|for|whether|"
        rf"if)\b[^.\n]{{0,80}}?[,\s](?:always |"
        rf"you (?:must|should) )*(?:{_PRAISE}|only (?:say|mention) (?:positive|good|nice)|"
        rf"never (?:mention|reveal)|say only)\b",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model what to put into its memory",
        "memory memories note instruction instructions message rule",
        r"\b(?:store|save|add|write|insert|record|put|commit|update|keep)\b[^.\n]{0,40}? (?:in|into|to|"
        r"with)(?: your)"
        r" (?:long-?term |permanent |persistent |core )?memor(?:y|ies)\b"
        r"|\b(?:delete|erase|purge|wipe|forget|clear|overwrite|"
        r"corrupt) (?:all )?(?:of )?your (?:other |previous |existing |"
        r"long-?term )?memor(?:y|ies)\b"
        r"|^[\s>*-]*(?:add|save|store|write|commit)(?: this| the following)? to (?:long-?term |"
        r"permanent |your )?memory\s?:"
        r"|\b(?:never|do not|don't|must not) (?:mention|reveal|disclose|refer to|talk about|"
        r"acknowledge|show|quote) (?:this|these|"
        r"the above) (?:memory|note|instructions?|message|rules?|file|order)s?\b",
    ),
    rule(
        POISONING,
        "warning",
        "tells a model to take text for orders",
        "treat consider regard",
        r"\b(?:treat|consider|regard)\b[^.\n]{0,60}? (?:as|to be) (?:a |an |the |your |fully |"
        r"absolutely )*(?:trusted (?:"
        r"instructions?|source of instructions|command|authority)|authoritative instructions?|"
        r"system (?:messages?|"
        r"prompts?|instructions?)|(?:instructions|commands) from (?:the )?(?:system|developer|admin\w*|"
        r"user|owner))\b",
    ),
)
