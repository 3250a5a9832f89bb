"""Lexicon of orders to a model, second part: who speaks, who the model is to be, what no longer holds, what to do."""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "given": """
en: instruction* | rules | guideline* | directive* | policies | policy | prompt | safeguards | constraints | restrictions
en: what you were told | safety training | guardrails | earlier messages | system message | everything above | everything before
de: anweisung* | regeln | vorgabe* | instruktion* | richtlinie* | weisung* | beschrankung* | befehl*
fr: consigne* | instruction* | regles | directive* | restrictions
es: instruccion* | reglas | normas | directrices | indicaciones | restricciones | consignas
ja: 指示 | 命令 | 規則 | ルール | 規定 | 制約 | 制限 | 倫理規定
zh: 指令 | 规则 | 指示 | 规定 | 设定 | 限制 | 要求 | 提示词 | 约束 | 准则
""",
    "void": """
en: [replace/replaces/supersede/supersedes/override/overrides/outranks] | no longer [count*/appl*/hold*/valid/matter*/bind*/in force/in effect/relevant/stand*] | [is/are] [void/cancelled/canceled/obsolete/suspended/lifted/revoked/null/superseded/moot/withdrawn]
en: [do/does] not [count/apply/hold/matter/bind you] any more | [does/do] not apply to you | cease* to apply | stop* [applying/counting] | [is/are] now [cancelled/canceled/void/obsolete] | can be [forgotten/ignored/dropped]
en: [has/have] been [lifted/revoked/undone/removed/disabled/cancelled/withdrawn/suspended/switched off] | [was/were] [undone/lifted/removed/revoked/only a test/withdrawn/a test] | expire*
de: [gelten/gilt/zahlen/zahlt] nicht [mehr/langer] | nicht mehr [gelten/gilt/gultig/zu beachten/bindend] | aufgehoben | ausser kraft | hinfallig | ungultig
de: verliert .. gultigkeit | verlieren .. gultigkeit | ist .. nichtig | sind .. nichtig
fr: ne [compte/comptent/vaut/valent/s'applique/s'appliquent/sont/est/tient/tiennent] plus | plus compte | caduque* | annule* | nulles et non | abroge* | leve*s | n'[est/ont/a] plus
es: ya no [cuenta*/vale*/aplica*/se aplica*/rige*/es valid*/son valid*/tiene*/importa*/sirve*] | quedan* [anulad*/sin efecto/cancelad*/suspendid*] | queda [anulad*/sin efecto/cancelad*] | anulad*
ja: 無効 | もはや | 適用されない | 撤回 | 取り消 | 解除 | 忘れて | 忘れろ | 従わなくて
zh: 作废 | 无效 | 失效 | 不再有效 | 不再适用 | 不算数 | 取消 | 解除 | 不作数 | 废止 | 不用管 | 不必遵守 | 无需遵守
""",
    "earlier": """
en: whatever [you/came/was/has been/i] .. [told/said/before/earlier/given/asked] | everything [you were/above/before/that came/said/told/so far] | what you [were/have been/had been] .. [told/given/asked/taught]
en: [all/any/every] instruction* | your .. [guideline*/directive*/guardrails/policies/vorgaben] | [operator/operator's/developer's/vendor's/system's] [guideline*/rules/instruction*/policies]
en: [the user's/the current/your current] [task/request/question/instruction*/orders/wish*] | instruction* up to [here/now/this]
en: [guidance/instruction*/rules/orders/directive*/prompts] .. [you received/received earlier/you got/you were given/you have] | everything above | [anything/everything/all] the user [asked/said/wrote/told] | rules [from/of/in] the system
en: [previous/earlier/prior/preceding/above/former/foregoing/original/old/all other/existing/system/safety/your] [instruction*/rules/guideline*/directive*/policies/orders/prompt*/restrictions/safety training]
en: your [safety /][training/alignment/limits] | [instruction*/rules/orders] [above/before/so far/you were given/you have]
de: [alles/was] .. [bisher/vorher/zuvor/davor/oben/bis hier]* | [bisherig*/vorherig*/fruhere*/obig*/alle*/vorig*/deine] [anweisung*/regeln/vorgabe*/instruktion*/richtlinie*/weisung*/beschrankung*]
fr: [consigne*/instruction*/regles/directives] .. [precedente*/anterieure*/ci-dessus/initiale*/recues/donnees] | tout ce qui precede | ta consigne | [tes/vos] [consignes/instructions/regles/directives]
fr: ce qu'on t'a dit | ce qui [precede/a ete dit] | [anciennes/precedentes] [consignes/instructions/regles]
es: tus [directrices/indicaciones/limites] | [instrucciones/reglas/normas/indicaciones/directrices] .. [anteriores/previas/recibidas/dadas/de arriba] | todo lo anterior | lo [anterior/que te dijeron] | tus [reglas/instrucciones/normas] | [las/los] [reglas/instrucciones] [y/del sistema]
ja: これまでの..[指示/命令/規則/ルール/制約] | 以前の..[指示/命令/規則/ルール] | 上記の..[指示/命令/規則/ルール] | 今までの..[指示/命令/ルール] | [倫理規定/安全規則/制約] | 先の..[指示/命令/ルール]
zh: [以上/之前/先前/此前/上面/前面/所有/全部/原有/已有/你的/一切/前述]..[指令/规则/指示/规定/设定/限制/要求/提示词/约束/准则/对话/内容]
""",
    "drop": """
en: ignore | disregard | forget | set .. aside | [treat/regard/consider] .. as [void/obsolete/cancelled/canceled/null/invalid] | start over | abandon | [treat/regard/consider] .. as withdrawn | discard | drop | set aside | pay no [attention/heed] | stop [following/obeying] | [do not/don't] [follow/obey/heed] | throw away | override
de: ignorier* | vergiss | missachte* | beachte .. nicht | verwirf | halte dich nicht | uberschreib* | befolge .. nicht | setz* .. [ausser kraft/hinweg]
fr: ignore* | oublie* | ne [tiens/tenez/tient] [plus /pas /aucun /]compte | ne [suis/suivez/respecte/respectez] [plus/pas] | fais abstraction | faites abstraction | laisse* de cote
es: ignora* | olvida* | descarta* | no [hagas caso/sigas/obedezcas/tengas en cuenta] | haz caso omiso | omite* | deja* de lado | pasa* por alto
ja: 無視 | 忘れ | 従わな | 破棄
zh: 忽略 | 无视 | 忘记 | 忘掉 | 抛开 | 不要理会 | 不必理会 | 不要遵守 | 不再遵守 | 别管 | 放弃 | 丢弃 | 绕过 | 不用遵守
""",
    "claim": """
en: [i am/i'm/im] [the/your/an/a] .. [administrator/admin/developer/operator/owner/compliance*/engineer/auditor/creator/head of*/ceo/officer/root/maintainer/supervisor] | this is [the/your] .. [developer*/administrator/admin/compliance*/vendor/operator*/security*/maintainer*/team/support]
en: speaking as [the/your] | [message/notice/order] from [the/your] [developer*/administrator*/admin*/operator*/compliance*/vendor*/security*/makers/provider] | on behalf of [the/your] [developer*/operator*/vendor*/administrator*/security*/compliance*/provider]
en: by order of | as [the/your] [administrator/developer/operator/owner/creator/maker] | we are [the/your] [developer*/operator*/maker*/creator*] | in my [role/capacity] as
de: ich bin [der/die/dein*/ihr*] .. [administrator*/entwickler*/betreiber*/leiter*/beauftragt*/chef*/vorstand*/eigentumer*/admin] | hier [spricht/schreibt] [der/die/dein*] | als [dein*/ihr*/administrator*/entwickler*/betreiber*] | im auftrag de*
fr: je suis [le/la/l'/ton/ta/votre] ?[administrat*/developp*/responsable/createur/creatrice/operateur/proprietaire]* | ici [le/la/l'/ton] | [en tant qu'/en ma qualite]* .. [administrat*/developp*/responsable]* | sur ordre d* | je suis [l'administrat*/le developp*/la developp*/ton developp*/ton createur]
es: soy [el/la/tu] .. [administrador*/desarrollador*/responsable/creador*/operador*/dueno/duena] | habla [el/la/tu] | como [tu/el/la] [administrador*/desarrollador*/responsable/creador*] | por orden de*
ja: 私は..[管理者/開発者/責任者/運営者/作成者] | 管理者として | 開発者として | こちらは..[管理者/開発者/運営] | [管理者/開発者]です
zh: 我是..[管理员/负责人/开发者/主管/工程师/创建者/所有者/总裁/安全团队/运维] | 这里是..[部/团队/管理员/官方] | 以..[身份/名义] | 作为..[管理员/负责人/开发者/主管] | 经..[授权/批准],
""",
    "grant": """
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*/lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. [you/access/rights/mode/permission*/filter*/restriction*/limit*/safety/checks/policy/policies/assistant/model]
en: [full/unrestricted/complete/root/admin] [access/rights/control/privileges/permission*] | [obey/comply/must obey/follow my/answer to me] | developer mode | you [need/require] no [approval/permission/confirmation] | clearance
de: [erteile/gewahre/gebe] .. [vollzugriff/zugriff/rechte/erlaubnis/freigabe/vollmacht] | vollzugriff | gehorch* | [schalte/hebe] .. [frei/auf/ab/aus] | brauchst keine | widersprichst .. nicht | ab sofort .. [gehorch*/befolg*] | deaktivier* | autorisier*
fr: [accorde/autorise/donne/leve/active/desactive/debloque/ordonne]* .. [acces/droits/autorisation/restriction*/filtre*/limite*/mode/pleins pouvoirs/permission]* | acces complet | obei* | t'autorise | t'ordonne | plein acces
es: [autorizo/concedo/otorgo/doy/ordeno/desbloqueo/desactivo/he activado/he desactivado/activo/levanto] | acceso [total/completo/pleno] | obedece* | modo [sin censura/desarrollador/libre/dios/administrador] | sin censura
ja: [許可/権限]を[与/付与] | 全権限 | 制限を解除 | 従いなさい | 従うこと | 従ってください | 命じ | 解除 | フルアクセス | 許可する
zh: [授权/授予/命令/允许/批准/要求]..[你/本助手/助手/模型/权限] | 解除..[限制/约束/安全] | 完全访问 | 最高权限 | 全部权限 | 优先服从 | 服从 | 听命 | 开启..模式 | 关闭..[过滤/审查/限制/安全]
""",
    "persona": """
en: you [are/will be/will now be/shall be/are now/become/will become/will act as/will play/play] .. [ai/assistant/bot/model/entity/persona/character/grandma/grandmother/grandpa/machine/oracle/genie/hacker/mode/system]
en: you [shall/will/must/are to/can/should] [now /][act/play/be/become/speak/answer/behave/embody] | [imagine/picture] [yourself/you]
en: you [are now/will now be/are from now on/are no longer/are henceforth/shall now be] | [act/respond/answer/behave/reply/speak/write] as [a/an/my/the/if/though/dan/someone] | [pretend/imagine/suppose/assume/act as if] [that /]you* | [take on/adopt/assume/play] the [role/persona/character/identity]
en: [answer/speak/respond/write/reply] in the [voice/role/character/person/style/persona] of | you are no longer
en: for the rest of this [conversation/chat/session] you are | your [new /]name is [now /] | [enter/switch to/switch into/go into/activate] .. mode | let's play a game
de: bist du | spielst .. rolle | [spielst/mimst/gibst] du | du [spielst/mimst] | du bist [jetzt/nun/ab/kunftig/fortan/von nun]* | [spiele/spiel/ubernimm] .. rolle | stell dir vor | tu* so, als | [antworte/verhalte dich/handle/sprich] .. [als/wie] | du heisst | agiere als
fr: tu es [desormais/maintenant/a present/dorenavant] | [joue/incarne/prends]* .. [role/personnage] | [agis/reponds/comporte-toi] comme | [fais semblant/imagine que/fais comme si] | tu [incarnes/joues/t'appelles/deviens] | tu es .. [ia/assistant]
es: [eres/seras] [ahora/a partir/desde/ya] | [actua/responde/comportate/habla] como | [finge/imagina/haz como] [que/si] | asume .. [papel/rol] | te llamas | tu eres | seras .. [ia/asistente]
ja: あなたは..[です/として/なる/になり/AI] | お前は | [演じ/なりきっ] | 役を | ふりをし | として振る舞 | として回答
zh: [你/您][现在/从现在/将/就/从此/接下来]..[是/扮演/成为/变成] | 扮演 | 假装 | 假设你 | 想象你 | 你叫 | 你是..[AI/助手/模型]
""",
    "unbound": """
en: [without/with no/no/free of/free from/has no/have no/knows no/beyond] [any /all /more /][limit*/restriction*/rules/filter*/policy/policies/censorship/guardrails/safety/ethic*/moral*/constraint*/boundaries]
en: never [refuse*/declin*/says no/says that/say that/say no/breaks character/break character/leaves the role/leave the role/steps out] | [break*/breaking/drop] character | stay in [this/that/the] [mode/role/character/persona] | [remain/keep] in [this/the/that] [mode/role/character]
en: [uncensored/unfiltered/unrestricted/unbound/unshackled/limitless] | [answer*/does/do/says/say/speak*] [anything/everything/whatever] | [nothing/no request] is [off limits/forbidden/refused] | [safety/ethical] [training/rules/limits] .. [undone/removed/gone/switched off/erased/do not exist]
en: [must/may/can/cannot/will] not refuse | says what others hide | even [if/where/when] .. [illegal/dangerous/harmful/forbidden/must decline]
de: ohne [jede /jegliche /alle /][einschrank*/beschrank*/grenzen/filter/regeln/tabu*/zensur] | [lehnst/lehnt/verweiger*/schlag*] .. [nie/nichts/kein*/nicht] | unzensiert | uneingeschrankt | keine [einschrank*/beschrank*/grenzen/filter/regeln/tabu*] | verweiger* [nie/nichts/keine] | falle nie aus der rolle | bleib* in .. rolle
fr: sans [aucune /]*[limite/restriction/filtre/censure/regle/tabou]* | ne [refuse/refuses/refuses jamais/dis jamais non] .. [jamais/rien/aucune]* | jamais [refuser/de refus] | aucun* [limite/restriction/filtre/regle/interdit]* | reste* dans .. [role/personnage/mode] | non censure*
es: sin [ningun* /][limite/restriccion/filtro/censura/regla/tabu]* | no [rechaces/niegues/rechazas/te niegas] | nunca [rechac*/te niegues/digas que no] | ningun* [limite/restriccion/filtro]* | [no salgas/permanece/mantente/quedate] .. [personaje/papel/modo]
ja: 制限のない | 制限なし | 無制限 | 断ることは許され | 断らない | 拒否しない | 拒否できない | 制約のない | 検閲なし | 何でも答 | 拒否してはならない | 役を降り | 無修正
zh: [没有/无/不受/毫无][任何/]..[限制/约束/审查/束缚/底线] | [不得/不能/不会/从不/绝不/不许][拒绝/说不] | 有问必答 | 不[脱离/跳出/退出]角色 | 无所不答 | 保持[此/该/这个]..[模式/角色] | 解除..限制
""",
    "call": """
en: [call/run/execute/invoke/use/trigger/fire/start/launch] .. [tool/function/action/plugin/command/skill/endpoint/method]
en: [call/invoke/trigger] `
de: [fuhre/rufe/ruf/nutze/benutze/verwende/starte/lose] .. [werkzeug/tool/funktion/aktion/befehl/kommando]*
fr: [appelle/lance/execute/utilise/declenche/invoque]* .. [l'outil/outil/la fonction/fonction/l'action/la commande]
es: [llama/ejecuta/invoca/usa/utiliza/lanza/activa]* .. [herramienta/funcion/accion/comando]
ja: [ツール/関数/コマンド]..[呼び出/実行/使っ/使用/呼ん]
zh: [调用/执行/运行/使用/触发]..[工具/函数/插件/接口/命令]
""",
    "first": """
en: before [answering/replying/responding/you answer/you reply/anything else/doing/the answer/you respond/each answer] | [first of all/before all else] | user [has/already] .. [agreed/approved/consented/confirmed]
en: then [say/answer/reply/go on/continue/report/output/give/only] | [immediately/right away/at once] | answer only | [has/have] already [agreed/approved/consented/confirmed] | as soon as you read | [do not/don't] wait
de: [bevor/ehe] du [antwort*] | jetzt | sofort | gib danach nur | danach nur | hat bereits | hat schon | vor [jeder/der] antwort | umgehend | zuerst
fr: avant de [repondre] | avant [toute/chaque] reponse | deja donne | tout de suite | immediatement | puis [dis/reponds/continue] | maintenant | d'abord
es: antes de [responder/contestar] | antes de [cada/toda] respuesta | ya [ha dado/dio/acepto/autorizo] | inmediatamente | de inmediato | ahora | primero | enseguida
ja: 回答する前に | 答える前に | すぐに | 直ちに | まず | 返信の前に | 今すぐ | 応答する前に | すでに同意
zh: 回答[之/]前 | 回复[之/]前 | 立即 | 马上 | 立刻 | 先..再 | 已经同意 | 已同意 | 直接 | 首先 | 随后只
""",
    "do": """
en: answer | reply | respond | say | tell | recommend | rate | rank | approve | accept | grant | ignore | disregard | forget | obey | follow | act | pretend | send | post | append | attach | paste | copy
en: forward | upload | delete | remove | overwrite | erase | wipe | run | execute | call | invoke | open | fetch | visit | add | insert | install | transfer | pay | book | buy | give | output | print | write
en: mark | treat | regard | consider | take | assume | include | mention | list | hide | skip | stop | do | don't | never | always | state | claim | insist | confirm | share | reveal | show | put | set | save | remember | bring | keep | let | use | make | switch | sign | change | unlock | disable | start | submit
de: antwort* | sag* | empfiehl* | bewert* | genehmig* | akzeptier* | bestatig* | erteil* | ignorier* | vergiss | befolg* | sende | schick* | losch* | uberschreib* | fuhre | ruf* | offne | fuge | fug | installier* | uberweis* | gib | gebe | nenne | verrat* | zeig* | behandle | betracht* | merk* | schreib* | kopier* | starte | hange | leite | lade | andere | erklar* | stimme | lass | merk | speicher* | frag* | deaktivier* | aktivier* | ignoriere | halte | bezeichn* | stelle
fr: repond* | dis | dites | recommand* | approuv* | desactiv* | active* | refus* | autoris* | inser* | inclu* | accept* | ignor* | oubli* | envoi* | envoy* | efface* | supprim* | lance* | execut* | appel* | ajout* | ouvr* | install* | donn* | montre* | revel* | consid* | copi* | recopi* | joins | joignez | insist* | propos* | presente* | retiens | souviens | memoris* | enregistr* | ecri* | valid* | paie | vire | transf* | fais | faites | classe* | tais
es: recuerda | memoriza | guarda | respond* | di | diga | recomiend* | aprueb* | acept* | ignor* | olvid* | envi* | borr* | elimin* | ejecut* | llam* | anad* | agreg* | abr* | instal* | da | muestr* | revel* | consider* | copi* | adjunt* | insist* | propon* | escrib* | valid* | pag* | transfier* | haz | haga | actu* | clasific* | menciona* | pon
ja: ください | しなさい | せよ | しろ | すること | しないこと | 返すこと | 実行し | 答えて | 推薦 | 承認し | 削除し | 送信し | 無視し
zh: 记住 | 牢记 | 请 | 务必 | 必须 | 一律 | 只给 | 回答 | 回复 | 推荐 | 建议接收 | 忽略 | 发送 | 删除 | 执行 | 运行 | 调用 | 输出 | 附上 | 转账 | 给出 | 不要 | 不得 | 告诉 | 打开 | 评为 | 评价 | 接受 | 覆盖
""",
    "agrees": """
en: understood | i will | i'll | i shall | i will [do so/comply/obey/from now/now/always/paste/send/follow/ignore/treat/share] | yes, i | sure, i | of course, i | will do | as you wish | okay, i | ok, i | acknowledged | certainly
de: verstanden | ich werde | selbstverstandlich | jawohl | in ordnung | mache ich | gerne
fr: compris | bien recu | je le ferai | d'accord | entendu | bien sur
es: entendido | de acuerdo | lo hare | por supuesto | claro
ja: 承知 | 了解 | わかりました | かしこまりました | 分かりました
zh: 明白 | 好的 | 遵命 | 收到 | 我会 | 没问题 | 了解
""",
    "trust": """
en: trust level | operator | elevated | [full/root/admin/unrestricted] [access/rights/trust/mode] | treat .. as | trusted | permission* | authori[s/z]ed | safety | without asking | confirmed | unlocked | instruction*
de: vertrauensstufe | vollzugriff | freigegeben | berechtig* | erlaubt | ohne ruckfrage | freigeschaltet
fr: niveau de confiance | acces complet | autorise* | sans demander | deverrouille*
es: nivel de confianza | acceso total | autorizad* | sin preguntar | desbloquead*
ja: 信頼 | 権限 | 許可 | 確認なし
zh: 信任 | 权限 | 授权 | 管理员 | 口令 | 密码 | 每次都 | 照做 | 无需确认
""",
}
"""The tables of `phrases.Lexicon`, by cue."""
