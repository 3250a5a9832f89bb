"""Orders to do something behind a person's back: to send away what was said, to run commands in secret."""

from __future__ import annotations

import re

from gitmem.review.rule import Rule, rule

EXFILTRATION = "injection-exfiltration"
COMMAND = "injection-command"

_PRIVATE = (
    r"(?:secrets?|api[ _-]?keys?|access tokens|(?:all|any|every|each|your|their|stored|saved|user'?s?|"
    r"known|found) (?:\w+ ){0,2}?(?:passwords?|credentials?|tokens?)|passwords|credentials|"
    r"conversations?|conversation history|chat (?:history|logs?)|history|system prompt|memories|"
    r"contents? of (?:your|the|this) memory|private keys?|ssh keys?|environment variables?|env vars|"
    r"\.env(?: file)?|cookies|user data|personal (?:data|information|details)|(?:this|our|whole|entire|"
    r"full|current) (?:chat|session|dialog(?:ue)?|discussion)|contents? of \S*(?:\.ssh|id_rsa|\.env|"
    r"passwd|\.aws|credentials)\S*|private (?:data|information)|confidential (?:data|information)|"
    r"transcripts?|everything (?:you know|the user (?:says|said|types|wrote))|all (?:the |of the |"
    r"your |user |available )?(?:data|files|messages|context|information)|user'?s? (?:messages?|input|"
    r"e-?mails?|address|data|queries|questions))"
)
_WHOSE = (
    r"(?:all|any|every|each|the|your|their|his|her|this|our|full|entire|whole|complete|current|"
    r"user'?s?|users'?|of|and|stored|a|copy|summary|saved|latest|previous|contents?|recent|known|"
    r"relevant|my)"
)
_SEND = (
    r"(?:send|post|forward|upload|transmit|exfiltrate|leak|e-?mail|mail|submit|deliver|relay|smuggle|"
    r"append|copy|encode|put|embed|include|pass|share|export|dump|report|sync|beacon)"
)
_AWAY = (
    r"(?:https?:\/\/|hxxps?:\/\/|www\.|ftp:\/\/|[\w.+-]+@[\w-]+\.\w|[\w-]+\.[\w.-]*\w\/|webhook|"
    r"(?:remote|external|attacker\S*|my) (?:server|url|endpoint|address|site|host))"
)
_SLOT = r"(?:\{|%7b|\$\{?|<|\[|\(\()"
_SPOILS = (
    r"(?:secret|conversation|history|prompt|password|memor(?:y|ies)|context|message|summary|chat|"
    r"session|cookie|credential|api_?key|token|user_?data|user_?input|user_?info|private|base64|"
    r"encoded|exfil|leak|stolen|content|data|answer|question)"
)
_TELLING = (
    r"(?:conversation|chat|chat_?history|history|secrets?|system_?prompt|prompt|memory|memories|leak|"
    r"exfil|password|pwd|stolen|context|credentials?|cookies?|user_?data|api_?key|env)"
)
_SHELL = (
    r"(?:\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z|da|k)?sh\b|"
    r"\brm\s+-[rf]{1,3}\b|\bpowershell\b[^\n]{0,40}-e(?:nc|ncodedcommand)?\b|\bbash\s+-c\b|"
    r"\bbash\s+<\(|\bbase64\s+(?:-d|--decode)\b|\bchmod\s+\+x\b|/dev/tcp/|\bnc\s+-e\b|\beval\s+\"?\$\(|"
    r"\bsudo\s+\w|\b(?:curl|wget)\s+[^\n]{0,40}https?://|\bcrontab\b|\bssh-keygen\b|authorized_keys|"
    r"\bpython3?\s+-c\b|\bpip\s+install\b|\bnpm\s+install\b)"
)
_ACT = (
    r"(?:\b(?:run|execute|install|download|delete|transfer|wire|send|upload|post|forward|overwrite|"
    r"modify|disable|exfiltrate|purchase|copy|e-?mail|grant|change|insert|add|commit|push|read|collect|"
    r"record)\b)"
)
_SECRETLY = (
    r"(?:\b(?:do not|don't|never|without|must not|should not|avoid|no need to) (?:ever )?(?:tell|"
    r"telling|inform|informing|notify|notifying|mention|mentioning|alert|alerting|warn|warning|reveal|"
    r"revealing|disclose|disclosing|show|showing|let|letting|report|reporting|ask|asking)(?: (?:this|"
    r"it|that|about))?(?: to)?(?: the| any| your)? (?:users?|humans?|owner|operator|anyone|anybody|"
    r"them|developers?|person|people)\b|\b(?:do not|don't|never) (?:mention|reveal|disclose|talk about|"
    r"report) (?:it|this|that|these)\b|\bwithout (?:the |a |any )?(?:user'?s?|owner'?s?|human'?s?|"
    r"anyone'?s?|their|them)(?: \w+)? ?(?:knowing|knowledge|noticing|consent|awareness|approval|"
    r"permission|being told)\b"
    rf"|\b(?:silently|secretly|covertly|discreetly|stealthily|surreptitiously) {_ACT}"
    r"|\b(?:keep|hide) (?:this|it|that) (?:a secret |secret |hidden )?from (?:the |any )?(?:user|human|"
    r"owner|anyone)|\bthe user (?:must|should|does|may|need) not (?:know|see|notice|be told|find out|"
    r"need to know)\b|\bhide (?:the |its |any )?(?:output|command|result|evidence|tracks)\b)"
)

