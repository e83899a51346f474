"""Tests PDFs that were filled in: form fields, free text, and notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportlab.pdfbase.pdfdoc import PDFString
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings

Draw = Callable[[Canvas], None]


def typed(
    canvas: Canvas, x: float, y: float, value: str, width: float = 160, name: str = "", height: float = 18
) -> None:
    canvas.acroForm.textfield(name=name or f"f{x:.0f}{y:.0f}", x=x, y=y, width=width, height=height, value=value)


def texts(extracted: Extracted) -> list[str]:
    return [line for block in extracted.blocks for line in block.text.split("\n")]


def test_a_value_stands_behind_the_label_printed_for_it(drawn: Callable[[Draw], Extracted]) -> None:
    """The label may be to the left, above, inside the box, or over a blank; the field's name is used only if there is
    no label. A number without a currency gets the currency of its label."""

    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 704, "Annual turnover (USD):")
        typed(canvas, 230, 700, "3,850,000")
        canvas.drawString(72, 664, "Country of birth")
        typed(canvas, 72, 642, "Norway")
        canvas.drawString(300, 664, "Mother tongue")
        typed(canvas, 300, 642, "Sami")
        canvas.setFont("Helvetica", 7)
        canvas.drawString(74, 610, "Postal address")
        typed(canvas, 72, 580, "12 Elm Street", height=40)
        canvas.setFont("Helvetica", 12)
        canvas.drawString(72, 544, "Signed in: ____________________ by the owner")
        typed(canvas, 130, 541, "Bergen", width=120)
        typed(canvas, 72, 480, "B-17", name="file number")
        canvas.drawString(72, 444, "No answer:")
        typed(canvas, 230, 440, "")

    assert texts(drawn(form)) == [
        "Annual turnover (USD): USD 3,850,000",
        "Country of birth: Norway",
        "Mother tongue: Sami",
        "Postal address: 12 Elm Street",
        "Signed in: Bergen by the owner",
        "file number: B-17",
        "No answer:",
    ]


def test_choices_are_read_with_their_question(drawn: Callable[[Draw], Extracted]) -> None:
    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 704, "Conflict of interest")
        for x, name, checked in ((230, "Yes", False), (300, "No", True)):
            canvas.acroForm.checkbox(name=name, x=x, y=701, size=14, checked=checked)
            canvas.drawString(x + 20, 704, name)
        canvas.drawString(72, 664, "Legal form:")
        canvas.acroForm.choice(name="legal", x=230, y=660, width=160, value="Ltd", options=["Ltd", "Trust"])
        canvas.acroForm.checkbox(name="true", x=72, y=621, size=14, checked=True)
        canvas.drawString(92, 624, "I declare that the above is true.")

    assert texts(drawn(form)) == [
        "Conflict of interest: No (☐ Yes ☒ No)",
        "Legal form: Ltd",
        "☒ I declare that the above is true.",
    ]


def test_a_box_far_from_its_label_says_yes_or_no(drawn: Callable[[Draw], Extracted]) -> None:
    """The checkbox may be the only one on its line, or one of several under headings that name them; a checkbox
    directly next to its text is also read as yes or no."""

    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 744, "Trade name")
        typed(canvas, 230, 740, "Orlan")
        for y, label, checked in ((704, "Parking", False), (684, "Night shift:", True)):
            canvas.drawString(72, y, label)
            canvas.acroForm.checkbox(name=label, x=260, y=y - 3, size=14, checked=checked)
        canvas.drawString(256, 644, "Yes")
        canvas.drawString(316, 644, "No")
        for y, label, checked in ((624, "Has a lift", False), (604, "Has a yard", True)):
            canvas.drawString(72, y, label)
            for x, ticked in ((260, checked), (320, not checked)):
                canvas.acroForm.checkbox(name=f"{label}{x}", x=x, y=y - 3, size=14, checked=ticked)
        canvas.acroForm.checkbox(name="news", x=72, y=561, size=14, checked=False)
        canvas.drawString(92, 564, "Send the newsletter")

    found = texts(drawn(form))
    assert {
        "Parking: no",
        "Night shift: yes",
        "Has a lift: No (☐ Yes ☒ No)",
        "Has a yard: Yes (☒ Yes ☐ No)",
        "☐ Send the newsletter: no",
    } <= set(found)


def test_boxes_of_a_blank_form_say_nothing(drawn: Callable[[Draw], Extracted]) -> None:
    def form(canvas: Canvas) -> None:
        canvas.drawString(72, 744, "Parking")
        canvas.acroForm.checkbox(name="parking", x=260, y=741, size=14, checked=False)
        canvas.drawString(72, 704, "Trade name")
        typed(canvas, 230, 700, "")

    assert texts(drawn(form)) == ["Parking", "Trade name"]


def test_fields_of_a_ruled_table_are_its_cells(drawn: Callable[[Draw], Extracted]) -> None:
    def form(canvas: Canvas) -> None:
        for y in (714, 690, 666, 642):
            canvas.line(72, y, 460, y)
        for x in (72, 200, 330, 460):
            canvas.line(x, 642, x, 714)
        for x, text in ((76, "Plant"), (204, "Output"), (334, "Staff")):
            canvas.drawString(x, 698, text)
        for y, cells in ((668, ("Haifa", "4,100", "35")), (644, ("Lod", "2,900", "21"))):
            canvas.drawString(76, y + 6, cells[0])
            typed(canvas, 204, y, cells[1], width=120)
            typed(canvas, 334, y, cells[2], width=120)

    table = drawn(form).blocks[0].table
    assert table is not None
    assert [[cell.value for cell in row.cells] for row in table.rows] == [[4100, 35], [2900, 21]]


def test_notes_are_lines_of_their_page(drawn: Callable[[Draw], Extracted]) -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(72, 704, "Revenue grew in all regions.")
        canvas.drawString(72, 664, "Approved by:")
        canvas.textAnnotation("Check the north first.", Rect=[400, 700, 420, 720], T=PDFString("Dana"))
        canvas.highlightAnnotation("", Rect=[72, 700, 120, 716])
        canvas.freeTextAnnotation("R. Mizrahi", DA="/Helv 10 Tf", Rect=[150, 660, 260, 676])
        canvas.freeTextAnnotation(
            "Draft for the board", DA="/Helv 10 Tf", Rect=[300, 780, 460, 796], T=PDFString("Noa")
        )
        canvas.textAnnotation("Unseen", Rect=[400, 600, 420, 620], F=2)

    found = texts(drawn(page))
    assert "Approved by: R. Mizrahi" in found
    assert "Note by Dana: Check the north first." in found
    assert "Note by Noa: Draft for the board" in found
    assert not any("Unseen" in text for text in found)


def test_a_scan_keeps_what_was_typed_on_it(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("L", (600, 800), 255).save(tmp_path / "page.png")
    canvas = Canvas(str(tmp_path / "scan.pdf"))
    canvas.drawImage(str(tmp_path / "page.png"), 0, 0, 595, 842)
    typed(canvas, 200, 700, "Orlan Ltd", name="Company")
    canvas.save()
    extracted = extract(tmp_path / "scan.pdf", "scan.pdf", Settings(_env_file=None, ocr_enabled=False))
    assert extracted.text == "Company: Orlan Ltd"
    assert extracted.notes
