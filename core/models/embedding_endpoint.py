"""Gets embeddings from a service: OpenAI-compatible, Text Embeddings Inference, or the Dicta container."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, JsonValue, SecretStr, TypeAdapter

from core.batches import batches
from core.messages import message
from core.models.embeddings import Calibration, EmbeddingIdentity, EmbeddingsRefusedError, Matrix
from core.models.endpoint import Endpoint, Sleep, list_in, object_in
from core.parsed_yaml import parse_yaml

Shape = Literal["openai", "tei", "dicta"]

BATCH = 32
SERVICE = message("models.embedding_endpoint.service")


class KnownModel(BaseModel, frozen=True, extra="forbid"):
    """The requirements from a model's documentation, and a provisional range for its cosines."""

    pattern: str
    low: float
    high: float
    query_prefix: str = ""
    passage_prefix: str = ""
    english_only: bool = False

    @property
    def languages(self) -> frozenset[str]:
        return frozenset({"en"}) if self.english_only else frozenset({"en", "he"})


@cache
def _known_models() -> list[KnownModel]:
    text = resources.files("core.models").joinpath("data/embeddings.yaml").read_text("utf-8")
    return TypeAdapter(list[KnownModel]).validate_python(parse_yaml(text))


def known_model(name: str) -> KnownModel:
    """The entry for ``name``; the last entry matches every model."""
    return next(each for each in _known_models() if re.search(each.pattern, name.lower()))


class EndpointEmbeddings:
    """Gets embeddings from a service, in batches of 32; each batch has a timeout of ``seconds`` and one retry.

    Prefixes, languages and calibration come from ``data/embeddings.yaml`` by the model's name.
    """

    def __init__(
        self,
        url: str,
        shape: Shape,
        model: str,
        dimension: int,
        key: SecretStr | None = None,
        seconds: float = 10.0,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._known = known_model(model)
        self._shape: Shape = shape
        self._endpoint = Endpoint(SERVICE, _base(url, shape), key, seconds, sleep=sleep)
        self._identity = EmbeddingIdentity(
            model=model,
            dimension=dimension,
            calibration=Calibration(self._known.low, self._known.high),
            languages=self._known.languages,
        )

    @property
    def identity(self) -> EmbeddingIdentity:
        return self._identity

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """The question's vector: shape (dimension,), unit length.

        Raises:
            EmbeddingsUnavailableError: the service's vectors have another dimension.
            PalimpsestError: the service cannot be reached, is too slow, refuses or fails.
        """
        row: NDArray[np.float32] = (await self._embed([self._known.query_prefix + text], single=True))[0]
        return row

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Vectors of shape (texts, dimension), each row of unit length; raises the same errors as
        :meth:`embed_query`."""
        rows: list[Matrix] = [np.empty((0, self._identity.dimension), dtype=np.float32)]
        for batch in batches(texts, BATCH):
            rows.append(await self._embed([self._known.passage_prefix + text for text in batch]))
        return np.concatenate(rows)

    async def close(self) -> None:
        await self._endpoint.close()

    async def _embed(self, texts: list[str], single: bool = False) -> Matrix:
        path, body = self._request([_sendable(text) for text in texts], single)
        answer = await self._endpoint.post(path, body)
        try:
            vectors = [np.asarray(each, dtype=np.float32) for each in _vectors(self._shape, answer)]
        except (KeyError, TypeError, ValueError, binascii.Error) as error:
            raise self._endpoint.failed("server", "the answer does not have the expected shape") from error
        if len(vectors) != len(texts):
            raise self._endpoint.failed("server", f"{len(vectors)} vectors for {len(texts)} texts")
        return self._verified(vectors)

    def _request(self, texts: list[str], single: bool) -> tuple[str, dict[str, JsonValue]]:
        inputs: list[JsonValue] = [*texts]
        if self._shape == "openai":
            return "/embeddings", {"model": self._identity.model, "input": inputs, "encoding_format": "float"}
        if self._shape == "tei":
            return "/embed", {"inputs": inputs, "normalize": True, "truncate": True}
        return ("/embed", {"text": texts[0]}) if single else ("/embed/batch", {"texts": inputs})

    def _verified(self, vectors: list[NDArray[np.float32]]) -> Matrix:
        expected = self._identity.dimension
        for vector in vectors:
            if vector.shape != (expected,):
                raise _wrong_dimension(self._identity.model, expected, vector.size)
        rows = np.stack(vectors)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(rows).all() or not (lengths > 0).all():
            raise self._endpoint.failed("server", "a vector is zero or not finite")
        unit: Matrix = (rows / lengths).astype(np.float32)
        return unit


def _base(url: str, shape: Shape) -> str:
    """The base address. Addresses may be configured with or without the path of a call; a Dicta service has two such
    paths."""
    return url.rstrip("/").removesuffix("/batch").removesuffix("/embed") if shape == "dicta" else url


def _sendable(text: str) -> str:
    """The text without lone surrogates, which JSON cannot contain; never empty, because some models refuse an empty
    text."""
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else " "


def _vectors(shape: Shape, answer: JsonValue) -> list[object]:
    """Vectors in the order of the sent texts. Raises KeyError, TypeError or ValueError if the response has another
    form."""
    if shape == "tei":
        return list(list_in(answer))
    record = object_in(answer)
    if shape == "dicta":
        return list(list_in(record["embeddings"])) if "embeddings" in record else [record["embedding"]]
    entries = [object_in(each) for each in list_in(record["data"])]
    ordered = sorted(enumerate(entries), key=lambda pair: int(str(pair[1].get("index", pair[0]))))
    return [_decoded(entry["embedding"]) for _, entry in ordered]


def _decoded(embedding: JsonValue) -> object:
    """The vector; some servers answer in base64 although they were asked for numbers."""
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")
    return embedding


def _wrong_dimension(model: str, expected: int, got: int) -> EmbeddingsRefusedError:
    return EmbeddingsRefusedError(
        message("models.embedding_endpoint.embedding_service_gives_vectors_numbers", got=got, expected=expected),
        f"{model}: dimension {got}, expected {expected}",
        message("models.embedding_endpoint.set_palimpsest_embedding_dimension_reindex_choose_right", got=got),
    )
