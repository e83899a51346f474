"""What a browser may keep: *a file of the page* → an address that names the state of all of them, kept for good there.

A browser that is told nothing guesses by a file's age how long it is good for, and after an upgrade runs old scripts
beside new ones; one that is told to ask does so for a hundred scripts on every load.
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
"""Where Gradio serves its scripts, whose names carry a digest of what is in them."""
FOR_GOOD = "public, max-age=31536000, immutable"
ASKING_EACH_TIME = "no-cache"
_STATE = re.compile(rf"(?<=^{PAGE})v[0-9a-f]{{12}}/")


@cache
def state() -> str:
    """``v`` and twelve hexadecimal digits of all files and texts of the page, as they are when this is first asked."""
    digest = hashlib.sha256(json.dumps(page_texts(), sort_keys=True).encode())
    for path in sorted(each for each in ASSETS.rglob("*") if each.is_file()):
        digest.update(path.relative_to(ASSETS).as_posix().encode() + b"\0" + path.read_bytes())
    return f"v{digest.hexdigest()[:12]}"


def kept(address: str) -> str:
    """Where ``/page/…`` may be kept: ``/page/v0123456789ab/…``."""
    return address.replace(PAGE, f"{PAGE}{state()}/", 1)


def with_kept_addresses(text: str) -> str:
    """Markup or a script, with each ``"/page/…"`` in it where it may be kept."""
    return text.replace(f'"{PAGE}', f'"{kept(PAGE)}')


class KeptFiles:
    """ASGI middleware: takes the state out of an address, and says how long what is found there may be kept.

    A page from before an upgrade goes on asking under its own state: it is given what there is now, not to be kept.
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
