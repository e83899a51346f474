"""Answers questions for a judgement (better, steady, positive, which of several) with yes, no or a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from core.figures.measures.amounts import Amount, ratio
from core.figures.measures.operations import Case, MeasureOutcome, calculation, ends, moved_by, share_moved
from core.figures.measures.results import Result, results, series
from core.figures.measures.wording import sources
from core.language.vocabulary import pattern_of
from core.question.measures.vocabulary import asks, line, says, vocabulary

_STEADY = 0.02
_LOSS = pattern_of("answering/measures.verdicts.loss")


def trend(case: Case) -> MeasureOutcome | None:
    """Returns whether the measure moved in the direction asked about, with both figures."""
    found = ends(case)
    if found is None:
        return None
    before, now = two = _as_losses(*found) if _LOSS.search(case.name()) else found
    moved = _change_amount(case, before, now)
    way = _direction_of_change(before, now)
    verdict = _verdict(case, way)
    parts = {
        "verdict": says(f"{verdict} verdict" if verdict == "unchanged" else verdict, case.language),
        "earlier": case.when(before.period), "later": case.when(now.period), "now": case.text(now),
    }  # fmt: skip
    if way == 0:
        text = case.line("same", now, two, **parts)
    else:
        went = says("went up" if way > 0 else "went down", case.language)
        changed = {"went": went, "before": case.text(before), "value": moved.text(case.language)}
        text = case.line("trend", now, two, **parts, **changed)
    if not case.asked.judges:
        text = text.split(": ", 1)[-1]
        text = text[:1].upper() + text[1:]
    shown = "; ".join(filter(None, (calculation(case, before), calculation(case, now), _moved_shown(case, two, moved))))
    kind = "choice" if case.asked.judges else "calculation"
    return MeasureOutcome(kind, text, two, shown, None if case.asked.judges else moved, verdict)  # type: ignore[arg-type]


def _as_losses(before: Result, now: Result) -> tuple[Result, Result]:
    """Returns losses as positive values, so that a loss that goes from 4 to 5 has grown."""
    if before.worked.value >= 0 or now.worked.value >= 0:
        return before, now
    one, two = (replace(each, worked=replace(each.worked, value=-each.worked.value)) for each in (before, now))
    return one, two


def _direction_of_change(before: Result, now: Result) -> int:
    one, two = before.worked.value, now.worked.value
    return 0 if abs(two - one) < 1e-9 * max(abs(one), abs(two), 1e-12) else 1 if two > one else -1


def _change_amount(case: Case, before: Result, now: Result) -> Amount:
    if case.measure.is_money and (share := share_moved(case, before, now)):
        return share
    return moved_by(case, before, now)


def _moved_shown(case: Case, two: Sequence[Result], moved: Amount) -> str:
    before, now = (case.text(each) for each in two)
    if moved.unit == "%" and case.measure.is_money:
        return f"({now} − {before}) ÷ {before} = {moved.text()}"
    return f"{now} − {before} = {moved.text()}"


def _verdict(case: Case, way: int) -> str:
    asked = case.asked
    if asked.either:
        if way == 0:
            return "unchanged"
        if asked.better:
            return "improved" if way * (-1 if case.measure.falling else 1) > 0 else "declined"
        return "increased" if way > 0 else "decreased"
    if asked.way == 0:
        return "yes" if way else "no"
    wanted = asked.way * (-1 if asked.better and case.measure.falling else 1)
    return "yes" if way == wanted else "no"


def steady(case: Case) -> MeasureOutcome | None:
    """Returns whether the measure changed from year to year by no more than the tolerance (two percentage points, or
    two per cent)."""
    found = [each for each in series(case.books, case.measure, case.periods) if each]
    if len(found) < 2 or len(found) < len(case.periods) - 1:
        return None
    most = case.asked.tolerance or _STEADY
    steps = [_step_size(case, one, two) for one, two in pairwise(found)]
    widest = max(steps)
    asks_fall = bool(asks("down", case.question.focus) and not asks("steady", case.question.focus))
    verdict = "yes" if (widest <= most) != asks_fall else "no"
    widest_step = ratio(widest, "%" if case.measure.is_money else "points", 1).text(case.language)
    values = ", ".join(f"{case.text(each)} {case.when(each.period)}" for each in found)
    told = says(verdict, case.language)
    text = case.line("steady", found[-1], found, verdict=told, value=widest_step, series=values)
    shown = "; ".join(filter(None, (calculation(case, result) for result in found)))
    return MeasureOutcome("choice", text, tuple(found), shown, None, verdict)


def _step_size(case: Case, one: Result, two: Result) -> float:
    moved = abs(two.worked.value - one.worked.value)
    return moved if not case.measure.is_money else moved / max(abs(one.worked.value), 1e-9)


def sign(case: Case) -> MeasureOutcome | None:
    """Returns whether the measure is positive or negative."""
    wanted = -1 if asks("negative", case.question.text) else 1
    return _judged(case, "sign", lambda value: value * wanted > 0)


def soundness(case: Case) -> MeasureOutcome | None:
    """Returns whether the measure is at least the value that is usually considered healthy (``sound`` in the
    vocabulary)."""
    least = vocabulary().sound[case.measure.key]
    return _judged(case, "sound", lambda value: value >= least, least)


def _judged(
    case: Case, wording: str, is_so: Callable[[float], bool], threshold: float | None = None
) -> MeasureOutcome | None:
    """Returns yes or no for the measure's value at the last requested period, according to a test."""
    found = results(case.books, case.measure, case.periods[-1], closing=case.asked.closing)
    if not found:
        return None
    best = found[0]
    verdict = "yes" if is_so(best.worked.value) else "no"
    parts = {"verdict": says(verdict, case.language), "when": case.when(best.period), "value": case.text(best)}
    text = case.line(wording, best, [best], **parts, least="" if threshold is None else f"{threshold:g}")
    return MeasureOutcome("choice", text, (best,), calculation(case, best), None, verdict, threshold=threshold)


