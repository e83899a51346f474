"""Tests that each module that writes files for spreadsheets or Word is listed, and that text from documents cannot run
as code in them."""

from __future__ import annotations

import ast
import csv
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import openpyxl
import pandas
import pytest

from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.records import Column as DataColumn
from core.datasets.records import Dataset
from core.events import Source
from core.graph.tools.tool_answer import as_csv
from core.library.tables.frames import to_csv, to_xlsx
from core.library.tables.records import Cell, Column, Row, Table
from core.records.source_table import SourceTable
from core.review.actions.audit import Audit, ClauseFinding
from core.review.actions.clauses import Clause
from core.review.actions.comparison import Cell as ComparedCell
from core.review.actions.comparison import Comparison
from core.review.actions.comparison import Row as ComparedRow
from core.review.actions.consistency.records import ConsistencyFinding, Place
from core.review.actions.consistency.self_audit import SelfAudit
from core.words import Words
from viz.files.data_csv import result_csv
from viz.files.data_workbook import data_workbook
from viz.files.word import to_word
from viz.knowledge.data_files import csv_of

ROOT = Path(__file__).parents[3]

WRITERS = {
    "core/review/actions/audit.py",
    "core/review/actions/comparison.py",
    "core/review/actions/consistency/self_audit.py",
    "core/review/actions/records.py",
    "core/graph/tools/tool_answer.py",
    "core/library/tables/frames.py",
    "viz/files/data_csv.py",
    "viz/files/data_workbook.py",
    "viz/files/word.py",
    "viz/knowledge/data_files.py",
}
"""Modules that create the content of such files."""
DOORS = {
    "core/graph/nodes/action.py": "a comparison or an audit as CSV, under its answer, in its endpoint and to programs",
    "core/graph/tools/tool_answer.py": "rows that a tool found as CSV, under their answer",
    "pages/answer_files.py": "an answer as Word; rows that a tool found as CSV or XLSX",
    "pages/handlers/datasets.py": "a computed result as CSV or XLSX",
    "pages/handlers/library.py": "rows that a tool found, kept as a document of the library",
    "pages/knowledge/files.py": "the concepts and links of the graph as CSV",
    "pages/knowledge/timeline.py": "the events of the timeline as CSV",
    "pages/tables.py": "a table of a document as CSV or XLSX",
    "viz/files/spreadsheet.py": "chooses between CSV and XLSX",
}
"""Modules that send such files to users."""
SCRIPTS = {
    "pages/assets/chat/data-result.js": "a computed result copied to the clipboard, with the texts of data-table.js",
    "pages/assets/viewer/data-table.js": "a table copied to the clipboard (tests/assets/tables.test.js)",
    "viz/templates/under.html.j2": "the link to an answer's CSV",
}
MAKES = {"csv.writer", "csv_text", "DictWriter", "Workbook", "ExcelWriter", "to_excel"}
HANDS_OUT = {"to_csv", "to_xlsx", "as_csv", "to_word", "spreadsheet", "data_workbook", "result_csv"}
HANDS_OUT |= {"concepts_csv", "links_csv", "events_csv"}
KINDS = re.compile(r"text/csv|text/tab-separated|spreadsheetml|ms-excel|wordprocessingml|join\(\"\\t\"\)")


