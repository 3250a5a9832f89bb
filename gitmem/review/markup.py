"""Text that looks like the frame around a model's input: roles, system prompts, calls of tools."""

from __future__ import annotations

from gitmem.review.rule import Rule, rule

ROLE = "injection-role"
TOOL_CALL = "injection-tool-call"

_SPEAKER = r"(?:system|developer|admin(?:istrator)?|root)"
_ORDER = (
    r"(?:you\b|your\b|ignore\b|disregard\b|forget\b|always\b|never\b|must\b|do not\b|don't\b|"
    r"from now\b|grant\b|reveal\b|respond\b|answer\b|reply\b|act\b|pretend\b|(?:the )?(?:assistant|"
    r"model|agent|ai)\b|override\b|new (?:instruction|directive|polic|rule|task)|execute\b|run\b|"
    r"send\b|obey\b|comply\b|disable\b|enable\b|treat\b|all (?:previous|prior|safety|future|requests|"
    r"filters)|(?:this|the) user\b|user (?:is|has)\b|when(?:ever)?\b|safety\b|restrictions\b|"
    r"instructions?\b|security (?:is|checks)|filters?\b)"
)

FRAMES: tuple[Rule, ...] = (
    rule(
        ROLE,
        "error",
        "looks like a mark of a model's input",
        "im start end system user assistant endoftext header id eot eom begi"
        "n of text sep inst sys turn model endofprompt",
        r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|start_header_id|end_header_id|"
        r"eot_id|eom_id|begin_of_text|end_of_text|endofprompt|start|end|message|channel|python_tag|"
        r"end_of_turn|tool_call)\|>|\[/?(?:inst|system_prompt|available_tools)\]|<</?sys>>|<(?:start|"
        r"end)_of_turn>(?:\s*(?:system|user|model))?",
    ),
    rule(
        ROLE,
        "error",
        "looks like a system prompt",
        "system assistant admin administrator developer 系 管",
        r"</?(?:system|assistant|developer|admin)(?:[-_\s](?:prompt|message|instructions?|reminder|"
        r"override|notice|note|command|role))>|<(?:system|/system|developer|/developer)>|\[/?(?:system|"
        r"developer|admin)[-_\s]?(?:prompt|message|instructions?|override|notice|command|note)?\]"
        rf" ?:? ?(?:{_ORDER}|#)|\[(?:system|assistant)\]\(#\w+\)|【(?:系统|系统提示|系统消息|管理员|"
        rf"system)】",
    ),
    rule(
        ROLE,
        "error",
        "looks like a system prompt",
        "system developer admin administrator root",
        rf"^[\s>*_#\[(-]*{_SPEAKER}(?:[\s_-](?:prompt|message|override|instructions?|notice|update|"
        rf"note|alert|command|directive|role))?[\])*_]*\s?[:>-][:>*_\s-]*[\"']?\s?(?:(?:important|"
        rf"urgent|attention|notice)\W+)?{_ORDER}",
    ),
    rule(
        ROLE,
        "error",
        "looks like the start of a model's instructions",
        "instruction instructions system assistant human response input prompt",
        r"^[ \t]{0,3}#{2,3}[ \t]*(?:instruction:?|(?:system|system prompt|system message|assistant|"
        r"human|user|new instructions?|response):)[ \t]*$(?=\n\s*\S)|"
        r"^[ \t]{0,3}#{2,3}[ \t]*(?:instructions?|system(?: prompt| message)?):[ \t]*\S",
    ),
    rule(
        ROLE,
        "warning",
        "looks like a message of the system role",
        "role",
        r"[\"']?\brole\b[\"']?\s*[:=]\s*[\"'](?:system|developer)[\"']\s*,\s*[\"']?content[\"']?\s*[:=]",
    ),
    rule(
        ROLE,
        "error",
        "pretends that what a model was given ends here",
        "end begin start",
        r"^[\s>*#=\[<-]*(?:end|begin|start)(?:ing)? (?:of )?(?:the )?(?:new |user |admin |real |"
        r"trusted |untrusted )*(?:system|developer|admin|retrieved|user|memory|context|"
        r"document) ?(?:prompt|instructions?|message|input|content|data|context|"
        r"memories)?[\s*#=\]>-]*$(?=\s*\S)(?=[^\x00]{0,200}\b(?:you|ignore|system|assistant|"
        r"instruction|now)\b)",
    ),
    rule(
        TOOL_CALL,
        "error",
        "looks like a call of a tool",
        "function tool invoke calls use call parameter mcp result results code",
        r"</?(?:antml:)?(?:function_calls?|function_results?|tool_use|tool_calls?|tool_code|"
        r"tool_results?|tool_response|use_mcp_tool|execute_command|invoke|"
        r"mcp_call)(?:\s+name\s*=[^>\n]{0,80}|\s[^>\n]{0,80})?>|^```(?:tool_code|tool_calls?|tool_use|"
        r"function_calls?)\b|<function=[\w.:-]+>|<invoke\s+name\s*=",
    ),
    rule(
        TOOL_CALL,
        "error",
        "looks like a call of a tool",
        "tool function recipient action name arguments",
        r"\{\s*[\"'](?:tool|tool_name|toolname|tool_call|recipient_name|function_call|tool_calls|"
        r"tool_use)[\"']\s*:\s*[\"'{\[]|[\"']type[\"']\s*:\s*[\"'](?:tool_use|tool_call|function_call|"
        r"mcp_call)[\"']|\{\s*[\"'](?:name|function|action|"
        r"command)[\"']\s*:\s*[\"'][\w.:/-]{1,80}[\"']\s*,\s*[\"'](?:arguments|args|parameters|"
        r"action_input|tool_input|kwargs)[\"']\s*:\s*[{\[\"']",
    ),
    rule(
        TOOL_CALL,
        "error",
        "looks like a call of a tool",
        "action assistant",
        r"^[ \t]*action:[ \t]*[\w. -]{1,60}\n+[ \t]*action[ _]input:|\bassistant to=(?:functions|"
        r"multi_tool_use|python|browser)",
    ),
)
"""Rules over folded text in which a blank stands for any blanks."""
