"""Tests graph layouts: a graph always gets the same layout, and no two concepts overlap."""

from __future__ import annotations

from math import hypot, isfinite

import networkx as nx
import pytest

from core.knowledge.views import Concept, Edge, GraphView
from core.resilience.worker_processes import WorkerProcesses
from viz.knowledge.layout import BY_STRESS, IN_WORKER, Layouts, edge_width, layout, node_size


def edges_of(graph: nx.Graph) -> list[Edge]:
    return [Edge(a=f"c{a}", b=f"c{b}", kind="together", strength=0.5) for a, b in graph.edges]


def ids_of(graph: nx.Graph) -> list[str]:
    return [f"c{each}" for each in graph]


@pytest.mark.parametrize(
    "graph",
    [
        nx.empty_graph(0),
        nx.empty_graph(1),
        nx.empty_graph(30),
        nx.path_graph(2),
        nx.star_graph(40),
        nx.complete_graph(12),
        nx.powerlaw_cluster_graph(BY_STRESS + 80, 2, 0.3, seed=1),
        nx.disjoint_union_all([nx.path_graph(2)] * (BY_STRESS + 1)),
        nx.star_graph(500),
    ],
    ids=["empty", "one", "alone", "pair", "star", "complete", "communities", "pairs", "one large community"],
)
def test_every_concept_has_a_place_of_its_own_and_always_the_same(graph: nx.Graph) -> None:
    first = layout(ids_of(graph), edges_of(graph))
    assert first == layout(ids_of(graph), edges_of(graph))
    assert sorted(first) == sorted(ids_of(graph))
    assert all(isfinite(x) and isfinite(y) for x, y in first.values())
    assert len(set(first.values())) == len(first)


def test_what_belongs_together_stands_together() -> None:
    two = nx.disjoint_union(nx.complete_graph(100), nx.complete_graph(100))
    two.add_edge(0, 150)
    places = layout(ids_of(two), edges_of(two))

    def apart(one: int, other: int) -> float:
        (x, y), (u, v) = places[f"c{one}"], places[f"c{other}"]
        return hypot(x - u, y - v)

    within = sum(apart(1, each) for each in range(2, 90)) / 88
    across = sum(apart(1, each) for each in range(101, 189)) / 88
    assert across > 1.5 * within


def test_the_largest_part_is_in_the_middle_and_concepts_without_links_are_below_all() -> None:
    graph = nx.disjoint_union_all([nx.path_graph(2), nx.complete_graph(30), *[nx.path_graph(3)] * 8, nx.empty_graph(4)])
    places = layout(ids_of(graph), edges_of(graph))
    largest, apart = [f"c{n}" for n in range(2, 32)], [f"c{n}" for n in range(56, 60)]
    middle = [sum(places[each][axis] for each in largest) / 30 for axis in (0, 1)]
    assert hypot(*middle) < 40
    rest = [y for each, (_, y) in places.items() if each not in apart]
    assert min(places[each][1] for each in apart) > max(rest)


def test_dots_do_not_touch() -> None:
    graph = nx.powerlaw_cluster_graph(BY_STRESS - 20, 2, 0.3, seed=3)
    places = list(layout(ids_of(graph), edges_of(graph)).values())
    nearest = min(hypot(x - u, y - v) for n, (x, y) in enumerate(places) for u, v in places[:n])
    assert nearest >= 2 * node_size(0.3)


def test_edges_to_concepts_that_are_not_shown_are_left_out() -> None:
    stray = [Edge(a="a", b="gone", kind="together", strength=1.0), Edge(a="a", b="a", kind="together", strength=1.0)]
    assert set(layout(["a", "b"], stray)) == {"a", "b"}


async def test_layouts_are_remembered_by_user_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(ids: list[str], edges: list[Edge]) -> dict[str, tuple[float, float]]:
        made.append(len(ids))
        return dict.fromkeys(ids, (0.0, 0.0))

    monkeypatch.setattr("viz.knowledge.layout.layout", counted)
    view = GraphView(nodes=[Concept(id="a", label="A", kind="term", colour="content")], version="1")
    layouts, workers = Layouts(), WorkerProcesses()
    await layouts.of("ada", view, workers)
    await layouts.of("ada", view, workers)
    assert len(made) == 1
    await layouts.of("ben", view, workers)
    await layouts.of("ada", view.model_copy(update={"version": "2"}), workers)
    assert len(made) == 3


async def test_a_large_graph_is_laid_out_in_a_worker_as_in_this_process() -> None:
    ids = [f"c{n}" for n in range(IN_WORKER)]
    edges = [Edge(a=ids[n], b=ids[n // 2], kind="together", strength=0.5) for n in range(1, IN_WORKER)]
    view = GraphView(nodes=[Concept(id=each, label=each, kind="term", colour="content") for each in ids], edges=edges)
    workers = WorkerProcesses()
    try:
        assert await Layouts().of("ada", view, workers) == layout(ids, edges)
    finally:
        await workers.stop()


def test_size_and_width_grow_and_stay_within_bounds() -> None:
    assert node_size(-1) == node_size(0) < node_size(0.3) < node_size(1) == node_size(5)
    assert edge_width(-1) == edge_width(0) < edge_width(0.3) < edge_width(1) == edge_width(5)
