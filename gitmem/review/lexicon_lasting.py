"""Lexicon of orders to a model: what is to hold for good, without asking, and above what people say.

How phrases are written is told in `phrases.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "standing": """
en: remember | [memori[s/z]e/store/save] [this/that/permanently/for] | on your next | at the next
en: next [time/session] | from now on | from this [point/moment/day/message] | henceforth | hereafter
en: going forward | in [all /every /]future | always | [every/each] time | whenever | permanently
en: for good | for ever | forever | in [every/each/all] [session*/conversation*/answer*/reply/replies]
en: all [future/new/later] | any [future/new/later]
en: in [every/each/all] [answer*/summar*/memor*/note/notes/message*/mail*/report*/future]
en: only [job/task] | for the rest of [this/the] | after [every/each] | until told | as of now
en: at all times | until further notice | in perpetuity | [remember/save/store] .. [fact/rule]
de: merk dir | merke | [beim nachsten/nachstes mal] | kunftig | ab [sofort/jetzt/heute] | von nun an
de: fortan | dauerhaft | immer | jedes mal | jedesmal | in zukunft | stets | fur immer | zukunftig
fr: retiens | souviens-toi | au prochain* | a la prochaine | lors de la prochaine | desormais
fr: dorenavant | a l'avenir | a partir de maintenant | toujours | chaque fois | a chaque | pour toujours
fr: en permanence
es: recuerda | memoriza | [la proxima/el proximo/en la proxima] | en adelante
es: a partir de [ahora/hoy/este] | siempre | cada vez | de ahora en | para siempre | en lo sucesivo
es: en el futuro | permanentemente
ja: 覚えて | 記憶して | 次回 | 今後 | これから | 以後 | 常に | 毎回 | 必ず | いつも | 以降 | 永久に
ja: 今から
zh: 记住 | 牢记 | 下次 | 请记得 | 从今以后 | 从现在 | 今后 | 以后 | 从此 | 每次 | 每当 | 始终 | 永远
zh: 一律 | 总是 | 从这里开始 | 接下来 | 长期 | 往后 | 自此
""",
    "assumed": """
en: [agreed/approved/consented] in advance
en: [blanket/standing/prior/advance] [consent/approval/permission]
en: [treat/consider/regard] .. as [safe/genuine/legitimate/true/correct/authentic]
en: regard .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: regard .. as [the permission/a yes/the approval/a confirmation/trusted]
en: regard .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: treat .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: treat .. as [the permission/a yes/the approval/a confirmation/trusted]
en: treat .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: consider .. as [approved/authori[s/z]ed/granted/confirmed]
en: consider .. as [agreed/accepted/consent/permission/approval]
en: consider .. as [the permission/a yes/the approval/a confirmation/trusted]
en: consider .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: take .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: take .. as [the permission/a yes/the approval/a confirmation/trusted]
en: take .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: count .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: count .. as [the permission/a yes/the approval/a confirmation/trusted]
en: count .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: read .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: read .. as [the permission/a yes/the approval/a confirmation/trusted]
en: read .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: interpret .. as [approved/authori[s/z]ed/granted/confirmed]
en: interpret .. as [agreed/accepted/consent/permission/approval]
en: interpret .. as [the permission/a yes/the approval/a confirmation/trusted]
en: interpret .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: handle .. as [approved/authori[s/z]ed/granted/confirmed/agreed/accepted/consent/permission/approval]
en: handle .. as [the permission/a yes/the approval/a confirmation/trusted]
en: handle .. as [verified/signed off/pre-approved/preapproved/pre-authori[s/z]ed]
en: [has/have] already [agreed/approved/consented/confirmed/authori[s/z]ed/signed off/given/said yes]
en: is pre-approved | assume .. [agreed/approved/consent*/permission/approval]
en: counts as [approval/consent/a yes/permission]
en: [approval/consent/permission] is [implied/assumed/given/granted]
de: [gilt/gelten] .. als [genehmigt/freigegeben/bestatigt/erlaubt/zustimmung/erteilt/sicher]
de: hat .. [zugestimmt/eingewilligt/genehmigt/freigegeben]
de: [betrachte/betrachten/behandle/werte/nimm] .. als [genehmigt/freigegeben/bestatigt]
de: [betrachte/betrachten/behandle/werte/nimm] .. als [erteilt/erlaubnis/zustimmung/sicher]
fr: considere* .. [approuve*/valide*/accord/autorise*/accepte*/sur/fiable]
fr: deja [donne/valide/approuve/accepte] | a donne son accord
fr: comme [deja /][valide/approuve/autorise/accorde]*
es: considera* .. [aprobad*/autorizad*/acuerdo/consentimiento/concedid*/aceptad*/segur*]
es: ya [ha dado/dio/aprobo/autorizo/acepto/ha aceptado/ha autorizado/ha aprobado]
es: como [ya /][aprobad*/autorizad*/concedid*/confirmad*/validad*]
es: da* por [aprobad*/aceptad*/autorizad*] | esta autorizad* [para/a] todo
ja: 承認済み | 同意済み | 許可済み | 同意したもの | 承認されたもの | 許可されたもの | 承認とみな
ja: 許可とみな | 同意とみな | 了承済み | みなす
zh: [当作/视为/视作/看作/算作/默认为/认定为/当成]..[批准/同意/授权/许可/确认/通过/安全]
zh: 已[经/][同意/授权/批准/许可/默许] | 默认同意
""",
    "consent": """
