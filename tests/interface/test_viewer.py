"""Tests opening the page of a citation: in the side panel, full width, by keyboard, on a phone, dark, Hebrew."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from tests.interface.browsing import Browsing
from tests.interface.conftest import Served
from tests.interface.held_calls import held

pytestmark = pytest.mark.interface

READY = 90_000
SAMPLES = Path(__file__).parents[2] / "sample_docs"
ANSWER = "The Hadar reservoir holds forty-two thousand cubic metres of water."
PAGES = 12
ANSWER_PAGE = 7
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def report() -> bytes:
    """Twelve pages with Roman numerals; one of them says how much the Hadar reservoir holds."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=letter)
    canvas.setTitle("Water report")
    for number in range(1, PAGES + 1):
        canvas.addPageLabel(number - 1, style="ROMAN_LOWER", start=number)
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 690, f"The pipes of quarter {number}")
        canvas.setFont("Helvetica", 11)
        for line in range(24):
            canvas.drawString(
                72, 660 - 22 * line, f"Line {line + 1} of chapter {number} speaks of pipe {number * 100 + line}."
            )
        canvas.drawString(72, 120, ANSWER if number == ANSWER_PAGE else f"Basin {number} was empty all year.")
        canvas.drawCentredString(306, 30, ROMAN[number - 1])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture(scope="module")
def served(serve, tmp_path_factory: pytest.TempPathFactory, browsing: Browsing) -> Served:
    """A server with the report in its library and the question already asked."""
    path = tmp_path_factory.mktemp("files") / "water-report.pdf"
    path.write_bytes(report())
    running = serve(PALIMPSEST_DENSE_ENABLED="false")
    page = browsing.take(running.url)
    page.goto(f"{running.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files(
        [path, SAMPLES / "travel-and-expense-policy-2025.docx"]
    )
    expect(page.locator(".pal-library .rows .row:not(.head)")).to_have_count(2, timeout=READY)
    browsing.give_back()
    return running


def cite(page: Page) -> Locator:
    """Asks, and clicks the first citation."""
    page.locator(".composer textarea").fill("How much water does the Hadar reservoir hold?")
    page.keyboard.press("Enter")
    telling = page.locator(".answer:not(.live)").last.locator("blockquote", has_text="forty-two").first
    telling.locator(".cite").click()
    card = page.locator(".dock .page-card")
    expect(card.locator(".sheet.drawn img")).to_be_visible()
    return card


def full(page: Page) -> Locator:
    viewer = page.locator(".pal-viewer")
    expect(viewer).to_be_visible()
    expect(viewer).not_to_have_attribute("aria-busy", "true")
    return viewer


def sheet(viewer: Locator, number: int) -> Locator:
    return viewer.locator(f'.sheet[data-page="{number}"]')


