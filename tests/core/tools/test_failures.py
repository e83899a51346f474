"""Tests messages for eight kinds of tool errors, in two languages; they never contain text of the raw error."""

from __future__ import annotations

from typing import get_args

import httpx
import pytest

from core.errors import Category, fail
from core.tools.definition_files import definition_of
from core.tools.failures import category_of, category_of_text, falls_back, problem_with
from core.words import LANGUAGES
from tests.core.tools.made import definition, said

CATEGORIES: tuple[Category, ...] = get_args(Category)


def answered(status: int) -> httpx.HTTPStatusError:
    request = httpx.Request("GET", "https://a.example.com")
    return httpx.HTTPStatusError("boom", request=request, response=httpx.Response(status, request=request))


@pytest.mark.parametrize(
    ("error", "category"),
    [
        (answered(401), "auth"),
        (answered(403), "auth"),
        (answered(404), "not_found"),
        (answered(429), "rate_limit"),
        (answered(400), "validation"),
        (answered(500), "server"),
        (answered(504), "timeout"),
        (TimeoutError(), "timeout"),
        (ConnectionRefusedError(), "connection"),
        (ValueError("401 unauthorized: invalid api key"), "auth"),
        (ValueError("invalid limit"), "validation"),
        (RuntimeError("Request timeout after 60000ms"), "timeout"),
        (RuntimeError("connect ECONNREFUSED 127.0.0.1:8084"), "connection"),
        (RuntimeError("Resource not found"), "not_found"),
        (RuntimeError("Missing required parameter: query"), "validation"),
        (RuntimeError("Rate limit exceeded"), "rate_limit"),
        (RuntimeError("Invalid API key"), "auth"),
        (RuntimeError("403 forbidden: invalid request"), "auth"),
        (RuntimeError("Internal server error"), "server"),
        (RuntimeError("502 Bad Gateway"), "server"),
        (RuntimeError("the cat sat on it"), "unknown"),
        (fail("rate_limit", "errors.rate_limit"), "rate_limit"),
    ],
)
def test_the_kind_of_a_failure(error: BaseException, category: Category) -> None:
    assert category_of(error) == category


def test_numbers_within_others_are_no_status() -> None:
    assert category_of_text("read 14040 rows of 5001") == "unknown"


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_says_what_why_and_what_to_do_and_nothing_raw(category: Category, language: str) -> None:
    made = definition("made", title=said("Open data"))
    error = RuntimeError(
        {
            "timeout": "timeout /secret/path",
            "connection": "ECONNRESET /secret/path",
            "not_found": "404 /secret/path",
            "validation": "invalid /secret/path",
            "rate_limit": "429 /secret/path",
            "auth": "401 /secret/path",
            "server": "500 /secret/path",
            "unknown": "/secret/path",
        }[category]
    )
    problem = problem_with(made, error)
    assert problem.category == category
    what, why, remedy = problem.to(language)
    assert all((what, why, remedy))
    assert "Open data" in what
    assert "secret" not in what + why + remedy
    assert (language == "he") == any("א" <= letter <= "ת" for letter in why)


def test_a_tool_has_hints_of_its_own() -> None:
    problem = problem_with(definition_of("tavily_search"), RuntimeError("404"))
    assert "English" in problem.remedy.en
    assert "באנגלית" in problem.remedy.to("he")
    other = problem_with(definition_of("tavily_search"), RuntimeError("500"))
    assert "English" not in other.remedy.en


def test_who_says_precisely_what_happened_is_left_to_say_it() -> None:
    problem = problem_with(
        definition("made"), fail("not_found", "tools.library.no_such_document", name="Lease", there="–")
    )
    assert "Lease" in problem.why.en


def test_only_permission_is_final() -> None:
    made = definition("made")
    final = [each for each in CATEGORIES if not falls_back(problem_with(made, fail(each, f"errors.{each}")))]
    assert final == ["auth"]
