"""Audits a document without a text to check: documents → findings about the document itself and about others like it.

The document is checked against itself: contradictions, totals, references to its parts, and periods. Then it is
compared with the person's other documents of its kind where they state the same figures or terms.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from core.events import Source
from core.figures.contradictions.records import Contradiction
from core.figures.records import TableEvidence
from core.figures.stored.records import StoredFigure
from core.messages import message, message_group
from core.review.actions.comparable_statements import comparable_statements
from core.review.actions.consistency.contradictions import contradictions_between, contradictions_within
from core.review.actions.consistency.records import Check, Checked, ConsistencyFinding, Place
from core.review.actions.consistency.references import missing_parts, reversed_periods
from core.review.actions.consistency.totals import wrong_totals
from core.review.actions.pages import page_mark, page_of
from core.review.actions.records import (
    ActionResult,
    Progress,
    cell_quotes,
    csv_text,
    no_progress,
    plain,
    statements,
    table_row,
)
from core.review.actions.ruled_comparison import distinct
from core.words import Language, Words

MOST_SHOWN = 30
"""Maximum number of findings on the screen; the table to download has all of them."""


@dataclass
class SelfAudit(ActionResult):
    """The result; ``checked`` says how much was checked, ``others`` are the titles of the documents compared with."""

    findings: list[ConsistencyFinding] = field(default_factory=list)
    checked: Checked = field(default_factory=Checked)
    others: list[str] = field(default_factory=list)

    def to_csv(self) -> str:
        titles = {source.number: source.title for source in self.sources}
        rows = [[words.to(self.language) for words in _SHEET]]
        for each in self.findings:
            other, severity = each.other, _SEVERITIES[each.severity].to(self.language)
            second = [titles.get(other.number, ""), other.text] if other else ["", ""]
            kind, reason = _KINDS[each.check].to(self.language), each.reason.to(self.language)
            rows.append([titles.get(each.place.number, ""), each.place.text, kind, severity, *second, reason])
        return csv_text(rows)


async def self_audit(
    targets: Sequence[Source],
    others: Sequence[Source],
    tables: Sequence[TableEvidence],
    contradictions: Sequence[Contradiction],
    language: Language,
    progress: Progress = no_progress,
) -> SelfAudit:
    """Checks ``targets`` (whole documents) against themselves, against each other and against ``others``.

    ``tables`` are those of the targets; ``contradictions`` are stored figures that other documents print differently.
    A document of ``others`` becomes a source of the result only if a finding cites it.
    """
    result = SelfAudit("", language, list(targets))
    steps = len(targets) + len(others)
    for done, source in enumerate(targets):
        progress(done, steps, _checking(source))
        own = [each for each in tables if each.origin.number == source.number]
        result.findings += await asyncio.to_thread(_within, source, own, result.checked)
    for place, source in enumerate(targets):
        for beside in targets[place + 1 :]:
            result.findings += await asyncio.to_thread(_between, source, beside, contradictions)
    for done, other in enumerate(others, len(targets)):
        progress(done, steps, _checking(other))
        numbered = other.model_copy(update={"number": len(result.sources) + 1})
        result.others.append(other.title)
        found = [
            each for source in targets for each in await asyncio.to_thread(_between, source, numbered, contradictions)
        ]
        if found:
            result.findings += found
            result.sources.append(numbered)
    progress(steps, steps, _checking(targets[-1]))
    places = [each for finding in result.findings for each in (finding.place, finding.other) if each is not None]
    result.quotes = distinct([each.as_quote() for each in places])
    result.text = to_markdown(result, targets)
    return result


def _checking(source: Source) -> Words:
    return message("graph.self_audit.checking", title=source.title)


def _within(source: Source, tables: Sequence[TableEvidence], checked: Checked) -> list[ConsistencyFinding]:
    points = [each for each in comparable_statements(source) if each.whole]
    said = statements(source)
    checked.statements += len(points)
    return [
        *contradictions_within(points),
        *wrong_totals(source, tables, checked),
        *missing_parts(source, said, checked),
        *reversed_periods(said, checked),
    ]


def _between(source: Source, other: Source, contradictions: Sequence[Contradiction]) -> list[ConsistencyFinding]:
    """Returns the stored figures that the other document prints differently, and its statements that say something
    else."""
    figures = [
        finding
        for each in contradictions
        if {each.first.document_id, each.second.document_id} == {source.document_id, other.document_id}
        and (finding := _figure_finding(each, source, other))
    ]
    ours, theirs = ([each for each in comparable_statements(one) if each.whole] for one in (source, other))
    return [*figures, *contradictions_between(ours, theirs)]


def _figure_finding(pair: Contradiction, source: Source, other: Source) -> ConsistencyFinding | None:
    there = pair.other(source.document_id)
    here = pair.second if there is pair.first else pair.first
    first, second = _cell_place(source, here), _cell_place(other, there)
    if first is None or second is None:
        return None
    reason = message("graph.self_audit.printed", label=here.label, here=here.text, there=there.text)
    return ConsistencyFinding("differs", first, reason, "medium", second)


def _cell_place(source: Source, figure: StoredFigure) -> Place | None:
    if figure.table is None:
        return None
    quote = next(cell_quotes(source, figure.table, figure.label, figure.text), None)
    if quote is None:
        return None
    return Place(source.number, quote.item_id, quote.text, page_of([source], quote.item_id))


def to_markdown(audit: SelfAudit, targets: Sequence[Source]) -> str:
    """Returns the counts, a table with both places of each finding, and what was checked."""
    language = audit.language
    counts = Counter(each.check for each in audit.findings)
    found = [f"{_CHECKS[each].to(language)}: {counts[each]}" for each in get_args(Check) if counts[each]]
    head = " · ".join(found) or message("graph.self_audit.nothing").to(language)
    shown = audit.findings[:MOST_SHOWN]
    lines = [
        table_row([words.to(language) for words in _COLUMNS]),
        table_row(["---"] * len(_COLUMNS)),
        *(_finding_row(each, language) for each in shown),
    ]
    left_out = len(audit.findings) - len(shown)
    more = message("graph.self_audit.more", count=left_out).to(language) if left_out else ""
    parts = (f"**{head}**", "\n".join(lines) if shown else "", more, _read(audit, targets))
    return "\n\n".join(part for part in parts if part)


def _finding_row(each: ConsistencyFinding, language: Language) -> str:
    severity = _SEVERITIES[each.severity].to(language)
    second = _cited(each.other, language) if each.other else "—"
    kind = f"{_KINDS[each.check].to(language)} ({severity})"
    return table_row([_cited(each.place, language), kind, second, plain(each.reason.to(language))])


def _cited(place: Place, language: Language) -> str:
    return f"{plain(place.text)} {page_mark(place.page, language)}[{place.number}]"


def _read(audit: SelfAudit, targets: Sequence[Source]) -> str:
    """Returns what was checked, and with which documents."""
    checked, language = audit.checked, audit.language
    own = message(
        "graph.self_audit.checked", titles=", ".join(plain(each.title) for each in targets),
        statements=checked.statements, totals=checked.totals, references=checked.references, periods=checked.periods,
    )  # fmt: skip
    others = message("graph.self_audit.others", titles=", ".join(map(plain, audit.others)))
    none = message("graph.self_audit.no_others")
    return " ".join(words.to(language) for words in (own, others if audit.others else none))


_CHECKS = message_group("graph.self_audit.checks")
_KINDS = message_group("graph.self_audit.kinds")
_SEVERITIES = message_group("graph.audit.severities")
_PASSAGE = message("graph.self_audit.passage")
_FINDING = message("graph.self_audit.finding")
_SECOND = message("graph.self_audit.second")
_REASON = message("graph.audit.reason")
_DOCUMENT = message("graph.audit.document")
_COLUMNS = (_PASSAGE, _FINDING, _SECOND, _REASON)
_SHEET = (_DOCUMENT, _PASSAGE, _FINDING, message("graph.audit.severity"), _DOCUMENT, _SECOND, _REASON)
