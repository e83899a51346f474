"""Tests an answer computed from a spreadsheet in the browser: its number, its chart, a changed part, rows, exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.interface, pytest.mark.reader]

READY = 90_000
SALES = "Branch,Item,Sold\n" + "".join(
    f"{branch},{item},{10 * n}\n" for n, branch in enumerate(("Haifa", "Eilat", "Acre"), 1) for item in ("Tea", "Rice")
)


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def test_a_computed_answer_is_looked_at_changed_and_exported(
    served, opened: Callable[..., Page], shoot, tmp_path: Path
) -> None:
    file = tmp_path / "sales.csv"
    file.write_text(SALES, encoding="utf-8")
    page = opened(served.url)
    page.locator(".composer input[type=file]").set_input_files(file)
    expect(page.locator(".attachments .chip", has_text="sales.csv")).to_have_class(
        re.compile("completed"), timeout=READY
    )
    page.locator(".composer textarea").fill("Sold by branch")
    page.locator(".composer textarea").press("Enter")
    says, result = page.locator(".first-line .says"), page.locator(".data-result").first
    expect(says).to_contain_text("Sold by Branch: Acre 60; Eilat 40; Haifa 20", timeout=READY)
    expect(result.locator(".drawing .point")).to_have_count(3)
    shoot(page, "data-answer")

    says.locator(".cite").click()
    evidence = page.locator(".dock .evidence")
    expect(evidence).to_contain_text("6 of 6 rows")
    expect(evidence.locator("tbody tr").first.locator("td")).to_have_text(["2", "Haifa", "Tea", "10"])

    result.locator("[data-data-part='where/0']").click()
    result.locator("select[name=column]").select_option("Item")
    expect(result.locator("datalist option")).to_have_count(2)
    result.locator("input[name=value]").fill("Tea")
    result.get_by_role("button", name="Apply").click()
    expect(says).to_contain_text("Sold by Branch, Tea: Acre 30; Eilat 20; Haifa 10")
    expect(says.locator(".cite")).to_have_count(1)

    says.locator(".cite").click()
    expect(result.locator(".behind tbody tr")).to_have_count(3)
    result.get_by_role("button", name="Eilat").press("Enter")
    expect(result.locator(".behind tbody tr")).to_have_count(1)
    expect(result.locator(".behind tbody td").first).to_have_text("4")

    result.locator(".drawing .point").first.click(force=True)
    expect(result.locator(".behind tbody td").first).to_have_text("6")
    expect(result.locator(".behind tbody tr")).to_have_count(1)
    shoot(page, "data-answer-rows")
    for kind, start in (("csv", b"Branch,Sum of Sold"), ("xlsx", b"PK"), ("svg", b"<svg")):
        with page.expect_download() as download:
            result.locator(f"[data-data-export={kind}], [data-chart-image={kind}]").click()
        assert Path(download.value.path()).read_bytes().startswith(start)


def test_the_title_of_an_axis_is_not_written_over_its_labels_in_a_page_from_right_to_left(
    served, opened: Callable[..., Page], shoot, tmp_path: Path
) -> None:
    file = tmp_path / "sales.csv"
    file.write_text(SALES.replace("0\n", "0000\n"), encoding="utf-8")
    page = opened(served.url)
    page.get_by_role("button", name="עברית").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator(".composer input[type=file]").set_input_files(file)
    expect(page.locator(".attachments .chip", has_text="sales.csv")).to_have_class(
        re.compile("completed"), timeout=READY
    )
    page.locator(".composer textarea").fill("Sold by branch")
    page.locator(".composer textarea").press("Enter")
    drawing = page.locator(".data-result .drawing").first
    expect(drawing.locator(".point")).to_have_count(3, timeout=READY)
    title = drawing.locator(".ytitle").bounding_box()
    assert title is not None
    for label in drawing.locator(".ytick text").all():
        box = label.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= title["x"] or title["x"] + title["width"] <= box["x"]
    shoot(page, "data-answer-rtl")
