from __future__ import annotations

from core.memory.items.reasons import FailureReason
from core.memory.items.records import OutcomeEffect, ScoreChange
from core.memory.records import FeedbackEffect, RankingPreview
from core.store.items import Outcome
from core.words import Words
from viz.feedback import feedback_effect


def effect(outcome: Outcome, why: FailureReason | None = None) -> FeedbackEffect:
    moved = ScoreChange(
        memory_id="m", preview="asked", tier="working", to_tier="working", before=0.5, after=0.2, uses=1
    )
    return FeedbackEffect(
        answer_id="msg_1",
        outcome=outcome,
        effect=OutcomeEffect(answer_id="msg_1", outcome=outcome, moved=[moved]),
        ranking_previews=[
            RankingPreview(memory_id="b", tier="books", preview="a < b", title="Policy", before=1.0, factor=0.4)
        ],
        summary=Words(en="It comes later.", he="יופיע מאוחר יותר."),
        why=why,
    )


def test_what_moved_is_a_sentence_and_no_share() -> None:
    html = str(feedback_effect(effect("failed"), "en"))
    assert "It comes later." in html
    assert "Will rank lower for this question" in html
    assert "a &lt; b" in html
    assert "%<" not in html


def test_only_what_did_not_help_asks_why() -> None:
    assert "data-why=" not in str(feedback_effect(effect("worked"), "en"))
    for outcome in ("partial", "failed"):
        assert str(feedback_effect(effect(outcome), "he")).count("data-why=") == 4  # type: ignore[arg-type]


def test_what_was_said_of_it_is_shown_and_escaped() -> None:
    html = str(feedback_effect(effect("failed", FailureReason(reason="outdated", words="<i>old</i>")), "en"))
    assert 'data-why="outdated" aria-pressed="true"' in html
    assert 'data-why="wrong_figure" aria-pressed="false"' in html
    assert "outdated: &lt;i&gt;old&lt;/i&gt;" in html
    assert "<i>old" not in html


def test_the_fields_that_a_program_receives_keep_their_names() -> None:
    sent = effect("worked").model_dump(mode="json", by_alias=True)
    assert {"ahead", "meant", "told"} <= sent.keys()
    assert sent["told"]["en"] == "It comes later."
