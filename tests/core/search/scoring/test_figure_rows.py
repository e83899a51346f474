from core.language.fields import sought_figures
from core.search.scoring.figure_rows import IMPLIED, ROWS, STATEMENT, figures_share
from core.search.scoring.row_labels import labels_of, plain

CASH_FLOWS = """Consolidated cash flows (millions) | 2031 | 2030
Net cash provided by operating activities | 640 | 610
Purchases of property, plant and equipment (PP&E) | (157) | (137)
Net cash used in investing activities | (222) | (308)
Dividends paid to shareholders | (30) | (28)
Net cash used in financing activities | (90) | (80)
Depreciation and amortization | 148 | 144
Cash and cash equivalents at end of year | 310 | 290"""


def test_a_label_is_what_stands_before_the_figures_of_a_row() -> None:
    labels = labels_of("Net sales | $ 1,200 | 1,100\nWithout figures here\nTotal assets ... 12,000")
    assert {"net", plain("net sales"), plain("total assets")} <= labels
    assert not any("without" in label for label in labels)


def test_parents_of_a_row_are_labels_too() -> None:
    assert {plain("Americas"), plain("Net sales")} <= labels_of("Americas › Net sales | 12")


def test_labels_are_compared_by_stems() -> None:
    assert plain("Inventories") == plain("inventory")


def test_the_statement_that_is_asked_for_and_prints_the_row_says_most() -> None:
    asked = sought_figures("What was the capital expenditure?", "Use the cash flow statement.")
    assert figures_share(asked, labels_of(CASH_FLOWS)) == ROWS + STATEMENT


def test_a_statement_that_is_only_implied_says_less() -> None:
    asked = sought_figures("What was the capex?")
    assert figures_share(asked, labels_of(CASH_FLOWS)) == ROWS + STATEMENT * IMPLIED


def test_running_text_and_questions_without_figures_have_no_share() -> None:
    asked = sought_figures("What was the capital expenditure?")
    assert figures_share(asked, labels_of("We spent more on property, plant and equipment.")) == 0
    assert figures_share(sought_figures("Who signed the lease?"), labels_of(CASH_FLOWS)) == 0


def test_a_ratio_seeks_what_it_is_made_of() -> None:
    asked = sought_figures("What is the quick ratio?")
    assert {"current liabilities", "inventories", "receivables"} <= set(asked.figures)
    assert asked.implied == ["balance sheet"]


def test_a_figure_is_sought_in_hebrew_too() -> None:
    assert "net income" in sought_figures("מה היה הרווח הנקי בשנת 2031?").figures
