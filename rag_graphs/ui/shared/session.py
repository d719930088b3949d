"""This visitor: who they are, which sources they have, what they chose. And the workspace that all visitors share."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from rag_graphs import KEYS, PACES, Allowance, Settings, Workspace, allowance, load_settings, open_workspace
from rag_graphs.ui.shared import visit
from rag_graphs.ui.shared.session_keys import own_keys

VISITOR_COOKIE = "rag_visitor"
OWN_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
VISITOR_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@st.cache_resource(show_spinner=False)
def workspace() -> Workspace:
    """The workspace of this process. It is shared by all visitors and holds nobody's key."""
    return open_workspace(load_settings())


def visitor_id() -> str:
    """This browser's random name from its cookie, or a name for this tab alone where there is no cookie."""
    if not visit.visitor_id.is_set():
        given = st.context.cookies.get(VISITOR_COOKIE, "")
        visit.visitor_id.set(given if VISITOR_ID.fullmatch(given) else token_urlsafe(18))
    return visit.visitor_id.get()


def is_known() -> bool:
    """Does this browser have a name of its own? Only `python -m rag_graphs serve` gives it one."""
    return bool(VISITOR_ID.fullmatch(st.context.cookies.get(VISITOR_COOKIE, "")))


def source_ids() -> list[str]:
    """The ids of this visitor's sources, in the order in which they were added."""
    if not visit.source_ids.is_set():
        visit.source_ids.set(workspace().store.shelf(visitor_id()))
    return list(visit.source_ids.get())


def add_sources(ids: Iterable[str]) -> None:
    """Put sources into this visitor's library; those that are there already stay where they are."""
    visit.source_ids.set(workspace().store.change_shelf(visitor_id(), add=ids))


def remove_sources(ids: Iterable[str]) -> None:
    """Take sources out of this visitor's library."""
    visit.source_ids.set(workspace().store.change_shelf(visitor_id(), remove=ids))


def settings() -> Settings:
    """This visitor's settings: the server's, changed by what they chose on the page, with their keys."""
    return _allowance(choices()).settings


def defaults() -> Settings:
    """The settings of a visitor who has chosen nothing yet."""
    return _allowance({}).settings


def notes() -> tuple[str, ...]:
    """What this server keeps from its visitors, in sentences; empty where nothing of it is missed."""
    return _allowance(choices()).notes


def _allowance(chosen: Mapping[str, Any]) -> Allowance:
    """Worked out anew only when something changed: a page asks for it dozens of times."""
    server = _server()
    slow = {} if "pace" in server.model_fields_set else {"pace": PACES["calm"]}
    asked = (server, {**slow, **chosen}, own_keys(), is_local())
    known = visit.allowances.get()
    found = next((answer for question, answer in known if question == asked), None)
    if found is None:
        found = allowance(*asked[:3], local=asked[3])
        visit.allowances.set([(asked, found), *known[:1]])
    return found


def _server() -> Settings:
    """The server's settings, read at most once a second."""
    known = visit.server_settings.get()
    if known is None or time.monotonic() - known[0] > 1:
        known = (time.monotonic(), load_settings())
        visit.server_settings.set(known)
    return known[1]


def is_local() -> bool:
    """Does the server listen to its own machine alone, and does this visitor sit there? A proxy in front of it passes on
    what the browser asked for, so the names in the request have to be the machine's own, too."""
    headers = st.context.headers
    asked = [headers.get("Origin") or "", f"//{headers.get('Host') or 'localhost'}"]
    forwarded = any(name in headers for name in ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"))
    names = [str(st.get_option("server.address")), *(urlsplit(address).hostname or "" for address in asked if address)]
    return not forwarded and all(name in OWN_MACHINE for name in names)


def choose(**values: Any) -> None:
    """Change some of this visitor's settings. They are kept for the next visit: never give a key to this function. Raises
    SettingsError for a value that no setting takes; then nothing has changed."""
    if secret := set(values) & set(KEYS):
        raise ValueError(f"{', '.join(sorted(secret))}: keys are not kept")
    _server().change(**values)
    _keep({**_kept_choices(), **values})


def reset(*names: str) -> None:
    """Take choices back; without names, all of them."""
    _keep({n: v for n, v in _kept_choices().items() if names and n not in names})


def choices() -> dict[str, Any]:
    """What this visitor chose on the page, by setting."""
    if not visit.choices.is_set():
        visit.choices.set(_kept_choices())
    return dict(visit.choices.get())


def _kept_choices() -> dict[str, Any]:
    """What is kept: another tab of this visitor may have chosen since this one has read it."""
    return workspace().store.choices(visitor_id())


def _keep(chosen: dict[str, Any]) -> None:
    visit.choices.set(chosen)
    workspace().store.save_choices(visitor_id(), chosen)


def bound(name: str) -> dict[str, Any]:
    """Arguments for a widget that shows and changes one setting: `st.slider(label, 1, 20, **bound("k"))`.

    The widget's value is set on every run, so that it also shows a change that was made elsewhere, and survives a change
    of page, when Streamlit forgets the widget.
    """
    widget = visit.setting(name)
    widget.set(getattr(settings(), name))
    return {"key": widget.key, "on_change": _keep_choice, "args": (name,)}


def _keep_choice(name: str) -> None:
    choose(**{name: visit.setting(name).get()})
