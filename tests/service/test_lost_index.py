"""Tests that a deleted index, between two starts or during work, is rebuilt automatically."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.service.house import CONTRACT, POLICY, GatedEmbeddings, House, until

Open = Callable[..., Awaitable[House]]


async def idle(house: House) -> bool:
    return not await house.workbench._library.embedding.unfinished()


async def test_words_and_vectors_come_back_for_everyone(
    open_house: Open, embeddings: GatedEmbeddings, tmp_path: Path
) -> None:
    house = await open_house(dense_enabled=True)
    documents = [await house.read("policy.md", POLICY), await house.read("contract.md", CONTRACT, "bob")]
    await until(lambda: idle(house), "the end of all jobs")
    await house.workbench.stop()
    shutil.rmtree(tmp_path / "home" / "index")

    again = await open_house(dense_enabled=True)
    for document in documents:

        async def whole() -> bool:
            now = await again.workbench.library.get(document.user_id, document.id)  # noqa: B023
            points = await again.points(document.user_id, document.id)  # noqa: B023
            return now.embedded == now.chunks == len(points) and all(points.values())

        await until(whole, f"{document.filename} with all its vectors")
    assert await again.found("What is a hotel night reimbursed at?") == {"policy.md"}
    assert await again.found("When must Pelagit give notice of a price rise?", "bob") == {"contract.md"}


async def test_a_folder_that_was_removed_in_mid_work_is_said_and_filled_again(open_house: Open, tmp_path: Path) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    shutil.rmtree(tmp_path / "home" / "index")
    retrieval = house.workbench.retrieval
    assert "index_away" in {each.warning for each in await retrieval.parts()}
    await retrieval.keep_up()
    await house.workbench._finish_writes()
    assert "index_away" not in {each.warning for each in await retrieval.parts()}
    assert (tmp_path / "home" / "index" / "collections").is_dir()
    assert await house.found("What is a hotel night reimbursed at?") == {"policy.md"}
