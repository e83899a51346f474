"""What a served workbench imports: four seconds of processor time that are spent once and not for each of them."""

from __future__ import annotations

import os
from importlib import import_module

os.environ["HF_HUB_OFFLINE"] = "1"  # It is read at the import, before which ``app.py`` sets it too.

ROOMS = ("build", "documents", "gate", "identity", "live", "login", "tables", "vendor")

for name in (
    "app",
    "command.main",
    "command.answers",
    "gradio",
    "qdrant_edge",
    "core.workbench",
    *(f"pages.{room}" for room in ROOMS),
):
    import_module(name)
