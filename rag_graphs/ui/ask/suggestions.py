"""Questions to try: those of the strategy that fit the sample library, or some made from the visitor's own pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs import Example, Strategy
from rag_graphs.samples import suggestions as samples_for
from rag_graphs.ui.ask.asking import in_words, wish
from rag_graphs.views.render import markdown, text
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from rag_graphs import LoadedSource

MOST = 12
BREAK = re.compile(r"\s+[|–—-]\s+|[:–—|]\s")


def suggestions(strategy: Strategy, sources: Sequence[LoadedSource]) -> list[Example]:
    """Up to MOST questions. Those of the samples carry settings; those from titles do not."""
    collections = {s.collection for s in sources if s.collection}
    own = [s for s in sources if not s.collection]
    examples = samples_for(strategy, collections)[:MOST] if collections else []
    return examples or [_about(s.title) for s in own if subject(s.title)][:MOST]


def _about(title: str) -> Example:
    question = _("What is {subject}?").format(subject=subject(title))
    shows = _("Asks about a page that you loaded: {title}").format(title=title)
    return Example(question=question, collections=(), shows=shows, path=(), stop_reason="")


def subject(title: str) -> str:
    """What a page is about, from its title: the part before the name of its site, short enough to ask about."""
    first = BREAK.split(title.strip())[0].strip(" .?!")
    return first if 2 <= len(first) <= 60 else ""


def _help(example: Example) -> str:
    """What the question shows, and which settings its run alone has."""
    if not example.settings:
        return example.shows
    return example.shows + " " + _("For this run only: {changes}.").format(changes=in_words(dict(example.settings)))


def suggestion_pills(examples: Sequence[Example]) -> None:
    """Draw them. A click asks at once, with the settings that the example carries."""
    if not examples:
        return
    st.markdown(f'<p class="try">{text(_("Try one of these"))}</p>', unsafe_allow_html=True)
    with st.container(horizontal=True, gap="small", key="suggestions"):
        for number, example in enumerate(examples):
            st.button(
                markdown(example.question),
                key=f"suggestion_{number}",
                help=markdown(_help(example)),
                icon=":material/tune:" if example.settings else None,
                on_click=partial(wish, example.question, dict(example.settings)),
            )
