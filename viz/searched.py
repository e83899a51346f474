"""What the question was taken to be about, as chips above the answer that can be taken off."""

from __future__ import annotations

from markupsafe import Markup

from core.events import Searched
from core.words import Language
from viz.templating import render


def searched_row(searched: Searched, language: Language) -> Markup:
    """Nothing where the question was not taken to be about anything in particular."""
    if not (searched.from_memory or searched.chips or searched.absent or searched.without):
        return Markup("")
    return render("searched", searched=searched, language=language)
