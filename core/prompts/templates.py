"""Finds and renders prompt templates: first from a user's folder, then from ours, then the minimal built-in prompt."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path

from jinja2 import BaseLoader, DictLoader, Environment, StrictUndefined, TemplateNotFound
from jinja2.loaders import split_template_path
from jinja2.sandbox import SandboxedEnvironment

from core.errors import PalimpsestError, fail
from core.messages import message
from core.prompts.built_in import BUILT_IN
from core.words import LANGUAGES, Language

log = logging.getLogger(__name__)

OURS = Path(__file__).parent / "templates"
SUFFIX = ".md.j2"
_GROUP = "templates."
"""Key prefix in the message catalogue."""


class Prompts:
    """Prompt templates, cached until their file changes; if one cannot be used, the next is tried.

    >>> _ = (home / "greeting.md.j2").write_text("Answer in {{ language }}.", encoding="utf-8")
    >>> Prompts(home).render("greeting", language="English")
    'Answer in English.'
    """

    def __init__(self, users_folder: Path | None = None, ours: Path = OURS) -> None:
        users = [_environment(_Folder(users_folder))] if users_folder else []
        self._environments = [*users, *_shared_environments(ours)]

    def render(self, name: str, **values: object) -> str:
        """The prompt ``templates/{name}.md.j2``.

        Raises:
            PalimpsestError: neither the user's template nor ours can be used, and there is no built-in one.
        """
        for environment in self._environments:
            try:
                return environment.get_template(f"{name}{SUFFIX}").render(**values).strip()
            except TemplateNotFound:
                continue
            except Exception:
                # A template is the user's own code: after any exception the next template is used.
                log.warning("a template of the prompt %s cannot be used", name, exc_info=True)
        raise _unusable(name)


@cache
def _shared_environments(ours: Path) -> tuple[Environment, Environment]:
    """Environments of our templates and of the built-in ones, compiled once and shared."""
    built_in = DictLoader({f"{name}{SUFFIX}": text for name, text in BUILT_IN.items()})
    return _environment(_Folder(ours)), _environment(built_in)


class _Folder(BaseLoader):
    """A template folder whose files may appear, change and disappear while the workbench runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        file = self._folder.joinpath(*split_template_path(template))
        changed = _changed(file)
        try:
            text = file.read_text("utf-8")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise TemplateNotFound(template) from error
        return text, str(file), lambda: _changed(file) == changed


def _changed(file: Path) -> int | None:
    """Modification time in nanoseconds; ``None`` if the file does not exist."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return None


def _environment(loader: BaseLoader) -> SandboxedEnvironment:
    environment = SandboxedEnvironment(
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    environment.globals |= {"say": _say, "beside": _translations}
    return environment


def _say(key: str, language: Language) -> str:
    """A template's sentence in the language of the answer."""
    return message(_GROUP + key).to(language)


def _translations(key: str) -> str:
    """The text in all languages except English, for a model that reads them all."""
    return "; ".join(message(_GROUP + key).to(each) for each in LANGUAGES if each != "en")


def _unusable(name: str) -> PalimpsestError:
    file = f"{name}{SUFFIX}"
    return fail("server", "prompts.templates.unusable", file=file)
