"""Tests who may call every action and every route: each must have a row in ``roles.txt``.

To write the file again after a change, run ``PYTHONPATH=. python tests/pages/security/test_roles.py`` and review the
differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from fastapi.routing import APIRoute
from pydantic import ValidationError
from starlette.requests import Request

import app
from core.accounts.api_keys import ALL_SCOPES
from core.accounts.records import ApiKey
from core.errors import PalimpsestError
from core.settings import Settings
from core.workbench import Workbench
from pages.actions import Action, Actions
from pages.auth import COOKIE, Caller, Gate, Identity
from pages.handlers import all_handlers
from tests.people import Named

ROLES = Path(__file__).with_name("roles.txt")
KEYS = {f"key:{scope}": Caller("ada", "key", (scope,)) for scope in ALL_SCOPES}
CALLERS = {"nobody": None, "person": Caller("bob"), "administrator": Caller("ada"), **KEYS}
HEAD = f"# {'what':<34} {'noted as':<15} who gets through\n"


def world(home: Path) -> tuple[Actions, Identity]:
    settings = Settings(_env_file=None, home=home)
    identity = Identity(settings, Named("ada", "bob"), Presented())
    return Actions(identity, all_handlers(Workbench(settings), identity)), identity


class Presented:
    """API keys of the administrator, one for each scope."""

    async def presented(self, text: str) -> ApiKey | None:
        scope = text.removeprefix("pal_")
        known = {"id": "key_1", "user_id": "ada", "name": "", "prefix": "", "digest": "", "created_at": 0.0}
        return ApiKey(**known, scopes=(scope,)) if scope in ALL_SCOPES else None


def gets_through(actions: Actions, action: Action, caller: Caller | None) -> bool:
    """Returns whether the request passes the access check. A validation error means yes: it comes after the check."""
    request = SimpleNamespace(cookies={}, headers={}, state=SimpleNamespace(caller=caller))
    try:
        actions.admit(action, {}, request)
    except ValidationError:
        return True
    except PalimpsestError:
        return False
    return True


def rows_of_actions(actions: Actions) -> Iterator[str]:
    for each in actions.all:
        name = each.doors.endpoint or (each.doors.tool.name if each.doors.tool else each.name)
        through = [who for who, caller in CALLERS.items() if gets_through(actions, each, caller)]
        yield f"{name:<36} {each.doors.noted or '-':<15} {' '.join(through)}\n"


# -- routes ------------------------------------------------------------------------------------


def routes(home: Path) -> list[tuple[str, str]]:
    """Returns method and path of each of our own routes. Gradio's routes have the same access check."""
    served = app.create_app(Settings(_env_file=None, home=home))
    inner = [
        each for part in served.routes for each in getattr(getattr(part, "original_router", None), "routes", [part])
    ]
    found = [(method, each.path) for each in inner if isinstance(each, APIRoute) for method in each.methods]
    return sorted(set(found) | {("POST", "/mcp"), ("GET", "/"), ("GET", "/config"), ("POST", "/gradio_api/upload")})


async def opens(identity: Identity, method: str, path: str, who: str) -> bool:
    """Whether a caller gets access to a route."""
    headers = {"nobody": {}, "person": {"cookie": f"{COOKIE}={identity.cookie_of('bob')}"}}.get(who)
    if who == "administrator":
        headers = {"cookie": f"{COOKIE}={identity.cookie_of('ada')}"}
    if headers is None:
        headers = {"authorization": f"Bearer pal_{who.removeprefix('key:')}"}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "headers": raw, "query_string": b""}
    passed: list[bool] = []

    async def behind(*_: object) -> None:
        passed.append(True)

    async def send(_: object) -> None: ...

    request = Request(scope)
    await Gate(behind, identity)(scope, request.receive, send)
    return bool(passed)


class OpenSessions:
    """Fake sessions, in which a session's token is the user's name."""

    async def owner_of(self, token: str) -> str | None:
        return token


async def rows_of_routes(home: Path, identity: Identity) -> list[str]:
    identity._accounts.sessions = OpenSessions()  # type: ignore[misc]
    rows = []
    for method, path in routes(home):
        through = [who for who in CALLERS if await opens(identity, method, path, who)]
        rows.append(f"{method + ' ' + path:<36} {'-':<15} {' '.join(through)}\n")
    return rows


async def table(home: Path) -> str:
    actions, identity = world(home)
    return HEAD + "".join([*sorted(rows_of_actions(actions)), *await rows_of_routes(home / "served", identity)])


async def test_every_action_and_every_route_lets_through_whom_its_row_names(tmp_path: Path) -> None:
    assert await table(tmp_path) == ROLES.read_text(encoding="utf-8")


async def test_what_the_table_must_say_whatever_changes(tmp_path: Path) -> None:
    actions, _ = world(tmp_path)
    for each in actions.all:
        name = each.doors.endpoint or each.name
        assert not gets_through(actions, each, None), name
        if each.doors.who.startswith("administrator"):
            assert not gets_through(actions, each, CALLERS["person"]), name
            assert gets_through(actions, each, CALLERS["administrator"]), name
            for who in ("key:read", "key:ask", "key:write"):
                assert not gets_through(actions, each, CALLERS[who]), name
        else:
            assert gets_through(actions, each, CALLERS["person"]), name
        if each.doors.who.endswith("in person"):
            assert not any(gets_through(actions, each, caller) for caller in KEYS.values()), name


def test_what_people_look_for_afterwards_is_noted(tmp_path: Path) -> None:
    actions, _ = world(tmp_path)
    noted = {each.called for each in actions.all if each.doors.noted}
    assert noted >= {"delete_document", "delete_conversation", "create_api_key", "change_role"}


if __name__ == "__main__":
    import asyncio
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        ROLES.write_text(asyncio.run(table(Path(folder))), encoding="utf-8")
