"""What a served workbench imports: seconds of processor time that are spent once and not for each of them."""

from __future__ import annotations

import gc
import os
from importlib import import_module
from pkgutil import walk_packages

import pages
import viz

os.environ["HF_HUB_OFFLINE"] = "1"  # It is read at the import, before which ``app.py`` sets it too.

for name in ("app", "command.main", "command.answers", "gradio", "qdrant_edge", "core.workbench"):
    import_module(name)
for room in (pages, viz):
    for module in walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)

# Whoever is forked collects at its start: walking all of this, it would make a copy of it.
gc.collect()
gc.freeze()
