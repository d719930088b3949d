"""Recognising headings and list items of a Word document by its styles."""

from __future__ import annotations

import re
from typing import Any

Element = Any
"""An lxml element of python-docx."""

_LIST = re.compile(r"list (bullet|number|paragraph)|aufzählung|liste", re.IGNORECASE)
_DEEPEST = 20  # styles in a chain of styles based on one another


def local(element: Element) -> str:
    """Return an element's name without its namespace; "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def value_of(element: Element, name: str = "val") -> str:
    """Return an attribute by its name without namespace, or ""."""
    return next((str(v) for k, v in element.attrib.items() if k.rpartition("}")[2] == name), "")


class Styles:
    """The styles of a document, by id. Word writes built-in names such as "heading 1" in English in every language."""

    def __init__(self, document: Any) -> None:
        self._elements: dict[str, Element] = {
            value_of(s, "styleId"): s for s in document.styles.element if local(s) == "style"
        }

    def heading(self, paragraph: Element) -> int:
        """Return the level of a heading, 1 to 6; 0 for other paragraphs. A title has level 1."""
        for properties, name in self._chain(paragraph):
            outline = _property(properties, "outlineLvl")
            if outline.isdigit():
                return int(outline) + 1 if int(outline) < 6 else 0
            if named := re.fullmatch(r"heading (\d)", name):
                return min(6, max(1, int(named[1])))
            if name == "title":
                return 1
        return 0

    def item(self, paragraph: Element) -> int | None:
        """Return the indentation of a list item, from 0; None for other paragraphs."""
        for properties, name in self._chain(paragraph):
            numbering = _child(properties, "numPr")
            if numbering is not None:
                level = _property(numbering, "ilvl")
                return None if _property(numbering, "numId") == "0" else min(8, int(level)) if level.isdigit() else 0
            if _LIST.match(name) and name != "list paragraph":
                return 0
        return None

    def _chain(self, paragraph: Element) -> list[tuple[Element | None, str]]:
        """Return the paragraph's own properties, then those of its style and of the styles it is based on, each with the
        style's name."""
        own = _child(paragraph, "pPr")
        chain: list[tuple[Element | None, str]] = [(own, "")]
        style = self._elements.get(_property(own, "pStyle"))
        while style is not None and len(chain) < _DEEPEST:
            chain.append((_child(style, "pPr"), _property(style, "name").casefold()))
            style = self._elements.get(_property(style, "basedOn"))
        return chain


def _child(element: Element | None, name: str) -> Element | None:
    return None if element is None else next((c for c in element if local(c) == name), None)


def _property(element: Element | None, name: str) -> str:
    child = _child(element, name)
    return "" if child is None else value_of(child)
