import pytest

from core.graph.memory.several_orders import statements_to_remember


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I work at Nordwind and that I prefer short answers", ["I work at Nordwind", "I prefer short answers"]),
        (
            "the audit starts in May, and that the lead is Dana; that we use SAP",
            ["the audit starts in May", "the lead is Dana", "we use SAP"],
        ),
        ("I like tea and coffee", ["I like tea and coffee"]),
        ("I said this and that", ["I said this and that"]),
        ("אני רואת חשבון ושאני גרה בחיפה", ["אני רואת חשבון", "אני גרה בחיפה"]),
        ("אני אוהבת שלום ושקט", ["אני אוהבת שלום ושקט"]),
    ],
)
def test_each_thing_is_remembered_by_itself(text: str, parts: list[str]) -> None:
    assert statements_to_remember(text) == parts
