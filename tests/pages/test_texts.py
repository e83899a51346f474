"""Tests the page's own texts: all are served in every language, under the keys that the scripts use."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.messages import message
from core.words import LANGUAGES
from pages.texts import text_routes


def test_every_language_is_served_at_once() -> None:
    app = FastAPI()
    app.include_router(text_routes())
    reply = TestClient(app).get("/page/texts.json").json()
    assert set(reply) == set(LANGUAGES)
    for language, texts in reply.items():
        assert texts["frame.tab_chat"] == message("page.frame.tab_chat").to(language)
        assert set(texts["memory.found"]) >= {"one", "other"}
        assert not any(key.startswith("page.") for key in texts)
