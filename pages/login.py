"""The door: a form that turns a name and a password into a signed session."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from pages.identity import COOKIE, Identity
from viz.templating import render


def login_routes(identity: Identity) -> APIRouter:
    router = APIRouter()

    @router.get("/login")
    async def form() -> HTMLResponse:
        return HTMLResponse(render("login", refused=False))

    @router.post("/login")
    async def sign_in(name: Annotated[str, Form()], password: Annotated[str, Form()]) -> Response:
        session = identity.sign_in(name, password)
        if session is None:
            return HTMLResponse(render("login", refused=True), status_code=401)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(COOKIE, session, httponly=True, samesite="lax")
        return response

    @router.post("/logout")
    async def sign_out() -> Response:
        response = RedirectResponse("/login", status_code=303)
        response.delete_cookie(COOKIE)
        return response

    return router
