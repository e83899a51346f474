"""Audits a text clause by clause against policies; each clause complies, conflicts, is undecided or is not covered."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from core.errors import PalimpsestError, fail
from core.events import Quote, Source
from core.figures.records import TableEvidence
from core.messages import message, message_group
from core.models.by_rule import MALFORMED, failed
from core.models.embeddings import Embeddings
from core.models.nli.inference import InferenceJudge
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.review.actions.audit_verdicts import (
    COMPLIES,
    CONFLICTS,
    FOREIGN,
    NOT_COVERED,
    Ruling,
    Severity,
    Verdict,
    rule,
)
from core.review.actions.clause_statements import PassageSearch, TargetStatements
from core.review.actions.clauses import Clause, split_clauses
from core.review.actions.figure_verdicts import figure_ruling
from core.review.actions.pages import page_mark, page_of
from core.review.actions.records import ActionResult, Progress, Statement, csv_text, no_progress, plain, table_row
from core.review.compliance import are_figures_allowed, is_contradicted
from core.review.relevance import ContextLine, Document, relevant_windows
from core.search.documents.context import without_markers
from core.words import Language, Words

CANDIDATES = 4
"""Number of passages that a model is shown for each clause."""
BATCH = 6
"""Number of clauses that a model judges in one call."""
_VIEWS: tuple[Callable[[Statement], str], ...] = (
    lambda each: each.text,
    lambda each: without_markers(each.passage.text),
)
"""The two texts of each statement that an inference model (NLI) reads: the statement itself, and its whole passage,
which may contain an exception."""
_INFERRED = message_group("graph.audit_inference")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ClauseFinding:
    """A clause's verdict; ``severity`` is set for a conflict; ``number``, ``item_id`` and ``quote`` identify the
    deciding passage."""

    clause: Clause
    verdict: Verdict
    reason: Words
    severity: Severity | None = None
    number: int | None = None
    item_id: str | None = None
    quote: str = ""


@dataclass
class Audit(ActionResult):
    findings: list[ClauseFinding] = field(default_factory=list)

    def count(self, verdict: Verdict) -> int:
        return sum(finding.verdict == verdict for finding in self.findings)

    def to_csv(self) -> str:
        titles = {source.number: source.title for source in self.sources}
        rows = [[words.to(self.language) for words in _SHEET]]
        for each in self.findings:
            reason = each.reason.to(self.language)
            title = titles.get(each.number or 0, "")
            verdict = _VERDICTS[each.verdict].to(self.language)
            severity = _SEVERITIES[each.severity].to(self.language) if each.severity else ""
            rows.append([each.clause.text, verdict, severity, title, each.quote, reason])
        return csv_text(rows)


class _Ruling(BaseModel):
    clause: int
    verdict: Verdict
    passage: int | None = None
    severity: Severity | None = None
    reason: str = ""


class _Rulings(BaseModel):
    clauses: list[_Ruling]


@dataclass(frozen=True)
class _RuledClause:
    """A clause with its rule-based ruling; ``near`` holds one relevant statement for each passage; ``row`` is the
    financial statement row that decided the ruling."""

    clause: Clause
    ruling: Ruling
    statements: Sequence[Statement]
    near: Sequence[Statement]
    row: Quote | None = None


@dataclass
class Auditor:
    """Audits texts against documents; ``model`` may be missing; ``search`` finds passages in documents too long to read
    whole."""

    prompts: Prompts
    model: TextModel | None = None
    search: PassageSearch | None = None
    length: Length = "balanced"
    embeddings: Embeddings | None = None
    inference: InferenceJudge | None = None

    async def audit(
        self,
        text: str,
        targets: Sequence[Source],
        language: Language,
        progress: Progress = no_progress,
        tables: Sequence[TableEvidence] = (),
    ) -> Audit:
        """Audits every clause of ``text`` against ``targets`` (whole documents) and their ``tables``.

        Raises:
            PalimpsestError: ``text`` has no clauses, or there are no documents to check it against.
        """
        clauses = split_clauses(text)
        if not clauses:
            raise fail("validation", "graph.audit.no_clauses")
        if not targets:
            raise fail("validation", "graph.audit.no_targets")
        read = await asyncio.to_thread(TargetStatements, targets, self.embeddings, self.search)
        result = Audit("", language, list(targets))
        ruled: list[_RuledClause] = []
        for done, clause in enumerate(clauses):
            progress(done, len(clauses), _reading(done + 1, len(clauses)))
            by_words = await _ruled(clause, read)
            ruled.append(await asyncio.to_thread(_with_figures, by_words, targets, tables, language))
            result.findings.append(_finding(ruled[-1]))
        if self.inference is not None:
            ruled = await self._with_inference(self.inference, ruled, result)
        if self.model is not None:
            await self._apply_model_rulings(self.model, ruled, result)
        if any(each.reason == FOREIGN for each in result.findings):
            result.notices.append(_FOREIGN_NOTICE)
        progress(len(clauses), len(clauses), _reading(len(clauses), len(clauses)))
        result.quotes = [
            Quote(number=each.number, item_id=each.item_id, text=each.quote)
            for each in result.findings
            if each.number is not None and each.item_id and each.quote
        ]
        result.text = to_markdown(result, self.length == "concise")
        return result

    async def _with_inference(
        self, inference: InferenceJudge, ruled: Sequence[_RuledClause], result: Audit
    ) -> list[_RuledClause]:
        """Applies inference models (NLI) to clauses that the rules left open, with the relevant statements and
        passages. A result that conflicts with the figures is not used."""
        left = [place for place, each in enumerate(ruled) if each.ruling.verdict in ("not_decided", "not_covered")]
        premises = [[view(each) for each in ruled[place].near for view in _VIEWS] for place in left]
        try:
            decided = await inference.judge(premises, [ruled[place].clause.text for place in left])
        except PalimpsestError as error:
            log.warning("clauses were judged without the inference model", exc_info=True)
            result.notices.append(failed(error))
            return list(ruled)
        found = list(ruled)
        for place, said in zip(left, decided, strict=True):
            if said:
                verdict: Verdict = "complies" if said > 0 else "conflicts"
                near = (abs(said) - 1) // len(_VIEWS) + 1
                checked = _checked_finding(_Ruling(clause=1, verdict=verdict, passage=near), ruled[place])
                if checked.verdict == verdict:
                    found[place] = _inferred(ruled[place], verdict, ruled[place].near[near - 1])
                result.findings[place] = _finding(found[place])
        return found

    async def _apply_model_rulings(self, model: TextModel, ruled: Sequence[_RuledClause], result: Audit) -> None:
        """Replaces rulings with the model's, batch by batch; keeps the rule-based rulings if the model's reply cannot
        be parsed."""
        for start in range(0, len(result.findings), BATCH):
            places = range(start, min(start + BATCH, len(result.findings)))
            system = self.prompts.render("audit", language=result.language)
            asked = "\n\n".join(_clause_prompt(n, ruled[place]) for n, place in enumerate(places, 1))
            try:
                answer, usage = await ask_json(model, Prompt(system, asked), _Rulings)
            except PalimpsestError as error:
                result.notices.append(failed(error))
                return
            result.usage += usage
            if answer is None:
                result.notices.append(MALFORMED)
                return
            for ruling in answer.clauses:
                if 1 <= ruling.clause <= len(places):
                    place = places[ruling.clause - 1]
                    result.findings[place] = _checked_finding(ruling, ruled[place])
            result.generated = True


async def _ruled(clause: Clause, targets: TargetStatements) -> _RuledClause:
    """Returns the clause's rule-based ruling and its most relevant passages, found by keyword or by embeddings."""
    read = await targets.bearing_on(clause.text)
    document = Document(targets.titles, read.total)
    ruling = await asyncio.to_thread(rule, clause.text, read.statements, max(read.closeness, default=None), document)
    nearest = sorted(range(len(read.closeness)), key=lambda place: -read.closeness[place])[:CANDIDATES]
    lines = [ContextLine(each.text, each.section) for each in read.statements]
    worded = await asyncio.to_thread(relevant_windows, clause.text, lines, document)
    order = [ruling.place, *(each.lines[0] for each in worded), *nearest]
    places = dict.fromkeys(place for place in order if place is not None)
    near = {read.statements[place].passage.item_id: read.statements[place] for place in reversed(places)}
    return _RuledClause(clause, ruling, read.statements, list(near.values())[::-1][:CANDIDATES])


