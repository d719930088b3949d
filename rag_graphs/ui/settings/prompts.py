"""The section for prompts: each readable and editable, its variables checked when it is kept."""

from __future__ import annotations

import streamlit as st

from rag_graphs import PROMPTS, SettingsError, check_prompt
from rag_graphs.ui.shared import session, visit
from rag_graphs.views.render import markdown, text
from rag_graphs.views.translation import _, plural

LONGEST = 20_000


def replaced() -> dict[str, str]:
    """The prompts that this visitor replaced, by role."""
    return {role: words for role, words in session.settings().prompts.items() if role in PROMPTS}


def prompts_section() -> None:
    """Draw it."""
    own = replaced()
    titles = {role: _title(role, own) for role in PROMPTS}
    choose, edit = st.columns([4, 7], gap="large")
    with choose:
        role = st.radio(
            _("Prompt"),
            list(PROMPTS),
            format_func=titles.__getitem__,
            key="prompt_role",
            persist_state="session",
        )
        if own:
            said = plural(len(own), "Reset {n} changed prompt", "Reset all {n} changed prompts")
            st.button(said, key="reset_prompts", on_click=_reset_all)
    with edit:
        _editor(role or next(iter(PROMPTS)), own)


def _title(role: str, own: dict[str, str]) -> str:
    title = markdown(_(PROMPTS[role].title))
    return f"{title} :blue-badge[{_('changed')}]" if role in own else title


def _editor(role: str, own: dict[str, str]) -> None:
    prompt = PROMPTS[role]
    st.subheader(markdown(_(prompt.title)), anchor=False)
    needed = ", ".join(f"{{{name}}}" for name in prompt.variables)
    said = _("It needs {variables}.").format(variables=needed)
    if prompt.optional:
        optional = ", ".join(f"{{{name}}}" for name in prompt.optional)
        said += " " + _("It may use {variables}.").format(variables=optional)
    said += " " + _("Expected reply: {note}.").format(note=prompt.note)
    separator = _("The line --- parts what never changes, which is sent first, from what changes.")
    st.markdown(f'<p class="key">{text(said)} {text(separator)}</p>', unsafe_allow_html=True)
    box = visit.prompt(role)
    if not box.is_set():
        box.set(own.get(role, prompt.text))
    with st.form(f"prompt_form_{role}", border=False):
        st.text_area(_(prompt.title), key=box.key, height=420, max_chars=LONGEST, label_visibility="collapsed")
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button(_("Keep this prompt"), key=f"keep_{role}", on_click=_take, args=(role,))
            if role in own or box.get() != prompt.text:
                st.form_submit_button(
                    _("Reset this prompt"), key=f"unkeep_{role}", type="tertiary", on_click=_reset, args=(role,)
                )
    if wrong := visit.prompt_complaints.get().get(role, ""):
        st.error(markdown(wrong), icon=":material/error:")
    elif role in own:
        st.markdown(f'<p class="changed"><b>{text(_("Changed"))}</b></p>', unsafe_allow_html=True)


def _take(role: str) -> None:
    words = visit.prompt(role).get().replace("\r\n", "\n")
    own = {r: w for r, w in replaced().items() if r != role}
    try:
        if words.strip() and words.strip() != PROMPTS[role].text.strip():
            check_prompt(role, words)
            own[role] = words
        _complain(role, "")
    except SettingsError as error:
        _complain(role, str(error))
        return
    _keep(own)
    if role not in own:
        visit.prompt(role).forget()


def _reset(role: str) -> None:
    _keep({r: w for r, w in replaced().items() if r != role})
    visit.prompt(role).set(PROMPTS[role].text)
    _complain(role, "")


def _reset_all() -> None:
    session.reset("prompts")
    forget_drafts()


def forget_drafts() -> None:
    """Show every prompt as it is kept, not as it was left in the box."""
    for role in PROMPTS:
        visit.prompt(role).forget()
    visit.prompt_complaints.forget()


def _keep(own: dict[str, str]) -> None:
    if own:
        session.choose(prompts=own)
    else:
        session.reset("prompts")


def _complain(role: str, words: str) -> None:
    visit.prompt_complaints.get_kept()[role] = words
