from __future__ import annotations

from core.operations.processes import FORGOTTEN_SECONDS, Processes
from core.setting_groups import Jobs
from core.store.migrations.stored import ALIVE_SECONDS, FORMAT_NOTED, PROCESSES
from core.store.migrations.upgrade import FORMAT
from core.store.truth import Change, Truth
from tests.service.house import until


async def test_who_shares_the_truth_is_known_while_it_gives_signs_of_life(truth: Truth) -> None:
    now = [1_000.0]
    server, worker = (
        Processes(truth, lambda: now[0], name, Jobs(workers=workers), serves=serves)
        for name, workers, serves in (("server", 0, True), ("worker", 2, False))
    )
    await server.start()
    await worker.start()

    async def are_there() -> bool:
        return len(await server.alive()) == 2

    await until(are_there, "both have given a sign", 10)
    assert [
        (each.id, each.serves, each.workers) for each in sorted(await worker.alive(), key=lambda each: each.id)
    ] == [
        ("server", True, 0),
        ("worker", False, 2),
    ]
    await worker.stop()
    assert [each.id for each in await server.alive()] == ["server"], "who ends in order says so"
    now[0] += ALIVE_SECONDS + 1
    assert await server.alive() == []
    now[0] += FORGOTTEN_SECONDS
    await server._give_sign()
    await worker._give_sign()
    await server.stop()
    assert [row["_id"] for row in await truth.collection(PROCESSES).find()] == ["worker"]


async def test_a_process_ends_when_a_later_version_has_changed_the_data_and_gives_no_more_signs(truth: Truth) -> None:
    ended: list[str] = []
    noted = truth.collection(FORMAT_NOTED)
    await noted.upsert({"_id": "format", "number": FORMAT})
    process = Processes(truth, lambda: 1_000.0, "server", Jobs(), serves=True, end=lambda: ended.append("at once"))
    await process._give_sign()
    assert [each.format for each in await process.alive()] == [FORMAT]
    await truth.collection(PROCESSES).delete({})
    await noted.update("format", Change(set={"number": FORMAT + 1}))
    await process._give_sign()
    assert ended == ["at once"]
    assert await process.alive() == []
