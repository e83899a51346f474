"""Draws the forty questions of ``benchmarks.one_answer`` from grids and series with gold, and judges answers in prose.

The rules of judging are those of the set's own README: numbers within half a per cent after scale, dates as the same
day, texts by the words that they must contain. The answer is prose, so a number counts if the answer states it
anywhere, and a series if it states all its points.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.language.entities.dates import Day, dates_in
from core.parsed_yaml import parse_yaml

SEED = 50
OWN = Path(__file__).with_suffix(".yaml")
SERIES, FILINGS, OTHERS, NOT_STATED, HEBREW = 10, 10, 12, 4, 5
NEAR = 0.005
PERCENT_NEAR = 0.1
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "אלף": 1e3, "מיליון": 1e6, "מיליארד": 1e9}
_NUMBER = re.compile(
    r"(?P<minus>[-−–(])?\s?(?:[$€£₪]|US\$|USD\s?)?\s?(?P<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:\s?(?P<scale>thousand|million|billion|bn\b|m\b|אלף|מיליון|מיליארד))?",
    re.IGNORECASE,
)
_NOT_STATED = re.compile(
    r"not? (?:stat|specif|mention|giv|found|indicat|provid|contain|disclos|identif|includ|report|address|appear|any\b)"
    r"|n[o']t (?:say|state|specify|mention|give|contain|include|provide|define|identify|address|appear|set out|print)"
    r"|\bno (?:such|explicit|standstill|provision|clause|irb|number|information|figure|statement|non-?solicit|power"
    r"|mention|record|phase|sponsor|restriction|term)"
    r"|silent|לא (?:צוין|מצוין|נמצא|נזכר|מופיע|כתוב|מפורט|ציין|מציין|נאמר)|אינו מציין|אין (?:בו|במסמך)",
    re.IGNORECASE,
)


@dataclass
class GoldQuestion:
    """A question with gold: ``turns`` are asked in one conversation, the last answer (for ``phrases`` each answer) is
    judged. ``pages`` are (file, page) pairs on which the gold is printed."""

    id: str
    kind: str
    turns: list[str]
    gold: dict[str, Any]
    pages: list[tuple[str, int]] = field(default_factory=list)
    hebrew: bool = False


def draw(folder: Path, own: Path = OWN) -> list[GoldQuestion]:
    """Returns the forty questions, drawn by a fixed seed from ``grids.yaml`` and ``series.yaml`` in ``folder``."""
    chance = random.Random(SEED)
    grids: Any = parse_yaml((folder / "grids.yaml").read_text(encoding="utf-8"))
    series: Any = parse_yaml((folder / "series.yaml").read_text(encoding="utf-8"))
    extra: Any = parse_yaml(own.read_text(encoding="utf-8"))
    cells = [cell for group in grids["sets"] for cell in _cells(group)]
    for cell in cells:
        cell.gold["also"] = [*(cell.gold.get("also") or []), *extra["words"].get(str(cell.gold["value"]), [])]
    stated = [cell for cell in cells if cell.gold["value"] != "not stated"]
    filings = [cell for cell in stated if cell.id.startswith("filings/")]
    others = [cell for cell in stated if not cell.id.startswith("filings/")]
    unstated = [cell for cell in cells if cell not in stated and not cell.id.startswith("filings/")]
    drawn = [
        *(_series(question) for question in chance.sample(series["questions"], SERIES)),
        *chance.sample(filings, FILINGS),
        *chance.sample(others, OTHERS),
        *chance.sample(unstated, NOT_STATED),
    ]
    worded = [question for question in drawn if _column(question) in extra["hebrew"]]
    for question in chance.sample(worded, HEBREW):
        name = question.turns[0].rsplit("(", 1)[1].rstrip(")")
        question.turns = [f"{extra['hebrew'][_column(question)]} ({name})"]
        question.hebrew = True
    return [*drawn, *(GoldQuestion(task["id"], "task", task["turns"], task) for task in extra["tasks"])]


def _cells(group: Any) -> list[GoldQuestion]:
    columns = {column["id"]: column for column in group["columns"]}
    return [
        GoldQuestion(
            f"{group['id']}/{file}/{name}", "cell", [f"{columns[name]['question']} ({file})"],
            {**cell, "type": columns[name]["type"]}, [(file, cell["page"])] if "page" in cell else [],
        )
        for file, row in group["cells"].items()
        for name, cell in row.items()
    ]  # fmt: skip


def _series(question: Any) -> GoldQuestion:
    pages = [
        (part.get("document", point["document"]), part["page"])
        for point in question["points"]
        for part in (point.get("computed_from") or [point])
        if "page" in part
    ]
    return GoldQuestion(question["id"], "series", [question["question"]], question, pages)


def _column(question: GoldQuestion) -> str:
    parts = question.id.split("/")
    return f"{parts[0]}/{parts[-1]}"


def is_right(question: GoldQuestion, answers: Sequence[str]) -> bool:
    """Returns whether the answers (one per turn) are right."""
    gold, last = question.gold, answers[-1]
    if question.kind == "task":
        return _task_is_right(gold, answers)
    if question.kind == "series":
        factor = 1e6 if "million" in str(gold.get("unit", "")) else 1.0
        return all(states(last, float(point["value"]), factor, percent=factor == 1.0) for point in gold["points"])
    return _cell_is_right(gold, last)


def _task_is_right(gold: Any, answers: Sequence[str]) -> bool:
    if "one_of" in gold:
        opening = answers[-1][:400]
        return any(
            all(word in opening for word in choice["words"])
            and any(states(answers[-1], number[0], 1.0, percent=True) for number in choice["numbers"])
            for choice in gold["one_of"]
        )
    if "phrases" in gold:
        return all(phrase in answer for phrase, answer in zip(gold["phrases"], answers, strict=True))
    return all(
        states(answers[-1], number[0], (number[1:] or [1.0])[0], percent=len(number) == 1) for number in gold["numbers"]
    )


def _cell_is_right(gold: Any, answer: str) -> bool:
    value, also = gold["value"], [str(each) for each in gold.get("also") or []]
    if value == "not stated":
        return bool(_NOT_STATED.search(answer)) or _has_one(answer, also)
    if "not stated" in also and _NOT_STATED.search(answer):
        return True
    kind = gold["type"]
    if kind == "number":
        factor = SCALES.get(str(gold.get("scale", "")), 1.0)
        wanted = [value, *(gold.get("also") or [])]
        numbers = [float(each) for each in wanted if re.fullmatch(r"-?[\d.]+", str(each))]
        percent = gold.get("unit") == "%"
        return any(states(answer, number, factor, percent=percent) for number in numbers) or (
            value == 0 and _has_one(answer, ["no one", "none", "no fatal", "איש לא", "לא נהרג", *also])
        )
    if kind == "date":
        printed = re.findall(r"\d{1,2}/\d{1,2}/\d{4}", str(gold.get("quote", "")))
        if _has_one(answer, printed):
            return True
        return any(_iso(found.day) == str(value) for found in dates_in(answer)) or _has_one(answer, [str(value), *also])
    if must := gold.get("must") or (value if isinstance(value, list) else None):
        return all(_has_one(answer, [str(word)]) for word in must)
    return _has_one(answer, [str(word) for word in gold.get("must_any") or [value, *also]])


def _iso(day: Day) -> str:
    return f"{day.year or 0:04d}-{day.month or 0:02d}-{day.day or 0:02d}"


def _has_one(answer: str, words: Iterable[str]) -> bool:
    folded = answer.casefold()
    return any(re.search(rf"(?<!\w){re.escape(word.casefold())}", folded) for word in words)


def states(answer: str, value: float, factor: float, *, percent: bool) -> bool:
    """Returns whether a text states ``value`` times ``factor`` (within half a per cent; a percentage within 0.1)."""
    for found in _NUMBER.finditer(answer):
        number = float(found["figure"].replace(",", ""))
        scale = (found["scale"] or "").lower()
        factors = {SCALES.get({"bn": "billion", "m": "million"}.get(scale, scale), 1.0)} if scale else {1.0, factor}
        for each in factors:
            distance = abs(number * each - abs(value) * factor)
            if distance <= (PERCENT_NEAR if percent else NEAR * abs(value) * factor) + 1e-9:
                return True
    return False
