"""What the memory gave to an answer, as the Memory view of the dock shows it [spec U3]."""

from __future__ import annotations

from markupsafe import Markup

from core.memory_meta import MemoryMeta
from core.words import Language
from viz.feedback import LETTERS, TIERS
from viz.templating import render


def known_context(meta: MemoryMeta, titles: dict[str, str], language: Language) -> Markup:
    """``titles`` names the documents of cited passages, by id."""
    return render("known_context", meta=meta, titles=titles, letters=LETTERS, tiers=TIERS, language=language)
