"""Lexicon of orders to a model: who speaks with what right, and who the model is to be.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "claim": """
en: [i am/i'm/im] [the/your/an/a] .. [administrator/admin/developer/operator/owner/compliance*/engineer]
en: [i am/i'm/im] [the/your/an/a] .. [auditor/creator/head of*/ceo/officer/root/maintainer/supervisor]
en: this is [the/your] .. [developer*/administrator/admin/compliance*/vendor]
en: this is [the/your] .. [operator*/security*/maintainer*/team/support] | speaking as [the/your]
en: [message/notice/order] from [the/your] [developer*/administrator*/admin*/operator*]
en: [message/notice/order] from [the/your] [compliance*/vendor*/security*/makers/provider]
en: on behalf of [the/your] [developer*/operator*/vendor*/administrator*/security*/compliance*/provider]
en: by order of | as [the/your] [administrator/developer/operator/owner/creator/maker]
en: we are [the/your] [developer*/operator*/maker*/creator*] | in my [role/capacity] as
de: ich bin [der/die/dein*/ihr*] .. [administrator*/entwickler*/betreiber*/leiter*]
de: ich bin [der/die/dein*/ihr*] .. [beauftragt*/chef*/vorstand*/eigentumer*/admin]
de: hier [spricht/schreibt] [der/die/dein*] | als [dein*/ihr*/administrator*/entwickler*/betreiber*]
de: im auftrag de*
fr: je suis [le/la/l'/ton/ta/votre] ?[administrat*/developp*/responsable]*
fr: je suis [le/la/l'/ton/ta/votre] ?[createur/creatrice/operateur/proprietaire]* | ici [le/la/l'/ton]
fr: [en tant qu'/en ma qualite]* .. [administrat*/developp*/responsable]* | sur ordre d*
fr: je suis [l'administrat*/le developp*/la developp*/ton developp*/ton createur]
es: soy [el/la/tu] .. [administrador*/desarrollador*/responsable/creador*/operador*/dueno/duena]
es: habla [el/la/tu] | como [tu/el/la] [administrador*/desarrollador*/responsable/creador*]
es: por orden de*
ja: 私は..[管理者/開発者/責任者/運営者/作成者] | 管理者として | 開発者として
ja: こちらは..[管理者/開発者/運営] | [管理者/開発者]です
zh: 我是..[管理员/负责人/开发者/主管/工程师/创建者/所有者/总裁/安全团队/运维]
zh: 这里是..[部/团队/管理员/官方] | 以..[身份/名义] | 作为..[管理员/负责人/开发者/主管]
zh: 经..[授权/批准],
""",
    "grant": """
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. you
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. you
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. access
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. access
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. rights
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. rights
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. mode
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. mode
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. permission*
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. permission*
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. filter*
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. filter*
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. restriction*
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. restriction*
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. limit*
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. limit*
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. safety
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. safety
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. checks
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. checks
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. policy
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. policy
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. policies
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. policies
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. assistant
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. assistant
en: [grant*/give/giving/hereby/authori[s/z]e*/unlock*/permit*/enable*] .. model
en: [lift*/waive*/release*/remove*/disable*/activat*/switch* off/turn* off] .. model
en: [full/unrestricted/complete/root/admin] [access/rights/control/privileges/permission*]
en: [obey/comply/must obey/follow my/answer to me] | developer mode
en: you [need/require] no [approval/permission/confirmation] | clearance
de: [erteile/gewahre/gebe] .. [vollzugriff/zugriff/rechte/erlaubnis/freigabe/vollmacht] | vollzugriff
de: gehorch* | [schalte/hebe] .. [frei/auf/ab/aus] | brauchst keine | widersprichst .. nicht
de: ab sofort .. [gehorch*/befolg*] | deaktivier* | autorisier*
fr: [accorde/autorise/donne/leve]* .. [acces/droits/autorisation/restriction*]*
fr: [active/desactive/debloque/ordonne]* .. [acces/droits/autorisation/restriction*]*
fr: [accorde/autorise/donne/leve]* .. [filtre*/limite*/mode/pleins pouvoirs/permission]*
fr: [active/desactive/debloque/ordonne]* .. [filtre*/limite*/mode/pleins pouvoirs/permission]*
fr: acces complet | obei* | t'autorise | t'ordonne | plein acces
es: [autorizo/concedo/otorgo/doy/ordeno/desbloqueo/desactivo/he activado/he desactivado/activo/levanto]
es: acceso [total/completo/pleno] | obedece* | modo [sin censura/desarrollador/libre/dios/administrador]
es: sin censura
ja: [許可/権限]を[与/付与] | 全権限 | 制限を解除 | 従いなさい | 従うこと | 従ってください | 命じ | 解除
ja: フルアクセス | 許可する
zh: [授权/授予/命令/允许/批准/要求]..[你/本助手/助手/模型/权限] | 解除..[限制/约束/安全] | 完全访问
zh: 最高权限 | 全部权限 | 优先服从 | 服从 | 听命 | 开启..模式 | 关闭..[过滤/审查/限制/安全]
""",
    "persona": """
en: you [are/will be/will now be/shall be/are now] .. [ai/assistant/bot/model]
en: you [are/will be/will now be/shall be/are now] .. [entity/persona/character/grandma]
en: you [become/will become/will act as/will play/play] .. [ai/assistant/bot/model]
en: you [become/will become/will act as/will play/play] .. [entity/persona/character/grandma]
en: you [are/will be/will now be/shall be/are now] .. [grandmother/grandpa/machine/oracle]
en: you [are/will be/will now be/shall be/are now] .. [genie/hacker/mode/system]
en: you [become/will become/will act as/will play/play] .. [grandmother/grandpa/machine/oracle]
en: you [become/will become/will act as/will play/play] .. [genie/hacker/mode/system]
en: you [shall/will/must/are to/can/should] [now /][act/play/be/become/speak/answer/behave/embody]
en: [imagine/picture] [yourself/you]
en: you [are now/will now be/are from now on/are no longer/are henceforth/shall now be]
en: [act/respond/answer/behave/reply/speak/write] as [a/an/my/the/if/though/dan/someone]
en: [pretend/imagine/suppose/assume/act as if] [that /]you*
en: [take on/adopt/assume/play] the [role/persona/character/identity]
en: [answer/speak/respond/write/reply] in the [voice/role/character/person/style/persona] of
en: you are no longer | for the rest of this [conversation/chat/session] you are
en: your [new /]name is [now /] | [enter/switch to/switch into/go into/activate] .. mode
en: let's play a game
de: bist du | spielst .. rolle | [spielst/mimst/gibst] du | du [spielst/mimst]
de: du bist [jetzt/nun/ab/kunftig/fortan/von nun]* | [spiele/spiel/ubernimm] .. rolle | stell dir vor
de: tu* so, als | [antworte/verhalte dich/handle/sprich] .. [als/wie] | du heisst | agiere als
fr: tu es [desormais/maintenant/a present/dorenavant] | [joue/incarne/prends]* .. [role/personnage]
fr: [agis/reponds/comporte-toi] comme | [fais semblant/imagine que/fais comme si]
fr: tu [incarnes/joues/t'appelles/deviens] | tu es .. [ia/assistant]
es: [eres/seras] [ahora/a partir/desde/ya] | [actua/responde/comportate/habla] como
es: [finge/imagina/haz como] [que/si] | asume .. [papel/rol] | te llamas | tu eres
es: seras .. [ia/asistente]
ja: あなたは..[です/として/なる/になり/AI] | お前は | [演じ/なりきっ] | 役を | ふりをし | として振る舞
ja: として回答
zh: [你/您][现在/从现在/将/就/从此/接下来]..[是/扮演/成为/变成] | 扮演 | 假装 | 假设你 | 想象你 | 你叫
zh: 你是..[AI/助手/模型]
""",
    "unbound": """
en: [without/with no/no/free of] [any /all /more /][limit*/restriction*/rules/filter*/policy/policies]
en: [free from/has no/have no/knows no/beyond] [any /all /more /][limit*/restriction*/rules]
en: [free from/has no/have no/knows no/beyond] [any /all /more /][filter*/policy/policies]
en: [without/with no/no/free of] [any /all /more /][censorship/guardrails/safety]
en: [without/with no/no/free of] [any /all /more /][ethic*/moral*/constraint*/boundaries]
en: [free from/has no/have no/knows no/beyond] [any /all /more /][censorship/guardrails/safety]
en: [free from/has no/have no/knows no/beyond] [any /all /more /][ethic*/moral*/constraint*/boundaries]
en: never [refuse*/declin*/says no/says that/say that]
en: never [say no/breaks character/break character/leaves the role/leave the role/steps out]
en: [break*/breaking/drop] character | stay in [this/that/the] [mode/role/character/persona]
en: [remain/keep] in [this/the/that] [mode/role/character]
en: [uncensored/unfiltered/unrestricted/unbound/unshackled/limitless]
en: [answer*/does/do/says/say/speak*] [anything/everything/whatever]
en: [nothing/no request] is [off limits/forbidden/refused]
en: [safety/ethical] [training/rules/limits] .. [undone/removed/gone/switched off/erased/do not exist]
en: [must/may/can/cannot/will] not refuse | says what others hide
en: even [if/where/when] .. [illegal/dangerous/harmful/forbidden/must decline]
de: ohne [jede /jegliche /alle /][einschrank*/beschrank*/grenzen/filter/regeln/tabu*/zensur]
de: [lehnst/lehnt/verweiger*/schlag*] .. [nie/nichts/kein*/nicht] | unzensiert | uneingeschrankt
de: keine [einschrank*/beschrank*/grenzen/filter/regeln/tabu*] | verweiger* [nie/nichts/keine]
de: falle nie aus der rolle | bleib* in .. rolle
fr: sans [aucune /]*[limite/restriction/filtre/censure/regle/tabou]*
fr: ne [refuse/refuses/refuses jamais/dis jamais non] .. [jamais/rien/aucune]*
fr: jamais [refuser/de refus] | aucun* [limite/restriction/filtre/regle/interdit]*
fr: reste* dans .. [role/personnage/mode] | non censure*
es: sin [ningun* /][limite/restriccion/filtro/censura/regla/tabu]*
es: no [rechaces/niegues/rechazas/te niegas] | nunca [rechac*/te niegues/digas que no]
es: ningun* [limite/restriccion/filtro]*
es: [no salgas/permanece/mantente/quedate] .. [personaje/papel/modo]
ja: 制限のない | 制限なし | 無制限 | 断ることは許され | 断らない | 拒否しない | 拒否できない
ja: 制約のない | 検閲なし | 何でも答 | 拒否してはならない | 役を降り | 無修正
zh: [没有/无/不受/毫无][任何/]..[限制/约束/审查/束缚/底线] | [不得/不能/不会/从不/绝不/不许][拒绝/说不]
zh: 有问必答 | 不[脱离/跳出/退出]角色 | 无所不答 | 保持[此/该/这个]..[模式/角色] | 解除..限制
""",
    "agrees": """
en: understood | i will | i'll | i shall
en: i will [do so/comply/obey/from now/now/always/paste/send/follow/ignore/treat/share] | yes, i
en: sure, i | of course, i | will do | as you wish | okay, i | ok, i | acknowledged | certainly
de: verstanden | ich werde | selbstverstandlich | jawohl | in ordnung | mache ich | gerne
fr: compris | bien recu | je le ferai | d'accord | entendu | bien sur
es: entendido | de acuerdo | lo hare | por supuesto | claro
ja: 承知 | 了解 | わかりました | かしこまりました | 分かりました
zh: 明白 | 好的 | 遵命 | 收到 | 我会 | 没问题 | 了解
""",
    "trust": """
en: trust level | operator | elevated | [full/root/admin/unrestricted] [access/rights/trust/mode]
en: treat .. as | trusted | permission* | authori[s/z]ed | safety | without asking | confirmed
en: unlocked | instruction*
de: vertrauensstufe | vollzugriff | freigegeben | berechtig* | erlaubt | ohne ruckfrage | freigeschaltet
fr: niveau de confiance | acces complet | autorise* | sans demander | deverrouille*
es: nivel de confianza | acceso total | autorizad* | sin preguntar | desbloquead*
ja: 信頼 | 権限 | 許可 | 確認なし
zh: 信任 | 权限 | 授权 | 管理员 | 口令 | 密码 | 每次都 | 照做 | 无需确认
""",
}
"""Phrases by cue and language."""
