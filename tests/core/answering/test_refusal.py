"""Tests the reply when no passage answers the question."""

from __future__ import annotations

import pytest

from core.answering.refusal import refusal, searched
from core.search.documents.coverage import SearchCoverage


def test_everything_that_was_searched_is_counted() -> None:
    said = refusal(SearchCoverage(documents=12, of=12), shown=True)
    assert said.en == (
        "I searched all 12 documents and found no passage that answers this. Try different words, or type @ "
        "and the name of a document."
    )
    assert said.he.startswith("חיפשתי בכל 12 המסמכים ולא מצאתי קטע שעונה על השאלה.")


@pytest.mark.parametrize(
    ("reach", "english", "hebrew"),
    [
        (SearchCoverage(documents=3, of=20, organisations=["Acme"]), "3 documents of Acme", "ב־3 מסמכים של Acme"),
        (
            SearchCoverage(documents=2, of=20, organisations=["Acme", "Globex"], periods=["2022"]),
            "2 documents of Acme and Globex for 2022",
            "ב־2 מסמכים של Acme ו־Globex לתקופה 2022",
        ),
        (SearchCoverage(documents=1, of=20, titles={"d": "Travel policy"}), "“Travel policy”", "ב„Travel policy”"),
        (SearchCoverage(documents=1, of=1), "your one document", "במסמך היחיד שלכם"),
        (SearchCoverage(documents=0, of=0), "your documents", "במסמכים שלכם"),
    ],
)
def test_what_bound_the_search_is_told(reach: SearchCoverage, english: str, hebrew: str) -> None:
    assert (searched(reach).en, searched(reach).he) == (english, hebrew)


def test_a_bound_search_offers_the_wider_one() -> None:
    said = refusal(SearchCoverage(documents=3, of=20, organisations=["Acme"]), shown=False)
    assert said.en.endswith("leave out the name to search everything.")


def test_while_documents_are_read_nothing_is_said_of_the_rest() -> None:
    said = refusal(SearchCoverage(documents=2, of=2), shown=False, awaited=True)
    assert said.en == (
        "I searched what has been read so far and found no passage that answers this. "
        "The answer will follow here when all documents have been read."
    )


def test_pages_of_the_web_are_told_beside_the_documents() -> None:
    assert (
        "all 2 documents and the pages from the web search and found"
        in refusal(SearchCoverage(documents=2, of=2), shown=False, web=True).en
    )


def test_an_empty_library_says_what_to_do() -> None:
    assert refusal(SearchCoverage(), shown=False).en.startswith("You have no documents to search yet.")
