"""The section for models: which one has which role, and the servers that they run on."""

from __future__ import annotations

import streamlit as st

from rag_graphs.ui.settings.field import field, mark
from rag_graphs.ui.settings.keys import address_field, complaint, key_field, take
from rag_graphs.ui.settings.model_list import forget_offers, offer
from rag_graphs.ui.shared import session, visit
from rag_graphs.views.render import text
from rag_graphs.views.settings_words import label
from rag_graphs.views.translation import _, plural

SERVERS = ("openai", "ollama")
LONGEST_NAME = 200
SHOWN = 6


def models_section() -> None:
    """Draw it."""
    roles, servers = st.columns(2, gap="large")
    with roles:
        st.subheader(_("Who does what"), anchor=False)
        own = {"builtin": _("Built-in engine")}
        _model("model", own)
        _model("model_generate", {"": _("The same model"), **own})
        _model("model_rewrite", {"": _("The same model"), **own})
        _model("embeddings", {"auto": _("Built-in, by language"), "minilm": "MiniLM", "e5": _("Multilingual E5")})
        st.caption(_("After another choice of embeddings, sources are indexed again when they are searched next."))
        field("temperature")
        field("timeout")
    with servers:
        st.subheader(_("Servers and keys"), anchor=False)
        with st.container(border=True, key="server_openai"):
            st.markdown(f"**{_('OpenAI, or any compatible server')}**")
            key_field("openai_api_key", "OpenAI")
            address_field("openai_base_url", "https://api.openai.com/v1")
            _offered("openai")
        with st.container(border=True, key="server_ollama"):
            st.markdown("**Ollama**")
            address_field("ollama_host", "http://127.0.0.1:11434")
            _offered("ollama")


def _model(name: str, own: dict[str, str]) -> None:
    """One role: who does it, and the name of the model where that is a server."""
    titles = {**own, "openai": _("OpenAI or compatible"), "ollama": "Ollama"}
    saved = str(getattr(session.settings(), name))
    provider = visit.providers.get().get(name) or saved.partition(":")[0]
    choice = visit.provider(name)
    choice.set(provider)
    with st.container(key=f"field_{name}", gap="small"):
        left, right = st.columns([5, 6], gap="small", vertical_alignment="bottom")
        left.selectbox(
            label(name),
            list(titles),
            format_func=titles.__getitem__,
            key=choice.key,
            on_change=_take_provider,
            args=(name,),
        )
        if provider in SERVERS:
            with right:
                _name_box(name, provider, saved)
        complaint(name)
        mark(name)


def _name_box(name: str, provider: str, saved: str) -> None:
    current = saved.partition(":")[2] if saved.startswith(f"{provider}:") else None
    names = list(dict.fromkeys([*offer(provider).names, *([current] if current else [])]))
    choice = visit.model_name(name, provider)
    choice.set(current)
    st.selectbox(
        _("Model for “{role}”").format(role=label(name)),
        names,
        index=None,
        key=choice.key,
        accept_new_options=True,
        label_visibility="collapsed",
        placeholder=_("Choose or write the model's name"),
        on_change=_take_name,
        args=(name, provider),
    )


def _take_provider(name: str) -> None:
    provider = visit.provider(name).get()
    saved = str(getattr(session.settings(), name))
    pending = provider in SERVERS and not saved.startswith(f"{provider}:")
    # without the model's name there is nothing to keep yet
    visit.providers.get_kept()[name] = provider if pending else ""
    if provider not in SERVERS:
        take(name, provider)


def _take_name(name: str, provider: str) -> None:
    model = (visit.model_name(name, provider).get() or "").strip()[:LONGEST_NAME]
    if model:
        visit.providers.get_kept()[name] = ""
        take(name, f"{provider}:{model}")


def _offered(protocol: str) -> None:
    """What the server answers when it is asked for its models. It is asked only where it matters."""
    if not _in_use(protocol):
        return
    found = offer(protocol)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(_answer(found), unsafe_allow_html=True, width="stretch")
        st.button(_("Ask again"), type="tertiary", key=f"ask_{protocol}", on_click=forget_offers)


def _in_use(protocol: str) -> bool:
    settings = session.settings()
    chosen = [settings.model, settings.model_generate, settings.model_rewrite, settings.embeddings]
    pending = visit.providers.get().values()
    return any(c.startswith(f"{protocol}:") for c in chosen) or protocol in pending


def _answer(found: visit.OfferedModels) -> str:
    if found.problem:
        return f'<p class="key no"><b>✕</b> {text(found.problem)}</p>'
    said = plural(len(found.names), "It offers {n} model", "It offers {n} models")
    some = ", ".join(found.names[:SHOWN]) + (" …" if len(found.names) > SHOWN else "")
    return f'<p class="key yes"><b>✓</b> {text(f"{said}: {some}" if some else said)}</p>'
