"""Tests everyday statements against contracts and policies: decisions are right, and most statements are decided."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from core.language.sentences import split_sentences
from core.parsed_yaml import parse_yaml
from core.review.compliance import rule_compliance
from core.review.relevance import ContextLine


class Document(BaseModel):
    name: str
    language: str
    text: str
    statements: dict[str, list[str]]


DOCUMENTS = [
    Document.model_validate(each)
    for each in parse_yaml((Path(__file__).parent / "data" / "plain_statements.yaml").read_text(encoding="utf-8"))
]
KEPT_AS = {"kept": "complies", "broken": "conflicts", "open": "open"}


def lines_of(text: str) -> list[ContextLine]:
    return list(_lines(text))


def _lines(text: str) -> Iterator[ContextLine]:
    heading, block = "", 0
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("#"):
            heading, block = line.strip("# "), block + 1
            continue
        for sentence in split_sentences(line):
            yield ContextLine(sentence.text.strip(), heading, block)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: each.name)
def test_nothing_is_decided_wrongly(document: Document) -> None:
    lines = lines_of(document.text)
    told = [
        (label, KEPT_AS[rule_compliance(statement, lines).keeping], statement)
        for label, statements in document.statements.items()
        for statement in statements
    ]
    assert [each for each in told if each[1] not in ("open", each[0])] == []


@pytest.mark.parametrize(("language", "floor"), [("en", 0.7), ("he", 0.6)])
def test_most_is_decided(language: str, floor: float) -> None:
    found = [
        KEPT_AS[rule_compliance(statement, lines_of(document.text)).keeping] == label
        for document in DOCUMENTS
        if document.language == language
        for label, statements in document.statements.items()
        if label != "not_covered"
        for statement in statements
    ]
    assert sum(found) / len(found) >= floor, f"{sum(found)} of {len(found)}"


@pytest.mark.parametrize(
    ("statement", "rule", "keeping"),
    [
        ("משך המשימה הוא 60 דקות.", "משך המשימה הוא 30 דקות.", "broken"),
        ("The task takes 60 minutes.", "The task takes 30 minutes.", "broken"),
        ("The task takes 30 minutes.", "The task takes 30 minutes.", "kept"),
        ("The task takes 60 minutes.", "The walk back takes 30 minutes.", "open"),
    ],
)
def test_the_same_words_beside_another_figure_are_about_the_same(statement: str, rule: str, keeping: str) -> None:
    assert rule_compliance(statement, lines_of(f"# Tasks\n{rule}\nBring a pen.")).keeping == keeping
