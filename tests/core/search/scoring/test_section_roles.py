import pytest

from core.question.wanted_roles import wanted_roles
from core.search.request import ScoredHit
from core.search.scoring.section_roles import HELD_BACK, demote_roles
from core.store.items import Book, ItemSource, MemoryItem, SectionRole, Timestamps


def hit(role: SectionRole) -> ScoredHit:
    book = Book(book_id="d", title="t", filename="f", chunk_index=0, role=role)
    source = ItemSource(type="document", book=book)
    times = Timestamps(created_at=0, updated_at=0)
    item = MemoryItem(_id="m", user_id="u", tier="books", text="x", source=source, timestamps=times)
    return ScoredHit(item, fused=0.8)


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("How many shares outstanding does it have?", {"body", "cover"}),
        ("Who signed the agreement?", {"body", "signatures"}),
        ("מי חתם על ההסכם?", {"body", "signatures"}),
        ("What is the rent?", {"body"}),
    ],
)
def test_a_question_says_which_parts_it_wants(question: str, roles: set[SectionRole]) -> None:
    assert wanted_roles(question) == roles


def test_other_parts_are_held_back() -> None:
    body, cover = hit("body"), hit("cover")
    demote_roles([body, cover], frozenset({"body"}))
    assert (body.fused, cover.fused) == (0.8, 0.8 * HELD_BACK)
    wanted = hit("cover")
    demote_roles([wanted], frozenset({"body", "cover"}))
    assert wanted.fused == 0.8
