"""Bytes to text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_graphs.library.read.decode import decode

TEXTS = {
    "ko": "안녕하세요. 이 페이지는 도서관의 역사와 책의 보존에 대해 설명합니다. 종이는 습기에 약하므로 온도와 습도를 조절합니다.",
    "ja": "図書館の歴史と本の保存について説明します。紙は湿気に弱いので、温度と湿度を調整する必要があります。カタカナも使う。",
    "zh": "本页介绍图书馆的历史和书籍的保存。纸张容易受潮，因此需要控制温度和湿度。这是一个测试页面。",
    "tw": "本頁介紹圖書館的歷史和書籍的保存。紙張容易受潮，因此需要控制溫度和濕度。這是一個測試頁面。",
    "fr": "Cette page décrit l’histoire de la bibliothèque et la conservation des livres à côté de l’été. Où êtes-vous ?",
    "ru": "На этой странице рассказывается об истории библиотеки и хранении книг. Бумага боится влаги и света.",
    "el": "Αυτή η σελίδα περιγράφει την ιστορία της βιβλιοθήκης και τη διατήρηση των βιβλίων.",
    "pl": "Ta strona opisuje historię biblioteki i przechowywanie książek. Papier boi się wilgoci, więc źródła są ważne.",
    "tr": "Bu sayfa kütüphanenin tarihini ve kitapların korunmasını anlatır. Kağıt nemden korkar, ışık da zararlıdır.",
}
ENCODED = [
    ("ko", "euc-kr", "EUC-KR"),
    ("ja", "shift_jis", "Shift_JIS"),
    ("ja", "euc-jp", "EUC-JP"),
    ("ja", "iso-2022-jp", "ISO2022-JP"),
    ("zh", "gb18030", "GB18030"),
    ("zh", "gb2312", "GB18030"),
    ("tw", "big5", "Big5"),
    ("fr", "windows-1252", "windows-1252"),
    ("fr", "utf-8", "UTF-8"),
    ("ru", "koi8-r", "KOI8-R"),
    ("ru", "windows-1251", "CP1251"),
    ("el", "iso-8859-7", "ISO8859-7"),
    ("pl", "iso-8859-2", "ISO8859-2"),
    ("tr", "iso-8859-9", "CP1254"),
]


def html(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(("language", "label", "shown"), ENCODED)
def test_the_header_is_believed(language: str, label: str, shown: str) -> None:
    found = decode(html(TEXTS[language]).encode(label), f"text/html; charset={label}")
    assert TEXTS[language] in found.text
    assert found.encoding == f"{shown} from header"


@pytest.mark.parametrize(("language", "label", "shown"), ENCODED)
def test_then_the_meta_tag(language: str, label: str, shown: str) -> None:
    for tag in (f'<meta charset="{label}">', f'<META http-equiv=Content-Type content="text/html; charset={label}">'):
        found = decode(html(TEXTS[language], tag).encode(label), "text/html")
        assert TEXTS[language] in found.text
        assert found.encoding == f"{shown} from meta tag"


@pytest.mark.parametrize(
    ("language", "codec"),
    [
        *(
            ("ko", "euc-kr"),
            ("ja", "shift_jis"),
            ("ja", "euc-jp"),
            ("ja", "iso-2022-jp"),
            ("zh", "gb18030"),
            ("tw", "big5"),
        ),
        *(("fr", "cp1252"), ("ru", "cp1251"), ("ru", "koi8-r"), ("el", "cp1253"), ("fr", "utf-8"), ("ko", "utf-8")),
        *(("ko", "utf-16-le"), ("ja", "utf-16-be"), ("fr", "utf-16-le"), ("zh", "utf-16-be")),
    ],
)
def test_undeclared_encodings_are_found(language: str, codec: str) -> None:
    assert TEXTS[language] in decode(html(TEXTS[language] * 3).encode(codec), "text/html").text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_wins(codec: str) -> None:
    found = decode(html(TEXTS["ko"]).encode(codec), "text/html; charset=iso-8859-1")
    assert TEXTS["ko"] in found.text
    assert found.encoding.endswith("from byte order mark")
    assert "\ufeff" not in found.text


@pytest.mark.parametrize("language", ["ko", "fr", "ru"])
@pytest.mark.parametrize("label", ["iso-8859-1", "us-ascii", "euc-kr", "utf-16", "no-such-encoding"])
def test_utf8_with_a_wrong_label_is_read_as_utf8(language: str, label: str) -> None:
    assert TEXTS[language] in decode(html(TEXTS[language] * 3).encode(), f"text/html; charset={label}").text


def test_a_header_that_the_bytes_contradict_gives_way_to_the_meta_tag() -> None:
    body = html(TEXTS["ja"] * 3, '<meta charset="shift_jis">').encode("shift_jis")
    found = decode(body, "text/html; charset=utf-8")
    assert found.encoding == "Shift_JIS from meta tag"
    assert TEXTS["ja"] in found.text


def test_one_bad_byte_does_not_make_the_whole_page_garbled() -> None:
    body = html(TEXTS["fr"] * 5).encode() + b"\xff"
    found = decode(body, "text/html; charset=utf-8")
    assert found.encoding == "UTF-8 from header"
    assert found.damaged == 1


@pytest.mark.parametrize("label", ["utf-7", "base64", "rot13", "unicode_escape", "idna", "zip", "mbcs", "undefined"])
def test_codecs_that_are_no_character_encodings_are_not_used(label: str) -> None:
    found = decode(html("plain").encode(), f"text/html; charset={label}")
    assert found.encoding == "UTF-8 from its bytes"


@given(st.binary(max_size=300), st.text(max_size=20))
def test_no_bytes_break_it(body: bytes, label: str) -> None:
    assert isinstance(decode(body, f"text/html; charset={label}").text, str)
