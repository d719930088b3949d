"""Parsing a page, removing what is not its text, and finding its main part."""

from __future__ import annotations

import re
from typing import Any

from rag_graphs.library.read.guard import bound_tags

Element = Any
"""An lxml element; lxml is typed loosely and imported late."""

_DROP = (
    "//script|//style|//noscript|//template|//nav|//footer|//iframe|//object|//embed|//svg|//canvas|//button|//input|//select"
    "|//textarea|//dialog|//audio|//video|//map|//link|//meta|//comment()|//processing-instruction()"
)
_DROP_MARKED = (
    '//*[@hidden or @aria-hidden="true" or @role="navigation" or @role="banner" or @role="contentinfo" or @role="search"'
    ' or @role="dialog" or @role="alertdialog" or @role="complementary" or @role="menu" or @role="menubar"'
    ' or @role="toolbar" or @role="tablist" or contains(translate(@style, " ", ""), "display:none")]'
)
_OUTSIDE = "//*[self::aside or self::header][not(ancestor::main or ancestor::article or ancestor::*[@role='main'])]"
_CLUTTER = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|breadcrumbs?|sidebar|sphinxsidebar|navbar|navigation|pagination|pager|share|sharing|"
    r"social|newsletter|subscribe|advert|advertisement|ads|promo|related|skip-?link|skip-?to-?content|headerlink|"
    r"mw-editsection|viewcode-link|copybutton|linenos|toc|table-of-contents|popup|modal|banner|menu|masthead)(?:$|[\s_-])",
    re.IGNORECASE,
)
_CONTAINERS = frozenset(
    ("div", "form", "table", "tbody", "tr", "td", "center", "ul", "aside", "header", "article", "main")
)
_MIN_MAIN = 200  # characters
MAX_LOCATED = 20_000  # elements; with more, trafilatura takes too long


def parse(html: str) -> Element | None:
    """Return the document's root element, or None if there is nothing to parse. Nesting beyond 255 levels is flattened."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    clean = bound_tags(html.replace("\0", "")).encode("utf-8", "replace")
    try:
        return etree.fromstring(clean, parser)
    except etree.XMLSyntaxError:
        return None


def text_of(element: Element) -> str:
    """Return all text inside an element, with white space collapsed."""
    return " ".join("".join(element.itertext()).split())


def prune(root: Element) -> None:
    """Remove what is not the page's text: scripts, navigation, cookie bars, footers, hidden elements, permalinks at headings."""
    for path in (_DROP, _DROP_MARKED, _OUTSIDE):
        for element in root.xpath(path):
            if not (element.tag == "header" and element.xpath(".//h1")):
                _remove(element)
    whole = len(text_of(root))
    for element in root.xpath("//*[@class or @id]"):
        # a section of the text itself may have an id such as "cookie-objects"
        marks = f"{element.get('class', '')} {element.get('id', '') if element.tag in _CONTAINERS else ''}"
        if element.tag in ("html", "body", "main", "article") or not _CLUTTER.search(marks):
            continue
        if element.tag in ("a", "span") or 2 * len(text_of(element)) < whole:
            _remove(element)


def _remove(element: Element) -> None:
    """Remove an element, but keep the text that follows it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def main_part(root: Element) -> tuple[Element, bool]:
    """Return the element with the main text, and whether the page itself marks it (main, role=main, article)."""
    body = root if root.tag == "body" else next(iter(root.xpath("//body")), root)
    whole = len(text_of(body))
    for path in ('//main|//*[@role="main"]', "//article"):
        named = sorted(root.xpath(path), key=lambda e: len(text_of(e)), reverse=True)
        size = len(text_of(named[0])) if named else 0
        if (size >= _MIN_MAIN and 2 * size >= whole) or (named and size >= 0.8 * whole > 0):
            return named[0], True
        if named and path.startswith("//main") and size >= _MIN_MAIN:
            return named[0], True
    return _locate(body), False


def _locate(body: Element) -> Element:
    """Return the smallest element that holds at least 90 % of the lines that trafilatura takes for the main text."""
    if sum(1 for _ in body.iter()) > MAX_LOCATED:
        return body
    import trafilatura
    from lxml import etree

    text = trafilatura.extract(etree.tostring(body, encoding="unicode"), include_comments=False, favor_recall=True)
    lines = [key for line in (text or "").splitlines() if len(key := _key(line)) >= 20]
    if not lines:
        return body
    here = body
    while True:
        containers = (c for c in here if c.tag in _CONTAINERS or c.tag == "section")
        inner = next((c for c in containers if _holds(c, lines)), None)
        if inner is None:
            return here
        here = inner


def _holds(element: Element, lines: list[str]) -> bool:
    text = _key("".join(element.itertext()))
    return sum(line in text for line in lines) >= 0.9 * len(lines)


def _key(text: str) -> str:
    """Return the letters and digits of a text, so that texts can be compared despite different marks and spaces."""
    return re.sub(r"[\W_]+", "", text)[:4_000_000]
