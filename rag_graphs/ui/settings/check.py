"""The check of the set-up on the page: each service tried, with progress, and a row of words for each."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Check, planned, tried
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.empty_places import place
from rag_graphs.ui.shared.session_keys import own_keys
from rag_graphs.views.render import text
from rag_graphs.views.translation import _, plural


def wish_check() -> None:
    """Try everything when the page runs next."""
    visit.check_wished.set(True)


def check_panel() -> None:
    """Try what is wished to be tried, and show what was found out last."""
    progress = st.empty()
    if visit.check_wished.take():
        _try(progress)
    found = visit.checked.get()
    with place(bool(found)):
        if not found:
            return
        st.markdown(_table(found), unsafe_allow_html=True)
        if visit.checked_with.get() != _set_up():
            st.caption(_("This was found out before your last change. Check again to know whether it still holds."))


def _try(slot: DeltaGenerator) -> None:
    settings = session.settings()
    checks = planned(settings, session.workspace().folder)
    results: list[Check] = []
    for number, check in enumerate(checks):
        said = _("{n} of {total}: {what}").format(n=number + 1, total=len(checks), what=_(check.title))
        slot.progress(number / len(checks), text=said)
        results += tried([check])
    slot.empty()
    # without their attempts: those hold the settings, and with them a key
    visit.checked.set([r.told() for r in results])
    visit.checked_with.set(_set_up())


def _set_up() -> tuple[object, ...]:
    return (*sorted(own_keys()), str(session.settings().public()))


def _table(found: list[Check]) -> str:
    failed = sum(not c.ok for c in found)
    said = (
        plural(failed, "{n} of {total} does not work", "{n} of {total} do not work", total=len(found))
        if failed
        else _("Everything that is set up works")
    )
    rows = "".join(_row(c) for c in found)
    return f'<div class="checks x" role="table" aria-label="{text(said)}"><p><b>{text(said)}</b></p>{rows}</div>'


def _row(check: Check) -> str:
    kind, mark, word = ("yes", "✓", _("works")) if check.ok else ("no", "✕", _("does not work"))
    return (
        f'<div class="row" role="row"><span class="mark {kind}" role="cell" aria-label="{text(word)}">{mark}</span>'
        f'<span class="what" role="rowheader">{text(_(check.title))}</span>'
        f'<span role="cell">{text(check.message)}</span></div>'
    )
