from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.graph.document_registry import MOST, updated_registry
from core.library.records import Document, Metadata


def document(id: str, title: str, filename: str = "a.pdf") -> Document:
    return Document(
        id=id,
        user_id="ada",
        filename=filename,
        mime="",
        size=1,
        sha256="",
        metadata=Metadata(title=title),
        added_at=0,
        updated_at=0,
    )


def test_documents_of_one_title_are_all_remembered() -> None:
    library = [document("1", "Policy", "x.pdf"), document("2", "Policy", "y.pdf"), document("3", "Policy", "y.pdf")]
    names = updated_registry({}, ["1", "2", "3"], library)
    assert names == {"Policy": "1", "Policy (y.pdf)": "2", "Policy (y.pdf) 2": "3"}


def test_what_was_spoken_of_last_stands_last_and_deleted_ones_go() -> None:
    library = [document("1", "One"), document("2", "Two"), document("3", "Three")]
    first = updated_registry({}, ["1", "2"], library)
    assert list(updated_registry(first, ["1", "3"], library)) == ["Two", "One", "Three"]
    assert updated_registry(first, [], library[1:]) == {"Two": "2"}
    assert updated_registry(first, ["gone"], library) == first


def test_a_renamed_document_gets_its_new_title() -> None:
    assert updated_registry({"Old": "1"}, [], [document("1", "New")]) == {"New": "1"}


def test_a_conversation_does_not_grow_for_ever() -> None:
    library = [document(str(n), f"Title {n}") for n in range(MOST + 5)]
    kept = updated_registry({}, [each.id for each in library], library)
    assert len(kept) == MOST
    assert f"Title {MOST + 4}" in kept


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xy")), max_size=12), st.integers(1, 4))
def test_every_living_document_is_in_it_once_however_often_it_is_repeated(kinds: list, turns: int) -> None:
    library = [document(str(n), title, filename) for n, (title, filename) in enumerate(kinds)]
    names: dict[str, str] = {}
    for _ in range(turns):
        names = updated_registry(names, [each.id for each in library], library)
    assert sorted(names.values()) == sorted(each.id for each in library)
