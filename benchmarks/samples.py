"""Checks the sample documents: their packaged readings and vectors, and the seconds from the user's click until all are
ready.

``--write`` creates both again in ``sample_docs/``. The keys of the vectors contain each passage's text and the model's
identity, so vectors of an older reading are never used: the samples then only take longer, and a test reports it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import io
import tempfile
import time
from pathlib import Path

import numpy as np

from core.ids import new_id
from core.library.digest import digest
from core.library.reader import read
from core.library.reading import ReadOrder, reader_settings
from core.library.records import Document
from core.library.samples import READINGS, VECTORS, Readings, load_samples
from core.library.storing import items_of
from core.models.build import build_embeddings
from core.models.embedding_cache import passage_key
from core.models.embeddings import EmbeddingIdentity
from core.settings import Settings
from core.workbench import Workbench


def read_samples(settings: Settings) -> Readings:
    """Reads the samples with the present reader."""
    kept = reader_settings(settings)
    with contextlib.redirect_stdout(io.StringIO()):  # Progress reports are ignored.
        files = {
            digest(path): read(ReadOrder(path=path, filename=path.name, result=path, settings=kept))
            for path in load_samples().paths
        }
    return Readings(settings=kept, files=files)


def sample_texts(readings: Readings) -> list[str]:
    """Returns the sample texts that are embedded."""
    names = {digest(path): path.name for path in load_samples().paths}
    texts = []
    for sha256, reading in readings.files.items():
        document = Document(
            id=new_id("doc"),
            user_id="ada",
            filename=names[sha256],
            mime=reading.mime,
            size=0,
            sha256=sha256,
            metadata=reading.metadata,
            added_at=0.0,
            updated_at=0.0,
        )
        texts += [item.embedded_text for item in items_of(document, reading.chunks, 0.0)]
    return texts


def missing(readings: Readings, identity: EmbeddingIdentity, known: set[str]) -> list[str]:
    """Returns the texts of the readings whose vector is not among the ``known`` keys."""
    return [text for text in sample_texts(readings) if passage_key(identity, text) not in known]


async def write(settings: Settings) -> int:
    """Reads the samples and computes their vectors; returns the number of vectors."""
    readings = read_samples(settings)
    # The file contains no time, so that the same readings give the same bytes.
    READINGS.write_bytes(gzip.compress(readings.model_dump_json().encode(), mtime=0))
    embeddings = build_embeddings(settings)
    texts = list(dict.fromkeys(sample_texts(readings)))
    vectors = await embeddings.embed_passages(texts)
    keys = [passage_key(embeddings.identity, text) for text in texts]
    np.savez_compressed(VECTORS, keys=np.array(keys), vectors=vectors.astype("<f2"))
    return len(keys)


async def measure(home: Path) -> tuple[float, float]:
    """Returns the seconds from the click until keyword search finds all samples, and until embeddings find them."""
    workbench = Workbench(Settings(_env_file=None, home=home))  # type: ignore[call-arg]
    await workbench.start()
    try:
        began, by_words = time.monotonic(), None
        await workbench.load_samples("ada")
        while True:
            documents = await workbench.library.find("ada")
            assert all(each.state != "failed" for each in documents), documents
            if by_words is None and all(each.is_stored for each in documents):
                by_words = time.monotonic() - began
            if by_words is not None and all(each.state == "completed" for each in documents):
                return by_words, time.monotonic() - began
            await asyncio.sleep(0.01)
    finally:
        await workbench.stop()


def main() -> None:
    """Reports how fast the samples are ready."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="create readings and vectors again")
    if parser.parse_args().write:
        print(f"{asyncio.run(write(Settings(_env_file=None)))} vectors in {VECTORS}")  # type: ignore[call-arg]
        return
    with tempfile.TemporaryDirectory(prefix="palimpsest-") as home:
        by_words, by_meaning = asyncio.run(measure(Path(home)))
    print(f"keyword search {by_words:.2f} s, semantic search {by_meaning:.2f} s")


if __name__ == "__main__":
    main()
