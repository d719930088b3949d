"""Reading an HTML page: its main text as Markdown, its title and language, and its looks for the junk check."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rag_graphs.library.read.html_markdown import to_markdown
from rag_graphs.library.read.inline import inline, one_line
from rag_graphs.library.read.junk import Look
from rag_graphs.library.read.page import Element, main_part, parse, prune, text_of

_SHELL_IDS = frozenset(("root", "app", "__next", "__nuxt", "svelte", "main-app"))


@dataclass(frozen=True, kw_only=True)
class HtmlPage:
    """What was read from an HTML page. `language`: the one that the page states, or ""."""

    title: str
    text: str
    language: str
    look: Look


def read_html(html: str) -> HtmlPage:
    """Read an HTML page. It raises for no markup; a page without text has an empty one."""
    root = parse(html)
    if root is None:
        return HtmlPage(title="", text="", language="", look=Look(title="", text=""))
    names = _titles(root)
    look = _look(root)
    language = _language(root)
    prune(root)
    element, _ = main_part(root)
    text = to_markdown(element)
    first = next((one_line(inline(h)) for h in [*element.iter("h1"), *root.iter("h1")]), "")
    title = _choose(first.replace("`", ""), *names)
    return HtmlPage(title=title, text=text, language=language, look=replace(look, title=title, text=text))


def _titles(root: Element) -> tuple[str, str]:
    """Return the title for sharing (og:title) and the title of the window."""
    shared = next(iter(root.xpath("//meta[@property='og:title']/@content")), "")
    window = next((text_of(t) for t in root.xpath("//title")), "")
    return one_line(shared), window


def _choose(heading: str, shared: str, window: str) -> str:
    """Choose the page's title: the first heading if one of the other titles contains it, since those often add the site's
    name; else the title for sharing."""
    titles = f"{shared}\n{window}".casefold()
    if heading and (heading.casefold() in titles or not titles.strip()):
        return heading
    return shared or window or heading


def _language(root: Element) -> str:
    stated = next(iter(root.xpath("/html/@lang | /html/@xml:lang | //body/@lang")), "")
    match = re.match(r"[a-z]{2}(?=$|[-_])", stated.strip().lower())
    return match[0] if match else ""


def _look(root: Element) -> Look:
    """Collect what the junk check needs from the markup, before it is pruned."""
    refresh = next(iter(root.xpath("//meta[translate(@http-equiv, 'REFSH', 'refsh')='refresh']/@content")), "")
    forward = re.search(r"url\s*=\s*['\"]?([^'\"]+)", refresh, re.IGNORECASE)
    shell = any(not text_of(e) for e in root.xpath("//body//div[@id]") if e.get("id") in _SHELL_IDS)
    for script in root.xpath("//script|//style"):
        script.text = ""
    return Look(
        title="",
        text="",
        everything=text_of(root)[:5000],
        scripts=len(root.xpath("//script[not(@type) or contains(@type, 'javascript') or @type='module']")),
        wants_javascript=shell,
        password_field=bool(root.xpath("//input[@type='password']")),
        forwards_to=forward[1].strip() if forward else "",
    )
