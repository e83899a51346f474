"""Imports all modules of a served workbench once, because each import takes seconds of processor time."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from pkgutil import walk_packages

import pages
import viz

os.environ["HF_HUB_OFFLINE"] = "1"  # The variable is read at import, so ``app.py`` sets it before its imports as well.

for name in ("app", "command.main", "command.answers", "gradio", "qdrant_edge", "core.workbench"):
    import_module(name)
for room in (pages, viz):
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)

# Forked processes collect garbage at their start: this would scan all of these objects and so copy their memory.
gc.collect()
gc.freeze()
