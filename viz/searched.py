"""What the question was taken to be about, as chips above the answer that can be taken off."""

from __future__ import annotations

from markupsafe import Markup

from core.events import Searched
from core.subject_matter import Chip
from core.words import Language
from viz.templating import render


def searched_row(searched: Searched, language: Language) -> Markup:
    """Nothing where the question was not taken to be about anything in particular."""
    return render("searched", searched=searched, key_of=key_of, language=language) if searched.chips else Markup("")


def key_of(chip: Chip) -> str:
    """How a question names a chip that it is to be asked without."""
    return f"{chip.kind}:{chip.label}"
