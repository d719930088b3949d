"""Decoding the bytes of a page: finding its encoding, and where that was stated."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})""", re.IGNORECASE)
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w:.-]{1,40})""", re.IGNORECASE)

# Names as pages write them -> the codec that browsers use for them. Not every name that Python knows is allowed, because
# some of its codecs are no character encodings.
_CODECS = {
    **dict.fromkeys(("utf-8", "utf8", "utf-8-sig", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("utf-16", "utf-16le", "utf-16-le", "unicode", "ucs-2"), "utf-16-le"),
    **dict.fromkeys(("utf-16be", "utf-16-be"), "utf-16-be"),
    **dict.fromkeys(
        ("iso-8859-1", "iso8859-1", "latin1", "latin-1", "ascii", "us-ascii", "windows-1252", "cp1252"), "cp1252"
    ),
    **dict.fromkeys(("iso-8859-9", "latin5", "windows-1254"), "cp1254"),
    **dict.fromkeys(("tis-620", "iso-8859-11", "windows-874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80", "gb18030", "hz-gb-2312", "chinese"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601", "windows-949", "cp949", "korean", "uhc"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "cp932", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-jp", "x-euc-jp"), "euc_jp"),
    **dict.fromkeys(("big5", "big5-hkscs", "cn-big5", "x-x-big5"), "big5hkscs"),
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"windows-{n}": f"cp{n}" for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
}
_SHOWN = {"cp1252": "windows-1252", "cp949": "EUC-KR", "cp932": "Shift_JIS", "euc_jp": "EUC-JP", "big5hkscs": "Big5"}
_DETECTED = (
    *(
        "cp1252",
        "cp1250",
        "iso8859_2",
        "cp1251",
        "koi8_r",
        "cp1253",
        "iso8859_7",
        "cp1254",
        "cp1255",
        "cp1256",
        "cp874",
    ),
    *("gb18030", "big5", "cp949", "cp932", "euc_jp"),
)
_TOLERATED = 0.02  # share of the non-ASCII characters that may be unreadable before a stated encoding is not believed
_SAMPLE = 100_000  # bytes that the detector looks at


@dataclass(frozen=True, kw_only=True)
class Decoded:
    """A decoded text. `encoding`: for example "UTF-8 from header". `damaged`: the number of unreadable characters."""

    text: str
    encoding: str
    damaged: int = 0


def decode(body: bytes, content_type: str = "", *, html: bool = True) -> Decoded:
    """Decode a page by its byte order mark, else its header, else its meta tag, else as UTF-8, else by detection. Never
    raises."""
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return _decoded(body[len(mark) :], codec, "byte order mark")
    for label, origin in _stated(body, content_type, html):
        codec = _CODECS.get(label.lower(), "")
        if codec not in ("", "utf-8") and _is_utf8(body):
            # text in another encoding is almost never valid UTF-8 by chance
            return _decoded(body, "utf-8", f"its bytes, not {label} as the {origin} says")
        if codec and _plausible(body, codec):
            return _decoded(body, codec, origin)
    codec, origin = _unstated(body)
    return _decoded(body, codec, origin)


def _unstated(body: bytes) -> tuple[str, str]:
    """Return (codec, where it was stated) for a page that does not state its encoding, or states a wrong one."""
    if guess := _wide(body):
        return guess, "its bytes"
    if b"\x1b$" in body[:_SAMPLE]:
        return "iso2022_jp", "its bytes"
    if _plausible(body, "utf-8"):
        return "utf-8", "its bytes"
    return _detect(body), "detection"


def _stated(body: bytes, content_type: str, html: bool) -> list[tuple[str, str]]:
    stated = [(m[1], "header") for m in [_CHARSET.search(content_type)] if m]
    if html:
        head = body[:4096]
        for pattern in (_META, _XML):
            if match := pattern.search(head):
                label = match[1].decode("ascii", "replace")
                # a meta tag that could be read as ASCII cannot be in UTF-16
                stated.append(("utf-8" if label.lower().startswith("utf-16") else label, "meta tag"))
    return stated


def _decoded(body: bytes, codec: str, origin: str) -> Decoded:
    text = body.decode(codec, "replace")
    shown = _SHOWN.get(codec, codec.replace("_", "-").upper())
    written = body.count("\ufffd".encode()) if codec == "utf-8" else 0  # a page may show that very character
    return Decoded(text=text, encoding=f"{shown} from {origin}", damaged=text.count("\ufffd") - written)


def _plausible(body: bytes, codec: str) -> bool:
    if codec.startswith("utf-16") and body.isascii() and not _wide(body):
        return False
    text = body.decode(codec, "replace")
    beyond = sum(1 for c in text if c > "\x7f") if not text.isascii() else 0
    return text.count("\ufffd") <= _TOLERATED * beyond + (0 if beyond > 50 else 0.5 * (beyond > 0))


def _is_utf8(body: bytes) -> bool:
    try:
        return not body.decode("utf-8").isascii()
    except UnicodeDecodeError:
        return False


def _wide(body: bytes) -> str:
    """Return the UTF-16 codec of bytes without a byte order mark, or "". Its ASCII markup has a zero in every other byte."""
    sample = body[:400]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.05 * len(sample) or min(even, odd) > 0.2 * max(even, odd):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _detect(body: bytes) -> str:
    """Detect the encoding, among those that pages really use. Without that limit the detector often names old Macintosh ones."""
    from charset_normalizer import from_bytes

    prose = re.sub(rb"<(script|style)\b.*?</\1|<[^>]{0,2000}>", b" ", body[:_SAMPLE], flags=re.IGNORECASE | re.DOTALL)
    best = from_bytes(prose, cp_isolation=list(_DETECTED)).best()
    return best.encoding if best else "cp1252"
