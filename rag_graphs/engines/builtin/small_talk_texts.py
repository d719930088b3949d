"""Greetings and their like, in twelve languages: how they are said, and what the built-in engine replies. Written down for
this project."""

from __future__ import annotations

from typing import Literal

Talk = Literal["greeting", "thanks", "goodbye", "identity"]

SAID: dict[str, dict[Talk, str]] = {
    "en": {
        "greeting": "hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|how are you(?: today| doing)?|"
        "how do you do|"
        "nice to meet you",
        "thanks": "(?:many )?thanks|thank you|thx|cheers",
        "goodbye": "goodbye|good bye|bye|bye bye|see you(?: later| soon)?|good night|farewell|have a (?:nice|good) day",
        "identity": "(?:who|what)(?: exactly)? are you|what(?: is| s|s) your name|what can you do|are you (?:a |an "
        ")?(?:robot|bot|ai|"
        "human|person|language model)|introduce yourself|tell me about yourself",
    },
    "de": {
        "greeting": "hallo|guten (?:morgen|tag|abend)|moin|servus|gruss gott|wie geht(?: ?e?s)?(?: dir| ihnen)?",
        "thanks": "danke(?: schon| sehr)?|vielen dank|besten dank",
        "goodbye": "tschuss|auf wiedersehen|gute nacht|bis (?:bald|spater|dann)",
        "identity": "wer (?:bist du|sind sie)|was (?:bist du|sind sie)|wie heisst du|wie heissen sie|was kannst du|"
        "was konnen sie|"
        "stell dich vor",
    },
    "es": {
        "greeting": "hola|buenos dias|buenas(?: tardes| noches)?|que tal|como estas?",
        "thanks": "(?:muchas |mil )?gracias",
        "goodbye": "adios|hasta (?:luego|pronto|manana)|chao",
        "identity": "(?:quien|que) eres(?: tu)?|quien es usted|como te llamas|que puedes hacer",
    },
    "fr": {
        "greeting": "bonjour|bonsoir|salut|coucou|comment (?:allez vous|vas tu|ca va)|ca va",
        "thanks": "merci(?: beaucoup| bien)?",
        "goodbye": "au revoir|a (?:bientot|plus tard|demain)|bonne (?:nuit|journee|soiree)|adieu",
        "identity": "qui (?:es tu|etes vous)|tu es qui|vous etes qui|qu(?: |)es tu|comment (?:t appelles tu|vous "
        "appelez vous)|"
        "que (?:peux tu|pouvez vous) faire",
    },
    "nl": {
        "greeting": "hallo|hoi|goede(?:morgen|middag|navond|ndag)|goede (?:morgen|middag|avond)|hoe gaat het(?: "
        "met (?:je|u))?",
        "thanks": "dank(?: je| u|jewel| je wel| u wel)|bedankt|hartelijk dank",
        "goodbye": "tot (?:ziens|straks|morgen|later)|dag|doei|welterusten",
        "identity": "(?:wie|wat) (?:ben (?:je|jij)|bent u)|hoe heet (?:je|jij|u)|wat kun je",
    },
    "it": {
        "greeting": "ciao|buongiorno|buon giorno|buonasera|buona sera|salve|come (?:stai|sta|va)",
        "thanks": "grazie(?: mille| tante)?|molte grazie",
        "goodbye": "arrivederci|addio|buonanotte|buona notte|a (?:presto|dopo|domani)",
        "identity": "(?:chi|che cosa|cosa) sei|come ti chiami|chi e lei|che cosa sai fare|cosa sai fare",
    },
    "pt": {
        "greeting": "ola|oi|bom dia|boa (?:tarde|noite)|tudo bem|como (?:esta|estas|vai)",
        "thanks": "(?:muito )?obrigad[oa]|agradecid[oa]",
        "goodbye": "adeus|tchau|ate (?:logo|amanha|breve|mais)",
        "identity": "quem (?:es tu|e voce)|o que (?:es tu|e voce)|como (?:te chamas|voce se chama)|o que voce sabe "
        "fazer",
    },
    "ko": {
        "greeting": "안녕(?:하세요|하십니까|하신가요)?|반가워요?|반갑습니다|좋은 아침(?:입니다|이에요)?|처음 "
        "뵙겠습니다|잘 지내(?:세요|요|니)?",
        "thanks": "(?:정말 |대단히 )?(?:고마워요?|고맙습니다|감사합니다|감사해요)",
        "goodbye": "안녕히 (?:계세요|가세요|계십시오)|잘 (?:가요?|있어요?|자요?)|또 (?:봐요?|만나요?)|다음에 "
        "(?:봐요?|또 봐요?)",
        "identity": "(?:너는?|넌|당신은?) (?:누구(?:야|니|세요|예요|입니까|인가요)?|뭐야|무엇입니까)|누구(?:세요|"
        "야|니|십니까|예요)|"
        "(?:네 |너의 |당신의 )?이름이 (?:뭐야|뭐예요|뭔가요|무엇입니까)|자기소개(?: 해줘| 해주세요)?|뭘 할 수 "
        "있(?:어|어요|니|나요)",
    },
    "zh": {
        "greeting": "你好(?:吗|嗎)?|您好|大家好|嗨|哈喽|早上好|下午好|晚上好|早安",
        "thanks": "(?:非常|多)?(?:谢谢|謝謝|感谢|多谢)(?:你|您|了|啦)?",
        "goodbye": "再见|再見|拜拜|晚安|回头见|明天见",
        "identity": "(?:你|您)(?:到底)?是(?:谁|誰|什么|什麼)|(?:你|您)叫什么(?:名字)?|(?:你|您)能做什么|"
        "(?:请)?(?:做个)?自我介绍(?:一下)?",
    },
    "ja": {
        "greeting": "こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|やあ|お元気ですか|元気ですか",
        "thanks": "(?:どうも)?ありがとう(?:ございます|ございました)?|どうも|感謝します",
        "goodbye": "さようなら|さよなら|またね|また明日|バイバイ|おやすみ(?:なさい)?|じゃあね",
        "identity": "(?:あなた|君)は(?:誰|だれ|何|なに)(?:ですか|なの|なんですか)?|(?:お)?名前は(?:何ですか|何|"
        "なんですか)?|何ができますか|"
        "自己紹介して(?:ください)?",
    },
    "ru": {
        "greeting": "привет|здравствуй(?:те)?|добр(?:ое утро|ый день|ый вечер)|как дела|как (?:ты|вы) поживаете?",
        "thanks": "(?:большое )?спасибо(?: большое)?|благодарю(?: вас| тебя)?",
        "goodbye": "до (?:свидания|встречи|завтра)|пока|спокойной ночи|прощай(?:те)?",
        "identity": "(?:кто|что) (?:ты|вы)(?: такой| такое| такая| такие)?|как (?:тебя|вас) зовут|что (?:ты умеешь|"
        "вы умеете)",
    },
    "ar": {
        "greeting": "مرحبا(?: بك| بكم)?|اهلا(?: وسهلا)?|السلام عليكم|صباح الخير|مساء الخير|كيف حالك",
        "thanks": "شكرا(?: لك| لكم| جزيلا)?",
        "goodbye": "مع السلامة|وداعا|الى اللقاء|تصبح على خير",
        "identity": "من (?:انت|انتم)|ما (?:انت|اسمك)|ما هو اسمك|ماذا يمكنك ان تفعل",
    },
}
"""Patterns of what is said, without punctuation; accents make no difference."""

