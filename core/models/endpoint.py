"""Calls one model service over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

import httpx
from pydantic import JsonValue, SecretStr

from core.certificates import trusted
from core.errors import Category, PalimpsestError, explain, general_problem
from core.messages import message
from core.words import Words

RETRIED: frozenset[Category] = frozenset({"timeout", "connection", "rate_limit", "server"})
UNREADABLE = (ValueError, RecursionError)
MOST_BYTES = 200_000_000
RATE_LIMIT_PAUSE = 1.0
"""Seconds before the one retry after a rate limit."""

Sleep = Callable[[float], Awaitable[None]]


class Endpoint:
    """Posts JSON to a model service; the key is sent in the header and nowhere else.

    Args:
        service: the service's name for users.
        seconds: timeout of one attempt, including reading the response.
        retries: further attempts after a timeout, a lost connection, a rate limit or a server error.
        most_bytes: maximum size of one response; a longer one is not read.
    """

    def __init__(
        self,
        service: Words,
        url: str,
        key: SecretStr | None,
        seconds: float,
        retries: int = 1,
        sleep: Sleep = asyncio.sleep,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._service = service
        self._url = url.rstrip("/")
        self._key = key
        self._seconds = seconds
        self._retries = retries
        self._sleep = sleep
        self._most_bytes = most_bytes
        self._client: httpx.AsyncClient | None = None

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> JsonValue:
        """The JSON answer to ``body``. ``path`` is not added when the address already ends with it.

        Raises:
            PalimpsestError: in the category of the last attempt's error.
        """
        url = self._url if self._url.endswith(path) else self._url + path
        for left in reversed(range(self._retries + 1)):
            try:
                async with asyncio.timeout(self._seconds):
                    return await self._once(url, body)
            except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, RecursionError) as error:
                category = "server" if isinstance(error, UNREADABLE) else explain(error).category
                if not left or category not in RETRIED:
                    raise self.failed(category, _detail(error)) from error
                if category == "rate_limit":
                    await self._sleep(RATE_LIMIT_PAUSE)
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, url: str, body: Mapping[str, JsonValue]) -> JsonValue:
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=self._seconds, verify=trusted())
        headers = {"Authorization": f"Bearer {self._key.get_secret_value()}"} if self._key else {}
        async with self._client.stream("POST", url, json=dict(body), headers=headers) as response:
            response.raise_for_status()
            raw = bytearray()
            async for piece in response.aiter_bytes():
                raw += piece
                if len(raw) > self._most_bytes:
                    raise ValueError("the answer is too long")
        answer: JsonValue = json.loads(raw)
        return answer

    def failed(self, category: Category, detail: str) -> PalimpsestError:
        """The error to raise; ``detail`` is for the log."""
        what = message("models.endpoint.failed", service=self._service)
        problem = general_problem(category).model_copy(update={"what": what})
        return PalimpsestError(problem, f"{self._service.en}: {detail}")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _detail(error: Exception) -> str:
    """The error for the log, without the address and the response body, which may contain a password or a key."""
    status = f" {error.response.status_code}" if isinstance(error, httpx.HTTPStatusError) else ""
    return type(error).__name__ + status


def list_in(answer: JsonValue) -> list[JsonValue]:
    """The list in the response. Raises ``TypeError`` if it is not a list."""
    if not isinstance(answer, list):
        raise TypeError("expected a list")
    return answer


def object_in(answer: JsonValue) -> dict[str, JsonValue]:
    """The object in the response. Raises ``TypeError`` if it is not an object."""
    if not isinstance(answer, dict):
        raise TypeError("expected an object")
    return answer


async def reachable(url: str, seconds: float) -> bool:
    """Whether a server answers at the address, with any status: services have no common path that is free to call."""
    try:
        async with httpx.AsyncClient(timeout=seconds, verify=trusted()) as client:
            await client.get(url)
    except httpx.HTTPError:
        return False
    return True
