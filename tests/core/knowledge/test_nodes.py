from __future__ import annotations

from core.knowledge.catalogue import Catalogue
from core.knowledge.graph_sync import SyncedGraph
from core.knowledge.nodes import all_nodes
from core.knowledge.outcome_edges import OutcomeEdges, Subject
from core.memory.outcomes.success_counts import Example


def test_a_word_that_names_nothing_is_no_node_however_often_it_is_asked_about() -> None:
    said = {"ans_1": Example(answer_id="ans_1", outcome="worked", at=1.0, question="What is the total revenue?")}
    subjects = {word: Subject(f"s_{word}", word, word, {"working": said}) for word in ("total", "fiscal", "revenue")}
    learned = OutcomeEdges((), subjects, {})
    shown = all_nodes("ada", SyncedGraph(Catalogue("ada")), learned, "1")
    assert [node.label for node in shown.nodes.values()] == ["revenue"]
