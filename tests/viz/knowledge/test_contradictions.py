"""Checks the list of figures that documents print differently."""

from __future__ import annotations

from core.figures.contradictions.records import Contradiction
from core.figures.stored.records import StoredFigure
from viz.knowledge.contradictions import contradictions_section


def figure(document: str, text: str, period: str = "2015") -> StoredFigure:
    return StoredFigure(
        document_id=document, title=f"Report {document}", label="Total assets", period=period, value=1, text=text,
        table=0, row=1, column=1,
    )  # fmt: skip


def test_three_documents_with_two_values_are_one_figure() -> None:
    old, same, new = figure("2015", "11,726"), figure("2016", "11,726"), figure("2017", "11,714")
    pairs = [Contradiction(first=new, second=old), Contradiction(first=same, second=new)]
    pairs.append(Contradiction(first=figure("2016", "9", "2014"), second=figure("2017", "8", "2014")))
    html = str(contradictions_section(pairs, "en"))
    assert html.count("<strong") == 2
    assert html.index("Report 2015") < html.index("Report 2016") < html.index("Report 2017")
    assert html.count("data-open-page") == 5
