"""Tests PalAssist's clarification questions on the page: a card appears above the input, the user chooses, and the same
answer continues."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from gradio_client import Client
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.interface

READY = 90_000


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def with_samples(page: Page) -> Page:
    page.locator("[role=tab][data-tab=library]").click()
    rows = page.locator(".pal-library .rows .row:not(.head)")
    empty = page.locator(".pal-library .empty button")
    expect(rows.first.or_(empty)).to_be_visible()
    if empty.is_visible():
        empty.click()
    expect(rows).to_have_count(6, timeout=READY)
    expect(page.locator(".pal-library .row.busy")).to_have_count(0, timeout=READY)
    page.locator("[role=tab][data-tab=chat]").click()
    return page


def ask(page: Page, question: str, action: str = "auto") -> None:
    page.locator("[data-action]").select_option(action)
    page.locator(".composer textarea").fill(question)
    page.keyboard.press("Enter")


def card(page: Page):
    found = page.locator(".pal-card")
    expect(found).to_be_visible()
    return found


def field(page: Page):
    return page.locator(".composer textarea")


def mention(page: Page, letters: str, title: str) -> None:
    """Types ``@`` and the beginning of a title, and picks it from the list."""
    page.keyboard.type(f"@{letters}")
    option = page.locator(".mentions li", has_text=title)
    expect(option).to_be_visible()
    option.click()


def compare_one(page: Page) -> None:
    """Asks for a comparison and names one document."""
    page.locator("[data-action]").select_option("compare")
    field(page).click()
    mention(page, "expense policy 2024", "Travel and Expense Policy 2024")
    page.keyboard.press("Enter")


def test_compare_with_one_document_asks_for_the_second_and_a_typed_mention_answers(
    served, opened: Callable[..., Page], shoot
) -> None:
    page = with_samples(opened(served.url))
    compare_one(page)
    expect(card(page)).to_contain_text("Which document should I compare it with?")
    expect(card(page).locator("[data-choice]").first).to_be_focused()
    expect(field(page)).to_have_attribute("placeholder", "Type your answer")
    shoot(page, "card-text")
    field(page).click()
    mention(page, "expense policy 2025", "Travel and Expense Policy 2025")
    page.keyboard.press("Enter")
    answer = page.locator(".answer:not(.live)")
    expect(answer.locator("table")).to_contain_text("ILS 2,000 or less")
    expect(page.locator(".pal-card")).to_have_count(0)
    expect(answer).to_have_count(1)
    expect(answer.locator(".trail")).to_contain_text("Which document should I compare it with?")
    expect(answer.locator(".trail .said")).to_contain_text("Travel and Expense Policy 2025")
    expect(answer.locator(".trace .step")).not_to_have_count(0)
    shoot(page, "card-answered")
    page.reload()
    expect(page.locator(".answer .trail")).to_contain_text("Travel and Expense Policy 2025")
    expect(page.locator(".answer table")).to_contain_text("ILS 2,000 or less")


def test_a_pending_card_survives_a_reload_and_a_restart(served, opened: Callable[..., Page]) -> None:
    page = with_samples(opened(served.url))
    compare_one(page)
    expect(card(page)).to_contain_text("compare it with")
    page.reload()
    expect(card(page)).to_contain_text("compare it with")
    expect(page.locator(".answer.live .line")).to_have_text("Waiting for your answer")
    address = page.url
    page.close()
    served.kill()
    served.start()
    again = opened(address)
    expect(card(again)).to_contain_text("compare it with")
    expect(field(again)).to_be_enabled()
    field(again).click()
    mention(again, "expense policy 2025", "Travel and Expense Policy 2025")
    again.keyboard.press("Enter")
    expect(again.locator(".answer:not(.live) table")).to_contain_text("ILS 2,000 or less")
    expect(again.locator(".pal-card")).to_have_count(0)


def test_cancelling_leaves_no_answer_and_the_next_question_is_taken(served, opened: Callable[..., Page]) -> None:
    page = with_samples(opened(served.url))
    compare_one(page)
    expect(card(page)).to_contain_text("compare it with")
    page.keyboard.press("Escape")
    expect(page.locator(".pal-card")).to_have_count(0)
    expect(page.locator(".trail .said")).to_have_text("Cancelled")
    expect(page.locator(".answer .body, .answer .quoted")).to_have_count(0)
    expect(field(page)).to_be_enabled()
    ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
    expect(page.locator(".answer .quoted")).to_contain_text("560")


def test_an_e_mail_is_audited_against_a_policy(served, opened: Callable[..., Page], shoot) -> None:
    page = with_samples(opened(served.url))
    page.locator("[data-action]").select_option("audit")
    field(page).click()
    page.keyboard.type("Audit against ")
    mention(page, "expense policy 2025", "Travel and Expense Policy 2025")
    page.keyboard.press("Enter")
    expect(card(page)).to_contain_text("Paste the text")
    field(page).fill(
        "For the visit to Haifa a night in Israel was reimbursed at ILS 700. Dinner was ILS 90. "
        "I will hand in the receipts ninety days after the trip."
    )
    page.keyboard.press("Enter")
    answer = page.locator(".answer:not(.live)")
    expect(answer.locator("table")).to_contain_text("The document says at most 560 ILS, but the text says 700 ILS.")
    expect(answer.locator("table")).to_contain_text("not checked")
    table = answer.get_by_role("link", name="Download the table")
    expect(table).to_have_attribute("href", re.compile(r"^data:text/csv"))
    word = answer.get_by_role("link", name="Download as Word")
    expect(word).to_have_attribute("href", re.compile(r"^/answers/run_\w+\.docx$"))
    shoot(page, "audit")


def test_a_choice_on_a_card_is_undone_by_asking_again_with_the_card(served, opened: Callable[..., Page], shoot) -> None:
    page = with_samples(opened(served.url))
    ask(page, "What is the hotel limit according to the travel policy?")
    card(page).get_by_role("button", name="Travel and Expense Policy 2024").click()
    answer = page.locator(".answer:not(.live)")
    expect(answer.locator(".exchange .said")).to_have_text("Travel and Expense Policy 2024")
    shoot(page, "card-chosen")
    answer.get_by_role("button", name="Choose again").click()
    card(page).get_by_role("button", name="Travel and Expense Policy 2025").click()
    expect(answer.locator(".exchange .said")).to_have_text("Travel and Expense Policy 2025")
    expect(page.locator(".question")).to_have_count(1)
    expect(page.locator(".version")).to_have_text("2 / 2")


def test_hebrew_throughout(served, opened: Callable[..., Page], shoot) -> None:
    page = with_samples(opened(served.url, locale="he-IL", width=390, height=844, dark=True))
    ask(page, "סכמו בבקשה", action="summarize")
    expect(card(page)).to_have_attribute("dir", "rtl")
    expect(card(page)).to_contain_text("איזה מסמך לסכם?")
    expect(field(page)).to_have_attribute("placeholder", "הקלידו את התשובה")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, "card-hebrew")
    field(page).click()
    mention(page, "אחסון", "אחסון")
    page.keyboard.press("Enter")
    answer = page.locator(".answer:not(.live)")
    expect(answer).to_have_attribute("dir", "rtl")
    expect(answer.locator(".trail")).to_contain_text("איזה מסמך לסכם?")
    expect(answer.locator(".body .cite").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, "card-hebrew-answered")


def test_a_waiting_conversation_can_be_left_and_another_asked(served, opened: Callable[..., Page]) -> None:
    page = with_samples(opened(served.url))
    compare_one(page)
    expect(card(page)).to_be_visible()
    page.locator("[data-new]").click()
    expect(page.locator(".pal-card")).to_have_count(0)
    expect(field(page)).to_be_enabled()
    ask(page, "What is the limit for a hotel night in Israel under the 2025 travel policy?")
    expect(page.locator(".answer .quoted")).to_contain_text("560")
    page.go_back()
    page.locator(".conversations .list button", has_text="Travel and Expense Policy 2024").first.click()
    expect(card(page)).to_contain_text("compare it with")
    card(page).locator("[data-cancel-question]").click()
    expect(page.locator(".pal-card")).to_have_count(0)


def test_one_of_several_documents_is_picked_with_the_keyboard_and_the_same_run_goes_on(
    served, opened: Callable[..., Page], shoot
) -> None:
    page = with_samples(opened(served.url))
    ask(page, "Summarize the travel and expense policy")
    choices = card(page).locator("[data-choice]")
    expect(choices).to_have_count(3)
    expect(choices.first).to_be_focused()
    expect(field(page)).to_be_disabled()
    expect(field(page)).to_have_attribute("placeholder", re.compile("Choose an option above"))
    shoot(page, "card-documents")
    page.keyboard.press("ArrowRight")
    expect(choices.nth(1)).to_be_focused()
    chosen = choices.nth(1).locator("bdi").inner_text()
    page.keyboard.press("Enter")
    answer = page.locator(".answer:not(.live)")
    expect(answer).to_have_count(1)
    expect(answer.locator(".trail .said")).to_have_text(chosen)
    expect(answer.locator(".sources")).to_contain_text(chosen)
    expect(field(page)).to_be_enabled()


def test_a_question_that_two_policies_answer_is_asked_back_and_answered_from_the_one_picked(
    served, opened: Callable[..., Page], shoot
) -> None:
    page = with_samples(opened(served.url))
    ask(page, "What is the limit for a hotel night in Israel according to the travel policy?")
    expect(card(page)).to_contain_text("Which document do you mean")
    expect(card(page).locator("[data-choice]")).to_have_count(3)
    shoot(page, "card-question")
    card(page).get_by_role("button", name=re.compile("Policy 2024")).click()
    answer = page.locator(".answer:not(.live)")
    expect(answer).to_have_count(1)
    expect(answer.locator(".quoted")).to_contain_text("620")
    expect(answer.locator(".trail .said")).to_contain_text("Policy 2024")
    expect(answer.get_by_text("Semantic search is switched off")).to_have_count(1)
    expect(answer).not_to_contain_text("Policy 2025")


def test_two_actions_in_one_sentence_are_a_choice_and_the_other_is_offered(served, opened: Callable[..., Page]) -> None:
    page = with_samples(opened(served.url))
    ask(page, "Compare and summarize the travel and expense policy 2024 and the travel and expense policy 2025")
    expect(card(page)).to_contain_text("Which should I do first?")
    card(page).get_by_role("button", name=re.compile("^Compare")).click()
    answer = page.locator(".answer:not(.live)")
    expect(answer.locator("table")).to_contain_text("ILS 2,000 or less")
    answer.get_by_role("button", name="Now summarize").click()
    expect(page.locator(".answer:not(.live)")).to_have_count(2)
    expect(page.locator(".answer:not(.live)").last.locator(".body")).to_contain_text("21 days")


def test_an_ambiguous_question_in_hebrew(served, opened: Callable[..., Page]) -> None:
    page = with_samples(opened(served.url, locale="he-IL"))
    ask(page, "סכמו והשוו את המסמכים")
    expect(card(page)).to_contain_text("איזו קודם?")
    expect(card(page)).to_have_attribute("dir", "rtl")
    card(page).locator("[data-choice=summarize]").click()
    expect(card(page)).to_contain_text("איזה מסמך לסכם?")
    field(page).click()
    mention(page, "אחסון", "אחסון")
    page.keyboard.press("Enter")
    answer = page.locator(".answer:not(.live)")
    expect(answer.locator(".trail .exchange")).to_have_count(2)
    expect(answer.locator(".body")).to_contain_text("המונים")


def test_the_client_is_asked_back_and_answers(served, opened: Callable[..., Page]) -> None:
    with_samples(opened(served.url))
    client = Client(served.url, verbose=False)
    asked = client.submit('Compare @"Travel and Expense Policy 2024"', "", "enhanced", "", "compare", api_name="/ask")
    last = asked.result(timeout=60) and asked.outputs()[-1]
    assert last["outcome"] is None
    assert last["interrupt"]["kind"] == "doc_choice"
    refused = client.submit(last["run_id"], last["interrupt"]["interrupt_id"], ["nothing"], api_name="/resume_run")
    assert "problem" in refused.result(timeout=60)
    resumed = client.submit(
        last["run_id"],
        last["interrupt"]["interrupt_id"],
        [],
        '@"Travel and Expense Policy 2025"',
        api_name="/resume_run",
    )
    resumed.result(timeout=60)
    done = resumed.outputs()[-1]
    assert (done["run_id"], done["outcome"], done["interrupt"]) == (last["run_id"], "answered", None)
    assert "ILS 2,000 or less" in done["text"]
