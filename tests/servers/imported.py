"""Imports all modules of a served workbench once, instead of seconds of processor time for each workbench."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from pkgutil import walk_packages

import pages
import viz

os.environ["HF_HUB_OFFLINE"] = "1"  # It is read at import, so ``app.py`` sets it before as well.

for name in ("app", "command.main", "command.answers", "gradio", "qdrant_edge", "core.workbench"):
    import_module(name)
for room in (pages, viz):
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)

# Forked processes run a garbage collection at their start: scanning all of these objects would copy their memory.
gc.collect()
gc.freeze()
