from __future__ import annotations

from core.events import Passage, Source
from core.search.documents.context import fit
from core.search.documents.passage_numbers import numbered_by_passage
from core.search.documents.repetitions import running_lines, without_running_lines
from core.search.documents.selection import is_bare

DECLARED = (
    "Annex {n}\n\nI, {name}, declare that I have read this report of the {firm} association and that, to the best of "
    "my knowledge, it does not leave out a fact without which its statements would be wrong."
    "\n\nSigned on {day} May 2031"
)


def declared(name: str, firm: str = "Northwind", n: int = 1, day: int = 3, change: str = "") -> str:
    return DECLARED.format(name=name, firm=firm, n=n, day=day) + change


def source(number: int, *texts: str) -> Source:
    passages = [
        Passage(item_id=f"{number}.{place}", text=text, page=place, position=3 * place, score=1 - (number + place) / 10)
        for place, text in enumerate(texts, start=1)
    ]
    return Source(
        number=number, document_id=f"d{number}", title="R", filename="r.pdf", score=1.0, passages=passages
    )  # fmt: skip


def test_a_declaration_is_shown_once_and_then_only_what_differs() -> None:
    sources = [source(1, declared("Ada Cohen"), declared("Omar Haddad", n=2)), source(2, declared("Ada Cohen", day=9))]
    context = fit(numbered_by_passage(sources), 4_000)
    assert context.text.count("declare that I have read") == 2
    assert "(The same text as source 1, except:)\nI, Omar Haddad, declare" in context.text
    assert "(The same text as source 1, except:)\nSigned on 9 May 2031" in context.text
    assert context.numbers == {1, 2, 3}


def test_another_number_or_direction_is_another_text() -> None:
    rose, fell = (f"Revenue {verb} by 12 per cent since more people came to our stores in the spring, as planned."
                  for verb in ("rose", "fell"))  # fmt: skip
    more = rose.replace("12", "14")
    text = fit(numbered_by_passage([source(1, rose), source(2, fell), source(3, more)]), 4_000).text
    assert "same text" not in text


def test_heads_and_feet_with_page_numbers_are_left_out_but_not_headings() -> None:
    passages = [
        Passage(item_id=f"{page}", text=f"{year} results:\n\nSales were low.\n\nAcme | Report | {page - 2}", page=page)
        for page, year in ((7, 2021), (8, 2020))
    ]
    running = running_lines([*passages, Passage(item_id="x", text="9\n\nSales rose.", page=9)])
    assert running == {"Acme | Report | 5", "Acme | Report | 6", "9"}
    assert without_running_lines(passages[0].text, running) == "2021 results:\n\nSales were low."
    assert without_running_lines("9", running) == "9"


def test_a_table_of_contents_has_no_content_of_its_own() -> None:
    listed = "Item 1. What the company does in all markets 1\nItem 2. The results of the year 14\nAnnexes 20\nSigned 21"
    assert is_bare(Passage(item_id="a", text=listed))
    assert not is_bare(Passage(item_id="a", text=listed.replace("14", "140")))


def test_a_short_passage_shares_the_number_of_its_neighbour() -> None:
    long = "The costs of the year rose since the new store was opened, and the old one was kept. " * 3
    passages = [
        Passage(item_id=f"i{n}", text=text, page=1, position=n, score=0.5, section="Costs")
        for n, text in enumerate(("Costs rose in May and June.", long, long.replace("old", "first")))
    ]
    numbered = numbered_by_passage([source(1).model_copy(update={"passages": passages})])
    assert [[each.item_id for each in found.passages] for found in numbered] == [["i0", "i1"], ["i2"]]
    text = fit(numbered, 1_000).text
    assert text.count("[Source 1]") == 1
    assert text.startswith("[Source 1] R · p. 1 · Costs\nCosts rose in May and June.\n\nThe costs of the year")
