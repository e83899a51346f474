"""Renders the results of queries that an answer cites, below its first line."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from core.datasets.answers.cited_results import results_below
from core.events import Response, Source
from core.words import Language
from viz.data_result import data_result
from viz.templating import render


def results(response: Response, sources: Sequence[Source], language: Language) -> Markup:
    """Returns the HTML of the results that the first line does not show; empty if there are none. They are folded; the
    first is open if the first line shows no result."""
    below = results_below(response, sources)
    if not below:
        return Markup("")
    return render(
        "results",
        results=[(source, data_result(source.data, language)) for source in below if source.data],
        first_is_open=not (response.answer and response.answer.data),
        language=language,
    )
