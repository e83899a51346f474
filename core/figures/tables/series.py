"""Finds the rows or columns ("series") that a phrase means in a table, and their cells for the requested periods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from core.figures.tables.cell_values import Reading, read
from core.figures.tables.grid import Place, Series, TableGrid
from core.figures.tables.lookup import SeriesFit, lookup_phrase, period_fit, series_fits
from core.language.entities.periods import NamedPeriod
from core.language.vocabulary import pattern_of
from core.question.analysed import AnalysedQuestion
from core.question.operation import QuestionOperation

MOST_JOINTS = 8
"""Maximum number of positions at which splitting a phrase in two is tried."""
MOST_PARTS = 20
"""Maximum number of series (rows or columns) that one phrase can list."""
NOT_PERCENT = 0.72
NO_PERIOD, UNTIMED_TABLE, TEXT = 0.62, 0.92, 0.8
"""Factors on a series' score: if it has no period but others have, if no series has one, and if it contains text
although a figure is requested."""
_LEAST_PERIOD = 0.25
_SURE_PERIOD, _OTHER_HEAD = 0.9, 0.7
"""Factor on the same row's period under another heading: "Estimated at June 30", "Final as of December 31"."""
_MOST_LIKELY = 6
_MOST_JUDGED, _LEAST_SHARE = 60, 0.4
"""Limits on candidates: a matching period cannot make up for a much worse word match."""
_AND = pattern_of("answering/tables.series.and")
_ONLY_AND = pattern_of("answering/tables.series.only_and")
_BETTER = 0.04
_LEAST_PART, _LEAST_NEEDED = 0.55, 0.3
_TIED = 0.03


@dataclass(frozen=True)
class ChosenSeries:
    """A series (row or column) chosen for a phrase: ``score`` is 0..1 and includes how well its periods fit; ``margin``
    is its lead over the next one with another answer; ``timed`` is how well it covers the requested periods."""

    fit: SeriesFit
    score: float
    margin: float
    timed: float

    @property
    def series(self) -> Series:
        return self.fit.series


