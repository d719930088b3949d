"""A click ends the script that loads: Streamlit raises in the middle of the library's work. Nothing may stay locked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_graphs import Library, load_settings
from rag_graphs.library import Progress


class Click(BaseException):
    """As Streamlit's own: not an Exception, so that no one catches it on the way."""


class Embedder:
    name = "minilm"
    dimension = 2

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0, 0.0] for _ in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0, 0.0]

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def click(progress: Progress) -> None:
    raise Click


TEXT = "# Tea\n\n" + "\n\n".join(f"Paragraph {n} tells at some length how tea is made and drunk." for n in range(60))


@pytest.mark.timeout(30)
def test_an_interrupted_load_can_be_repeated_at_once(tmp_path: Path) -> None:
    library = Library(tmp_path, find_embedder=lambda name, settings: Embedder())
    settings = load_settings(chunk_size=40)
    with pytest.raises(Click) as kept:  # the exception is kept: its frames must not hold the library's lock
        library.load_text(TEXT, "Tea", settings, click)
    report = library.load_text(TEXT, "Tea", settings)
    assert report.ok, kept
    assert report.source is not None
    assert len(library.chunks(report.source.id, settings)) == report.source.chunks > 1


@pytest.mark.timeout(30)
def test_an_interrupted_indexing_goes_on(tmp_path: Path) -> None:
    library = Library(tmp_path, find_embedder=lambda name, settings: Embedder())
    report = library.load_text(TEXT, "Tea", load_settings(chunk_size=40))
    assert report.source is not None
    other = load_settings(chunk_size=60)
    steps = library.prepare([report.source.id], other)
    assert next(steps).done == 0
    steps.close()  # type: ignore[attr-defined]
    assert [step.done for step in library.prepare([report.source.id], other)][-1] > 0
