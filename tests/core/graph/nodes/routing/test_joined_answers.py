from __future__ import annotations

from core.events import Passage, Response, Source
from core.graph.nodes.routing.joined_answers import PartialResponse, joined


def source(number: int, document_id: str, item_id: str) -> Source:
    passages = [Passage(item_id=item_id, text=item_id, score=1.0)]
    return Source(
        number=number, document_id=document_id, title=document_id, filename=document_id, score=1.0, passages=passages
    )


def test_parts_keep_their_own_sources_under_new_numbers() -> None:
    first = Response(kind="extractive", text="Two years. [1]", language="en", confidence="high")
    second = Response(kind="extractive", text="Fifty euros. [1] See [2].", language="en", confidence="medium")
    response, sources = joined(
        [
            PartialResponse("How long?", first, [source(1, "lease", "a")]),
            PartialResponse("How much?", second, [source(1, "offer", "b"), source(2, "lease", "c")]),
        ],
        "en",
    )
    assert response.text == "### How long?\n\nTwo years. [1]\n\n### How much?\n\nFifty euros. [2] See [1]."
    assert response.confidence == "medium"
    assert [(each.number, each.document_id, [p.item_id for p in each.passages]) for each in sources] == [
        (1, "lease", ["a", "c"]),
        (2, "offer", ["b"]),
    ]


def test_a_part_without_an_answer_lowers_the_certainty_of_the_whole() -> None:
    found = Response(kind="extractive", text="Yes.", language="en", confidence="high")
    nothing = Response(kind="nothing_found", text="I searched.", language="en")
    assert joined([PartialResponse("A?", found, []), PartialResponse("B?", nothing, [])], "en")[0].confidence == "low"
    assert joined([PartialResponse("B?", nothing, [])] * 2, "en")[0].kind == "nothing_found"
