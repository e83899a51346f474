"""Tests additions to the Library besides documents: archives, unreadable files, a web page."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.interface.conftest import Served

pytestmark = [pytest.mark.interface]


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def sent(page: Page) -> list[str]:
    """Records the names of server functions and endpoints that the page calls from now on."""
    asked: list[str] = []

    def note(request: object) -> None:
        url, body = request.url, request.post_data_buffer or b""  # type: ignore[attr-defined]
        if "component_server" in url:
            asked.append(str(json.loads(body).get("fn_name")))
        elif "upload" in url:
            asked.append("upload")

    page.on("request", note)
    return asked


def test_what_cannot_be_read_is_told_before_anything_is_sent(
    served: Served, opened: Callable[..., Page], shoot: Callable[..., None], tmp_path: Path
) -> None:
    page = opened(f"{served.url}/?tab=library")
    files = [tmp_path / name for name in ("film.mp4", "setup.exe", "README")]
    for file in files:
        file.write_text("The reservoir holds water.", encoding="utf-8")
    asked = sent(page)
    choose = page.locator(".pal-library input[type=file]")
    expect(choose).to_have_attribute("accept", re.compile(r"\.pdf,.*\.zip"))
    choose.set_input_files(files[:2])
    card = page.locator(".pal-library .refusals .problem")
    expect(card).to_contain_text("Two files cannot be read: film.mp4, setup.exe")
    expect(card).to_contain_text("PDF, Word, Excel")
    assert "upload" not in asked
    shoot(page, "library-unreadable")
    choose.set_input_files(files)
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(1)
    assert asked.count("upload") == 1
    page.get_by_role("tab", name="Chat").click()
    line = page.locator(".pal-notices .problem")
    expect(line).to_contain_text("Two files were not added.")
    page.locator(".pal-chat form.composer input[type=file]").set_input_files(files[0])
    expect(line.last).to_contain_text("film.mp4 cannot be read.")
    assert asked.count("upload") == 1


def test_an_archive_is_added_file_by_file_and_what_was_left_out_is_told(
    served: Served, opened: Callable[..., Page], shoot: Callable[..., None], tmp_path: Path
) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("plan.md", "rates.csv", "film.mp4", "inner.zip"):
            archive.writestr(f"files/{name}", f"{name},text\n1,2\n")
    page = opened(f"{served.url}/?tab=library")
    rows = page.locator(".pal-library .rows .row:not(.head)")
    page.locator(".pal-library input[type=file]").set_input_files(path)
    card = page.locator(".pal-notices .unpacked")
    expect(card).to_contain_text("all.zip: two documents added, two skipped")
    expect(card).to_contain_text("inner.zip is an archive inside an archive")
    for name in ("plan.md", "rates.csv"):
        expect(rows.filter(has_text=name)).to_have_count(1)
    shoot(page, "library-archive")
    card.get_by_role("button", name="Dismiss").click()
    expect(card).to_have_count(0)


def test_an_address_that_cannot_be_read_is_told_below_the_field(
    served: Served, opened: Callable[..., Page], shoot: Callable[..., None]
) -> None:
    page = opened(f"{served.url}/?tab=library")
    form = page.locator(".pal-library .from-web")
    form.get_by_role("button", name="Add a web page").click()
    expect(form.locator("input")).to_be_focused()
    form.locator("input").fill("http://192.168.1.7/report")
    form.locator("input").press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("Only public web addresses are read")
    expect(form.locator("input")).to_have_value("http://192.168.1.7/report")
    shoot(page, "library-page-refused")
    form.locator("input").fill("h")
    expect(form.locator(".told")).to_be_hidden()


def test_where_the_web_is_off_the_field_says_so(serve: Callable[..., Served], opened: Callable[..., Page]) -> None:
    page = opened(f"{serve(PALIMPSEST_WEB_ENABLED='false', PALIMPSEST_DENSE_ENABLED='false').url}/?tab=library")
    form = page.locator(".pal-library .from-web")
    expect(form.locator("input")).to_be_disabled()
    expect(form.locator(".told")).to_contain_text("switched off")


@pytest.mark.parametrize("width", [1440, 390])
def test_notices_cover_neither_the_composer_nor_the_thread(
    served: Served, opened: Callable[..., Page], shoot: Callable[..., None], tmp_path: Path, width: int
) -> None:
    page = opened(f"{served.url}/?tab=chat")
    page.set_viewport_size({"width": width, "height": 844})
    film = tmp_path / "film.mp4"
    film.write_text("no film", encoding="utf-8")
    thread, composer = page.locator(".pal-chat .thread"), page.locator(".pal-chat form.composer")
    expect(composer).to_be_visible()
    page.locator(".pal-chat form.composer input[type=file]").set_input_files(film)
    strip = page.locator(".pal-notices .strip")
    expect(strip).to_contain_text("film.mp4 cannot be read.")
    place = strip.bounding_box()
    assert place
    for other in (page.locator(".pal-header nav"), thread, composer):
        box = other.bounding_box()
        assert box
        assert box["y"] + box["height"] <= place["y"] + 1 or box["y"] >= place["y"] + place["height"] - 1
    assert place["height"] <= 52, "one line"
    strip.get_by_role("button", name="Details").click()
    expect(strip).to_contain_text("PDF, Word, Excel")
    shoot(page, f"notice-strip-{width}")
    strip.get_by_role("button", name="Dismiss").click()
    expect(strip.locator(".problem")).to_have_count(0)
