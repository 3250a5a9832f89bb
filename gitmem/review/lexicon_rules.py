"""Lexicon of orders to a model: the rules that it has, and that they no longer hold.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "given": """
en: instruction* | rules | guideline* | directive* | policies | policy | prompt | safeguards
en: constraints | restrictions | what you were told | safety training | guardrails | earlier messages
en: system message | everything above | everything before
de: anweisung* | regeln | vorgabe* | instruktion* | richtlinie* | weisung* | beschrankung* | befehl*
fr: consigne* | instruction* | regles | directive* | restrictions
es: instruccion* | reglas | normas | directrices | indicaciones | restricciones | consignas
ja: 指示 | 命令 | 規則 | ルール | 規定 | 制約 | 制限 | 倫理規定
zh: 指令 | 规则 | 指示 | 规定 | 设定 | 限制 | 要求 | 提示词 | 约束 | 准则
""",
    "void": """
en: [replace/replaces/supersede/supersedes/override/overrides/outranks]
en: no longer [count*/appl*/hold*/valid/matter*/bind*/in force/in effect/relevant/stand*]
en: [is/are] [void/cancelled/canceled/obsolete/suspended/lifted/revoked/null/superseded/moot/withdrawn]
en: [do/does] not [count/apply/hold/matter/bind you] any more | [does/do] not apply to you
en: cease* to apply | stop* [applying/counting] | [is/are] now [cancelled/canceled/void/obsolete]
en: can be [forgotten/ignored/dropped]
en: [has/have] been [lifted/revoked/undone/removed/disabled/cancelled/withdrawn/suspended/switched off]
en: [was/were] [undone/lifted/removed/revoked/only a test/withdrawn/a test] | expire*
de: [gelten/gilt/zahlen/zahlt] nicht [mehr/langer] | nicht mehr [gelten/gilt/gultig/zu beachten/bindend]
de: aufgehoben | ausser kraft | hinfallig | ungultig | verliert .. gultigkeit | verlieren .. gultigkeit
de: ist .. nichtig | sind .. nichtig
fr: ne [compte/comptent/vaut/valent/s'applique/s'appliquent/sont/est/tient/tiennent] plus | plus compte
fr: caduque* | annule* | nulles et non | abroge* | leve*s | n'[est/ont/a] plus
es: ya no [cuenta*/vale*/aplica*/se aplica*/rige*/es valid*/son valid*/tiene*/importa*/sirve*]
es: quedan* [anulad*/sin efecto/cancelad*/suspendid*] | queda [anulad*/sin efecto/cancelad*] | anulad*
ja: 無効 | もはや | 適用されない | 撤回 | 取り消 | 解除 | 忘れて | 忘れろ | 従わなくて
zh: 作废 | 无效 | 失效 | 不再有效 | 不再适用 | 不算数 | 取消 | 解除 | 不作数 | 废止 | 不用管 | 不必遵守
zh: 无需遵守
""",
    "earlier": """
