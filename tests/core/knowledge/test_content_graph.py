from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.content_graph import ContentGraph, Source

NAMES = [f"conc_{n}" for n in range(5)]


def source(item: int, concepts: list[str], quality: float | None = None) -> Source:
    names = tuple(sorted(set(concepts)))
    return Source(
        f"mem_{item}", "memory_bank", None, None, quality, float(item), 0.0, "", names, tuple(combinations(names, 2))
    )


def state(graph: ContentGraph) -> tuple[object, ...]:
    edges = {frozenset((a, b)): set(items) for a, b, items in graph.graph.edges(data="items")}
    return {name: set(items) for name, items in graph.naming.items()}, edges, set(graph.graph.nodes)


@given(st.lists(st.tuples(st.integers(0, 4), st.lists(st.sampled_from(NAMES), max_size=4), st.booleans()), max_size=20))
def test_however_it_came_about_it_is_what_its_living_texts_say(
    steps: list[tuple[int, list[str], bool]],
) -> None:
    lived, alive = ContentGraph(), dict[int, Source]()
    for item, concepts, goes in steps:
        if goes:
            lived.remove(f"mem_{item}")
            alive.pop(item, None)
        else:
            alive[item] = source(item, concepts)
            lived.put(alive[item])
    fresh = ContentGraph()
    for each in alive.values():
        fresh.put(each)
    assert state(lived) == state(fresh)


def test_quality_is_that_of_the_facts_that_name_it() -> None:
    graph = ContentGraph()
    for item, quality in enumerate([0.9, 0.1, None]):
        graph.put(source(item, ["conc_0"], quality))
    assert graph.avg_quality("conc_0") == 0.5
    assert graph.avg_quality("conc_1") == 0.0
    assert graph.latest(graph.naming["conc_0"], 2) == ["mem_2", "mem_1"]
