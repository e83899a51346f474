"""Collects the evidence of a concept: memories, passages, documents and answers; and finds the
concepts of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from core.knowledge.extraction.definitions import introduces_name, is_definition
from core.knowledge.extraction.known_entities import DocumentRecord
from core.knowledge.extraction.question import keys_named
from core.knowledge.known_documents import DOCUMENTS
from core.knowledge.nodes import AllNodes, Node
from core.knowledge.sentences import introducing, names_of, quoted, with_source
from core.knowledge.views import AnswerRef, Concept, ConceptDetail, Definition, DocumentRef, Passage, Related
from core.language.sentences import split_sentences
from core.memory.items.records import AnswerRecord, preview
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.answers import ANSWERS, Answers
from core.store.items import MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Truth
from core.store.typed_collection import records_of

MESSAGES = "messages"
SENTENCES = 4
"""Number of texts of a link in which a sentence that names both ends is looked for."""
LOOKED_AT = 100
"""Number of texts, and of answers, from which the ones to show are selected."""


class ConceptEvidence:
    def __init__(self, truth: Truth, items: MemoryItems) -> None:
        self._truth = truth
        self._items = items
        self._given = Answers(truth)

    async def of(self, user_id: str, known: AllNodes, node: Node, most: int) -> ConceptDetail:
        """The concept's details, except its neighbours."""
        sources = known.grown.content.texts(node.id)
        ids = [source.item_id for source in sources]
        bank = [source.item_id for source in sources if source.tier != "books"][:LOOKED_AT]
        books = [source.item_id for source in sources if source.tier == "books"][:LOOKED_AT]
        items = {item.id: item for item in await self._items.load(user_id, [*bank, *books])}
        facts = sorted((items[each] for each in bank if each in items), key=lambda item: (-_quality(item), item.id))
        passages = [items[each] for each in books if each in items]
        counts = Counter(source.document_id for source in sources if source.tier == "books" and source.document_id)
        titles = {item.source.book.book_id: item.source.book.title for item in passages if item.source.book}
        titles |= await self._current_titles(user_id, list(counts))
        concept = node.shown()
        definition = _definition((node.label, *node.names, *node.labels.values()), [*facts, *passages])
        return ConceptDetail(
            concept=concept,
            definition=definition,
            first_sentence=None if definition else introducing([*facts, *passages], names_of(concept)),
            memories=[_item_passage(item) for item in facts[:most]],
            passages=[_item_passage(item) for item in passages[:most]],
            documents=[
                DocumentRef(document_id=document, title=titles.get(document, ""), passages=count)
                for document, count in counts.most_common(most)
            ],
            answers=await self._answers(user_id, node, ids, most),
        )

    async def passages_of(self, user_id: str, document_id: str) -> list[MemoryItem]:
        """The passages of a document in reading order."""
        return await self._items.of_document(user_id, document_id)

    async def with_sentences(self, user_id: str, concept: Concept, related: Sequence[Related]) -> list[Related]:
        """The related concepts, each with a sentence that names both."""
        wanted = {id: None for each in related for id in each.edge.evidence[:SENTENCES] if id.startswith("mem_")}
        items = {item.id: item for item in await self._items.load(user_id, list(wanted))}
        names = names_of(concept)
        found = []
        for each in related:
            texts = [items[id] for id in each.edge.evidence[:SENTENCES] if id in items]
            sentence = quoted(texts, names, names_of(each.concept))
            found.append(each.model_copy(update={"sentence": sentence}))
        return found

    async def _current_titles(self, user_id: str, document_ids: Sequence[str]) -> dict[str, str]:
        """The documents' current titles; each document is read once, however many passages name the concept."""
        documents = ScopedTruth(self._truth, user_id).collection(DOCUMENTS)
        rows = await documents.find({"_id": {"$in": list(document_ids)}}, fields=["metadata.title", "filename"])
        records = [DocumentRecord.model_validate(row) for row in rows]
        return {record.id: record.metadata.title or record.filename for record in records}

    async def _answers(self, user_id: str, node: Node, item_ids: Sequence[str], most: int) -> list[AnswerRef]:
        """Answers about the concept and answers that used one of its texts; the newest first."""
        about = sorted(node.answers)[:LOOKED_AT]
        used = list(item_ids[:LOOKED_AT])
        either = {"$or": [{"_id": {"$in": about}}, {"used": {"$in": used}}]}
        known = records_of(self._truth, user_id, ANSWERS, AnswerRecord)
        records = await known.find(either, sort=[("created_at", -1)], limit=most)
        runs = await self._run_ids(user_id, [record.id for record in records])
        return [
            AnswerRef(
                answer_id=record.id,
                question=record.question,
                outcome=record.outcome,
                at=record.created_at,
                conversation_id=record.conversation_id,
                run_id=runs.get(record.id, record.id if record.id.startswith("run_") else None),
            )
            for record in records
        ]

    async def answer(self, user_id: str, run_id: str) -> AnswerRecord | None:
        """The answer with this id, or the answer of the message or run with this id."""
        record = await self._given.get(user_id, run_id)
        if record is None:
            messages = ScopedTruth(self._truth, user_id).collection(MESSAGES)
            for message in await messages.find({"run_id": run_id, "role": "assistant"}, fields=["_id"]):
                record = record or await self._given.get(user_id, str(message["_id"]))
        return record

    async def answers_of(self, user_id: str, conversation_id: str) -> list[AnswerRecord]:
        return await self._given.of_conversation(user_id, conversation_id, LOOKED_AT)

    def named(self, known: AllNodes, answer: AnswerRecord) -> list[str]:
        """Ids of the answer's concepts: first those in the question, then those that most of the texts used in the
        answer name."""
        asked = [known.grown.catalogue.known(key) for key in keys_named(answer.question)]
        subjects = [known.learned.subjects[each].id for each in answer.concepts if each in known.learned.subjects]
        about = [node.id for node in known.nodes.values() if answer.id in node.answers and node.colour == "both"]
        sources = known.grown.content.sources
        used = [sources[each] for each in answer.used or answer.positions if each in sources]
        counts = Counter(name for source in used for name in source.concepts)
        ranked: Iterable[str] = sorted(counts, key=lambda name: (-counts[name], name))
        ids = [*(each for each in asked if each), *about, *subjects, *ranked]
        return [each for each in dict.fromkeys(ids) if each in known.nodes]

    async def _run_ids(self, user_id: str, message_ids: Sequence[str]) -> dict[str, str]:
        messages = ScopedTruth(self._truth, user_id).collection(MESSAGES)
        rows = await messages.find({"_id": {"$in": list(message_ids)}}, fields=["run_id"])
        return {str(row["_id"]): str(row["run_id"]) for row in rows if row.get("run_id")}


def _item_passage(item: MemoryItem) -> Passage:
    book = item.source.book
    return Passage(
        item_id=item.id,
        tier=item.tier,
        text=item.text,
        preview=preview(item),
        document_id=item.document_id,
        title=book.title if book else None,
        page=book.page if book else None,
        conversation_id=item.source.conversation_id,
        quality=_quality(item),
        created_at=item.timestamps.created_at,
    )


def _quality(item: MemoryItem) -> float:
    return item.quality.importance * item.quality.confidence if item.quality else 0.0


def _definition(names: Sequence[str], items: Sequence[MemoryItem]) -> Definition | None:
    """The first sentence that defines the concept; if there is none, the first that introduces its name."""
    for defines in (is_definition, introduces_name):
        for item in items:
            for sentence in split_sentences(item.text):
                if defines(sentence.text, names):
                    return with_source(" ".join(sentence.text.split()), item)
    return None
