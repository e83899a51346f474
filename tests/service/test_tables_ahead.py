"""Tests that tables in documents are read before anyone opens them: stored for their owner, the latest document first,
never twice."""

from __future__ import annotations

from tests.service.house import House

TABLE = "# Harvest\n\n| Crop | 2031 | 2030 |\n|---|---|---|\n| Revenue | 120 | 90 |\n| Costs | 40 | 35 |\n"


async def test_what_was_read_ahead_is_not_read_again(house: House) -> None:
    document = await house.read("harvest.md", TABLE)
    workbench = house.workbench
    latest = await workbench._catalogue.latest(5)
    assert [each.id for each in latest] == [document.id]

    await workbench._agent.tables.read_ahead(latest, workbench._runner.idle)
    asked: list[str] = []
    read = workbench.library.tables

    async def counted(user_id: str, document_id: str):
        asked.append(document_id)
        return await read(user_id, document_id)

    workbench.library.tables = counted  # type: ignore[method-assign]
    (mine,) = await workbench.library.find("ada")
    (table,) = await workbench._agent.tables.get("ada", mine)
    assert [row.label for row in table.rows] == ["Revenue", "Costs"]
    assert asked == []


async def test_of_many_the_latest_are_told(house: House) -> None:
    for name in ("first", "second", "third"):
        await house.read(f"{name}.md", f"# {name}\n\nA sentence about the {name} thing.\n")
    latest = await house.workbench._catalogue.latest(2)
    assert [each.filename for each in latest] == ["third.md", "second.md"]
