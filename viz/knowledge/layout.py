"""Calculates the positions of the graph's concepts, their sizes, and the widths of edges.

The layout is calculated here and not in the browser, so that a large graph appears immediately and the same graph
always looks the same. Small parts are placed as a whole; large ones are laid out community by community, which keeps
the matrices small.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

import networkx as nx
import numpy as np

from core.knowledge.views import Colour, Edge, GraphView
from core.lru_cache import LruCache
from core.messages import message
from core.resilience.worker_processes import WorkerProcesses
from viz.knowledge.packing import MARGIN, ROW, Group, disc, group_of, related_middles, rows, separate_middles
from viz.knowledge.stress import SEED, placed_by_stress

COLOURS: Mapping[Colour, str] = {"routing": "#3b82f6", "content": "#22c55e", "both": "#a855f7", "action": "#f97316"}
BY_STRESS = 120
"""Maximum number of linked concepts that are placed by one layout; more are placed community by community."""
LARGEST = 150
"""Maximum number of concepts of one community that are placed by their distances; the community's other concepts are
placed around them."""
WIDE = 1.3
"""Ratio of the layout's width to its height: wider than high, because labels are horizontal."""
KEPT = 32
IN_WORKER = 500
"""Minimum number of concepts for which the layout is calculated in a worker process."""
_NAME = message("view.knowledge_layout")

Positions = Mapping[str, tuple[float, float]]


class Layouts:
    """Calculates layouts, and caches them as long as the graph does not change."""

    def __init__(self) -> None:
        self._kept: LruCache[tuple[str, int], Positions] = LruCache(KEPT)

    async def of(self, user_id: str, view: GraphView, workers: WorkerProcesses) -> Positions:
        """Positions by concept id, in pixels from the middle; large graphs are laid out in a worker process.

        Raises:
            PalimpsestError: it took too long ("timeout").
        """
        drawn = (tuple(node.id for node in view.nodes), tuple((edge.a, edge.b, edge.strength) for edge in view.edges))
        key = (f"{user_id}/{view.version}", hash(drawn))
        found = self._kept.use(key)
        if found is None:
            ids = [node.id for node in view.nodes]
            if len(ids) < IN_WORKER:
                found = await asyncio.to_thread(layout, ids, view.edges)
            else:
                found = await workers.run(_NAME, layout, ids, view.edges)
            self._kept[key] = found
        return found


def node_size(importance: float) -> float:
    """A concept's radius in pixels; ``importance`` (0..1) is relative to the most important one."""
    return round(5 + 17 * sqrt(max(0.0, min(importance, 1.0))), 1)


def edge_width(strength: float) -> float:
    """An edge's width in pixels."""
    return round(0.6 + 4 * max(0.0, min(strength, 1.0)), 2)


def layout(ids: Sequence[str], edges: Iterable[Edge]) -> Positions:
    """The layout of a graph. The same ids and edges always give the same positions, in every process.

    The largest connected part is in the middle, the others around it, and concepts without links in rows below.
    """
    graph = _graph(ids, edges)
    alone = [each for each in graph if graph.degree(each) == 0]
    parts = [_part(graph, each) for each in _parts(graph)]
    found: dict[int, tuple[float, float]] = {}
    for part, middle in zip(parts, separate_middles(parts), strict=True):
        for each, point in zip(part.ids, part.points + middle, strict=True):
            found[each] = (float(point[0]) * WIDE, float(point[1]))
    across = [x for x, _ in found.values()]
    width = max(across, default=0.0) - min(across, default=0.0)
    below = max((y for _, y in found.values()), default=-ROW)
    for each, point in zip(alone, rows(len(alone), width, below), strict=True):
        found[each] = (float(point[0]), float(point[1]))
    return {ids[each]: (round(x, 1), round(y, 1)) for each, (x, y) in found.items()}


def _graph(ids: Sequence[str], edges: Iterable[Edge]) -> nx.Graph[int]:
    """The graph with indices into ``ids`` as nodes. Sets of strings have a different order in each process, so nodes
    that are strings would give different layouts."""
    places = {each: place for place, each in enumerate(ids)}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(ids)))
    for edge in edges:
        a, b = places.get(edge.a), places.get(edge.b)
        if a is not None and b is not None and a != b:
            before = graph.edges[a, b]["weight"] if graph.has_edge(a, b) else 0.0
            graph.add_edge(a, b, weight=before + 0.1 + edge.strength)
    return graph


def _parts(graph: nx.Graph[int]) -> list[list[int]]:
    """The connected parts with more than one concept, the largest first."""
    found = [sorted(each) for each in nx.connected_components(graph) if len(each) > 1]
    return sorted(found, key=lambda part: (-len(part), part[0]))


def _part(graph: nx.Graph[int], ids: Sequence[int]) -> Group:
    """One connected part: a small one is placed as a whole, a large one community by community."""
    communities = _communities(graph.subgraph(ids))
    if len(ids) <= BY_STRESS:
        of = {each: place for place, group in enumerate(communities) for each in group}
        return group_of(ids, placed_by_stress(graph, ids, [of[each] for each in ids]))
    groups = [_community(graph, each) for each in communities]
    middles = related_middles(graph, groups)
    points = np.vstack([group.points + middle for group, middle in zip(groups, middles, strict=True)])
    return group_of([each for group in groups for each in group.ids], points)


def _community(graph: nx.Graph[int], ids: Sequence[int]) -> Group:
    near = ids[:LARGEST]
    points = placed_by_stress(graph, near, [0] * len(near))
    if len(ids) > LARGEST:
        reach = float(np.hypot(points[:, 0], points[:, 1]).max(initial=0.0))
        points = np.vstack([points, disc(len(ids) - LARGEST, reach * MARGIN)])
    return group_of(ids, points)


def _communities(graph: nx.Graph[int]) -> list[list[int]]:
    """Communities, the largest first; the members of each are in the order of importance."""
    ordered: nx.Graph[int] = nx.Graph()
    ordered.add_nodes_from(graph)
    ordered.add_weighted_edges_from((a, b, data["weight"]) for a, b, data in graph.edges(data=True))
    found = nx.community.louvain_communities(ordered, weight="weight", threshold=1e-2, max_level=2, seed=SEED)
    groups = [sorted(each) for each in found]
    return sorted(groups, key=lambda group: (-len(group), group[0]))
