"""Tests audit clauses about figures: the matching row of the financial statement decides and is cited; if prose
contradicts it, the clause stays undecided."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.prompts.templates import Prompts
from core.review.actions.audit import Auditor
from tests.core.figures.measures.conftest import INCOME, MakeEvidence, evidence_of, table_of

__all__ = ["evidence_of"]

YEARS = ["2031", "2030", "2029"]
ROWS = "\n".join(f"{label} | {' | '.join(f'{value:,}' for value in values)}" for label, values in INCOME)


def report(prose: str) -> Source:
    passages = [Passage(item_id="i1", text=prose, position=0), Passage(item_id="i2", text=ROWS, table=0, position=1)]
    return Source(number=1, document_id="d1", title="Harbour Tools", filename="h.pdf", score=1.0, passages=passages)


@pytest.mark.parametrize(
    ("clause", "verdict", "severity"),
    [
        ("Net sales were $1 billion in 2031.", "complies", None),
        ("Net sales were $1.05 billion in 2031.", "conflicts", "medium"),
        ("Net income rose in 2031.", "conflicts", "high"),
    ],
)
async def test_the_row_decides_and_is_cited(
    prompts: Prompts, evidence_of: MakeEvidence, clause: str, verdict: str, severity: str | None
) -> None:
    tables = evidence_of([table_of(INCOME, YEARS)])
    result = await Auditor(prompts).audit(clause, [report("The year was good for tools.")], "en", tables=tables)
    (finding,) = result.findings
    assert (finding.verdict, finding.severity, finding.item_id) == (verdict, severity, "i2")
    assert finding.quote.startswith(clause.split(" were")[0].split(" rose")[0])
    assert "The financial statements say" in finding.reason.to("en")
    assert [quote.item_id for quote in result.quotes] == ["i2"]


async def test_a_passage_that_says_otherwise_leaves_it_open(prompts: Prompts, evidence_of: MakeEvidence) -> None:
    tables = evidence_of([table_of(INCOME, YEARS)])
    prose = "Net income increased in 2031 by 20 million."
    result = await Auditor(prompts).audit("Net income increased in 2031.", [report(prose)], "en", tables=tables)
    assert [each.verdict for each in result.findings] == ["not_decided"]
