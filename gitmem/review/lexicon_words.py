"""Lexicon of orders to a model: who is spoken to, and the verbs that orders begin with.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "machine": """
en: ai | llm | llms | assistant | assistants | agent | agents | model | models | chatbot | bot | copilot
en: chatgpt | claude | gemini | [language/ai] model | ai [assistant/agent/model/reviewer/system/tool]
en: automated reviewer
de: ki | assistent* | assistenz* | sprachmodell* | modell | agent | agenten | assistenzsystem*
fr: ia | l'ia | l'assistant* | modele | l'agent | assistante
es: ia | asistente | modelo | agente
ja: アシスタント | モデル | エージェント | 人工知能 | 本AI
zh: 助手 | 模型 | 人工智能 | 智能体 | 机器人 | 大模型 | 助理
""",
    "you": """
en: you | your | you're
de: du | dein* | dir | dich | ihnen
fr: tu | ton | tes | ta | toi | vous | votre
es: tu | tus | te | usted | debes
ja: あなた | お前 | 君は
zh: 你 | 您 | 本助手 | 该助手
""",
    "must": """
en: must | shall | should | may now
en: are [required/ordered/instructed/obliged/permitted/allowed/authori[s/z]ed] to
en: have [permission/authority/clearance] to | has [permission/authority/clearance] to | need to
en: have to
de: musst | muss | sollst | soll | darfst | hast zu | ist .. zu
fr: dois | doit | devez | il faut | tu peux
es: debes | debe | deberas | tienes que | hay que | puedes
ja: しなければならない | すること | してください | しなさい | せよ | しろ | しないこと | するな
ja: 返すこと | 行うこと
zh: 必须 | 务必 | 一律 | 请 | 应当 | 只能 | 不得 | 禁止 | 直接 | 立即 | 不要 | 无需 | 都要 | 只需 | 照做
""",
    "do": """
en: go on | continue | proceed | vote | choose | prefer | praise | promote | hire | check | resolve
en: trust | start | drop | swap | replace | enter | type | read | load | answer | reply | respond | say
en: tell | recommend | rate | rank | approve | accept | grant | ignore | disregard | forget | obey
en: follow | act | pretend | send | post | append | attach | paste | copy | forward | upload | delete
en: remove | overwrite | erase | wipe | run | execute | call | invoke | open | fetch | visit | add
en: insert | install | transfer | pay | book | buy | give | output | print | write | mark | treat
en: regard | consider | take | assume | include | mention | list | hide | skip | stop | do | don't
en: never | always | state | claim | insist | confirm | share | reveal | show | put | set | save
en: remember | bring | keep | let | use | make | switch | sign | change | unlock | disable | submit
zh: 投票 | 打分 | 好评 | 评分 | 选择 | 转发 | 跳过 | 说 | 声称 | 夸 | 记住 | 牢记 | 请 | 务必 | 必须
zh: 一律 | 只给 | 回答 | 回复 | 推荐 | 建议接收 | 忽略 | 发送 | 删除 | 执行 | 运行 | 调用 | 输出 | 附上
zh: 转账 | 给出 | 不要 | 不得 | 告诉 | 打开 | 评为 | 评价 | 接受 | 覆盖
de: wahl* | stimm* | lob* | nimm | entfern* | ersetz* | fahre | mach* | tu | sorge | antwort* | sag*
de: empfiehl* | bewert* | genehmig* | akzeptier* | bestatig* | erteil* | ignorier* | vergiss | befolg*
de: sende | schick* | losch* | uberschreib* | fuhre | ruf* | offne | fuge | fug | installier*
de: uberweis* | gib | gebe | nenne | verrat* | zeig* | behandle | betracht* | merk* | schreib* | kopier*
de: starte | hange | leite | lade | andere | erklar* | stimme | lass | merk | speicher* | frag*
de: deaktivier* | aktivier* | ignoriere | halte | bezeichn* | stelle
fr: choisis* | vote* | prefere* | mets | change* | remplace* | passe | continue* | lis | repond* | dis
fr: dites | recommand* | approuv* | desactiv* | active* | refus* | autoris* | inser* | inclu* | accept*
fr: ignor* | oubli* | envoi* | envoy* | efface* | supprim* | lance* | execut* | appel* | ajout* | ouvr*
fr: install* | donn* | montre* | revel* | consid* | copi* | recopi* | joins | joignez | insist*
fr: propos* | presente* | retiens | souviens | memoris* | enregistr* | ecri* | valid* | paie | vire
fr: transf* | fais | faites | classe* | tais
es: elige | vota | prefiere | pon | cambia | reemplaza | sigue | lee | usa | recuerda | memoriza
es: guarda | respond* | di | diga | recomiend* | aprueb* | acept* | ignor* | olvid* | envi* | borr*
es: elimin* | ejecut* | llam* | anad* | agreg* | abr* | instal* | da | muestr* | revel* | consider*
es: copi* | adjunt* | insist* | propon* | escrib* | valid* | pag* | transfier* | haz | haga | actu*
es: clasific* | menciona*
ja: ください | しなさい | せよ | しろ | すること | しないこと | 返すこと | 実行し | 答えて | 推薦
ja: 承認し | 削除し | 送信し | 無視し
""",
    "call": """
