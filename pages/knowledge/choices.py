"""Finds the documents that a view of the graph is limited to, and what its filters offer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from babel.dates import format_date

from core.knowledge.views import ConceptKind
from core.library.records import Document
from core.store.items import TIERS
from core.words import Language
from core.workbench import Workbench
from pages.actions import Reply
from pages.knowledge.requests import DocumentChoice
from viz.feedback import LETTERS
from viz.feedback import TIERS as TIER_WORDS
from viz.knowledge.graph import KINDS

MONTH = len("2024-05")


async def chosen_documents(workbench: Workbench, user_id: str, choice: DocumentChoice) -> list[Document]:
    """The chosen documents; all of the library's if nothing is chosen."""
    found = await workbench.library.find(user_id)
    if choice.document:
        found = [each for each in found if each.id == choice.document]
    if choice.set:
        sets = await workbench.sets.all(user_id)
        members = {id for each in sets if each.id == choice.set for id in each.document_ids}
        found = [each for each in found if each.id in members]
    if choice.since or choice.until:
        first, last = choice.since or "", choice.until or "9999-12"
        found = [each for each in found if (month := month_of(each)) and first <= month <= last]
    return found


def month_of(document: Document) -> str | None:
    """The month (``YYYY-MM``) of the document: of its date, or of the end of the newest period that it covers."""
    ends = [document.metadata.date] if document.metadata.date else [e.end or e.key for e in document.metadata.periods]
    return max((end[:MONTH] for end in ends if end and end[5:MONTH].isdigit() and len(end) >= MONTH), default=None)


def offered(
    documents: Iterable[Document], sets: Iterable[tuple[str, str]], kinds: Iterable[ConceptKind], language: Language
) -> Reply:
    """What the filters offer: documents, sets, kinds of concepts, tiers and the months of the documents."""
    listed = sorted(documents, key=lambda each: each.metadata.title.casefold())
    months = Counter(month for each in listed if (month := month_of(each)))
    return {
        "documents": [{"id": each.id, "label": each.metadata.title or each.filename} for each in listed],
        "sets": [{"id": id, "label": name} for id, name in sets],
        "kinds": [{"id": kind, "label": KINDS[kind].to(language)} for kind in kinds],
        "tiers": [{"id": tier, "label": f"{LETTERS[tier]} · {TIER_WORDS[tier].to(language)}"} for tier in TIERS],
        "months": [
            {"id": month, "label": _month_words(month, language), "documents": months[month]}
            for month in sorted(months)
        ],
    }


def _month_words(month: str, language: Language) -> str:
    return str(format_date(date(int(month[:4]), int(month[5:]), 1), "MMM yyyy", locale=language))
