"""Tests answers by quotation: which sentences are quoted, which never are, and what happens without embeddings or
without time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.language.detection import detect
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.models.expectations import Expectation
from core.models.extractive import AnswerPassage, ExtractiveAnswer, ExtractiveAnswerer, Spread
from core.models.quotable import quotables
from core.resilience.dependencies import Deadline
from core.settings import Settings

CONTRACT = """Master Services Agreement

14 March 2024

1. Parties and term

1.1 This agreement is made between Larch Analytics and the Port of Dorset. It begins on 1 April
2024 and ends on 31 March 2027.

1.2 Either party may end it early by giving 90 days' written notice.

2. Fees and payment

2.1 The monthly fee is EUR 12,400. It rises each January by the consumer price index, by at most 4 per cent.

2.2 Invoices are paid within 30 days of receipt. Interest on late payment is 6 per cent a year.

3. People

3.1 The project is led by Miriam Castell. Changes to the scope are approved by the steering committee.

3.2 Larch keeps at least five engineers on the project.

4. Data

- Backups are kept for 35 days.
- Personal data stays in the European Union.
"""

BUDGET = """Department | Budget 2024 (EUR) | Budget 2025 (EUR) | Owner
Harbour office | 410,000 | 395,000 | Ines Rocha
Dredging | 1,250,000 | 1,480,000 | Tom Ashby
Training | 38,000 | 52,000 | Lena Voss"""

POLICY = """# Remote Work Policy

Approved by the board on 9 May 2023.

## Eligibility

Employees may work from home after six months of service. Interns may not.

## Equipment

The company pays up to EUR 450 for a desk and a chair. Laptops are replaced every four years.

## Attendance

