"""Decides after the search whether to ask whose report is meant: takes the question, catalogue and hits; returns the
decision.

Reports of several organisations answer the same questions differently. So if a question names no organisation, the user
is asked when several could be meant: their reports contain relevant passages, and no name or rare word of the question
belongs to only one of them. The user is not asked if the question is about all of them, or if no result is relevant.

If the question names an organisation, the user is asked only if it has several documents of the named kind that nothing
else tells apart (two notices to the stock exchange). For periodic reports, the newest is used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from core.events import Source
from core.graph.understanding.documents.query_rewriting import is_about_all, names_reports
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.entities.relative_periods import relative_periods_in
from core.language.fields import sought_figures, topics_in
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.language.vocabulary import pattern_of
from core.question.analysed import AnalysedQuestion
from core.question.known_entities import KnownDocument, by_organisation
from core.question.period_match import LOOKS_AHEAD, matches_period, newest
from core.question.rare_terms import rare_terms
from core.question.subject import Subject, subject_of

MOST = 8
NEAR = 0.5
"""Minimum score, relative to the best one, for a report to be relevant too."""
BEARS = 0.5
"""Minimum share of the question's words that a report's passages must contain."""
_ONESELF = pattern_of("graph/understanding.report_ambiguity.oneself")
_DIGITS = re.compile(r"\d{3,}")


@dataclass(frozen=True)
class ReportDecision:
    """The decision: ``ask`` the user to choose between the documents ``ids``, most likely first; or continue without
    asking, with only ``ids`` if the question can be about no others. ``between``: whether the choices differ by
    organisation or by document."""

    ask: bool
    ids: tuple[str, ...] = ()
    between: Literal["organisations", "documents"] = "documents"


GO_ON = ReportDecision(False)


def which_report(
    question: AnalysedQuestion,
    known: Sequence[KnownDocument],
    sources: Sequence[Source],
    named_in: Collection[str] = (),
) -> ReportDecision | None:
    """Returns ``None`` if the question is not about organisations' own reports.

    ``named_in``: documents in which a search for only the question's :func:`names_in` found all of these names.
    """
    subject = subject_of(question, known)
    if subject.organisations:
        return _of_the_named(subject, known)
    reports = {each.id: each for each in known if each.reports}
    if len(by_organisation(list(reports.values()))) < 2:
        return None
    best = max((each.score for each in sources), default=0.0)
    near = [each for each in sources if each.score >= NEAR * best]
    if sum(each.document_id in reports for each in near) * 2 < len(near):
        return None
    if (
        is_about_all(question.text)
        or names_reports(question.text)
        or not (seeks_report_content(question) or (sources and not _ONESELF.search(question.text)))
    ):
        return GO_ON
    return _whose(question, subject, list(reports.values()), sources, named_in)


def _of_the_named(subject: Subject, known: Sequence[KnownDocument]) -> ReportDecision:
    """Asks the user to choose if the question names one organisation and means several of its event notices, and gives
    no date."""
    by_id = {each.id: each for each in known}
    bound = [by_id[each] for each in subject.document_ids]
    days = [period for period in subject.asked if period.day]
    single = len(subject.kinds) == 1 and len(subject.named) == 1 and bound[0].kind == subject.kinds[0][0]
    if not single or days or len(bound) < 2 or bound[0].kind != "current report":
        return GO_ON
    return ReportDecision(True, tuple(each.id for each in _latest_first(bound))[:MOST])


def names_in(question: str) -> list[str]:
    """Returns the question's names and its numbers that are not periods."""
    years = {str(each.year) for each in periods_in(question)}
    numbers = [each for each in _DIGITS.findall(question) if each not in years]
    return [*rare_terms(question), *numbers]


