import pytest

from core.answering.prose.question import read_question


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How much was the rent in 2021?", "amount"),
        ("What percentage of sales went abroad?", "percent"),
        ("How many employees work in Porto?", "count"),
        ("When did the board approve the sale?", "date"),
        ("When is an asset considered impaired?", "condition"),
        ("How long is the remaining lease term?", "duration"),
        ("How much written notice must the tenant give?", "duration"),
        ("What notice ends the lease?", "duration"),
        ("How often are the estimates reviewed?", "frequency"),
        ("Who approved the sale?", "person"),
        ("Where are the shares listed?", "place"),
        ("Why did the gross margin fall in 2021?", "reason"),
        ("What drove the change in inventories?", "reason"),
        ("What does net working capital represent?", "definition"),
        ("What does the caption include?", "contents"),
        ("How is the recoverable amount determined?", "method"),
        ("Is the plan open to new members?", "yesno"),
        ("What was the depreciation expense in 2020?", "figure"),
    ],
)
def test_the_kind_of_an_english_question(text: str, kind: str) -> None:
    assert read_question(text, "en").main == kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('כמה אחוזים מההכנסות מגיעים מחו"ל?', "percent"),
        ("כמה עובדים מועסקים במפעל?", "count"),
        ("מתי הוקם המפעל?", "date"),
        ("באיזו שנה הוקם המפעל?", "date"),
        ("כמה זמן נמשכת השכירות?", "duration"),
        ("מה שכר הדירה החודשי?", "amount"),
        ("כמה משלמים על הניקיון?", "amount"),
        ("מי אישר את המכירה?", "person"),
        ("היכן נמצא המפעל?", "place"),
        ("מדוע ירד הרווח הגולמי?", "reason"),
        ("כיצד נקבע הסכום?", "method"),
        ("האם התוכנית פתוחה?", "yesno"),
    ],
)
def test_the_kind_of_a_hebrew_question(text: str, kind: str) -> None:
    assert read_question(text, "he").main == kind


def test_respectively_asks_for_one_figure_a_period() -> None:
    wanted = read_question("What was the depreciation expense in 2021 and 2019 respectively?", "en")
    assert wanted.several
    assert wanted.periods == ("2021", "2019")
    assert not read_question("What was the depreciation expense in 2021?", "en").several


def test_words_that_say_the_kind_weigh_less_than_words_of_the_matter() -> None:
    weights = {term.text: term.weight for term in read_question("What is the total amount of freight?", "en").terms}
    assert weights["amount"] < weights["freight"]


def test_words_that_ask_are_no_words_of_what_is_asked_about() -> None:
    assert [term.text for term in read_question("באיזו שנה נוסדה החברה?", "he").terms if "איזו" in term.text] == []
    assert [term.text for term in read_question("למי נמסר המפעל?", "he").terms] == ["נמסר", "המפעל"]
