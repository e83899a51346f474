"""Places the concepts of one community: linked concepts are near each other, and no two overlap.

The layout minimises stress: the distance of two concepts on the picture should be proportional to the number of links
between them. Unlike forces alone, this keeps chains straight and stars open.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import networkx as nx
import numpy as np
import numpy.typing as npt

SEED = 7
FIRST_STEPS, STEPS = 10, 14
"""Numbers of steps by forces, for the first positions, and of steps that reduce the stress."""
SPACING = 84.0
"""Distance between linked concepts in pixels."""
APART = 1.5
"""Distance, in links, that is added between concepts of different communities."""
UNREACHED = 2.0
"""Distance, in links, that is added to the largest one for concepts that no path joins."""

Points = npt.NDArray[np.float64]


def placed_by_stress(graph: nx.Graph[int], ids: Sequence[int], community: Sequence[int]) -> Points:
    """Positions around the middle, in pixels, in the order of ``ids``; ``community[i]`` is the community of
    ``ids[i]``."""
    if len(ids) == 1:
        return np.zeros((1, 2))
    inner = graph.subgraph(ids)
    wanted = _distances(inner, ids)
    groups = np.asarray(community)
    wanted = wanted + APART * (groups[:, None] != groups[None, :])
    np.fill_diagonal(wanted, 1.0)
    by_force = nx.spring_layout(inner, iterations=FIRST_STEPS, seed=SEED, method="force", k=1.6 / sqrt(len(ids)))
    points = np.array([by_force[each] for each in ids], dtype=float) * sqrt(len(ids))
    points = _reduced(points, wanted) * SPACING
    return pushed_apart(points - points.mean(axis=0), np.full(len(ids), SPACING / 2.2), steps=12)


def _distances(graph: nx.Graph[int], ids: Sequence[int]) -> Points:
    """Numbers of links between each two concepts."""
    places = {each: place for place, each in enumerate(ids)}
    linked = np.zeros((len(ids), len(ids)))
    for a, b in graph.edges:
        linked[places[a], places[b]] = linked[places[b], places[a]] = 1.0
    found = np.where(linked > 0, 1.0, np.inf)
    np.fill_diagonal(found, 0.0)
    reached, far = linked > 0, 1.0
    while True:
        further = ((reached @ linked) > 0) & np.isinf(found)
        if not further.any():
            break
        far += 1.0
        found[further] = far
        reached = further
    found[np.isinf(found)] = far + UNREACHED
    return found


def _reduced(points: Points, wanted: Points) -> Points:
    """Moves each point to the average of the positions that the others want for it; near ones weigh more."""
    weights = wanted**-2.0
    np.fill_diagonal(weights, 0.0)
    sums = weights.sum(axis=1)[:, None]
    for _ in range(STEPS):
        between = points[:, None, :] - points[None, :, :]
        lengths = np.maximum(np.hypot(between[..., 0], between[..., 1]), 1e-6)
        along = between * (wanted / lengths)[..., None]
        points = ((points[None, :, :] + along) * weights[..., None]).sum(axis=1) / sums
    return points


def pushed_apart(points: Points, radii: Points, steps: int) -> Points:
    """Discs moved apart until few of them touch."""
    points = points.copy()
    for _ in range(steps):
        between = points[:, None, :] - points[None, :, :]
        distances = np.hypot(between[..., 0], between[..., 1])
        np.fill_diagonal(distances, np.inf)
        overlap = np.clip(radii[:, None] + radii[None, :] - distances, 0.0, None)
        if not overlap.any():
            break
        points += 0.5 * (between / np.maximum(distances, 1e-6)[..., None] * overlap[..., None]).sum(axis=1)
    return points
