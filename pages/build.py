"""All pages in one Blocks: the header, then a tab each."""

from __future__ import annotations

import gradio as gr

from core.workbench import Workbench
from pages import chat, frame, knowledge, library, memory, personality
from pages.endpoints import api
from pages.identity import Identity

IDLE = 0.02
"""Seconds between two looks at the queue of endpoint calls while it is empty; the pages do not go through it."""


def build(workbench: Workbench, identity: Identity) -> gr.Blocks:
    with gr.Blocks(title="Palimpsest", fill_width=True, analytics_enabled=False) as blocks:
        frame.build(workbench, identity)
        with gr.Tabs(elem_id="pal-tabs"):
            with gr.Tab("Chat", id="chat"):
                chat.build(workbench, identity)
            with gr.Tab("Library", id="library"):
                library.build(workbench, identity)
            with gr.Tab("Knowledge", id="knowledge"):
                knowledge.build(workbench, identity)
            with gr.Tab("Memory", id="memory"):
                memory.build(workbench, identity)
            with gr.Tab("Personality", id="personality"):
                personality.build(workbench, identity)
        api.register(workbench, identity)
    blocks.queue()
    blocks._queue.sleep_when_free = IDLE  # Gradio looks every millisecond, a tenth of a core for nothing
    return blocks
