"""Prepares a model's summary prompt: takes documents; returns their opening lines, figures and the summary's layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.figures import cited_line, figure_lines
from core.review.actions.summary.opening import opening
from core.review.actions.summary.shapes import shape_of
from core.words import Language


@dataclass(frozen=True)
class Brief:
    """Input for a summary prompt: ``openings`` are always written by rules; ``figures`` are notes for the model in
    addition to its own; ``parts`` are headings with a description of their content, in order."""

    openings: list[str] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


def brief_of(matters: Sequence[SummaryDocument], language: Language) -> Brief:
    """Builds the brief; leaves the layout to the model if the documents are of several kinds."""
    known = [each for each in matters if each.about is not None]
    shapes = {each.kind: shape_of(each.kind) for each in matters}
    (shape,) = shapes.values() if len(shapes) == 1 else (None,)
    figures = []
    for each in known:
        own = shape_of(each.kind)
        for part in own.parts if own else ():
            lines = figure_lines(each, part.figures, part.most, language) if part.figures else []
            figures += [f"- {cited_line(figure, each.source, language)}" for figure in lines]
    parts = [
        f"{part.label.to(language)}: {part.meaning or 'the figures of the notes, each with its period and change.'}"
        for part in (shape.parts if shape else ())
    ]
    return Brief([opening(each, language) for each in known], figures, parts)
