"""Calculates the figures of a report with its goals from the users' actions, answers of ``/ready`` and phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.frozen.disturbances import HOSTILE, OPENING, TABLE, Reached
from benchmarks.frozen.person import Deed
from benchmarks.frozen.phases import PLAIN, QUIET, Phase
from benchmarks.frozen.ready_probe import Sample
from benchmarks.report import Figure, Report

READY_MS = 300.0
RATIO = 3.0
CSV_SECONDS = 15.0
UNCOMPARED = (QUIET, "warming up")
"""Phases without a disturbance."""
MOST_LISTED = 12
ONE_CALL = "one call that blocks all threads, such as a regular expression"
"""Given as the cause of a blocked event loop if the watchdog saw none: it is a thread, so such a call blocks it too."""
_COUNTED = {HOSTILE: "hostile questions", TABLE: "table questions", OPENING: "openings of the conversation"}


@dataclass
class Outcome:
    """Everything that was observed in a run.

    ``csv_seconds``: time until the first table, uploaded while nothing else ran, was searchable. ``tables``: number of
    searchable tables, and of all tables. ``kinds``: kinds of hostile questions to ask.
    """

    phases: Sequence[Phase]
    deeds: Sequence[Deed]
    samples: Sequence[Sample]
    reached: Reached = field(default_factory=dict)
    csv_seconds: float = 0.0
    tables: tuple[int, int] = (0, 0)
    with_tables: bool = True
    kinds: int = 0

    def __post_init__(self) -> None:
        self.quiet = quiet_times(self.deeds_in(QUIET))

    def phases_of(self, name: str) -> list[Phase]:
        return [phase for phase in self.phases if phase.name == name]

    def deeds_in(self, name: str) -> list[Deed]:
        """Returns the actions begun in the phases of this name."""
        return [deed for deed in self.deeds if _is_in(deed.began, self.phases_of(name))]

    def samples_in(self, name: str) -> list[Sample]:
        return [sample for sample in self.samples if _is_in(sample.began, self.phases_of(name))]

    def ratios_in(self, name: str) -> list[tuple[float, Deed]]:
        """Returns each plain question's time divided by its time on an idle server."""
        asked = (deed for deed in self.deeds_in(name) if deed.kind == PLAIN and deed.about in self.quiet)
        return [(deed.seconds / self.quiet[deed.about], deed) for deed in asked]


def quiet_times(deeds: Sequence[Deed]) -> dict[str, float]:
    """Returns the median time of each plain question on an idle server."""
    times: dict[str, list[float]] = {}
    for deed in deeds:
        if deed.kind == PLAIN:
            times.setdefault(deed.about, []).append(deed.seconds)
    return {question: median(seconds) for question, seconds in times.items()}


def report_of(outcome: Outcome, title: str) -> Report:
    """Reports every figure with its goal, and what the users did when a goal was missed."""
    report = Report(title)
    _add_whole(report, outcome)
    quiet = (
        _worst_ready(outcome.samples_in(QUIET)),
        max(outcome.ratios_in(QUIET), default=None, key=lambda pair: pair[0]),
    )
    for name in dict.fromkeys(phase.name for phase in outcome.phases):
        figures = [*_figures_of(outcome, name, quiet[0], quiet[1][0] if quiet[1] else None)]
        for figure in figures:
            report.add(figure)
        if not all(figure.passes for figure in figures):
            report.notes.append("\n  ".join([f"{name}:", *_reasons(outcome, name)]))
    _add_reached(report, outcome.reached)
    report.notes += _failures(outcome)
    return report


def _add_whole(report: Report, outcome: Outcome) -> None:
    group = "whole run"
    failed = sum(bool(deed.problem) for deed in outcome.deeds) + sum(bool(sample.problem) for sample in outcome.samples)
    worst = _worst_ready(outcome.samples)
    report.add(Figure(group, "/ready, longest, ms", worst.seconds * 1000 if worst else 0.0, most=READY_MS))
    report.add(Figure(group, "/ready, answers", len(outcome.samples)))
    report.add(Figure(group, "failed with an error", failed, most=0))
    lag = max((phase.lag for phase in outcome.phases), default=0.0)
    report.add(Figure(group, "longest lag of the event loop, s", lag))
    stopped = sum(len(phase.stopped) for phase in outcome.phases)
    report.add(Figure(group, "stopped calculations", stopped))
    if not outcome.with_tables:
        return
    there, all_tables = outcome.tables
    report.add(Figure(group, "tables searchable", there, floor=all_tables))
    report.add(Figure(group, "first table searchable, s", outcome.csv_seconds, most=CSV_SECONDS))


