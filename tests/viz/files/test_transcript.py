from __future__ import annotations

import json
from datetime import UTC, datetime

from core.records.answer import Answer, CellReference
from core.records.subject_matter import Chip
from core.words import Words
from viz.files.transcript import Transcript, Turn, markdown

LINE = "Operating cash flow rose by 12.6% [1]."


def kept(**changed: object) -> Transcript:
    answer = {
        "kind": "calculation",
        "line": LINE,
        "value": 12.6,
        "unit": "%",
        "cells": [CellReference(number=1, document_id="doc_1", table=0, row=1, column=2, text="$4,862", scale=1e6)],
        "calculation": "($4,862 − $4,317) ÷ $4,317 = 12.6%",
        **changed,
    }
    turn = Turn(
        question="How did it change?",
        asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        searched=[Chip(kind="organisation", label="Northwind")],
        answer="> Net cash | $4,862 [1]",
        answer_data=Answer.model_validate(answer),
    )
    return Transcript(id="conv_1", title="Cash", created_at=datetime(2026, 1, 1, tzinfo=UTC), turns=[turn])


def test_what_was_answered_is_kept_as_data() -> None:
    (turn,) = json.loads(kept().model_dump_json())["turns"]
    said = turn["answer_data"]
    assert (said["value"], said["unit"], said["calculation"]) == (12.6, "%", "($4,862 − $4,317) ÷ $4,317 = 12.6%")
    assert (said["cells"][0]["row"], said["cells"][0]["scale"]) == (1, 1e6)
    assert turn["searched"][0]["label"] == "Northwind"


def test_to_be_read_the_line_comes_first_with_its_calculation() -> None:
    text = markdown(kept(), "en")
    assert text.index("Searched: Northwind") < text.index(f"**{LINE}**") < text.index("> Net cash")
    assert "Calculated: `($4,862 − $4,317) ÷ $4,317 = 12.6%`" in text


def test_doubt_and_indecision_are_kept_too() -> None:
    doubt = Words(en="It was restated.", he="הוצג מחדש.")
    text = markdown(kept(decided=False, doubt=doubt), "he")
    assert "הכי קרוב, כדאי לבדוק · הוצג מחדש." in text
