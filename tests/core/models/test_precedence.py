from __future__ import annotations

import asyncio
from contextvars import copy_context

import pytest

from core.models.precedence import QuestionPrecedence


async def test_nobody_asks_so_nobody_waits() -> None:
    assert await QuestionPrecedence().passed(60) == 0.0


async def test_it_has_passed_when_the_last_question_is_answered() -> None:
    precedence, background = QuestionPrecedence(), copy_context()
    with precedence:
        with precedence:
            waiting = asyncio.create_task(precedence.passed(60), context=background)
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
    assert await waiting < 60


async def test_waiting_ends_with_patience() -> None:
    precedence, background = QuestionPrecedence(), copy_context()
    with precedence:
        assert await asyncio.create_task(precedence.passed(0.01), context=background) == 0.01
        assert await asyncio.create_task(precedence.passed(0.0), context=background) == 0.0


async def test_who_works_for_a_question_is_not_held_up_by_questions() -> None:
    precedence, background = QuestionPrecedence(), copy_context()
    with precedence:
        assert await precedence.passed(60) == 0.0
        waiting = asyncio.create_task(precedence.passed(60), context=background)
        await asyncio.sleep(0)
        assert not waiting.done()
    assert await waiting < 60


async def test_a_question_that_fails_gives_it_back() -> None:
    precedence = QuestionPrecedence()
    with pytest.raises(KeyError), precedence:
        raise KeyError
    assert not precedence.held
