"""Fields for keys and addresses. A key is never filled in again and never shown; an address of the server's that holds a
password is shown without it."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from rag_graphs import SettingsError
from rag_graphs.ui.settings.field import mark
from rag_graphs.ui.settings.model_list import forget_offers
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.session_keys import enter_key, forget_key, has_key
from rag_graphs.views.render import text
from rag_graphs.views.settings_words import label
from rag_graphs.views.translation import _

LONGEST_KEY = 400
LONGEST_ADDRESS = 500


def key_field(name: str, service: str) -> None:
    """Whether there is a key for a service, a place to enter one, and a way to forget it."""
    with st.container(key=f"key_{name}", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(_state(name, service), unsafe_allow_html=True, width="content")
            if has_key(name):
                label_ = _("Forget the key")
                st.button(label_, type="tertiary", key=f"forget_{name}", on_click=_forget, args=(name,))
        with (
            st.form(f"form_{name}", clear_on_submit=True, border=False),
            st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
        ):
            st.text_input(
                _("Key for {service}").format(service=service),
                type="password",
                key=visit.typed(name).key,
                max_chars=LONGEST_KEY,
                autocomplete="off",
                placeholder=_("Paste another key") if has_key(name) else _("Paste a key"),
            )
            st.form_submit_button(_("Use this key"), key=f"use_{name}", on_click=_take_key, args=(name,))
        complaint(name)


def _state(name: str, service: str) -> str:
    if has_key(name):
        said = _("Set, in the memory of this session only.")
        return f'<p class="key yes"><b>✓</b> {text(said)}</p>'
    if getattr(session.settings(), name):
        said = _("The server's own key is used.")
        return f'<p class="key yes"><b>✓</b> {text(said)}</p>'
    return f'<p class="key">{text(_("No key for {service}.").format(service=service))}</p>'


def _take_key(name: str) -> None:
    box = visit.typed(name)
    key = box.get().strip()
    box.set("")
    if not key:
        _complain(name, _("Paste a key first."))
    elif not (key.isascii() and key.isprintable() and " " not in key):
        _complain(name, _("This holds a space or a letter that no key has. Paste it again."))
    else:
        enter_key(name, key)
        forget_offers()
        _complain(name, "")


def _forget(name: str) -> None:
    forget_key(name)
    forget_offers()


def address_field(name: str, usual: str) -> None:
    """The address of a service. `usual`: where it is looked for if nobody names another."""
    chosen = str(session.choices().get(name, ""))
    box = visit.typed(name)
    box.set(chosen)
    server = str(session.defaults().public()[name])
    st.text_input(
        label(name),
        key=box.key,
        max_chars=LONGEST_ADDRESS,
        placeholder=server or usual,
        on_change=_take_address,
        args=(name,),
    )
    complaint(name)
    if chosen:
        mark(name, server or usual)


def _take_address(name: str) -> None:
    address = visit.typed(name).get().strip()
    forget_offers()
    if wrong := wrong_address(address):
        _complain(name, wrong)
        return
    _complain(name, "")
    session.choose(**{name: address}) if address else session.reset(name)


def wrong_address(address: str) -> str:
    """What is wrong with an address as it was typed, in words; "" where nothing is. What is typed here is kept, so it may
    hold no password."""
    if not address:
        return ""
    try:
        parts = urlsplit(address if "://" in address else f"http://{address}")
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable, parts = False, urlsplit("")
    if not usable or any(c.isspace() for c in address):
        return _("This is no web address. Write it like http://localhost:8000/v1.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        return _("Leave out the name, password or key: enter a key in its own field, where it is not kept.")
    return ""


def take(name: str, value: str) -> None:
    """Choose a value that was typed; what is wrong with it is said below its field."""
    try:
        session.choose(**{name: value})
    except SettingsError as error:
        _complain(name, str(error))
    else:
        _complain(name, "")


def _complain(name: str, words: str) -> None:
    visit.complaints.get_kept()[name] = words


def complaint(name: str) -> None:
    if words := visit.complaints.get().get(name, ""):
        st.markdown(f'<p class="complaint">{text(words)}</p>', unsafe_allow_html=True)
