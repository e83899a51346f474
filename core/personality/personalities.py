"""Stores a user's personalities: presets that cannot be changed, and the user's own templates."""

from __future__ import annotations

import asyncio
import logging
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5

from pydantic import BaseModel, Field

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import id_of
from core.lru_cache import LruCache
from core.personality.parsing import Parsed, parse
from core.personality.prompt import prompt_of
from core.personality.quick import NEED_A_MODEL, quick_settings, with_quick_settings
from core.personality.reading import LONGEST
from core.personality.records import Preview, Saved, Template
from core.personality.rules import Rules, rules_of
from core.personality.schema import Communication, Identity, Personality
from core.store.truth import Json, Sorted, Truth
from core.store.typed_collection import TypedCollection, records_of
from core.words import CATALOGUES, Language

log = logging.getLogger(__name__)

PRESETS = Path(__file__).parents[2] / "personalities"
EXAMPLES = CATALOGUES / "personality"
DEFAULT = "default"
TEMPLATES = "personalities"
ACTIVE = "active_personality"

BUILT_IN = Personality(identity=Identity(name="Palimpsest", role="analyst's assistant"), communication=Communication())
"""The fallback if no template can be read."""

LONGEST_TITLE = 80
"""Maximum number of characters in a template's name."""
MOST_VOICES = 256
"""Maximum number of rendered personalities in the cache."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn")


_NOTHING = Template(slug=DEFAULT, name=DEFAULT.capitalize(), kind="preset", text="")


class TemplateRow(BaseModel):
    """A stored template."""

    id: str = Field(alias="_id")
    user_id: str
    slug: str
    name: str
    text: str
    updated_at: float


class ActiveRow(BaseModel):
    """The template that a user has chosen."""

    id: str = Field(alias="_id")
    user_id: str
    slug: str
    updated_at: float


class ActivePersonality(BaseModel):
    """The active personality as a run needs it: ``prompt`` is for a model, ``rules`` for answers without one;
    ``fell_back``: the chosen one could not be read."""

    slug: str
    assistant: str
    prompt: str
    rules: Rules = Rules()
    fell_back: bool = False


class Personalities:
    """Personalities; each call works for the given user.

    >>> run(workbench.personalities.active("ada")).name
    'Default'
    """

    longest = LONGEST
    need_a_model = NEED_A_MODEL

    def __init__(self, truth: Truth, clock: Clock, presets: Path = PRESETS) -> None:
        self._truth = truth
        self._clock = clock
        self._folder = presets
        self._presets: dict[str, tuple[float, Template]] = {}
        self._voices: LruCache[tuple[str, str], ActivePersonality] = LruCache(MOST_VOICES)

    async def ensure(self) -> None:
        await self._truth.collection(TEMPLATES).ensure(sort=[Sorted(("user_id", "slug"))])

    async def all(self, user_id: str) -> list[Template]:
        """All templates: presets first, then the user's own by name."""
        own = [_template(row) for row in await self._templates(user_id).find()]
        return [*await asyncio.to_thread(self._read_presets), *sorted(own, key=lambda each: each.name.casefold())]

    async def get(self, user_id: str, slug: str) -> Template:
        """A template. Raises ``PalimpsestError`` ("not_found")."""
        preset = next((each for each in await asyncio.to_thread(self._read_presets) if each.slug == slug), None)
        if preset:
            return preset
        row = await self._templates(user_id).get(_row_id(user_id, slug)) if _ID.fullmatch(slug) else None
        if row is None:
            raise fail("not_found", "personality.personalities.unknown", detail=slug)
        return _template(row)

    async def save(self, user_id: str, name: str, text: str) -> Saved:
        """Store ``text`` as a template with the name ``name``; the result says whether it replaced a template of that
        name.

        Raises:
            PalimpsestError: the text has errors, or the name is a preset's or empty ("validation").
        """
        name = name_of(name)
        slug = slug_of(name)
        if slug in {each.slug for each in await asyncio.to_thread(self._read_presets)}:
            raise _is_preset(name)
        _require(await asyncio.to_thread(parse, text))
        before = await self._templates(user_id).get(_row_id(user_id, slug))
        row = TemplateRow(
            _id=_row_id(user_id, slug), user_id=user_id, slug=slug, name=name, text=text, updated_at=self._clock()
        )
        await self._templates(user_id).put(row)
        return Saved(template=_template(row), replaced=_template(before) if before is not None else None)

    async def delete(self, user_id: str, slug: str) -> Template:
        """Delete a template; returns it, so that it can be restored by saving it.

        Raises:
            PalimpsestError: it is a preset, the active one, or unknown.
        """
        template = await self.get(user_id, slug)
        if template.kind == "preset":
            raise _is_preset(template.name)
        if (await self.active(user_id)).slug == slug:
            raise fail("validation", "personality.personalities.is_active", name=template.name)
        await self._templates(user_id).rows.delete({"_id": _row_id(user_id, slug)})
        return template

    async def activate(self, user_id: str, slug: str) -> Template:
        """Use this template from the next message on. Raises ``PalimpsestError`` when it is unknown or has errors."""
        template = await self.get(user_id, slug)
        _require(await asyncio.to_thread(parse, template.text))
        row = ActiveRow(_id=_row_id(user_id, ""), user_id=user_id, slug=slug, updated_at=self._clock())
        await self._chosen(user_id).put(row)
        return template

    async def active(self, user_id: str) -> Template:
        """The chosen template; the default if none was chosen or it no longer exists."""
        chosen = await self._chosen(user_id).get(_row_id(user_id, ""))
        for slug in (chosen.slug if chosen else DEFAULT, DEFAULT):
            try:
                return await self.get(user_id, slug)
            except PalimpsestError as error:
                if error.problem.category != "not_found":
                    raise
        return _NOTHING

    async def voice(self, user_id: str) -> ActivePersonality:
        """The personality in use: the active template, else the default, else the built-in one. Never raises."""
        try:
            template = await self.active(user_id)
        except Exception:
            log.warning("the active personality could not be read", exc_info=True)
            template = _NOTHING
        key = (template.slug, template.text)
        if key in self._voices:
            return self._voices[key]
        voice = await asyncio.to_thread(self._voice, template)
        if not voice.fell_back:
            self._voices[key] = voice
        return voice

    def _voice(self, template: Template) -> ActivePersonality:
        presets = {each.slug: each.text for each in self._read_presets()}
        chosen = parse(template.text).personality
        if chosen:
            return _voice(template.slug, chosen)
        return _voice(DEFAULT, parse(presets.get(DEFAULT, "")).personality or BUILT_IN, fell_back=True)

    def _read_presets(self) -> list[Template]:
        """The presets; read again when a file has changed."""
        found = []
        for file in sorted(self._folder.glob("*.yaml"), key=lambda file: (file.stem != DEFAULT, file.stem)):
            try:
                found.append(self._read_preset(file))
            except (OSError, UnicodeDecodeError):
                log.warning("a preset cannot be read: %s", file.name, exc_info=True)
        return found

    def _read_preset(self, file: Path) -> Template:
        changed = file.stat().st_mtime
        known = self._presets.get(file.stem)
        if known is None or known[0] != changed:
            text = file.read_text(encoding="utf-8")
            template = Template(
                slug=file.stem, name=file.stem.capitalize(), kind="preset", text=text, updated_at=changed
            )
            known = self._presets[file.stem] = (changed, template)
        return known[1]

    async def preview(self, text: str, changes: Mapping[str, bool | str] | None = None) -> Preview:
        """The result that a text would have with changed quick settings; nothing is stored."""
        return await asyncio.to_thread(preview, text, changes or {})

    async def example(self, language: Language) -> str:
        """A starter template with every field and its possible values."""
        return await asyncio.to_thread(example, language)

    def _templates(self, user_id: str) -> TypedCollection[TemplateRow]:
        return records_of(self._truth, user_id, TEMPLATES, TemplateRow)

    def _chosen(self, user_id: str) -> TypedCollection[ActiveRow]:
        return records_of(self._truth, user_id, ACTIVE, ActiveRow)


