"""Takes a typed correction, finds its passage, and gives it back when the same is asked again."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.clock import Clock
from core.errors import fail
from core.language.sentences import split_sentences
from core.memory.corrections.finding import LONGEST, PassageFinder
from core.memory.corrections.matching import (
    LEAST_NEAR,
    SAME,
    Asked,
    Families,
    Sentences,
    Standing,
    Standings,
    may_ask_same,
    nearness,
    odds,
    repeated,
    same_words,
    standing_odds,
    without_codes,
)
from core.memory.corrections.records import MOST_CHARACTERS, Correction, Pin
from core.memory.corrections.store import Corrections, correction_id
from core.memory.corrections.values import firmness
from core.memory.items.records import AnswerRecord
from core.memory.outcomes.examples import packed, unpacked
from core.memory.retrieval import Retrieval
from core.store.index import Vector

log = logging.getLogger(__name__)

MOST_NEAR = 6
"""Number of corrections that are compared closely."""
MOST_SENTENCES = 40
"""Maximum number of sentences of a passage that are compared."""


@dataclass
class Correcting:
    """Corrects answers.

    >>> run(workbench.memory.corrections.of_question("ada", "What is the monthly rent?")) is None
    True
    """

    _store: Corrections
    _finder: PassageFinder
    _retrieval: Retrieval
    _clock: Clock

    async def give(self, answer: AnswerRecord, value: str) -> Correction:
        """Store the right value of an answer's question, pinned to the passage that holds it if there is one.

        Raises:
            PalimpsestError: the value is empty or too long ("validation").
        """
        typed = " ".join(value.split())
        if not 1 <= len(typed) <= MOST_CHARACTERS:
            raise fail("validation", "memory.corrections.length", most=MOST_CHARACTERS)
        question = answer.question_in_full or answer.question
        earlier = await self._store.of_answer(answer.user_id, answer.id)
        if earlier and earlier.value == typed and earlier.question == question and earlier.pin:
            return earlier
        pin, usual = await self._finder.find(
            answer.user_id, question, typed, answer.conversation_id, list(answer.cited)
        )
        vector = await self._vector(question)
        correction = Correction(
            id=correction_id(answer.id),
            user_id=answer.user_id,
            answer_id=answer.id,
            conversation_id=answer.conversation_id,
            question=question,
            value=typed,
            pin=pin,
            vector=packed(vector) if vector is not None else None,
            usual=packed(usual) if usual is not None else None,
            created_at=self._clock(),
        )
        await self._store.put(correction)
        await self._sentences(correction)  # Their vectors are ready when the question is asked again.
        return correction

    async def of_answer(self, user_id: str, answer_id: str) -> Correction | None:
        return await self._store.of_answer(user_id, answer_id)

    async def undo(self, user_id: str, answer_id: str) -> bool:
        """Remove the correction of an answer; returns whether there was one."""
        return await self._store.remove(user_id, answer_id)

    async def of_question(
        self,
        user_id: str,
        question: str,
        families: Families = lambda question: frozenset(),
        standings: Standings | None = None,
    ) -> Correction | None:
        """The correction that applies to a question (in full), or ``None``; ``families`` tells what a question asks
        for, ``standings`` how pinned sentences compare with all others. A correction whose document is deleted does not
        apply."""
        known = await self._store.newest(user_id)
        if not known:
            return None
        found = repeated(question, known) or await self._reworded(question, known, families, standings)
        return await self._present(found) if found else None

    async def _reworded(
        self, question: str, known: Sequence[Correction], families: Families, standings: Standings | None
    ) -> Correction | None:
        """The correction of the question that surely asks the same in other words."""
        asked = Asked(question, await self._vector(question), families(question))
        others = [
            (Asked(each.question, unpacked(each.vector) if each.vector else None, families(each.question)), each)
            for each in known
        ]
        possible = [
            (other, each)
            for other, each in others
            if may_ask_same(asked, other, each.value, each.pin.quote if each.pin else "")
        ]
        calibration = self._retrieval.calibration
        if calibration is None or asked.vector is None:
            return next((each for other, each in possible if same_words(asked, other)), None)
        near = [(share, other, each) for other, each in possible if (share := nearness(asked, other, calibration))]
        nearest = sorted((each for each in near if each[0] >= LEAST_NEAR), key=lambda each: -each[0])[:MOST_NEAR]
        width = calibration.high - calibration.low
        pins = [correction.pin for _, _, correction in nearest if correction.pin]
        stood = iter(await self._stood(pins, standings))
        scored = []
        for share, other, correction in nearest:
            standing = next(stood) if correction.pin else None
            if standing is not None:
                scored.append((standing_odds(asked, other, share, standing), correction))
            else:
                alike = odds(asked, other, share, await self._sentences(correction), width)
                scored.append((alike - SAME, correction))
        best = max(scored, key=lambda each: each[0], default=None)
        return best[1] if best and best[0] >= 0 else None

    async def _stood(self, pins: Sequence[Pin], standings: Standings | None) -> Sequence[Standing | None]:
        if standings is None or not pins:
            return [None] * len(pins)
        try:
            return await standings(pins)
        except Exception:
            log.warning("a question is compared with corrections without the other sentences", exc_info=True)
            return [None] * len(pins)

    async def _sentences(self, correction: Correction) -> Sentences | None:
        """The sentences of the pinned passage as vectors, which the model keeps; ``None`` without a pin."""
        pin, embeddings = correction.pin, self._retrieval.embeddings_first
        items = await self._retrieval.items.load(correction.user_id, [pin.item_id]) if pin else []
        if pin is None or not items or embeddings is None or correction.usual is None:
            return None
        texts = [sentence.text[:LONGEST] for sentence in split_sentences(items[0].text)][:MOST_SENTENCES]
        place = next((index for index, text in enumerate(texts) if pin.quote in text or text in pin.quote), None)
        if place is None:
            return None
        joined = [" ".join(texts[max(0, index - 1) : index + 1]) for index in range(len(texts))]
        try:
            return Sentences(await embeddings.embed_passages(joined), place, unpacked(correction.usual))
        except Exception:
            log.warning("a question is compared with a correction without its passage", exc_info=True)
            return None

    async def holding(self, correction: Correction, item_ids: Sequence[str]) -> set[str]:
        """The passages among ``item_ids`` that hold the correction."""
        items = await self._retrieval.items.load(correction.user_id, item_ids)
        pinned = {correction.pin.item_id} if correction.pin else set()
        return pinned | {item.id for item in items if item.tier == "books" and firmness(correction.value, item.text)}

    async def compact(self) -> None:
        """Delete the pins of documents that are gone (maintenance); a deletion that can be undone keeps them."""
        for correction in await self._store.pinned():
            pin = correction.pin
            if pin is None or await self._retrieval.items.readable(correction.user_id, pin.item_id) is not None:
                continue
            if await self._present(correction) is None:
                await self._store.remove(correction.user_id, correction.answer_id)

    async def _present(self, correction: Correction) -> Correction | None:
        """The correction with a passage that can be read; a document that was read again has new passages."""
        pin = correction.pin
        if pin is None or await self._retrieval.items.load(correction.user_id, [pin.item_id]):
            return correction
        found = await self._finder.in_document(
            correction.user_id, pin.document_id, correction.question, correction.value
        )
        if found is None:
            return None
        moved = correction.model_copy(update={"pin": found})
        await self._store.put(moved)
        return moved

    async def _vector(self, question: str) -> Vector | None:
        embeddings = self._retrieval.embeddings_first
        if embeddings is None or self._retrieval.dense_off is not None:
            return None
        try:
            return await self._retrieval.dependencies.embeddings.attempt(
                lambda: embeddings.embed_query(without_codes(question) or question)
            )
        except Exception:
            log.warning("a question is compared with corrections by words only", exc_info=True)
            return None
