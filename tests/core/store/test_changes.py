from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.store.changes import apply
from core.store.filters import lookup
from core.store.truth import Change, Json

PATHS = st.sampled_from(["a", "b", "ש", "o.a", "o.p.q"])


@given(path=PATHS, value=st.one_of(st.none(), st.integers(), st.text(), st.lists(st.integers())))
def test_what_is_set_is_found_and_can_be_taken_away(path: str, value: Json) -> None:
    changed = apply({"_id": "1"}, Change(set={path: value}))
    assert lookup(changed, path) == value
    assert lookup(apply(changed, Change(unset=[path])), path) is None


def test_the_document_and_the_change_are_left_alone() -> None:
    document: Json = {"_id": "1", "list": [1], "object": {"n": 1}}
    pushed: Json = {"x": [1]}
    change = Change(push={"list": pushed, "object.new": pushed}, inc={"object.n": 1})
    changed = apply(apply(document, change), Change(push={"object.new": 2}))
    assert document == {"_id": "1", "list": [1], "object": {"n": 1}}
    assert pushed == {"x": [1]}
    assert changed == {"_id": "1", "list": [1, {"x": [1]}], "object": {"n": 2, "new": [{"x": [1]}, 2]}}
