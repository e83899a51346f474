"""Finds and renders prompt templates; a user's folder wins over ours."""

from __future__ import annotations

import logging
from pathlib import Path

from jinja2 import ChoiceLoader, FileSystemLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

log = logging.getLogger(__name__)

OURS = Path(__file__).parent / "templates"


class Prompts:
    """Templates are read again when their file changes; a broken one of the user's gives way to ours."""

    def __init__(self, users_folder: Path | None = None) -> None:
        ours = FileSystemLoader(OURS)
        loader = ChoiceLoader([FileSystemLoader(users_folder), ours]) if users_folder else ours
        self._environment = _environment(loader)
        self._fallback = _environment(ours)

    def render(self, name: str, **values: object) -> str:
        """The prompt ``templates/{name}.md.j2``.

        Raises:
            jinja2.TemplateError: our own template is missing or lacks a value.
        """
        file = f"{name}.md.j2"
        try:
            return self._environment.get_template(file).render(**values).strip()
        except TemplateError:
            log.warning("prompt %s cannot be used, ours is", name, exc_info=True)
            return self._fallback.get_template(file).render(**values).strip()


def _environment(loader: ChoiceLoader | FileSystemLoader) -> SandboxedEnvironment:
    return SandboxedEnvironment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
