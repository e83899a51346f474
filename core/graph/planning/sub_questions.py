"""Makes a plan by rule: *question, documents* → a sub-question for each organisation and measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.figures.panel.question import panel_questions, with_known_words
from core.figures.panel.records import PanelQuestion, PanelReport, SubQuestion
from core.figures.panel.spans import MONTHS_OF_YEAR
from core.figures.quarters import QUARTER_MONTHS, quarter_number
from core.figures.stored.records import FigureLookup, FigureQuery
from core.language.vocabulary import pattern_of
from core.messages import message
from core.question.analysed import AnalysedQuestion
from core.question.known_entities import KnownDocument, by_organisation, organisation_of, organisations_in
from core.words import Language

MOST_ORGANISATIONS = 40
"""Maximum number of organisations that one plan compares; the others are named as left out."""
MOST_REPORTS = 24
"""Maximum number of documents of one organisation, newest first."""
_YEARLY = pattern_of("answering/panel.yearly")
_QUARTERLY = pattern_of("answering/panel.quarterly")
_ANNUAL = "annual report"
_QUARTER = "quarterly report"

Groups = Mapping[str, Sequence[KnownDocument]]
"""The documents of each organisation, newest first, by its common name."""


async def sub_questions(
    question: AnalysedQuestion, documents: Sequence[KnownDocument], lookup: FigureLookup, user_id: str
) -> list[SubQuestion]:
    """Returns the sub-questions; none if the question asks for a single figure or for no figure at all."""
    groups = _by_organisation(documents)
    named = _named(question, groups)
    found: list[SubQuestion] = []
    for asked in panel_questions(question, named):
        chosen = {name: groups[name] for name in named} or await _implied(asked, groups, lookup, user_id)
        reports = {name: _reports(question, asked, own) for name, own in chosen.items()}
        ids = [report.document_id for own in reports.values() for report in own]
        asked = asked.model_copy(update={"months": _months(question, asked)})
        better = await with_known_words(lookup, user_id, asked, ids, question.focus) if ids else None
        if better is None or not _is_plan(better, reports):
            continue
        found += [
            SubQuestion(
                id=f"s{len(found) + place + 1}",
                text=_text(better, name, question.language),
                organisation=name,
                question=better,
                reports=tuple(own),
            )
            for place, (name, own) in enumerate(reports.items())
        ]
    return found


def _by_organisation(documents: Sequence[KnownDocument]) -> dict[str, list[KnownDocument]]:
    """Groups the documents in which organisations report on themselves; all documents with an organisation if there are
    none."""
    owned = [each for each in documents if each.organisation]
    reporting = [each for each in owned if each.reports] or owned
    groups = {_common_name(own): own for own in by_organisation(reporting)}
    newest = {name: sorted(own, key=lambda each: _end(each) or "", reverse=True) for name, own in groups.items()}
    return dict(sorted(newest.items()))


def _common_name(own: Sequence[KnownDocument]) -> str:
    """Returns the organisation's common name with the letters as its full name writes them."""
    short = organisation_of(own)
    for full in (document.names[0] for document in own if document.names):
        start = full.casefold().find(short.casefold())
        if start >= 0:
            return full[start : start + len(short)]
    return short


def _end(document: KnownDocument) -> str | None:
    return max((period.end for period in document.covered if period.end), default=document.dated)


def _named(question: AnalysedQuestion, groups: Groups) -> list[str]:
    owner = {document.id: name for name, own in groups.items() for document in own}
    every = [document for own in groups.values() for document in own]
    mentions = sorted(organisations_in(question.text, every), key=lambda each: each.start)
    return list(dict.fromkeys(owner[each.document_id] for each in mentions))


async def _implied(asked: PanelQuestion, groups: Groups, lookup: FigureLookup, user_id: str) -> Groups:
    """Returns the organisations that a question without a name is about: all of them if it asks which one leads, or
    else the one whose table has the best row."""
    if asked.ranks:
        return dict(list(groups.items())[:MOST_ORGANISATIONS])
    owner = {document.id: name for name, own in groups.items() for document in own}
    found = await lookup.find(user_id, FigureQuery(measure=asked.measure, document_ids=tuple(owner), limit=1))
    name = owner.get(found[0].figure.document_id) if found else None
    return {name: groups[name]} if name else {}


def _reports(question: AnalysedQuestion, asked: PanelQuestion, own: Sequence[KnownDocument]) -> list[PanelReport]:
    """Returns the documents of one organisation that the panel uses: of the kind that the question names, or for a
    comparison the newest annual report, or for a series the kind with the most documents."""
    annual = [each for each in own if each.kind == _ANNUAL]
    quarterly = [each for each in own if each.kind == _QUARTER]
    if asked.periods or (asked.kind == "growth" and _months(question, asked) is None):
        chosen = list(own)
    elif _QUARTERLY.search(question.text):
        chosen = quarterly or list(own)
    elif _YEARLY.search(question.text) or asked.kind == "comparison":
        chosen = annual or list(own)
    else:
        chosen = max((annual, quarterly), key=len) or list(own)
    if asked.kind == "comparison" and not asked.periods and not (asked.over_time and asked.count is None):
        chosen = chosen[:1]
    completing = annual if asked.kind == "series" and chosen and all(each in quarterly for each in chosen) else []
    return [
        *(_report(each) for each in chosen[:MOST_REPORTS]),
        *(_report(each, completes=True) for each in completing[:MOST_REPORTS]),
    ]


def _months(question: AnalysedQuestion, asked: PanelQuestion) -> int | None:
    """Returns the length in months of the periods that the question asks for; ``None`` if it names none."""
    if asked.periods:
        lengths = {_length(key) for key in asked.periods}
        return lengths.pop() if len(lengths) == 1 else None
    if _QUARTERLY.search(question.text):
        return QUARTER_MONTHS
    return MONTHS_OF_YEAR if _YEARLY.search(question.text) else None


def _length(key: str) -> int | None:
    return MONTHS_OF_YEAR if key.isdigit() else QUARTER_MONTHS if quarter_number(key) is not None else None


def _report(document: KnownDocument, *, completes: bool = False) -> PanelReport:
    return PanelReport(
        completes=completes,
        document_id=document.id,
        title=document.title or document.filename,
        organisation=document.organisation,
        periods=tuple(period.key for period in document.covered),
        end=_end(document),
        is_annual=document.kind == _ANNUAL,
    )


def _is_plan(asked: PanelQuestion, reports: Mapping[str, Sequence[PanelReport]]) -> bool:
    """Returns whether there is more than one value to look for."""
    if asked.kind == "series":
        return sum(map(len, reports.values())) > 1 or bool(asked.count)
    return len(reports) > 1


def _text(asked: PanelQuestion, organisation: str, language: Language) -> str:
    key = "growth" if asked.kind == "growth" else "measure"
    return message(f"graph.planning.{key}", measure=asked.measure, organisation=organisation).to(language)
