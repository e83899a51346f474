from __future__ import annotations

import pytest

from core.library.description.description import describe, readable
from core.library.description.keywords import keywords
from core.library.description.mentions import citations, dates
from core.library.extracted import Block, Extracted
from core.library.records import Metadata

LEASE = """הסכם שכירות

הנדון: שכירות דירה ברחוב הרצל 5, חיפה

שנערך ונחתם ביום 5 בינואר 2024 בין המשכיר לבין השוכר.

הואיל והמשכיר הוא בעל הדירה, והואיל והשוכר מעוניין לשכור אותה, לפיכך הוסכם בין הצדדים כדלקמן: חוק השכירות והשאילה,
התשל"א-1971 יחול על הסכם זה. ראו ע"א 123/45. תאריך הסיום הוא 31.12.2024."""

TRIAL = """# Aspirin after Surgery

By: Ada Lovelace

## Abstract

Patients took a daily dose of aspirin after surgery. The treatment lowered mortality in the clinical trial. It is cheap.

## Methods

We followed 300 patients with a chronic disease for two years, as in Wagner et al. (2015). Each physician recorded the
symptoms and the diagnosis of the patients. The trial began on March 3, 2021 and ended in May 2022.

## References

Wagner, G. (2015). Aspirin and blood. doi: 10.1000/182."""


def described(text: str, filename: str = "file.txt", **known: str) -> Metadata:
    return describe(Extracted(blocks=[Block(text=text)], mime="text/plain", **known), filename)  # type: ignore[arg-type]


def test_a_hebrew_contract() -> None:
    found = described(LEASE)
    assert found.title == "הסכם שכירות"
    assert found.language == "he"
    assert found.classification == "legal"
    assert found.subject == "שכירות דירה ברחוב הרצל 5, חיפה"
    assert found.dates == ["2024-01-05", "2024-12-31"]
    assert 'ע"א 123/45' in found.citations
    assert any("התשל" in cited for cited in found.citations)
    assert "שכירות" in found.keywords_he
    assert found.keywords_en == []
    assert found.author is None


def test_an_english_trial() -> None:
    found = described(TRIAL)
    assert found.title == "Aspirin after Surgery"
    assert found.author == "Ada Lovelace"
    assert (found.language, found.classification) == ("en", "medical")
    assert found.dates == ["2021-03-03", "2022-05"]
    assert "Wagner et al. (2015)" in found.citations
    assert "Wagner, G. (2015). Aspirin and blood. doi: 10.1000/182." in found.citations
    assert found.summary is not None
    assert found.summary.startswith("Patients took a daily dose of aspirin after surgery.")
    assert "patients" in found.keywords_en


def test_the_subject_is_the_field_most_words_come_from() -> None:
    text = "The hospital hired a physician and a nurse. Vaccination in the clinic and the emergency room went on."
    assert described(text).subject == "Healthcare"
    assert described("בית החולים גייס רופאים. המרפאה ובתי המרקחת קיבלו תרופות וחיסונים.").subject == "בריאות"


def test_nothing_is_invented() -> None:
    found = described("Hello there.", "notes.txt")
    assert found == Metadata(title="Notes", language="en", keywords_en=["hello"])
    assert described("", "x.pdf") == Metadata(title="X", language="en")


def test_each_summary_sentence_is_in_the_document() -> None:
    summary = described(TRIAL.replace("## Abstract", "## Findings")).summary
    assert summary
    assert all(sentence in " ".join(TRIAL.split()) for sentence in summary.split(". "))


@pytest.mark.parametrize(
    ("own", "text", "filename", "title"),
    [
        ("Annual Report", "# Other", "a.pdf", "Annual Report"),
        ("Microsoft Word - draft.docx", "# Real Title\n\nText.", "a.pdf", "Real Title"),
        ("untitled", "only prose, nothing else.", "q3_budget-report.final.pdf", "Q3 budget report final"),
        ("", "## Introduction\n\nText.\n\n## Results of 2023\n\nText.", "a.pdf", "Results of 2023"),
        (" ", "מבוא\n\nטקסט רגיל ופשוט.", "דוח_שנתי-2023.docx", "דוח שנתי 2023"),
    ],
)
def test_title(own: str, text: str, filename: str, title: str) -> None:
    assert described(text, filename, title=own).title == title


@pytest.mark.parametrize(
    ("own", "text", "author"),
    [
        ("Grace Hopper", "By: Ada", "Grace Hopper"),
        ("Microsoft Office User", "Authors: Ada Lovelace and Alan Turing\n\nText.", "Ada Lovelace and Alan Turing"),
        ("", "מאת: רונית מטלון\n\nטקסט.", "רונית מטלון"),
        ("", "by the way of example", None),
    ],
)
def test_author(own: str, text: str, author: str | None) -> None:
    assert described(text, author=own).author == author


@pytest.mark.parametrize(
    ("filename", "title"),
    [("../up/my_file.tar.gz", "My file tar"), ("C:\\docs\\plan.docx", "Plan"), ("README", "README"), (".env", "Env")],
)
def test_readable(filename: str, title: str) -> None:
    assert readable(filename) == title


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2024-02-29 and 2024-02-30", ["2024-02-29"]),
        ("31/12/2023 or 12/31/2023", ["2023-12-31"]),
        ("3/4/2025", ["3/4/2025"]),
        ("5/5/2025", ["2025-05-05"]),
        ("5th of March 2020, Sept. 2019", ["2020-03-05", "2019-09"]),
        ("ב-5 במרץ 2020, בינואר 1999", ["2020-03-05", "1999-01"]),
        ("version 1.2.2024.3 costs 2024", []),
    ],
)
def test_dates(text: str, found: list[str]) -> None:
    assert dates(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see 10.1038/nature12373.", ["10.1038/nature12373"]),
        ("arXiv:2305.03393v1", ["arXiv:2305.03393v1"]),
        ("as in Roe v. Wade. She said", ["Roe v. Wade"]),
        ("WordStar (1978) was popular", []),
        ('בג"ץ 6821/93 קבע', ['בג"ץ 6821/93']),
    ],
)
def test_citations(text: str, found: list[str]) -> None:
    assert citations(text) == found


def test_keywords_prefer_pairs_and_leave_out_what_is_said_once() -> None:
    paragraphs = ["Carbon pricing works well in this city. Carbon pricing needs a tax. The tax is paid by people. " * 9]
    assert keywords(paragraphs, "en")[0] == "carbon pricing"
    assert keywords(["משרד הבריאות פרסם הנחיות. משרד הבריאות עדכן הנחיות."], "he")[0] == "משרד הבריאות"
    assert keywords([], "en") == []


@pytest.mark.parametrize(
    ("text", "language", "keywords", "summary"),
    [
        ("Der Vertrag mit der Firma Keller endet am 30. September 2027. Er ist der letzte.", "de",
         {"vertrag", "firma", "keller"}, "Der Vertrag mit der Firma Keller endet am 30. September 2027."),
        ("売上高は4830万ユーロでした。年末の従業員数は312人であり、前年より大きく増えています。", "ja",
         {"売上高", "従業員数", "年末"}, "年末の従業員数は312人であり、前年より大きく増えています。"),
    ],
)  # fmt: skip
def test_texts_in_other_languages(text: str, language: str, keywords: set[str], summary: str) -> None:
    found = described(text)
    assert found.language == language
    assert keywords <= set(found.keywords_en)
    assert not {"der", "mit", "ist"} & set(found.keywords_en)
    assert found.summary == summary
