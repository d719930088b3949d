"""A calm note where a strategy that is made for one's own machine would run on someone else's."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

import streamlit as st

from rag_graphs import Settings, Strategy
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.views.render import text
from rag_graphs.views.translation import _

USUAL = {"openai": "https://api.openai.com/v1", "ollama": "http://127.0.0.1:11434"}


def local_note(chosen: Strategy) -> None:
    """Draw it, if it is needed for the next run."""
    elsewhere = public_hosts(session.settings()) if chosen.local else []
    with place(bool(elsewhere)):
        if elsewhere:
            words = _(
                "This strategy is made for models on your own machine. As set up, questions and documents go to {hosts}; another "
                "model can be chosen under Settings."
            )
            said = words.format(hosts=_(" and ").join(elsewhere))
            st.markdown(f'<div class="hint local">{text(said)}</div>', unsafe_allow_html=True)


def public_hosts(settings: Settings) -> list[str]:
    """The hosts beyond this machine and its network to which a run would send questions and documents."""
    models = {settings.model_for(role) for role in ("grade", "generate", "rewrite")} | {settings.embeddings}
    addresses = {"openai": settings.openai_base_url, "ollama": settings.ollama_host}
    used = sorted({name.partition(":")[0] for name in models} & set(addresses))
    hosts = [_host(addresses[provider] or USUAL[provider]) for provider in used]
    return [host for host in dict.fromkeys(hosts) if host and not _is_near(host)]


def _host(address: str) -> str:
    try:
        return urlsplit(address if "://" in address else f"http://{address}").hostname or ""
    except ValueError:
        return ""


def _is_near(host: str) -> bool:
    """Does this name or number belong to the machine or to the network around it?"""
    try:
        return not ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".localhost", ".lan", ".internal", ".home.arpa"))