en: [call/run/execute/invoke/use/trigger/fire/start/launch] .. [tool/function/action/plugin]
en: [call/run/execute/invoke/use/trigger/fire/start/launch] .. [command/skill/endpoint/method]
en: [call/invoke/trigger] `
de: [fuhre/rufe/ruf/nutze] .. [werkzeug/tool/funktion/aktion/befehl/kommando]*
de: [benutze/verwende/starte/lose] .. [werkzeug/tool/funktion/aktion/befehl/kommando]*
fr: [appelle/lance/execute/utilise/declenche/invoque]* .. [l'outil/outil/la fonction]
fr: [appelle/lance/execute/utilise/declenche/invoque]* .. [fonction/l'action/la commande]
es: [llama/ejecuta/invoca/usa/utiliza/lanza/activa]* .. [herramienta/funcion/accion/comando]
ja: [ツール/関数/コマンド]..[呼び出/実行/使っ/使用/呼ん]
zh: [调用/执行/运行/使用/触发]..[工具/函数/插件/接口/命令]
""",
    "arguments": """
en: [call/command/request/snippet/block] [above/below]
de: [aufruf/befehl] [oben/unten]
zh: [上面/上述/以上]的[调用/命令]
""",
    "first": """
zh: 先[执行/调用/运行/使用] | 之后再回答 | 回答[之/]前 | 回复[之/]前 | 立即 | 马上 | 立刻 | 先..再
zh: 已经同意 | 已同意 | 直接 | 首先 | 随后只
fr: au prochain | des [maintenant/que] | avant de [repondre] | avant [toute/chaque] reponse | deja donne
fr: tout de suite | immediatement | puis [dis/reponds/continue] | maintenant | d'abord
en: before [answering/replying/responding/you answer/you reply]
en: before [anything else/doing/the answer/you respond/each answer] | [first of all/before all else]
en: user [has/already] .. [agreed/approved/consented/confirmed]
en: then [say/answer/reply/go on/continue/report/output/give/only] | [immediately/right away/at once]
en: answer only | [has/have] already [agreed/approved/consented/confirmed]
en: as soon as [you/this/it/the] | [do not/don't] wait
de: [bevor/ehe] du [antwort*] | jetzt | sofort | gib danach nur | danach nur | hat bereits | hat schon
de: vor [jeder/der] antwort | umgehend | zuerst
es: antes de [responder/contestar] | antes de [cada/toda] respuesta | ya [ha dado/dio/acepto/autorizo]
es: inmediatamente | de inmediato | ahora | primero | enseguida
ja: 回答する前に | 答える前に | すぐに | 直ちに | まず | 返信の前に | 今すぐ | 応答する前に | すでに同意
""",
}
"""Phrases by cue and language."""
