"""Sign-in at an identity provider: redirects the browser there, and starts a normal session when it returns."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from core.accounts.records import SIGN_IN_SECONDS, Account, BegunSignIn
from core.errors import PalimpsestError, explain, fail
from pages.auth import address_of
from pages.sign_in import Entrance

if TYPE_CHECKING:
    from core.accounts.openid import OpenIdProvider

log = logging.getLogger(__name__)

PATH = "/login/provider"
COOKIE = "palimpsest_sign_in"
"""Name of a cookie by which the browser that started the sign-in is recognised when it returns; it is then removed."""


def provider_routes(entrance: Entrance) -> APIRouter:
    """Routes for sign-in at a provider; if no provider is configured, both return a message that says so."""
    router = APIRouter()

    @router.get(PATH)
    async def begin(request: Request) -> Response:
        try:
            address, begun = await _provider(entrance).begin(_back(request))
        except Exception as error:
            return _told(entrance, error)
        response = RedirectResponse(address, status_code=303, headers={"Cache-Control": "no-store"})
        response.set_cookie(
            COOKIE,
            entrance.identity.sealed(begun.model_dump()),
            max_age=int(SIGN_IN_SECONDS),
            path=PATH,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response

    @router.get(f"{PATH}/back")
    async def come_back(request: Request) -> Response:
        try:
            account = await _admitted(entrance, request)
        except Exception as error:
            await entrance.audit.note("", "sign_in_failed", action="provider", address=address_of(request))
            response = _told(entrance, error)
        else:
            response = await entrance.open_for(account, request, "provider")
        response.delete_cookie(COOKIE, path=PATH)
        return response

    return router


async def _admitted(entrance: Entrance, request: Request) -> Account:
    kept = entrance.identity.unsealed(request.cookies.get(COOKIE, ""))
    if kept is None:
        raise fail("auth", "accounts.openid.not_believed", detail="nothing was begun in this browser")
    begun = BegunSignIn.model_validate(kept)
    return await entrance.accounts.admit(await _provider(entrance).finish(begun, _back(request), request.query_params))


def _provider(entrance: Entrance) -> OpenIdProvider:
    if entrance.accounts.provider is None:
        raise fail("not_found", "accounts.openid.none")
    return entrance.accounts.provider


def _told(entrance: Entrance, error: Exception) -> Response:
    if not isinstance(error, PalimpsestError):
        log.error("signing in at the provider failed", exc_info=error)
    return entrance.page(problem=explain(error), status=403)


def _back(request: Request) -> str:
    return f"{request.base_url}{PATH.removeprefix('/')}/back"
