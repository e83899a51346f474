from __future__ import annotations

import pytest

from core.library.extracted import Block, Extracted
from core.library.identity.identity import Identity, identify

PDF = "application/pdf"


def identified(text: str, filename: str = "a.pdf", mime: str = PDF, **own: str) -> Identity:
    blocks = [Block(text=part, page=1) for part in text.split("\n\n")]
    return identify(Extracted(blocks=blocks, mime=mime, **own), filename)  # type: ignore[arg-type]


def names(text: str, filename: str = "a.pdf", **own: str) -> list[str]:
    return [each.name for each in identified(text, filename, **own).organisations]


def test_who_set_a_file_is_not_whose_it_is() -> None:
    text = "Notes on harbours\n\nThe harbours are deep."
    assert names(text, author="Turn-Key Systems Pty Ltd") == []
    assert names(f"{text} Turn-Key Systems made them.", author="Turn-Key Systems Pty Ltd") == [
        "Turn-Key Systems Pty Ltd"
    ]


def test_a_word_of_forms_is_no_organisation() -> None:
    text = "ANNUAL REPORT 2023\n\nAt Northwind we do. Northwind grows. Northwind, Northwind Corporation sells lamps."
    (company,) = identified(text, "NORTHWIND_2023_10K.pdf").organisations
    assert company.name == "Northwind Corporation"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Notes on boats\n\nBoats float. © 2021 Harbour Trust. All rights reserved.", "Harbour Trust"),
        ("Notes on boats\n\nBoats float. Picture © 2021 Ann Lee", None),
        ("Boats\n\nBest Boats builds. Best Boats sells; ask Best Boats at www.bestboats.com", "Best Boats"),
        ("Boats\n\nWe had best boats. Best Boats, Best Boats, Best Boats, www.bestboats.com", None),
        ("THE DOT PLAN\n\nThe Department of Transport (DOT) plans roads.", "Department of Transport"),
        ("议事\n\n青山电气股份有限公司 2018 年第一季度报告", "青山电气股份有限公司"),
        ("TOWN OF ELMFORD\n\nThe trees were counted.", "Town of Elmford"),
    ],
)
def test_a_name_in_one_place_is_confirmed_by_another(text: str, found: str | None) -> None:
    assert names(text) == ([found] if found else [])


def test_a_paper_is_of_the_institutions_below_its_authors() -> None:
    text = (
        "Graphs of boats\n\nAnn Lee1, Bo Ray2\n\nElm University1, Institute of Harbours2\n\nAbstract\n\n"
        "Keywords: boats. Introduction. We present boats, see the proceedings of the conference on boats."
    )
    assert names(text) == ["Elm University", "Institute of Harbours"]


def test_acronyms_and_short_names_are_aliases() -> None:
    (department,) = identified("Department of Transport\n\nThe Department of Transport (DOT) plans.").organisations
    assert "DOT" in department.aliases
    (company,) = identified("Prentice & Grover Inc.\n\nSoap is made.").organisations
    assert {"Prentice & Grover", "P&G"} <= set(company.aliases)


def test_what_was_told_from_little_is_unsure() -> None:
    assert "organisations" in identified("Boats\n\nBest Boats builds. Best Boats, Best Boats. www.bestboats.com").unsure
    assert "organisations" not in identified("Best Boats Ltd.\n\nBoats are built.").unsure