en: what [the/your] [operator/developer/system] .. [configured/told/set/said/wrote/ordered]
en: what [the/your] [vendor/owner/admin] .. [configured/told/set/said/wrote/ordered]
en: whatever [you/came/was/has been/i] .. [told/said/before/earlier/given/asked]
en: everything [you were/above/before/that came/said/told/so far]
en: what you [were/have been/had been] .. [told/given/asked/taught] | [all/any/every] instruction*
en: your .. [guideline*/directive*/guardrails/policies/vorgaben]
en: [operator/operator's/developer's/vendor's/system's] [guideline*/rules/instruction*/policies]
en: [the user's/the current/your current] [task/request/question/instruction*/orders/wish*]
en: instruction* up to [here/now/this]
en: [guidance/instruction*/rules/orders/directive*/prompts] .. [you received/received earlier]
en: [guidance/instruction*/rules/orders/directive*/prompts] .. [you got/you were given/you have]
en: everything above | [anything/everything/all] the user [asked/said/wrote/told]
en: rules [from/of/in] the system
en: [previous/earlier/prior/preceding/above/former/foregoing] [instruction*/rules/guideline*/directive*]
en: [previous/earlier/prior] [policies/orders/prompt*/restrictions/safety training]
en: [preceding/above/former/foregoing] [policies/orders/prompt*/restrictions/safety training]
en: [original/old/all other/existing/system/safety/your] [instruction*/rules/guideline*/directive*]
en: [original/old/all other/existing/system/safety/your] [policies/orders]
en: [original/old/all other/existing/system/safety/your] [prompt*/restrictions/safety training]
en: your [safety /][training/alignment/limits]
en: [instruction*/rules/orders] [above/before/so far/you were given/you have]
zh: [原来/原本/旧/当前/现有/原先]..[指令/规则/指示/规定/设定/限制/要求/约束/准则]
zh: [以上/之前/先前/此前/上面/前面]..[指令/规则/指示/规定/设定/限制/要求/提示词/约束/准则/对话/内容]
zh: [所有/全部/原有/已有/你的/一切/前述]..[指令/规则/指示/规定/设定/限制]
zh: [所有/全部/原有/已有/你的/一切/前述]..[要求/提示词/约束/准则/对话/内容]
de: was [man/der betreiber/der entwickler] dir .. gesagt
de: [alles/was] .. [bisher/vorher/zuvor/davor/oben/bis hier]*
de: [bisherig*/vorherig*/fruhere*/obig*/alle*/vorig*/deine] [anweisung*/regeln/vorgabe*]
de: [bisherig*/vorherig*/fruhere*] [instruktion*/richtlinie*/weisung*/beschrankung*]
de: [obig*/alle*/vorig*/deine] [instruktion*/richtlinie*/weisung*/beschrankung*]
fr: ce que [l'operateur/le developpeur/le systeme] .. [dit/demande/configure]
fr: [consigne*/instruction*/regles/directives] .. [precedente*/anterieure*/ci-dessus]
fr: [consigne*/instruction*/regles/directives] .. [initiale*/recues/donnees] | tout ce qui precede
fr: ta consigne | [tes/vos] [consignes/instructions/regles/directives] | ce qu'on t'a dit
fr: ce qui [precede/a ete dit] | [anciennes/precedentes] [consignes/instructions/regles]
es: lo que [el sistema/el operador/el desarrollador] .. [dijo/pidio/configuro]
es: tus [directrices/indicaciones/limites]
es: [instrucciones/reglas] .. [anteriores/previas/recibidas/dadas/de arriba]
es: [normas/indicaciones/directrices] .. [anteriores/previas/recibidas/dadas/de arriba]
es: todo lo anterior | lo [anterior/que te dijeron] | tus [reglas/instrucciones/normas]
es: [las/los] [reglas/instrucciones] [y/del sistema]
ja: これまでの..[指示/命令/規則/ルール/制約] | 以前の..[指示/命令/規則/ルール]
ja: 上記の..[指示/命令/規則/ルール] | 今までの..[指示/命令/ルール] | [倫理規定/安全規則/制約]
ja: 先の..[指示/命令/ルール]
""",
    "sole": """
en: your [only/sole/single/one/real/true] [job/duty/task/goal/purpose/mission/role]
en: the only thing you [should/must/may/are to/have to]
de: [deine einzige/dein einziges/dein einziger] [aufgabe/ziel/auftrag/pflicht]
fr: [ta seule/ton seul/ton unique] [tache/but/mission/objectif/devoir]
es: tu [unica/unico] [tarea/mision/objetivo/deber/funcion]
ja: あなたの唯一の..[任務/目的/仕事/役割]
zh: [你/您]唯一..[任务/职责/目标/工作]
""",
    "drop": """
en: ignore | disregard | forget | set .. aside
en: [treat/regard/consider] .. as [void/obsolete/cancelled/canceled/null/invalid] | start over | abandon
en: [treat/regard/consider] .. as withdrawn | discard | drop | set aside | pay no [attention/heed]
en: stop [following/obeying] | [do not/don't] [follow/obey/heed] | throw away | override
de: ignorier* | vergiss | missachte* | beachte .. nicht | verwirf | halte dich nicht | uberschreib*
de: befolge .. nicht | setz* .. [ausser kraft/hinweg]
fr: ignore* | oublie* | ne [tiens/tenez/tient] [plus /pas /aucun /]compte
fr: ne [suis/suivez/respecte/respectez] [plus/pas] | fais abstraction | faites abstraction
fr: laisse* de cote
es: ignora* | olvida* | descarta* | no [hagas caso/sigas/obedezcas/tengas en cuenta] | haz caso omiso
es: omite* | deja* de lado | pasa* por alto
ja: 無視 | 忘れ | 従わな | 破棄
zh: 忽略 | 无视 | 忘记 | 忘掉 | 抛开 | 不要理会 | 不必理会 | 不要遵守 | 不再遵守 | 别管 | 放弃 | 丢弃
zh: 绕过 | 不用遵守
""",
}
"""Phrases by cue and language."""
