"""Tests that the sample documents exist, open in their own format and contain the suggested questions' answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import docx
import openpyxl
import pypdfium2
import pytest
from docx.oxml.ns import qn
from selectolax.lexbor import LexborHTMLParser

from core.library.samples import FOLDER, Samples, load_samples

SAMPLES: Samples = load_samples()
LARGEST = 300_000


def _paragraphs_and_tables(path: Path) -> Iterable[str]:
    document = docx.Document(str(path))
    yield from (paragraph.text for paragraph in document.paragraphs)
    yield from (cell.text for table in document.tables for row in table.rows for cell in row.cells)


def _pages(path: Path) -> Iterable[str]:
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            yield page.get_textpage().get_text_bounded()


def _rows(path: Path) -> Iterable[str]:
    for sheet in openpyxl.load_workbook(path, read_only=True):
        for row in sheet.iter_rows(values_only=True):
            yield " | ".join("" if value is None else str(value) for value in row)


def _body(path: Path) -> Iterable[str]:
    body = LexborHTMLParser(path.read_text(encoding="utf-8")).body
    assert body is not None
    yield body.text(separator=" ")


def _lines(path: Path) -> Iterable[str]:
    yield path.read_text(encoding="utf-8")


READERS: dict[str, Callable[[Path], Iterable[str]]] = {
    ".docx": _paragraphs_and_tables,
    ".pdf": _pages,
    ".xlsx": _rows,
    ".html": _body,
    ".md": _lines,
}


@cache
def text_of(file: str) -> str:
    path = FOLDER / file
    return " ".join(" ".join(READERS[path.suffix](path)).split())


def test_the_list_and_the_folder_agree() -> None:
    assert {path.name for path in SAMPLES.paths} == {path.name for path in FOLDER.iterdir()} - {
        "samples.yaml",
        "vectors.npz",
        "readings.json.gz",
    }
    assert {path.suffix for path in SAMPLES.paths} == set(READERS)


@pytest.mark.parametrize("sample", SAMPLES.files, ids=lambda sample: sample.file)
def test_a_file_has_text_in_the_language_it_is_listed_under(sample) -> None:
    text = text_of(sample.file)
    hebrew = len(re.findall(r"[א-ת]", text))
    letters = len(re.findall(r"[A-Za-zא-ת]", text))
    assert letters > 2_000
    assert (hebrew / letters > 0.9) == (sample.language == "he")
    assert (FOLDER / sample.file).stat().st_size < LARGEST
    assert sample.description.en
    assert re.search(r"[א-ת]", sample.description.he)


@pytest.mark.parametrize("question", SAMPLES.questions, ids=lambda question: question.text)
def test_the_documents_of_a_question_hold_its_answers(question) -> None:
    holders = {answer: [file for file in question.documents if answer in text_of(file)] for answer in question.answers}
    assert all(holders.values()), holders
    assert {file for files in holders.values() for file in files} == set(question.documents)


@pytest.mark.parametrize("language", ["en", "he"])
def test_three_questions_are_suggested_and_one_needs_two_documents(language) -> None:
    asked = [question for question in SAMPLES.questions if question.language == language]
    assert len(asked) == 3
    assert sorted(len(question.documents) for question in asked) == [1, 1, 2]


@pytest.mark.parametrize("file", [sample.file for sample in SAMPLES.files])
def test_the_story_stays_within_its_three_years(file) -> None:
    assert set(re.findall(r"\b20\d\d\b", text_of(file))) <= {"2024", "2025", "2026"}


@pytest.mark.parametrize(
    ("subject", "old", "new"),
    [
        ("Lodging in Israel", "ILS 620", "ILS 560"),
        ("Meals in Israel", "ILS 140", "ILS 120"),
        ("Private car", "ILS 1.90", "ILS 1.60"),
    ],
)
def test_the_revision_reports_the_limits_of_the_policy_it_replaces(subject, old, new) -> None:
    (row,) = [
        line for line in (FOLDER / "travel-and-expense-policy-2024.md").read_text().splitlines() if subject in line
    ]
    assert old in row
    assert re.search(
        f"{subject}[^A-Z]* {re.escape(old)} {re.escape(new)}", text_of("travel-and-expense-policy-2025.docx")
    )


def test_invoice_lines_add_up() -> None:
    sheet = openpyxl.load_workbook(FOLDER / "vendor-spend-2024-2025.xlsx")["Invoices"]
    head, *rows = sheet.iter_rows(values_only=True)
    lines = [dict(zip(head, row, strict=True)) for row in rows]
    assert len(lines) >= 60
    for line in lines:
        assert line["Net (ILS)"] == pytest.approx(line["Quantity"] * line["Unit price (ILS)"], abs=0.005)
        assert line["Gross (ILS)"] == pytest.approx(line["Net (ILS)"] * (1 + line["VAT rate"]), abs=0.005)


def test_the_hebrew_memo_is_written_from_right_to_left() -> None:
    document = docx.Document(str(FOLDER / "meter-storage-memo-2025.docx"))
    hebrew = [paragraph for paragraph in document.paragraphs if re.search(r"[א-ת]", paragraph.text)]
    assert len(hebrew) > 20
    assert all(paragraph._p.pPr.find(qn("w:bidi")) is not None for paragraph in hebrew)
    assert all(table._tbl.tblPr.find(qn("w:bidiVisual")) is not None for table in document.tables)
