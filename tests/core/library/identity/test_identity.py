from __future__ import annotations

import pytest

from core.library.extracted import Block, Extracted
from core.library.identity.identity import Identity, identify

TEN_K = """Table of Contents

UNITED STATES

SECURITIES AND EXCHANGE COMMISSION

Washington, D.C. 20549

FORM 10-K

For the fiscal year ended January 28, 2023

Commission file number 1-0001

NORTH HOLM STORES CO., INC.

(Exact name of registrant as specified in its charter)

Title of each class | Trading Symbol | Name of each exchange on which registered
Common Stock, par value $.10 per share | NHS | New York Stock Exchange

North Holm Stores Co., Inc. ("North Holm", "we" or the "Company") sells lamps. In fiscal {own} sales grew;
fiscal {before} was a weak year. Our fiscal {own} (the year ended January 28, 2023) had 52 weeks."""

RELEASE = """FOR IMMEDIATE RELEASE

Harrow Mills Reports Third Quarter Fiscal 2023 Results; Raises Outlook for 2024

OSLO, May 4, 2023 -- Harrow Mills, Inc. (NASDAQ: HRMW) today announced its results for the quarter ended March 31, 2023.
Net sales rose. Earnings per share were $1.10."""


def identified(text: str, filename: str = "a.txt", mime: str = "text/plain", **own: str) -> Identity:
    blocks = [Block(text=part) for part in text.split("\n\n")]
    return identify(Extracted(blocks=blocks, mime=mime, **own), filename)  # type: ignore[arg-type]


def test_a_filing_gets_its_title_made_of_what_its_form_says() -> None:
    found = identified(TEN_K.format(own="2023", before="2022"), title="0000012345-23-000007", mime="application/pdf")
    assert found.kind == "annual report"
    assert found.title == "North Holm Stores Co., Inc. · Annual report (Form 10-K) · FY2023"
    (company,) = found.organisations
    assert company.name == "North Holm Stores Co., Inc."
    assert {"North Holm Stores", "North Holm", "NHS"} <= set(company.aliases)
    assert found.periods[0].end == "2023-01-28"


@pytest.mark.parametrize(("own", "before", "names"), [("2022", "2021", {"2022", "2023"}), ("2023", "2022", {"2023"})])
def test_a_fiscal_year_is_called_as_its_company_calls_it(own: str, before: str, names: set[str]) -> None:
    (year,) = identified(TEN_K.format(own=own, before=before), "NORTHHOLM_2023_10K.pdf").periods
    assert year.key == own
    assert {name for name in year.names if name.isdigit()} == names
    assert f"fiscal {own}" in year.names


def test_the_filename_names_the_company_and_the_quarter() -> None:
    text = (
        "FORM 10-Q\n\nFor the quarterly period ended December 31, 2022\n\nNORTH HOLM PLC\n\n"
        "(Exact name of registrant as specified in its charter)\n\n"
        "Three and six months ended December 31, 2022. North Holm plc had a good quarter."
    )
    found = identified(text, "NORTHHOLM_2023Q2_10Q.pdf")
    assert found.kind == "quarterly report"
    assert found.organisations[0].name == "North Holm plc"
    assert "NORTHHOLM" in found.organisations[0].aliases
    (quarter,) = found.periods
    assert quarter.key == "2023-Q2"
    assert "2022-Q4" in quarter.names


def test_a_release_is_called_by_its_headline_and_covers_what_it_reports() -> None:
    found = identified(RELEASE)
    assert found.kind == "earnings release"
    assert found.title == "Harrow Mills Reports Third Quarter Fiscal 2023 Results; Raises Outlook for 2024"
    assert (found.organisations[0].name, found.date) == ("Harrow Mills, Inc.", "2023-05-04")
    assert "HRMW" in found.organisations[0].aliases
    assert [(each.key, each.end) for each in found.periods] == [("2023-Q3", "2023-03-31")]


@pytest.mark.parametrize("document", ["Bylaws", "Amended and Restated Articles of Association", "Code of Conduct"])
def test_what_governs_an_organisation_is_called_by_its_name_and_is_not_the_organisation(document: str) -> None:
    text = "The registered office is in Holm.\n\nMeetings are held once a year."
    found = identified(
        f"# {document} of North Holm Stores Corporation\n\n## Article 1 Offices\n\n{text}", mime="text/markdown"
    )
    assert found.organisations[0].name == "North Holm Stores Corporation"


