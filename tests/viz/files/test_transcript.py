from __future__ import annotations

import json
from datetime import UTC, datetime

from core.events import Response, Source
from core.records.answer import Answer, CellReference
from core.records.subject_matter import Chip
from core.words import Words
from viz.answer import ToldRun
from viz.files.answer import answer_section
from viz.files.transcript import Transcript, Turn, markdown

LINE = "Operating cash flow rose by 12.6% [1]."


def kept(**changed: object) -> Transcript:
    said = {
        "kind": "calculation",
        "line": LINE,
        "value": 12.6,
        "unit": "%",
        "cells": [CellReference(number=1, document_id="doc_1", table=0, row=1, column=2, text="$4,862", scale=1e6)],
        "calculation": "($4,862 − $4,317) ÷ $4,317 = 12.6%",
        **changed,
    }
    answer = Answer.model_validate(said)
    response = Response(kind="extractive", text="> Net cash | $4,862 [1]", language="en", answer=answer)
    source = Source(number=1, document_id="doc_1", title="Cash report", filename="cash.pdf", score=1, passages=[])
    run = ToldRun("run_1", response=response, sources=[source])
    turn = Turn(
        question="How did it change?",
        asked_at=datetime(2026, 1, 1, tzinfo=UTC),
        searched=[Chip(kind="organisation", label="Northwind")],
        answer="> Net cash | $4,862 [1]",
        section=answer_section(run),
        answer_data=answer,
    )
    return Transcript(id="conv_1", title="Cash", created_at=datetime(2026, 1, 1, tzinfo=UTC), turns=[turn])


def test_what_was_answered_is_kept_as_data() -> None:
    (turn,) = json.loads(kept().model_dump_json())["turns"]
    said = turn["answer_data"]
    assert (said["value"], said["unit"], said["calculation"]) == (12.6, "%", "($4,862 − $4,317) ÷ $4,317 = 12.6%")
    assert (said["cells"][0]["row"], said["cells"][0]["scale"]) == (1, 1e6)
    assert turn["searched"][0]["label"] == "Northwind"
    assert "section" not in turn


def test_an_answer_has_the_form_of_its_own_file() -> None:
    doubt = Words(en="It was restated.", he="הוצג מחדש.")
    text = markdown(kept(decided=False, doubt=doubt), "en")
    places = [text.index(each) for each in ("Searched: Northwind", f"**{LINE}**", "*It was restated.*", "### Sources")]
    assert places == sorted(places)
    assert "Calculated: ($4,862 − $4,317) ÷ $4,317 = 12.6%" in text
    assert "**[1] Cash report** (cash.pdf" in text
