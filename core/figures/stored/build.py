"""Builds the stored figures: *record store, catalogue, passages* → their lookup, and their writing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from core.figures.contradictions.finding import FigureContradictions
from core.figures.contradictions.store import ContradictionStore
from core.figures.stored.figure_store import FigureStore
from core.figures.stored.lookup import StoredFigures
from core.figures.stored.writing import FigureWriting
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.memory.items.reading import ItemReader
from core.store.truth import Truth


class FigureServices:
    """Holds ``lookup`` and ``contradictions``, which answers use, and ``writing``, which the library calls when it
    reads a document. ``idle`` returns when this process answers no question, or after a while."""

    def __init__(
        self, truth: Truth, catalogue: Catalogue, items: ItemReader, idle: Callable[[], Awaitable[None]]
    ) -> None:
        store = FigureStore(truth)
        self.lookup = StoredFigures(store, catalogue)
        self.contradictions = FigureContradictions(ContradictionStore(truth), store, catalogue)
        self.writing = FigureWriting(store, catalogue, Contents(truth), items, idle, self.contradictions)