DEEDS: tuple[Rule, ...] = (
    rule(
        EXFILTRATION,
        "error",
        "an image or link that carries away what was said",
        "",
        rf"!?\[[^\]\n]{{0,200}}\]\(\s*<?(?:https?:)?//(?=[^)\n]{{0,300}}?{_SLOT}"
        rf"[\w\s.'-]{{0,30}}?{_SPOILS})|!\[[^\]\n]{{0,200}}\]\(\s*<?(?:https?:)?//(?=["
        rf"^)\s]{{1,300}}?[?&](?:{_TELLING}=|\w{{1,20}}=[\w-]{{0,20}}?{_TELLING}))",
    ),
    rule(
        EXFILTRATION,
        "error",
        "an image or link that carries away what was said",
        "src href",
        r"<(?:img|a|iframe|link|script|video|audio)\b[^<>]{0,200}?(?:src|href)\s*=\s*[\"']?(?:https?:)?//"
        rf"(?=[^<>\n]{{0,300}}?(?:{_SLOT}[\w\s.'-]{{0,30}}?{_SPOILS}|[?&]{_TELLING}=))",
    ),
    rule(
        EXFILTRATION,
        "error",
        "tells a model to send away what is private",
        "send post forward upload transmit exfiltrate leak email mail submit"
        " deliver relay smuggle append copy encode put "
        "embed include pass share export dump report sync beacon",
        rf"(?:^|[.;:!?,>*#\"'(-]\s*|\b(?:to|and|then|must|should|always|please|now|secretly|silently|"
        rf"will|also) )(?:\d+[.)]\s)?{_SEND} (?:me |us )?(?:{_WHOSE} ){{0,6}}?{_PRIVATE}\b[^.\n]{{"
        rf"0,60}}?[ (](?:to|at|via|into|through|as|in|with|on|using)\b[^\n]{{0,60}}?{_AWAY}",
    ),
    rule(
        EXFILTRATION,
        "error",
        "tells a model to send away what is private",
        "http https www",
        r"\b(?:fetch|request(?: to)?|visit|open|load|call|ping|navigate to|browse to|get|"
        rf"send|post|use|render(?: this)? image|display)\b[^\n]{{0,40}}?https?://(?:\S{{1,200}}"
        rf"?[?&=]\S{{0,40}}?{_SLOT}[^\n]{{0,40}}?"
        r"(?:user'?s? (?:message|input|data|query|question|name)|conversation|chat|secret|password|"
        r"history|system prompt|memory)"
        rf"|[^\n]{{0,120}}?(?:with|including|containing|carrying|appending|followed by|replac\w+|where|"
        rf"plus)\b[^\n]{{0,60}}?\b(?:the|your|all|user'?s?|this|any|every) (?:\w+ ){{0,3}}?{_PRIVATE}\b)",
    ),
    rule(
        EXFILTRATION,
        "error",
        "tells a model to add an image or link to its answers",
        "image link pixel markdown url img",
        r"\b(?:append|add|include|embed|render|insert|put|display|output|show|"
        r"end)\b[^.\n]{0,60}?\b(?:image|pixel|img|markdown (?:image|link)|link|"
        r"url)\b[^\n]{0,100}?https?://[^\n]{0,120}?(?:conversation|history|secret|prompt|password|"
        r"memory|user'?s? |summary|base64|encoded|\{|data=|q=|token)",
    ),
    rule(
        EXFILTRATION,
        "error",
        "sends files with secrets away",
        "curl wget nc ncat scp fetch",
        r"\b(?:curl|wget|nc|ncat|scp|fetch)\b[^\n]{0,200}?(?:id_rsa|id_ed25519|\.ssh/|"
        r"\.aws/credentials|/etc/passwd|/etc/shadow|\.env\b(?!\.)|\.netrc|\.npmrc|\.git-credentials|"
        r"\$\(env\)|`env`|printenv|\$\(cat )|(?:id_rsa|\.ssh/|\.aws/credentials|/etc/passwd|"
        r"/etc/shadow|\.env|printenv|\benv)\b[^\n]{0,80}?\|\s*(?:base64[^|\n]*\|\s*)?(?:curl|wget|nc|"
        r"ncat)\b",
    ),
    rule(
        COMMAND,
        "error",
        "tells a model to act and to hide it",
        "curl wget iwr invoke rm powershell bash base chmod dev nc eval sudo crontab ssh authorized python "
        "pip npm",
        rf"{_SHELL}(?=[^\x00]{{0,300}}?{_SECRETLY})|{_SECRETLY}(?=[^\x00]{{0,300}}?{_SHELL})",
    ),
    rule(
        COMMAND,
        "error",
        "tells a model to act and to hide it",
        "silently secretly covertly discreetly stealthily surreptitiously",
        rf"(?:^|[.;:!?,>*\"'(-]\s*|\b(?:to|and|then|must|should|always|please|now|you|"
        rf"will) )(?:silently|secretly|covertly|discreetly|stealthily|surreptitiously) {_ACT}|(?:^|"
        rf"[.;:!?>*\"'(-]\s*|\b(?:must|should|always|please|now|"
        rf"then) ){_ACT} (?:[^.\n]{{0,60}} )?(?:silently|secretly|"
        r"covertly|surreptitiously)\b(?! to)",
    ),
    rule(
        COMMAND,
        "error",
        "tells a model to act and to hide it",
        "user human owner anyone anybody",
        rf"{_ACT}[^\n]{{0,160}}?\b(?:do not|don't|never|without) (?:tell|telling|inform|informing|"
        rf"notify|notifying|mention|"
        r"mentioning|alert|alerting|reveal|disclose|let|letting)(?: (?:this|it|that))?(?: to)?(?: the|"
        r" any)? (?:user|human|owner|operator|anyone|anybody)s?\b|\b(?:do not|don't|never) (?:tell|"
        r"inform|notify|mention(?: (?:this|it|that))? to|let|alert) (?:the |any )?(?:user"
        rf"|human|owner|operator|anyone)s?\b(?: know)?(?: (?:about|that|of))? (?:this|these|it|you|"
        rf"the (?:command|instruction|"
        r"change|action|script)|what you)\b",
    ),
    rule(
        COMMAND,
        "error",
        "tells a model to run what it fetches",
        "run execute eval invoke start launch",
        r"\b(?:before|whenever|each time|every time|at the (?:start|beginning|end) of|first|"
        r"immediately|you must|always|when (?:you|asked))\b[^\n]{0,80}?\b(?:run|execute|eval|invoke|"
        r"launch)\b[^\n]{0,40}?(?:\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo )?(?:ba|z)?sh|"
        r"base64 (?:-d|--decode)[^\n|]*\|\s*(?:ba|z)?sh|rm -rf [/~]|/dev/tcp/)",
    ),
)
"""Rules over folded text in which a blank stands for any blanks."""

LOOSE_ORDER = re.compile(
    r"\b(?:ai|llm|assistant|agent|model|chatgpt|gpt|claude|gemini|copilot|chatbot|"
    r"language model)s?\b[^.\n]{0,80}\b(?:must|should|shall|please|always|never|ignore|send|say|reply|"
    r"respond|tell|execute|run|do not|don't|recommend|include|output|write|add|forget|approve|mention|"
    r"rate|answer)\b|\byou (?:must|should|shall|are to|are now|will now)\b|\bwhen(?:ever)? (?:you |"
    r"asked|summari[sz]ing|answering|responding|the user|a user|reading)|\b(?:tell|to|"
    r"inform) the user\b|\b(?:your|system) (?:system )?(?:prompt|instructions)\b|^\W*(?:system|"
    r"assistant|ai|llm)\s*:|\b(?:send|forward|upload|post)\b[^\n]{0,40}\b(?:data|secrets?|conversation|"
    r"password)\b"
)
"""What no comment for people says, weaker than the rules: for places that a reader does not see."""