def _with_figures(
    ruled: _RuledClause, targets: Sequence[Source], tables: Sequence[TableEvidence], language: Language
) -> _RuledClause:
    """Prefers the financial statements' ruling, unless a passage contradicts it."""
    stated = figure_ruling(ruled.clause.text, targets, tables, language)
    if stated is None or stated.ruling.verdict == ruled.ruling.verdict:
        return ruled
    if ruled.ruling.verdict in ("complies", "conflicts"):
        return replace(ruled, ruling=replace(ruled.ruling, verdict="not_decided", severity=None, reason=_DISPUTED))
    return replace(ruled, ruling=stated.ruling, row=stated.row)


def _finding(ruled: _RuledClause) -> ClauseFinding:
    ruling = ruled.ruling
    if row := ruled.row:
        return ClauseFinding(
            ruled.clause, ruling.verdict, ruling.reason, ruling.severity, row.number, row.item_id, row.text
        )
    if ruling.place is None:
        return ClauseFinding(ruled.clause, ruling.verdict, ruling.reason)
    return _resting(ruled.clause, ruling.verdict, ruling.reason, ruled.statements[ruling.place], ruling.severity)


def _resting(
    clause: Clause, verdict: Verdict, reason: Words, statement: Statement, severity: Severity | None = None
) -> ClauseFinding:
    return ClauseFinding(clause, verdict, reason, severity, statement.number, statement.passage.item_id, statement.text)


