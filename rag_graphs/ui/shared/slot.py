"""A place on the page that knows what it shows, so that nothing is sent twice."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator


@dataclass
class Slot:
    """A place that is made once a page run and redrawn only where something changed."""

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
