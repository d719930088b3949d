"""The Add sources panel: by address, as files, as pasted text, from the sample collections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.samples import collections
from rag_graphs.samples.starters import Starter, starters
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.visit import Job
from rag_graphs.ui.sources.files import by_file
from rag_graphs.ui.sources.queue import complain, page_state, start
from rag_graphs.views.languages import language_name
from rag_graphs.views.render import text
from rag_graphs.views.sources_words import MOST_ADDRESSES, addresses, complete_collections
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from rag_graphs import LoadedSource
    from rag_graphs.samples import Collection

WAYS = {"address": "Web addresses", "file": "Files", "text": "Text", "samples": "Samples"}
LONGEST_TEXT = 500_000
LONGEST_TITLE = 200


def add_panel(sources: Sequence[LoadedSource], *, first: bool) -> None:
    """Draw the panel. `sources`: what is loaded; `first`: nothing is, and nothing waits."""
    with st.container(border=True, key="add_panel"):
        way = st.segmented_control(
            _("What to add"),
            list(WAYS),
            default="samples" if first else "address",
            required=True,
            format_func=lambda key: _(WAYS[key]),
            label_visibility="collapsed",
            key="add_way",
            persist_state="session",
        )
        if way == "samples":
            _samples(complete_collections(sources))
        elif way == "text":
            _by_text()
        elif way == "file":
            by_file()
        else:
            _by_address()
        _complaint()


def _by_address() -> None:
    st.text_area(
        _("Addresses, one or many"),
        key=visit.add_addresses.key,
        height=140,
        max_chars=20_000,
        placeholder="https://example.org/one\nhttps://example.org/two",
        persist_state="session",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="starters"):
        st.markdown(_("Starter lists:"), width="content")
        for starter in starters():
            st.button(
                _(starter.title),
                key=f"starter_{starter.key}",
                type="tertiary",
                icon=":material/playlist_add:",
                help=_("Put {addresses} into the field: {summary}").format(
                    addresses=plural(len(starter.addresses), "{n} address", "{n} addresses"), summary=_(starter.summary)
                ),
                on_click=_fill,
                args=(starter,),
            )
    st.caption(_("Public web pages, PDF and Word files, plain text or Markdown. One bad address harms no other."))
    st.button(_("Load these pages"), type="primary", icon=":material/download:", on_click=_load_addresses)


def _fill(starter: Starter) -> None:
    """Add a list's addresses to the field. Nothing is fetched before someone presses Load."""
    found = dict.fromkeys([*addresses(visit.add_addresses.get()), *starter.addresses])
    visit.add_addresses.set("\n".join(found))


def _load_addresses() -> None:
    found = addresses(visit.add_addresses.get())
    if not found:
        complain(_("There is no address yet. Paste one or more, for example https://example.org/page."))
    elif len(found) > MOST_ADDRESSES:
        complain(
            _("These are {n} addresses; {most} are the most at a time. Load them in parts.").format(
                n=len(found), most=MOST_ADDRESSES
            )
        )
    elif start([Job(kind="address", what=address) for address in found]):
        visit.add_addresses.set("")


def _by_text() -> None:
    st.text_input(_("Title"), key=visit.add_title.key, max_chars=LONGEST_TITLE, persist_state="session")
    st.text_area(
        _("Text"),
        key=visit.add_text.key,
        height=220,
        max_chars=LONGEST_TEXT,
        persist_state="session",
    )
    st.caption(_("Plain text or Markdown. Lines that begin with # become the headings of the chunks below them."))
    st.button(_("Load this text"), type="primary", icon=":material/download:", on_click=_load_text)


def _load_text() -> None:
    text, title = visit.add_text.get(), visit.add_title.get().strip()
    if not text.strip():
        complain(_("There is no text yet. Paste or write some."))
        return
    if start([Job(kind="text", what=text, title=title or _first_words(text))]):
        visit.add_text.set("")
        visit.add_title.set("")


def _first_words(text: str) -> str:
    return " ".join(text.split()[:8]).lstrip("# ")[:LONGEST_TITLE]


def _samples(loaded: set[str]) -> None:
    offered = collections()
    missing = [c for key, c in offered.items() if key not in loaded]
    pages = sum(len(c.pages) for c in missing)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(
            _("Short pages, written for this program. Each collection comes with questions that suit it."),
            width="content",
        )
        st.button(
            _("Load all samples ({pages})").format(pages=plural(pages, "{n} page", "{n} pages")),
            type="primary",
            icon=":material/download:",
            disabled=not missing,
            on_click=_load_samples,
            args=(missing,),
        )
    for key, collection in offered.items():
        _sample(collection, there=key in loaded)


def _sample(collection: Collection, *, there: bool) -> None:
    pages = plural(len(collection.pages), "{n} page", "{n} pages")
    languages = ", ".join(sorted({language_name(page.language) for page in collection.pages}))
    with st.container(horizontal=True, vertical_alignment="center", key=f"sample_{collection.key}", wrap=False):
        st.html(
            f'<div class="src-sample"><b>{text(collection.title)}</b>'
            f'<span class="m">{text(languages)} · {text(pages)}</span><div>{text(collection.summary)}</div></div>'
        )
        st.button(
            _("✓ loaded") if there else _("Load {pages}").format(pages=pages),
            key=f"load_{collection.key}",
            disabled=there,
            on_click=_load_samples,
            args=([collection],),
        )


def _load_samples(wanted: Sequence[Collection]) -> None:
    start([Job(kind="samples", what=c.key, title=c.title) for c in wanted])


def _complaint() -> None:
    """What was wrong with the last try, until the next click. A page that loads runs again without one."""
    state = page_state()
    if state.complaint:
        st.warning(state.complaint, icon=":material/info:")
        if not state.waiting:
            state.complaint = ""
