"""Answers questions about a company's parts from its documents' tables, with the compared figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.measures.wording import period_text
from core.figures.numbers import figure as shown_figure
from core.figures.numbers import natural
from core.figures.records import Candidate, TableEvidence
from core.figures.segments.groups import clean, groups_of
from core.figures.segments.question import SegmentQuestion, segment_question
from core.figures.segments.ranking import Choice, choices
from core.figures.segments.vocabulary import doubt, line, says
from core.figures.tables.cell_values import Reading, reference
from core.figures.tables.first_line import clean_label
from core.figures.tables.scale_from_text import with_usual_scale
from core.language.fields import figures
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.question.analysed import AnalysedQuestion
from core.question.stems import stems
from core.records.answer import Answer
from core.words import Language, Words

_UNTIL = phrase_of("answering/segment_patterns.answers.until")
_SURE, _DOUBTED = 0.8, 0.62
_AHEAD = 0.08
"""Minimum lead in score of a group over others that give a different answer."""
_KNOWN = 0.5
"""Minimum share of a group's parts that must also appear in other tables if no heading calls them by the requested
name."""
_ROUNDED = 0.005
"""Tolerance for amounts to count as the same if one table rounds them."""
_MOST_RIVALS = 4
_MOST_TOLD = 5


@dataclass(frozen=True)
class RankedPart:
    """A part with the compared value: ``size`` is its amount, change or share."""

    label: str
    size: float
    now: Reading
    before: Reading | None = None


def answer_from_segments(question: AnalysedQuestion, tables: Sequence[TableEvidence]) -> list[Candidate]:
    """Returns at most one candidate; none if no part is requested or no table compares parts.

    Args:
        tables: all tables of the documents that the question is about, in the order of the documents.
    """
    asked = segment_question(question)
    if asked is None:
        return []
    own = with_usual_scale([each for each in tables if each.origin.may_be_by(question.entities)], tables)
    named = figures()[asked.figure] if asked.figure else None
    likely = asked.words | frozenset(stem for name in (named.names if named else ()) for stem in stems(name))
    found = choices(asked, groups_of(own, likely))
    if not found:
        return []
    best = found[0]
    ranked = _ranked_parts(asked, best)
    if len(ranked) < 2:
        return []
    against = any(
        _says_otherwise(asked, ranked, _ranked_parts(asked, other))
        for other in found[1:_MOST_RIVALS]
        if other.score > best.score - _AHEAD
    )
    return [_segment_candidate(question, asked, best, ranked, against)]


def _ranked_parts(asked: SegmentQuestion, choice: Choice) -> list[RankedPart]:
    """Returns the parts, best answer first; if the question asks for shares above a bound, only those above it, unless
    there are none."""
    if asked.operation in ("grew most", "fell most"):
        made = [_grown(asked, choice, label) for label in choice.now]
        return sorted(filter(None, made), key=lambda each: each.size, reverse=asked.operation == "grew most")
    if asked.operation == "beyond":
        found = [
            RankedPart(label, share, now) for label, now in choice.now.items() if (share := _percent_share(choice, now))
        ]
        return sorted(found, key=lambda each: -each.size)
    found = [RankedPart(label, now.value * now.scale, now) for label, now in choice.now.items()]
    if asked.operation == "amount":
        return sorted(found, key=lambda each: each.label != choice.part)
    negative = all(each.size <= 0 for each in found)
    return sorted(
        found,
        key=lambda each: abs(each.size) if negative and _is_cost(asked) else each.size,
        reverse=asked.operation == "largest",
    )


def _is_cost(asked: SegmentQuestion) -> bool:
    return bool(asked.figure) and figures()[asked.figure].cost


def _grown(asked: SegmentQuestion, choice: Choice, label: str) -> RankedPart | None:
    now = choice.now[label]
    if choice.is_percent:
        return RankedPart(label, now.value, now)
    before = choice.before.get(label)
    if before is None or before.value * before.scale <= 0:
        return None
    moved = now.value * now.scale - before.value * before.scale
    return RankedPart(label, moved if asked.by_amount else moved / (before.value * before.scale) * 100, now, before)


def _percent_share(choice: Choice, now: Reading) -> float | None:
    if choice.is_percent:
        return now.value
    whole = choice.whole
    return now.value * now.scale / (whole.value * whole.scale) * 100 if whole and whole.value > 0 else None


def _says_otherwise(asked: SegmentQuestion, one: Sequence[RankedPart], other: Sequence[RankedPart]) -> bool:
    if not other:
        return False
    if asked.operation == "beyond":
        ours, theirs = ({each.label for each in ranked if each.size > asked.bound} for ranked in (one, other))
        return ours != theirs
    if asked.operation == "amount":
        return abs(one[0].size - other[0].size) > _ROUNDED * abs(one[0].size)
    return fold(one[0].label) != fold(other[0].label)


def _segment_candidate(
    question: AnalysedQuestion, asked: SegmentQuestion, best: Choice, ranked: Sequence[RankedPart], against: bool
) -> Candidate:  # fmt: skip
    entity = question.owner(best.group.evidence.origin.organisation)
    sentence, value = _answer_line(question, asked, best, ranked, entity)
    why = _segment_doubt(asked, best, against)
    sureness = _DOUBTED if why else _SURE
    first = ranked[0]
    shown = [each for each in ranked if asked.operation != "beyond" or each.size > asked.bound] or [first]
    shown = shown[:1] if asked.operation == "amount" else shown
    places = [each.now.place for each in shown[:_MOST_TOLD]]
    places += [each.before.place for each in shown[:2] if each.before]
    places += [best.whole.place] if asked.operation == "beyond" and best.whole and not best.is_percent else []
    amount = first.now if asked.operation == "amount" else None
    answer = Answer(
        kind="figure" if amount else "choice" if isinstance(value, str) else "spans",
        line=sentence,
        value=amount.value if amount else value,
        unit=amount.unit if amount else None,
        scale=amount.scale if amount else 1.0,
        currency=amount.currency if amount else None,
        period=best.key,
        entity=entity,
        metric=_grouping_name(asked, best),
        cells=[reference(best.group.sheet, place) for place in places],
        calculation=_calculation(asked, best, shown),
        doubt=why,
    )
    return Candidate(answer, sureness, {"group": best.score, "timed": best.sure, "against": float(against)})


def _answer_line(
    question: AnalysedQuestion, asked: SegmentQuestion, best: Choice, ranked: Sequence[RankedPart], entity: str
) -> tuple[str, str | list[str]]:
    language = question.language
    first, second = ranked[0], ranked[1]
    common = {
        "part": first.label, "figure": _figure_in_language(language, asked.figure) or _grouping_name(asked, best),
        "entity": entity, "cite": f"[{best.group.evidence.origin.number}]", "next": second.label,
        "when": says("in", language).format(period_text(asked.periods[-1], language)) if asked.periods else "",
    }  # fmt: skip
    if asked.operation == "beyond":
        beyond = [each for each in ranked if each.size > asked.bound]
        whole = clean(best.whole.label) if best.whole and not best.is_percent else _grouping_name(asked, best)
        verdict = says("yes" if beyond else "no", language) if asked.judges else ""
        parts = ", ".join(f"{each.label} {_percent(each.size)}" for each in beyond)
        name = "beyond" if beyond else "none beyond"
        sentence = line(
            name, language, **common, verdict=verdict, parts=parts, whole=_total_label(asked, best, whole),
            value=_percent(first.size),
        )  # fmt: skip
        return sentence, [each.label for each in beyond] or first.label
    if asked.operation in ("grew most", "fell most"):
        went = says("rose" if first.size >= 0 else "fell", language)
        more = {"went": went, "moved": _change_text(asked, first, abs(first.size)), "count": str(len(ranked)),
                 "next_moved": _change_text(asked, second, second.size), "now": _figure(first.now, language),
                 "before": _figure(first.before, language) if first.before else ""}  # fmt: skip
        sentence = line(asked.operation, language, **common, **more)
        for until in ("to", _UNTIL):
            sentence = sentence.replace(f" ( {until} {more['now']})", "")
        return sentence, first.label
    values = {"value": _figure(first.now, language), "next_value": _figure(second.now, language)}
    return line(asked.operation, language, **common, **values), first.label


def _total_label(asked: SegmentQuestion, best: Choice, whole: str) -> str:
    """Extends the label "Total", which is unclear without its heading."""
    name = _grouping_name(asked, best)
    return whole if set(stems(whole)) & set(stems(name)) else f"{whole.lower()} {name}" if not best.is_percent else name


def _change_text(asked: SegmentQuestion, ranked: RankedPart, size: float) -> str:
    if asked.by_amount and ranked.before:
        return shown_figure(size / ranked.now.scale, None, ranked.now.scale, ranked.now.currency, ranked.now.decimals)
    return _percent(size)


def _percent(size: float) -> str:
    return f"{natural(size, 1)} %"


def _figure(reading: Reading, language: Language) -> str:
    return shown_figure(reading.value, reading.unit, reading.scale, reading.currency, reading.decimals, language)


def _grouping_name(asked: SegmentQuestion, best: Choice) -> str:
    """Returns the name of what the parts are compared by: the figure that the question names, or else a column or
    heading."""
    if asked.figure and not best.is_percent:
        return asked.figure
    header = best.group.evidence.table.columns[next(iter(best.now.values())).place[1]].header
    name = next((part for part in header if set(stems(part)) & (asked.words | asked.noun)), best.group.name)
    name = name or (re.sub(r"(?i)^total\s+", "", best.group.total.label) if best.group.total else "")
    return clean_label(name).lower() if name else asked.figure


def _figure_in_language(language: Language, figure: str) -> str:
    """Returns the Hebrew name of a vocabulary figure for a Hebrew answer; empty if the English name is to be used."""
    names = figures()[figure].names if figure and language == "he" else []
    return next((name for name in names if is_hebrew(name)), "")


def _calculation(asked: SegmentQuestion, best: Choice, shown: Sequence[RankedPart]) -> str:
    if asked.operation in ("grew most", "fell most"):
        made = [
            f"({each.now.text} − {each.before.text}) ÷ {each.before.text} = {_percent(each.size)}"
            for each in shown[:2]
            if each.before and not asked.by_amount
        ]
        return "; ".join(made)
    if asked.operation == "beyond" and best.whole and not best.is_percent:
        return "; ".join(f"{each.now.text} ÷ {best.whole.text} = {_percent(each.size)}" for each in shown[:_MOST_TOLD])
    return " > ".join(each.now.text for each in shown[:_MOST_TOLD]) if asked.operation == "largest" else ""


def _segment_doubt(asked: SegmentQuestion, best: Choice, against: bool) -> Words | None:
    if asked.vague:
        name = _grouping_name(asked, best)
        return doubt("vague", figure=Words(en=name, he=_figure_in_language("he", asked.figure) or name))
    if against:
        return doubt("table")
    called = bool(best.part) or bool(asked.noun & best.group.words) or best.group.known >= _KNOWN
    if not called or not (best.is_complete or best.is_percent or not asked.figure):
        return doubt("table")
    if best.sure < 0.9:
        return doubt("period")
    return doubt("table") if asked.operation != "amount" and asked.words - best.group.words else None
