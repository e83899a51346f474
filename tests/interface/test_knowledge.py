"""Tests exploring the knowledge graph: four colours, filters, a concept, a path, an answer, a table by keyboard,
Hebrew."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gradio_client import Client
from playwright.sync_api import Page, expect

from tests.interface.held_calls import CALLS, held

pytestmark = pytest.mark.interface

READY = 90_000
QUESTIONS = {
    "What is reimbursed for a hotel in Israel?": "Worked",
    "What is the limit for a taxi in Israel?": "",
    "Who is told of an incident?": "",
    "How much notice must Pelagit give of a price rise?": "Worked",
    "What was spent on Pelagit in 2024?": "Failed",
}


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def explorer(page: Page):
    return page.locator(".pal-knowledge")


def painted(page: Page) -> None:
    expect(explorer(page)).to_have_attribute("data-state", "ready", timeout=READY)
    expect(explorer(page)).to_have_attribute("data-painted", re.compile(r"\d+"), timeout=READY)


def rows(page: Page):
    return page.locator(".pal-knowledge .rows .row[data-id]")


def row(page: Page, label: str):
    return rows(page).filter(has=page.locator(".c-label bdi", has_text=re.compile(f"^{re.escape(label)}$")))


def table(page: Page) -> None:
    page.get_by_role("tab", name=re.compile("^(Table|טבלה)$")).click()


def search(page: Page, words: str) -> None:
    explorer(page).locator("[data-search]").fill(words)


def ask(page: Page, question: str, number: int) -> None:
    """Asks, chooses all documents if a clarification is asked for, and waits for the answer."""
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")
    answered, asked = page.locator("[data-feedback]").nth(number - 1), page.locator(".card-slot .pal-card")
    expect(answered.or_(asked).first).to_be_visible()
    if asked.count():
        asked.locator("[data-choice]").last.click()
    expect(page.locator("[data-feedback]")).to_have_count(number)


def counts(page: Page) -> dict[str, int]:
    legend = explorer(page).locator(".legend button")
    return {
        each.get_attribute("data-colour") or "": int(each.locator("small").inner_text() or 0) for each in legend.all()
    }


def test_from_nothing_to_four_colours(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    state = explorer(page).locator(".stage > .state")
    expect(state).to_contain_text("The graph is empty")
    expect(state.locator("p")).to_have_count(3)
    shoot(page, "knowledge-empty")
    state.get_by_role("button", name="Load the samples").click()
    painted(page)
    page.locator("[role=tab][data-tab=library]").click()
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()
    for number, (question, outcome) in enumerate(QUESTIONS.items(), 1):
        ask(page, question, number)
        if outcome:
            said = page.locator("[data-feedback]").last
            said.get_by_role("button", name=outcome, exact=True).click()
            expect(said.locator(".effect")).not_to_be_empty()
    page.locator("[role=tab][data-tab=knowledge]").click()
    expect(explorer(page).locator(".partial")).to_be_hidden(timeout=READY)
    for colour in ("routing", "content", "both", "action"):
        expect(explorer(page).locator(f".legend [data-colour={colour}] small")).not_to_have_text(re.compile("^0?$"))
    table(page)
    for colour in ("routing", "content", "both", "action"):
        expect(rows(page).locator(f".dot.{colour}").first).to_be_visible()
    shoot(page, "knowledge-table")
    page.get_by_role("tab", name="Graph", exact=True).click()
    shoot(page, "knowledge-graph")


def test_what_is_remembered_elsewhere_is_told_to_an_open_tab(served, opened: Callable[..., Page]) -> None:
    """The page does not poll: it fetches the graph once, and again for each change that the server reports."""
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    expect(explorer(page).locator(".partial")).to_be_hidden(timeout=READY)
    table(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if request.method == "POST" else None)
    search(page, "Wolfram Observatory")
    expect(explorer(page).locator(".stage > .state")).to_contain_text("No concepts match these filters")
    before = len(graphs_among(asked))
    client = Client(served.url, verbose=False)
    added = client.predict("Wolfram Observatory is kept by Tova Almog.", ["context"], api_name="/add_bank_item")
    expect(row(page, "Wolfram Observatory")).to_be_visible()
    assert 1 <= len(graphs_among(asked)) - before <= 2, "one for the text that waits, one when it is read"
    client.predict(added["item"]["id"], api_name="/delete_bank_item")
    expect(row(page, "Wolfram Observatory")).to_have_count(0)


def graphs_among(asked: list[str]) -> list[str]:
    return [each for each in asked if '"fn_name":"graph"' in each]


def test_filters_and_search_say_what_is_left(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    table(page)
    for colour in ("content", "both", "routing"):
        explorer(page).locator(f".legend [data-colour={colour}]").click()
    expect(rows(page).locator(".dot:not(.action)")).to_have_count(0)
    expect(rows(page).locator(".dot.action").first).to_be_visible()
    explorer(page).get_by_role("button", name="Clear the filters").click()
    search(page, "pelagit")
    expect(row(page, "Pelagit Metering")).to_be_visible()
    search(page, "zzzz")
    expect(explorer(page).locator(".stage > .state")).to_contain_text("No concepts match these filters")
    explorer(page).locator(".stage > .state").get_by_role("button").click()
    expect(rows(page)).to_have_count(20)
    explorer(page).locator("[data-filter=top]").select_option("2000")
    expect(rows(page).nth(30)).to_be_attached()
    painted(page)


def test_a_click_opens_a_concept_its_answer_and_the_way_back(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    search(page, "Rina Barkai")
    expect(explorer(page).locator(".count")).to_contain_text("1 of 1 ")
    expect(explorer(page)).to_have_attribute("data-nodes", "1")
    panel = explorer(page).locator(".panel")
    box = explorer(page).locator(".canvas canvas").bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shoot(page, "knowledge-alone")
    page.mouse.move(middle[0] - 3, middle[1])
    page.mouse.move(*middle)
    expect(explorer(page).locator(".hover")).to_contain_text("Rina Barkai")
    page.mouse.click(*middle)
    expect(panel.locator("h2")).to_have_text("Rina Barkai")
    page.mouse.dblclick(*middle)
    shoot(page, "knowledge-neighbours")
    search(page, "pelagit")
    table(page)
    row(page, "Pelagit Metering").click()
    expect(panel.locator("h2")).to_have_text("Pelagit Metering")
    expect(page).to_have_url(re.compile("concept=conc_"))
    expect(panel.locator("[data-document]").first).to_be_visible()
    shoot(page, "knowledge-concept")
    panel.locator("[data-answer]").first.click()
    answer = page.locator(".answer.found")
    expect(answer).to_be_in_viewport()
    answer.locator("[data-graph]").click()
    small = page.locator(".dock .graph-view")
    expect(small.locator("canvas")).to_be_visible()
    shoot(page, "knowledge-dock")
    small.locator("[data-concept]", has_text="Pelagit").click()
    expect(panel.locator("h2")).to_have_text("Pelagit Metering")
    expect(explorer(page).locator(".scope")).to_contain_text("The concepts in one answer")
    page.locator("[role=tab][data-tab=chat]").click()
    page.locator("[data-feedback]").last.get_by_role("button", name=re.compile("Used from memory")).click()
    page.locator(".known-context [data-concept]").first.click()
    expect(explorer(page)).to_be_visible()


def test_a_way_between_two_by_keyboard_alone(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    explorer(page).locator("[data-path]").press("Enter")
    expect(explorer(page).locator(".asking")).to_contain_text("first of two")
    table(page)
    explorer(page).locator("[data-sort=answers]").press("Enter")
    expect(explorer(page).locator("[aria-sort=descending]")).to_contain_text("Answers")
    rows(page).first.focus()
    page.keyboard.press("Enter")
    expect(explorer(page).locator(".asking")).to_contain_text("should end")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    way = explorer(page).locator(".concept.way")
    expect(way.locator(".steps > li").nth(1)).to_be_visible()
    expect(way.locator(".edge button").first).to_be_visible()
    page.get_by_role("tab", name="Graph", exact=True).click()
    shoot(page, "knowledge-way")
    page.keyboard.press("Escape")
    expect(explorer(page).locator(".asking")).to_be_hidden()


WRITTEN = """() => {
  window.written = [];
  const drawn = CanvasRenderingContext2D.prototype;
  const { fillText, clearRect } = drawn;
  drawn.fillText = function (text, ...rest) {
    window.written.push(text);
    return fillText.call(this, text, ...rest);
  };
  drawn.clearRect = function (...rest) {
    window.written = [];
    return clearRect.call(this, ...rest);
  };
}"""
"""Records the texts drawn on a canvas since it was last cleared."""


def test_a_hovered_name_is_drawn_once(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=chat")
    page.evaluate(WRITTEN)
    page.locator("[role=tab][data-tab=knowledge]").click()
    painted(page)
    search(page, "Rina Barkai")
    expect(explorer(page)).to_have_attribute("data-nodes", "1")
    box = explorer(page).locator(".canvas canvas").bounding_box()
    assert box
    page.wait_for_function("written.filter((text) => text === 'Rina Barkai').length === 1")
    page.mouse.move(box["x"] + box["width"] / 2 - 3, box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(explorer(page).locator(".hover")).to_contain_text("Rina Barkai")
    page.wait_for_function("written.filter((text) => text === 'Rina Barkai').length === 1")
    shoot(page, "knowledge-hovered")


def test_the_ends_of_a_way_are_picked_by_name_and_nothing_moves(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    canvas = explorer(page).locator(".canvas canvas")
    before = canvas.bounding_box()
    explorer(page).locator("[data-path]").click()
    ends = explorer(page).locator("[data-end]")
    expect(ends).to_have_count(2)
    expect(ends.first).to_be_visible()
    assert canvas.bounding_box() == before
    ends.first.fill("Haif")
    expect(explorer(page).locator("#pal-way-names option").first).to_be_attached()
    ends.first.fill("haifa")
    expect(explorer(page).locator(".asking p")).to_contain_text("should end")
    ends.nth(1).fill("tel dagan")
    way = explorer(page).locator(".concept.way")
    expect(way).to_be_visible()
    expect(ends.first).to_have_value("Haifa")
    expect(ends.nth(1)).to_have_value("Tel Dagan")
    assert canvas.bounding_box() == before
    shoot(page, "knowledge-ends")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(explorer(page).locator(".asking")).to_be_hidden()
    assert canvas.bounding_box() == before


def test_a_way_that_is_given_up_while_it_is_looked_for_stays_given_up(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    asking = explorer(page).locator(".asking")
    explorer(page).locator("[data-path]").click()
    ends = explorer(page).locator("[data-end]")
    with held(page, CALLS, function="path"):
        with page.expect_request(lambda request: '"fn_name":"path"' in (request.post_data or "")):
            for place, name in enumerate(("Haifa", "Tel Dagan")):
                ends.nth(place).fill(name)
                ends.nth(place).press("Enter")
        explorer(page).locator("[data-path]").click()
        expect(asking).to_be_hidden()
    table(page)
    rows(page).first.click()
    expect(explorer(page).locator(".panel .concept:not(.way)")).to_be_visible()
    expect(asking).to_be_hidden()


def test_names_are_in_the_language_of_the_reader(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge", locale="he-IL")
    painted(page)
    table(page)
    search(page, "Haifa")
    expect(row(page, "חיפה")).to_be_visible()
    search(page, "Israel")
    row(page, "ישראל").click()
    expect(explorer(page).locator(".panel h2")).to_have_text("ישראל")
    shoot(page, "knowledge-hebrew-names")


def test_files_to_take_away_need_nothing_from_anywhere(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    kept: dict[str, Path] = {}
    for kind in ("png", "json", "html", "svg", "graphml", "nodes", "links"):
        explorer(page).locator(".export summary").click()
        with page.expect_download() as download:
            explorer(page).locator(f"[data-export={kind}]").click()
        kept[kind] = tmp_path / f"knowledge.{kind}"
        download.value.save_as(kept[kind])
    assert kept["png"].read_bytes().startswith(b"\x89PNG")
    alone = page.context.new_page()
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(kept["html"].as_uri())
    expect(alone.locator("canvas")).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    shoot(alone, "knowledge-alone")


def test_a_search_keeps_the_picture_and_kinds_and_dates_narrow_it(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    search(page, "pelagit metering")
    expect(explorer(page).locator(".count")).to_contain_text("1 of 1 found")
    links = re.search(r"(\d+) links", explorer(page).locator(".count").inner_text())
    assert links
    assert int(links[1]) > 3, "what is around it stays"
    search(page, "")
    table(page)
    explorer(page).locator("[data-choice=kind]").select_option("place")
    expect(rows(page).locator(".c-kind", has_text="place").first).to_be_visible()
    expect(rows(page).locator(".c-kind").filter(has_not_text=re.compile("^place$"))).to_have_count(0)
    explorer(page).get_by_role("button", name="Clear the filters").click()
    expect(rows(page)).to_have_count(20)
    page.get_by_role("tab", name="Graph", exact=True).click()
    last = explorer(page).locator(".times input").last
    last.focus()
    page.keyboard.press("Home")
    expect(explorer(page).locator(".times output")).to_contain_text("2024")
    expect(explorer(page).locator(".legend [data-colour=routing] small")).to_have_text("0")
    shoot(page, "knowledge-dates")


def test_dated_events_open_by_stretches_of_time_and_lead_to_their_source(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    page.get_by_role("tab", name="Timeline").click()
    timeline = explorer(page).locator(".timeline")
    expect(timeline.locator("tbody tr").first).to_be_visible()
    shoot(page, "knowledge-timeline")
    timeline.locator(".columns [data-at='2024']").press("Enter")
    expect(timeline.locator(".trail b")).to_have_text("2024")
    assert all(
        each.startswith("2024") for each in timeline.locator("time").evaluate_all("all => all.map((e) => e.dateTime)")
    )
    explorer(page).locator(".export summary").click()
    with page.expect_download() as download:
        explorer(page).locator("[data-export=csv]").click()
    download.value.save_as(tmp_path / "timeline.csv")
    assert (tmp_path / "timeline.csv").read_text("utf-8-sig").startswith("Date,Event,Who,Source,Page")
    timeline.locator("[data-document]").first.click()
    expect(page.locator(".pal-library")).to_be_visible()


def test_a_selection_is_asked_about_together(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    table(page)
    chosen = explorer(page).locator(".chosen")
    for name in ("Pelagit Metering", "Haifa"):
        search(page, name)
        row(page, name).click()
        expect(explorer(page).locator(".panel h2")).to_have_text(name)
        explorer(page).locator("[data-choose]").click()
        expect(chosen.locator("[data-chosen]").last).to_contain_text(name)
    shoot(page, "knowledge-selection")
    chosen.get_by_role("button", name="What links these?").click()
    expect(page.locator(".composer textarea")).to_have_value('What links "Pelagit Metering" and "Haifa"?')


def test_charts_are_drawn(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    page.get_by_role("tab", name="Charts").click()
    expect(explorer(page).locator(".charts .main-svg").first).to_be_visible()
    expect(explorer(page).locator(".charts figure")).to_have_count(3)
    shoot(page, "knowledge-charts")


def test_hebrew_on_a_narrow_dark_screen(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=knowledge", width=390, height=844, dark=True, locale="he-IL")
    painted(page)
    expect(explorer(page)).to_have_attribute("dir", "rtl")
    explorer(page).locator("[data-drawer-open=filters]").click()
    expect(explorer(page).locator(".filters")).to_be_visible()
    expect(explorer(page).locator(".legend")).to_contain_text("מוזכר בטקסטים")
    shoot(page, "knowledge-hebrew-filters")
    page.keyboard.press("Escape")
    expect(explorer(page).locator(".filters")).to_be_hidden()
    table(page)
    rows(page).first.click()
    expect(explorer(page).locator(".panel .concept")).to_be_visible()
    shoot(page, "knowledge-hebrew-concept")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_deleted_document_takes_its_concepts_with_it_at_once(served, opened: Callable[..., Page]) -> None:
    client = Client(served.url, verbose=False)
    documents = client.predict(api_name="/list_documents")
    client.predict("Tel Dagan", [], "all", "importance", 20, "", api_name="/knowledge_graph")
    page = opened(f"{served.url}/?tab=knowledge")
    painted(page)
    before = sum(counts(page).values())
    page.locator("[role=tab][data-tab=library]").click()
    library = page.locator(".pal-library .rows .row:not(.head)")
    expect(library).to_have_count(len(documents))
    for left in range(len(documents), 0, -1):
        library.first.get_by_role("button", name="Delete").click()
        expect(library).to_have_count(left - 1)
    page.locator("[role=tab][data-tab=knowledge]").click()
    expect(explorer(page).locator(".legend [data-colour=content] small")).to_have_text("0")
    assert sum(counts(page).values()) < before
