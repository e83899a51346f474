from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.sentences import split_sentences


def cut(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        [
            "Dr. Smith paid $3.14 to Acme Inc. in 2020.",
            '"Really?" he asked.',
            "See No. 5 and Fig. 2, e.g. the left one.",
        ],
        ["He works at Acme Inc.", "She does not."],
        ["On May 4, 2020, Acme, Inc. (the “Company”) met Bolt Pty. Ltd. (“Bolt”) at 3 p.m. (local time).", "It won."],
        ["They met at 5 p.m. on Monday.", "J. R. R. Tolkien came too!", "Why?"],
        ["It ended.[12]", "(It began earlier.)", "“So it goes.”", "Next."],
        ["Version 2.0.1 is out...", "Get it at example.com today."],
        ['חברת אלפא בע"מ נוסדה ב-1990.', "ד\"ר כהן כתב בעמ' 5.", "פרופ' לוי השיב: למה לא?", "זהו!"],
        ['הוא אמר: "די."', "והלך."],
        ['המחיר 3.5 ש"ח.', "It costs more in English."],
    ],
)
def test_sentences_of_running_text(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    ("between", "sentences"),
    [
        (" ", ["Der Vertrag mit Keller endet am 30. September 2027.", "Chefin ist seit dem 1. Juli Klara Vogel.",
               "Der Umsatz stieg z. B. im 2. Quartal um 3,5 Mio. Euro.", "Herr Dr. Weber sah gem. Art. 5 Abs. 2 nach.",
               "König Ludwig XIV. baute in der Hauptstr. 5 usw. viel.", "Am Ende waren es 48.", "Die Zahl war 41."]),
        (" ", ["M. Dupont et Mme Roy dirigent la société depuis le 1er mai.", "Voir l'art. 5 et la p. 12.",
               "Est-ce vrai ?", "Elle a dit : « Nous partons. »", "Il est resté."]),
        (" ", ["El Sr. García y la Dra. Ruiz firmaron el art. 5.", "¿Cuándo vence?", "La empresa S.A. no es de aquí."]),
        (" ", ["Il Dott. Verdi e l'ing. Neri vedono l'art. 5 a pag. 12.", "La Alfa S.p.A. non è a Roma.", "Chi è?"]),
        (" ", ["A Sra. Costa e o Dr. Lima viram o art. 5 na pág. 12.", "Quem é?", "A Av. Central está fechada."]),
        (" ", ["Dhr. Jansen en mevr. De Vries zagen art. 5 op blz. 12.", "Dat is d.w.z. het einde.",
               "De B.V. is dicht."]),
        (" ", ["Завод в г. Казань закрыт в марте 2025 г. из-за паводка.", "Директор — И. И. Петров.",
               "Цена 5 млн. руб. за шт.", "В 2024 г. было иначе."]),
        (" ", ["المدير العام هو د. أحمد علي منذ يوليو 2023.", "متى ينتهي العقد؟", "انظر ص. 12 من التقرير."]),
        ("", ["公司共有员工312人。", "合同何时到期？", "他说：“我们明天出发。”", "收入增长3.5%！"]),
        ("", ["従業員は312人です。", "彼は「明日行きます。」と言った。", "契約はいつ終わりますか？"]),
    ],
    ids=["de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja"],
)  # fmt: skip
def test_sentences_of_other_languages(between: str, sentences: list[str]) -> None:
    assert cut(between.join(sentences)) == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("- one thing\n- another thing\n", ["- one thing", "- another thing"]),
        ("1. First. It matters.\n2. Second", ["1. First.", "It matters.", "2. Second"]),
        ("• ראשון\n• שני", ["• ראשון", "• שני"]),
        ("name | sum\nAda | 5. Or 6.\nBob | 7", ["name | sum", "Ada | 5. Or 6.", "Bob | 7"]),
        ("# Heading\nText follows here.", ["# Heading", "Text follows here."]),
        ("A title\n\nA paragraph without an end\n\nAnother", ["A title", "A paragraph without an end", "Another"]),
        ("This line was wrapped by the width of a page and\ngoes on here. End.",
         ["This line was wrapped by the width of a page and\ngoes on here.", "End."]),
        ("", []),
        (" \n ", []),
    ],
)  # fmt: skip
def test_lines(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


@pytest.mark.parametrize("unit", ["A v. ", "a. ", "1. ", "...", "x\n", "a | ", "?! "])
def test_time_grows_with_length(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.perf_counter()
    assert "".join(sentence.text for sentence in split_sentences(text))
    assert time.perf_counter() - started < 5  # with quadratic scanning this would take minutes


@given(st.text(alphabet="ab A.?!\n\t |-•1)\"'א׳[]", max_size=120))
def test_offsets_cover_all_but_whitespace(text: str) -> None:
    sentences = split_sentences(text)
    assert all(text[sentence.start : sentence.end] == sentence.text == sentence.text.strip() for sentence in sentences)
    assert "".join("".join(sentence.text for sentence in sentences).split()) == "".join(text.split())
    ends = [0, *(place for sentence in sentences for place in (sentence.start, sentence.end))]
    assert ends == sorted(ends)
