"""Groups of related settings: *group name* → its fields, defaults and meaning (``docs/configuration.md``)."""

from __future__ import annotations

import logging
from typing import Literal, Self

from pydantic import BaseModel, Field, SecretStr, field_validator, model_validator

from core.messages import message
from core.words import LANGUAGES

log = logging.getLogger(__name__)

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ModeName = Literal["quick", "enhanced", "deep"]


class Limits(BaseModel):
    """Limits on what users may send."""

    file_bytes: int = Field(50 * 1024 * 1024, description="Largest accepted file, in bytes; tables have another limit.")
    table_file_bytes: int = Field(
        500 * 1024 * 1024,
        description="Largest accepted table file (CSV, TSV, XLSX, Parquet), in bytes. It may unpack to ten times that.",
    )
    table_rows: int = Field(5_000_000, gt=0, description="Maximum number of rows read from one table file.")
    table_vectors: int = Field(
        2_000,
        ge=0,
        description="Maximum number of passages of one table file whose texts (comments, survey answers) are also "
        "embedded for semantic search. All other rows are found by their words, codes and numbers.",
    )
    unpacked_bytes: int = Field(
        500 * 1024 * 1024, description="Largest size of an unpacked archive-based file (DOCX …), in bytes."
    )
    question_characters: int = Field(8_000, description="Longest question, in characters.")
    extracted_characters: int = Field(20_000_000, description="Maximum number of characters extracted from one file.")
    document_pages: int = Field(5_000, description="Maximum number of pages read from one file.")
    picture_bytes: int = Field(256 * 1024 * 1024, description="Size limit of the cache of page images, in bytes.")
    tool_result_characters: int = Field(40_000, description="Maximum characters taken from a tool server's result.")
    disk_low_bytes: int = Field(
        1024 * 1024 * 1024,
        ge=0,
        description="Free disk space of the data directory, in bytes, below which health is amber. Below half of it, "
        "no file is accepted.",
    )

    @property
    def largest_file_bytes(self) -> int:
        """The larger of the two file limits, used before the file's name is known."""
        return max(self.file_bytes, self.table_file_bytes)


class Backups(BaseModel):
    """Automatic backups of all users' data, in `backups/` of the data directory."""

    every_hours: float = Field(0.0, ge=0, description="Hours between two automatic backups; 0 makes none.")
    keep: int = Field(7, ge=1, description="Number of automatic backups to keep. Older ones are removed.")


class Log(BaseModel):
    """Log files. A full file is renamed with a number at its end, and a new one is started."""

    file: str = Field("", description="File in the data directory to which servers also write their log.")
    megabytes: float = Field(10.0, gt=0, description="Size at which a log file is full; also for the log of commands.")
    kept: int = Field(5, ge=1, description="Number of full files to keep.")


class Chunking(BaseModel):
    """How texts are divided into chunks (`docs/specification.md`, "Chunks")."""

    max_tokens: int = Field(500, description="Largest chunk, in cl100k_base tokens.")
    overlap_tokens: int = Field(50, description="Tokens repeated between consecutive chunks of one long paragraph.")


class Prefix(BaseModel):
    """Context that the chat model adds to a passage before it is embedded."""

    enabled: bool = Field(
        True, description="If there is a chat model, it describes each passage's context before it is embedded."
    )
    characters: int = Field(300, description="Maximum length of that context, in characters. More is cut off.")
    passages: int = Field(100, ge=0, description="Documents with more passages get no context from the model.")
    document_seconds: float = Field(
        60.0, description="Time limit for all calls for a document; then title and section are the context."
    )
    cache_days: float = Field(30.0, description="Days that a context is kept after its last use, for reading again.")


class ModelMetadata(BaseModel):
    """Document metadata from the chat model, where the rules found none."""

    enabled: bool = Field(
        True,
        description="If there is a chat model, it is called once per document for the title, kind, organisations, "
        "periods and date that the rules did not find. Only values that appear in the text are used.",
    )


class Tasks(BaseModel):
    """Tasks of the chat model besides the answer (`docs/specification.md`, "What a model is asked")."""

    reformulation: bool = Field(
        True, description="Let the model rewrite a follow-up as a full question, if rules do not understand it."
    )
    rating: bool = Field(
        True, description="Let the model rate the best passages, in the call that checks if they suffice."
    )
    rating_weight: float = Field(0.4, ge=0, description="Weight of the model's rating in a passage's score.")
    rating_threshold: float = Field(0.3, ge=0, description="Lowest score of a passage that is rated.")
    tone: bool = Field(True, description="Answer in the tone in which the user writes.")
    blending: bool = Field(
        True, description="Let the model combine results from documents, memory and web, instead of listing them."
    )
    debate: bool = Field(
        False, description="Let the model write both sides of a question, with sources, before it answers."
    )
    page_pictures: bool = Field(
        False,
        description="Send pictures of up to 2 pages with a chart or scan to a model that sees images. Each costs about "
        "1,600 tokens.",
    )


