"""The Personality tab: edits a template as quick settings or as YAML, and shows the resulting prompt."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue, StrictBool, StrictStr

from core.personality.records import Preview, Template
from core.words import Language
from pages.actions import Call, Handlers, Reply, action

LONGEST_SENT = 256_000
"""Maximum number of characters that a request may have. Texts between the allowed length and this limit are refused
with a message that states their length."""

Sent = Annotated[str, Field(max_length=LONGEST_SENT)]
QuickChanges = Annotated[dict[str, StrictBool | StrictStr], Field(max_length=20)]


class Named(Call):
    """A template, by the short name that its address contains."""

    slug: Annotated[str, Field(max_length=100)]


class Draft(Call):
    """A template text that is being edited, and the quick settings to change in it."""

    text: Sent
    changes: QuickChanges = Field({})


class Kept(Call):
    """A template text, and the name under which to save it."""

    name: Annotated[str, Field(max_length=800)]
    text: Sent


class Templates(Handlers):
    """Actions that the tab's script can call."""

    @action("personality", endpoint="list_personalities", scope="read")
    async def templates(self, user_id: str, call: Call) -> Reply:
        """The templates, the active one, and the settings that need a model."""
        active = await self._workbench.personalities.active(user_id)
        return {
            "templates": [row(each, active.slug) for each in await self._workbench.personalities.all(user_id)],
            "fell_back": (await self._workbench.personalities.voice(user_id)).fell_back,
            "most_characters": self._workbench.personalities.longest,
            "need_a_model": [*self._workbench.personalities.need_a_model],
            "model": self._workbench.models.configured,
        }

    @action("personality", endpoint="get_personality", scope="read")
    async def template(self, user_id: str, call: Named) -> Reply:
        """One template and its resulting prompt."""
        found = await self._workbench.personalities.get(user_id, call.slug)
        return {
            "template": {**row(found), "text": found.text},
            **_view(await self._workbench.personalities.preview(found.text), call.ui),
        }

    @action("personality", endpoint="preview_personality", scope="read")
    async def draft(self, user_id: str, call: Draft) -> Reply:
        """Preview an unsaved template text and its resulting prompt."""
        return _view(await self._workbench.personalities.preview(call.text, call.changes), call.ui)

    @action("personality")
    async def example(self, user_id: str, call: Call) -> Reply:
        """An example template that a user can start from."""
        text = await self._workbench.personalities.example(call.ui)
        return _view(await self._workbench.personalities.preview(text), call.ui)

    @action("personality", endpoint="save_personality")
    async def save(self, user_id: str, call: Kept) -> Reply:
        """Save a template text under a name. If it replaces another text, the reply contains that one."""
        saved = await self._workbench.personalities.save(user_id, call.name, call.text)
        replaced: Reply | None = None
        if saved.replaced:
            replaced = {"name": saved.replaced.name, "text": saved.replaced.text}
        return {"template": {**row(saved.template), "text": saved.template.text}, "replaced": replaced}

    @action("personality", endpoint="delete_personality", noted="deleted")
    async def remove(self, user_id: str, call: Named) -> Reply:
        """Delete a template. The reply contains what is needed to save it again."""
        deleted = await self._workbench.personalities.delete(user_id, call.slug)
        return {"template": {**row(deleted), "text": deleted.text}}

    @action("personality", endpoint="activate_personality")
    async def activate(self, user_id: str, call: Named) -> Reply:
        """Activate a template. It applies from the next message."""
        await self._workbench.personalities.activate(user_id, call.slug)
        return {"assistant": (await self._workbench.personalities.voice(user_id)).assistant}


def row(template: Template, active: str | None = None) -> Reply:
    """A template as the list shows it."""
    shown = template.model_dump(mode="json", exclude={"text"})
    return shown if active is None else {**shown, "active": template.slug == active}


def _view(seen: Preview, language: Language) -> Reply:
    """A template text as YAML and as quick settings, with its prompt."""
    told: dict[str, JsonValue] = {
        name: [{"line": each.line, "column": each.column, "text": each.words.to(language)} for each in problems]
        for name, problems in (("errors", seen.errors), ("warnings", seen.warnings))
    }
    quick = seen.quick.model_dump() if seen.quick else None
    return {"text": seen.text, "quick": quick, "prompt": seen.prompt, "assistant": seen.assistant, **told}
