"""Tests that a data set is found by its meaning, without a word that it shares with the question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from core.models.embeddings import Calibration, EmbeddingIdentity, EmbeddingsUnavailableError, Matrix
from core.tools.datagov.decomposition import decompose
from core.tools.datagov.index import CatalogueIndex, index_of
from core.tools.datagov.meanings import Meanings
from core.tools.datagov.search import find
from tests.servers.ckan_catalogue import made_datasets, made_map

WANTED = "smoking"
QUESTION = "nicotine pouches"


class Subjects:
    """Embeddings in which only the question and the title of the wanted data set point in the same direction."""

    identity = EmbeddingIdentity("subjects", 3, Calibration(0.0, 1.0))
    available = True

    def __init__(self, title: str) -> None:
        self._title = title

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        if not self.available:
            raise EmbeddingsUnavailableError("the model is missing")
        return np.array([1, 0, 0], dtype=np.float32)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.array([[1, 0, 0] if self._title in text else [0, 1, 0] for text in texts], dtype=np.float32)


@pytest.fixture(scope="module")
def index() -> CatalogueIndex:
    return index_of(made_map("http://portal.test"))


async def test_a_data_set_without_a_shared_word_is_found_by_its_meaning(index: CatalogueIndex) -> None:
    wanted = next(each for each in made_datasets() if each.name == WANTED)
    embeddings = Subjects(wanted.title)
    meanings, asked = Meanings(embeddings), decompose(QUESTION)
    assert find(index, asked).candidates == []
    found = find(index, asked, deviations=await meanings.deviations(QUESTION, index))
    assert [each.dataset.id for each in found.candidates] == [wanted.id]
    embeddings.available = False
    assert await meanings.deviations(QUESTION, index) is None
    await meanings.stop()