def preview(text: str, changes: Mapping[str, bool | str]) -> Preview:
    """A preview of a template's text before it is saved, with ``changes`` of quick settings applied.

    Raises ``PalimpsestError`` ("validation").
    """
    if changes:
        text = with_quick_settings(text, changes)
    parsed = parse(text)
    known = parsed.personality
    return Preview(
        text=text,
        quick=quick_settings(parsed.draft) if parsed.draft else None,
        prompt=prompt_of(known) if known else None,
        assistant=known.identity.name if known else None,
        errors=parsed.errors,
        warnings=parsed.warnings,
    )


def example(language: Language) -> str:
    """The example's text in one language."""
    return (EXAMPLES / f"{language}.yaml").read_text(encoding="utf-8")


def name_of(name: str) -> str:
    """``name`` in its stored form: one line of visible characters.

    Raises:
        PalimpsestError: the name has no visible characters, or is too long ("validation").
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    spoken = "".join(each for each in spaced if unicodedata.category(each) not in _INVISIBLE).strip()
    if not spoken or len(spoken) > LONGEST_TITLE:
        raise fail("validation", "personality.personalities.name_of", longest_title=LONGEST_TITLE)
    return spoken


def slug_of(name: str) -> str:
    """An ASCII id; for names in other scripts it is a hash of their letters."""
    plain = re.sub(r"[^a-z0-9_-]+", "_", name.lower()).strip("_-")[:64]
    if name.isascii() and _ID.fullmatch(plain):
        return plain
    return f"custom_{uuid5(NAMESPACE_OID, name.casefold()).hex[:12]}"


def _voice(slug: str, personality: Personality, fell_back: bool = False) -> ActivePersonality:
    return ActivePersonality(
        slug=slug,
        assistant=personality.identity.name,
        prompt=prompt_of(personality),
        rules=rules_of(personality),
        fell_back=fell_back,
    )


def _template(row: TemplateRow) -> Template:
    return Template(slug=row.slug, name=row.name, kind="custom", text=row.text, updated_at=row.updated_at)


def template_of_user(row: Json, user_id: str) -> Json:
    """A template's row for ``user_id``, with its id derived from both."""
    return {**row, "_id": _row_id(user_id, str(row.get("slug")))}


def choice_of_user(row: Json, user_id: str) -> Json:
    """A choice's row for ``user_id``; a user has one choice, so its id is derived from the user."""
    return {**row, "_id": _row_id(user_id, "")}


def _row_id(user_id: str, slug: str) -> str:
    return id_of("pers", user_id, slug)


def _require(parsed: Parsed) -> None:
    if parsed.personality is None:
        first = parsed.errors[0]
        key = "personality.personalities.has_errors_at" if first.line else "personality.personalities.has_errors"
        raise fail("validation", key, line=first.line, column=first.column, words=first.words)


def _is_preset(name: str) -> PalimpsestError:
    return fail("validation", "personality.personalities.is_preset", name=name)
