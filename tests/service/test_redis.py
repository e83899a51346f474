"""Tests a workbench with a Redis that is killed during use and comes back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr

from core.resilience.health import Part
from core.setting_groups import Breakers, Redis
from tests.redis_server import RedisServer, running_redis
from tests.service.conftest import Open
from tests.service.house import POLICY, GatedEmbeddings, House, until

QUESTION = "What is reimbursed for a hotel night in Haifa?"


@pytest.fixture
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


async def part_of(house: House) -> Part:
    parts = (await house.workbench.health()).parts
    return next(part for part in parts if part.name.en == "Shared by all processes")


async def warnings_of(house: House) -> list[str | None]:
    return [each.warning for each in await house.workbench.operations.examine() if each.check == "redis"]


async def test_a_workbench_goes_on_without_its_redis_says_so_and_takes_it_up_again(
    open_house: Open, redis: RedisServer
) -> None:
    house = await open_house(redis=Redis(url=SecretStr(redis.url)), breakers=Breakers(failures=2, cooldown=0.0))
    assert (await part_of(house)).state == "green"
    assert await warnings_of(house) == ["redis_policy"], "it has no limit"
    redis.kill()
    assert ((await part_of(house)).state, (await part_of(house)).warning) == ("amber", "redis_away")
    assert await warnings_of(house) == ["redis_away"]
    await house.read("policy.md", POLICY)
    assert (await house.ask(QUESTION)).view.sources
    redis.start()

    async def is_back() -> bool:
        return (await part_of(house)).state == "green"

    await until(is_back, "it is taken up again", 20)


async def test_what_one_workbench_embedded_the_next_one_need_not(
    open_house: Open, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []

    class Counting(GatedEmbeddings):
        async def embed_passages(self, texts: list[str]) -> object:  # type: ignore[override]
            embedded.extend(texts)
            return await super().embed_passages(texts)

    monkeypatch.setattr("core.models.build._embeddings", lambda *_: Counting())
    shared = {"redis": Redis(url=SecretStr(redis.url)), "dense_enabled": True}
    for user in ("ada", "bob"):
        house = await open_house(**shared)
        document = await house.read("policy.md", POLICY, user)

        async def has_vectors(house: House = house, document: object = document) -> bool:
            return all((await house.points(document.user_id, document.id)).values())  # type: ignore[attr-defined]

        await until(has_vectors, "every passage has its vector")
        await house.workbench.stop()
        house.workbench.settings.folder.rename(house.folder / user)
    assert len(embedded) == len(set(embedded)) > 0
