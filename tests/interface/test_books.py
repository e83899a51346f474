"""Tests findings from a book on its document page: extracted by a model, filtered, opened at their position, found in
the memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from tests.interface.conftest import Served
from tests.interface.test_viewer import SAMPLES
from tests.servers.book_model import answer, asks_for_book, honest
from tests.servers.local import LocalServer, Reply, Request, chat_stream, silence

pytestmark = pytest.mark.interface

READY = 90_000
DOCUMENT = SAMPLES / "pelagit-metering-contract.pdf"


class Model:
    """A fake model that returns findings from books only when the test allows it."""

    def __init__(self) -> None:
        self.may_speak = Event()

    def __call__(self, request: Request) -> Reply:
        if asks_for_book(request):
            return chat_stream(json.dumps(honest(request))) if self.may_speak.is_set() else silence()
        return answer(request)


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def served(serve, model: Model) -> Iterator[Served]:
    with LocalServer(responder=model) as server:
        yield serve(
            PALIMPSEST_DENSE_ENABLED="false",
            PALIMPSEST_MODEL="openai:stand-in",
            OPENAI_BASE_URL=f"{server.url}/v1",
            OPENAI_API_KEY="k",
            PALIMPSEST_PREFIX__ENABLED="false",
            PALIMPSEST_METADATA__ENABLED="false",
        )


def shelf(page: Page):
    page.locator(".pal-library .rows [data-document]").first.click()
    return page.locator(".pal-library .side .findings")


def test_it_is_taken_out_stopped_and_taken_up_again(served, model, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    page.locator(".pal-library input[type=file]").set_input_files([DOCUMENT])
    expect(page.locator(".pal-library .rows .row.by_words, .pal-library .rows .row.ready")).to_be_visible(timeout=READY)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    findings = shelf(page)
    expect(findings).to_contain_text("1 model call")
    expect(findings).to_contain_text("by stand-in")
    shoot(page, "books-before")
    findings.locator("[data-extract]").click()
    expect(findings.locator("[data-stop-extraction]")).to_be_visible()
    expect(findings).to_contain_text("0 of 1 parts read")
    shoot(page, "books-reading")
    findings.locator("[data-stop-extraction]").click()
    expect(findings).to_contain_text("Stopped. The results so far are kept.")
    model.may_speak.set()
    findings.locator("[data-extract]").click()
    expect(findings).to_have_attribute("data-state", "done")
    expect(findings.locator(".found > li").first).to_be_visible()
    shoot(page, "books-done")


def test_it_is_sieved_by_kind_and_category(served, opened: Callable[..., Page], shoot) -> None:
    findings = shelf(page := opened(f"{served.url}/?tab=library"))
    shown = findings.locator(".found > li:visible")
    expect(shown.first).to_be_visible()
    chip = findings.locator('.chip[data-kind="mental_model"]')
    count = int(chip.locator("small").inner_text())
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(shown).to_have_count(count)
    findings.locator("select[data-category]").select_option("business")
    expect(shown).to_have_count(0)
    findings.locator('.chip[data-kind=""]').click()
    expect(findings.locator('.found > li:visible[data-category="decision_making"]')).to_have_count(0)
    expect(shown.first).to_be_visible()
    findings.locator("select[data-category]").select_option("")
    shoot(page, "books-sieved")


def test_a_quote_opens_its_page_where_it_is_marked(served, opened: Callable[..., Page], shoot) -> None:
    findings = shelf(page := opened(f"{served.url}/?tab=library"))
    findings.locator('.chip[data-kind="quote"]').click()
    line = findings.locator(".found > li:visible").first
    number = line.locator(".to-page").inner_text().split()[-1]
    line.locator(".to-page").click()
    viewer = page.locator(".pal-viewer")
    expect(viewer.locator(".mark.quote, .quote").first).to_be_visible(timeout=READY)
    expect(viewer.locator("input").first).to_have_value(number)
    shoot(page, "books-quote-in-its-page")


def test_one_section_is_read_out_in_the_outline(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    shelf(page)
    outline = page.locator(".pal-library .side .outline")
    button = outline.locator("[data-read-section]").nth(1)
    button.click()
    content = outline.locator(".section-content")
    expect(content.locator("h5").first).to_be_visible()
    content.scroll_into_view_if_needed()
    shoot(page, "books-section")
    content.locator("[data-close-section]").click()
    expect(content).to_have_count(0)
    expect(button).to_be_focused()


def test_the_memory_is_searched_by_kind_and_category(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=memory")
    search = page.locator(".pal-memory [data-panel=search]")
    search.locator("[data-kind]").select_option("quote")
    search.locator("input[name=query]").fill("price of the meters in the contract")
    search.locator("form button").click()
    hits = search.locator(".hits > li")
    expect(hits.first).to_be_visible()
    expect(hits.first).to_contain_text("Quote")
    expect(hits.first).to_contain_text("Business")
    expect(search.locator(".hits .tier:not(.books)")).to_have_count(0)
    shoot(page, "books-in-the-memory")
    search.locator("[data-category]").select_option("decision_making")
    expect(search.locator(".state .empty")).to_be_visible()


@pytest.mark.parametrize(("name", "width", "dark"), [("wide", 1440, True), ("phone", 390, False)])
def test_it_reads_from_right_to_left_and_on_a_phone(
    served, opened: Callable[..., Page], shoot, name: str, width: int, dark: bool
) -> None:
    page = opened(f"{served.url}/?tab=library", width=width, height=844, dark=dark, locale="he-IL")
    findings = shelf(page)
    expect(findings.locator("h4")).to_have_text("עיקרי המסמך")
    expect(findings.locator(".found > li").first).to_be_visible()
    findings.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shoot(page, f"books-he-{name}")
