from __future__ import annotations

from pathlib import Path

import openpyxl
import xlwt
from openpyxl.comments import Comment

from core.library.extract.workbooks.xls import MIME as XLS
from core.library.extract.xlsx import MIME as XLSX
from core.library.viewing.renditions import rendition


def test_a_workbook_is_shown_as_it_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (["Rate", 1, 61], [], [], ["Code", 417, 20]):
        sheet.append(row)
    sheet["B1"].number_format, sheet["B4"].number_format = "0%", "00000"
    sheet["B1"].comment = Comment("Until <June>", "Dana")
    sheet.column_dimensions["C"].hidden = True
    book.create_sheet("Old").sheet_state = "hidden"
    book.save(tmp_path / "a")
    html = rendition(tmp_path / "a", XLSX)
    assert html.count("<tr>") == 3
    assert all(text in html for text in ("100%", "00417", "Until &lt;June&gt;"))
    assert not any(text in html for text in ("61", "Old"))


def test_an_old_workbook_is_shown_too(tmp_path: Path) -> None:
    book = xlwt.Workbook()
    book.add_sheet("Prices").write(0, 0, "Chairs")
    book.save(str(tmp_path / "a"))
    assert "<h2>Prices</h2>" in rendition(tmp_path / "a", XLS)
