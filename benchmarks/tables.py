"""Measures for how many table figures the row, column, unit and period are recognised: ``python -m benchmarks.tables
--data FOLDER``.

The figures in ``table_figures.yaml`` were read from pictures of the pages. A figure is right if a table on its page has
its value in a row of that label (under that section), in a column of those words, with that period, currency or
percent, and scale. ``FOLDER`` contains the PDFs, at any depth. The table rules were tried on half of the files; the
figures of the other half are reported separately.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdfium2
import yaml

from core.library.extract import extract
from core.library.tables.records import Cell, Column, Row, Table
from core.library.tables.rendering import column_name
from core.settings import Settings

WHERE = (
    "The PDFs are public filings: the open set of patronus-ai/financebench (CC BY-NC 4.0) and releases and reports "
    "from the companies' own pages, named as in benchmarks/table_figures.yaml."
)
LABELS = Path(__file__).with_name("table_figures.yaml")
FLOOR = 0.95
PARTS = ("row", "column", "period", "unit")


@dataclass(frozen=True)
class Figure:
    """One figure as it was read from the picture; ``period`` may list several equivalent ones, separated by ``|``."""

    half: str
    file: str
    page: int
    row: str
    under: str
    column: str
    period: str | None
    unit: str
    value: float
    scale: float | None


@dataclass
class Score:
    """Counts for one half of the files: right figures, and how often each of the four parts was wrong."""

    right: int = 0
    total: int = 0
    found: int = 0
    parts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))
    missed: list[tuple[Figure, str]] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders with the PDFs")
    parser.add_argument("--half", choices=("tuned", "untouched"), help="only these figures")
    parser.add_argument("--near", type=int, help="read only so many pages around each figure's, which is faster")
    parser.add_argument("--show", action="store_true", help="print wrong figures")
    options = parser.parse_args(arguments)
    paths = {path.name: path for folder in options.data for path in sorted(folder.rglob("*.pdf"))}
    figures = [figure for figure in read_figures() if options.half in (None, figure.half)]
    known = [figure for figure in figures if figure.file in paths]
    if not known:
        print(f"Skipped: no PDF of the set is in {', '.join(map(str, options.data))}. {WHERE}")
        return 0
    scores = measure(known, paths, options.near)
    for half, score in scores.items():
        report(half, score, options.show)
    return 0 if all(score.right >= FLOOR * score.total for score in scores.values()) else 1


def read_figures() -> list[Figure]:
    pages: list[dict[str, Any]] = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    return [
        Figure(page["half"], page["file"], page["page"], *figure, scale=page["scale"])
        for page in pages
        for figure in page["figures"]
    ]


def measure(figures: Sequence[Figure], paths: dict[str, Path], near: int | None) -> dict[str, Score]:
    scores: dict[str, Score] = {}
    began = time.process_time()
    for name in sorted({figure.file for figure in figures}):
        own = [figure for figure in figures if figure.file == name]
        for page in sorted({figure.page for figure in own}) if near is not None else [None]:
            tables = tables_of(paths[name], page, near or 0)
            for figure in own:
                if page in (None, figure.page):
                    count(scores.setdefault(figure.half, Score()), figure, on_page(tables, figure.page))
    print(f"{time.process_time() - began:.1f} s of processor time")
    return scores


def tables_of(path: Path, page: int | None, near: int) -> list[Table]:
    """Returns the tables of the whole file, or of a few pages; in the second case page numbers are corrected."""
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    if page is None:
        return [block.table for block in extract(path, path.name, settings, lambda *_: None).blocks if block.table]
    with pypdfium2.PdfDocument(path) as whole, tempfile.TemporaryDirectory() as folder:
        first = max(1, page - near)
        pages = list(range(first - 1, min(len(whole), page + near)))
        part = pypdfium2.PdfDocument.new()
        part.import_pages(whole, pages)
        small = Path(folder, "part.pdf")
        part.save(small)
        part.close()
        blocks = extract(small, path.name, settings, lambda *_: None).blocks
    return [shifted(block.table, first - 1) for block in blocks if block.table]


def shifted(table: Table, pages: int) -> Table:
    rows = [row.model_copy(update={"page": row.page + pages if row.page else None}) for row in table.rows]
    return table.model_copy(update={"rows": rows})


def on_page(tables: Sequence[Table], page: int) -> list[Table]:
    return [table for table in tables if any(row.page == page for row in table.rows)]


def count(score: Score, figure: Figure, tables: Sequence[Table]) -> None:
    score.total += 1
    best: dict[str, bool] = {}
    for table, row, column, cell in cells_of(tables):
        if row.page == figure.page and cell.value is not None and abs(cell.value - figure.value) < 1e-6:
            found = judged(figure, table, row, column, cell)
            if not best or sum(found.values()) > sum(best.values()):
                best = found
    score.found += bool(best)
    for part, is_right in best.items():
        score.parts[part] += is_right
    if best and all(best.values()):
        score.right += 1
    else:
        wrong = ", ".join(part for part, is_right in best.items() if not is_right) or "not found"
        score.missed.append((figure, wrong))


def cells_of(tables: Sequence[Table]) -> Iterator[tuple[Table, Row, Column, Cell]]:
    for table in tables:
        for row in table.rows:
            for column, cell in zip(table.columns, row.cells, strict=False):
                yield table, row, column, cell


def judged(figure: Figure, table: Table, row: Row, column: Column, cell: Cell) -> dict[str, bool]:
    parents = [plain(parent) for parent in row.parents]
    is_under = not figure.under or any(plain(figure.under) in parent for parent in parents)
    words = set(words_of(" ".join([*column.header, column.unit or ""])))
    return {
        "row": plain(row.label) == plain(figure.row) and is_under,
        "column": set(words_of(figure.column)) <= words,
        "period": figure.period is None or bool({row.period, column.period} & set(figure.period.split("|"))),
        "unit": has_unit(figure, table, row, column, cell),
    }


def has_unit(figure: Figure, table: Table, row: Row, column: Column, cell: Cell) -> bool:
    if figure.unit == "%":
        named = f"{column_name(column)} {row.label} {row.unit or ''}"
        return cell.kind == "share" or "%" in named or "percent" in named.lower()
    if figure.unit == "$" and "USD" not in (cell.currency, table.currency):
        return False
    return (column.scale or table.scale) == (figure.scale or 1.0)


def plain(text: str) -> str:
    """Returns only letters and digits. A raised note mark becomes the letter that the labels contain."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).lower() if letter.isalnum())


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def report(half: str, score: Score, show: bool) -> None:
    print(f"{half}: {score.right} of {score.total} figures with all four right ({score.right / score.total:.3f})")
    parts = ", ".join(f"{part} {right / score.total:.3f}" for part, right in score.parts.items())
    print(f"  found {score.found / score.total:.3f}, {parts}")
    for figure, wrong in score.missed if show else []:
        print(
            f"  {figure.file} {figure.page}: {figure.row} | {figure.column} | {figure.period} {figure.value}: {wrong}"
        )


if __name__ == "__main__":
    sys.exit(main())
