"""Renders the list of concepts that have no link in the picture."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from core.messages import message_group
from core.words import Language
from viz.knowledge.graph import DrawnNode
from viz.templating import render

WORDS = message_group("view.unlinked")
MOST = 200
"""Maximum number of concepts in the list; the table has all."""


def unlinked_list(nodes: Iterable[DrawnNode], language: Language) -> Markup:
    """The concepts without a link, most important first; empty if all have one."""
    alone = sorted((node for node in nodes if not node.linked), key=lambda node: -node.importance)
    if not alone:
        return Markup("")
    words = {key: each.to(language) for key, each in WORDS.items()}
    return render("unlinked", nodes=alone[:MOST], more=len(alone) - MOST, count=len(alone), words=words)
