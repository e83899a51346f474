"""Tests the data viewer: pages, sorting, filters, the summary of a column, and corrections that can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.conftest import Served

pytestmark = pytest.mark.interface

READY = 60_000
REGIONS = ("North", "South", "East")
HEAD = "Order no,Order date,Region,Amount,Remark"
LINES = [
    f"SO-{number:04},2024-{number % 12 + 1:02}-10,{REGIONS[number % 3]},{number * 10},{'urgent' if number == 7 else ''}"
    for number in range(1, 251)
]


@pytest.fixture(scope="module")
def served(serve) -> Iterator[Served]:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("orders") / "orders.csv"
    path.write_text("\n".join([HEAD, *LINES]), encoding="utf-8")
    return path


def open_viewer(page: Page, path: Path) -> Locator:
    page.locator(".pal-library input[type=file]").set_input_files([path])
    row = page.locator(".pal-library .rows [data-document]").first
    expect(row).to_be_visible(timeout=READY)
    expect(row).not_to_have_class(re.compile("busy"), timeout=READY)
    row.click()
    button = page.locator(".pal-library .datasets button").first
    expect(button).to_contain_text("250 rows · 5 columns", timeout=READY)
    button.click()
    return page.locator(".pal-data")


def test_a_dataset_is_looked_through_and_its_columns_are_corrected(
    served, orders: Path, opened: Callable[..., Page], shoot
) -> None:
    page = opened(f"{served.url}/?tab=library")
    viewer = open_viewer(page, orders)
    rows, status = viewer.locator(".data-page tbody tr"), viewer.locator(".turns [role=status]")
    expect(status).to_have_text("Rows 1–100 of 250")
    expect(rows.first).to_contain_text("SO-0001")
    expect(rows.first.locator("th")).to_have_text("2")  # the first row of the file holds the headings
    expect(rows.first.locator("td").last).to_have_text("(empty)")

    viewer.locator("[data-turn=last]").click()
    expect(status).to_have_text("Rows 201–250 of 250")
    expect(rows.first.locator("th")).to_have_text("202")

    amount = viewer.locator("thead th", has=page.locator("bdi", has_text="Amount"))
    amount.locator("[data-sort-dataset]").click()
    expect(amount).to_have_attribute("aria-sort", "ascending")
    expect(amount.locator("[data-sort-dataset]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(amount).to_have_attribute("aria-sort", "descending")
    expect(rows.first).to_contain_text("SO-0250")

    viewer.locator("[data-dataset-words]").fill("urgent south")
    expect(status).to_have_text("Rows 1–1 of 1")
    viewer.locator("[data-dataset-words]").fill("")
    expect(status).to_have_text("Rows 1–100 of 250")

    viewer.get_by_label("About the column Region").click()
    summary = viewer.locator(".data-column")
    expect(summary.locator("dl")).to_contain_text("3")
    expect(summary.locator(".frequent li").first).to_contain_text("South")
    summary.locator(".frequent button").first.click()
    expect(status).to_have_text("Rows 1–84 of 84")
    shoot(page, "data-viewer")
    viewer.locator("[data-drop-filter]").click()
    expect(status).to_have_text("Rows 1–100 of 250")

    summary.get_by_label("Name").fill("Sales area")
    summary.get_by_label("Type").select_option("text")
    summary.get_by_role("button", name="Save").click()
    area = viewer.locator("thead th", has=page.locator("bdi", has_text="Sales area"))
    expect(area.locator("small")).to_have_text("Text")
    expect(viewer.locator(".data-column")).to_contain_text("corrected by you")
    viewer.get_by_role("button", name="Undo").click()
    region = viewer.locator("thead th", has=page.locator("bdi", has_text="Region"))
    expect(region.locator("small")).to_have_text("Category")
    expect(viewer.locator(".data-column")).not_to_contain_text("corrected by you")

    page.keyboard.press("Escape")
    expect(viewer.locator(".data-column")).to_have_count(0)
    expect(viewer.get_by_label("About the column Region")).to_be_focused()
    viewer.get_by_role("button", name="Ask about this table").click()
    expect(viewer).not_to_be_visible()
    expect(page.locator(".composer textarea")).to_have_value(re.compile('^@"orders" $', re.IGNORECASE))


def test_a_search_in_a_long_spreadsheet_opens_its_last_row(
    served: Served, opened: Callable[..., Page], tmp_path: Path
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("\n".join(["Parcel,Town"] + [f"PX-{n:05},Acre" for n in range(1, 2401)]), encoding="utf-8")
    page = opened(served.url)
    page.locator(".pal-header [role=tab][data-tab=library]").click()
    page.locator(".pal-library input[type=file]").set_input_files([path])
    row = page.locator(".pal-library .rows [data-document]", has_text="long")
    expect(row).to_be_visible(timeout=READY)
    expect(row).not_to_have_class(re.compile("busy"), timeout=READY)
    row.click()
    page.locator(".pal-library .side [data-open-page]").first.click()
    page.locator(".pal-viewer [data-side]").click()
    page.locator(".pal-viewer [data-find]").fill("px-02400 acre")
    hit = page.locator(".pal-viewer [data-hits] button")
    expect(hit).to_have_count(1, timeout=READY)
    hit.click()
    wanted = page.locator(".pal-data tr.wanted")
    expect(wanted).to_have_text("2401PX-02400Acre")
    expect(wanted).to_be_in_viewport()
