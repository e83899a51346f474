"""The state of the dependencies as a card."""

from __future__ import annotations

from markupsafe import Markup

from core.resilience.health import Health
from core.words import Language
from viz.templating import render


def health_card(report: Health, language: Language) -> Markup:
    """What works, what is left out, and what that means for answers."""
    parts = [(part.state, part.name.to(language), part.meaning.to(language)) for part in report.parts]
    return render("health", summary=report.summary.to(language), parts=parts)
