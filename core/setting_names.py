"""Maps alternative names of settings, from other programs and earlier versions, to our names.

Our own name has priority if both are set. The table in ``docs/configuration.md`` is generated from this module.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from core.messages import message
from core.words import LANGUAGES

log = logging.getLogger(__name__)


class OtherName(BaseModel):
    """An alternative name.

    ``setting``: dotted path in ``Settings``. ``turned``: the value has the opposite sign.
    ``values``: their value → our value; other values are ignored. ``beside``: other settings that it also sets.
    """

    name: str
    setting: str
    turned: bool = False
    values: dict[str, str] = {}
    beside: dict[str, str] = {}

    def read(self, given: str) -> str | None:
        """Returns the value of our setting."""
        if self.values:
            return self.values.get(given.strip().lower())
        return given.strip().removeprefix("-") if self.turned and given.startswith("-") else self._turned(given)

    def _turned(self, given: str) -> str:
        return f"-{given.strip()}" if self.turned else given


OTHER_NAMES = (
    OtherName(name="EMBEDDING_SERVICE_URL", setting="embedding_url"),
    OtherName(name="TEI_ENDPOINT", setting="embedding_url", beside={"embedding_shape": "tei"}),
    OtherName(name="DICTA_EMBEDDING_ENDPOINT", setting="embedding_url", beside={"embedding_shape": "dicta"}),
    OtherName(name="RERANKER_SERVICE_URL", setting="rerank_url"),
    OtherName(name="DICTA_RERANK_ENDPOINT", setting="rerank_url"),
    OtherName(name="RERANKER_THRESHOLD", setting="search.rerank_least"),
    OtherName(name="MAX_CONTEXT_CHUNKS", setting="search.enhanced.top_k", beside={"search.enhanced.strength": "0.3"}),
    OtherName(name="CONTEXT_TOKEN_BUDGET", setting="budget.retrieved"),
    OtherName(name="ENABLE_KG", setting="knowledge_enabled"),
    OtherName(name="ENABLE_OUTCOME_DETECTION", setting="memory.detection"),
    OtherName(name="ENABLE_PROBLEM_SOLUTION_INDEX", setting="memory.known_solutions"),
    OtherName(name="DICTACHAT_MEMORY_DATA_DIR", setting="home"),
    OtherName(name="MEMORY_DATA_DIR", setting="home"),
    OtherName(name="MEMORY_SYSTEM_ENABLED", setting="memory.enabled"),
    OtherName(name="MEMORY_QDRANT_ENABLED", setting="dense_enabled"),
    OtherName(name="MEMORY_RERANK_ENABLED", setting="rerank_enabled"),
    OtherName(name="MEMORY_OUTCOME_ENABLED", setting="memory.detection"),
    OtherName(name="MEMORY_PROMOTION_ENABLED", setting="memory.promotion"),
    OtherName(name="MEMORY_KG_VIZ_ENABLED", setting="knowledge_enabled"),
    OtherName(name="MEMORY_KG_UI_ENABLED", setting="knowledge_enabled"),
    OtherName(name="MEMORY_POSITIVE_BOOST", setting="memory.worked"),
    OtherName(name="MEMORY_PARTIAL_BOOST", setting="memory.partial"),
    OtherName(name="MEMORY_NEGATIVE_PENALTY", setting="memory.failed", turned=True),
    OtherName(name="MEMORY_TOP_K", setting="memory.results_usual"),
    OtherName(name="MEMORY_SEARCH_LIMIT", setting="search.least_candidates"),
    OtherName(name="MEMORY_LOG_LEVEL", setting="log_level"),
    OtherName(name="MEMORY_REQUIRE_AUTH", setting="login", values=dict.fromkeys(("true", "1", "yes", "on"), "always")),
    OtherName(name="MEMORY_LLM_BASE_URL", setting="model_base_url"),
    OtherName(name="MEMORY_LLM_API_KEY", setting="model_api_key"),
    OtherName(name="MEMORY_LLM_MODEL", setting="model"),
    OtherName(name="REDIS_URL", setting="redis.url"),
)
"""Alternative names by priority: if two names for one setting are set, the first one is used."""


class OtherNames(PydanticBaseSettingsSource):
    """Settings source that comes after the environment and ``.env``, so that our own names win."""

    def __init__(self, settings: type[BaseSettings], given: Mapping[str, str | None], ours: Mapping[str, Any]) -> None:
        super().__init__(settings)
        self._given = given
        self._ours = by_field(settings, ours)

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for other in OTHER_NAMES:
            given = self._given.get(other.name.lower())
            value = other.read(given) if given else None
            if value is None or at(self._ours, other.setting) is not None or at(found, other.setting) is not None:
                continue
            for setting, said in {**other.beside, other.setting: value}.items():
                if at(self._ours, setting) is None:
                    _put(found, setting, said)
        return found

    def beaten(self) -> list[tuple[str, str]]:
        """Alternative names that are ignored because our own name for the same setting is set too: (their name,
        setting)."""
        return [
            (other.name, other.setting)
            for other in OTHER_NAMES
            if self._given.get(other.name.lower()) and at(self._ours, other.setting) is not None
        ]


def by_field(settings: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a pydantic settings source by field name; well-known names are mapped to their fields."""
    found = dict(given)
    for name, field in settings.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices):
            known = [given[each] for each in map(str, field.validation_alias.choices) if each in given]
            found |= {name: known[0]} if known else {}
    return found


def tell_beaten(names: OtherNames) -> None:
    """Log the ignored alternative names in every language, because the reader's language is unknown."""
    for theirs, setting in names.beaten():
        notice = message("settings.beaten", theirs=theirs, ours=f"PALIMPSEST_{setting.upper().replace('.', '__')}")
        log.warning("%s", " · ".join(notice.to(language) for language in LANGUAGES))


def at(content: Mapping[str, Any], path: str) -> object:
    """The value at this dotted path; ``None`` if there is none."""
    found: object = content
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _put(content: dict[str, Any], path: str, value: str) -> None:
    *above, last = path.split(".")
    for part in above:
        content = content.setdefault(part, {})
    content[last] = value


def field_names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    """Every name from which a field is read, including names of nested fields."""
    for name, field in model.model_fields.items():
        yield f"{prefix}{name.upper()}"
        if isinstance(field.validation_alias, AliasChoices):
            yield from (str(each) for each in field.validation_alias.choices)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from field_names(field.annotation, f"{prefix}{name.upper()}__")
