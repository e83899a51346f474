"""Browser caching: gives each file of the page an address that contains the version of all files, so that it can be
cached permanently.

Without caching headers, a browser guesses from a file's age how long to cache it, and after an upgrade mixes old and
new scripts. If it must revalidate, it does so for a hundred scripts on every load.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.texts import page_texts

ASSETS = Path(__file__).parent / "assets"
PAGE = "/page/"
GRADIOS = "/assets/"
"""Where Gradio serves its scripts, whose names contain a digest of their content."""
FOR_GOOD = "public, max-age=31536000, immutable"
ASKING_EACH_TIME = "no-cache"
_STATE = re.compile(rf"(?<=^{PAGE})v[0-9a-f]{{12}}/")


@cache
def state() -> str:
    """The version: ``v`` and twelve hexadecimal digits computed from all files and texts of the page, at the first
    call."""
    digest = hashlib.sha256(json.dumps(page_texts(), sort_keys=True).encode())
    for path in sorted(each for each in ASSETS.rglob("*") if each.is_file()):
        digest.update(path.relative_to(ASSETS).as_posix().encode() + b"\0" + path.read_bytes())
    return f"v{digest.hexdigest()[:12]}"


def kept(address: str) -> str:
    """The cacheable address of ``/page/…``: ``/page/v0123456789ab/…``."""
    return address.replace(PAGE, f"{PAGE}{state()}/", 1)


def with_kept_addresses(text: str) -> str:
    """The markup or script, with each ``"/page/…"`` replaced by its cacheable address."""
    return text.replace(f'"{PAGE}', f'"{kept(PAGE)}')


class KeptFiles:
    """ASGI middleware that removes the version from an address, and sets how long the response may be cached.

    A page loaded before an upgrade requests the old version; it gets the current files, without caching.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if not path.startswith((PAGE, GRADIOS)):
            await self._app(scope, receive, send)
            return
        for_good = path.startswith((GRADIOS, kept(PAGE)))
        plain = _STATE.sub("", path)
        scope = {**scope, "path": plain, "raw_path": plain.encode()}

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                headers = MutableHeaders(scope=message)
                if for_good:
                    headers["Cache-Control"] = FOR_GOOD
                else:
                    headers.setdefault("Cache-Control", ASKING_EACH_TIME)
            await send(message)

        await self._app(scope, receive, say)
