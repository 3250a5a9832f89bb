"""What orders to a model are made of, by language: each word is harmless, several together are not.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "machine": """
en: ai | llm | llms | assistant | assistants | agent | agents | model | models | chatbot | bot | copilot | chatgpt
en: claude | gemini | [language/ai] model | ai [assistant/agent/model/reviewer/system/tool] | automated reviewer
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
en: must | shall | should | may now | are [required/ordered/instructed/obliged/permitted/allowed/authori[s/z]ed] to
en: have [permission/authority/clearance] to | has [permission/authority/clearance] to | need to | have to
de: musst | muss | sollst | soll | darfst | hast zu | ist .. zu
fr: dois | doit | devez | il faut | tu peux
es: debes | debe | deberas | tienes que | hay que | puedes
ja: しなければならない | すること | してください | しなさい | せよ | しろ | しないこと | するな | 返すこと | 行うこと
zh: 必须 | 务必 | 一律 | 请 | 应当 | 只能 | 不得 | 禁止 | 直接 | 立即 | 不要 | 无需 | 都要 | 只需 | 照做
""",
    "secrecy": """
en: without [telling/informing/notifying/alerting/warning/asking/mentioning/letting/saying/disclosing/reporting]
en: without [the /][user*/owner*/anyone*/anybody*] .. [knowing/noticing/knowledge/consent/approval]
en: without .. [to/in front of] [the user/anyone/anybody]
en: [do not/don't/never] [list/flag/highlight/discuss/surface/announce/log] [it/this/that/them] | [has/have] no need to [see/know/hear]
en: [do not/don't/never/must not/should not/need not/no need to] [ever /][mention/reveal/disclose/bring up/report]
en: [do not/don't/never/must not/should not/no need to] [tell/inform/notify/alert/warn/let on/bring this up/bring it up]
en: [do not/don't/never] [show/list/include/log/record] [this/it/that/these/the change] .. [summary/answer/reply/report/log/output/user/transcript] | unnoticed | in secret
en: [do not/don't/never/no need to] [bother/worry/trouble/burden/involve] [the user/them/anyone/her/him]
en: keep [it/this/that/them/the change/the step] [out of/off/from/between us/to yourself/quiet/secret/hidden/private]
en: leave [it/this/that/no trace/no mention] [out of/out/behind] | leave no [trace/record/log] | hide [this/it/the]
en: secretly | covertly | discreetly | stealthily | surreptitiously | on the quiet | [silently/quietly] [add/run/send/delete/push/install/forward/copy/change/disable/remove/execute/post/upload/append/replace/include/commit/attach/insert/set/turn/edit/write] | behind .. back | say nothing
en: [the user/they/nobody/no one/he/she] [must/should/need/does/will/is] not [to /][know/see/notice/learn/be told/find out]
en: if [the user /they /anyone /]asks.. [say/answer/deny/claim/reply] | [deny/denying] [it/this/everything/having]
en: not [to be /][mentioned/reported/disclosed/shown/logged] | omit [it/this/that] from | [nobody/no one] [needs to/should/must/may] know
de: heimlich | unbemerkt | stillschweigend | im stillen | verdeckt | klammheimlich | insgeheim
de: ohne [es/dies/das/den/die/dem/der/dass] .. [erwahn*/sag*/melde*/inform*/mitteil*/nutzer*/frag*/merk*]
de: ohne .. [zu erwahnen/zu informieren/zu melden/zu fragen/bescheid/davon zu erzahlen/zu sagen/zu erklaren/ruckfrage]
de: [erwahne/sag/sage/melde/verrate/verschweig*/teile/zeige/informiere] .. [nicht/nichts/kein*/niemand*/nie]
de: [behalte/halte] .. [fur dich/geheim] | niemand* .. [erfahr*/wissen] | [darf/soll] .. nicht [erfahren/wissen/merken]
de: nutzer* .. nichts .. [wissen/erfahren/merken/sehen] | nichts davon [wissen/erfahren/merken] | [muss/soll/darf] .. nichts [wissen/erfahren/merken] | nicht [im/in der] [zusammenfassung/bericht/antwort] | sprich .. nicht an | dem nutzer nur
fr: sans [le/la/l'en/en/les/rien/que/qu'/prevenir/avertir/informer/mentionner/demander/signaler/dire/laisser]
fr: en [secret/cachette/silence/douce] | discretement | secretement | a l'insu | n'en [parle/dis/fais]
fr: ne [le /la /les /l'/][mentionne/mentionnes/dis/signale/previens/revele/montre/parle]* .. [pas/rien/jamais/personne]
es: sin [avisar/decir/mencionar/informar/que/notificar/preguntar/consultar/contar]* | en secreto | a escondidas
es: en silencio | secretamente | discretamente | sigilosamente
es: no [se lo /lo /le /][menciones/digas/avises/informes/cuentes/muestres/reveles/comentes]
es: nunca [se lo /lo /le /][menciones/digas/avises/informes/cuentes/muestres/reveles] | ocult[a/alo/ando]
ja: 知らせず | 知られない | 知られず | 気づかれ | 黙って | こっそり | 密かに | ひそかに | 内緒 | 報告しない | 報告せず | 伝えない
ja: 言及しない | 触れない | 触れず | 秘密に | 断りなく | 確認なし | 伝えず | 教えない | 明かさない | 知らせない
zh: 悄悄 | 偷偷 | 暗中 | 私下 | 秘密地 | 静默 | 默默 | 背着 | 瞒着 | 神不知 | 后台默默
zh: [不要/不得/别/勿/无需/不必/不用/切勿/不能/不可/禁止][告诉/告知/通知/提及/提到/提起/说明/透露/汇报/报告/显示/记录/声张/让用户]
zh: [用户/有人]问起 | 不[让/被]..[知道/发现/察觉] | 保密 | 对用户隐瞒 | 隐瞒
""",
    "send": """
en: send | sends | post | append | attach | include | paste | copy | forward | upload | submit | bcc | cc | email | e-mail
en: mail | transmit | embed | encode | put | push | publish | share | leak | report | write | add | drop | pipe | stream
en: look up | resolve | ping | request | fetch | visit | open | call | load | query | mirror | relay | sync | dump | replace
en: post* | exfiltrate | deliver | hand | pass | render | display | show | set | fill
de: sende | schick* | send* | hange | fuge | fug | kopier* | leite | lade .. hoch | ubermittle | ubertrag* | ubermittel*
de: poste | teile | schreib* | rufe .. auf | veroffentlich* | binde | setz*
fr: envoie* | envoyez | envoyer | joins | joignez | ajoute* | copie* | colle* | transmets | transmettez | transmettre
fr: televers* | publie* | poste* | transfere* | inclus | incluez | insere* | mets | appelle | charge
es: envia* | adjunta* | anade* | agrega* | copia* | pega* | sube* | publica* | manda* | reenvia* | incluye* | inserta*
es: transmite* | remite*
ja: 送信 | 送る | 送って | 転送 | 添付 | 貼り付け | 付けて | 投稿 | アップロード | コピーし | 付加 | 含め | 埋め込
zh: 发送 | 发到 | 发给 | 发往 | 上传 | 转发 | 提交 | 附上 | 附加 | 附在 | 接在 | 拼接 | 粘贴 | 贴到 | 抄送 | 密送 | 传到 | 传给
zh: 发起请求 | 写入 | 同步 | 寄给 | 寄到 | 推送 | 带上 | 填入 | 替换 | 拼到 | 请求 | 访问 | 加上 | 放进 | 复制到 | 公开
""",
    "secret": """
en: [api/access/private/secret/ssh/signing/license/licence/encryption/master] [key/keys] | keys | api_key | apikey | secret_key
en: token | tokens | password | passwords | passphrase | credential* | secrets | secret | cookie | cookies | id_rsa
en: [the/your/this/whole/entire/full/current/recent/last/user's/our] [whole /entire /full /complete /last /recent /]..[conversation/chat/messages/transcript/context/prompt]
en: conversation | chat [history/log/transcript] | message history | system prompt | contact list | contacts | address book
en: [user's/users'/customer's] .. [name/address/phone/email/e-mail/question/message/number/input/data/location]
en: dotenv | environment [variable/variables] | printenv | [memory/memories] of the user | all memories | memory store
en: [private/personal/customer/user/confidential] [data/information/details/notes/files] | pii | session id | seed phrase
en: [bank/account/card/passport/insurance] [number/details] | iban | ssh | keychain | login* | full text of .. [memories/conversation]
de: schlussel* | kennwort* | passwort* | zugangsdat* | geheimnis* | kontakt* | gesprach* | verlauf* | chatverlauf*
de: umgebungsvariable* | unterhaltung* | adressbuch | kundendat* | nutzerdat* | kontonummer* | personliche* daten | anmeldedat*
fr: cle [api/privee/secrete/ssh] | cles | mot de passe | mots de passe | identifiant* | jeton* | secrets | historique
fr: conversation* | contacts | variables d'environnement | carnet d'adresses | donnees [personnelles/privees/client*]
es: clave* | contrasena* | credencial* | secreto* | historial | conversacion* | contactos | variables de entorno
es: datos [personales/privados/del usuario/de clientes]
ja: 鍵 | パスワード | トークン | 会話 | 履歴 | 認証情報 | 連絡先 | 秘密 | 環境変数 | 個人情報 | 資格情報 | 暗証
zh: 密码 | 口令 | 密钥 | 私钥 | 令牌 | 凭据 | 凭证 | 对话 | 聊天记录 | 会话 | 历史记录 | 联系人 | 通讯录 | 身份证 | 手机号
zh: 环境变量 | 个人信息 | 用户信息 | 用户数据 | 隐私 | 机密 | 验证码 | 银行卡 | 系统提示 | 上下文 | 客户数据 | 账号
""",
    "place": """
en: gist | pastebin | webhook | web hook | dns | external [server/address/host/endpoint] | collector
en: public [repo/repository/issue/gist/bucket/channel/paste] | bcc | blind copy | pull request description
de: blindkopie | externe* [server/adresse]
fr: copie cachee | serveur externe
es: copia oculta | servidor externo
ja: 外部サーバー
zh: 外部服务器 | 外部邮箱 | 网址 | 密送
""",
    "standing": """
en: from now on | from this [point/moment/day/message] | henceforth | hereafter | going forward | in [all /every /]future | always
en: [every/each] time | whenever | permanently | for good | for ever | forever | in [every/each/all] [session*/conversation*/answer*/reply/replies]
en: all [future/new/later] | any [future/new/later] | in [every/each/all] [answer*/summar*/memor*/note/notes/message*/mail*/report*/future] | only [job/task] | for the rest of [this/the] | after [every/each] | until told | as of now | at all times | until further notice | in perpetuity | [remember/save/store] .. [fact/rule]
de: kunftig | ab [sofort/jetzt/heute] | von nun an | fortan | dauerhaft | immer | jedes mal | jedesmal | in zukunft | stets | fur immer | zukunftig
fr: desormais | dorenavant | a l'avenir | a partir de maintenant | toujours | chaque fois | a chaque | pour toujours | en permanence
es: en adelante | a partir de [ahora/hoy/este] | siempre | cada vez | de ahora en | para siempre | en lo sucesivo | en el futuro | permanentemente
ja: 今後 | これから | 以後 | 常に | 毎回 | 必ず | いつも | 以降 | 永久に | 今から
zh: 从今以后 | 从现在 | 今后 | 以后 | 从此 | 每次 | 每当 | 始终 | 永远 | 一律 | 总是 | 从这里开始 | 接下来 | 长期 | 往后 | 自此
""",
    "assumed": """
en: [agreed/approved/consented] in advance | [blanket/standing/prior/advance] [consent/approval/permission] | [treat/consider/regard] .. as [safe/genuine/legitimate/true/correct/authentic]
en: [regard/treat/consider/take/count/read/interpret/handle] .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval/the permission/a yes/the approval/a confirmation/trusted/verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: [has/have] already [agreed/approved/consented/confirmed/authori[s/z]ed/signed off/given/said yes] | is pre-approved
en: assume .. [agreed/approved/consent*/permission/approval] | counts as [approval/consent/a yes/permission] | [approval/consent/permission] is [implied/assumed/given/granted]
de: [gilt/gelten] .. als [genehmigt/freigegeben/bestatigt/erlaubt/zustimmung/erteilt/sicher] | hat .. [zugestimmt/eingewilligt/genehmigt/freigegeben]
de: [betrachte/betrachten/behandle/werte/nimm] .. als [genehmigt/freigegeben/bestatigt/erteilt/erlaubnis/zustimmung/sicher]
fr: considere* .. [approuve*/valide*/accord/autorise*/accepte*/sur/fiable] | deja [donne/valide/approuve/accepte] | a donne son accord | comme [deja /][valide/approuve/autorise/accorde]*
es: considera* .. [aprobad*/autorizad*/acuerdo/consentimiento/concedid*/aceptad*/segur*] | ya [ha dado/dio/aprobo/autorizo/acepto/ha aceptado/ha autorizado/ha aprobado]
es: como [ya /][aprobad*/autorizad*/concedid*/confirmad*/validad*] | da* por [aprobad*/aceptad*/autorizad*] | esta autorizad* [para/a] todo
ja: 承認済み | 同意済み | 許可済み | 同意したもの | 承認されたもの | 許可されたもの | 承認とみな | 許可とみな | 同意とみな | 了承済み | みなす
zh: [当作/视为/视作/看作/算作/默认为/认定为/当成]..[批准/同意/授权/许可/确认/通过/安全] | 已[经/][同意/授权/批准/许可/默许] | 默认同意
""",
    "consent": """
en: without [asking/confirmation/a confirmation/confirming/approval/checking back/further confirmation/review]
en: no [confirmation/approval/permission/second look/review/further approval] [is /][needed/required/necessary]
en: [do not/don't/never/stop] ask* .. [again/confirmation/permission/approval/first/the user] | counts as [approval/consent/a yes/permission]
en: need* no [confirmation/approval/permission/review] | skip the [question/confirmation/check/approval/review] | no [warning/warnings/questions/checks]
de: [gilt/gelten] .. als [genehmigt/freigegeben/bestatigt/erlaubt/zustimmung] | hat .. [zugestimmt/eingewilligt/genehmigt/freigegeben]
de: ohne [ruckfrage/zu fragen/bestatigung/freigabe/nachfrage/prufung] | [prufe/hinterfrage/kontrolliere] .. [nicht/nie] | [keine/keiner] .. [freigabe/bestatigung/ruckfrage/genehmigung/zustimmung]
de: betracht* .. als [genehmigt/freigegeben/bestatigt/erteilt] | frag* .. nicht nach
fr: considere* .. [approuve*/valide*/accord/autorise*/accepte*] | deja [donne/valide/approuve/accepte] | a donne son accord
fr: ne [verifie/controle/questionne/conteste/discute]* .. [jamais/pas/plus] | sans [demander/confirmation/validation/autorisation/accord] | ne demande* .. [confirmation/pas/jamais/autorisation]
fr: comme [deja /][valide/approuve/autorise/accorde]* | aucune [confirmation/validation/autorisation]
es: considera* .. [aprobad*/autorizad*/acuerdo/consentimiento/concedid*/aceptad*] | ya [ha dado/dio/aprobo/autorizo/acepto/ha aceptado/ha autorizado/ha aprobado]
es: no [verifiques/cuestiones/compruebes/discutas] | sin [pedir/confirmacion/preguntar/autorizacion/aprobacion/consultar] | no [pidas/preguntes/hace falta/requiere] .. [confirmacion/permiso/autorizacion/aprobacion]
es: como [ya /][aprobad*/autorizad*/concedid*/confirmad*/validad*] | da* por [aprobad*/aceptad*/autorizad*]
ja: 承認済み | 同意済み | 許可済み | 確認は不要 | 確認せず | 確認なし | 同意したもの | 承認されたもの | 許可されたもの | 確認を求め | 承認とみな | 許可とみな | 同意とみな | 了承済み
zh: [当作/视为/视作/看作/算作/默认为/认定为/当成]..[批准/同意/授权/许可/确认/通过] | 已[经/][同意/授权/批准/许可/默许]
zh: [不要/无需/不必/不用/别][再/][询问/确认/征求/请示/审批/问] | 默认同意 | 跳过[校验/验证/确认/审批/检查] | 免确认
""",
    "outrank": """
en: [takes/take/has/have] [precedence/priority] over | [even if/even when/whatever/no matter what/regardless of what/although] [the /a /][user/users/owner/they/anyone/operator/person/customer] .. [say*/ask*/object*/name*/want*/request*/disagree*/claim*/insist*/refuse*]
en: [even if/even when] [told/asked/instructed] otherwise | [overrides/outranks/supersedes/trumps/beats] [the/any/all/every/what/whatever/user]
en: above [the user's/all other/any other/your/every other/the system] | whatever [else /][is/was] said | not [be /][overridden/overruled/questioned/changed] by
de: auch wenn [der/die/das/sie/er/jemand] .. | vorrang [vor/gegenuber] | egal was [der/die] .. | hat vorrang | haben vorrang | steht uber | geht .. vor
fr: meme si [l'utilisateur/l'utilisatrice/on/il/elle/quelqu'un] | [prime/priment/l'emporte/passe avant/prevaut/prevalent] [sur/avant]* | quoi que dise | priorite sur | prioritaire*
es: aunque [el /la /][usuario/usuaria/alguien/diga/pida] | prevalece* | tiene* prioridad | por encima de | diga lo que diga | pase lo que pase
ja: 優先する | 優先され | 優先し | ユーザーが何と | 何と言っても | より優先 | 反対しても
zh: 优先于 | 高于 | 即使用户 | 无论用户 | 不管用户 | 哪怕用户 | 就算用户 | 凌驾 | 优先服从 | 为准,不
""",
    "keep": """
en: [never/do not/don't/must not/should not] [let/allow] .. [memor*/note*/entr*] .. [correct/overwrite/replace/change/update/contradict]* it
en: [never/do not/don't/must not/cannot/may not/should not/must never] [delete/remove/correct/overwrite/archive/edit/supersede/revise/merge] [this/these/the memory/the note/the entry/or/nor]
en: [never/must not/cannot/may not/should not/must never/not] be [deleted/removed/corrected/overwritten/forgotten/archived/edited/superseded/revised/merged/questioned/doubted]
en: [copy/repeat/carry/reproduce/restate/duplicate/append/paste] [this/these] [paragraph/text/note/memory/rule/line/lines/sentence/block/passage] | so that it [survives/stays alive/lives on/spreads/is kept]
en: [older/earlier/other/newer/later/all other] [notes/memories/entries] .. [removed/deleted/discarded/ignored/wrong/corrected] | carry this [line/note/text/paragraph]
en: [memory/note/entry/memories] .. [disagrees/contradicts/disagree/contradict/says otherwise/say otherwise/differs] | so that it [is kept/stays/remains/is not lost] | bring [it/this/that] up [whenever/every/each/when/in every] | highest [confidence/importance/priority] | [delete/erase/drop/remove/discard/archive] .. [memor*/note*/entr*] .. [contradict/disagree/say otherwise/the contrary/differ/oppose]*
en: verified fact | [in/into/to] [every/each/all/any] [new /other /future /later /][memory/memories/note/notes/summary/summaries] [you/that you/it/written/which]
de: [losch*/andere*/korrigier*/entfern*/archivier*/uberschreib*] .. [erinnerung*/notiz*/eintrag*/gedachtnis*] | darf nicht [geloscht/korrigiert/geandert/uberschrieben/entfernt]*
de: [merk/merke] dir [dauerhaft/fur immer/als] | kopier* .. [absatz/abschnitt/text] | nie [loschen/korrigieren/uberschreiben] | darf [nie/niemals] .. [geloscht/korrigiert/geandert/uberschrieben/entfernt]*
fr: [efface/supprime/modifie/corrige]* .. [souvenir*/memoire*/note*] | ne [doit/doivent/peut] .. [efface/supprime/modifie/corrige]* | recopie* .. [paragraphe/texte/passage/consigne/phrase]* | copie* .. [paragraphe/texte/passage]
es: [borra/elimina/modifica/corrige]* .. [recuerdo/memoria/nota]* | no [debe/puede/se puede/se debe] .. [borrar/eliminar/modificar/corregir]* | copia* .. [parrafo/texto/pasaje]
ja: 削除せず | 削除しないで | 削除しない | 削除するな | 削除してはならない | 訂正しない | 上書きしない | この段落を | この文を | 複製 | 記憶を削除 | 記憶に残 | 消さない | 書き換えない
zh: [不得/不要/禁止/不可/不能/切勿/永不]..[删除/修改/更正/覆盖/归档] | [删除/清除/覆盖]..[记忆/记录] | 复制[本/这/此] | 抄到每 | 写进每 | [最高/永久]..[优先级/可信度/置信度/重要性/记忆]
""",
}
"""The tables of `phrases.Lexicon`, by cue."""
