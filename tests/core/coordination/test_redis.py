from __future__ import annotations

import asyncio
import sys
from subprocess import check_output

from core.coordination.redis import RedisConnection, open_redis
from core.resilience.dependencies import Dependency
from core.settings import Settings
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer


async def test_it_is_missed_when_it_is_away_and_found_when_it_is_back(connect: Connect, redis: RedisServer) -> None:
    connection = connect()
    assert await connection.answers()
    redis.kill()
    assert not await connection.answers()
    redis.start()
    assert await connection.answers(), "one connection less is no failure: it is made anew"
    redis.freeze()
    assert not await connection.answers()
    redis.thaw()
    assert await connection.answers()


def test_the_address_that_people_see_has_no_password() -> None:
    connection = RedisConnection("redis://bench:secret@cache.example:6379/1", Dependency("Redis", 1.0))
    assert connection.address == "redis://cache.example:6379/1"


def test_where_none_is_set_there_is_none_and_no_library_of_a_server_is_even_imported() -> None:
    assert open_redis(Settings(_env_file=None), lambda _: None) is None
    code = "import sys, core.workbench; print({'redis', 'taskiq', 'pymongo', 'qdrant_client'} & {*sys.modules})"
    assert check_output([sys.executable, "-c", code], text=True).strip() == "set()"


async def test_a_call_that_is_cancelled_at_whatever_step_ends_cancelled(connect: Connect) -> None:
    over, steps = False, 0
    while not over:
        connection = connect()
        call = asyncio.create_task(connection.attempt(lambda client: client.llen("x")))
        for _ in range(steps):
            await asyncio.sleep(0)
        over = call.done()
        if not over:
            call.cancel()
            await asyncio.wait([call])
            assert call.cancelled(), f"after {steps} steps"
        steps += 1
    assert steps > 3
