"""Checks whether new documents get the titles and other metadata that a librarian would give them.

`python -m benchmarks.names --data FOLDER [--json FILE] [--show]`

FOLDER contains `files/` and `library.yaml`, a card for each file (the folder's README says what is right). Every file
is read like an upload, without a model. The goals are those of a user who looks for a document by its name: 90 % of
titles usable, and 95 % of the values of organisation, kind and date right or empty.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, Field

from benchmarks.report import Figure, Report
from core.language.entities.periods import extent, periods_in
from core.language.normalisation import fold, normalise
from core.library.description.description import describe, readable
from core.library.extract import extract
from core.library.records import Metadata
from core.settings import Settings

TITLES, OTHERS = 0.90, 0.95
LONGEST = 200
Verdict = Literal["right", "half", "tempted", "wrong", "empty", "invention"]
FIELDS = ("title", "organisation", "kind", "date", "period")
Listed = list[Any]


class Card(BaseModel):
    """A librarian's description of ``file``; see the README of the set."""

    file: str
    group: str
    kind: str
    kind_also: list[str] = []
    title: str
    title_also: list[str] = []
    must: list[str]
    organisations: list[dict[str, Any]] = []
    organisations_also: Listed = []
    date: Any = "none"
    date_also: Listed = []
    period: Any = "none"
    period_also: Listed = []
    wrong: list[dict[str, Any]] = Field(default=[])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", action="store_true", help="print every wrong document")
    options = parser.parse_args()
    labels = options.data / "library.yaml"
    if not labels.exists():
        print(f"There is no test set at {options.data}: a folder with library.yaml and files/.")
        raise SystemExit(0)
    cards = [Card.model_validate(row) for row in yaml.safe_load(labels.read_text("utf-8"))["documents"]]
    read = {card.file: _described(options.data / "files" / card.file) for card in cards}
    results = {card.file: judge(card, read[card.file]) for card in cards}
    if options.show:
        for card in cards:
            _show(card, read[card.file], results[card.file])
    sys.exit(report_of(cards, read, results).finish(options.json))


def judge(card: Card, found: Metadata | None) -> dict[str, Verdict]:
    """Returns the verdict on each field of one document; an unread document has no values."""
    if found is None:
        return dict.fromkeys(FIELDS, "empty")
    return {
        "title": _title(card, found.title),
        "organisation": _organisation(card, [each.name for each in found.organisations]),
        "kind": _kind(card, found.kind),
        "date": _date(card, found.date),
        "period": _period(card, [(each.key, each.names) for each in found.periods]),
    }


def report_of(cards: list[Card], read: dict[str, Metadata | None], results: dict[str, dict[str, Verdict]]) -> Report:
    """Reports every figure. Those with a goal are floors, so that the exit code is 1 if a goal is missed."""
    report = Report(f"Names of {len(cards)} documents")
    for field in FIELDS:
        verdicts = Counter(results[card.file][field] for card in cards)
        for verdict in ("right", "half", "tempted", "wrong", "invention", "empty"):
            if count := verdicts[verdict]:
                report.add(Figure(field, verdict, count / len(cards)))
        good = verdicts["right"] + (verdicts["empty"] if field != "title" else 0)
        goal = TITLES if field == "title" else OTHERS if field != "period" else None
        report.add(Figure(field, "usable" if field == "title" else "right or empty", good / len(cards), floor=goal))
    titles = Counter(fold(found.title) for found in read.values() if found)
    shared = sum(count for count in titles.values() if count > 1)
    report.add(Figure("library", "documents that share a title", float(shared), most=0.0))
    groups: dict[str, list[bool]] = {}
    for card in cards:
        groups.setdefault(card.group, []).append(results[card.file]["title"] == "right")
    for name, right in groups.items():
        report.add(Figure("titles by group", name, sum(right) / len(right)))
    return report