@dataclass
class SeriesLookup:
    """Looks up a phrase in one table; ``alike`` are labels that are similar to the question by embeddings, 0..1."""

    sheet: TableGrid
    asked: QuestionOperation
    question: AnalysedQuestion
    alike: Mapping[str, float] = field(default_factory=dict)
    _picks: dict[tuple[object, ...], list[ChosenSeries]] = field(default_factory=dict)

    @property
    def periods(self) -> tuple[NamedPeriod | str, ...]:
        """The periods that the question names, or else those resolved for it."""
        return self.asked.periods.named or self.question.periods

    def picks(
        self, phrase: str, beside: str = "", periods: Sequence[NamedPeriod | str] | None = None
    ) -> list[ChosenSeries]:
        """Returns the most likely series for the phrase, best first."""
        sought = tuple(self.periods if periods is None else periods)
        key = (phrase, beside, sought)
        if key not in self._picks:
            self._picks[key] = self._ranked_series(phrase, beside, sought)
        return self._picks[key]

    def _ranked_series(self, phrase: str, beside: str, periods: Sequence[NamedPeriod | str]) -> list[ChosenSeries]:
        wish = lookup_phrase(phrase, self.sheet, beside, self.question.entities, self.alike)
        if not wish.words:
            return []
        scored: list[tuple[float, float, SeriesFit]] = []
        found = series_fits(self.sheet, wish)
        for fit in found[:_MOST_JUDGED]:
            if fit.score < _LEAST_SHARE * found[0].score:
                break
            timed = self.timed(fit.series, periods)
            kind = 1.0 if self._has_figures(fit.series) else TEXT
            if "percent" in wish.words and "percent" not in fit.series.row.own and not self._in_percent(fit.series):
                kind *= NOT_PERCENT
            scored.append((fit.score * (NO_PERIOD + (1 - NO_PERIOD) * timed) * kind, timed, fit))
        scored.sort(key=lambda each: -each[0])
        chosen = []
        for score, timed, fit in scored[:_MOST_LIKELY]:
            next_best = max((other_score for other_score, _, other in scored if other is not fit), default=0.0)
            chosen.append(ChosenSeries(fit, score, max(0.0, score - next_best), timed))
        return chosen

    def timed(self, series: Series, periods: Sequence[NamedPeriod | str]) -> float:
        """Returns how well the series covers the periods, 0..1: the average over the periods."""
        if not periods:
            return 1.0
        if not self.sheet.periods:
            return UNTIMED_TABLE
        return sum(self._best_place(series, period)[0] for period in periods) / len(periods)

    def at(self, series: Series, period: NamedPeriod | str) -> Place | None:
        """Returns the series' cell for the period; a cell without a period matches any if the table states none."""
        score, place = self._best_place(series, period)
        if score >= _LEAST_PERIOD:
            return place
        untimed = not self.sheet.periods or len(series.cells) == 1
        return series.cells.get(None) if untimed else None

    def newest(self, series: Series) -> Place:
        keys = series.periods
        return series.cells[keys[0]] if keys else series.cells[None]

    def place(self, series: Series, periods: Sequence[NamedPeriod | str]) -> Place | None:
        """Returns the cell of the first of ``periods``, or the newest one without ``periods``."""
        return self.at(series, periods[0]) if periods else self.newest(series)

    def places(self, series: Series, periods: Sequence[NamedPeriod | str]) -> list[Place]:
        """Returns its cells for ``periods``; if none are given, all cells with a period, or else the newest cell."""
        if periods:
            return [place for period in periods if (place := self.at(series, period))]
        return [series.cells[key] for key in series.periods] or [self.newest(series)]

    def readings(self, places: Iterable[Place | None]) -> list[Reading]:
        """Returns the figures at ``places``, without empty cells."""
        return [reading for place in places if (reading := self.reading(place))]

    def reading(self, place: Place | None) -> Reading | None:
        return read(self.sheet, place) if place is not None else None

    def _best_place(self, series: Series, period: NamedPeriod | str) -> tuple[float, Place | None]:
        names = self.sheet.evidence.origin.periods
        found = [(period_fit(period, key, names), place) for key, place in series.cells.items()]
        if max(found, key=lambda each: each[0], default=(0.0, None))[0] < _SURE_PERIOD:
            beside = [other for other in self.sheet.of_row[series.row.index] if other is not series]
            found += [
                (_OTHER_HEAD, place)
                for other in beside
                for key, place in other.cells.items()
                if period_fit(period, key, names) >= _SURE_PERIOD and self._has_figures(other)
            ][:1]
        return max(found, key=lambda each: each[0], default=(0.0, None))

    def _in_percent(self, series: Series) -> bool:
        reading = self.reading(next(iter(series.cells.values())))
        return reading is not None and reading.unit == "%"

    def _has_figures(self, series: Series) -> bool:
        return any(self.sheet.cell(*place).value is not None for place in series.cells.values())

    def several(
        self, phrase: str, periods: Sequence[NamedPeriod | str] | None = None, must: bool = False
    ) -> list[ChosenSeries]:
        """Returns one choice for each thing that a phrase lists ("R&D and SG&A"), or a single one; ``must``: the
        question needs more than one."""
        whole = self.picks(phrase, periods=periods)
        best, chosen = (whole[0].score + _BETTER if whole and not must else 0.0), whole[:1]
        for parts in splits(phrase):
            picks: list[ChosenSeries] = []
            for number, part in enumerate(parts):
                likely = self.picks(part, periods=periods)
                if likely and likely[0].margin < _TIED:
                    likely = self.picks(part, " ".join(parts[:number] + parts[number + 1 :]), periods)
                free = [pick for pick in likely if all(pick.series is not other.series for other in picks)]
                if not free:
                    break
                picks.append(free[0])
            score = min((pick.score for pick in picks), default=0.0)
            if len(picks) == len(parts) and score > max(best, _LEAST_NEEDED if must else _LEAST_PART):
                best, chosen = score, picks
        return chosen


def splits(phrase: str) -> list[list[str]]:
    """Returns the ways to read a phrase as a list: split at one "and", or at every comma and "and"."""
    joints = islice(_ONLY_AND.finditer(phrase), MOST_JOINTS)
    found = [[phrase[: match.start()], phrase[match.end() :]] for match in joints]
    every = [part for part in _AND.split(phrase) if part]
    return [
        parts
        for parts in (*found, *([every] if 2 < len(every) <= MOST_PARTS else []))
        if all(part.strip() for part in parts)
    ]
