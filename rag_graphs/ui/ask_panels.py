"""The stage and the panels of the Ask page: slots that are made once a page run and redrawn only where something changed."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_graphs import Settings, Strategy, Trace
from rag_graphs.ui import now_line
from rag_graphs.ui.answer import answer_html
from rag_graphs.ui.diagram_panel import diagram_html, legend_html
from rag_graphs.ui.documents import documents_html
from rag_graphs.ui.found import GRADER, found
from rag_graphs.ui.graphs import nodes_of
from rag_graphs.ui.queries import queries_html
from rag_graphs.ui.scrubber import Step
from rag_graphs.ui.state_panel import state_html
from rag_graphs.ui.text import _
from rag_graphs.ui.timeline import timeline_html
from rag_graphs.ui.verdicts import verdicts_html


@dataclass
class Slot:
    """A place on the page that knows what it shows, so that nothing is sent twice."""

    home: DeltaGenerator
    place: DeltaGenerator | None = None
    shows: str = ""

    def draw(self, markup: str, *, again: bool = False) -> None:
        """Show this markup of our own; everything untrusted in it has gone through `render.text`. `again`: send it even
        if it is shown already, because only then does Streamlit notice that the visitor clicked."""
        if self.place is not None and markup == self.shows and not again:
            return
        target = self.place or self.home
        drawn = target.markdown(markup, unsafe_allow_html=True, anchors=False)
        self.place = self.place or drawn
        self.shows = markup


class Stage:
    """The now-line, the diagram and its legend."""

    def __init__(self, strategy: Strategy, settings: Settings, *, running: bool) -> None:
        self._strategy, self._settings, self._running = strategy, settings, running
        box = st.container(key="stage")
        self._now, self._diagram, self._legend = Slot(box), Slot(box), Slot(box)

    def draw(self, trace: Trace | None, step: Step | None = None) -> None:
        """Draw the run so far, or the step of a finished one. The node that lights up comes before anything else."""
        on_stage = step.stage if step else trace
        picture = diagram_html(self._strategy, self._settings, on_stage)
        sentence = self._sentence(trace, step)
        if self._diagram.place is not None:
            self._diagram.draw(picture)
        self._now.draw(sentence, again=True)
        self._diagram.draw(picture)
        self._legend.draw(legend_html(on_stage))

    def _sentence(self, trace: Trace | None, step: Step | None) -> str:
        if trace is None:
            return now_line.starting_html() if self._running else now_line.idle_html(self._strategy.title)
        if step is None:
            return now_line.now_html(trace, self._strategy.short_title, nodes_of(self._strategy.key))
        return now_line.now_html(
            step.trace, self._strategy.short_title, nodes_of(self._strategy.key), step=step.number, steps=step.of
        )


class Panels:
    """Answer, Documents, and the tabs Queries, Verdicts, State and Timeline."""

    def __init__(self, strategy: Strategy, pace: float) -> None:
        self._strategy, self._pace = strategy, pace
        with st.container(key="panels"):
            answer, documents, tabs = (st.container(key=key) for key in ("panswer", "pdocs", "ptabs"))
        self._answer, self._documents = Slot(answer.container()), Slot(documents)
        names = [_("Queries"), _("Verdicts"), _("State"), _("Timeline")]
        self._queries, self._verdicts, self._state, self._timeline = (Slot(t) for t in tabs.tabs(names, key="tabs"))
        self.below_answer, self.below_tabs = answer, tabs

    def draw(self, trace: Trace | None) -> None:
        """Draw what is known by now; None before any run."""
        nodes = nodes_of(self._strategy.key)
        grades = GRADER in nodes
        entries = found(trace, grades=grades) if trace else []
        searched = trace is not None and any(e.kind == "retrieved" for e in trace.events)
        self._answer.draw(answer_html(trace, entries, nodes))
        self._documents.draw(documents_html(entries, searched=searched, grades=grades))
        self._queries.draw(queries_html(trace, nodes))
        self._verdicts.draw(verdicts_html(trace, nodes, self._strategy.short_title))
        self._state.draw(state_html(trace))
        self._timeline.draw(timeline_html(trace, self._pace))