def test_a_current_report_is_of_the_day_it_reports() -> None:
    text = (
        "FORM 8-K\n\nCURRENT REPORT\n\nDate of Report (Date of earliest event reported): July 1, 2022 "
        "(June 30, 2022)\n\nNORTH HOLM PLC\n\n(Exact name of registrant as specified in its charter)"
    )
    found = identified(text, "x_8K.pdf")
    assert (found.kind, found.date) == ("current report", "2022-07-01")
    assert found.title == "North Holm Plc · Current report (Form 8-K) · 2022-07-01".replace("Plc", "plc")
    assert found.periods[0].names == ["2022-07-01", "2022-06-30"]


@pytest.mark.parametrize(
    "line",
    ["UNITED STATES SECURITIES AND EXCHANGE COMMISSION", "FORM 10-K", "FOR IMMEDIATE RELEASE", "Table of Contents",
     "Microsoft Word - draft.docx", "0000012927-23-000007"],
)  # fmt: skip
def test_what_programs_and_forms_leave_there_is_no_title(line: str) -> None:
    title = identified(f"{line}\n\nSome prose follows here, and it goes on for a while.", title=line).title
    assert title != line


def test_the_word_of_a_name_that_is_a_common_word_is_no_alias() -> None:
    text = (
        "General Foundry Inc.\n\nSafety Policy\n\nEffective date: 1 May 2023\n\nThe general rules apply to all "
        "employees. General duties and general care. General Foundry Inc. is careful. General advice follows."
    )
    (company,) = identified(text, "general_policy.txt").organisations
    assert company.aliases == ["General Foundry"]


def test_the_parties_of_a_contract_are_in_its_title() -> None:
    text = (
        "SUPPLY AGREEMENT\n\nThis agreement is entered into as of 3 March 2022 by and between Alder Works Ltd., "
        'a company, and Birch & Sons GmbH ("Buyer").\n\nThe parties agree as follows.'
    )
    found = identified(text)
    assert found.kind == "contract"
    assert found.title == "Supply Agreement between Alder Works Ltd. and Birch & Sons GmbH"
    assert [each.name for each in found.organisations] == ["Alder Works Ltd.", "Birch & Sons GmbH"]
    assert [each.key for each in found.periods] == ["2022-03-03"]


def test_a_hebrew_contract_names_its_parties() -> None:
    found = identified('הסכם אספקה\n\nנערך ונחתם ביום 3.3.2022\n\nבין: אלון בע"מ (להלן: "הספק")\n\nלבין: ברוש בע"מ')
    assert found.kind == "contract"
    assert found.title == 'הסכם אספקה בין אלון בע"מ לבין ברוש בע"מ'
    assert found.date == "2022-03-03"


def test_nothing_is_said_of_a_text_that_says_nothing() -> None:
    found = identified("Hello there.")
    assert found == Identity(kind="other", title=None, organisations=[], periods=[], date=None)


def test_a_title_is_never_longer_than_a_line() -> None:
    title = identified("# " + "Very Long Words " * 20 + "\n\nText.").title
    assert title is None or len(title) <= 160


def test_a_document_of_no_kind_bears_no_day_that_its_sentences_name() -> None:
    told = "The ferries of Orsk\n\nThe first ferry left Orsk on 4 June 1931.\n\nMany people came to see it."
    assert identified(told).date is None
    assert identified(f"The ferries of Orsk\n\n4 June 1931\n\n{told[21:]}").date == "1931-06-04"


def test_a_contract_is_known_by_its_words_and_an_event_by_its_item() -> None:
    duties = (
        "Confidential information\n\nThe Receiving Party shall keep what it is given under this Agreement secret. "
        "Either party may end this Agreement. Nothing herein passes rights of the Disclosing Party."
    )
    assert identified(duties).kind == "contract"
    event = "Item 5.02 Departure of Directors\n\nOn 4 June 2031, Ada Holm left the board of Orsk Ferries."
    assert identified(event).kind == "current report"