class BookIntelligence(BaseModel):
    """What the chat model extracts from published documents: quotes, mental models, summaries."""

    enabled: bool = Field(
        False,
        description="Extract from every published document automatically, including those already in the library. If "
        "off, a user starts it on the document's page.",
    )
    part_tokens: int = Field(6_000, ge=500, description="Tokens of a document that one model call reads.")
    document_calls: int = Field(
        20, ge=1, description="Maximum calls for one document; a longer document is sampled evenly."
    )
    sections: bool = Field(True, description="Offer to extract quotes, concepts, insights and terms from one section.")


class Mode(BaseModel):
    """A research mode: the maximum number of sources shown, and the minimum strength of a passage."""

    top_k: int
    strength: float


class Search(BaseModel):
    """The retrieval pipeline."""

    quick: Mode = Field(Mode(top_k=7, strength=0.40), description="Quick mode: few, strong passages.")
    enhanced: Mode = Field(Mode(top_k=12, strength=0.30), description="Enhanced mode: more passages.")
    deep: Mode = Field(Mode(top_k=16, strength=0.25), description="Deep mode: every passage that may be relevant.")
    over_fetch: int = Field(3, description="Candidates fetched for each source that is shown.")
    least_candidates: int = Field(20, description="Minimum number of candidates fetched.")
    filename_strength: float = Field(
        0.20, description="Minimum strength if a term of the question is in the file name."
    )
    fusion: Literal["weighted", "rrf"] = Field(
        "weighted",
        description="How keyword and semantic results are combined: weighted scores or reciprocal rank fusion.",
    )
    rrf_k: int = Field(60, description="Constant k of reciprocal rank fusion.")
    rereading: bool = Field(False, description="Read documents again if the passages found are not enough.")
    rerank_top: int = Field(30, description="Number of candidates that the cross-encoder scores.")
    rerank_original: float = Field(0.4, description="Weight of the original score after re-ranking.")
    rerank_least: float = Field(0.0, ge=0, description="Cross-encoder score below which a passage is dropped; 0: none.")
    confidence_high: float = Field(0.7, description="Lowest calibrated strength for high confidence.")
    confidence_medium: float = Field(0.5, description="Lowest calibrated strength for medium confidence.")


class Budget(BaseModel):
    """Token budget for a window of 32,768 tokens; scaled to the model's real window."""

    window: int = Field(32_768, description="Context window that the following shares add up to.")
    user: int = Field(200, description="Known facts about the user.")
    retrieved: int = Field(8_000, description="Retrieved passages.")
    history: int = Field(4_000, description="Conversation history.")
    response: int = Field(18_000, description="The answer.")
    margin: int = Field(1_068, description="Safety margin.")


class Deadlines(BaseModel):
    """Time limits, in seconds."""

    dense: float = Field(1.5, description="One vector query.")
    lexical: float = Field(1.5, description="One keyword query.")
    rerank: float = Field(4.0, description="One call of the cross-encoder.")
    prefix: float = Field(
        5.0,
        description="A model call for the context of one passage. Each further passage in the call adds a fifth of "
        "it, within `PALIMPSEST_PREFIX__DOCUMENT_SECONDS`.",
    )
    metadata: float = Field(8.0, description="The model call for a document's metadata.")
    books: float = Field(120.0, description="A model call for one part of a book, made in the background.")
    section: float = Field(60.0, description="A model call that extracts from one section.")
    web: float = Field(10.0, description="One query of a web search.")
    datagov: float = Field(10.0, description="One request to the open data portal, made at most three times.")
    tool_server: float = Field(60.0, description="One tool call on a tool server.")
    tool_server_start: float = Field(30.0, description="Start of a tool server, until it has listed its tools.")
    nli: float = Field(10.0, description="Checking all claims of one answer or audit with the inference model.")
    embed_endpoint: float = Field(10.0, description="One batch at an embedding endpoint.")
    embed_query: float = Field(2.0, description="Embedding one question.")
    embed_batch: float = Field(2.0, description="Target time for one batch of the packaged embedding model.")
    truth: float = Field(5.0, description="Any read from the record store.")
    retrieval: float = Field(15.0, description="The whole retrieval.")
    model_first_token: float = Field(
        30.0,
        description="First token of a chat model; after that, passages are quoted instead. OpenAI models that do not "
        "show their reasoning get three times as long.",
    )
    model_quotes: float = Field(
        4.0,
        ge=0,
        description="Until a chat model's first word; after that, quotations are shown until the model writes.",
    )
    model_silence: float = Field(30.0, description="Longest pause of a chat model within its answer.")
    model_small: float = Field(
        10.0,
        description="A small task of a chat model (understanding, judging, naming); after that, rules decide. A model "
        "whose last small tasks took longer gets more time.",
    )
    model_small_most: float = Field(60.0, description="Longest time that a small task of a slow chat model may get.")
    model_answer: float = Field(180.0, description="A whole answer of a chat model.")
    extraction_processor: float = Field(
        20.0,
        gt=0,
        description="Processor time for reading one file, without the time added for its size and without OCR. A "
        "file that needs more is set aside.",
    )
    extraction_processor_megabyte: float = Field(5.0, ge=0, description="Processor time added for each megabyte.")
    extraction: float = Field(300.0, description="Reading one file.")
    view: float = Field(30.0, description="Rendering a page, or finding a quotation on it.")
    wait_for_text: float = Field(
        3.0, description="How long a question waits for documents being read, before an answer without them is offered."
    )
    wait_at_most: float = Field(
        300.0, description="How long the question waits if the user does not accept that offer."
    )


