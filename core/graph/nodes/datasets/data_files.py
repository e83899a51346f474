"""Finds the data files that a message can be about, and whether it is surely about them in a library with reports."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from core.datasets.records import Dataset
from core.datasets.words.understanding import Absent, Ambiguity, Understanding, Understood
from core.datasets.writing import is_data_file
from core.errors import PalimpsestError
from core.graph.services import Services
from core.graph.state import State
from core.library.catalogue import LIVE
from core.library.records import Document
from core.question.analysed import AnalysedQuestion
from core.question.filenames import is_written_out, named_documents
from core.question.known_entities import organisations_in

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DataFiles:
    """The datasets of the data files that are read completely; only those of the files that the message names, if it
    names any (``is_named``). ``are_all``: there are no other documents. ``names_other``: the message names another
    document or its organisation. ``unread`` is a data file that the message names and that is not read,
    ``filename`` the only one that it names and that is read."""

    datasets: list[Dataset]
    is_named: bool = False
    are_all: bool = False
    names_other: bool = False
    unread: Document | None = None
    filename: str = ""

    def answers(self, understood: Understanding) -> bool:
        """Returns whether what was understood is shown; if reports may mean the message, only if the message is surely
        about the datasets."""
        if understood is None or self.are_all:
            return understood is not None
        evidence = understood.evidence
        if isinstance(understood, Understood) and understood.is_sure:
            # A usual measure that the question does not name needs more than one word of the dataset.
            return self.is_named or evidence.follows or evidence.total + evidence.touches > bool(understood.assumed)
        if isinstance(understood, Ambiguity) and not understood.word:
            return evidence.total > 0  # Only between tables of which each answers surely.
        if self.names_other:
            return False
        is_clear = isinstance(understood, Absent | Ambiguity) and evidence.is_clear
        return self.is_named or evidence.follows or is_clear


async def data_files(services: Services, state: State) -> DataFiles:
    """Returns the data files of the turn, with the repeated sections of other documents and fetched rows. The tables of
    reports are left to the figures, and to models."""
    fetched = {each.id: each for each in await services.turn.fetched(state)}
    known = {**await services.turn.by_id(state), **fetched}
    text, user_id = state["asked"].text, state["asked"].user_id
    files = {each.id: each for each in known.values() if is_data_file(each.filename)}
    whole = {each.id for each in known.values() if _is_whole(each)}
    datasets = [
        each
        for each in await services.datasets.known(user_id, sorted(whole))
        if each.of_sections or each.document_id in files or each.document_id in fetched
    ]
    if not datasets and not files:
        return DataFiles([])
    mentioned = named_documents(text, list(known.values())).document_ids
    chosen = _chosen(state)
    named = [*chosen, *(each for each in mentioned if not chosen and is_written_out(text, known[each].filename))]
    with_datasets = {each.document_id for each in datasets}
    wanted = with_datasets & set(named)
    if chosen and not wanted:
        return DataFiles([])
    apart = known.keys() - files.keys() - with_datasets
    others = [each for each in await services.turn.known(state) if each.id in apart]
    unread = [files[each] for each in named if each in files and each not in whole]
    return DataFiles(
        datasets=[
            _with_filename(each, known[each.document_id])
            for each in datasets
            if not wanted or each.document_id in wanted
        ],
        is_named=bool(wanted),
        are_all=len(files) == len(known) and with_datasets == whole,
        names_other=bool(
            apart & set(mentioned)
            or any(is_written_out(text, known[each].filename) for each in apart)
            or organisations_in(text, others)
        ),
        filename=known[next(iter(wanted))].filename if len(wanted) == 1 else "",
        unread=unread[0] if unread and len(unread) == len(named) else None,
    )


async def data_answer(services: Services, state: State, question: AnalysedQuestion) -> bool:
    """Returns whether the data files of the turn surely answer the question: no other action is then meant. ``False``
    if their data cannot be read now."""
    files = await data_files(services, state)
    if not files.datasets:
        return False
    try:
        understood = await services.datasets.understand(state["asked"].user_id, question, files.datasets)
    except PalimpsestError as error:
        log.warning("the data files could not be read for a question: %s", error)
        return False
    return isinstance(understood, Understood) and understood.is_sure and files.answers(understood)


def _chosen(state: State) -> list[str]:
    """Returns the documents that the user chose when asked which are meant."""
    waiting = state.get("waiting")
    return (state["asked"].document_ids or []) if waiting and waiting.candidates else []


def _is_whole(document: Document) -> bool:
    return document.state == "completed" or (document.state in LIVE and document.is_stored)


def _with_filename(dataset: Dataset, document: Document) -> Dataset:
    """Returns the dataset with its file's name as a title, so that words of the name explain themselves."""
    return dataset.model_copy(update={"titles": (*dataset.titles, document.filename)})
