"""Recognising pages without a text of their own: bot walls, empty JavaScript shells, logins, error pages with status 200.

They are recognised by their words, but only on short pages, so that an article about captchas is not refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rag_graphs.errors import SourceError

FEW_WORDS = 80
_NO_WORDS = 8
_SHORT = 150  # words; a longer page is never refused as a wall


@dataclass(frozen=True, kw_only=True)
class Look:
    """What the junk check looks at: a page's title, its main text, all its text (`everything`), and signs in its markup."""

    title: str
    text: str
    everything: str = ""
    scripts: int = 0
    wants_javascript: bool = False
    password_field: bool = False
    forwards_to: str = ""


_BOT_WALL = re.compile(
    r"just a moment|checking (if the site connection is secure|your browser)|verify(ing)? (that )?you are (a )?human|"
    r"(are|you.re) (you )?(not )?a robot|unusual traffic|attention required|access (to this page has been )?denied|captcha|"
    r"security (check|verification)|ddos protection|enable javascript and cookies to continue|request (was )?blocked|"
    r"browser is (out of date|not supported)|pardon our interruption|einen moment|un momento|un instant|잠시만 기다|请稍候|"
    r"人机验证|安全验证|보안 확인|セキュリティ(チェック|検証)",
    re.IGNORECASE,
)
_JAVASCRIPT = re.compile(
    r"(enable|activate|turn on|requires?|needs?|without|active[rz]|habilit\w+|activ[ae]\w*|请启用|啟用|활성화|有効)"
    r"\W+(?:\w+\W+){0,3}?java\s?script|"
    r"java\s?script\W+(?:\w+\W+){0,5}?(enabled?|required|disabled|aktivieren|活性|活|有効|활성화|启用)",
    re.IGNORECASE,
)
_NOT_FOUND = re.compile(
    r"\b404\b|not found|page (doesn.t|does not|no longer) exist|no such page|seite nicht gefunden|nicht gefunden|"
    r"página no encontrada|no (se )?encontr\w+|page introuvable|pagina niet gevonden|niet gevonden|"
    r"찾을 수 없|页面不存在|找不到|見つかりません|не найдена",
    re.IGNORECASE,
)
_LOGIN = re.compile(
    r"\b(log ?in|sign ?in|anmelden|einloggen|inloggen|iniciar sesión|se connecter|connexion|войти)\b|로그인|登录|登入|ログイン",
    re.IGNORECASE,
)
_COOKIES = re.compile(r"cookie|쿠키|クッキー", re.IGNORECASE)
_CONSENT = re.compile(
    r"accept|agree|consent|reject|preferences|akzeptier|zustimm|aceptar|accepter|accepteer|동의|同意", re.IGNORECASE
)
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\u0e01-\u0e5b]")


def count_words(text: str) -> int:
    """Count the words of a text. In languages without spaces, two characters count as one word."""
    single = len(_CJK.findall(text))
    return len(re.findall(r"\w+", _CJK.sub(" ", text))) + single // 2


def refuse_junk(look: Look, host: str) -> None:
    """Raise SourceError if the page holds no text of its own; the kind says what it is instead."""
    words = count_words(look.text)
    page = f"{look.title}\n{look.text}\n{look.everything[:3000]}"
    paste = "Open it in a browser and paste its text, or use another page."
    if words < _SHORT and _BOT_WALL.search(f"{look.title}\n{look.text}" if words >= 40 else page):
        raise SourceError("bot wall", f"{host} asks for proof of a human reader instead of showing the page. {paste}")
    if words < 40 and look.forwards_to:
        target = look.forwards_to[:300]
        raise SourceError("empty page", f"The page only sends its readers on to {target}: load that address instead.")
    shell = look.wants_javascript or (look.scripts and words < 25 and count_words(look.everything) < 40)
    if words < 40 and (_JAVASCRIPT.search(page) or shell):
        raise SourceError("JavaScript page", f"The page is put together by scripts, which are not run here. {paste}")
    if words < _SHORT and _NOT_FOUND.search(f"{look.title}\n{look.text[:200]}"):
        raise SourceError("not found", f"{host} shows an error page at this address. Check the address.")
    if words < _SHORT and look.password_field and _LOGIN.search(page):
        raise SourceError(
            "login needed", f"{host} asks for a login. Use a page that is open to all, or paste its text."
        )
    if (
        words < 100
        and len(_COOKIES.findall(page)) >= 2
        and _CONSENT.search(page)
        and words < 3 * len(_CONSENT.findall(page)) + 40
    ):
        raise SourceError("cookie page", f"{host} shows only its question about cookies. {paste}")
    if words < _NO_WORDS:
        raise SourceError("empty page", f"The page holds no text. {paste}")
