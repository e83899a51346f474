"""Sends announcements from one process to all others: *a topic, a key* → the topic's listeners in every process.

Nothing depends on it: listeners also check the record store from time to time, so a lost announcement only causes a
delay. After a lost connection is restored, listeners receive ``MISSED``.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from core.coordination.redis import RedisConnection, no_lost_cancel
from core.resilience.ending import end

if TYPE_CHECKING:
    from redis.asyncio import Redis as Client
    from redis.asyncio.client import PubSub

log = logging.getLogger(__name__)

Topic = Literal["runs", "cancelled", "changed"]
"""Topics: runs with new events, ids to be cancelled, and changed settings."""
Listener = Callable[[str], None]
CHANNEL = "announcements:v1"
MISSED = ""
"""A key that stands for all keys: announcements may have been lost."""
SECONDS_APART = 1.0
"""Seconds between two attempts to reconnect."""
PATIENCE = 5.0
"""Seconds that one wait for an announcement takes; then the connection is tested."""


class Announcements:
    """Sends and receives announcements. ``origin`` is this process's name: its own announcements reach its listeners
    without Redis, and are ignored when they come back."""

    def __init__(self, redis: RedisConnection | None, origin: str) -> None:
        self._redis = redis
        self._origin = origin
        self._listeners: defaultdict[Topic, list[Listener]] = defaultdict(list)
        self._untold: dict[tuple[Topic, str], None] = {}
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.hearing = asyncio.Event()
        """Set while announcements from other processes can be received."""

    def listen(self, topic: Topic, listener: Listener) -> None:
        """Call ``listener`` with each key of the topic that another process announces; it must not block."""
        self._listeners[topic].append(listener)

    def tell(self, topic: Topic, key: str) -> None:
        """Announce a key; never blocks. A key announced again before it was sent is sent once."""
        if self._redis is not None:
            self._untold[topic, key] = None
            self._something.set()

    async def start(self) -> None:
        if self._redis is not None:
            self._tasks = [asyncio.create_task(self._send(self._redis)), asyncio.create_task(self._hear(self._redis))]

    async def stop(self) -> None:
        await end(self._tasks, SECONDS_APART)

    async def _send(self, redis: RedisConnection) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            told, self._untold = list(self._untold), {}
            await redis.try_to(partial(self._publish, told), None)

    async def _publish(self, told: list[tuple[Topic, str]], client: Client) -> None:
        await client.publish(CHANNEL, json.dumps([self._origin, told]))

    async def _hear(self, redis: RedisConnection) -> None:
        while True:
            try:
                async with redis.listening(CHANNEL) as heard:
                    await self._take_in(heard)
            except Exception as error:
                log.info("announcements are not heard: %s", error)
            finally:
                self.hearing.clear()
            await asyncio.sleep(SECONDS_APART)

    async def _take_in(self, heard: PubSub) -> None:
        asked = False
        while True:
            with no_lost_cancel():
                given = await heard.get_message(timeout=PATIENCE)
                if given is None:
                    if asked:
                        raise TimeoutError("no sign of life")
                    await heard.ping()
            asked = given is None
            if given is None:
                continue
            if given["type"] == "subscribe":
                self.hearing.set()
                for topic in list(self._listeners):
                    self._pass_on(topic, MISSED)
            elif given["type"] == "message":
                origin, told = json.loads(given["data"])
                if origin != self._origin:
                    for topic, key in told:
                        self._pass_on(topic, key)

    def _pass_on(self, topic: Topic, key: str) -> None:
        for listener in self._listeners[topic]:
            try:
                listener(key)
            except Exception:
                log.exception("an announcement of %s was lost", topic)