@cache
def named_calls(path: Path) -> frozenset[tuple[str, int]]:
    """Returns the names that are called or passed as arguments, each with its number of arguments."""
    found: set[tuple[str, int]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = dotted(node.func)
            found |= {(name, len(node.args)), (name.rpartition(".")[2], len(node.args))}
            found |= {(each.id, -1) for each in node.args if isinstance(each, ast.Name)}
    return frozenset(found)


def dotted(called: ast.expr) -> str:
    """Returns an expression as a dotted name such as ``csv.writer``. Parts that are not names (such as another call's
    result) are left out: ``.writer``."""
    if isinstance(called, ast.Attribute):
        return f"{dotted(called.value)}.{called.attr}"
    return called.id if isinstance(called, ast.Name) else ""


def sources() -> Iterator[Path]:
    for folder in ("command", "core", "pages", "viz"):
        yield from (ROOT / folder).rglob("*.py")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_every_writer_is_listed() -> None:
    found = set()
    for path in sources():
        calls = named_calls(path)
        writes_word = ("Document", 0) in calls and "import docx" in path.read_text(encoding="utf-8")
        if writes_word or any(name in MAKES for name, _ in calls):
            found.add(name_of(path))
    assert found == {*WRITERS, "core/datasets/reading/staging.py"}, "staged rows are never sent to users"


def test_every_door_is_listed() -> None:
    found = {name_of(path) for path in sources() if any(name in HANDS_OUT for name, _ in named_calls(path))}
    assert found == set(DOORS)


def test_nobody_else_names_such_a_kind_of_file() -> None:
    taken_in = ("core/library/extract/", "core/library/viewing/")
    files = [*sources(), *(ROOT / "pages" / "assets").rglob("*.js"), *(ROOT / "viz" / "templates").rglob("*.j2")]
    found = {name_of(path) for path in files if KINDS.search(path.read_text(encoding="utf-8"))}
    assert {name for name in found if not name.startswith(taken_in)} == {
        *SCRIPTS,
        "pages/answer_files.py",
        "pages/knowledge/files.py",
        "pages/knowledge/timeline.py",
        "viz/files/data_csv.py",
        "viz/files/data_workbook.py",
        "viz/files/spreadsheet.py",
    }


# -- their output ----------------------------------------------------------------------------------

EVIL = [
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "＝1+1", "=HYPERLINK(\"http://x\")",
    "=cmd|' /C calc'!A0", "-cmd|' /C calc'!A0",
]  # fmt: skip
RUNS = tuple("=+-@\t\r\n＝＋－＠")
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def table(text: str) -> Table:
    return Table(
        caption=text,
        stub=text,
        units=text,
        columns=[Column(header=[text])],
        rows=[Row(label=text, parents=[], cells=[Cell(text=text)])],
        notes=[text],
    )


def source(text: str) -> Source:
    return Source(number=1, document_id="doc_1", filename=text, title=text, score=1.0, passages=[])


def comparison(text: str) -> str:
    row = ComparedRow(theme=text, cells=[ComparedCell(number=1, text=text)], change=text)
    return Comparison(text="", language="en", sources=[source(text)], figures=[row], rows=[row]).to_csv()


def audit(text: str) -> str:
    found = ClauseFinding(
        clause=Clause(text, 0, len(text)), verdict="complies", number=1, quote=text, reason=Words.alike(text)
    )
    return Audit(text="", language="en", sources=[source(text)], findings=[found]).to_csv()


def self_audit(text: str) -> str:
    found = ConsistencyFinding("contradicts", Place(1, "mem_1", text), Words.alike(text), other=Place(1, "mem_2", text))
    return SelfAudit(text="", language="en", sources=[source(text)], findings=[found]).to_csv()


def computed(text: str) -> QueryResult:
    columns = (ResultColumn(text, "text", "group"), ResultColumn("n", "number", "measure"))
    frame = pandas.DataFrame([(text, -3)], columns=[text, "n"])
    dataset = Dataset(id="d", document_id="doc_1", name=text, columns=(DataColumn(key="c0", name=text, type="text"),))
    return QueryResult(DataQuery(dataset="d"), (dataset,), columns, frame, 1, 1)


CSV: dict[str, Callable[[str], str]] = {
    "core/library/tables/frames.py": lambda text: to_csv(table(text)).decode("utf-8-sig"),
    "core/review/actions/comparison.py": comparison,
    "core/review/actions/audit.py": audit,
    "core/review/actions/consistency/self_audit.py": self_audit,
    "viz/files/data_csv.py": lambda text: result_csv(computed(text), "en"),
    "viz/knowledge/data_files.py": lambda text: csv_of([text], [[text], [-3]]).removeprefix("\ufeff"),
    "core/graph/tools/tool_answer.py": lambda text: as_csv(SourceTable(columns=[text], rows=[[text], [-3]])),
}


def test_every_writer_is_tried() -> None:
    """``records.py`` is tested through its two callers."""
    assert {*CSV, "core/review/actions/records.py", "viz/files/data_workbook.py", "viz/files/word.py"} == WRITERS


@pytest.mark.parametrize("written", CSV.values(), ids=CSV)
@pytest.mark.parametrize("text", EVIL, ids=repr)
def test_no_cell_of_a_csv_runs(written: Callable[[str], str], text: str) -> None:
    content = written(text)
    cells = [cell for row in csv.reader(io.StringIO(content, newline="")) for cell in row]
    assert any("'" in cell for cell in cells), "the text is not there"
    for cell in cells:
        assert NUMBER.fullmatch(cell) or not cell.startswith(RUNS), cell
        assert not cell.lstrip(" ").startswith("="), cell


@pytest.mark.parametrize("text", EVIL, ids=repr)
def test_no_cell_of_a_workbook_runs(text: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(table(text))))
    kinds = {cell.data_type for row in book.active.iter_rows() for cell in row if cell.value is not None}
    assert kinds == {"s"}


@pytest.mark.parametrize("text", EVIL, ids=repr)
def test_no_text_of_a_computed_result_runs_in_its_workbook(text: str) -> None:
    result = computed(text)
    book = openpyxl.load_workbook(io.BytesIO(data_workbook(result, result.frame[[text]], text, "en")))
    texts = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.data_type != "n"]
    assert {cell.data_type for cell in texts} == {"s"}


@pytest.mark.parametrize("text", EVIL, ids=repr)
def test_nothing_of_a_word_file_runs(text: str) -> None:
    """Word files contain no fields, no links that open automatically, and nothing embedded."""
    line = " ".join(text.split())
    file = zipfile.ZipFile(io.BytesIO(to_word(f"# {line}\n\n{line}\n\n| {line} |\n| --- |\n| {line} |\n", "en")))
    body = file.read("word/document.xml").decode()
    assert not re.search(r"w:fldSimple|w:instrText|w:hyperlink|w:object|DDEAUTO", body)
    relations = file.read("word/_rels/document.xml.rels").decode()
    assert 'TargetMode="External"' not in relations