Teams meet in the office on Tuesdays. Staff may work abroad for at most 20 days a year, and tell the
security desk two weeks before.
"""

PASSAGES = [
    AnswerPassage(1, "contract", CONTRACT, "Master Services Agreement", "msa-2024.pdf", "1. Parties and term"),
    AnswerPassage(2, "budget", BUDGET, "Budget 2024-2025", "budget.xlsx", "Departments"),
    AnswerPassage(3, "policy", POLICY, "Remote Work Policy", "remote-work.md", "Eligibility"),
]


class Meanings:
    """Fake embeddings: texts are similar if they share words. Each batch can be made slow."""

    identity = EmbeddingIdentity("words", 256, Calibration(0.0, 1.0))

    def __init__(self, batches: int = 1000) -> None:
        self.batches = batches
        self.embedded: list[str] = []

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if self.batches == 0:
            await asyncio.Event().wait()
        self.batches -= 1
        self.embedded += texts
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(256, dtype=np.float32)
        for word in text.lower().split():
            vector[sum(word.encode()) % 256] += 1
        return vector / max(1.0, float(np.linalg.norm(vector)))


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None)  # type: ignore[call-arg]


async def ask(
    settings: Settings,
    question: str,
    passages: Sequence[AnswerPassage] = PASSAGES,
    embeddings: Meanings | None = None,
    limit: int = 3,
    seconds: float = 60.0,
) -> ExtractiveAnswer:
    answerer = ExtractiveAnswerer(embeddings, settings, seconds)
    return await answerer.answer(question, detect(question), passages, limit, Deadline(seconds))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the services agreement end?", "31 March 2027"),
        ("How many days of notice must a party give to end it early?", "90 days' written notice"),
        ("How much is the monthly fee?", "EUR 12,400"),
        ("By how much may the fee rise each January?", "at most 4 per cent"),
        ("Within how many days are invoices paid?", "within 30 days of receipt"),
        ("What is the interest on late payment?", "6 per cent a year"),
        ("Who leads the project?", "Miriam Castell"),
        ("Who approves changes to the scope?", "steering committee"),
        ("How many engineers does Larch keep on the project?", "at least five engineers"),
        ("How long are backups kept?", "35 days"),
        ("Where does personal data stay?", "European Union"),
        ("What is the dredging budget for 2025?", "1,480,000"),
        ("Who owns the training budget?", "Lena Voss"),
        ("When did the board approve the remote work policy?", "9 May 2023"),
        ("After how many months may employees work from home?", "six months of service"),
        ("How much does the company pay for a desk?", "up to EUR 450"),
        ("How often are laptops replaced?", "every four years"),
        ("Which day do teams meet in the office?", "Tuesdays"),
        ("How many days a year may staff work abroad?", "at most 20 days"),
    ],
)
async def test_english_questions_quote_their_answer_by_words_alone(
    settings: Settings, question: str, answer: str
) -> None:
    found = await ask(settings, question)
    assert not found.abstained
    assert answer in " ".join(each.text for each in found.sentences)


async def test_a_table_row_follows_the_names_of_its_columns(settings: Settings) -> None:
    found = await ask(settings, "What is the dredging budget for 2025?", limit=1)
    assert [each.text.split(" | ")[0] for each in found.sentences] == ["Department", "Dredging"]


@pytest.mark.parametrize("first", ["$6,439 | $6,240", "(6,439) | (6,240)", "−6,439 | −6,240", "€ 6,439 | € 6,240"])
def test_a_row_of_money_is_a_row_and_names_no_columns(first: str) -> None:
    found = list(quotables(f"Cash flows\nNet cash provided | {first}\nPurchases of equipment | (1,577) | (1,373)"))
    assert [(each.text.split(" | ")[0], each.columns) for each in found] == [
        ("Net cash provided", None),
        ("Purchases of equipment", None),
    ]


async def test_quotations_are_exact_stretches_of_their_passage(settings: Settings) -> None:
    texts = {each.item_id: each.text for each in PASSAGES}
    found = await ask(settings, "How long are backups kept?", embeddings=Meanings())
    assert found.sentences[0].text == "Backups are kept for 35 days."
    assert all(texts[each.item_id][each.start : each.end] == each.text for each in found.sentences)


@pytest.mark.parametrize("question", ["Who won the football world cup in 1998?", "מי זכה בגביע העולם בכדורגל ב-1998?"])
@pytest.mark.parametrize("embeddings", [None, Meanings()])
async def test_an_unrelated_question_gets_no_answer(
    settings: Settings, question: str, embeddings: Meanings | None
) -> None:
    assert (await ask(settings, question, embeddings=embeddings)).abstained


async def test_without_passages_there_is_no_answer(settings: Settings) -> None:
    found = await ask(settings, "How much is the monthly fee?", passages=[])
    assert found.abstained
    assert found.sentences == []


async def test_few_sentences_are_embedded(settings: Settings) -> None:
    embeddings = Meanings()
    passages = [AnswerPassage(n, f"item{n}", CONTRACT, score=1 / n) for n in range(1, 12)]
    await ask(settings, "How much is the monthly fee?", passages, embeddings)
    assert 0 < len(embeddings.embedded) <= 24


@pytest.mark.parametrize(("batches", "said"), [(1, "of"), (0, "keyword only")])
async def test_meanings_left_out_for_time_are_said_and_the_rest_is_used(
    settings: Settings, batches: int, said: str
) -> None:
    found = await ask(settings, "How much is the monthly fee?", embeddings=Meanings(batches), seconds=0.5)
    assert found.skipped is not None
    assert said in found.skipped.en
    assert any("EUR 12,400" in each.text for each in found.sentences)


async def test_a_failing_model_leaves_words(settings: Settings) -> None:
    class Failing(Meanings):
        async def embed_query(self, text: str) -> NDArray[np.float32]:
            raise RuntimeError("no model")

    found = await ask(settings, "How much is the monthly fee?", embeddings=Failing())
    assert found.skipped is not None
    assert any("EUR 12,400" in each.text for each in found.sentences)


async def test_words_of_the_title_do_not_choose_the_sentence(settings: Settings) -> None:
    text = "The travel policy of 2025 is a policy for travel.\n\nA night in Israel is reimbursed up to ILS 560."
    passage = AnswerPassage(1, "policy", text, title="Travel policy 2025")
    question = "How much is a night in Israel under the travel policy of 2025?"
    assert "560" in (await ask(settings, question, [passage])).sentences[0].text


async def test_overlapping_passages_are_quoted_once(settings: Settings) -> None:
    later = CONTRACT[CONTRACT.index("2. Fees") :]
    passages = [AnswerPassage(1, "first", CONTRACT, score=0.9), AnswerPassage(1, "second", later, score=0.8)]
    quoted = [each.text for each in (await ask(settings, "How much is the monthly fee?", passages)).sentences]
    assert len(quoted) == len(set(quoted))


async def test_the_limit_counts_sentences(settings: Settings) -> None:
    question = "How many days of notice, of receipt and of backups are there?"
    counts = [len((await ask(settings, question, [PASSAGES[0]], limit=limit)).sentences) for limit in (1, 2, 3)]
    assert counts == [1, 2, 3]


class Translations(Meanings):
    """Gives one Hebrew question and one English sentence a cosine of ``close``."""

    def __init__(self, close: float) -> None:
        super().__init__()
        self.close = close

    def _vector(self, text: str) -> NDArray[np.float32]:
        axis = {"גיבויים": (1.0, 0.0), "Backups": (self.close, (1 - self.close**2) ** 0.5)}
        vector = np.zeros(256, dtype=np.float32)
        vector[:2] = next((place for word, place in axis.items() if word in text), (0.0, 1.0))
        return vector


@pytest.mark.parametrize(("close", "abstained"), [(0.3, False), (0.1, True)])
async def test_a_question_in_the_other_language_is_answered_by_meaning(
    settings: Settings, close: float, abstained: bool
) -> None:
    found = await ask(settings, "כמה זמן נשמרים גיבויים?", embeddings=Translations(close))
    assert found.sentences[0].text == "Backups are kept for 35 days."
    assert found.abstained == abstained


async def test_a_sentence_without_what_is_asked_for_is_trusted_less(settings: Settings) -> None:
    question = "How much is the parking fee?"
    texts = ("The parking fee is EUR 12.", "The parking fee is low.")
    sure, unsure = [await ask(settings, question, [AnswerPassage(1, "it", text)]) for text in texts]
    assert sure.confidence > unsure.confidence


def test_headings_titles_dates_and_questions_are_not_quotable() -> None:
    quoted = [each.text for each in quotables(CONTRACT, ("Master Services Agreement",))]
    assert quoted[0].startswith("1.1 This agreement")
    for line in ("Master Services Agreement", "14 March 2024", "2. Fees and payment", "4. Data"):
        assert line not in quoted
    assert list(quotables("# The heading of it all\n\nWho may work from home?")) == []


@pytest.mark.parametrize("mark", ["- ", "* ", "\u2022 ", "3. ", "12) "])
def test_the_mark_of_a_list_item_is_not_quoted(mark: str) -> None:
    assert [each.text for each in quotables(f"{mark}Backups are kept for 35 days.")] == [
        "Backups are kept for 35 days."
    ]


@given(st.text(alphabet="ab .|\n-#1?:א\t", max_size=120))
def test_any_text_gives_exact_stretches(text: str) -> None:
    for each in quotables(text):
        assert each.text == text[each.start : each.end]


LINE = st.sampled_from(
    [*CONTRACT.splitlines(), *BUDGET.splitlines(), *POLICY.splitlines(), "כמה זמן נשמרים גיבויים?", ""]
)


@given(st.lists(st.lists(LINE, max_size=6).map("\n".join), max_size=3), st.integers(1, 4))
def test_any_passages_give_exact_stretches_each_once(texts: list[str], limit: int) -> None:
    passages = [AnswerPassage(place, str(place), text) for place, text in enumerate(texts)]
    question = "How many days of notice end the agreement, and how long are backups kept?"
    quoted = asyncio.run(ask(Settings(_env_file=None), question, passages, limit=limit)).sentences  # type: ignore[call-arg]
    assert all(each.text == texts[each.number][each.start : each.end] for each in quoted)
    assert len({each.text for each in quoted if " | " not in each.text}) == sum(" | " not in q.text for q in quoted)


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("How many meters failed?", "37 meters failed.", "Some meters failed."),
        ("How many of the 800 meters failed?", "Of 800 meters two failed.", "The 800 meters failed."),
        ("When was it signed?", "It was signed in May.", "It was signed by both."),
        ("Who signed it?", "It was signed by Noga Sharvit.", "It was signed in haste."),
        ("How long does it last?", "It lasts two days.", "It lasts a while."),
        ("כמה מונים התקלקלו?", "שלושה מונים התקלקלו.", "המונים התקלקלו."),
        ("מתי נחתם החוזה?", "החוזה נחתם ב-3 במרץ.", "החוזה נחתם במשרד."),
    ],
)
def test_what_a_question_expects(question: str, holds: str, lacks: str) -> None:
    expectation = Expectation(question)
    assert expectation.met(holds) > expectation.met(lacks)
    assert expectation.missed(holds) < expectation.missed(lacks)


def test_a_question_may_ask_for_nothing_particular() -> None:
    expectation = Expectation("What does the policy say about interns?")
    assert (expectation.met("Interns may not."), expectation.missed("Interns may not.")) == (0.0, 0.0)


async def test_what_failed_before_is_quoted_later_and_changes_nothing_of_whether_there_is_an_answer(
    settings: Settings,
) -> None:
    def noted(outcomes: float) -> list[AnswerPassage]:
        return [
            AnswerPassage(1, "likely", "The printer is restarted by its switch.", score=0.9, outcomes=outcomes),
            AnswerPassage(2, "other", "A printer that stops is restarted with a new roll.", score=0.8),
        ]

    quoting = ExtractiveAnswerer(None, settings)
    question = "How is the printer restarted by its switch?"
    plain, taught = [await quoting.answer(question, "en", noted(each), 2, Deadline(5)) for each in (1.0, 0.2)]
    assert [each.item_id for each in plain.sentences] == ["likely", "other"]
    assert [each.item_id for each in taught.sentences] == ["other", "likely"]
    assert not taught.abstained
    assert taught.confidence == plain.confidence


async def test_what_answered_this_very_question_is_quoted_first_and_what_failed_it_last(settings: Settings) -> None:
    def noted(likely: int, other: int) -> list[AnswerPassage]:
        return [
            AnswerPassage(1, "likely", "The printer is restarted by its switch.", score=0.9, precedence=likely),
            AnswerPassage(2, "other", "A roll of paper is changed at the back.", score=0.1, precedence=other),
        ]

    quoting = ExtractiveAnswerer(None, settings)
    question = "How is the printer restarted by its switch?"

    async def said(likely: int, other: int) -> ExtractiveAnswer:
        return await quoting.answer(question, "en", noted(likely, other), Spread(2, of_passage=1), Deadline(5))

    answered = await said(0, 1)
    assert [each.item_id for each in answered.sentences] == ["other", "likely"]
    assert not (await said(-1, 1)).abstained
    failed = await said(-1, 0)
    assert [each.item_id for each in failed.sentences] == ["other", "likely"]
    assert failed.abstained, "what failed makes nobody sure of what is left"


async def test_each_source_speaks_for_itself_where_that_is_wished_for(settings: Settings) -> None:
    other = AnswerPassage(
        2, "other", CONTRACT.replace("30 days", "45 days"), "Second agreement", "second.pdf", score=0.1
    )
    passages = [AnswerPassage(1, "contract", CONTRACT, "Master Services Agreement", "msa.pdf", score=1.0), other]
    found = await ExtractiveAnswerer(Meanings(), settings).answer(
        "Within how many days are invoices paid?", "en", passages, Spread(4, of_source=2), Deadline(5.0)
    )
    numbers = [each.number for each in found.sentences]
    assert sorted(set(numbers)) == [1, 2]
    assert max(map(numbers.count, numbers)) <= 2
    assert any("45 days" in each.text for each in found.sentences)


async def test_one_sentence_of_each_passage_is_there_however_little_it_answers(settings: Settings) -> None:
    found = await ExtractiveAnswerer(None, settings).answer(
        "Who won the football world cup?", "en", PASSAGES, Spread(3, of_passage=1), Deadline(5.0)
    )
    assert {each.item_id for each in found.sentences} == {each.item_id for each in PASSAGES}
    assert found.abstained
