"""Checks which datasets a model is shown for a question, and how they are described."""

from __future__ import annotations

from core.datasets.records import Column, Dataset
from core.datasets.tools.schemas import schema_of, schemas_within, shared_with

TITLES = {"d1": "Nordhang order lines", "d2": "cafe_till_lines"}


def dataset(name: str, document: str, *columns: str) -> Dataset:
    made = tuple(Column(key=f"c{n}", name=each, type="text") for n, each in enumerate(columns))
    return Dataset(id=name, document_id=document, name=name, rows=3, columns=made)


ORDERS = dataset("Orders", "d1", "Product", "Weekday", "Sold")
CAFE = dataset("cafe_till_lines", "d2", "Item", "Time")


def test_a_schema_names_the_document_only_if_its_name_differs() -> None:
    assert schema_of(ORDERS, TITLES).startswith("## Orders in “Nordhang order lines” (id Orders): 3 rows\n- Product:")
    assert schema_of(CAFE, TITLES).startswith("## cafe_till_lines (id cafe_till_lines): 3 rows\n")


def test_the_word_that_only_one_dataset_holds_decides_which_comes_first() -> None:
    others = [ORDERS, ORDERS.model_copy(update={"id": "o2"}), ORDERS.model_copy(update={"id": "o3"})]
    shown = schemas_within([*others, CAFE], TITLES, "Is the product sold most on a weekday in the café?", 70)
    assert shown[0].startswith("## cafe_till_lines")


def test_datasets_that_share_nothing_with_the_question_are_only_named() -> None:
    shown = schemas_within(
        [ORDERS, CAFE, CAFE.model_copy(update={"id": "o2"})], TITLES, "Which product sold most?", 900
    )
    assert shown == [schema_of(ORDERS, TITLES), "Further datasets, without their columns: cafe_till_lines"]
    assert shared_with("Who is the owner in 2023?", [ORDERS, CAFE], TITLES) == [0, 0]
