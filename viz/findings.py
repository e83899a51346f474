"""Renders findings in a document's details: quotes, mental models and the summary, with their pages. Also renders the
findings of one section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from core.library.intelligence.records import UNDER_WAY, Estimate, SectionContent
from core.library.records import Document
from core.messages import message
from core.records.findings import FINDINGS
from core.store.items import LIBRARY, MemoryItem
from core.words import Language, Words
from viz.labels import counted, label
from viz.templating import render

FIRST = 8
"""Number of entries shown before the user opens the whole list."""
SECTION_KINDS = ("quote", "concept", "insight", "term")


@dataclass(frozen=True)
class Status:
    """Progress of the extraction. ``lines`` describe it; ``act`` is the action that the user can take: *begin*, *stop*,
    *again*, *go_on*, *choose*."""

    lines: tuple[Words, ...] = ()
    act: str = ""
    done: int = 0
    total: int = 0


def findings_section(
    document: Document,
    items: Sequence[MemoryItem],
    estimate: Estimate | None,
    configured: bool,
    language: Language,
    *,
    mine: bool = True,
) -> Markup:
    """``items`` are in reading order. ``estimate`` is given if the user can start the extraction, which only the owner
    can."""
    kinds = Counter(item.kind for item in items)
    categories = sorted(
        {tag for item in items for tag in item.tags}, key=lambda each: label(f"category_{each}", language)
    )
    return render(
        "findings",
        document=document,
        items=items,
        first=FIRST,
        kinds=[(kind, kinds[kind]) for kind in FINDINGS if kinds[kind]],
        categories=categories,
        status=status_of(document, estimate, configured) if mine else Status(()),
        language=language,
    )


def status_of(document: Document, estimate: Estimate | None, configured: bool) -> Status:
    """Progress of the extraction, and the action that the user can take."""
    extraction = document.extraction
    if extraction is None:
        return _never_begun(document, estimate, configured)
    if extraction.state in UNDER_WAY:
        if not extraction.parts:
            return Status((message("labels.findings_waiting"),), "stop")
        line = message("view.findings.reading", done=extraction.done, total=extraction.parts)
        return Status((line,), "stop", extraction.done, extraction.parts)
    lines = [message("view.findings.done", count=extraction.done, model=_name(extraction.model))]
    if extraction.of_parts > extraction.parts:
        lines.append(message("view.findings.some", of=extraction.of_parts, parts=extraction.parts))
    if extraction.refused:
        lines.append(message("view.findings.refused", count=extraction.refused))
    if extraction.state == "cancelled":
        return Status((message("labels.findings_stopped"),), "go_on" if estimate else "")
    if extraction.state == "incomplete":
        problem = message("view.findings.incomplete", problem=extraction.problem or Words.alike(""))
        return Status((problem,), "go_on" if estimate else "")
    return Status(tuple(lines), "again" if estimate else "")


def _never_begun(document: Document, estimate: Estimate | None, configured: bool) -> Status:
    if not configured:
        return Status((message("view.findings.none"),), "choose")
    if estimate is None:
        published = document.scope == LIBRARY and document.state == "completed"
        return Status() if published else Status((message("view.findings.none_published"),))
    told = {each: counted(estimate.calls, "call", each) for each in ("en", "he")}
    calls = Words.model_validate(told)
    line = message("view.findings.estimate", calls=calls, tokens=f"{estimate.tokens:,}", model=_name(estimate.model))
    return Status((line,), "begin")


def _name(model: str | None) -> str:
    return (model or "").partition(":")[2] or (model or "")


def section_content(content: SectionContent, language: Language) -> Markup:
    """A section's findings, grouped by kind."""
    by_kind = {kind: [piece for piece in content.pieces if piece.kind == kind] for kind in SECTION_KINDS}
    lines = []
    if content.read < content.of:
        lines.append(message("view.findings.section_part", read=content.read, of=content.of))
    if content.refused:
        lines.append(message("view.findings.refused", count=content.refused))
    return render("section_content", by_kind=by_kind, lines=lines, any=bool(content.pieces), language=language)
