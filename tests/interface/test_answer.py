"""Tests an answer's display and what its parts open, with prepared answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.interface.conftest import Served
from tests.interface.made_answers import TELLING, make

pytestmark = pytest.mark.interface

Shown = Callable[..., Page]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served], made: dict[str, str]) -> Served:
    return serve(lambda home: made.update(make(home)), PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture
def shown(served: Served, made: dict[str, str], opened: Callable[..., Page]) -> Shown:
    """``shown("figure", width=390)`` opens the prepared conversation of that name and waits until its last answer is
    shown."""

    def show(name: str, **given: object) -> Page:
        page = opened(f"{served.url}/?tab=chat&c={made[name]}", **given)
        expect(page.locator(".answer:not(.live)").last).to_be_visible()
        return page

    return show


def last(page: Page) -> Locator:
    return page.locator(".answer:not(.live)").last


def overflow(page: Page) -> int:
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_the_answer_is_first_and_everything_else_one_row(shown: Shown, shoot) -> None:
    page = shown("figure")
    answer = last(page)
    expect(answer.locator(".first-line .says")).to_contain_text("$4,862 million")
    order = answer.evaluate("node => [...node.children].map((child) => child.className.split(' ')[0])")
    assert order == ["searched", "first-line", "quoted", "under", "suggested"]
    expect(answer.locator(".chip")).to_have_count(2)
    expect(answer.locator(".under .state")).to_have_text("Found")
    heights = answer.locator(".under .row > *").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect().top)"
    )
    assert max(heights) - min(heights) < 16, "the quiet row is one row"
    answer.get_by_role("button", name="Steps").click()
    expect(answer.locator("[data-trace] .step")).to_have_count(2)
    expect(answer.locator("[data-trace] .step").first).to_be_visible()
    shoot(page, "answer-figure")


def test_copied_as_markdown_and_as_rich_text_with_headings_sources_and_the_page_of_the_cell(shown: Shown) -> None:
    page = shown("figure")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    last(page).locator("[data-copy]").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    copied = page.evaluate(
        "async () => { const [item] = await navigator.clipboard.read();"
        " const text = async (type) => (await item.getType(type)).text();"
        " return { plain: await text('text/plain'), rich: await text('text/html') }; }"
    )
    assert "|  | 2022 | 2021 | 2020 | 2019 | 2018 |" in copied["plain"]
    assert "> Operating cash flow rose because customers" in copied["plain"]
    assert "· 2022: $4,862 (p. 2)" in copied["plain"]
    assert "2022</th>" in copied["rich"]
    assert "<button" not in copied["rich"]


def test_every_answer_is_a_word_file(shown: Shown, tmp_path: Path) -> None:
    page = shown("refusal")
    with page.expect_download() as download:
        last(page).get_by_role("link", name="Download as Word").click()
    download.value.save_as(tmp_path / "answer.docx")
    texts = [each.text for each in docx.Document(str(tmp_path / "answer.docx")).paragraphs]
    assert "Not found" in texts
    assert any("None of it says how many people" in each for each in texts)


def test_that_no_model_is_there_is_said_once_a_conversation(shown: Shown) -> None:
    page = shown("figure")
    notes = page.locator(".no-model")
    expect(notes).to_have_count(2)
    expect(notes.first).to_be_visible()
    expect(notes.last).to_be_hidden()


def test_the_first_source_opens_beside_the_answer_with_its_cell_until_it_is_put_away(shown: Shown, shoot) -> None:
    page = shown("calculation")
    dock = page.locator(".dock .evidence")
    expect(dock.locator("h3 .number")).to_have_text("1a")
    expect(dock.locator(".page-card .marks .cell")).to_have_count(1)
    shoot(page, "answer-source-beside")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".dock")).to_be_hidden()
    last(page).locator("blockquote .cite").last.click()
    expect(dock.locator("h3 .number")).to_have_text("1b")
    expect(dock.locator("mark").first).to_contain_text("Operating cash flow rose")


def test_a_figure_opens_its_page_with_the_cell_highlighted(shown: Shown, shoot) -> None:
    page = shown("calculation")
    last(page).locator(".calculation .cell", has_text="$4,317").first.click()
    viewer = page.locator("dialog.pal-viewer")
    expect(viewer.locator(".marks .cell")).to_have_count(1)
    expect(viewer.locator("[data-number]")).to_have_value("2")
    told = viewer.locator(".sheet[data-page='2'] .only-read")
    expect(told).to_have_text("Highlighted on this page: $4,317")
    cell, row = (viewer.locator(f".marks .{kind}").first.bounding_box() for kind in ("cell", "row"))
    assert cell
    assert row
    assert row["x"] < cell["x"]
    assert cell["x"] + cell["width"] < row["x"] + row["width"]
    shoot(page, "answer-cell-in-viewer")
    viewer.locator("[data-table]").click()
    expect(viewer.locator("td[data-asked]")).to_have_text("$4,317")


def test_a_number_previews_its_passage_by_pointer_and_by_keyboard(shown: Shown, shoot) -> None:
    page = shown("figure")
    preview = page.locator(".pal-preview")
    row, telling = last(page).locator("blockquote .cite").all()
    row.hover()
    expect(preview).to_be_visible()
    expect(preview.locator(".number")).to_have_text("1a")
    expect(preview.locator("mark").first).to_be_visible()
    shoot(page, "answer-preview")
    page.mouse.move(5, 5)
    expect(preview).to_be_hidden()
    telling.focus()
    page.keyboard.press("Shift+Tab")
    expect(telling).not_to_be_focused()
    page.keyboard.press("Tab")
    expect(telling).to_be_focused()
    expect(preview.locator("mark").first).to_contain_text(TELLING[:30])
    expect(telling).to_have_attribute("aria-describedby", "pal-preview")
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()


def test_of_a_wide_table_the_asked_columns_come_first(shown: Shown) -> None:
    page = shown("figure")
    quote = last(page).locator("blockquote", has=page.locator("table")).first
    expect(quote.locator("td:visible")).to_have_text([re.compile("Net cash"), "$4,862"])
    quote.get_by_role("button", name="Show all columns").click()
    expect(quote.locator("td:visible")).to_have_count(6)
    quote.get_by_role("button", name="Show only relevant columns").click()
    expect(quote.locator("td:visible")).to_have_count(2)


def test_what_is_not_decided_and_what_was_not_found_claim_nothing(shown: Shown, shoot) -> None:
    page = shown("undecided")
    expect(last(page).locator(".first-line .verdict")).to_have_text("Closest match, please check")
    shoot(page, "answer-undecided")
    page = shown("refusal")
    expect(last(page).locator(".under .state")).to_have_text("Not found")
    expect(last(page).locator(".near .kind")).to_contain_text("Closest passages")
    shoot(page, "answer-refusal")


def test_what_a_model_wrote_keeps_its_numbers_and_says_what_it_cost(shown: Shown, shoot) -> None:
    page = shown("generated")
    answer = last(page)
    expect(answer.locator(".body .cite")).to_have_attribute("data-cite", "1")
    expect(answer.locator(".support").first).to_have_text("1/2 supported")
    answer.locator("[data-unfold=cost]").click()
    expect(answer.locator(".bill-of")).to_contain_text("gpt-4.1")
    answer.locator("[data-unfold=support]").click()
    expect(answer.locator(".bill-of")).to_be_hidden()
    expect(answer.locator(".support-of li")).to_have_count(1)
    shoot(page, "answer-generated")


def test_what_is_remembered_is_a_sentence(shown: Shown) -> None:
    page = shown("remembered")
    expect(last(page).locator(".body")).to_have_text(re.compile(r"^\s*Lodging: 620, 560 shekels a night \[M1\]\s*$"))
    page = shown("figure")
    last(page).get_by_role("button", name=re.compile("Used from memory")).click()
    known = page.locator(".known-context .items")
    expect(known).to_contain_text("Lodging: 620, 560")
    expect(known).not_to_contain_text("**")


@pytest.mark.parametrize("name", ["figure", "calculation", "undecided", "refusal", "generated", "hebrew"])
def test_a_narrow_screen_never_scrolls_sideways(shown: Shown, shoot, name: str) -> None:
    page = shown(name, width=390, height=844)
    assert overflow(page) == 0
    thread = page.locator(".scroll")
    assert thread.evaluate("node => node.scrollWidth - node.clientWidth") == 0
    expect(page.locator(".dock")).to_be_hidden()
    broken = page.locator("td.figure").evaluate_all(
        "all => all.filter((each) => each.getClientRects().length && each.innerText.includes('\\n')).length"
    )
    assert broken == 0
    shoot(page, f"answer-{name}-narrow")


def test_in_hebrew_the_line_runs_right_to_left_and_its_sum_left_to_right(shown: Shown, shoot) -> None:
    page = shown("hebrew", dark=True, locale="he-IL")
    answer = last(page)
    expect(answer.locator(".says")).to_have_css("direction", "rtl")
    expect(answer.locator(".sum")).to_have_css("direction", "ltr")
    expect(answer.get_by_text("הכי קרוב, כדאי לבדוק")).to_have_count(1)
    shoot(page, "answer-hebrew-dark")


def test_a_chip_taken_off_asks_again_without_it(shown: Shown) -> None:
    page = shown("figure")
    questions = page.locator(".question").count()
    with page.expect_request(lambda request: "period:" in (request.post_data or "")):
        last(page).locator("[data-without]").last.click()
    expect(page.locator(".question")).to_have_count(questions + 1)