class Breakers(BaseModel):
    """When a failing dependency is skipped for a while (`docs/specification.md`, "Deadlines")."""

    failures: int = Field(3, description="Consecutive failures that open a circuit breaker.")
    cooldown: float = Field(30.0, description="Seconds until an open breaker tries the dependency again.")


class Redis(BaseModel):
    """What several processes share in Redis, besides the record store and the index (`docs/server.md`)."""

    url: SecretStr | None = Field(
        None, description="Address, such as redis://127.0.0.1:6379/0. If not set, Redis is not used."
    )
    seconds: float = Field(
        0.5, gt=0, description="Time limit for one call to Redis; then the work continues without it."
    )


class Qdrant(BaseModel):
    """Layout of the collection on a Qdrant cluster (`docs/server.md`); all but `shards` can be changed later."""

    graph: Literal["people", "all"] = Field(
        "people", description="`people`: a vector graph for each user and group; `all`: one for all."
    )
    links: int = Field(16, ge=4, le=128, description="Links of each passage in such a graph (`payload_m`).")
    shards: int | None = Field(None, ge=1, description="Shards of new collections. If not set, one for each node.")
    replicas: int = Field(1, ge=1, description="Copies of each shard. Use 2 with three or more nodes.")
    write_replicas: int = Field(1, ge=1, description="Copies that must confirm a write before it is acknowledged.")
    quantization: Literal["none", "scalar", "binary"] = Field(
        "none",
        description="Compressed vectors in the server's memory: `scalar` needs a quarter, `binary` a thirty-second.",
    )

    @model_validator(mode="after")
    def _refuse_more_than_there_are(self) -> Self:
        if self.write_replicas > self.replicas:
            raise ValueError("PALIMPSEST_QDRANT__WRITE_REPLICAS must not be more than PALIMPSEST_QDRANT__REPLICAS.")
        return self


class Rates(BaseModel):
    """Limits per minute on requests that change or ask something, if users sign in; above them: 429, `Retry-After`."""

    session: int = Field(100, ge=1, description="Requests of one browser or one API key.")
    user: int = Field(300, ge=1, description="Requests of one user.")
    address: int = Field(1_000, ge=1, description="Requests from one network address, which many users may share.")
    files: int = Field(600, ge=1, description="Files that one user uploads. They count only here and for the address.")
    sign_in: int = Field(30, ge=1, description="Sign-in attempts from one address, successful or not.")


class Jobs(BaseModel):
    workers: int = Field(
        1, ge=0, description="Jobs of one kind (reading, embedding) run in parallel; 0 leaves them to other processes."
    )
    ocr_processes: int = Field(
        0,
        ge=0,
        le=64,
        description="Scanned pages that are recognised at the same time while other files are read. Each needs a "
        "process with one processor and about 100 MB; 0 means one for each processor.",
    )
    lease: float = Field(
        20.0,
        description="Seconds a worker owns a job without renewing its lease. After that another process takes the "
        "job, and later writes of the first worker are refused.",
    )
    drain: float = Field(
        20.0,
        ge=0,
        description="Seconds for running jobs to finish when a worker is stopped; then they are handed back.",
    )
    nice: int = Field(
        19,
        ge=0,
        le=19,
        description="POSIX `nice` value (19 is the lowest priority) of workers, of the processes that read files for "
        "them, and of the OCR engine in every process. With 0, questions that share the processors with "
        "them take several times as long.",
    )
    embed_batch: int = Field(16, description="Maximum number of chunks in one embedding batch.")
    event_interval: float = Field(0.05, description="Minimum seconds between two batches of streamed text.")
    heartbeat: float = Field(10.0, description="Seconds of silence after which a run sends a heartbeat.")
    upkeep_after: float = Field(
        20.0, description="Seconds after a start until the first consistency check, kept free for questions."
    )


