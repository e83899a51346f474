"""Calls a CKAN portal over HTTP and returns an action's result; retries after growing pauses.

The client identifies itself honestly. A refused request is repeated twice; then the error says that the portal blocked
the workbench. This is reported as a connection error and not as an authentication error, because no key was refused.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import httpx
from pydantic import BaseModel, JsonValue, ValidationError

from core.certificates import trusted
from core.errors import Category, PalimpsestError, explain, fail
from core.resilience.dependencies import Dependency

log = logging.getLogger(__name__)

USER_AGENT = "Palimpsest datagov-external-client"
"""The workbench's user agent, with the marker that data.gov.il asks programs to send."""
PAUSES = (0.5, 1.0)
"""Seconds to wait before each retry."""
MOST_PAUSE = 5.0
"""Maximum seconds to wait if the portal asks for a pause; for a longer pause the call fails."""
MOST_BYTES = 50_000_000
"""Maximum size in bytes of one response or file."""
MOST_REDIRECTS = 3
AGAIN: frozenset[Category] = frozenset({"timeout", "connection", "rate_limit", "server"})
_CHALLENGE = "x-amzn-waf-action"
"""Response header that shows that the portal requires a browser check."""

Sleep = Callable[[float], Awaitable[None]]
Schema = TypeVar("Schema", bound=BaseModel)
Read = TypeVar("Read")


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: httpx.Headers
    body: bytes


class _Refusal(BaseModel, extra="ignore"):
    """CKAN's error message, for the log."""

    success: bool = False
    result: JsonValue = None
    error: JsonValue = None


class Portal:
    """A portal's client. ``seconds`` limits one attempt; ``dependency`` has the circuit breaker and limits the time of
    all attempts in a call."""

    def __init__(self, address: str, seconds: float, dependency: Dependency, sleep: Sleep = asyncio.sleep) -> None:
        self.address = address.rstrip("/")
        self._seconds = seconds
        self._dependency = dependency
        self._sleep = sleep
        self._client: httpx.AsyncClient | None = None

    async def action(self, name: str, schema: type[Schema], **parameters: JsonValue) -> Schema:
        """A CKAN action's result; parameters that are ``None`` are not sent.

        Raises:
            PalimpsestError: the name is unknown ("not_found"), the request is invalid ("validation"), or the portal
            blocks the workbench, cannot be reached ("connection"), requests a pause, is too slow, or fails.
        """
        url = f"{self.address}/api/3/action/{name}"
        given = {key: _written(value) for key, value in parameters.items() if value is not None}
        result = await self._dependency.attempt(lambda: self._persistently(url, given, _result_in))
        try:
            return schema.model_validate(result)
        except ValidationError as error:
            raise fail("server", "tools.datagov.unreadable", detail=f"{name}: {error.error_count()} errors") from error

    async def download(self, url: str) -> bytes:
        """Download a file from the portal.

        Raises:
            PalimpsestError: as ``action``; or the file is on another host ("validation").
        """
        self._admit(url)
        return await self._dependency.attempt(lambda: self._persistently(url, {}, lambda answer: answer.body))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _admit(self, url: str) -> None:
        """Allow only requests to the portal, because a catalogue can contain any address, including one in the local
        network."""
        if urlsplit(url)[:2] != urlsplit(self.address)[:2]:
            raise fail("validation", "tools.datagov.elsewhere", detail=urlsplit(url).netloc)

    async def _persistently(self, url: str, parameters: Mapping[str, str], read: Callable[[_Answer], Read]) -> Read:
        for attempt in range(len(PAUSES) + 1):
            wanted = 0.0
            try:
                async with asyncio.timeout(self._seconds):
                    answer = await self._once(url, parameters)
                wanted = _wanted_pause(answer)
                _judge(answer)
                return read(answer)
            except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, PalimpsestError) as error:
                told = error if isinstance(error, PalimpsestError) else _told(error)
                if attempt == len(PAUSES) or told.problem.category not in AGAIN or wanted > MOST_PAUSE:
                    raise told from error
                log.info("the portal is asked again: %s", told)
            await self._sleep(max(PAUSES[attempt], wanted))
        raise AssertionError("the last attempt returns or raises")

    async def _once(self, url: str, parameters: Mapping[str, str]) -> _Answer:
        if self._client is None:
            headers = {"User-Agent": USER_AGENT, "Accept": "application/json, */*;q=0.5"}
            self._client = httpx.AsyncClient(timeout=self._seconds, headers=headers, verify=trusted())
        for _ in range(MOST_REDIRECTS + 1):
            async with self._client.stream("GET", url, params=parameters or None) as response:
                if response.is_redirect:
                    url, parameters = urljoin(url, response.headers.get("location", "")), {}
                    self._admit(url)
                    continue
                raw = bytearray()
                async for piece in response.aiter_bytes():
                    raw += piece
                    if len(raw) > MOST_BYTES:
                        raise fail("validation", "tools.datagov.too_long", detail=url)
                return _Answer(response.status_code, response.headers, bytes(raw))
        raise fail("server", "tools.datagov.portal_failed", detail="redirected without end")


def _written(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _judge(answer: _Answer) -> None:
    """Raise the error for a response without a result; CKAN's reason is only logged."""
    status = answer.status
    if status == 403 or _CHALLENGE in answer.headers:
        raise fail("connection", "tools.datagov.blocked", detail=f"blocked with {status}")
    if status == 404:
        raise fail("not_found", "tools.datagov.not_found", detail=_reason(answer))
    if status == 429:
        raise fail("rate_limit", "tools.datagov.rate_limited", detail="429")
    if status in (408, 504):
        raise fail("timeout", "tools.datagov.too_slow", detail=str(status))
    if status >= 500:
        raise fail("server", "tools.datagov.portal_failed", detail=str(status))
    if status >= 400:
        raise fail("validation", "tools.datagov.asked_wrongly", detail=f"{status} {_reason(answer)}")


def _result_in(answer: _Answer) -> JsonValue:
    try:
        said = _Refusal.model_validate_json(answer.body)
    except ValidationError as error:
        raise fail("server", "tools.datagov.unreadable", detail=f"{answer.status}, no CKAN answer") from error
    if not said.success:
        raise fail("server", "tools.datagov.portal_failed", detail=str(said.error)[:200])
    return said.result


def _reason(answer: _Answer) -> str:
    try:
        return str(_Refusal.model_validate_json(answer.body).error)[:200]
    except ValidationError:
        return ""


def _wanted_pause(answer: _Answer) -> float:
    """Seconds that the portal asks to wait."""
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isdigit() and answer.status in (429, 503) else 0.0


def _told(error: Exception) -> PalimpsestError:
    category = explain(error).category
    if category == "timeout":
        return fail("timeout", "tools.datagov.too_slow", detail=type(error).__name__)
    return fail("connection", "tools.datagov.unreachable", detail=type(error).__name__)
