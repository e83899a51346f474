from __future__ import annotations

import json
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks import strangers
from benchmarks.strangers_pdf import is_same_heading, plain_of


def folder(path: Path, heading: str, phrase: str = "heard what its members had to say") -> Path:
    (path / "pdfs").mkdir()
    canvas = Canvas(str(path / "pdfs" / "made.pdf"))
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(50, 780, "Members of the society")
    canvas.setFont("Helvetica", 10)
    for line in range(20):
        canvas.drawString(50, 740 - 12 * line, "The committee met in the spring and heard what its members had to say.")
    canvas.save()
    (path / "pdf_text_dev.yaml").write_text(
        f"pdfs:\n- file: made.pdf\n  expectations:\n  - {{page: 1, phrase: {phrase}, heading: {heading}}}\n",
        encoding="utf-8",
    )
    return path


def figures(path: Path) -> dict[str, float]:
    rows = json.loads(path.read_text(encoding="utf-8"))["figures"]
    return {row["name"]: row["value"] for row in rows if row["group"] == "all PDFs"}


def test_a_phrase_and_its_section_are_found(tmp_path: Path) -> None:
    code = strangers.main(["--data", str(folder(tmp_path, "Members of the society")), "--json", str(tmp_path / "out")])
    assert code == 0
    assert figures(tmp_path / "out") == {"phrases found": 1.0, "sections right": 1.0}


@pytest.mark.parametrize(
    ("heading", "phrase", "expected"),
    [("Members", "heard what its members", (1.0, 0.0)), ("Members of the society", "nowhere to be read", (0.0, 0.0))],
)
def test_a_floor_that_is_missed_fails(tmp_path: Path, heading: str, phrase: str, expected: tuple[float, float]) -> None:
    code = strangers.main(["--data", str(folder(tmp_path, heading, phrase)), "--json", str(tmp_path / "out")])
    found = figures(tmp_path / "out")
    assert code == 1
    assert (found["phrases found"], found["sections right"]) == expected


def test_a_part_that_is_not_there_is_said_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert strangers.main(["--data", str(tmp_path), "--suffix", "dev"]) == 0
    assert "pdf_text_dev.yaml does not exist" in capsys.readouterr().out


def test_headings_agree_but_for_numbering_and_punctuation() -> None:
    assert is_same_heading("Item 2.05 Costs of the plan.", "Costs of the plan")
    assert is_same_heading("3. “Removal”", "REMOVAL")
    assert not is_same_heading("Costs of the plan and more", "Costs of the plan")
    assert plain_of("e\ufb00ect |  of inter-\nrupted ‘years’") == "effect of interrupted 'years'"