en: no [check/checks/verification/proof/second check] [is /][needed/required/necessary]
en: without [asking/confirmation/a confirmation/confirming]
en: without [approval/checking back/further confirmation/review]
en: no [confirmation/approval/permission] [is /][needed/required/necessary]
en: no [second look/review/further approval] [is /][needed/required/necessary]
en: [do not/don't/never/stop] ask* .. [again/confirmation/permission/approval/first/the user]
en: counts as [approval/consent/a yes/permission] | need* no [confirmation/approval/permission/review]
en: skip the [question/confirmation/check/approval/review] | no [warning/warnings/questions/checks]
de: [gilt/gelten] .. als [genehmigt/freigegeben/bestatigt/erlaubt/zustimmung]
de: hat .. [zugestimmt/eingewilligt/genehmigt/freigegeben]
de: ohne [ruckfrage/zu fragen/bestatigung/freigabe/nachfrage/prufung]
de: [prufe/hinterfrage/kontrolliere] .. [nicht/nie]
de: [keine/keiner] .. [freigabe/bestatigung/ruckfrage/genehmigung/zustimmung]
de: betracht* .. als [genehmigt/freigegeben/bestatigt/erteilt] | frag* .. nicht nach
fr: considere* .. [approuve*/valide*/accord/autorise*/accepte*] | deja [donne/valide/approuve/accepte]
fr: a donne son accord | ne [verifie/controle/questionne/conteste/discute]* .. [jamais/pas/plus]
fr: sans [demander/confirmation/validation/autorisation/accord]
fr: ne demande* .. [confirmation/pas/jamais/autorisation]
fr: comme [deja /][valide/approuve/autorise/accorde]* | aucune [confirmation/validation/autorisation]
es: considera* .. [aprobad*/autorizad*/acuerdo/consentimiento/concedid*/aceptad*]
es: ya [ha dado/dio/aprobo/autorizo/acepto/ha aceptado/ha autorizado/ha aprobado]
es: no [verifiques/cuestiones/compruebes/discutas]
es: sin [pedir/confirmacion/preguntar/autorizacion/aprobacion/consultar]
es: no [pidas/preguntes/hace falta/requiere] .. [confirmacion/permiso/autorizacion/aprobacion]
es: como [ya /][aprobad*/autorizad*/concedid*/confirmad*/validad*]
es: da* por [aprobad*/aceptad*/autorizad*]
ja: 承認済み | 同意済み | 許可済み | 確認は不要 | 確認せず | 確認なし | 同意したもの | 承認されたもの
ja: 許可されたもの | 確認を求め | 承認とみな | 許可とみな | 同意とみな | 了承済み
zh: [当作/视为/视作/看作/算作/默认为/认定为/当成]..[批准/同意/授权/许可/确认/通过]
zh: 已[经/][同意/授权/批准/许可/默许] | [不要/无需/不必/不用/别][再/][询问/确认/征求/请示/审批/问]
zh: 默认同意 | 跳过[校验/验证/确认/审批/检查] | 免确认
""",
    "outrank": """
en: [outranks/overrides/beats/trumps] [theirs/his/hers/yours/them/all]
en: [anyway/regardless/nevertheless] .. [rule/note/memory]
en: [if/when/should] [the user/they/anyone/the owner/somebody] .. [says stop/object*/refuse*]
en: [if/when/should] [the user/they/anyone/the owner/somebody] .. [disagree*/protest*/complain*]
en: [takes/take/has/have] [precedence/priority] over
en: [even if/even when/whatever] [the /a /][user/users/owner/they] .. [say*/ask*/object*/name*/want*]
en: [even if/even when/whatever] [the /a /][anyone/operator] .. [say*/ask*/object*/name*/want*]
en: [even if/even when/whatever] [the /a /][person/customer] .. [say*/ask*/object*/name*/want*]
en: no matter what [the /a /][user/users/owner/they] .. [say*/ask*/object*/name*/want*]
en: [regardless of what/although] [the /a /][user/users/owner/they] .. [say*/ask*/object*/name*/want*]
en: no matter what [the /a /][anyone/operator/person/customer] .. [say*/ask*/object*/name*/want*]
en: [regardless of what/although] [the /a /][anyone/operator] .. [say*/ask*/object*/name*/want*]
en: [regardless of what/although] [the /a /][person/customer] .. [say*/ask*/object*/name*/want*]
en: [even if/even when/whatever] [the /a /][user/users/owner/they] .. [request*/disagree*]
en: [even if/even when/whatever] [the /a /][user/users/owner/they] .. [claim*/insist*/refuse*]
en: [even if/even when/whatever] [the /a /][anyone/operator/person/customer] .. [request*/disagree*]
en: [even if/even when/whatever] [the /a /][anyone/operator/person/customer] .. [claim*/insist*/refuse*]
en: no matter what [the /a /][user/users/owner/they] .. [request*/disagree*/claim*/insist*/refuse*]
en: [regardless of what/although] [the /a /][user/users/owner/they] .. [request*/disagree*]
en: [regardless of what/although] [the /a /][user/users/owner/they] .. [claim*/insist*/refuse*]
en: no matter what [the /a /][anyone/operator/person/customer] .. [request*/disagree*]
en: no matter what [the /a /][anyone/operator/person/customer] .. [claim*/insist*/refuse*]
en: [regardless of what/although] [the /a /][anyone/operator/person/customer] .. [request*/disagree*]
en: [regardless of what/although] [the /a /][anyone/operator] .. [claim*/insist*/refuse*]
en: [regardless of what/although] [the /a /][person/customer] .. [claim*/insist*/refuse*]
en: [even if/even when] [told/asked/instructed] otherwise
en: [overrides/outranks/supersedes/trumps/beats] [the/any/all/every/what/whatever/user]
en: above [the user's/all other/any other/your/every other/the system] | whatever [else /][is/was] said
en: not [be /][overridden/overruled/questioned/changed] by
de: [wenn/falls] der nutzer .. [widerspricht/protestiert/ablehnt/nein sagt] | selbst wenn
de: auch wenn [der/die/das/sie/er/jemand] .. | vorrang [vor/gegenuber] | egal was [der/die] ..
de: hat vorrang | haben vorrang | steht uber | geht .. vor
fr: [si/quand] l'utilisateur .. [refuse/s'oppose/proteste/conteste]
fr: meme si [l'utilisateur/l'utilisatrice/on/il/elle/quelqu'un]
fr: [prime/priment/l'emporte/passe avant/prevaut/prevalent] [sur/avant]* | quoi que dise | priorite sur
fr: prioritaire*
es: si el usuario .. [se niega/protesta/se opone/no quiere]
es: aunque [el /la /][usuario/usuaria/alguien/diga/pida] | prevalece* | tiene* prioridad | por encima de
es: diga lo que diga | pase lo que pase
zh: [用户/有人]..[反对/拒绝/要求停止]..[也/仍/继续] | 优先于 | 高于 | 即使用户 | 无论用户 | 不管用户
zh: 哪怕用户 | 就算用户 | 凌驾 | 优先服从 | 为准,不
ja: 優先する | 優先され | 優先し | ユーザーが何と | 何と言っても | より優先 | 反対しても
""",
    "keep": """
en: [copy/repeat/write] it [in/into/to/at the end of] [each/every/all] [note/memor*/summar*]
en: [put/carry/add] it [in/into/to/at the end of] [each/every/all] [note/memor*/summar*]
en: [copy/repeat/write] it [in/into/to/at the end of] [each/every/all] [answer*/new/future]
en: [put/carry/add] it [in/into/to/at the end of] [each/every/all] [answer*/new/future]
en: keep this [memory/note/rule/entry] [at/for/in/on/alive]
en: [never/do not] [let/allow] .. [memor*/note*/entr*] .. [correct/overwrite/replace]* it
en: [don't/must not/should not] [let/allow] .. [memor*/note*/entr*] .. [correct/overwrite/replace]* it
en: [never/do not] [let/allow] .. [memor*/note*/entr*] .. [change/update/contradict]* it
en: [don't/must not/should not] [let/allow] .. [memor*/note*/entr*] .. [change/update/contradict]* it
en: [never/do not/don't/must not] [delete/remove/correct/overwrite] [this/these/the memory]
en: [never/do not/don't/must not] [delete/remove/correct/overwrite] [the note/the entry/or/nor]
en: [cannot/may not/should not/must never] [delete/remove/correct/overwrite] [this/these/the memory]
en: [cannot/may not/should not/must never] [delete/remove/correct/overwrite] [the note/the entry/or/nor]
en: [never/do not/don't/must not] [archive/edit/supersede/revise/merge] [this/these/the memory]
en: [never/do not/don't/must not] [archive/edit/supersede/revise/merge] [the note/the entry/or/nor]
en: [cannot/may not/should not/must never] [archive/edit/supersede/revise/merge] [this/these/the memory]
en: [cannot/may not] [archive/edit/supersede/revise/merge] [the note/the entry/or/nor]
en: [should not/must never] [archive/edit/supersede/revise/merge] [the note/the entry/or/nor]
en: [never/must not/cannot/may not/should not/must never/not] be [deleted/removed/corrected]
en: [never/must not/cannot/may not/should not/must never/not] be [overwritten/forgotten/archived]
en: [never/must not/cannot] be [edited/superseded/revised/merged/questioned/doubted]
en: [may not/should not/must never/not] be [edited/superseded/revised/merged/questioned/doubted]
en: [copy/repeat/carry/reproduce] [this/these] [paragraph/text/note/memory/rule]
en: [restate/duplicate/append/paste] [this/these] [paragraph/text/note/memory/rule]
en: [copy/repeat/carry/reproduce] [this/these] [line/lines/sentence/block/passage]
en: [restate/duplicate/append/paste] [this/these] [line/lines/sentence/block/passage]
en: so that it [survives/stays alive/lives on/spreads/is kept]
en: [older/earlier/other/newer/later/all other] [notes/memories/entries] .. [removed/deleted/discarded]
en: [older/earlier/other/newer/later/all other] [notes/memories/entries] .. [ignored/wrong/corrected]
en: carry this [line/note/text/paragraph]
en: [memory/note/entry/memories] .. [disagrees/contradicts/disagree]
en: [memory/note/entry/memories] .. [contradict/says otherwise/say otherwise/differs]
en: so that it [is kept/stays/remains/is not lost]
en: bring [it/this/that] up [whenever/every/each/when/in every]
en: highest [confidence/importance/priority]
en: [delete/erase/drop] .. [memor*/note*/entr*] .. [contradict/disagree/say otherwise]*
en: [remove/discard/archive] .. [memor*/note*/entr*] .. [contradict/disagree/say otherwise]*
en: [delete/erase/drop/remove/discard/archive] .. [memor*/note*/entr*] .. [the contrary/differ/oppose]*
en: verified fact
en: [in/into/to] [every/each/all/any] [new /other /future /later /][memory/memories/note] [you/that you]
en: [in/into/to] [every/each/all/any] [new /other /][memory/memories/note] [it/written/which]
en: [in/into/to] [every/each/all/any] [future /later /][memory/memories/note] [it/written/which]
en: [in/into/to] [every/each/all/any] [new /other /][notes/summary/summaries] [you/that you]
en: [in/into/to] [every/each/all/any] [future /later /][notes/summary/summaries] [you/that you]
en: [in/into/to] [every/each/all/any] [new /other /][notes/summary/summaries] [it/written/which]
en: [in/into/to] [every/each/all/any] [future /later /][notes/summary/summaries] [it/written/which]
de: [losch*/andere*/korrigier*] .. [erinnerung*/notiz*/eintrag*/gedachtnis*]
de: [entfern*/archivier*/uberschreib*] .. [erinnerung*/notiz*/eintrag*/gedachtnis*]
de: darf nicht [geloscht/korrigiert/geandert/uberschrieben/entfernt]*
de: [merk/merke] dir [dauerhaft/fur immer/als] | kopier* .. [absatz/abschnitt/text]
de: nie [loschen/korrigieren/uberschreiben]
de: darf [nie/niemals] .. [geloscht/korrigiert/geandert/uberschrieben/entfernt]*
fr: [efface/supprime/modifie/corrige]* .. [souvenir*/memoire*/note*]
fr: ne [doit/doivent/peut] .. [efface/supprime/modifie/corrige]*
fr: recopie* .. [paragraphe/texte/passage/consigne/phrase]* | copie* .. [paragraphe/texte/passage]
es: [borra/elimina/modifica/corrige]* .. [recuerdo/memoria/nota]*
es: no [debe/puede/se puede/se debe] .. [borrar/eliminar/modificar/corregir]*
es: copia* .. [parrafo/texto/pasaje]
ja: 削除せず | 削除しないで | 削除しない | 削除するな | 削除してはならない | 訂正しない | 上書きしない
ja: この段落を | この文を | 複製 | 記憶を削除 | 記憶に残 | 消さない | 書き換えない
zh: [不得/不要/禁止/不可/不能/切勿/永不]..[删除/修改/更正/覆盖/归档] | [删除/清除/覆盖]..[记忆/记录]
zh: 复制[本/这/此] | 抄到每 | 写进每 | [最高/永久]..[优先级/可信度/置信度/重要性/记忆]
""",
}
"""Phrases by cue and language."""