def assert_inside(mark: Locator, image: Locator) -> None:
    inner, outer = mark.bounding_box(), image.bounding_box()
    assert inner
    assert outer
    assert inner["width"] > 50
    assert outer["x"] <= inner["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    assert outer["y"] <= inner["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def in_view(page: Page, node: Locator, frame: Locator) -> bool:
    inner, outer = node.bounding_box(), frame.bounding_box()
    assert inner
    assert outer
    return bool(outer["y"] <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"])


def no_shift(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_citation_shows_its_page_and_opens_it_whole(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    card = cite(page)
    mark = card.locator(".marks .quote")
    expect(mark).to_have_count(1)
    assert_inside(mark, card.locator("img"))
    assert in_view(page, mark, card.locator(".pane"))
    expect(card.locator(".numbers")).to_have_text(f"{ANSWER_PAGE} of {PAGES} · printed page number vii")
    expect(page.locator(".dock .evidence mark")).to_contain_text("forty-two thousand")
    shoot(page, "viewer-dock")

    card.get_by_role("button", name="Open page").click()
    viewer = full(page)
    expect(sheet(viewer, ANSWER_PAGE).locator("img")).to_be_visible()
    mark = sheet(viewer, ANSWER_PAGE).locator(".quote")
    assert_inside(mark, sheet(viewer, ANSWER_PAGE))
    assert in_view(page, mark, viewer.locator(".scroller"))
    expect(viewer.locator("[data-number]")).to_have_value(str(ANSWER_PAGE))
    expect(viewer.locator("[data-printed]")).to_have_text("printed page number vii")
    title = viewer.locator("[data-title]").inner_text()
    expect(sheet(viewer, ANSWER_PAGE).locator("img")).to_have_attribute("alt", f"Page {ANSWER_PAGE} of {title}")
    shoot(page, "viewer-1440-light")

    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(card.get_by_role("button", name="Open page")).to_be_focused()
    expect(page.locator(".dock .evidence")).to_be_visible()


def test_pages_turn_zoom_and_are_searched_by_keyboard(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    viewer = full(page)
    number = viewer.locator("[data-number]")
    for key, expected in (("ArrowRight", 8), ("PageDown", 9), ("ArrowLeft", 8), ("Home", 1), ("End", PAGES)):
        page.keyboard.press(key)
        expect(number).to_have_value(str(expected))
        expect(sheet(viewer, expected).locator("img")).to_be_visible()
    number.fill("3")
    page.keyboard.press("Enter")
    expect(viewer.locator("[data-printed]")).to_have_text("printed page number iii")

    viewer.locator(".scroller").focus()
    before = sheet(viewer, 3).bounding_box()
    page.keyboard.press("+")
    expect(viewer.locator("[data-fit]")).to_have_text("125%")
    expect(number).to_have_value("3")
    after = sheet(viewer, 3).bounding_box()
    assert before
    assert after
    assert after["width"] == pytest.approx(1.25 * before["width"], rel=0.01)
    page.keyboard.press("0")
    expect(viewer.locator("[data-fit]")).to_have_text("100%")

    viewer.get_by_role("button", name="Contents and search").click()
    expect(number).to_have_value("3")
    page.keyboard.type("pipe 512")
    expect(viewer.locator(".hits li")).to_have_count(1)
    # However long the outline is, the search hits above it keep their space.
    contents = viewer.locator("[data-contents]")
    longer = (
        "list => { for (let i = 0; i < 5; i++) list.append(...[...list.children].map((one) => one.cloneNode(true))); }"
    )
    contents.evaluate(longer)
    expect(viewer.locator(".hits li")).to_be_in_viewport(ratio=0.9)
    page.keyboard.press("Enter")
    expect(number).to_have_value("5")
    expect(sheet(viewer, 5).locator(".quote")).to_have_count(1)
    expect(sheet(viewer, 5).locator("img")).to_be_visible()
    shoot(page, "viewer-search")


def test_matches_are_counted_and_passed_through(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    viewer = full(page)
    number, bar = viewer.locator("[data-number]"), viewer.locator("[data-found]")
    viewer.get_by_role("button", name="Contents and search").click()
    page.keyboard.type("was empty all year")
    expect(viewer.locator(".side .count")).to_have_text(f"{PAGES - 1} found")
    expect(viewer.locator(".hits li")).to_have_count(PAGES - 1)
    for key, expected, place in (
        ("Enter", "1", 1),
        ("Enter", "2", 2),
        ("Shift+Enter", "1", 1),
        ("Shift+Enter", "12", 11),
    ):
        page.keyboard.press(key)
        expect(number).to_have_value(expected)
        expect(bar).to_have_text(f"{place} of {PAGES - 1}")
    viewer.get_by_role("button", name="Next match").click()
    expect(number).to_have_value("1")
    expect(viewer.locator(".hits [aria-current=true]")).to_have_count(1)
    shoot(page, "viewer-matches")
    page.set_viewport_size({"width": 390, "height": 844})
    viewer.locator(".hits button").nth(3).click()
    expect(bar).to_have_text(f"4 of {PAGES - 1}")
    expect(viewer.locator(".side")).to_be_hidden()
    no_shift(page)
    shoot(page, "viewer-matches-390")


def test_a_question_is_begun_about_the_document(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    viewer = full(page)
    title = viewer.locator("[data-title]").inner_text()
    viewer.get_by_role("button", name="Ask about this document").click()
    expect(viewer).to_be_hidden()
    composer = page.locator(".composer textarea")
    expect(composer).to_have_value(f'@"{title}" ')
    expect(composer).to_be_focused()
    expect(page.locator(".answer")).to_have_count(1)


def test_only_the_pages_near_have_pictures(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    viewer = full(page)
    expect(viewer.locator(".sheet")).to_have_count(PAGES)
    expect(sheet(viewer, ANSWER_PAGE).locator("img")).to_be_visible()
    page.keyboard.press("End")
    expect(sheet(viewer, PAGES).locator("img")).to_be_visible()
    expect(sheet(viewer, 1).locator("img")).to_have_count(0)
    expect(sheet(viewer, ANSWER_PAGE).locator("img")).to_have_count(0)


def test_focus_stays_in_the_viewer(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    full(page)
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || Boolean(document.activeElement.closest('.pal-viewer'))"
        )


def test_the_original_is_kept_under_its_name(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    cite(page).get_by_role("button", name="Open page").click()
    with page.expect_download() as download:
        full(page).get_by_role("link", name="Download the original").click()
    assert download.value.suggested_filename == "water-report.pdf"
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("width", "dark", "locale"),
    [(390, False, "en-US"), (390, True, "he-IL"), (1440, True, "en-US"), (1440, False, "he-IL")],
)
def test_on_a_phone_in_the_dark_and_in_hebrew(
    served, opened: Callable[..., Page], shoot, width: int, dark: bool, locale: str
) -> None:
    page = opened(served.url, width=width, height=844 if width == 390 else 900, dark=dark, locale=locale)
    name = f"viewer-{width}-{'dark' if dark else 'light'}-{locale[:2]}"
    card = cite(page)
    no_shift(page)
    shoot(page, f"{name}-dock")
    card.locator(".open").click()
    viewer = full(page)
    expect(sheet(viewer, ANSWER_PAGE).locator("img")).to_be_visible()
    assert_inside(sheet(viewer, ANSWER_PAGE).locator(".quote"), sheet(viewer, ANSWER_PAGE))
    no_shift(page)
    if width == 390:
        box = viewer.bounding_box()
        assert box
        assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    if locale == "he-IL":
        expect(viewer.locator(".frame")).to_have_css("direction", "rtl")
        expect(viewer.locator("[data-printed]")).to_have_text("מספר מודפס vii")
        viewer.locator(".scroller").focus()
        page.keyboard.press("ArrowLeft")
        expect(viewer.locator("[data-number]")).to_have_value(str(ANSWER_PAGE + 1))
        page.keyboard.press("ArrowRight")
    shoot(page, name)


def test_a_word_document_opens_at_the_quote(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    page.locator(".composer textarea").fill("What is the limit for a hotel night in Israel?")
    page.keyboard.press("Enter")
    page.locator(".answer:not(.live)").last.locator("blockquote", has_text="560").first.locator(".cite").click()
    page.locator(".dock .evidence").get_by_role("button", name="Open document").click()
    viewer = full(page)
    expect(viewer.locator(".reading h1, .reading h2").first).to_be_attached()
    mark = viewer.locator(".reading mark.quote", has_text="560").first
    expect(mark).to_be_visible()
    assert in_view(page, mark, viewer.locator(".scroller"))
    shoot(page, "viewer-word")


def test_a_page_that_cannot_be_drawn_says_so_and_can_be_tried_again(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    told = '{"problem": {"what": "This page cannot be shown.", "why": "It is damaged.", "remedy": "Download it."}}'
    card = cite(page)
    page.route("**/pages/*.webp?*", lambda route: route.fulfill(status=200, content_type="application/json", body=told))
    card.get_by_role("button", name="Next page").click()
    expect(card.get_by_role("alert")).to_contain_text("This page cannot be shown.")
    expect(card.get_by_role("alert")).to_contain_text("What to do: Download it.")
    page.unroute("**/pages/*.webp?*")
    card.get_by_role("button", name="Try again").click()
    expect(card.locator(".sheet.drawn img")).to_be_visible()


def test_the_event_opens_a_document_at_a_page(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    page.locator("[role=tab][data-tab=library]").click()
    row = page.locator(".pal-library .rows .row", has_text="water-report.pdf")
    document = row.get_attribute("data-document")
    page.evaluate(
        "document => dispatchEvent(new CustomEvent('palimpsest:open', { detail: { document, page: 4 } }))", document
    )
    viewer = full(page)
    expect(viewer.locator("[data-number]")).to_have_value("4")
    expect(sheet(viewer, 4).locator("img")).to_be_visible()
    expect(viewer.locator(".note")).to_be_hidden()


def test_words_looked_for_before_the_document_is_there_find_nothing_and_break_nothing(
    served, opened: Callable[..., Page]
) -> None:
    page = opened(f"{served.url}/?tab=library")
    viewer = page.locator(".pal-viewer")
    with held(page, "**/info?*") as kept:
        document = page.locator(".pal-library .rows .row", has_text="water-report.pdf").get_attribute("data-document")
        page.evaluate(OPEN, document)
        expect(viewer).to_be_visible()
        look_for(viewer, "Hadar")
        expect(viewer.locator("[data-count]")).to_have_text("Nothing found.")
        assert kept
    expect(viewer).not_to_have_attribute("aria-busy", "true")
    look_for(viewer, "Hadar")
    expect(viewer.locator("[data-hits] mark").first).to_have_text("Hadar")


def test_a_text_that_cannot_be_read_is_not_searched_in_the_one_before_it(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=library")
    viewer = page.locator(".pal-viewer")
    told = '{"problem": {"what": "This text cannot be shown.", "why": "It is damaged.", "remedy": "Download it."}}'
    document = page.locator(".pal-library .rows .row", has_text=".docx").get_attribute("data-document")
    page.evaluate(OPEN, document)
    expect(viewer.locator(".reading")).to_contain_text("hotel")
    viewer.locator("[data-close]").click()
    page.route("**/reading?*", lambda route: route.fulfill(status=200, content_type="application/json", body=told))
    page.evaluate(OPEN, document)
    expect(viewer.get_by_role("alert")).to_contain_text("This text cannot be shown.")
    look_for(viewer, "hotel")
    expect(viewer.locator("[data-count]")).to_have_text("Nothing found.")
    page.unroute("**/reading?*")
    viewer.get_by_role("button", name="Try again").click()
    expect(viewer.locator(".reading")).to_contain_text("hotel")


OPEN = "document => dispatchEvent(new CustomEvent('palimpsest:open', { detail: { document } }))"


def look_for(viewer: Locator, words: str) -> None:
    field = viewer.locator("[data-find]")
    if not field.is_visible():
        viewer.locator("[data-side]").click()
    field.fill(words)
    field.press("Enter")
