import time
from dataclasses import replace

import pytest

from core.answering.prose.answer import answer_from_text
from core.figures.records import Candidate, Evidence
from core.words import Language
from tests.core.answering.prose.made_texts import ENGLISH, HEBREW, evidence, question


async def best(text: str, language: Language = "en") -> Candidate:
    found = await answer_from_text(question(text, language), evidence(*(HEBREW if language == "he" else ENGLISH)), None)
    return found[0]


async def test_a_figure_of_the_year_that_is_asked_about() -> None:
    answer = (await best("What was the depreciation expense in 2020?")).answer
    assert (answer.kind, answer.value, answer.scale, answer.currency) == ("figure", 3.9, 1e6, "USD")
    assert (answer.period or "").startswith("2020")
    assert "$3.9 million" in answer.line
    assert answer.line.endswith("[1]")
    assert answer.cells[0].item_id == "p0"
    assert answer.cells[0].text in ENGLISH[0]


async def test_figures_of_several_years_in_the_order_of_the_question() -> None:
    answer = (await best("What was the depreciation expense in 2019 and 2021 respectively?")).answer
    assert sorted(answer.value) == [3.1, 4.2]  # type: ignore[arg-type]
    assert answer.scale == 1e6


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Why did the gross margin fall in 2021?", "higher freight rates and a shortage of resin"),
        ("What does net working capital represent?", "inventories plus trade receivables less trade payables"),
        ("How is the recoverable amount determined?", "discounting the expected cash flows"),
        ("How long is the remaining term of the lease of the Porto plant?", "eleven years"),
        ("When did the supervisory board approve the sale of Larkin Mills?", "March 14, 2020"),
        ("How many employees are there in the workforce?", "1,240"),
        ("In which regions does the company operate?", "Baltics"),
    ],
)
async def test_the_words_that_answer_are_in_the_line(text: str, held: str) -> None:
    candidate = await best(text)
    assert held.lower() in candidate.answer.line.lower()


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("מתי הוקם המפעל בנהריה?", "1974"),
        ("מדוע ירד הרווח הגולמי בשנת 2021?", "עלייה במחירי ההובלה"),
        ("כמה עובדים מועסקים במפעל בנהריה?", "310"),
        ("מה תקופת השכירות של המפעל?", "11 שנים"),
    ],
)
async def test_hebrew_questions(text: str, held: str) -> None:
    candidate = await best(text, "he")
    assert held.lower() in candidate.answer.line.lower()


async def test_what_the_text_does_not_say_is_less_sure() -> None:
    said = await best("What was the depreciation expense in 2020?")
    unsaid = await best("What was the advertising expense in 2014?")
    assert unsaid.sureness < said.sureness
    assert unsaid.answer.doubt is not None or not unsaid.answer.decided


async def test_without_text_there_is_no_candidate() -> None:
    assert await answer_from_text(question("Who?"), evidence(), None) == []


async def test_meanings_are_asked_for_once_and_for_few_texts() -> None:
    asked: list[int] = []

    async def similar(phrase: str, texts: object) -> list[float]:
        asked.append(len(list(texts)))  # type: ignore[call-overload]
        return [0.5] * asked[-1]

    found = await answer_from_text(question("Who approved the sale?"), evidence(*ENGLISH * 3), similar)
    assert found
    assert len(asked) == 1
    assert asked[0] <= 20


async def test_every_reason_is_a_share() -> None:
    for candidate in await answer_from_text(question("Why did margins fall?"), evidence(*ENGLISH), None):
        assert all(0.0 <= reason <= 1.0 for reason in candidate.reasons.values())


async def test_twelve_passages_are_read_in_a_moment() -> None:
    passages = [f"{text} {text}" for text in (ENGLISH * 3)[:12]]
    await answer_from_text(question("Why did the gross margin fall?"), evidence(*passages), None)
    began = time.process_time()
    await answer_from_text(question("Why did the gross margin fall in 2021 in Porto?"), evidence(*passages), None)
    assert time.process_time() - began < 0.3


async def test_a_sentence_is_no_yes_and_no_no() -> None:
    answer = (await best("Did the gross margin fall in 2021?")).answer
    assert answer.kind == "sentence"
    assert answer.doubt is not None


async def test_rows_of_tables_are_left_to_the_tables() -> None:
    rows = "Item | 2021 | 2020\nRent expense | 17 | 16\nFreight expense | 9 | 8"
    assert await answer_from_text(question("What was the rent expense in 2021?"), evidence(rows), None) == []


async def test_a_likelier_candidate_is_never_less_sure() -> None:
    for text in ("Why did the gross margin fall?", "Who approved the sale?", "What was the rent expense in 2021?"):
        found = await answer_from_text(question(text), evidence(*ENGLISH), None)
        assert [each.sureness for each in found] == sorted((each.sureness for each in found), reverse=True)


async def test_what_stands_before_the_colon_is_no_item() -> None:
    answer = (await best("What are the regions in which the company operates?")).answer
    assert answer.value == ["Iberia", "Scandinavia", "the Baltics", "the Balkans"]


async def test_a_bare_count_says_what_was_counted() -> None:
    assert (await best("How many employees are there in the workforce?")).answer.line == "1,240 employees [1]"


async def test_rows_of_tables_take_no_place_from_sentences() -> None:
    rows = evidence(*("Pump | 12 | 40" for _ in range(30)), *ENGLISH)
    tables = tuple(replace(each, is_table=" | " in each.text) for each in rows.texts)
    found = await answer_from_text(question("How many employees are there?"), Evidence(texts=tables), None)
    assert "1,240" in found[0].answer.line


async def test_paragraphs_answer_though_their_passage_goes_on_with_a_table() -> None:
    mixed = "The plant in Porto makes valves for ships.\n\nItem | 2021 | 2020\nRent expense | 17 | 16"
    passages = evidence(mixed)
    passages = replace(passages, texts=tuple(replace(each, is_table=True) for each in passages.texts))
    found = await answer_from_text(question("What does the plant in Porto make?"), passages, None)
    assert "valves for ships" in found[0].answer.line.lower()


async def test_of_two_rules_that_score_alike_the_one_about_the_place_that_is_named() -> None:
    rules = (
        "4.1 A day in Norway is reimbursed up to NOK 900, fuel included.\n\n4.2 A day abroad is reimbursed up to "
        "EUR 80 in city group A, which is Paris, Geneva, Vienna and Lisbon, and up to EUR 55 in all other cities "
        "(group B)."
    )
    found = await answer_from_text(question("What is the limit for a rental day in Norway?"), evidence(rules), None)
    assert found[0].answer.cells[0].text.startswith("4.1 ")
