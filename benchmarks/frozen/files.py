"""Creates the benchmark's files: tables, a long PDF, a line of digits, a scan, and a small library of reports."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

DPI = 150
"""Resolution of the grey scan."""
SMALL_REPORT_PAGES = 20
REPORTS = 4
"""Number of small reports that are taken from a given folder for the plain questions."""

_REGIONS = ("North", "South", "East", "West", "Centre")
_PRODUCTS = ("Kettle", "Lamp", "Desk", "Chair", "Shelf", "Mirror", "Carpet", "Clock")
_REMARKS = (
    "Delivered on time", "The customer asked for a call before delivery", "Left with a neighbour", "Box damaged",
    "Paid in cash", "Second delivery after no one was at home", "Gift wrapping", "Invoice sent by post",
)  # fmt: skip
_COMPANIES = {"Northwind": "Haifa", "Calder Mills": "Leeds", "Oakridge": "Boston", "Silverline": "Dublin"}


@dataclass(frozen=True)
class Library:
    """Small reports, and plain questions about them."""

    paths: list[Path]
    questions: list[str]


def orders(path: Path, rows: int, seed: int) -> Path:
    """Creates a table of orders; ``seed`` makes it differ from others."""
    drawn = random.Random(seed)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Order", "Date", "Region", "Product", "Quantity", "Price", "Amount", "Comment"])
        for number in range(1, rows + 1):
            day = date(2024, 1, 1) + timedelta(days=drawn.randrange(365))
            quantity, price = drawn.randint(1, 40), drawn.randint(500, 90_000) / 100
            comment = f"{drawn.choice(_REMARKS)}, ticket {drawn.randrange(100_000)}"
            row = [f"ORD-{number:06d}", day.isoformat(), drawn.choice(_REGIONS), drawn.choice(_PRODUCTS), quantity]
            writer.writerow([*row, f"{price:.2f}", f"{quantity * price:.2f}", comment])
    return path


def digits(path: Path, count: int, seed: int) -> Path:
    """Creates a text file that consists of one line with the given number of digits."""
    drawn = random.Random(seed)
    line = "".join(drawn.choices("0123456789", k=count))
    path.write_text(f"Readings of the meter\n\n{line}\n\nThe meter was read by the night shift.\n", encoding="utf-8")
    return path


def note(path: Path) -> Path:
    """Creates a small text."""
    path.write_text(f"The spare key of the archive hangs behind the green door ({path.stem}).\n", encoding="utf-8")
    return path


def prose(seed: int, sentences: int) -> list[str]:
    """Creates sentences that differ by their numbers and names."""
    drawn = random.Random(seed)
    return [
        f"In week {drawn.randint(1, 52)} the {drawn.choice(_REGIONS).lower()} depot sent {drawn.randint(10, 9_999):,} "
        f"units of {drawn.choice(_PRODUCTS).lower()} to {drawn.choice([*_COMPANIES])} for "
        f"${drawn.randint(1, 900)} million."
        for _ in range(sentences)
    ]


def joined(sources: Sequence[Path], pages: int, path: Path) -> Path:
    """Creates a PDF with the given number of pages from PDFs, the longest first; repeats pages if there are too few."""
    with pypdfium2.PdfDocument.new() as whole:
        while len(whole) < pages:
            for source in sorted(sources, key=lambda path: -path.stat().st_size):
                with pypdfium2.PdfDocument(source) as part:
                    whole.import_pages(part, list(range(min(len(part), pages - len(whole)))))
                if len(whole) == pages:
                    break
        whole.save(path)
    return path


def written_pdf(path: Path, pages: int, seed: int) -> Path:
    """Creates a PDF with the given number of pages of generated text."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(pages):
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(60, 780, f"{page + 1}. Deliveries of part {page + 1}")
        canvas.setFont("Helvetica", 9)
        for line, sentence in enumerate(prose(seed * 10_000 + page, 40)):
            canvas.drawString(60, 750 - 17 * line, sentence)
        canvas.showPage()
    canvas.save()
    return path


def scan(path: Path, pictures: Iterator[Image.Image]) -> Path:
    """Creates a PDF of pictures, as a scanner does."""
    first, *others = pictures
    first.save(path, save_all=True, append_images=others, resolution=DPI)
    return path


def pictures_of(sources: Sequence[Path], pages: int) -> Iterator[Image.Image]:
    """Renders the given number of pages of PDFs as grey images."""
    left = pages
    for source in sources:
        with pypdfium2.PdfDocument(source) as whole:
            for page in list(whole)[:left]:
                yield page.render(scale=DPI / 72, grayscale=True).to_pil()
                left -= 1
        if not left:
            return


def drawn_pictures(pages: int, seed: int) -> Iterator[Image.Image]:
    """Renders the given number of pages of generated text as grey images."""
    font = ImageFont.load_default(20)
    for page in range(pages):
        picture = Image.new("L", (1240, 1754), 255)
        text = "\n".join([f"Deliveries of part {page + 1}", "", *prose(seed * 10_000 + page, 40)])
        ImageDraw.Draw(picture).multiline_text((100, 120), text, fill=0, font=font, spacing=16)
        yield picture


def changed(path: Path, into: Path) -> Path:
    """Returns the same PDF with other bytes, so that it is no duplicate."""
    into.write_bytes(path.read_bytes() + f"% {into.stem}\n".encode())
    return into


def given_library(folder: Path, most: int) -> Library:
    """Returns the small reports with most questions from a folder of PDFs with ``questions.jsonl``, and these
    questions."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions: dict[str, list[str]] = {}
    for row in (json.loads(line) for line in lines if line):
        questions.setdefault(row["document"], []).append(row["question"])
    small = [name for name in questions if _pages(folder / name) <= SMALL_REPORT_PAGES]
    chosen = sorted(small, key=lambda name: (-len(questions[name]), name))[:REPORTS]
    asked = [question for name in chosen for question in questions[name]]
    return Library([folder / name for name in chosen], asked[:most])


def made_library(folder: Path, most: int) -> Library:
    """Returns reports of made-up companies."""
    paths, asked = [], []
    for place, (company, town) in enumerate(_COMPANIES.items()):
        drawn = random.Random(place)
        facts = [
            f"{company} earned revenue of ${drawn.randint(100, 900)} million in 2024.",
            f"The head office of {company} is in {town}, where {drawn.randint(100, 900)} people work.",
        ]
        sections = [
            f"## Section {number + 1}\n\n" + " ".join(prose(place * 100 + number, 12) + facts[number : number + 1])
            for number in range(30)
        ]
        path = folder / f"{company} annual report 2024.md"
        path.write_text(f"# {company} annual report 2024\n\n" + "\n\n".join(sections), encoding="utf-8")
        paths.append(path)
        asked += [f"What revenue did {company} earn in 2024?", f"Where is the head office of {company}?"]
    return Library(paths, asked[:most])


def _pages(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as document:
        return len(document)