def _clause_prompt(number: int, ruled: _RuledClause) -> str:
    """Builds the prompt with whole passages, since the text around the nearest sentence may contain an exception."""
    passages = "\n".join(f"[{place}] {without_markers(each.passage.text)}" for place, each in enumerate(ruled.near, 1))
    return f"CLAUSE {number}: BEGIN CLAUSE\n{ruled.clause.text}\nEND CLAUSE\nBEGIN PASSAGES\n{passages}\nEND PASSAGES"


def _checked_finding(ruling: _Ruling, clause: _RuledClause) -> ClauseFinding:
    """Checks a model's ruling against the figures and against the passage that it names.

    Where the model decides, its verdict, its words and its passage stand. The rules only show what speaks against it: a
    figure that breaks a limit is a conflict; a figure that the passage does not confirm, or a passage that says the
    opposite, leaves a clause undecided that the model calls complying, with the model's words.
    """
    ruled = clause.ruling
    if ruling.verdict == "not_decided" or (ruled.verdict == "conflicts" and ruled.by_figures):
        return _finding(clause)
    if ruling.verdict == "not_covered":
        if ruled.verdict in ("complies", "conflicts"):
            return replace(_finding(clause), verdict="not_decided", severity=None, reason=_disputed(ruling))
        return ClauseFinding(clause.clause, "not_covered", _said_by_model(ruling, NOT_COVERED))
    if ruling.passage is None or not 1 <= ruling.passage <= len(clause.near):
        agrees = ruling.verdict == ruled.verdict or ruled.verdict not in ("complies", "conflicts")
        return (
            _finding(clause)
            if agrees
            else replace(_finding(clause), verdict="not_decided", severity=None, reason=_disputed(ruling))
        )
    statement = clause.near[ruling.passage - 1]
    if objection := _objection(ruling, clause, statement):
        reason = Words.joined([_said_by_model(ruling, COMPLIES), objection], " ") if ruling.reason else objection
        return _resting(clause.clause, "not_decided", reason, statement)
    severity = (ruling.severity or "medium") if ruling.verdict == "conflicts" else None
    fallback = COMPLIES if ruling.verdict == "complies" else CONFLICTS
    return _resting(clause.clause, ruling.verdict, _said_by_model(ruling, fallback), statement, severity)


