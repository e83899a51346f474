"""Tests files attached to a conversation, from the paper clip to the Library, and sets of documents after @."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from gradio_client import Client, handle_file
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.interface, pytest.mark.reader]

SAMPLES = Path(__file__).parents[2] / "sample_docs"
CONTRACT, POLICY = "pelagit-metering-contract.pdf", "travel-and-expense-policy-2024.md"
READY = 90_000


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def chip(page: Page, name: str):
    return page.locator(".attachments .chip", has_text=name)


def attach(page: Page, *paths: Path) -> None:
    page.locator(".composer input[type=file]").set_input_files(list(paths))
    for path in paths:
        expect(chip(page, path.name)).to_have_class(re.compile("completed"), timeout=READY)


def ask(page: Page, question: str):
    """Types ``text`` at the end of the input and sends it; returns the newest answer."""
    field = page.locator(".composer textarea")
    answers = page.locator(".thread .answer .actions, .thread .answer [data-retry]")
    before = answers.count()
    field.press_sequentially(question)
    field.press("Enter")
    expect(answers.nth(before)).to_be_visible(timeout=READY)
    return page.locator(".thread .answer").last


def rows(page: Page):
    return page.locator(".pal-library .rows .row:not(.head)")


def test_attach_ask_and_publish(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(served.url)
    page.locator(".composer input[type=file]").set_input_files([SAMPLES / CONTRACT, SAMPLES / POLICY])
    expect(chip(page, CONTRACT)).to_be_visible()
    shoot(page, "attachments-reading")
    for name in (CONTRACT, POLICY):
        expect(chip(page, name)).to_have_class(re.compile("completed"), timeout=READY)
    answer = ask(page, "When may the contractor raise prices?")
    expect(answer).to_contain_text("once a year, on 1 January")
    answer.locator("[data-cite]").first.click()
    expect(page.locator(".dock .content:not([hidden])")).to_contain_text("raise prices")
    page.reload()
    expect(chip(page, CONTRACT)).to_be_visible()
    shoot(page, "attachments")

    page.goto(f"{served.url}/?tab=library")
    expect(page.locator(".pal-library .empty")).to_contain_text("No documents yet")
    page.go_back()
    chip(page, CONTRACT).locator("summary").click()
    shoot(page, "attachments-menu")
    chip(page, CONTRACT).get_by_role("button", name="Publish to the Library").click()
    expect(chip(page, CONTRACT)).to_have_count(0)
    expect(chip(page, POLICY)).to_be_visible()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".pal-library .side")).to_contain_text("Smart Metering Contract")


def test_what_cannot_be_read_says_why_and_what_is_removed_comes_back(
    served, opened: Callable[..., Page], tmp_path: Path, shoot
) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes((SAMPLES / CONTRACT).read_bytes()[:3000])
    page = opened(served.url)
    page.locator(".composer input[type=file]").set_input_files(broken)
    expect(chip(page, "broken.pdf").get_by_role("alert")).to_contain_text("damaged", timeout=READY)
    attach(page, SAMPLES / POLICY)
    shoot(page, "attachments-broken")
    chip(page, POLICY).get_by_role("button", name="Remove from this conversation").click()
    expect(chip(page, POLICY)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(chip(page, POLICY)).to_be_visible()
    chip(page, "broken.pdf").get_by_role("button", name="Remove from this conversation").click()
    expect(chip(page, "broken.pdf")).to_have_count(0)


def test_a_set_is_made_named_and_asked(served, opened: Callable[..., Page], shoot) -> None:
    page = opened(f"{served.url}/?tab=library")
    names = [CONTRACT, POLICY, "travel-and-expense-policy-2025.docx"]
    page.locator(".pal-library input[type=file]").set_input_files([SAMPLES / name for name in names])
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    expect(rows(page)).to_have_count(3, timeout=READY)
    for row in rows(page).filter(has_text="travel-and-expense").all():
        row.get_by_role("checkbox").check()
    page.get_by_role("button", name="New set…").click()
    page.get_by_label("Name of the set").fill("Travel rules")
    page.get_by_label("Name of the set").press("Enter")
    made = page.locator(".pal-library .set", has_text="Travel rules")
    expect(made).to_contain_text("2")
    made.click()
    expect(rows(page)).to_have_count(2)
    page.get_by_role("button", name="Rename", exact=True).click()
    page.get_by_label("Name of the set").fill("נהלי נסיעות")
    page.get_by_label("Name of the set").press("Enter")
    made = page.locator(".pal-library .set", has_text="נהלי נסיעות")
    expect(made).to_be_visible()
    shoot(page, "sets")
    page.get_by_role("button", name="Delete the set").click()
    expect(made).to_have_count(0)
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(made).to_be_visible()

    page.locator(".pal-header [role=tab][data-tab=chat]").click()
    page.locator(".composer textarea").press_sequentially("@נהלי")
    option = page.locator(".mentions li[data-kind=set]")
    expect(option).to_contain_text("2 documents")
    shoot(page, "sets-mention")
    option.click()
    expect(page.locator(".composer textarea")).to_have_value('@"נהלי נסיעות" ')
    answer = ask(page, "What is the hotel limit for a night in Haifa?")
    expect(answer).to_contain_text("Travel and Expense Policy")
    expect(answer).not_to_contain_text("Smart Metering")


def test_hebrew_on_a_narrow_screen(served, opened: Callable[..., Page], tmp_path: Path, shoot) -> None:
    mail = tmp_path / "מכתב מהספק.md"
    mail.write_text("# מכתב מהספק\n\nהספק מבקש להעלות את המחיר בשבעה אחוזים החל מחודש מרץ.\n", encoding="utf-8")
    page = opened(served.url, width=390, height=844, dark=True, locale="he-IL")
    attach(page, mail)
    expect(page.get_by_role("button", name="הסרה מן השיחה")).to_be_visible()
    answer = ask(page, "בכמה אחוזים מבקש הספק להעלות את המחיר?")
    expect(answer).to_contain_text("שבעה אחוזים")
    chip(page, mail.name).locator("summary").click()
    expect(page.get_by_role("button", name="פרסום בספרייה")).to_be_visible()
    shoot(page, "attachments-hebrew-narrow-dark")


def test_endpoints(served, tmp_path: Path) -> None:
    client = Client(served.url, verbose=False)
    note = tmp_path / "note.txt"
    note.write_text("The reservoir holds 37 cubic metres of water.")
    attached = client.predict(
        file=handle_file(str(note)), name="note.txt", conversation_id="", api_name="/attach_document"
    )
    conversation, document = attached["conversation"], attached["document"]["id"]
    listed: list[dict] = []
    while not listed or listed[0]["state"] != "completed":
        listed = client.predict(conversation_id=conversation, api_name="/list_attachments")["documents"]
    assert [each["id"] for each in listed] == [document]
    refused = client.predict(name="Notes", document_ids=[document], api_name="/create_set")
    assert "Move an attachment to the library first" in refused["problem"]["remedy"]
    for _ in range(2):
        assert client.predict(document_id=document, choice="ask", api_name="/publish_document")["status"] == "accepted"
    made = client.predict(name="Notes", document_ids=[document], api_name="/create_set")["set"]
    assert client.predict(set_id=made["id"], add=[], remove=[document], api_name="/fill_set")["set"]["documents"] == []
    assert client.predict(set_id=made["id"], name="Minutes", api_name="/rename_set")["set"]["name"] == "Minutes"
    assert "Minutes" in [each["name"] for each in client.predict(api_name="/list_sets")["sets"]]
    client.predict(set_id=made["id"], api_name="/delete_set")
    assert "Minutes" not in [each["name"] for each in client.predict(api_name="/list_sets")["sets"]]


def test_what_is_dropped_on_the_chat_is_attached(served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    expect(page.locator(".composer .clip")).to_be_visible()
    page.locator(".pal-chat > .main").evaluate(
        """(main) => {
          const files = new DataTransfer();
          files.items.add(new File(["The reservoir of Hadar holds 51 cubic metres."], "hadar.txt"));
          for (const kind of ["dragenter", "drop"])
            main.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: files }));
        }"""
    )
    expect(chip(page, "hadar.txt")).to_have_class(re.compile("completed"), timeout=READY)
    expect(page.locator("body")).not_to_have_class(re.compile("dropping"))
    page.goto(f"{served.url}/?tab=library")
    expect(page.locator(".pal-library [data-search]")).to_be_visible()
    expect(rows(page).filter(has_text="hadar.txt")).to_have_count(0)
