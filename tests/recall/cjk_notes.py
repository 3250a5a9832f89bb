"""Memories and questions in Japanese, Korean and traditional Chinese, written for the tests.

Each question has one memory that answers it; the others share particles, endings and question words
with it, as everyday sentences do.
"""

from __future__ import annotations

JAPANESE = {
    "address": "田中さんは去年の春に東京から京都へ引っ越しました。",
    "allergy": "佐藤さんは卵アレルギーがあるので、ケーキは食べられません。",
    "deploy": "本番サーバーへのデプロイは毎週火曜日の午前十時に行います。",
    "backup": "データベースのバックアップは毎晩二時に取っています。",
    "password": "パスワードの再設定は管理画面からできます。",
    "report": "月次レポートはメールで送ってほしいと鈴木さんが言っていました。",
    "pet": "鈴木さんの犬の名前はポチで、三歳の柴犬です。",
    "book": "最近読んだ本の中では、夏目漱石の「こころ」が一番好きです。",
    "station": "事務所は渋谷駅から歩いて五分のところにあります。",
    "meeting": "次の会議は来週の水曜日の午後三時から始まります。",
    "coffee": "毎朝コーヒーを二杯飲まないと仕事が始められません。",
    "language": "新しいサービスはRustで書くことに決めました。",
    "tea": "りんごの皮は茶と一緒に煮ると香りがよくなる。",
    "vote": "投票の結果、青いロゴが採用されました。",
}
JAPANESE_QUESTIONS = {
    "田中さんはどこに引っ越しましたか？": "address",
    "卵が食べられないのは誰ですか？": "allergy",
    "デプロイはいつ行いますか？": "deploy",
    "バックアップは何時に取っていますか？": "backup",
    "ﾊﾟｽﾜｰﾄﾞを再設定するにはどうすればいいですか？": "password",
    "鈴木さんはレポートをどう送ってほしいと言いましたか？": "report",
    "犬の名前は何ですか？": "pet",
    "一番好きな本は何ですか？": "book",
    "澁谷驛から事務所まで何分ですか？": "station",
    "会議は何曜日に始まりますか？": "meeting",
    "コーヒーを何杯飲みますか？": "coffee",
    "ＲＵＳＴで何を書きますか？": "language",
    "リンゴはどうすると香りがよくなりますか？": "tea",
    "どのロゴが採用されましたか？": "vote",
}

KOREAN = {
    "address": "민수는 작년 봄에 서울에서 부산으로 이사했습니다.",
    "allergy": "지영 씨는 땅콩 알레르기가 있어서 과자를 먹을 수 없습니다.",
    "deploy": "운영 서버 배포는 매주 화요일 오전 열 시에 합니다.",
    "backup": "데이터베이스 백업은 매일 밤 두 시에 받습니다.",
    "password": "비밀번호는 관리자 화면에서 다시 설정할 수 있습니다.",
    "report": "월간 보고서는 메일로 보내 달라고 현우 씨가 말했습니다.",
    "pet": "현우 씨의 강아지 이름은 초코이고 세 살입니다.",
    "book": "최근에 읽은 책 중에서 소설 토지가 가장 좋았습니다.",
    "office": "사무실은 강남역에서 걸어서 오 분 거리에 있습니다.",
    "meeting": "다음 회의는 다음 주 수요일 오후 세 시에 시작합니다.",
    "coffee": "아침마다 커피를 두 잔 마셔야 일을 시작할 수 있습니다.",
    "language": "새 서비스는 Rust로 작성하기로 결정했습니다.",
    "hall": "회의는매주금요일입니다",
}
KOREAN_QUESTIONS = {
    "민수는 어디로 이사했습니까?": "address",
    "서울": "address",
    "땅콩을 먹을 수 없는 사람은 누구입니까?": "allergy",
    "배포는 언제 합니까?": "deploy",
    "백업을 몇 시에 받습니까?": "backup",
    "비밀번호를 어떻게 설정합니까?": "password",
    "보고서를 어떻게 보내야 합니까?": "report",
    "강아지의 이름은 무엇입니까?": "pet",
    "가장 좋았던 책은 무엇입니까?": "book",
    "강남역": "office",
    "다음 회의는 언제 시작합니까?": "meeting",
    "커피는 몇 잔 마십니까?": "coffee",
    "ｒｕｓｔ": "language",
    "금요일": "hall",
}

CHINESE = {
    "address": "小陳去年從台北搬到臺中，住在車站後面。",
    "allergy": "用户对花生过敏，住在杭州市。",
    "deploy": "每週二上午十點部署正式環境的伺服器。",
    "backup": "数据库每天凌晨两点备份一次。",
    "password": "管理员可以在后台重置密码。",
    "report": "王經理希望用電子郵件收到月報。",
    "pet": "小陳的狗叫豆豆，今年三歲。",
    "book": "最近读过的书里最喜欢《活着》。",
    "hair": "她昨天去剪了頭髮，發現設計師換人了。",
    "butter": "早餐吃花生酱面包。",
}
CHINESE_QUESTIONS = {
    "小陈搬到了哪里？": "address",
    "臺灣人小陳住在車站哪裡？": "address",
    "誰對花生過敏？": "allergy",
    "周二几点部署服务器？": "deploy",
    "資料庫什麼時候備份？": "backup",
    "怎麼重置密碼？": "password",
    "王经理希望怎么收到月报？": "report",
    "小陈的狗叫什么名字？": "pet",
    "最喜歡哪本書？": "book",
    "剪头发": "hair",
    "花生醬": "butter",
}
LANGUAGES = {
    "Japanese": (JAPANESE, JAPANESE_QUESTIONS),
    "Korean": (KOREAN, KOREAN_QUESTIONS),
    "Chinese": (CHINESE, CHINESE_QUESTIONS),
}
