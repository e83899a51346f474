"""Tests the queueing calculation and the drawing of the growth benchmark."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from benchmarks.curves import Curve, Panel, drawn
from benchmarks.queueing import files_a_second


def test_one_worker_waits_for_nobody() -> None:
    assert files_a_second(1, processor=0.5, cores=4, endpoint=0.3) == pytest.approx(1 / 0.8)


def test_many_workers_are_held_by_the_cores() -> None:
    assert files_a_second(500, processor=0.5, cores=4, endpoint=0.3) == pytest.approx(8.0, rel=0.01)


def test_more_workers_never_do_less() -> None:
    rates = [files_a_second(count, processor=0.2, cores=2, endpoint=0.3) for count in range(1, 65)]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(rates))
    assert rates[1] / rates[0] > 1.9
    assert rates[3] / rates[0] < 4


def test_a_picture_has_every_curve_within_its_panel() -> None:
    curves = [Curve("truth & index", [1_000, 100_000], [5.0, 480.0]), Curve("memory", [1_000, 100_000], [280.0, 900.0])]
    picture = ElementTree.fromstring(drawn([Panel("Megabytes", "passages", curves), Panel("ms", "people", curves)]))
    texts = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("truth & index") == 2
    lines = [each.attrib["points"] for each in picture.iter("{http://www.w3.org/2000/svg}polyline")]
    assert len(lines) == 4
    for line in lines:
        assert all(0 < float(number) < 460 for point in line.split() for number in point.split(","))
