"""Answers with a company's own statements: takes a question and whole documents; returns sentences, events or names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from core.answering.disclosures import facts, officers
from core.answering.disclosures.pattern_matches import PatternMatch, depths, matching_sentences
from core.answering.disclosures.sections import named_in_section
from core.answering.disclosures.signatures import signature
from core.answering.disclosures.vocabulary import Disclosure, disclosure_sought, doubt, line
from core.figures.records import Candidate, TextEvidence
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.entities.periods import periods_in
from core.language.normalisation import fold
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, AnswerKind

SURENESS = 0.62
"""Certainty of an answer with a warning; high enough to rank before a table row that only shares words with the
question."""
SIGNED = 0.8
"""Certainty of a name whose sentence describes it as what the question asks for."""
STATED = 0.9
"""Certainty of a fact that a form or a report states explicitly, or of a name in both a list and a signature."""
_LEAST = 0.45
_MOST_EVENTS, _LONGEST_EVENT, _LEAST_NAMES, _MOST_ITEMS = 8, 150, 3, 3
_LONGEST_LINE = 420
_LEAST_LINE = 60
"""Minimum length in characters of a line of running text; shorter lines under a heading count as a part of the heading.
"""
_SHARED = 0.7
_DATED = DateReading((*DAYS, "month_year"), needs_year=True)
_WORD = re.compile(r"[^\W_]{3,}")


def answer_from_disclosures(question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> list[Candidate]:
    """Returns at most one candidate: a simple fact, or a company's own statement, which always carries a warning.

    Args:
        passages: all passages of the documents that the question is about, in reading order.
    """
    if plain := _plain_fact(question, passages):
        return plain
    kind = disclosure_sought(question)
    if kind is None:
        return []
    if kind.shape == "items":
        return _heading_candidates(question, kind, passages)
    if kind.shape == "signature":
        return _signature_candidates(question, kind, passages)
    if kind.shape == "section":
        return _section(question, kind, passages)
    if kind.shape == "names":
        return _naming_candidates(question, kind, passages)
    found = [each for each in matching_sentences(kind, passages, question.periods) if each.score >= _LEAST]
    return _events(question, found) if kind.shape == "events" else _sentences(question, kind, found)


def is_sought(question: AnalysedQuestion) -> bool:
    """Returns whether the question can only be answered from whole documents."""
    asked = officers.office_sought(question), facts.fact_sought(question), disclosure_sought(question)
    return any(each is not None for each in asked)


def _plain_fact(question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> list[Candidate]:
    """Returns who holds an office, or a fact that forms and reports state in a few fixed ways."""
    found = officers.plain_holder(question, passages) or facts.plain_fact(question, passages)
    if found is None:
        return []
    saying = PatternMatch(found.passage, found.text, None, 1.0, 0)
    wording = found.line_for(question.owner(found.passage.origin.organisation))
    made = _disclosure_candidate(question, "span", wording, found.value, [saying], "sentence")
    update: dict[str, object] = {"doubt": found.doubt}
    if found.number is not None:
        update |= {"kind": "figure", "value": found.number, "scale": found.scale}
    return [Candidate(made.answer.model_copy(update=update), SURENESS if found.doubt else STATED, made.reasons)]


def _sentences(question: AnalysedQuestion, kind: Disclosure, found: Sequence[PatternMatch]) -> list[Candidate]:
    if not found:
        return []
    chosen = [found[0]]
    if kind.shape == "sentences":
        chosen += [each for each in found[1:] if _is_another(each, chosen) and each.rank != found[0].rank][:1]
    sentences = " ".join(f"{_cut(each.text, _LONGEST_LINE)} [{each.passage.origin.number}]" for each in chosen)
    return [_disclosure_candidate(question, "sentence", sentences, chosen[0].text, chosen, "sentence")]


def _is_another(saying: PatternMatch, chosen: Sequence[PatternMatch]) -> bool:
    own = _word_set(saying.text)
    return all(len(own & _word_set(each.text)) < _SHARED * min(len(own), len(_word_set(each.text))) for each in chosen)


def _events(question: AnalysedQuestion, found: Sequence[PatternMatch]) -> list[Candidate]:
    """Returns each event once; if events state their years, only those of the question's years."""
    years = {each[:4] for each in question.periods}
    known: list[tuple[PatternMatch, str]] = []
    for each in found:
        description = _event(each)
        if not description or (years and each.years and not years & set(each.years)):
            continue
        if all(
            len(_word_set(description) & _word_set(other)) < _SHARED * len(_word_set(description)) for _, other in known
        ):
            known.append((each, description))
    known = sorted(known[:_MOST_EVENTS], key=lambda each: each[0].place)
    if not known:
        return []
    chosen, told = [each for each, _ in known], [text for _, text in known]
    return [_worded_candidate(question, "events", told, chosen, events="; ".join(told))]


def _event(saying: PatternMatch) -> str:
    subject = " ".join(((saying.found["of"] if saying.found else "") or "").split()).strip(" ,")
    if len(_WORD.findall(subject)) < 2:
        return ""
    date = _date_in(saying.text)
    shortened = _cut(subject, _LONGEST_EVENT)
    return f"{shortened} ({date})" if date and date not in shortened else shortened


def _date_in(text: str) -> str:
    """Returns the first date, month or fiscal year in ``text`` as written."""
    named = [(day.bare, day.end) for day in dates_in(text, _DATED)]
    named += [(year.start, year.end) for year in periods_in(text) if year.fiscal]
    return text[slice(*min(named))] if named else ""


