from __future__ import annotations

import pytest

from core.knowledge.catalogue import Catalogue
from core.knowledge.extraction.patterns import Span
from core.knowledge.records import EntityKind


def span(key: str, kind: EntityKind = "person", label: str = "") -> Span:
    return Span(0, 1, kind, label or key.title(), key)


def same(one: str, other: str, kind: EntityKind) -> bool:
    catalogue = Catalogue("ada")
    first, _ = catalogue.resolve(span(one, kind))
    second, _ = catalogue.resolve(span(other, kind))
    return first == second


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("dana levi", "dana levy", "person"),
        ("דנה כהן", "דנה כוהן", "person"),
        ("northwind logistics", "northwind logistic", "organisation"),
        ("security organisation", "security organization", "term"),
    ],
)
def test_spellings_of_one_thing_are_one(one: str, other: str, kind: EntityKind) -> None:
    assert same(one, other, kind)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("dana levi", "dina levi", "person"),
        ("john smith", "joan smith", "person"),
        ("dana levi", "dana cohen", "person"),
        ("דנה לוי", "דינה לוי", "person"),
        ("building site 12", "building site 13", "term"),
        ("east bank", "west bank", "organisation"),
        ("inv-2001", "inv-2002", "identifier"),
        ("2024-03-03", "2024-03-04", "date"),
        ("eur 500.00", "eur 501.00", "sum"),
    ],
)
def test_different_things_stay_apart(one: str, other: str, kind: EntityKind) -> None:
    assert not same(one, other, kind)


def test_a_spelling_is_kept_once_and_survives_a_restart() -> None:
    catalogue = Catalogue("ada")
    first, fresh = catalogue.resolve(span("dana levi"))
    _, changed = catalogue.resolve(span("dana levy"))
    _, again = catalogue.resolve(span("dana levy"))
    assert fresh is not None
    assert changed is not None
    assert again is None
    assert (changed.keys, changed.aliases) == (["dana levi", "dana levy"], ["Dana Levy"])
    reopened = Catalogue("ada", catalogue.rows.values())
    assert reopened.known("dana levy") == first


def test_what_was_a_term_becomes_the_name_that_it_turns_out_to_be() -> None:
    catalogue = Catalogue("ada")
    first, _ = catalogue.resolve(span("kestrel", "term", "kestrel"))
    second, row = catalogue.resolve(span("kestrel", "organisation", "Kestrel"))
    assert first == second
    assert row is not None
    assert (row.kind, row.label, row.aliases) == ("organisation", "Kestrel", ["kestrel"])


def test_a_name_is_shown_in_the_singular_and_not_in_capitals() -> None:
    catalogue = Catalogue("ada")
    for label in ("RESERVE PLANS", "Reserve Plans", "Reserve Plan", "Reserve Plan's"):
        catalogue.resolve(Span(0, 1, "term", label, "defined reserv plan"))
    (row,) = catalogue.rows.values()
    assert row.label == "Reserve Plan"


def test_a_company_is_shown_as_its_documents_call_it_whatever_was_read_first() -> None:
    catalogue = Catalogue("ada")
    catalogue.resolve(Span(0, 1, "organisation", "Alder Pumps Ltd.", "alder pumps"))
    catalogue.resolve(Span(0, 1, "organisation", "Alder Pumps", "alder pumps", ("alder",), "Alder"))
    (row,) = catalogue.rows.values()
    assert row.label == "Alder Pumps"
    assert catalogue.known("alder") == row.id


def test_a_given_name_is_everyone_who_has_it() -> None:
    catalogue = Catalogue("ada")
    people = {catalogue.resolve(span(key))[0] for key in ("dana levi", "dana cohen")}
    catalogue.resolve(span("daniel cohen"))
    assert catalogue.called("dana") == people
    assert catalogue.called("") == set()
