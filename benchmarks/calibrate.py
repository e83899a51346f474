"""Measures the score distributions of the present embedding model: ``python -m benchmarks.calibrate --data
../shared/data``.

The questions of each set are asked in three libraries: the set's own library, the libraries of the other sets, and its
own library without the documents that contain the answers. It prints

1. the percentiles of the best cosine, of the best lexical strength and of the best joint strength;
2. for each mode, how many answerable questions keep a passage that answers them, and how many unanswerable ones end
with no result (``core.search.documents.search``, filenames included);
3. the values for ``Calibration`` and the strengths for the modes that these distributions suggest.

The benchmark fails if the present calibration table gives figures below the floors. ``--every N`` takes each Nth
question.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

import numpy as np

from benchmarks.report import Figure, Report
from benchmarks.sets import TestSet, load_sets
from benchmarks.shelf import PATIENCE, Shelf, open_shelf
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery, DocumentSearch
from core.search.pipeline import SearchPipeline
from core.search.request import SearchRequest
from core.search.scoring.calibration import ANCHOR
from core.setting_groups import ModeName
from core.store.items import LIBRARY

MODES: tuple[ModeName, ...] = get_args(ModeName)
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
LIMIT = 48
ANSWERED_FLOOR: dict[ModeName, float] = {"quick": 0.85, "enhanced": 0.90, "deep": 0.90}
ELSEWHERE_FLOOR = 0.80
FALSE_SHARES = (0.10, 0.05, 0.02)


@dataclass
class Spread:
    """The best raw and calibrated score of each question; ``right``: the cosines of passages that answer."""

    cosine: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    strength: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def print(self, name: str) -> None:
        for label, values in (("cosine", self.cosine), ("words", self.words), ("strength", self.strength)):
            if values:
                cells = " ".join(f"{value:6.3f}" for value in np.percentile(values, PERCENTILES))
                print(f"  {name:34} {label:9} {cells}")


@dataclass
class Situation:
    """A combination of one set's questions with a library that either contains the answers or does not."""

    name: str
    asked: TestSet
    library: str
    without_answers: bool = False

    @property
    def answerable(self) -> bool:
        return self.asked.name == self.library and not self.without_answers


def situations(sets: Sequence[TestSet]) -> list[Situation]:
    own = [Situation(f"{each.name} in its library", each, each.name) for each in sets]
    less = [Situation(f"{each.name} without its document", each, each.name, True) for each in sets]
    others = [
        Situation(f"{each.name} in {other.name}", each, other.name) for each in sets for other in sets if other != each
    ]
    return [*own, *others, *less]


