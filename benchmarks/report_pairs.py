"""Writes forty pairs of small reports: ten with a restated figure, ten with equal figures, ten with rounded ones, and
ten with figures of another scope, such as a longer period, a segment or pro forma figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

PairKind = Literal["restated", "equal", "rounded", "other scope"]
KINDS: tuple[PairKind, ...] = ("restated", "equal", "rounded", "other scope")
OF_EACH = 10
_NAMES = (
    "Alder", "Birch", "Cedar", "Dorn", "Elm", "Fennel", "Gorse", "Hazel", "Iris", "Juniper", "Kelp", "Larch", "Maple",
    "Nettle", "Oak", "Poplar", "Quince", "Rowan", "Sorrel", "Thyme", "Ulex", "Vetch", "Willow", "Yarrow", "Zinnia",
    "Aster", "Bramble", "Clover", "Daisy", "Erica", "Fescue", "Gentian", "Heather", "Ivy", "Jasmine", "Knapweed",
    "Lavender", "Mallow", "Narcissus", "Orchid",
)  # fmt: skip
_KINDS_OF_COMPANY = ("Industries Inc.", "Holdings Ltd.", "Corporation", "Foods plc")
_ROWS = {
    "Net sales": 1.0, "Cost of sales": 0.62, "Gross profit": 0.38, "Research and development": 0.09,
    "Selling, general and administrative": 0.14, "Operating income": 0.15, "Interest expense": 0.02,
    "Income before taxes": 0.13, "Income taxes": 0.03, "Net income": 0.10,
}  # fmt: skip
_KEY_FIGURES = {
    "Order intake": 1.1, "Order backlog": 2.4, "Capital expenditures": 0.07, "Free cash flow": 0.08,
    "Employees at the end of the period": 0.9,
}  # fmt: skip
_SPANS = ("Three Months Ended June 30", "Year Ended December 31", "Six Months Ended June 30")
_SCOPES = (
    "longer", "segment", "pro forma", "currency", "parent company", "shorter", "region", "constant currency",
    "adjusted", "discontinued",
)  # fmt: skip


@dataclass(frozen=True)
class ReportPair:
    """Two reports of ``company`` as (file name, HTML). ``rows`` are the labels of the restated rows."""

    kind: PairKind
    company: str
    reports: tuple[tuple[str, str], tuple[str, str]]
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Table:
    caption: str
    unit: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]


def report_pairs(seed: int = 7) -> list[ReportPair]:
    """Returns the pairs; the same for the same seed."""
    random = Random(seed)
    names = [f"{name} {_KINDS_OF_COMPANY[place % 4]}" for place, name in enumerate(_NAMES)]
    places = [(kind, place) for kind in KINDS for place in range(OF_EACH)]
    return [_pair(kind, place, company, random) for (kind, place), company in zip(places, names, strict=True)]


def _pair(kind: PairKind, place: int, company: str, random: Random) -> ReportPair:
    year, span = 2030 + place % 3, _SPANS[place % 3]
    size = random.randrange(2_000_000, 90_000_000)
    own = _values(size, random)
    later = _values(size * 1.08, random)
    earlier = _values(size * 0.94, random)
    heads = [f"{span}, {year}", f"{span}, {year - 1}"]
    next_heads = [f"{span}, {year + 1}", f"{span}, {year}"]
    printed, changed = dict(own), _restated_rows(place) if kind == "restated" else ()
    for row in changed:
        printed[row] = round(own[row] * random.choice((0.93, 0.97, 1.02, 1.06)))
    divisor, decimals = (1_000_000, place % 2) if kind == "rounded" else (1_000, 0)
    unit = "In millions of dollars" if kind == "rounded" else "In thousands of dollars"
    first = _tables("In thousands of dollars", heads, own, earlier, 1_000, 0)
    second = _tables(unit, next_heads, later, printed, divisor, decimals)
    if kind == "other scope":
        second = _other_scope(_SCOPES[place], span, year, own, later, random)
    reports = (
        (f"{company} {year}.html", _report(company, span, year, first)),
        (f"{company} {year + 1}.html", _report(company, span, year + 1, second)),
    )
    return ReportPair(kind, company, reports, changed)


def _restated_rows(place: int) -> tuple[str, ...]:
    """Returns which rows a report restates: one, several that follow from each other, or a key figure."""
    several = ("Net sales", "Gross profit", "Operating income", "Net income")
    choices = (
        ("Net sales",), several, ("Order backlog",), ("Operating income",), ("Cost of sales", "Gross profit"),
        ("Net income",), ("Free cash flow",), ("Research and development",), ("Income taxes", "Net income"),
        ("Capital expenditures",),
    )  # fmt: skip
    return choices[place]


def _values(size: float, random: Random) -> dict[str, int]:
    return {
        row: round(size * share * random.uniform(0.95, 1.05)) * 1_000
        for row, share in {**_ROWS, **_KEY_FIGURES}.items()
    }


def _tables(
    unit: str, heads: Sequence[str], own: dict[str, int], earlier: dict[str, int], divisor: int, decimals: int
) -> list[_Table]:
    return [
        _Table(
            caption,
            unit,
            heads,
            [(row, [f"{each[row] / divisor:,.{decimals}f}" for each in (own, earlier)]) for row in rows],
        )
        for caption, rows in (("Consolidated statements of operations", _ROWS), ("Key figures", _KEY_FIGURES))
    ]


def _other_scope(
    scope: str, span: str, year: int, own: dict[str, int], later: dict[str, int], random: Random
) -> list[_Table]:
    """Returns tables that print other values for the same row labels, because they are about something else."""
    other = {row: round(value * random.uniform(0.3, 0.9)) for row, value in own.items()}
    heads = [f"{span}, {year + 1}", f"{span}, {year}"]
    unit = "In thousands of dollars"
    captions = {
        "segment": "Segment results: Packaging", "region": "Results in Europe",
        "pro forma": "Unaudited pro forma results, as if the acquisition had been completed a year earlier",
        "parent company": "Condensed financial information of the parent company only",
        "constant currency": "Results at constant currency", "adjusted": "Adjusted (non-GAAP) results",
        "discontinued": "Results of discontinued operations",
    }  # fmt: skip
    if scope in ("longer", "shorter"):
        months = "Nine Months Ended September 30" if scope == "longer" else "One Month Ended January 31"
        heads = [f"{months}, {year + 1}", f"{months}, {year}"]
    if scope == "currency":
        unit = "In thousands of euros"
    made = _tables(unit, heads, later, other, 1_000, 0)
    caption = captions.get(scope)
    return [_Table(caption, each.unit, each.heads, each.rows) for each in made[:1]] if caption else made


def _report(company: str, span: str, year: int, tables: Sequence[_Table]) -> str:
    kind = "Annual report" if span.startswith("Year") else "Quarterly report"
    body = "".join(_drawn(table) for table in tables)
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{company} {kind} {year}</title></head><body>"
        f"<h1>{company}</h1><p>{kind} for the period: {span}, {year}.</p>"
        f"<p>{company} makes parts for machines and sells them in many countries.</p>{body}</body></html>"
    )


def _drawn(table: _Table) -> str:
    heads = "".join(f"<th>{head}</th>" for head in table.heads)
    rows = "".join(
        f"<tr><td>{row}</td>{''.join(f'<td>{value}</td>' for value in values)}</tr>" for row, values in table.rows
    )
    return f"<h2>{table.caption}</h2><p>{table.unit}</p><table><tr><th></th>{heads}</tr>{rows}</table>"