def profile(cases: Sequence[Case]) -> MeasureOutcome | None:
    """Returns the figures that are relevant to a judgement, and leaves the judgement to the user."""
    found = [results(case.books, case.measure, case.periods[-1]) for case in cases]
    best = [(case, each[0]) for case, each in zip(cases, found, strict=True) if each]
    if not best:
        return None
    values = [f"{case.name()} {case.text(result)}" for case, result in best]
    shown = [calculation(case, result) for case, result in best]
    case, first = best[0]
    text = line(
        "profile", case.language, entity=case.entity(first), when=case.when(first.period),
        series=", ".join(values), sources=sources([result for _, result in best]),
    )  # fmt: skip
    return MeasureOutcome("undecided", text, tuple(result for _, result in best), "; ".join(shown), case.amount(first))


def most(cases: Sequence[Case]) -> MeasureOutcome | None:
    """Returns which of several figures is largest or smallest in one period."""
    period = cases[0].periods[-1]
    found = [results(case.books, case.measure, period) for case in cases]
    if not all(found):
        return None
    best = [each[0] for each in found]
    least = bool(asks("least", cases[0].question.text)) and "lost the least" not in cases[0].question.text.lower()
    chosen = (min if least else max)(range(len(best)), key=lambda place: best[place].worked.value)
    values = [f"{case.name()} {case.text(result)}" for case, result in zip(cases, best, strict=True)]
    text = line(
        "most", cases[0].language, best=cases[chosen].name(), value=cases[chosen].text(best[chosen]),
        when=cases[0].when(period), series=", ".join(values), entity=cases[0].entity(best[0]), sources=sources(best),
    )  # fmt: skip
    return MeasureOutcome("choice", text, (best[chosen], *best[:chosen], *best[chosen + 1 :]), "; ".join(values), None,
                   cases[chosen].measure.name)  # fmt: skip
