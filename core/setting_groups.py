"""Settings that belong together: *a group's name* → its fields, defaults and meaning (``docs/configuration.md``)."""

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
    """What people may send."""

    file_bytes: int = Field(
        50 * 1024 * 1024, description="Largest file accepted, in bytes; tables have a limit of their own."
    )
    table_file_bytes: int = Field(
        500 * 1024 * 1024,
        description="Largest table accepted (CSV, TSV, XLSX), in bytes. It may unpack to ten times that.",
    )
    table_rows: int = Field(5_000_000, gt=0, description="Most rows read from one table file.")
    table_vectors: int = Field(
        2_000,
        ge=0,
        description="Passages of one table file whose texts (comments, survey answers) are searched by meaning too; "
        "all other rows are found by their words, codes and numbers.",
    )
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

    @property
    def largest_file_bytes(self) -> int:
        """The largest size of any file, for a door at which its name is not known yet."""
        return max(self.file_bytes, self.table_file_bytes)


class Backups(BaseModel):
    """Backups of everyone that are made by themselves, in the data directory's `backups/`."""

    every_hours: float = Field(0.0, ge=0, description="Hours between two of them; 0 makes none.")
    keep: int = Field(7, ge=1, description="How many of them are kept; older ones are removed.")


class Log(BaseModel):
    """Files of the log. One that is full is set aside with a number at its end, and a new one begun."""

    file: str = Field("", description="File that servers write their log to as well, within the data directory.")
    megabytes: float = Field(10.0, gt=0, description="Size at which a file is full; that of commands, too.")
    kept: int = Field(5, ge=1, description="How many full files are kept.")


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
        20.0,
        gt=0,
        description="Processor time that reading one file may take, besides what its size adds and without recognising "
        "scanned pages; a file that takes more is set aside.",
    )
    extraction_processor_megabyte: float = Field(5.0, ge=0, description="Processor time that each of its MB adds.")
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


class Redis(BaseModel):
    """What several processes share beside the truth and the index (`docs/server.md`)."""

    url: SecretStr | None = Field(
        None, description="Address of Redis, such as redis://127.0.0.1:6379/0; none means each process is by itself."
    )
    seconds: float = Field(0.5, gt=0, description="Seconds for one call of it; then it is passed by.")


class Qdrant(BaseModel):
    """How the collection lies on a Qdrant cluster (`docs/server.md`). All but the number of shards changes in place."""

    graph: Literal["people", "all"] = Field(
        "people",
        description="Whether each person and group has a graph of vectors of its own, or there is one over all.",
    )
    links: int = Field(16, ge=4, le=128, description="Links of a passage in such a graph (`payload_m`).")
    shards: int | None = Field(
        None, ge=1, description="Shards of a collection that is made from now on; none means one for each node."
    )
    replicas: int = Field(1, ge=1, description="Copies of each shard; on three nodes or more, 2.")
    write_replicas: int = Field(1, ge=1, description="Copies that must have a write before it is acknowledged.")
    quantization: Literal["none", "scalar", "binary"] = Field(
        "none",
        description="Smaller vectors that the server keeps in memory: a quarter, or a thirty-second, of their size.",
    )

    @model_validator(mode="after")
    def _refuse_more_than_there_are(self) -> Self:
        if self.write_replicas > self.replicas:
            raise ValueError("PALIMPSEST_QDRANT__WRITE_REPLICAS must not be more than PALIMPSEST_QDRANT__REPLICAS.")
        return self


class Rates(BaseModel):
    """Requests a minute that change or ask something, where people sign in; then 429, with when to try again."""

    session: int = Field(100, ge=1, description="Of one browser or one key.")
    user: int = Field(300, ge=1, description="Of one person.")
    address: int = Field(1_000, ge=1, description="From one address, behind which there may be many people.")
    files: int = Field(600, ge=1, description="That one person sends; they count for nothing else but the address.")
    sign_in: int = Field(30, ge=1, description="Sign-ins from one address, right or wrong.")


class Jobs(BaseModel):
    workers: int = Field(
        1,
        ge=0,
        description="Jobs of one kind (reading files, computing vectors) run at once; 0 leaves them to other "
        "processes.",
    )
    ocr_processes: int = Field(
        0,
        ge=0,
        le=64,
        description="Scanned pages recognised at once while other files are read, each by a process that takes one "
        "processor and about 100 MB; 0 means one for each processor.",
    )
    lease: float = Field(
        20.0,
        description="Seconds a worker owns a job without a sign of life; then another process takes it, and what the "
        "worker still writes is refused.",
    )
    drain: float = Field(
        20.0, ge=0, description="Seconds that jobs have to end when their worker is told to; then they are handed back."
    )
    nice: int = Field(
        19,
        ge=0,
        le=19,
        description="How far a worker and what it reads files with, and everywhere the engine that recognises scanned "
        "pages, stand back from others on the machine, where systems are of POSIX; with 0 a question waits several "
        "times as long where they share its processors.",
    )
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
