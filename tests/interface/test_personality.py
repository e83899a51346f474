"""Tests a custom personality: from a quick setting to the page header, with mistakes, undo and two users."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gradio_client import Client
from playwright.sync_api import Page, expect

from tests.interface.held_calls import CALLS, held, is_of

pytestmark = pytest.mark.interface

NAME_MS = 5_000
"""Maximum time in milliseconds until the header shows the new name."""


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture
def tab(served, opened: Callable[..., Page]) -> Callable[..., Page]:
    def open_tab(**options) -> Page:
        page = opened(f"{served.url}/?tab=personality", **options)
        expect(page.locator(".pal-personality .prompt p").first).to_be_visible()
        return page

    return open_tab


def act(page: Page, name: str) -> None:
    page.locator(f".pal-personality [data-do={name}]").click()


def choose(page: Page, setting: str, value: str) -> None:
    page.locator(f".pal-personality input[name=pal-{setting}][value={value}]").check()


def view(page: Page, name: str) -> None:
    page.locator(f".pal-personality [data-view-tab={name}]").click()
    expect(page.locator(f"#pal-{name}")).to_be_visible()


def text_of(page: Page):
    return page.locator(".pal-personality .yaml textarea")


def prompt_of(page: Page):
    return page.locator(".pal-personality .prompt")


def own(page: Page):
    return page.locator(".pal-personality [data-list=custom] button")


def unsaved(page: Page):
    return page.locator(".pal-personality .editor .unsaved")


def save_as(page: Page, name: str) -> None:
    page.locator("dialog[open] input").fill(name)
    page.locator("dialog[open]").get_by_role("button", name=re.compile("^(Save|שמירה)$")).click()
    expect(unsaved(page)).to_be_hidden()


def test_buttons_pressed_before_there_is_a_template_do_nothing(served, opened: Callable[..., Page]) -> None:
    page = opened(f"{served.url}/?tab=chat")
    with held(page, CALLS, function="templates"):
        with page.expect_request(is_of("templates")):
            page.goto(f"{served.url}/?tab=personality")
        for name in ("activate", "save", "save-as", "reset", "download"):
            page.locator(f".pal-personality [data-do={name}]").dispatch_event("click")
        expect(page.locator(".pal-personality .prompt p")).to_have_count(0)
    expect(page.locator(".pal-personality .prompt p").first).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_tone_becomes_a_personality_of_its_own(tab: Callable[..., Page], shoot) -> None:
    page = tab()
    expect(page.locator(".pal-personality [data-do=activate]")).to_have_text("In use")
    shoot(page, "personality")
    choose(page, "tone", "direct")
    expect(prompt_of(page)).to_contain_text("Be direct and get to the point.")
    expect(unsaved(page)).to_be_visible()
    page.get_by_label("Name", exact=True).fill("עדה")
    expect(prompt_of(page)).to_contain_text("You are עדה, ")
    view(page, "yaml")
    expect(text_of(page)).to_have_value(re.compile("^# The default assistant.*\n(.*\n)+  tone: direct\n"))
    expect(text_of(page)).to_have_value(re.compile("\n  name: עדה\n"))
    act(page, "save")
    save_as(page, "עדה הישירה")
    expect(own(page)).to_have_text("עדה הישירה")
    expect(page.locator("[data-assistant]")).to_be_empty()
    act(page, "activate")
    expect(page.locator("[data-assistant]")).to_have_text("עדה", timeout=NAME_MS)
    expect(own(page).locator(".active")).to_be_visible()
    shoot(page, "personality-yaml")


def test_what_needs_a_model_says_so_beside_itself(tab: Callable[..., Page], shoot) -> None:
    page = tab()
    tone = page.locator("[data-needs=tone]")
    expect(tone).to_have_text("needs a model; none is set up")
    expect(page.locator("[data-needs=length]")).to_be_hidden()
    choose(page, "clarification", "make_assumptions")
    choose(page, "structure", "bullets")
    view(page, "yaml")
    assert "clarification: make_assumptions" in text_of(page).input_value()
    assert "structure: bullets" in text_of(page).input_value()
    view(page, "quick")
    shoot(page, "personality-needs-a-model")


def come_back(page: Page) -> None:
    page.evaluate("() => dispatchEvent(new Event('focus'))")


def test_who_comes_back_from_another_window_reads_the_name_that_was_given_there(
    tab: Callable[..., Page], served
) -> None:
    page = tab()
    expect(page.locator("[data-assistant]")).to_have_text("עדה")
    client = Client(served.url, verbose=False)
    client.predict("teacher", api_name="/activate_personality")
    come_back(page)
    expect(page.locator("[data-assistant]")).to_be_empty(timeout=NAME_MS)
    own_slug = client.predict(api_name="/list_personalities")["templates"][-1]["slug"]
    client.predict(own_slug, api_name="/activate_personality")
    come_back(page)
    expect(page.locator("[data-assistant]")).to_have_text("עדה", timeout=NAME_MS)


def test_typing_yaml_moves_the_quick_settings(tab: Callable[..., Page]) -> None:
    page = tab()
    own(page).click()
    view(page, "yaml")
    text = text_of(page).input_value()
    text_of(page).fill(
        text.replace("use_humor: false", "use_humor: true").replace("verbosity: balanced", "verbosity: detailed")
    )
    expect(prompt_of(page)).to_contain_text("Answer in detail.")
    view(page, "quick")
    expect(page.get_by_label("Light humour")).to_be_checked()
    expect(page.locator("input[name=pal-length][value=detailed]")).to_be_checked()
    act(page, "reset")
    expect(page.get_by_label("Light humour")).not_to_be_checked()
    expect(unsaved(page)).to_be_hidden()
    page.locator(".pal-notices").get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Light humour")).to_be_checked()
    act(page, "reset")
    expect(unsaved(page)).to_be_hidden()


def test_a_mistake_is_shown_at_its_line_and_nothing_is_lost(tab: Callable[..., Page], shoot) -> None:
    page = tab()
    own(page).click()
    view(page, "yaml")
    before = prompt_of(page).inner_text()
    good = text_of(page).input_value()
    broken = good.replace("  tone: direct", "  tone: rude")
    line = broken.split("\n").index("  tone: rude") + 1
    text_of(page).fill(broken)
    flaw = page.locator(".pal-personality .flaw.wrong")
    expect(flaw).to_have_text(re.compile(f"^Line {line}, column 9: communication.tone must be one of: warm"))
    expect(page.locator(".pal-personality .paper .line").nth(line - 1)).to_have_class("line wrong")
    expect(page.locator(".pal-personality .stale")).to_be_visible()
    assert prompt_of(page).inner_text() == before
    shoot(page, "personality-mistake")
    act(page, "save")
    problem = page.locator(".pal-notices .problem")
    expect(problem).to_contain_text(f"The personality was not saved. Line {line}, column 9:")
    expect(text_of(page)).to_have_value(broken)
    problem.get_by_role("button", name="Dismiss").click()
    text_of(page).fill(good + "\nidentity: {")
    expect(flaw).to_contain_text("bracket")
    view(page, "quick")
    expect(page.locator(".pal-personality .flaws")).to_contain_text("Quick settings are disabled")
    expect(page.get_by_label("Name", exact=True)).to_be_disabled()
    flaw.click()
    expect(text_of(page)).to_be_focused()
    text_of(page).fill(good)
    expect(flaw).to_have_count(0)
    expect(page.locator(".pal-personality .stale")).to_be_hidden()
    expect(unsaved(page)).to_be_hidden()


def test_leaving_with_unsaved_changes_warns(tab: Callable[..., Page], shoot) -> None:
    page = tab()
    choose(page, "tone", "enthusiastic")
    expect(prompt_of(page)).to_contain_text("enthusiasm")
    page.locator(".pal-header [role=tab][data-tab=chat]").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("Leave with unsaved changes?")
    shoot(page, "personality-leaving")
    dialog.get_by_role("button", name="Stay").click()
    expect(page.locator(".pal-personality")).to_be_visible()
    page.locator(".pal-header [role=tab][data-tab=library]").click()
    page.locator("dialog[open]").get_by_role("button", name="Leave").click()
    expect(page.locator(".pal-library")).to_be_visible()
    page.keyboard.press("Control+Shift+P")
    expect(unsaved(page)).to_be_visible()
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    page.wait_for_selector(".pal-header [role=tab][aria-selected=true]")
    assert asked == ["beforeunload"]


def test_upload_download_delete_and_undo(tab: Callable[..., Page], tmp_path: Path) -> None:
    page = tab()
    file = tmp_path / "reviewer.yaml"
    file.write_text("identity:\n  name: Reviewer\ncommunication:\n  tone: direct\n", encoding="utf-8")
    page.locator("[data-file]").set_input_files(file)
    expect(prompt_of(page)).to_contain_text("You are Reviewer.")
    expect(page.locator(".pal-personality .flaw.odd")).to_have_count(2)
    act(page, "save")
    save_as(page, "Reviewer")
    expect(own(page)).to_have_text(["Reviewer", re.compile("עדה הישירה")])
    with page.expect_download() as download:
        act(page, "download")
    assert download.value.suggested_filename == "Reviewer.yaml"
    assert download.value.path().read_text(encoding="utf-8") == file.read_text(encoding="utf-8")
    act(page, "delete")
    expect(own(page)).to_have_count(1)
    page.locator(".pal-notices").get_by_role("button", name="Undo").click()
    expect(own(page)).to_have_count(2)
    expect(page.locator(".pal-personality .editor h2")).to_contain_text("Reviewer")


def test_the_one_in_use_is_not_deleted_and_other_files_are_refused(tab: Callable[..., Page], tmp_path: Path) -> None:
    page = tab()
    own(page).filter(has_text="עדה").click()
    act(page, "delete")
    problem = page.locator(".pal-notices .problem")
    expect(problem).to_contain_text("The active personality cannot be deleted. What to do: Use another one first.")
    problem.get_by_role("button", name="Dismiss").click()
    for name, content, why in (
        ("a.pdf", b"%PDF", "not a .yaml"),
        ("b.yaml", b"\xff\xfe\x00", "not a UTF-8 text file"),
        ("c.txt", b"x" * 300_000, "too large"),
    ):
        (tmp_path / name).write_bytes(content)
        page.locator("[data-file]").set_input_files(tmp_path / name)
        expect(problem.filter(has_text=why)).to_be_visible()
    expect(own(page)).to_have_count(2)


def test_saving_under_a_known_name_says_so_and_can_be_undone(tab: Callable[..., Page]) -> None:
    page = tab()
    act(page, "example")
    expect(prompt_of(page)).to_contain_text("You are Ada, research analyst.")
    act(page, "save")
    save_as(page, "Reviewer")
    toast = page.locator(".pal-notices .toast")
    expect(toast).to_contain_text("Reviewer was overwritten.")
    toast.get_by_role("button", name="Undo").click()
    expect(prompt_of(page)).to_contain_text("You are Reviewer.")


def test_hebrew_dark_and_narrow(tab: Callable[..., Page], shoot) -> None:
    page = tab(locale="he-IL")
    expect(page.locator(".pal-personality")).to_have_attribute("dir", "rtl")
    expect(page.locator("[data-do=activate]")).to_have_text("בשימוש")
    shoot(page, "personality-hebrew")
    view(page, "yaml")
    text_of(page).fill("identity:\n  name: עדה: x")
    expect(page.locator(".flaw.wrong")).to_contain_text("שורה 2, עמודה 12:")
    shoot(page, "personality-hebrew-yaml")
    shoot(tab(dark=True), "personality-dark")
    for locale in ("en-US", "he-IL"):
        narrow = tab(width=390, height=844, dark=locale == "he-IL", locale=locale)
        assert narrow.evaluate("document.documentElement.scrollWidth") <= 390
        shoot(narrow, f"personality-narrow-{locale[:2]}")
        view(narrow, "yaml")
        assert narrow.evaluate("document.documentElement.scrollWidth") <= 390
        narrow.locator(".pal-personality .yaml").scroll_into_view_if_needed()
        shoot(narrow, f"personality-narrow-yaml-{locale[:2]}")


def test_the_keyboard_is_enough(tab: Callable[..., Page]) -> None:
    page = tab()
    page.locator("[data-view-tab=quick]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-view-tab=yaml]")).to_be_focused()
    page.keyboard.press("Tab")
    for _ in range(8):
        if text_of(page).evaluate("node => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(text_of(page)).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# mine")
    expect(page.locator(".paper .line").first).to_have_text(re.compile("^# mine# |^# mine"))
    page.keyboard.press("Control+z")
    page.keyboard.press("Tab")
    expect(prompt_of(page)).to_be_focused()


def shown(page: Page) -> Page:
    page.locator(".pal-header [role=tab][data-tab=personality]").click()
    expect(page.locator(".pal-personality .prompt p").first).to_be_visible()
    return page


def test_two_people_have_voices_of_their_own(serve, signed_in: Callable[..., Page]) -> None:
    guarded = serve(PALIMPSEST_DENSE_ENABLED="false", PALIMPSEST_USERS='{"ada": "pw", "bob": "pw"}')
    ada = shown(signed_in(guarded, "ada", "pw"))
    ada.get_by_label("Name", exact=True).fill("Grace")
    expect(prompt_of(ada)).to_contain_text("You are Grace, ")
    act(ada, "activate")
    save_as(ada, "Mine")
    expect(ada.locator("[data-assistant]")).to_have_text("Grace", timeout=NAME_MS)
    bob = shown(signed_in(guarded, "bob", "pw"))
    expect(own(bob)).to_have_count(0)
    expect(bob.locator("[data-assistant]")).to_be_empty()
    expect(bob.get_by_label("Name", exact=True)).to_have_value("Palimpsest")


def test_the_endpoints_of_the_personality(serve) -> None:
    client = Client(serve(PALIMPSEST_DENSE_ENABLED="false").url, verbose=False)
    listed = client.predict(api_name="/list_personalities")
    assert [(each["slug"], each["active"]) for each in listed["templates"]] == [
        ("default", True),
        ("professional", False),
        ("teacher", False),
    ]
    text = client.predict("default", api_name="/get_personality")["template"]["text"]
    preview = client.predict(text, {"name": "עדה", "humour": True}, api_name="/preview_personality")
    assert preview["prompt"].startswith("You are עדה, ")
    assert preview["text"] == text.replace("name: Palimpsest", "name: עדה").replace("humor: false", "humor: true")
    saved = client.predict("עדה", preview["text"], api_name="/save_personality")
    assert saved["replaced"] is None
    slug = saved["template"]["slug"]
    assert client.predict(slug, api_name="/activate_personality") == {"assistant": "עדה"}
    assert "problem" in client.predict(slug, api_name="/delete_personality")
    client.predict("default", api_name="/activate_personality")
    assert client.predict(slug, api_name="/delete_personality")["template"]["text"] == preview["text"]
    refused = client.predict("x", "identity: [", api_name="/save_personality")["problem"]
    assert refused["why"].startswith("Line 1, column 12: ")
    assert "problem" in client.predict(text, {"tone": "cold"}, api_name="/preview_personality")
    assert client.predict("identity: [", {}, api_name="/preview_personality")["prompt"] is None
