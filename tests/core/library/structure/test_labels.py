from __future__ import annotations

import pytest

from core.library.structure.labels import label_of


@pytest.mark.parametrize(
    ("text", "scheme", "number", "title"),
    [
        ("Item 7A. Quantitative Disclosures", "chapter", (7, 1), "Quantitative Disclosures"),
        ("PART II — OTHER INFORMATION", "part", (2,), "OTHER INFORMATION"),
        ("Note 12 – Leases", "section", (12,), "Leases"),
        ("ARTICLE IV OFFICES", "chapter", (4,), "OFFICES"),
        ("Article 3", "chapter", (3,), ""),
        ("5.1 Term", "decimal", (5, 1), "Term"),
        ("5. Expenses", "decimal", (5,), "Expenses"),
        ("1) Scope", "decimal", (1,), "Scope"),
        ("(a) Exhibits", "paren", (1,), "Exhibits"),
        ("§ 4 Fees", "section", (4,), "Fees"),
        ("Exhibit 99.1", "annex", (99, 1), ""),
        ("סעיף 4.2 - ריבית", "section", (4, 2), "ריבית"),
        ("פרק ב' - כללי", "chapter", (2,), "כללי"),
        ("נספח א'", "annex", (1,), ""),
        ("א. הנחיות", "letter", (1,), "הנחיות"),
    ],
)
def test_what_a_heading_begins_with(text: str, scheme: str, number: tuple[int, ...], title: str) -> None:
    label = label_of(text)
    assert label is not None
    assert (label.scheme, label.number, text[label.end :]) == (scheme, number, title)


@pytest.mark.parametrize(
    "text",
    ["Section 13 or 15(d) of the Act", "Part of the plan", "Note that we", "Items affecting", "2023 was a year",
     "3M Company", "Part A deals with", "Chapter 11 cases", "10-K report"],
)  # fmt: skip
def test_words_and_numbers_of_a_sentence_are_no_label(text: str) -> None:
    assert label_of(text) is None


def test_a_number_is_within_the_one_it_begins_with() -> None:
    inner, outer, other = label_of("5.1 Term"), label_of("5. Duration"), label_of("4. Price")
    article = label_of("Article 5")
    assert inner
    assert outer
    assert other
    assert article
    assert inner.is_within(outer)
    assert inner.is_within(article)
    assert not inner.is_within(other)
    assert not outer.is_within(inner)