def holders(names: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """Returns the documents whose passages contain all the ``names``."""
    texts = _texts(sources)
    return [each for each, text in texts.items() if all(fold(name) in text for name in names)]


def seeks_report_content(question: AnalysedQuestion) -> bool:
    """Returns whether the question asks for typical report content, in the terms of the report's field (such as
    finance)."""
    seeks = sought_figures(question.text)
    return bool(seeks.figures or seeks.statements or topics_in(question.text) or question.kinds)


def _whose(
    question: AnalysedQuestion,
    subject: Subject,
    reports: Sequence[KnownDocument],
    sources: Sequence[Source],
    named_in: Collection[str],
) -> ReportDecision:
    groups = by_organisation(reports)
    names = names_in(question.text)
    if names:
        having = {*holders(names, sources), *named_in}
        theirs = [group for group in groups if any(each.id in having for each in group)]
        if len(theirs) == 1:
            suited = _suited(question, subject, theirs[0])
            return ReportDecision(False, tuple(each.id for each in suited))
        return _report_of_each(question, subject, theirs, sources) if theirs else GO_ON
    if not (seeks_report_content(question) or _bears(question, sources)):
        return GO_ON
    return _report_of_each(question, subject, groups, sources)


def _report_of_each(
    question: AnalysedQuestion, subject: Subject, groups: Sequence[Sequence[KnownDocument]], sources: Sequence[Source]
) -> ReportDecision:
    """Asks the user to choose between the organisations' reports: one for each, or all of the kind that the question
    names; the best found first."""
    score = {each.document_id: each.score for each in sources}
    several = bool(question.kinds)
    chosen: list[KnownDocument] = []
    for group in groups:
        suited = _suited(question, subject, group)
        best = sorted(suited, key=lambda each: -score.get(each.id, 0.0))
        chosen += best if several else best[:1]
    if len(by_organisation(chosen)) < 2 and len(chosen) < 2:
        return ReportDecision(False, tuple(each.id for each in chosen))
    ordered = sorted(chosen, key=lambda each: -score.get(each.id, 0.0))
    return ReportDecision(True, tuple(each.id for each in ordered)[:MOST], "organisations")


def _suited(question: AnalysedQuestion, subject: Subject, group: Sequence[KnownDocument]) -> list[KnownDocument]:
    """Returns one organisation's reports of the requested kind and period, or else the newest ones."""
    kinds = question.kinds
    asked = list(subject.asked)
    quarter = next((each.number for each in relative_periods_in(question.text) if each.number), None)
    whole = quarter is None and not any(each.quarter for each in asked)
    there = [each for each in group if each.kind in kinds] if kinds else _periodic(group, whole, bool(subject.figures))
    if not asked:
        if quarter:
            return [each for each in there if any(key.endswith(f"-Q{quarter}") for key in each.periods)]
        latest = newest(there)
        return [each for each in there if each.id in latest] or list(there)
    return _of_best_fit(asked, there)


def _of_best_fit(asked: Sequence[NamedPeriod], there: Sequence[KnownDocument]) -> list[KnownDocument]:
    fits = {each.id: matches_period(asked, each) for each in there}
    best = max(fits.values(), default=0.0)
    return [each for each in there if fits[each.id] == best] if best > LOOKS_AHEAD else []


def _periodic(group: Sequence[KnownDocument], whole: bool, figures: bool) -> list[KnownDocument]:
    """Returns periodic reports, for a ``whole`` year if there are any; event notices only if there is nothing else and
    no ``figures`` are requested."""
    periodic = [each for each in group if each.kind != "current report"]
    annual = [each for each in periodic if each.kind == "annual report"]
    return (annual if whole else []) or periodic or ([] if figures else list(group))


def _bears(question: AnalysedQuestion, sources: Sequence[Source]) -> bool:
    """Returns whether the results contain most of the question's words."""
    terms = content_terms(question.text)
    best = max((sum(covers(term, text) for term in terms) for text in _texts(sources).values()), default=0)
    return bool(terms) and best > BEARS * len(terms)


def _texts(sources: Sequence[Source]) -> dict[str, str]:
    return {each.document_id: fold(" ".join(passage.text for passage in each.passages)) for each in sources}


def _latest_first(documents: Sequence[KnownDocument]) -> list[KnownDocument]:
    return sorted(documents, key=lambda each: max((*each.periods, each.dated or ""), default=""), reverse=True)