def _figures_of(outcome: Outcome, name: str, quiet: Sample | None, quiet_ratio: float | None) -> Iterator[Figure]:
    samples, ratios = outcome.samples_in(name), [ratio for ratio, _ in outcome.ratios_in(name)]
    compared = name not in UNCOMPARED
    against = QUIET if compared else ""
    if worst := _worst_ready(samples):
        before = quiet.seconds * 1000 if quiet and compared else None
        yield Figure(name, "/ready, longest, ms", worst.seconds * 1000, before, against, most=READY_MS)
        yield Figure(name, "the machine itself was late by, ms", max(sample.woken_late for sample in samples) * 1000)
    if ratios and compared:
        yield Figure(name, "plain questions, worst ratio", max(ratios), quiet_ratio, against, most=RATIO)
        yield Figure(name, "plain questions, median ratio", median(ratios))
    if ratios:
        seconds = [deed.seconds for _, deed in outcome.ratios_in(name)]
        yield Figure(name, f"plain questions, longest of {len(seconds)}, s", max(seconds))
    for kind, called in _COUNTED.items():
        times = [deed.seconds for deed in outcome.deeds_in(name) if deed.kind == kind]
        if times:
            yield Figure(name, f"{called}, longest of {len(times)}, s", max(times))
    kinds = {deed.about for deed in outcome.deeds_in(name) if deed.kind == HOSTILE}
    if kinds:
        yield Figure(name, "kinds of hostile questions asked", len(kinds), outcome.kinds, "of")


def _add_reached(report: Report, reached: Mapping[str, float | None]) -> None:
    for name, seconds in reached.items():
        if seconds is not None:
            report.add(Figure("files", f"{name}, s", seconds))
    late = [name for name, seconds in reached.items() if seconds is None]
    if late:
        report.notes.append(f"not reached before the phase ended: {'; '.join(late)}")


def _reasons(outcome: Outcome, name: str) -> Iterator[str]:
    """Describes when the worst case happened and what the users did then, and adds the server's own reports."""
    worst = _worst_ready(outcome.samples_in(name))
    if worst and worst.seconds * 1000 > READY_MS:
        after = worst.began - _beginning(outcome.phases_of(name), worst.began)
        going_on = going_on_in(outcome.deeds, worst.began, worst.began + worst.seconds)
        yield f"/ready took {worst.seconds * 1000:.0f} ms after {after:.0f} s, during: {going_on}"
        slow = sum(sample.seconds * 1000 > READY_MS for sample in outcome.samples_in(name))
        yield f"{slow} of {len(outcome.samples_in(name))} answers of /ready were late"
    ratio, deed = max(outcome.ratios_in(name), key=lambda pair: pair[0], default=(0.0, None))
    if deed and ratio > RATIO and name not in UNCOMPARED:
        after = deed.began - _beginning(outcome.phases_of(name), deed.began)
        others = going_on_in([other for other in outcome.deeds if other.kind != PLAIN], deed.began, deed.ended)
        quiet = outcome.quiet[deed.about]
        yield f"{deed.about!r} took {deed.seconds:.2f} s, in quiet {quiet:.2f} s, after {after:.0f} s, during: {others}"
        slow = sum(ratio > RATIO for ratio, _ in outcome.ratios_in(name))
        yield f"{slow} of {len(outcome.ratios_in(name))} plain questions took over {RATIO:g} times their quiet time"
    for phase in outcome.phases_of(name):
        for pause in sorted(phase.pauses, key=lambda pause: -pause["seconds"])[:MOST_LISTED]:
            yield f"the event loop was blocked for {pause['seconds']:.1f} s in {pause['where'] or ONE_CALL}"
        for work in phase.stopped[:MOST_LISTED]:
            yield f"stopped after {work['seconds']:.0f} s: {work['name']}"


def going_on_in(deeds: Sequence[Deed], began: float, ended: float) -> str:
    """Lists the users' actions between two moments: "2 table questions, hostile question (dots)"."""
    met = [deed for deed in deeds if deed.began < ended and deed.ended > began]
    counts = Counter(deed.kind for deed in met)
    parts = []
    for kind, count in counts.items():
        abouts = list(dict.fromkeys(deed.about for deed in met if deed.kind == kind))
        named = f" ({', '.join(abouts)})" if kind not in (PLAIN, TABLE) and len(abouts) <= 4 else ""
        parts.append(f"{count} × {kind}{named}" if count > 1 else f"{kind}{named}")
    return ", ".join(parts) or "nothing"


def _failures(outcome: Outcome) -> list[str]:
    lines = [
        f"failed: {deed.kind} ({deed.about[:80]}) of {deed.person}: {deed.problem}"
        for deed in outcome.deeds
        if deed.problem
    ]
    lines += [
        f"failed: /ready in {_phase_at(outcome.phases, sample.began)}, after {sample.seconds:.1f} s: {sample.problem}"
        for sample in outcome.samples
        if sample.problem
    ]
    more = [f"{len(lines) - MOST_LISTED} more failed"] if len(lines) > MOST_LISTED else []
    return ["\n  ".join([*lines[:MOST_LISTED], *more])] if lines else []


def _worst_ready(samples: Sequence[Sample]) -> Sample | None:
    return max(samples, key=lambda sample: sample.seconds, default=None)


def _is_in(moment: float, phases: Sequence[Phase]) -> bool:
    return any(phase.began <= moment < phase.ended for phase in phases)


def _beginning(phases: Sequence[Phase], moment: float) -> float:
    return next(phase.began for phase in phases if phase.began <= moment < phase.ended)


def _phase_at(phases: Sequence[Phase], moment: float) -> str:
    return next((phase.name for phase in phases if _is_in(moment, [phase])), "no phase")
