from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.language.detection import detect
from core.language.languages import text_language
from core.language.normalisation import fold
from core.language.terms import content_terms, covers, index_terms, query_terms, stem


def meet(document: str, question: str) -> set[str]:
    """Returns the search terms that ``question`` and ``document`` have in common."""
    return set(index_terms(document, detect(document))) & set(query_terms(question, detect(question)))


def test_english_words_are_stemmed_and_counted() -> None:
    assert index_terms("The report reports on Wagner's reporting.", "en") == ["report", "report", "wagner", "report"]


@pytest.mark.parametrize(
    ("identifier", "terms"),
    [
        ("getUserName", {"getusernam", "user", "name"}),
        ("snake_case_word", {"snake_case_word", "snake", "case", "word"}),
        ("HTTPServer2", {"httpserver2", "http", "server", "2"}),
        ("utf8", {"utf8", "utf", "8"}),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(identifier: str, terms: set[str]) -> None:
    assert set(index_terms(identifier, "en")) == terms


def test_hebrew_is_found_by_four_characters_across_spaces() -> None:
    assert index_terms("שלום עולם", "he") == ["# שלו", "#שלום", "#לום ", "#ום ע", "#ם עו", "# עול", "#עולם", "#ולם "]
    assert index_terms("שָׁלוֹם, עוֹלָם!", "he") == index_terms("שלום עולם", "he")


@pytest.mark.parametrize(
    ("document", "question", "common"),
    [
        ("公司共有员工312人。", "公司有多少员工？", {"公司", "员工"}),
        ("従業員は312人です。", "従業員は何人いますか？", {"従業", "業員"}),
        ("K120,特殊品,360,至急", "特殊品", {"特殊", "殊品"}),
        ("الموظفون في مصنع أولم كثيرون", "من هم موظفو المصنع؟", {"~موظف", "~مصنع"}),
        ("Die Verträge mit der Firma Müller sind alt.", "Was ist der Vertrag mit Mueller?", {"~vertrag", "mueller"}),
        ("L'usine de la société est fermée.", "Quelle est la taille des usines ?", {"~usin"}),
        ("Завод закрыт из-за паводка", "Какие заводы закрыли?", {"~завод", "~закр"}),
    ],
)
def test_other_languages_meet_in_their_own_terms(document: str, question: str, common: set[str]) -> None:
    assert common <= meet(document, question)


def test_terms_of_english_and_hebrew_are_their_own_alone() -> None:
    text = "Müller sold the Zürich plant to São Paulo's de la Cruz in 2023"
    assert not [term for term in index_terms(text, "en") if term.startswith("~")]
    assert index_terms(text, "en")[:2] == ["muller", "sold"]
    assert "mueller" not in index_terms(text, "en")


def test_question_words_do_not_search() -> None:
    assert query_terms("מה התקציב?", "he") == query_terms("התקציב", "he")
    assert query_terms("מה זה", "he")
    assert query_terms("what is the budget", "en") == query_terms("budget", "en")


@pytest.mark.parametrize(
    ("document", "question"),
    [
        ("דוח של Gernot Wagner על פחמן", "What did Wagner write?"),
        ("הוצאנו 1,500 שקל בשנת 2023", "Who spent 1500?"),
        ("Gernot Wagner wrote this.", "מה כתב Wagner?"),
        ("The budget of 2023 was 1,500,000.", "מה התקציב בשנת 2023?"),
        ("The word for peace, as everybody who has been there knows, is שלום", "מה פירוש שלום?"),
        ("השימוש בAPI של Google", "the API"),
        ("Müller came", "muller"),
    ],
)
def test_names_and_numbers_are_found_across_languages(document: str, question: str) -> None:
    assert meet(document, question)


def test_an_english_stem_is_not_a_hebrew_gram() -> None:
    assert not {term for term in index_terms("data in data", "en") if term.startswith(("#", "@"))}
    assert all(term.startswith(("#", "@")) for term in index_terms("נתונים data", "he"))


@given(st.text(max_size=60))
def test_a_text_is_found_by_itself(text: str) -> None:
    assume(text_language(text) in ("en", "he", "other"))  # function words of other languages are not search terms
    assert set(index_terms(text, "en")) <= set(query_terms(text, "en"))
    assert bool(index_terms(text, "he")) == bool(query_terms(text, "he"))


def test_content_terms() -> None:
    question = "What do Gernot Wagner's documents say about carbon pricing in the EU? מה אומר המסמך על תמחור?"
    assert content_terms(question) == ["gernot", "wagner", "carbon", "pricing", "אומר", "תמחור"]
    assert content_terms("What is it? מה זה?") == []
    assert content_terms("budget Budget BUDGET") == ["budget"]
    assert content_terms("Wer ist die Geschäftsführerin?") == ["geschäftsführerin"]
    assert content_terms("公司有多少员工？") == ["公司", "员工"]
    assert content_terms("Combien de salariés ont travaillé à l'usine ?") == ["salariés", "travaillé", "usine"]


@pytest.mark.parametrize(
    ("term", "text", "expected"),
    [
        ("pricing", "The price of carbon", True),
        ("wagner", "Wagner's law", True),
        ("cat", "concatenate", False),
        ("תלמיד", "לתלמידים ולמורים", True),
        ("תקציב", "בתקציב המדינה", True),
        ("תקציב", "תקרה", False),
        ("2023", "in 2023.", True),
        ("员工", "公司共有员工312人。", True),
        ("заводы", "Завод закрыт в марте", True),
        ("usines", "L'usine est fermée depuis la fin de l'année", True),
        ("שלום", "שָׁלוֹם רב", True),
    ],
)
def test_covers(term: str, text: str, expected: bool) -> None:
    assert covers(term, fold(text)) is expected


def test_stem_leaves_other_scripts() -> None:
    assert (stem("running"), stem("כלכלה"), stem("2023s")) == ("run", "כלכלה", "2023s")
