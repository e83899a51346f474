"""What the Personality tab can do, as named endpoints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import gradio as gr

from core.workbench import Workbench
from pages.answers import Call, Reply, problem_of, user_of
from pages.identity import Identity
from pages.personality import Draft, Kept, Named, Templates

Endpoint = Callable[..., Awaitable[Reply]]


class PersonalityApi:
    """The endpoints; their names are the methods'."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._templates = Templates(workbench)
        self._identity = identity

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        return (
            self.list_personalities,
            self.get_personality,
            self.save_personality,
            self.activate_personality,
            self.delete_personality,
            self.preview_personality,
        )

    async def list_personalities(self, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Presets and own templates; ``active`` says which of them speaks."""
        try:
            return await self._templates.templates(user_of(self._identity, request), Call())
        except Exception as error:
            return problem_of(error, "en")

    async def get_personality(self, slug: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """One template: its YAML, its quick settings and the prompt that results."""
        try:
            return await self._templates.template(user_of(self._identity, request), Named(slug=slug))
        except Exception as error:
            return problem_of(error, "en")

    async def save_personality(self, name: str, text: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Keep a YAML text under a name; ``replaced`` is what stood there before."""
        try:
            return await self._templates.save(user_of(self._identity, request), Kept(name=name, text=text))
        except Exception as error:
            return problem_of(error, "en")

    async def activate_personality(self, slug: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Let a template speak from the next message on."""
        try:
            return await self._templates.activate(user_of(self._identity, request), Named(slug=slug))
        except Exception as error:
            return problem_of(error, "en")

    async def delete_personality(self, slug: str, request: gr.Request = None) -> Reply:  # type: ignore[assignment]
        """Delete an own template that is not in use; saving what comes back restores it."""
        try:
            return await self._templates.remove(user_of(self._identity, request), Named(slug=slug))
        except Exception as error:
            return problem_of(error, "en")

    async def preview_personality(
        self,
        text: str,
        changes: dict[str, str | bool] | None = None,
        request: gr.Request = None,  # type: ignore[assignment]
    ) -> Reply:
        """What a YAML text amounts to, with quick settings changed in it, without saving anything."""
        try:
            call = Draft.model_validate({"text": text, "changes": changes or {}})
            return await self._templates.draft(user_of(self._identity, request), call)
        except Exception as error:
            return problem_of(error, "en")
