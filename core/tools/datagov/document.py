"""A found table as a file that the library can take in, or a person download: CSV for spreadsheets, Markdown to read.

The file says where its rows are from and how many there are; nothing in it is a formula.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from pathlib import Path
from typing import Literal

from core.messages import message
from core.tools.tool import Cell, FoundTable
from core.words import Language

Form = Literal["csv", "md"]
LONGEST_NAME = 80
_UNSAFE = re.compile(r"[^\w\-. ]+")
_FORMULA = ("=", "+", "@", "\t", "\r")


def write_document(table: FoundTable, folder: Path, form: Form, language: Language) -> Path:
    """Write ``table`` into ``folder``; its path, for ``Library.submit``, which takes the file over. Blocking."""
    path = folder / f"{filename(table)}.{form}"
    text = as_csv(table) if form == "csv" else as_markdown(table, language)
    path.write_text(text, encoding="utf-8-sig" if form == "csv" else "utf-8")
    return path


def filename(table: FoundTable) -> str:
    """The title, as far as a name of a file may say it."""
    name = _UNSAFE.sub(" ", unicodedata.normalize("NFC", table.title))
    return " ".join(name.split())[:LONGEST_NAME].strip(" .") or "table"


def as_csv(table: FoundTable) -> str:
    """Heads and rows alone, so that a spreadsheet and the library read them as what they are."""
    written = io.StringIO()
    sheet = csv.writer(written)
    sheet.writerow([_without_formula(head) for head in table.columns])
    sheet.writerows([[_without_formula(cell) for cell in row] for row in table.rows])
    return written.getvalue()


def as_markdown(table: FoundTable, language: Language) -> str:
    """All columns and rows, beneath the title and above the source."""
    heads = [_plain(head) for head in table.columns]
    lines = [heads, ["---"] * len(heads), *([_plain(cell) for cell in row] for row in table.rows)]
    total = f"{table.total:,}" if table.total is not None else "?"
    about = [
        message("tools.datagov.document.rows", shown=len(table.rows), total=total).to(language),
        *(
            [message("tools.datagov.document.publisher", publisher=table.publisher).to(language)]
            if table.publisher
            else []
        ),
        *(
            [message("tools.datagov.document.changed", changed=table.changed[:10]).to(language)]
            if table.changed
            else []
        ),
        *([table.url] if table.url else []),
    ]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"# {_plain(table.title)}\n\n{body}\n\n" + "\n\n".join(about) + "\n"


def _without_formula(cell: Cell) -> Cell:
    """A text that a spreadsheet would run is kept as a text; a number may begin with a sign."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _plain(cell: Cell) -> str:
    text = "" if cell is None else str(cell)
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
