"""Add sources: files of the visitor's own machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_graphs.ui.shared.visit import Job
from rag_graphs.ui.sources.queue import complain, page_state, start
from rag_graphs.views.translation import _, plural

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

TYPES = ("pdf", "docx", "html", "htm", "md", "markdown", "txt")
LARGEST = 20  # MB a file; .streamlit/config.toml holds the server to the same
LARGEST_TOGETHER = 60  # MB, which wait in memory until they are loaded
MOST = 20


def by_file() -> None:
    """Draw the way in for files."""
    # another key makes another widget: the files that were taken over leave the memory
    key = f"add_files_{page_state().batch}"
    chosen = st.file_uploader(
        _("Files, one or many"), type=list(TYPES), accept_multiple_files=True, max_upload_size=LARGEST, key=key
    )
    st.caption(
        _(
            "PDF, Word (.docx), HTML, Markdown or plain text, {size} MB each, {most} at a time. A PDF needs a text layer: "
            "scanned pages are pictures. Only the text is kept, not the file."
        ).format(size=LARGEST, most=MOST)
    )
    st.button(
        _("Load {files}").format(files=plural(len(chosen), "{n} file", "{n} files"))
        if chosen
        else _("Load these files"),
        key="load_files",
        type="primary",
        icon=":material/upload_file:",
        on_click=_load,
        args=(chosen,),
    )


def _load(files: list[UploadedFile]) -> None:
    if not files:
        complain(_("There is no file yet. Choose one or more, or drop them on the field."))
    elif len(files) > MOST:
        complain(
            _("These are {n} files; {most} are the most at a time. Load them in parts.").format(n=len(files), most=MOST)
        )
    elif sum(file.size for file in files) > LARGEST_TOGETHER * 1_000_000:
        complain(_("Together these files are larger than {size} MB. Load them in parts.").format(size=LARGEST_TOGETHER))
    else:
        names = distinct([file.name for file in files])
        if start([Job(kind="file", what=n, data=file.getvalue()) for n, file in zip(names, files, strict=True)]):
            page_state().batch += 1


def distinct(names: list[str]) -> list[str]:
    """The names, with a number where one comes again: a result belongs to one of them."""
    found: list[str] = []
    for name in names:
        stem, dot, end = name.rpartition(".")
        again = (f"{stem} ({n}){dot}{end}" if dot else f"{name} ({n})" for n in range(2, len(names) + 2))
        found.append(name if name not in found else next(other for other in again if other not in found))
    return found
