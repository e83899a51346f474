"""Writes a summary's opening line from a document's metadata: kind, organisation, period and page count."""

from __future__ import annotations

import re

from core.figures.measures.wording import period_text
from core.language.normalisation import fold
from core.library.records import Metadata
from core.review.actions.records import plain
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.shapes import kind_name, line
from core.words import Language

_FORM = re.compile(r"\((Form [\w/-]+)\)")
_MADE = frozenset(("annual report", "quarterly report", "current report"))
"""Document kinds whose title only repeats the opening line."""
_MOST_PARTIES = 3
_LONGEST_TITLE = 110
_LATIN = re.compile(r"[A-Za-z]|\d-\d")
ISOLATE, ISOLATED = "\u2068", "\u2069"
"""Unicode control characters around a piece of text that has its own writing direction: first strong isolate, and its
end."""


def opening(matter: SummaryDocument, language: Language) -> str:
    """Returns "**Annual report (Form 10-K)** · Acme Inc. · FY2022 · 120 pages [1]", or an empty string if nothing is
    known."""
    if matter.about is None:
        return ""
    metadata = matter.about.metadata
    kind = kind_name(metadata.kind).to(language)
    form = _FORM.search(metadata.title)
    parts = [f"{kind} ({form[1]})" if form else kind]
    parts += [plain(each) for each in (_shown_title(metadata), *_parties(metadata), _when(metadata, language)) if each]
    if pages := matter.about.pages:
        parts.append(line("one page", language) if pages == 1 else line("pages", language, pages=str(pages)))
    # A name written in the other direction (right to left in a left-to-right line, or the reverse) would move the dots
    # and digits next to it to the wrong side.
    apart = [f"{ISOLATE}{each}{ISOLATED}" if language == "he" and _LATIN.search(each) else each for each in parts]
    return f"{' · '.join([f'**{apart[0]}**', *apart[1:]])} [{matter.source.number}]"


def _shown_title(metadata: Metadata) -> str:
    if metadata.kind in _MADE and metadata.organisations:
        return ""
    return metadata.title if len(metadata.title) <= _LONGEST_TITLE else f"{metadata.title[:_LONGEST_TITLE].rstrip()}…"


def _parties(metadata: Metadata) -> list[str]:
    """Returns the organisation, or the parties of a contract, without those named in the title."""
    most = _MOST_PARTIES if metadata.kind == "contract" else 1
    title = fold(_shown_title(metadata))
    return [each.name for each in metadata.organisations[:most] if fold(each.name) not in title]


def _when(metadata: Metadata, language: Language) -> str:
    """Returns the document's periods or its date."""
    keys = list(dict.fromkeys(period.key for period in metadata.periods))
    return ", ".join(period_text(key, language) for key in keys[:2]) or metadata.date or ""