REPLIES: dict[str, dict[Talk, str]] = {
    "en": {
        "greeting": "Hello! Ask something about the loaded documents.",
        "thanks": "You are welcome.",
        "goodbye": "Goodbye!",
        "identity": "I am the built-in engine of RAG Graphs, a program without a language model: I quote sentences "
        "of the loaded "
        "documents, measure and count.",
    },
    "de": {
        "greeting": "Hallo! Fragen Sie etwas zu den geladenen Dokumenten.",
        "thanks": "Gern geschehen.",
        "goodbye": "Auf Wiedersehen!",
        "identity": "Ich bin die eingebaute Engine von RAG Graphs, ein Programm ohne Sprachmodell: Ich zitiere "
        "Sätze der geladenen "
        "Dokumente, messe und zähle.",
    },
    "es": {
        "greeting": "¡Hola! Pregunte algo sobre los documentos cargados.",
        "thanks": "De nada.",
        "goodbye": "¡Adiós!",
        "identity": "Soy el motor integrado de RAG Graphs, un programa sin modelo de lenguaje: cito frases de los "
        "documentos "
        "cargados, mido y cuento.",
    },
    "fr": {
        "greeting": "Bonjour ! Posez une question sur les documents chargés.",
        "thanks": "Je vous en prie.",
        "goodbye": "Au revoir !",
        "identity": "Je suis le moteur intégré de RAG Graphs, un programme sans modèle de langue : je cite des "
        "phrases des documents "
        "chargés, je mesure et je compte.",
    },
    "nl": {
        "greeting": "Hallo! Stel een vraag over de geladen documenten.",
        "thanks": "Graag gedaan.",
        "goodbye": "Tot ziens!",
        "identity": "Ik ben de ingebouwde engine van RAG Graphs, een programma zonder taalmodel: ik citeer zinnen "
        "uit de geladen "
        "documenten, meet en tel.",
    },
    "it": {
        "greeting": "Salve! Fate una domanda sui documenti caricati.",
        "thanks": "Prego.",
        "goodbye": "Arrivederci!",
        "identity": "Sono il motore integrato di RAG Graphs, un programma senza modello linguistico: cito frasi "
        "dei documenti "
        "caricati, misuro e conto.",
    },
    "pt": {
        "greeting": "Olá! Pergunte algo sobre os documentos carregados.",
        "thanks": "De nada.",
        "goodbye": "Até logo!",
        "identity": "Sou o motor integrado do RAG Graphs, um programa sem modelo de linguagem: cito frases dos "
        "documentos "
        "carregados, meço e conto.",
    },
    "ko": {
        "greeting": "안녕하세요! 불러온 문서에 대해 질문해 주세요.",
        "thanks": "천만에요.",
        "goodbye": "안녕히 가세요!",
        "identity": "저는 RAG Graphs의 내장 엔진입니다. 언어 모델이 없는 프로그램으로, 불러온 문서의 문장을 "
        "인용하고 재고 셉니다.",
    },
    "zh": {
        "greeting": "你好！请就已加载的文档提问。",
        "thanks": "不客气。",
        "goodbye": "再见！",
        "identity": "我是 RAG Graphs 的内置引擎，一个没有语言模型的程序：我引用已加载文档中的句子，并进行测量和计数。",
    },
    "ja": {
        "greeting": "こんにちは。読み込んだ文書について質問してください。",
        "thanks": "どういたしまして。",
        "goodbye": "さようなら。",
        "identity": "RAG Graphs "
        "の内蔵エンジンです。言語モデルを持たないプログラムで、読み込んだ文書の文を引用し、測り、数えます。",
    },
    "ru": {
        "greeting": "Здравствуйте! Спросите что-нибудь о загруженных документах.",
        "thanks": "Пожалуйста.",
        "goodbye": "До свидания!",
        "identity": "Я встроенный движок RAG Graphs, программа без языковой модели: я цитирую предложения "
        "загруженных документов, "
        "измеряю и считаю.",
    },
    "ar": {
        "greeting": "مرحبا! اسأل شيئا عن الوثائق المحملة.",
        "thanks": "على الرحب والسعة.",
        "goodbye": "إلى اللقاء!",
        "identity": "أنا المحرك المدمج في RAG Graphs، برنامج بلا نموذج لغوي: أقتبس جملا من الوثائق المحملة وأقيس وأعد.",
    },
}
