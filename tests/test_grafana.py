"""Tests that ``docs/grafana.json`` queries only metrics of ``/metrics``, and all of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from core.settings import Settings
from core.workbench import Workbench

DASHBOARD = Path(__file__).parents[1] / "docs" / "grafana.json"


def test_each_figure_of_the_dashboard_is_told_and_none_is_left_out(tmp_path: Path) -> None:
    workbench = Workbench(Settings(_env_file=None, home=tmp_path))  # type: ignore[call-arg]
    text = workbench.retrieval.metrics.prometheus()
    kinds = {each.name: each.type for each in text_string_to_metric_families(text) if each.type != "unknown"}
    suffixes = {"counter": "_total", "histogram": "_bucket", "gauge": ""}
    told = {name + suffixes[kind] for name, kind in kinds.items() if not name.endswith("_created")}
    board = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\bpalimpsest_\w+", target["expr"])
    }
    assert asked == told
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
