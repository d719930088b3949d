"""What the Sources page remembers of a visitor between two runs of the page, and the queue of what is to be loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_graphs import RagGraphsError, load_samples
from rag_graphs.ui.shared import session, visit
from rag_graphs.ui.shared.visit import Job, SourcesPage
from rag_graphs.views.translation import _

if TYPE_CHECKING:
    from rag_graphs import LoadReport, OnProgress

MOST_WAITING = 200
"""Things to load that may wait at once: the queue is kept in the memory of the server, files with all their bytes."""
MOST_SOURCES = 500
"""Sources of one visitor, from which on nothing new is loaded: the disk and the search are shared by all."""


def page_state() -> SourcesPage:
    """This visitor's, made at the first call."""
    return visit.sources_page.get_kept()


def enqueue(jobs: Sequence[Job]) -> bool:
    """Put jobs at the end of the queue, or none of them where there is no room; that is said in the panel. The results of an
    earlier, finished load make room."""
    state = page_state()
    new = [job for job in jobs if job not in state.waiting]
    if len(state.waiting) + len(new) > MOST_WAITING:
        said = _("{n} would wait to be loaded; {most} are the most. Try again when some are done, or with fewer.")
        complain(said.format(n=len(state.waiting) + len(new), most=MOST_WAITING))
        state.panel = "add"
        return False
    if not state.waiting:
        state.total, state.results = 0, {}
    state.waiting.extend(new)
    state.total += len(new)
    return True


def start(jobs: Sequence[Job]) -> bool:
    """Load, and make room for the progress bar. False when too many wait: then nothing has changed."""
    begun = enqueue(jobs)
    if begun:
        page_state().panel = ""
    return begun


def complain(message: str) -> None:
    """Say in the panel what was wrong with the last try."""
    page_state().complaint = message


def stop_loading() -> None:
    """Forget what waits; what was loaded stays."""
    state = page_state()
    state.waiting.clear()
    state.total = 0


def load_next(on_progress: OnProgress) -> Iterator[LoadReport]:
    """Load the first job of the queue, yielding each report after it is kept.

    A click in the middle ends this script run. So a job leaves the queue only when it is done: the next run of the page
    repeats it, which costs little and changes nothing, because a source that is there already is not indexed again.
    """
    state = page_state()
    job = state.waiting[0]
    try:
        for report in _reports(job, on_progress):
            _keep(state, job, report)
            yield report
    except Exception:
        _drop(state, job)  # a job that breaks must not come back with every click
        raise
    _drop(state, job)


def retry(address: str) -> None:
    """Load a failed one again."""
    enqueue([page_state().failures[address][0]])


def dismiss(addresses: Sequence[str]) -> None:
    """Forget failures."""
    for address in addresses:
        page_state().failures.pop(address, None)


def remove(ids: Sequence[str]) -> None:
    """Take sources out of the visitor's library."""
    session.remove_sources(ids)
    if page_state().selected in ids:
        page_state().selected = ""


def _reports(job: Job, on_progress: OnProgress) -> Iterator[LoadReport]:
    library, settings = session.workspace().library, session.settings()
    if not job.replaces and len(session.source_ids()) >= MOST_SOURCES:
        said = _("Your library holds {most} sources, which are the most. Remove some, then try again.")
        yield _not_loaded(job, "library full", said.format(most=MOST_SOURCES))
        return
    try:
        if job.kind == "samples":
            yield from load_samples(library, [job.what], settings, on_progress)
        elif job.kind == "text":
            yield library.load_text(job.what, job.title, settings, on_progress)
        elif job.kind == "file":
            yield library.load_upload(job.what, job.data, settings, on_progress)
        else:
            yield from library.load_many([job.what], settings, on_progress)
    except RagGraphsError as error:
        # the library itself refused (a model is not set up, the folder is full): one job's failure, the others go on
        yield _not_loaded(job, "not indexed", str(error))


def _not_loaded(job: Job, status: str, message: str) -> LoadReport:
    from rag_graphs import LoadReport

    return LoadReport(address=job.name, status=status, ok=False, message=message)


def _keep(state: SourcesPage, job: Job, report: LoadReport) -> None:
    state.results[report.address] = report
    if not (report.ok and report.source):
        state.failures[report.address] = (replace(job, data=b""), report)
        return
    state.failures.pop(report.address, None)
    session.add_sources([report.source.id])
    if job.replaces and job.replaces != report.source.id:
        session.remove_sources([job.replaces])
        state.selected = report.source.id


def _drop(state: SourcesPage, job: Job) -> None:
    if job in state.waiting:
        state.waiting.remove(job)
    if not state.waiting:
        state.total = 0
