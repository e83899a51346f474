from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.catalogue import Catalogue
from core.knowledge.content_graph import Source
from core.knowledge.nodes import AllNodes, all_nodes
from core.knowledge.outcome_edges import OutcomeEdges, Subject
from core.knowledge.records import ConceptRow
from core.knowledge.synced_graph import SyncedGraph
from core.memory.outcomes.success_counts import Example


def test_a_word_that_names_nothing_is_no_node_however_often_it_is_asked_about() -> None:
    said = {"ans_1": Example(answer_id="ans_1", outcome="worked", at=1.0, question="What is the total revenue?")}
    subjects = {word: Subject(f"s_{word}", word, word, {"working": said}) for word in ("total", "fiscal", "revenue")}
    learned = OutcomeEdges((), subjects, {})
    shown = all_nodes("ada", SyncedGraph(Catalogue("ada")), learned, "1")
    assert [node.label for node in shown.nodes.values()] == ["revenue"]


def named(number: int, label: str) -> ConceptRow:
    return ConceptRow(id=f"conc_{number}", user_id="ada", keys=[label], label=label, kind="term")


STEPS = st.lists(
    st.tuples(st.integers(0, 4), st.sets(st.integers(0, 3)), st.sampled_from(["put", "remove", "rename"])), max_size=15
)


@given(STEPS)
def test_what_is_made_of_what_was_there_before_is_what_is_made_anew(
    steps: list[tuple[int, set[int], str]],
) -> None:
    grown, learned = SyncedGraph(Catalogue("ada", [named(n, f"thing {n}") for n in range(4)])), OutcomeEdges((), {}, {})
    before: AllNodes | None = None
    for step, (item, concepts, what) in enumerate(steps):
        if what == "rename":
            grown.catalogue.put(named(item % 4, f"another {step}"))
        elif what == "remove":
            grown.content.remove(f"mem_{item}")
        else:
            names = tuple(f"conc_{each}" for each in sorted(concepts))
            grown.content.put(Source(f"mem_{item}", "memory_bank", None, None, 0.1 * item, step, step, "", names))
        before = all_nodes("ada", grown, learned, str(step), before)
        assert before.nodes == all_nodes("ada", grown, learned, str(step)).nodes