def _signature_candidates(
    question: AnalysedQuestion, kind: Disclosure, passages: Sequence[TextEvidence]
) -> list[Candidate]:
    """Returns the auditor who signed; the answer has no warning if the signature itself states since when it has been
    auditor."""
    found = signature(kind, passages)
    if found is None:
        return []
    saying = PatternMatch(found.passage, found.text, None, 1.0, 0)
    name = f"signature since{' at least' * ('at least' in found.since)}" if found.since else "signature"
    parts = {"firm": found.firm, "since": found.since, "year": found.since[-4:]}
    candidate = _worded_candidate(question, name, found.firm, [saying], **parts)
    return [replace(candidate.doubted(None), sureness=SIGNED) if found.since else candidate]


def _naming_candidates(
    question: AnalysedQuestion, kind: Disclosure, passages: Sequence[TextEvidence]
) -> list[Candidate]:
    """Returns the passage that contains the most names, preferring those under headings where such names usually
    are."""
    best: tuple[float, list[str], TextEvidence] | None = None
    for passage, depth in zip(passages, depths(passages), strict=True):
        if (
            passage.is_table
            or not kind.may_stand_in(passage.text, depth)
            or kind.is_never(passage.text)
            or not kind.patterns(())[0].search(passage.text)
        ):
            continue
        named = kind.named(passage.text)
        weight = len(named) * (1.3 if kind.stands_under(passage.path) else 1.0) - 2 * depth
        if len(named) >= _LEAST_NAMES and (best is None or weight > best[0]):
            best = (weight, named, passage)
    if best is None:
        return []
    _, named, passage = best
    saying = PatternMatch(passage, passage.text, None, best[0], 0)
    return [_worded_candidate(question, "names", named, [saying], names=", ".join(named))]


def _section(question: AnalysedQuestion, kind: Disclosure, passages: Sequence[TextEvidence]) -> list[Candidate]:
    found = named_in_section(kind, question, passages)
    if found is None:
        return []
    chosen = [PatternMatch(each, name, None, 1.0, 0) for name, each in zip(found.names, found.passages, strict=True)]
    heading = next(each for each in found.passages[0].path if kind.stands_under([each]))
    parts = {"heading": heading, "names": "; ".join(found.names)}
    return [_worded_candidate(question, "section", found.names, chosen, **parts)]


def _heading_candidates(
    question: AnalysedQuestion, kind: Disclosure, passages: Sequence[TextEvidence]
) -> list[Candidate]:
    """Returns the form's headings, each with its text."""
    found: list[tuple[str, str, TextEvidence]] = []
    (pattern,) = kind.patterns(())
    reports = [each for each in passages if each.origin.kind == "current report"]
    for passage, after in zip_longest(reports, reports[1:]):
        matches = list(pattern.finditer(passage.text))
        for match, following in zip_longest(matches, matches[1:]):
            own = passage.text[match.end() : following.start() if following else None]
            more = after.text if after and following is None and not pattern.search(after.text) else ""
            if not kind.is_never(match.group()) and (under := _text_under_heading(f"{own}\n{more}")):
                found.append((" ".join(match["title"].split()), under, passage))
    if not found:
        return []
    kept = [each for each in found if each[2].origin == found[0][2].origin][:_MOST_ITEMS]
    room = _LONGEST_LINE // len(kept) + 200
    items = "; ".join(f"{title}: {_cut(first, room)}" for title, first, _ in kept)
    chosen = [PatternMatch(passage, first, None, 1.0, 0) for _, first, passage in kept]
    return [_worded_candidate(question, "items", [first for _, first, _ in kept], chosen, items=items)]


def _text_under_heading(text: str) -> str:
    """Returns the running text under a heading, from its first line on; shorter lines before it count as a part of the
    heading."""
    lines = [each.strip(" .|") for each in text.split("\n")]
    start = next((number for number, each in enumerate(lines) if len(each) >= _LEAST_LINE), None)
    return " ".join(" ".join(lines[start:]).split()) if start is not None else ""


def _worded_candidate(
    question: AnalysedQuestion, name: str, value: str | list[str], chosen: Sequence[PatternMatch], **parts: str
) -> Candidate:
    """Builds an answer from the line template ``name``, with the organisation's name and with citations for all
    ``chosen`` passages."""
    cite = " ".join(dict.fromkeys(f"[{each.passage.origin.number}]" for each in chosen))
    entity = question.owner(chosen[0].passage.origin.organisation)
    wording = line(name, question.language, entity=entity, cite=cite, **parts)
    return _disclosure_candidate(question, "span" if isinstance(value, str) else "spans", wording, value, chosen, name)


def _disclosure_candidate(
    question: AnalysedQuestion,
    kind: AnswerKind,
    wording: str,
    value: str | list[str],
    chosen: Sequence[PatternMatch],
    why: str,
) -> Candidate:
    cells = [each.passage.reference(each.text[: _LONGEST_LINE * 2]) for each in chosen]
    entity = question.owner(chosen[0].passage.origin.organisation)
    answer = Answer(kind=kind, line=wording, value=value, entity=entity, cells=cells, doubt=doubt(why))
    return Candidate(answer, SURENESS, {"saying": chosen[0].score})


def _word_set(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(text)))


def _cut(text: str, most: int) -> str:
    """Cuts text that is too long for a line at a word boundary; the quotation still contains the whole text."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} …"
