from __future__ import annotations

from core.events import AssistantDelta, Passage, Response, Source, Sources
from core.runs.ledger import Entry
from pages.run_view import RunView
from viz.citations import short_names
from viz.cited_passage import cited_passage, with_other_passages


def source(number: int, document_id: str, title: str, *pages: int | None) -> Source:
    passages = [Passage(item_id=f"i{number}{place}", text="Rent.", page=page) for place, page in enumerate(pages)]
    return Source(
        number=number, document_id=document_id, title=title, filename=f"{document_id}.pdf", score=1.0, passages=passages
    )


LEASE, LEASE_LATER = source(1, "a", "Acme · Lease · FY2030", 3), source(3, "a", "Acme · Lease · FY2030", 12)
OTHER = source(2, "b", "Acme · Lease · FY2031", 5)


def view(text: str, sources: list[Source], kind: str = "generated") -> RunView:
    response = Response.model_validate({"kind": kind, "text": text, "language": "en"})
    events = [Sources(sources=sources, confidence="high"), AssistantDelta(text=text), response]
    return RunView.of("r", "m", [Entry(run_id="r", sequence=n, at=0.0, event=event) for n, event in enumerate(events)])


def test_a_citation_shows_document_and_page_and_opens_its_passage() -> None:
    shown = view("The rent is 5 [3]. It was 4 [2].", [LEASE, OTHER, LEASE_LATER])
    html = str(shown.html())
    assert '<bdi class="doc">Acme · FY2030</bdi> <bdi class="at">p. 12</bdi>' in html
    assert '<bdi class="doc">Acme · FY2031</bdi> <bdi class="at">p. 5</bdi>' in html
    chosen, passage, _ = cited_passage(shown.sources, 3, None, "The rent is 5")
    assert [passage and passage.page, chosen and chosen.number] == [12, 3]
    assert len(with_other_passages(LEASE_LATER, shown.sources).passages) == 2


def test_a_document_is_listed_once_with_its_cited_pages() -> None:
    html = str(view("The rent is 5 [3]. It was 4 [1].", [LEASE, LEASE_LATER]).html())
    listed = html[html.index('<ul class="sources"') :].split("</ul>")[0]
    assert listed.count("<li>") == 1
    assert listed.index(">p. 3<") < listed.index(">p. 12<")
    assert 'data-cite="3" aria-label="Acme · Lease · FY2030 · p. 12"' in listed


def test_an_answer_with_a_number_for_each_document_still_shows_its_numbers() -> None:
    html = str(view("The rent is 5 [1].", [source(1, "a", "Acme · Lease", 3, 12)]).html())
    assert 'data-cite="1" aria-label="[1] Acme · Lease">1</button>' in html
    assert "<b>1</b>" in html


def test_names_are_as_short_as_they_differ() -> None:
    found = short_names([LEASE, OTHER, source(4, "c", "Zeta Incorporated · Lease · FY2031", 1)])
    assert found == {"a": "Acme · FY2030", "b": "Acme · FY2031", "c": "Zeta Incorporated"}
