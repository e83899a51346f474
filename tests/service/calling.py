"""Calls the named endpoints of a workbench in the same way as a client."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pages.actions import Actions
from pages.gradio_doors import endpoints
from pages.handlers import all_handlers
from tests.service.house import House

REQUEST = SimpleNamespace(cookies={}, headers={})


class Someone:
    """A fake sign-in check that always returns the same user."""

    required = False

    def __init__(self, name: str) -> None:
        self.name = name

    def user(self, request: object) -> str:
        return self.name

    def is_administrator(self, user_id: str) -> bool:
        return False

    def is_in_person(self, request: object) -> bool:
        return True

    def may(self, request: object, scope: object) -> bool:
        return True


class Endpoints:
    """``endpoints.list_goals()`` calls ``/list_goals`` as this user and returns the reply."""

    def __init__(self, house: House, user: str = "ada", identity: Any = None) -> None:
        someone = identity or Someone(user)
        self._named = endpoints(Actions(someone, all_handlers(house.workbench, someone)))

    def __getattr__(self, name: str) -> Any:
        endpoint = self._named[name]
        return lambda *args, **given: endpoint(*args, **given, request=REQUEST)