def _described(path: Path) -> Metadata | None:
    try:
        found = extract(path, path.name, Settings(), lambda *_: None)
    except Exception as error:
        print(f"not read: {path.name}: {error}")
        return None
    return describe(found, path.name)


def _plain(text: str) -> str:
    return fold(re.sub(r"[‐‑‒–—−]", "-", normalise(str(text))).replace("’", "'"))


def _title(card: Card, title: str) -> Verdict:
    plain = _plain(title)
    if not plain or plain == "untitled":
        return "empty"
    tempting = {_plain(each["title"]) for each in card.wrong if "title" in each}
    bare = {_plain(card.file), _plain(Path(card.file).stem), _plain(readable(card.file))}
    met = [any(_plain(word) in plain for word in str(words).split("|")) for words in card.must]
    if plain in tempting or (plain in bare and not all(met)):
        return "tempted"
    if all(met):
        return "right" if len(title) <= LONGEST else "half"
    return "half" if any(met) else "wrong"


def _organisation(card: Card, names: list[str]) -> Verdict:
    accepted = [name for each in card.organisations for name in (each["name"], *each.get("also", []))]
    accepted += [each["name"] if isinstance(each, dict) else each for each in card.organisations_also]
    if not names:
        return "empty" if card.organisations else "right"
    said = [_plain(name) for name in names]
    if any(_plain(name) in one for name in accepted for one in said):
        return "right"
    tempting = {_plain(each["organisation"]) for each in card.wrong if "organisation" in each}
    if any(one in tempting for one in said):
        return "tempted"
    return "wrong" if card.organisations else "invention"


def _kind(card: Card, kind: str) -> Verdict:
    if kind == "other":
        return "empty"
    accepted = {_letters(name) for name in (card.kind, *card.kind_also)}
    return "right" if _letters(kind) in accepted else "wrong"


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", _plain(name))


def _date(card: Card, date: str | None) -> Verdict:
    accepted = [str(each) for each in (card.date, *card.date_also) if each is not None]
    if not date:
        return "right" if "none" in accepted else "empty"
    for each in accepted:
        shorter = min(len(each), len(date))
        if each != "none" and each[:shorter] == date[:shorter] and shorter >= len("2020"):
            return "right"
    return "invention" if str(card.date) == "none" else "wrong"


def _period(card: Card, periods: list[tuple[str, list[str]]]) -> Verdict:
    wanted = card.period if isinstance(card.period, dict) else None
    also = [str(each) for each in (*((wanted or {}).get("also") or []), *card.period_also)]
    if not periods:
        return "right" if wanted is None or "none" in also else "empty"
    keys = {key for key, names in periods for key in (key, *(p.key for name in names for p in periods_in(name)))}
    if any(each.key in keys for text in also for each in periods_in(text)):
        return "right"
    if wanted is None:
        return "invention"
    ends = [extent(key) for key in sorted(keys)]
    first, last = str(wanted["from"]), str(wanted["to"])
    begins = min(begin for begin, _ in ends).isoformat()[: len(first)] <= first
    closes = max(end for _, end in ends).isoformat()[: len(last)] >= last
    return "right" if begins and closes else "wrong"


def _show(card: Card, found: Metadata | None, verdicts: dict[str, Verdict]) -> None:
    wrong = {field: verdict for field, verdict in verdicts.items() if verdict != "right"}
    if not wrong or found is None:
        return
    print(f"{card.file} ({card.group}): {wrong}")
    said = {
        "title": (found.title, card.title),
        "organisation": ([each.name for each in found.organisations], [each["name"] for each in card.organisations]),
        "kind": (found.kind, (card.kind, *card.kind_also)),
        "date": (found.date, (card.date, *card.date_also)),
        "period": ([each.key for each in found.periods], card.period),
    }
    for field in wrong:
        print(f"    {field}: {said[field][0]!r}  wanted {said[field][1]!r}")


if __name__ == "__main__":
    main()