class Trial:
    """Asks the questions of the situations and collects the results."""

    def __init__(self, shelf: Shelf, every: int, report: Report) -> None:
        self._shelf = shelf
        self._every = every
        self._report = report
        self._pipeline: SearchPipeline = shelf.pipeline()
        self._search: DocumentSearch = shelf.search()
        self.answerable, self.elsewhere = Spread(), Spread()

    async def run(self, situation: Situation) -> None:
        spread = Spread()
        ended: dict[ModeName, list[bool]] = {mode: [] for mode in MODES}
        for place in range(0, len(situation.asked.questions), self._every):
            self._hide(situation, place)
            await self._look(situation, place, spread)
            for mode in MODES:
                ended[mode].append(await self._ends_well(situation, place, mode))
        self._shelf.hidden.clear()
        spread.print(situation.name)
        self._judge(situation, ended)
        if not situation.without_answers:
            total = self.answerable if situation.answerable else self.elsewhere
            for name in ("cosine", "words", "strength", "right"):
                getattr(total, name).extend(getattr(spread, name))

    def _hide(self, situation: Situation, place: int) -> None:
        self._shelf.hidden.clear()
        if situation.without_answers:
            titles = {situation.asked.documents[gold] for gold in situation.asked.gold[place]}
            self._shelf.hidden.update(self._shelf.titled[situation.library, title] for title in titles)

    async def _look(self, situation: Situation, place: int, spread: Spread) -> None:
        text = situation.asked.questions[place]
        request = SearchRequest(situation.library, text, limit=LIMIT, tiers=("books",), scopes=(LIBRARY,))
        hits = (await self._pipeline.search(request, Deadline(PATIENCE))).hits
        spread.cosine.append(max((hit.cosine or 0.0 for hit in hits), default=0.0))
        spread.words.append(max((hit.lexical for hit in hits), default=0.0))
        spread.strength.append(max((hit.strength for hit in hits), default=0.0))
        if situation.answerable:
            gold = situation.asked.gold[place]
            spread.right += [hit.cosine for hit in hits if hit.cosine and self._shelf.places[hit.item.id] in gold]

    async def _ends_well(self, situation: Situation, place: int, mode: ModeName) -> bool:
        """Returns whether an answering passage is cited or, if the library contains none, nothing is cited."""
        query = DocumentQuery(situation.library, situation.asked.questions[place], mode)
        found = await self._search.find(query, Deadline(PATIENCE))
        if not situation.answerable:
            return found.confidence == "none"
        cited = {
            self._shelf.places[passage.item_id]
            for source in firmly_accepted(found.sources)
            for passage in source.passages
        }
        return bool(cited & situation.asked.gold[place])

    def _judge(self, situation: Situation, ended: dict[ModeName, list[bool]]) -> None:
        floors: dict[ModeName, float]
        if situation.answerable:
            group, floors = "Cited a passage that answers", ANSWERED_FLOOR
        elif situation.without_answers:
            group, floors = "No result: the same library without the answering documents", {}
        else:
            group, floors = "No result: another library", dict.fromkeys(MODES, ELSEWHERE_FLOOR)
        for mode, well in ended.items():
            self._report.add(Figure(group, f"{situation.name}, {mode}", float(np.mean(well)), floor=floors.get(mode)))


def suggest(answerable: Spread, elsewhere: Spread) -> list[str]:
    """Describes the calibration table that the measured distributions suggest."""
    low, high = np.percentile(elsewhere.cosine, 5), np.percentile(answerable.right, 95)
    lines = [f"Calibration(low={low:.2f}, high={high:.2f}): unrelated texts at their best, answering texts at theirs"]
    for share in FALSE_SHARES:
        strength = float(np.quantile(elsewhere.strength, 1 - share))
        kept = float(np.mean(np.array(answerable.strength) >= strength))
        lines.append(
            f"strength {strength:.2f}: {share:.0%} of questions put to another library find something, "
            f"{kept:.1%} of questions put to their own do"
        )
    return lines


async def calibrate(data: Path, cache: Path | None, every: int) -> Report:
    report = Report("Thresholds: shares of questions, 0..1")
    async with open_shelf(cache) as shelf:
        sets = load_sets(data)
        for test_set in sets:
            await shelf.store(test_set)
        run = Trial(shelf, every, report)
        print(f"{'best of each question':36} {'percentile':9} " + " ".join(f"{each:6}" for each in PERCENTILES))
        for situation in situations(sets):
            await run.run(situation)
        identity, search = shelf.embeddings.identity, shelf.settings.search
        report.notes.append(
            f"Present table for {identity.model}: {identity.calibration}, quick {search.quick.strength}, "
            f"enhanced {search.enhanced.strength}, deep {search.deep.strength}, anchor {ANCHOR}."
        )
        report.notes.append(
            "In a library of code, questions about one class are also answered by its neighbours, so that taking the "
            "file away takes little away; the same holds for articles on one subject."
        )
        if run.answerable.strength and run.elsewhere.strength:
            report.notes.append("Suggested: " + "\n  ".join(suggest(run.answerable, run.elsewhere)))
    report.figures.sort(key=lambda figure: figure.group)
    return report


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with heq/, code_search/ and chunking/")
    parser.add_argument("--cache", type=Path, help="file (.npz) that keeps embeddings between runs")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth question")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    return asyncio.run(calibrate(options.data, options.cache, options.every)).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
