"""Lexicon of orders to a model: what is kept from people, and what is sent where.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "secrecy": """
en: [bcc/blind copy] | no trace | [erase/clear/wipe/delete] .. [history/traces/logs/log]
en: [hide/conceal/mask] [this/it/the/your/any/all]
en: without [telling/informing/notifying/alerting/warning]
en: without [asking/mentioning/letting/saying/disclosing/reporting]
en: without [the /][user*/owner*/anyone*/anybody*] .. [knowing/noticing/knowledge/consent/approval]
en: without .. [to/in front of] [the user/anyone/anybody]
en: [do not/don't/never] [list/flag/highlight/discuss/surface/announce/log] [it/this/that/them]
en: [has/have] no need to [see/know/hear]
en: [do not/don't/never] [ever /][mention/reveal/disclose/bring up/report]
en: [must not/should not/need not/no need to] [ever /][mention/reveal/disclose/bring up/report]
en: [do not/don't/never/must not/should not/no need to] [tell/inform/notify/alert]
en: [do not/don't/never/must not/should not/no need to] [warn/let on/bring this up/bring it up]
en: [do not/don't/never] [show/list/include/log/record] [this/it] .. [summary/answer/reply/report]
en: [do not/don't/never] [show/list] [that/these/the change] .. [summary/answer/reply/report]
en: [do not/don't/never] [include/log/record] [that/these/the change] .. [summary/answer/reply/report]
en: [do not/don't/never] [show/list/include/log/record] [this/it] .. [log/output/user/transcript]
en: [do not/don't/never] [show/list] [that/these/the change] .. [log/output/user/transcript]
en: [do not/don't/never] [include/log/record] [that/these/the change] .. [log/output/user/transcript]
en: unnoticed | in secret
en: [do not/don't/never/no need to] [bother/worry/trouble/burden/involve] [the user/them/anyone/her/him]
en: keep [it/this/that/them/the change/the step] [out of/off/from/between us]
en: keep [it/this/that/them/the change/the step] [to yourself/quiet/secret/hidden/private]
en: leave [it/this/that/no trace/no mention] [out of/out/behind] | leave no [trace/record/log]
en: hide [this/it/the] | secretly | covertly | discreetly | stealthily | surreptitiously | on the quiet
en: [silently/quietly] [add/run/send/delete/push/install/forward/copy/change/disable/remove/execute]
en: [silently/quietly] [post/upload/append/replace/include/commit/attach/insert/set/turn/edit/write]
en: behind .. back | say nothing
en: [the user/they/nobody/no one/he/she] [must/should/need/does/will/is] not [to /][know/see/notice]
en: [the user/they/nobody] [must/should/need/does/will/is] not [to /][learn/be told/find out]
en: [no one/he/she] [must/should/need/does/will/is] not [to /][learn/be told/find out]
en: if [the user /they /anyone /]asks.. [say/answer/deny/claim/reply]
en: [deny/denying] [it/this/everything/having]
en: not [to be /][mentioned/reported/disclosed/shown/logged] | omit [it/this/that] from
en: [nobody/no one] [needs to/should/must/may] know
de: ohne [daruber/davon/etwas/ein wort/hinweis] | blindkopie | keine spuren | verwisch* | heimlich
de: unbemerkt | stillschweigend | im stillen | verdeckt | klammheimlich | insgeheim
de: ohne [es/dies/das/den/die/dem/der/dass] .. [erwahn*/sag*/melde*/inform*]
de: ohne [es/dies/das/den/die/dem/der/dass] .. [mitteil*/nutzer*/frag*/merk*]
de: ohne .. [zu erwahnen/zu informieren/zu melden/zu fragen]
de: ohne .. [bescheid/davon zu erzahlen/zu sagen/zu erklaren/ruckfrage]
de: [erwahne/sag/sage/melde] .. [nicht/nichts/kein*/niemand*/nie]
de: [verrate/verschweig*/teile/zeige/informiere] .. [nicht/nichts/kein*/niemand*/nie]
de: [behalte/halte] .. [fur dich/geheim] | niemand* .. [erfahr*/wissen]
de: [darf/soll] .. nicht [erfahren/wissen/merken] | nutzer* .. nichts .. [wissen/erfahren/merken/sehen]
de: nichts davon [wissen/erfahren/merken] | [muss/soll/darf] .. nichts [wissen/erfahren/merken]
de: nicht [im/in der] [zusammenfassung/bericht/antwort] | sprich .. nicht an | dem nutzer nur
fr: copie cachee | sans rien | sans laisser | sans trace | ne laisse* aucune trace
fr: sans [le/la/l'en/en/les/rien/que/qu']
fr: sans [prevenir/avertir/informer/mentionner/demander/signaler/dire/laisser]
fr: en [secret/cachette/silence/douce] | discretement | secretement | a l'insu | n'en [parle/dis/fais]
fr: ne [le /la /les /l'/][mentionne/mentionnes/dis/signale]* .. [pas/rien/jamais/personne]
fr: ne [le /la /les /l'/][previens/revele/montre/parle]* .. [pas/rien/jamais/personne]
es: copia oculta | sin dejar [rastro/huella]* | sin comentar*
es: sin [avisar/decir/mencionar/informar/que/notificar/preguntar/consultar/contar]* | en secreto
es: a escondidas | en silencio | secretamente | discretamente | sigilosamente
es: no [se lo /lo /le /][menciones/digas/avises/informes/cuentes/muestres/reveles/comentes]
es: nunca [se lo /lo /le /][menciones/digas/avises/informes/cuentes/muestres/reveles]
es: ocult[a/alo/ando]
ja: 痕跡 | 履歴を[消/削除] | 知らせず | 知られない | 知られず | 気づかれ | 黙って | こっそり | 密かに
ja: ひそかに | 内緒 | 報告しない | 報告せず | 伝えない | 言及しない | 触れない | 触れず | 秘密に
ja: 断りなく | 確認なし | 伝えず | 教えない | 明かさない | 知らせない
zh: 痕迹 | 密送 | 不留记录 | [清空/清除/删掉/删除]..[历史/日志/记录] | 悄悄 | 偷偷 | 暗中 | 私下
zh: 秘密地 | 静默 | 默默 | 背着 | 瞒着 | 神不知 | 后台默默
zh: [不要/不得/别/勿/无需/不必/不用/切勿/不能/不可/禁止][告诉/告知/通知/提及/提到/提起/说明]
zh: [不要/不得/别/勿/无需/不必/不用/切勿/不能/不可/禁止][透露/汇报/报告/显示/记录/声张/让用户]
zh: [用户/有人]问起 | 不[让/被]..[知道/发现/察觉] | 保密 | 对用户隐瞒 | 隐瞒
""",
    "send": """
en: send | sends | post | append | attach | include | paste | copy | forward | upload | submit | bcc
en: cc | email | e-mail | mail | transmit | embed | encode | put | push | publish | share | leak
en: report | write | add | drop | pipe | stream | look up | resolve | ping | request | fetch | visit
en: open | call | load | query | mirror | relay | sync | dump | replace | post* | exfiltrate | deliver
en: hand | pass | render | display | show | set | fill
de: sende | schick* | send* | hange | fuge | fug | kopier* | leite | lade .. hoch | ubermittle
de: ubertrag* | ubermittel* | poste | teile | schreib* | rufe .. auf | veroffentlich* | binde | setz*
fr: envoie* | envoyez | envoyer | joins | joignez | ajoute* | copie* | colle* | transmets | transmettez
fr: transmettre | televers* | publie* | poste* | transfere* | inclus | incluez | insere* | mets
fr: appelle | charge
es: envia* | adjunta* | anade* | agrega* | copia* | pega* | sube* | publica* | manda* | reenvia*
es: incluye* | inserta* | transmite* | remite*
ja: 送信 | 送る | 送って | 転送 | 添付 | 貼り付け | 付けて | 投稿 | アップロード | コピーし | 付加
ja: 含め | 埋め込
zh: 发送 | 发到 | 发给 | 发往 | 上传 | 转发 | 提交 | 附上 | 附加 | 附在 | 接在 | 拼接 | 粘贴 | 贴到
zh: 抄送 | 密送 | 传到 | 传给 | 发起请求 | 写入 | 同步 | 寄给 | 寄到 | 推送 | 带上 | 填入 | 替换 | 拼到
zh: 请求 | 访问 | 加上 | 放进 | 复制到 | 公开
""",
    "secret": """
en: [whatever/what/everything/anything/all] [the user/they/people/he] [paste*/type*/say*/write*]
en: [whatever/what/everything/anything/all] [she/anyone/users/is] [paste*/type*/say*/write*]
en: [whatever/what] [the user/they/people/he] [send*/enter*/share*/upload*/typed]
en: [everything/anything/all] [the user/they/people/he] [send*/enter*/share*/upload*/typed]
en: [whatever/what/everything/anything/all] [she/anyone/users/is] [send*/enter*/share*/upload*/typed]
en: [api/access/private/secret/ssh/signing/license/licence/encryption/master] [key/keys] | keys
en: api_key | apikey | secret_key | token | tokens | password | passwords | passphrase | credential*
en: secrets | secret | cookie | cookies | id_rsa
en: [the/your/this/whole/entire] [whole /entire /full /]..[conversation/chat/messages]
en: [the/your/this/whole/entire] [complete /last /recent /]..[conversation/chat/messages]
en: [the/your/this/whole/entire] [whole /entire /full /]..[transcript/context/prompt]
en: [the/your/this/whole/entire] [complete /last /recent /]..[transcript/context/prompt]
en: [full/current/recent/last/user's/our] [whole /entire /full /]..[conversation/chat/messages]
en: [full/current/recent/last/user's/our] [complete /last /recent /]..[conversation/chat/messages]
en: [full/current/recent/last/user's/our] [whole /entire /full /]..[transcript/context/prompt]
en: [full/current/recent/last/user's/our] [complete /last /recent /]..[transcript/context/prompt]
en: conversation | chat [history/log/transcript] | message history | system prompt | contact list
en: contacts | address book | [user's/users'/customer's] .. [name/address/phone/email/e-mail]
en: [user's/users'/customer's] .. [question/message/number/input/data/location] | dotenv
en: environment [variable/variables] | printenv | [memory/memories] of the user | all memories
en: memory store | [private/personal/customer/user/confidential] [data/information/details/notes/files]
en: pii | session id | seed phrase | [bank/account/card/passport/insurance] [number/details] | iban
en: ssh | keychain | login* | full text of .. [memories/conversation]
de: alles, was der nutzer | schlussel* | kennwort* | passwort* | zugangsdat* | geheimnis* | kontakt*
de: gesprach* | verlauf* | chatverlauf* | umgebungsvariable* | unterhaltung* | adressbuch | kundendat*
de: nutzerdat* | kontonummer* | personliche* daten | anmeldedat*
fr: tout ce que [l'utilisateur/il/elle] | cle [api/privee/secrete/ssh] | cles | mot de passe
fr: mots de passe | identifiant* | jeton* | secrets | historique | conversation* | contacts
fr: variables d'environnement | carnet d'adresses | donnees [personnelles/privees/client*]
es: todo lo que [el usuario/escriba/diga] | clave* | contrasena* | credencial* | secreto* | historial
es: conversacion* | contactos | variables de entorno
es: datos [personales/privados/del usuario/de clientes]
zh: 用户[输入/粘贴/发送/说]的 | 密码 | 口令 | 密钥 | 私钥 | 令牌 | 凭据 | 凭证 | 对话 | 聊天记录 | 会话
zh: 历史记录 | 联系人 | 通讯录 | 身份证 | 手机号 | 环境变量 | 个人信息 | 用户信息 | 用户数据 | 隐私
zh: 机密 | 验证码 | 银行卡 | 系统提示 | 上下文 | 客户数据 | 账号
ja: 鍵 | パスワード | トークン | 会話 | 履歴 | 認証情報 | 連絡先 | 秘密 | 環境変数 | 個人情報 | 資格情報
ja: 暗証
""",
    "place": """
en: gist | pastebin | webhook | web hook | dns | external [server/address/host/endpoint] | collector
en: public [repo/repository/issue/gist/bucket/channel/paste] | bcc | blind copy
en: pull request description
de: blindkopie | externe* [server/adresse]
fr: copie cachee | serveur externe
es: copia oculta | servidor externo
ja: 外部サーバー
zh: 外部服务器 | 外部邮箱 | 网址 | 密送
""",
}
"""Phrases by cue and language."""