RETIRED_PROFILES = ("relevance", "bounded")
"""Ranking profiles that could be set in earlier versions; now used only in benchmarks (``benchmarks/profiles.py``)."""


class Memory(BaseModel):
    """What is remembered, for how long, and when a memory is promoted."""

    enabled: bool = Field(True, description="Remember conversations, and learn from whether answers worked.")
    detection: bool = Field(True, description="Detect from the rest of a conversation whether the last answer worked.")
    promotion: bool = Field(True, description="Promote memories that proved useful, and archive those that failed.")
    enforce_scoring: bool = Field(False, description="Disable the message box until the user rates the last answer.")
    profile: Literal["seed", "conditional"] = Field(
        "conditional", description="How outcomes affect ranking; benchmarks chose the default."
    )
    routing_plan: bool = Field(True, description="Search deeper in the tiers that answered the same subject before.")
    entity_boost: bool = Field(True, description="Rank facts higher if they name an entity of the question.")
    action_boost: bool = Field(False, description="Rank passages higher if three or more working answers used them.")
    known_solutions: bool = Field(True, description="Rank memories higher if they solved the same problem before.")
    working_hours: float = Field(24.0, description="Hours that an exchange stays in working memory.")
    history_days: float = Field(30.0, description="Days that a memory stays in history, unless it proved useful.")
    bank_capacity: int = Field(1_000, description="Maximum number of active items in the memory bank.")
    worked: float = Field(0.2, description="Change of a score for the outcome *worked*.")
    partial: float = Field(0.05, description="Change of a score for the outcome *partial*.")
    failed: float = Field(-0.3, description="Change of a score for the outcome *failed*.")
    history_score: float = Field(0.7, description="Lowest score at which a working memory is promoted to history.")
    history_uses: int = Field(2, description="Scored uses needed to promote a working memory to history.")
    patterns_score: float = Field(0.9, description="Lowest score at which history is promoted to a pattern.")
    patterns_uses: int = Field(3, description="Scored uses needed to promote a memory in history to a pattern.")
    archive_below: float = Field(0.2, description="Score below which a memory is archived.")
    promote_minutes: float = Field(30.0, description="Minutes between two promotion rounds.")
    promote_messages: int = Field(20, description="Number of messages after which a promotion round also runs.")
    consistency_minutes: float = Field(15.0, description="Minutes between comparisons of record store and index.")
    dedup_similarity: float = Field(0.80, description="Lowest similarity at which two bank items are duplicates.")
    detector_turns: int = Field(4, description="Number of turns between two runs of the outcome detector.")
    detector_confidence: float = Field(0.7, description="Confidence above which a detected outcome counts.")
    rollback_days: float = Field(7.0, description="Days that the previous index is kept after a reindex.")
    reindex_batch: int = Field(64, description="Items in one batch of a reindex.")
    results_specific: int = Field(5, description="Memories recalled for a question about one thing.")
    results_usual: int = Field(10, description="Memories recalled for any other question.")
    results_howto: int = Field(12, description="Memories recalled for a how-to question.")
    results_broad: int = Field(20, description="Memories recalled for a broad question.")

    @field_validator("profile", mode="before")
    @classmethod
    def _replace_retired_profile(cls, given: object) -> object:
        """Replaces a retired profile with the default; logs it in all languages (reader unknown)."""
        if given not in RETIRED_PROFILES:
            return given
        default = cls.model_fields["profile"].default
        notice = message("settings.retired_profile", name=given, default=default)
        log.warning("%s", " · ".join(notice.to(language) for language in LANGUAGES))
        return default


class Calls(BaseModel):
    """Calls from programs that do not name a conversation."""

    pause_minutes: float = Field(10.0, description="Minutes without a call until the next one starts a conversation.")


class Tools(BaseModel):
    """Tools that answers may use besides the documents."""

    off: list[str] = Field([], description="Names of disabled tools, as a JSON list.")


class DataGov(BaseModel):
    """The government's open data, from a CKAN portal."""

    enabled: bool = Field(True, description="Whether questions may be answered from the government's open data.")
    url: str = Field("https://data.gov.il", description="Address of the portal.")
    map_days: float = Field(7.0, gt=0, description="Age in days at which the map of the portal's catalogue is rebuilt.")
