"""The stage and the panels of a run: slots that are made once a page run and redrawn only where something changed."""

from __future__ import annotations

import streamlit as st

from rag_graphs import Settings, Strategy, Trace
from rag_graphs.ui.shared.own_panels import own_panel, title_of
from rag_graphs.ui.shared.slot import Slot
from rag_graphs.ui.shared.steps import Step
from rag_graphs.views import now_line
from rag_graphs.views.answer import about_html, answer_html, steps_html
from rag_graphs.views.code_panel import code_html
from rag_graphs.views.diagram import marks
from rag_graphs.views.diagram_panel import diagram_html, legend_html
from rag_graphs.views.diagram_settings import nodes_of, settings_of, strategy_name
from rag_graphs.views.documents import documents_html
from rag_graphs.views.documents_seen import found, grades_documents
from rag_graphs.views.queries import queries_html
from rag_graphs.views.state_panel import state_html
from rag_graphs.views.timeline import timeline_html
from rag_graphs.views.translation import _
from rag_graphs.views.verdicts import verdicts_html


class Stage:
    """The now-line, the diagram and its legend."""

    def __init__(self, strategy: Strategy, settings: Settings, *, running: bool) -> None:
        self._strategy, self._settings, self._running = strategy, settings, running
        box = st.container(key="stage")
        self._now, self._diagram, self._legend = Slot(box), Slot(box), Slot(box)

    def draw(self, trace: Trace | None, step: Step | None = None) -> None:
        """Draw the run so far, or the step of a finished one. The node that lights up comes before anything else."""
        on_stage = step.stage if step else trace
        # read once: the diagram and its legend show the same marks
        known = marks(on_stage)
        picture = diagram_html(self._strategy, settings_of(trace, self._settings), known)
        sentence = self._sentence(trace, step)
        if self._diagram.place is not None:
            self._diagram.draw(picture)
        self._now.draw(sentence, again=True)
        self._diagram.draw(picture)
        self._legend.draw(legend_html(known))

    def _sentence(self, trace: Trace | None, step: Step | None) -> str:
        name = strategy_name(self._strategy)
        if trace is None:
            return now_line.starting_html() if self._running else now_line.idle_html(_(self._strategy.title))
        nodes = nodes_of(self._strategy.key, settings_of(trace, self._settings))
        if step is None:
            return now_line.now_html(trace, name, nodes)
        return now_line.now_html(step.trace, name, nodes, step=step.number, steps=step.of)


class Panels:
    """Answer, Documents, and the tabs: the strategy's own panel first, if it has one, then those that all have."""

    def __init__(self, strategy: Strategy, settings: Settings, trace: Trace | None) -> None:
        """`trace`: what is known of the run when the page is drawn; `settings`: the visitor's, for what no run has shaped."""
        self._strategy, self._settings = strategy, settings
        with st.container(key="panels"):
            answer, documents, tabs = (st.container(key=key) for key in ("panswer", "pdocs", "ptabs"))
        self._answer, self._documents = Slot(answer.container()), Slot(documents)
        nodes = self._nodes(trace)
        own = [title] if (title := title_of(nodes)) else []
        names = [_("Queries"), _("Verdicts"), _("State"), _("Timeline"), _("Code")]
        if own:
            # Streamlit's page keeps the tab of the same name that was open before; a space, which nobody sees, makes them
            # others, so that a panel of a strategy's own opens first
            names = [*own, *(f"{name} " for name in names)]
        *first, queries, verdicts, state, timeline, code = tabs.tabs(names, key=f"tabs{len(own)}")
        self._own = own_panel(nodes, first[0], trace) if first else None
        self._queries, self._verdicts, self._state = Slot(queries), Slot(verdicts), Slot(state)
        self._timeline, self._code = Slot(timeline), Slot(code)
        self.below_answer, self.below_tabs = answer, tabs

    def draw(self, trace: Trace | None) -> None:
        """Draw what is known by now; None before any run."""
        nodes = self._nodes(trace)
        grades = grades_documents(nodes)
        entries = found(trace, grades=grades) if trace else []
        searched = trace is not None and any(e.kind == "retrieved" for e in trace.events)
        around = about_html(self._strategy, trace) + steps_html(self._strategy, trace)
        self._answer.draw(answer_html(trace, entries, nodes) + around)
        over = trace is not None and trace.ended
        self._documents.draw(documents_html(entries, searched=searched, grades=grades, over=over))
        if self._own is not None:
            self._own.draw(trace, entries)
        self._queries.draw(queries_html(trace, nodes))
        self._verdicts.draw(verdicts_html(trace, nodes, strategy_name(self._strategy)))
        self._state.draw(state_html(trace))
        self._timeline.draw(timeline_html(trace, self._settings.pace))
        self._code.draw(code_html(self._strategy, settings_of(trace, self._settings), trace))

    def outgrown(self, trace: Trace) -> bool:
        """Has the run brought something that needs controls which the page does not have yet?"""
        return self._own is not None and self._own.outgrown(trace)

    def _nodes(self, trace: Trace | None) -> tuple[str, ...]:
        return nodes_of(self._strategy.key, settings_of(trace, self._settings))