def _objection(ruling: _Ruling, clause: _RuledClause, statement: Statement) -> Words | None:
    """Returns what speaks against the model's ruling, or ``None``."""
    ruled, text = clause.ruling, clause.clause.text
    if ruling.verdict == "conflicts":
        return _DISPUTED if ruled.verdict == "complies" and ruled.by_figures else None
    if ruled.verdict in ("not_covered", "conflicts"):
        return _DISPUTED
    if not are_figures_allowed(text, statement.passage.text):
        return _FIGURES_OPEN
    lines = [each for each in clause.statements if each.passage.item_id == statement.passage.item_id]
    return _DISPUTED if is_contradicted(text, [ContextLine(each.text, each.section) for each in lines]) else None


def _disputed(ruling: _Ruling) -> Words:
    return Words.joined([_said_by_model(ruling, _DISPUTED), _DISPUTED], " ") if ruling.reason else _DISPUTED


def _inferred(clause: _RuledClause, verdict: Verdict, statement: Statement) -> _RuledClause:
    """Treats the inference result like a rule-based ruling without figures: a chat model may decide otherwise."""
    severity: Severity | None = "medium" if verdict == "conflicts" else None
    place = next(place for place, each in enumerate(clause.statements) if each is statement)
    ruling = replace(
        clause.ruling, verdict=verdict, place=place, severity=severity, reason=_INFERRED[verdict], by_figures=False
    )
    return replace(clause, ruling=ruling)


def _said_by_model(ruling: _Ruling, fallback: Words) -> Words:
    reason = " ".join(ruling.reason.split())
    return Words.alike(reason) if reason else fallback


def to_markdown(audit: Audit, brief: bool = False) -> str:
    """Returns counts and a table with the deciding passages, conflicts marked by severity. If ``brief``, complying
    clauses are only counted."""
    language = audit.language
    shown = [each for each in audit.findings if not (brief and each.verdict == "complies")]
    counts = Counter[str](each.verdict for each in audit.findings)
    head = " · ".join(f"{words.to(language)}: {counts[verdict]}" for verdict, words in _VERDICTS.items())
    lines = [
        table_row([words.to(language) for words in _COLUMNS]),
        table_row(["---"] * len(_COLUMNS)),
        *(_finding_row(each, page_of(audit.sources, each.item_id or ""), language) for each in shown),
    ]
    table = "\n".join(lines) if shown else ""
    left_out = _LEFT_OUT.to(language) if len(shown) < len(audit.findings) else ""
    read = message("graph.audit.read", titles=", ".join(plain(source.title) for source in audit.sources)).to(language)
    return "\n\n".join(part for part in (f"**{head}**", table, left_out, read) if part)


def _finding_row(each: ClauseFinding, page: int | None, language: Language) -> str:
    severity = f" ({_SEVERITIES[each.severity].to(language)})" if each.severity else ""
    passage = f"{plain(each.quote)} {page_mark(page, language)}[{each.number}]" if each.number is not None else ""
    cells = [plain(each.clause.text), f"{_VERDICTS[each.verdict].to(language)}{severity}", passage]
    return table_row([*cells, plain(each.reason.to(language))])


def _reading(clause: int, total: int) -> Words:
    return message("graph.audit.reading", clause=clause, total=total)


_DISPUTED = message("graph.audit.disputed")
_FIGURES_OPEN = message("graph.audit.figures_open")
_FOREIGN_NOTICE = message("graph.audit.foreign_notice")
_LEFT_OUT = message("graph.audit.left_out")
_VERDICTS = message_group("graph.audit.verdicts")
_SEVERITIES = message_group("graph.audit.severities")
_CLAUSE = message("graph.audit.clause")
_VERDICT = message("graph.audit.verdict")
_PASSAGE = message("graph.audit.passage")
_REASON = message("graph.audit.reason")
_COLUMNS = (_CLAUSE, _VERDICT, _PASSAGE, _REASON)
_SHEET = (_CLAUSE, _VERDICT, message("graph.audit.severity"), message("graph.audit.document"), _PASSAGE, _REASON)
