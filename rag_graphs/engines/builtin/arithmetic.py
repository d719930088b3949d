"""Plain arithmetic: "What is 12 * 7?", "2+2=?", "15 % of 80". Read into a tree and calculated with exact fractions; nothing
is ever run as code, and numbers, powers and time are bounded."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from rag_graphs.language.text import detect_language
from rag_graphs.language.word_lists import word_lists

LONGEST = 120
"""Characters of a question with arithmetic."""
DIGITS = 40
"""Digits of a result at most; a larger one is left alone."""
POWER = 100
"""The largest exponent."""
EXACT = 15
"""Characters of a number with decimals that are read exactly."""
SHOWN = 10
"""Significant digits of a result that is no whole number."""
COMMA = ("de", "es", "fr", "it", "nl", "pt", "ru")
"""Languages that write 3,5 and 1.000."""

_ENDS = re.compile(
    r"(?:\s*(?:equals?|equal to|make|ergibt|es igual a|font|fanno|равно|يساوي|等于(?:多少|几)?|等於多少|是多少|得多少|"
    r"は(?:いくつ|何|いくら)?(?:ですか|になりますか)?|(?:은|는)?\s*(?:얼마|몇|뭐)?\s*(?:야|이야|예요|이에요|인가요|입니까|지|일까요?)?(?:를|"
    r"을)?\s*(?:계산해\s?(?:줘|주세요)?)?))?"
    r"\s*(?P<equals>=)?\s*[?？؟.!。]*\s*$"
)
_PERCENT = re.compile(
    r"^(?P<share>[\d.]+)\s*(?:%|percent|per cent|prozent|por ciento|pour cent|per cento|por cento|procent|процент\w*)"
    r"\s*(?:of|von|de|du|di|van|от)\s*(?P<whole>[\d.]+)$",
    re.IGNORECASE,
)
_KOREAN_PERCENT = re.compile(r"^(?P<whole>[\d.]+)\s*(?:의|的|の)\s*(?P<share>[\d.]+)\s*(?:%|퍼센트|パーセント)$")
_DECIMAL = re.compile(r"\d*\.\d+")
_PLAIN = re.compile(r"[\d.+\-*/()\s]+")
_NO_SUM = re.compile(r"\d+(?:[-/]\d+)+")
"""A date, a score, a range, a name like 24/7: no calculation unless one is asked for."""


@dataclass(frozen=True)
class Calculation:
    """An expression as it was read, and its result as it is written."""

    expression: str
    result: str

    rounded: bool = False

    def __str__(self) -> str:
        return f"{self.expression} {'≈' if self.rounded else '='} {self.result}"


def calculate(question: str) -> Calculation | None:
    """The calculation that a question consists of; None where it is anything else, or too large to be one."""
    if len(question) > LONGEST or not re.search(r"[0-9０-９]", question):
        return None
    comma = detect_language(question) in COMMA
    plain = question.translate({0xFF10 + i: str(i) for i in range(10)}).strip().replace("％", "%")
    asked = _asks().match(plain)
    body = plain[asked.end() :] if asked else plain
    ending = _ENDS.search(body)
    if ending is None:
        return None
    wanted = bool(ending.group("equals")) or (
        asked is not None and asked.group().lower().startswith(("how much", "calc"))
    )
    expression = _expression(_numbers(body[: ending.start()].strip(), comma=comma))
    if not expression or (_NO_SUM.fullmatch(body[: ending.start()].strip()) and not wanted):
        return None
    return _calculated(expression, comma=comma)


@cache
def _asks() -> re.Pattern[str]:
    lists = word_lists(__file__, "arithmetic")
    leads, asks = ("|".join(lists.forms("asks", key)) for key in ("leads", "forms"))
    return lists.compile(rf"^[¿¡\s]*(?:(?:{leads})[\s,]+)*(?:{asks})(?=[\s\d(√−-]|$)\s*", "asks")


@cache
def _signs() -> dict[str, re.Pattern[str]]:
    """Return what is written in words for each sign."""
    lists = word_lists(__file__, "arithmetic")
    words = {sign: "|".join(lists.forms("signs", sign)) for sign in lists.table("signs")}
    return {sign: lists.compile(rf"\s*(?:{either})\s*", "signs", sign) for sign, either in words.items()}


def _numbers(text: str, *, comma: bool) -> str:
    """Numbers written as Python writes them: no marks between thousands, a point before decimals."""
    thousands, point = (".", ",") if comma else (",", ".")
    grouped = rf"(?<![\d.,])\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?![\d{re.escape(thousands)}])"
    text = re.sub(grouped, lambda m: m.group().replace(thousands, ""), text)
    return re.sub(rf"(?<=\d){re.escape(point)}(?=\d)", ".", text)


def _expression(text: str) -> str:
    """The text with signs for words; empty where anything else is left."""
    for pattern in (_PERCENT, _KOREAN_PERCENT):
        if match := pattern.match(text):
            return f"{match['share']} / 100 * {match['whole']}"
    for sign, words in _signs().items():
        text = words.sub(f" {sign} ", text)
    text = text.replace("^", "**")
    if any(len(number) > EXACT for number in _DECIMAL.findall(text)):
        return ""
    return " ".join(text.split()) if _PLAIN.fullmatch(text) and re.search(r"\d\D*[+\-*/]\D*\d", text) else ""


def _calculated(expression: str, *, comma: bool) -> Calculation | None:
    try:
        value = _value(ast.parse(expression, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
        return None
    result, rounded = _written(value)
    return Calculation(expression, result.replace(".", ",") if comma else result, rounded)


def _value(node: ast.expr) -> Fraction:
    """The value of a tree of numbers and of + - * / **. Raises ValueError for anything else and for what is too large."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return _bounded(Fraction(str(node.value)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        return _bounded(_combined(node.op, _value(node.left), _value(node.right)))
    raise ValueError("no plain arithmetic")


def _combined(sign: ast.operator, left: Fraction, right: Fraction) -> Fraction:
    match sign:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.Pow() if right.denominator == 1 and abs(right) <= POWER:
            return Fraction(left ** int(right))
    raise ValueError("no plain arithmetic")


def _bounded(value: Fraction) -> Fraction:
    if max(abs(value.numerator), value.denominator) >= 10**DIGITS:
        raise ValueError("too large")
    return value


def _written(value: Fraction) -> tuple[str, bool]:
    """The number in digits, and whether it was rounded."""
    if value.denominator == 1:
        return str(value.numerator), False
    text = f"{float(value):.{SHOWN}g}"
    return text, Fraction(text) != value
