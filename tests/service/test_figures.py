"""What was asked is in the figures: in Prometheus' text at once, by the day and by person after a restart."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from tests.service.conftest import Open
from tests.service.house import POLICY


async def test_an_answer_is_counted_and_kept(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    answer = await house.ask("What is reimbursed for a hotel in Haifa?")
    counted = house.workbench.operations.counted
    figures = counted.since_start
    assert figures.of("outcomes")["answered"] == 1
    assert {"first_event", "first_token", "whole"} == set(figures.times_of("answer"))
    assert {"understanding", "searching", "generating", "extracting"} <= set(figures.times_of("stage"))
    assert figures.of("tier_hits")["books"] >= 1
    text = house.workbench.retrieval.metrics.prometheus()
    samples = [each for family in text_string_to_metric_families(text) for each in family.samples]
    whole = next(
        each.value
        for each in samples
        if each.name == "palimpsest_answer_seconds_count" and each.labels["until"] == "whole"
    )
    assert whole == 1
    asked_by = (await house.workbench.ledger.get("ada", answer.asked.run_id)).user_id
    await counted.keep()
    await counted.keep()
    assert counted.since_start.of("outcomes")["answered"] == 1
    await house.workbench.stop()
    again = await open_house()
    for user_id in (None, asked_by):
        [day] = await again.workbench.operations.counted.daily.last(7, user_id)
        assert day.figures.of("outcomes")["answered"] == 1
    assert await again.workbench.operations.counted.daily.last(7, "somebody else") == []
