"""Tests a full journey: reports dropped, a question, its citation, the figure on the page, its table opened and
downloaded."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Locator, Page, Route, expect
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

pytestmark = [pytest.mark.interface, pytest.mark.reader]

TITLES = ("Harbour budget", "Orchard yield", "Tram timetable")
ROWS = (
    ("Lanterns sold", "9,120", "8,840"),
    ("Wages of the keepers", "$2,415", "$2,290"),
    ("Repairs of the lighthouse", "(1,577)", "(1,373)"),
    ("Oil and wicks", "318", "402"),
)
TABLE_PAGE = 2
ROWS_SHOWN = ".pal-library .rows .row:not(.head)"
DROP = """([files, at]) => {
  const transfer = new DataTransfer();
  for (const [name, body] of files) {
    const bytes = Uint8Array.from(atob(body), (each) => each.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: "application/pdf" }));
  }
  const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
  const target = document.querySelector(at);
  for (const kind of ["dragenter", "dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, how));
}"""


def report(title: str, *, table: bool) -> bytes:
    """Three pages of lines; the second page of one report holds a table of two years."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter)
    canvas.setTitle(title)
    for page in range(1, 4):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 720, f"{title}, part {page}")
        canvas.setFont("Helvetica", 11)
        for line in range(8):
            canvas.drawString(72, 690 - 18 * line, f"Remark {line + 1} of part {page} concerns the {title.lower()}.")
        if table and page == TABLE_PAGE:
            draw_table(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def draw_table(canvas: Canvas) -> None:
    canvas.drawString(72, 500, "Expenses of the harbour (in thousands)")
    for row, cells in enumerate((("Expense", "2025", "2024"), *ROWS)):
        top = 480 - 20 * row
        canvas.line(72, top + 14, 452, top + 14)
        canvas.drawString(76, top, cells[0])
        canvas.drawRightString(352, top, cells[1])
        canvas.drawRightString(448, top, cells[2])
    bottom = 480 - 20 * len(ROWS) - 6
    canvas.line(72, bottom, 452, bottom)
    for across in (72, 260, 360, 452):
        canvas.line(across, 494, across, bottom)


def drop(page: Page, at: str = ".pal-library") -> None:
    files = [
        (f"{title.lower().replace(' ', '-')}.pdf", base64.b64encode(report(title, table=title == TITLES[0])).decode())
        for title in TITLES
    ]
    page.evaluate(DROP, [files, at])


def download(page: Page, figure: Locator, kind: str) -> Path:
    with page.expect_download() as given:
        figure.locator(f"a[href$='.{kind}']").click()
    assert given.value.suggested_filename.endswith(f".{kind}")
    return Path(given.value.path())


def test_from_a_drop_to_a_downloaded_table(serve, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{serve(PALIMPSEST_DENSE_ENABLED='false').url}/?tab=library")
    drop(page)
    expect(page.locator(ROWS_SHOWN)).to_have_count(len(TITLES))
    page.locator("[role=tab][data-tab=chat]").click()
    page.locator(".composer textarea").fill("How much did the repairs of the lighthouse cost in 2025?")
    page.keyboard.press("Enter")

    quoted = page.locator(".answer:not(.live) blockquote", has_text="Repairs of the lighthouse").first
    expect(quoted.locator("th")).to_have_text(["Expense", "2025", "2024"])
    expect(quoted.locator("td")).to_have_text(list(ROWS[2]))

    quoted.locator(".cite").click()
    card = page.locator(".dock .page-card")
    expect(card.locator(".sheet.drawn img")).to_be_visible()
    expect(card.locator(".numbers")).to_have_text(f"{TABLE_PAGE} of 3")
    expect(card.locator(".marks .quote").first).to_be_visible()
    expect(page.locator(".dock .evidence .rows mark")).to_have_text(list(ROWS[2]))
    shoot(page, "journey-citation")

    card.get_by_role("button", name="Open as table").click()
    figure = page.locator(".pal-viewer .data-table")
    expect(figure.locator("tbody tr")).to_have_count(len(ROWS))
    expect(figure.get_by_role("button", name="Copy")).to_have_text("Copy")
    figure.get_by_role("button", name="Sort by 2025").click()
    expect(figure.locator("tbody th")).to_have_text([ROWS[place][0] for place in (0, 1, 3, 2)])
    shoot(page, "journey-table")

    lines = list(csv.reader(download(page, figure, "csv").read_text(encoding="utf-8-sig").splitlines()))
    assert lines[-len(ROWS) - 1 :] == [
        ["Expense", "2025", "2024"],
        ["Lanterns sold", "9120", "8840"],
        ["Wages of the keepers", "2415", "2290"],
        ["Repairs of the lighthouse", "-1577", "-1373"],
        ["Oil and wicks", "318", "402"],
    ]
    sheet = openpyxl.load_workbook(io.BytesIO(download(page, figure, "xlsx").read_bytes())).active
    assert [cell.value for cell in list(sheet.iter_rows())[-2]] == ["Repairs of the lighthouse", -1577, -1373]

    page.locator(".pal-viewer .tabled").get_by_role("button", name="Back to the page").click()
    expect(page.locator(f'.pal-viewer .sheet[data-page="{TABLE_PAGE}"] .quote').first).to_be_visible()


def test_a_page_chosen_before_the_scripts_have_come_is_shown(serve, opened: Callable[..., Page]) -> None:
    url = serve(PALIMPSEST_DENSE_ENABLED="false").url
    page = opened(url)
    held: list[Route] = []
    page.route("**/frame/frame.js", lambda route: held.append(route))
    page.goto(url)
    page.locator("[role=tab][data-tab=library]").click()
    assert held
    for route in held:
        route.continue_()
    expect(page.locator("[role=tab][data-tab=library]")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".pal-library")).to_be_visible()


def test_what_is_dropped_before_the_scripts_have_come_is_kept(serve, opened: Callable[..., Page]) -> None:
    url = f"{serve(PALIMPSEST_DENSE_ENABLED='false').url}/?tab=library"
    page = opened(url)
    held: list[Route] = []
    page.route("**/library/library.js", lambda route: held.append(route))
    page.goto(url)
    page.wait_for_selector(".pal-header [role=tab][aria-selected=true]")
    drop(page, "body")
    assert held
    for route in held:
        route.continue_()
    expect(page.locator(ROWS_SHOWN)).to_have_count(len(TITLES))
