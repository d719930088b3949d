"""The head of the Settings page: its title, the check, the way back to the defaults, the sections."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from rag_graphs import Settings
from rag_graphs.ui.settings.check import wish_check
from rag_graphs.ui.settings.model_list import forget_offers
from rag_graphs.ui.settings.prompts import forget_drafts, replaced
from rag_graphs.ui.shared import session, visit
from rag_graphs.views.render import markdown
from rag_graphs.views.settings_words import PLACED, sections
from rag_graphs.views.translation import _, plural

MODELS = ("model", "model_generate", "model_rewrite", "embeddings", "openai_base_url", "ollama_host")


def head() -> None:
    """Draw the title and the buttons."""
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="settings_head"
    ):
        with st.container(width="content", gap="small", key="settings_title"):
            st.header(_("Settings"), anchor=False)
            st.caption(_("They hold from the next run on and are remembered for this browser, except keys."))
        with st.container(horizontal=True, width="content", gap="small", key="settings_buttons"):
            number = len(all_changed())
            if number:
                _reset_all(number)
            st.button(
                _("Check my set-up"),
                type="primary",
                icon=":material/fact_check:",
                key="check_set_up",
                on_click=wish_check,
            )


def _reset_all(number: int) -> None:
    with st.popover(_("Reset all"), icon=":material/restart_alt:", key="reset_all_asked"):
        st.markdown(
            plural(
                number,
                "{n} setting goes back to its default. Keys stay.",
                "{n} settings go back to their defaults. Keys stay.",
            )
        )
        st.button(_("Reset them"), key="reset_all", on_click=_forget_everything)


def _forget_everything() -> None:
    session.reset()
    forget_drafts()
    forget_offers()
    visit.providers.forget()
    visit.complaints.forget()


def notes(said: Sequence[str]) -> None:
    """What the server keeps from its visitors."""
    for note in said:
        st.info(markdown(note), icon=":material/info:")


def section() -> str:
    """The section that is shown; each says how much of it was changed."""
    different = all_changed()
    titles = {key: _title(key, title, different) for key, title in sections().items()}
    return (
        st.segmented_control(
            _("Section"),
            list(titles),
            default="models",
            required=True,
            format_func=titles.__getitem__,
            key="settings_section",
            label_visibility="collapsed",
            persist_state="session",
        )
        or "models"
    )


def _title(key: str, title: str, different: set[str]) -> str:
    number = len(different.intersection(in_section(key))) if key != "prompts" else len(replaced())
    return f"{title} · {plural(number, '{n} changed', '{n} changed')}" if number else title


def in_section(key: str) -> tuple[str, ...]:
    """The settings of a section."""
    extra = {"models": MODELS, "search": ("tavily_base_url",), "prompts": ("prompts",)}
    return (*PLACED.get(key, ()), *extra.get(key, ()))


def all_changed() -> set[str]:
    """Every setting of this visitor that differs from what they would begin with."""
    own, first = session.settings(), session.defaults()
    known = [name for name in session.choices() if name in Settings.model_fields]
    return {name for name in known if getattr(own, name) != getattr(first, name)}
