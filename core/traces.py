"""Sends traces of questions to an OpenTelemetry collector."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from core.errors import PalimpsestError, fail
from core.settings import Settings, drop_from_environment

log = logging.getLogger(__name__)

Value = str | int | float | bool | Sequence[str]
LONGEST_EXPORT = 5
"""Timeout of one delivery in seconds; no answer waits for a delivery."""
LONGEST_END = 6.0
"""Seconds for delivering the last spans when the workbench stops."""
_KEPT_SPANS = 2_048
_FIRST_TRACING = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""Variables of LangChain's old tracing: if they are set although tracing is off, LangChain refuses every call."""
PROVIDERS = {"openai": "openai", "anthropic": "anthropic", "mistralai": "mistral_ai", "cohere": "cohere"}
"""Values of ``gen_ai.provider.name`` in the OpenTelemetry conventions, by the provider in a model's id."""


class Recording:
    """A span in progress; if no collector is configured, nothing is recorded."""

    def __init__(self, span: Any = None, *, content: bool = False) -> None:
        self._span = span
        self.content = content
        """Whether texts are recorded too."""

    def note(self, attributes: Mapping[str, Value]) -> None:
        if self._span is not None:
            self._span.set_attributes(dict(attributes))

    def note_text(self, name: str, text: object) -> None:
        """Record a text from users, documents or models, only if texts are to be recorded; other values are recorded as
        JSON."""
        if self.content:
            self.note({name: text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)})

    def failed(self, error: BaseException) -> None:
        """Record only the error's type, because its message may contain a question or a key."""
        if self._span is not None:
            from opentelemetry.trace import Status, StatusCode

            kind = error.problem.category if isinstance(error, PalimpsestError) else type(error).__name__
            self._span.set_attribute("error.type", kind)
            self._span.set_status(Status(StatusCode.ERROR))


class Traces:
    """Delivers spans from a separate thread; they are dropped when the collector is unavailable for long."""

    def __init__(self, settings: Settings) -> None:
        self._content = settings.traces_content
        self._provider = _provider(settings.traces) if settings.traces else None

    @contextmanager
    def run(self, run_id: str, conversation_id: str | None) -> Iterator[Recording]:
        """A run's span; spans from :func:`span` calls inside the block belong to it."""
        if self._provider is None:
            yield Recording()
            return
        token = _tracing.set((self._provider.get_tracer("palimpsest"), self._content))
        attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "palimpsest"}
        conversation = {"gen_ai.conversation.id": conversation_id} if conversation_id else {}
        try:
            with span("invoke_agent palimpsest", {**attributes, **conversation, "palimpsest.run.id": run_id}) as it:
                yield it
        finally:
            _tracing.reset(token)

    async def close(self) -> None:
        """Deliver the remaining spans; if the collector is unavailable, do not wait for it."""
        if self._provider is None:
            return
        try:
            async with asyncio.timeout(LONGEST_END):
                await asyncio.to_thread(self._provider.shutdown)
        except TimeoutError:
            log.warning("the last traces could not be delivered")


_tracing: ContextVar[tuple[Any, bool] | None] = ContextVar("tracing", default=None)


@contextmanager
def span(
    name: str, attributes: Mapping[str, Value], *, ordinary: tuple[type[Exception], ...] = ()
) -> Iterator[Recording]:
    """A span for a step of the current run, which contains the spans inside the block; ``ordinary`` exceptions do not
    count as failures."""
    with _started(name, attributes, "internal") as recording:
        if recording is None:
            yield Recording()
            return
        from opentelemetry.trace import use_span

        with use_span(recording._span, record_exception=False, set_status_on_exception=False):
            try:
                yield recording
            except ordinary:
                raise
            except BaseException as error:
                recording.failed(error)
                raise


@contextmanager
def model_call(id: str) -> Iterator[Recording]:
    """A span for a call of the model ``provider:name``. It contains no other spans, so a stream may be abandoned before
    its end."""
    provider, _, name = id.partition(":")
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(provider, provider),
        "gen_ai.request.model": name,
    }
    with _started(f"chat {name}", attributes, "client") as recording:
        try:
            yield recording or Recording()
        except GeneratorExit:
            raise
        except BaseException as error:
            if recording:
                recording.failed(error)
            raise


@contextmanager
def _started(
    name: str, attributes: Mapping[str, Value], kind: Literal["internal", "client"]
) -> Iterator[Recording | None]:
    current = _tracing.get()
    if current is None:
        yield None
        return
    from opentelemetry.trace import SpanKind

    tracer, content = current
    started = tracer.start_span(name, attributes=dict(attributes), kind=SpanKind[kind.upper()])
    try:
        yield Recording(started, content=content)
    finally:
        started.end()


def _provider(address: str) -> Any:
    """An exporter that sends traces to ``address``.

    Raises:
        PalimpsestError: the packages are not installed.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise fail("validation", "traces.packages") from error

    provider = TracerProvider(resource=Resource.create({"service.name": "palimpsest"}), shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=address, timeout=LONGEST_EXPORT)
    provider.add_span_processor(BatchSpanProcessor(exporter, max_queue_size=_KEPT_SPANS))
    return provider


def hold_langsmith(settings: Settings) -> None:
    """Stop LangChain from sending prompts to LangSmith because of environment variables, unless a setting allows it."""
    import langsmith

    drop_from_environment(*_FIRST_TRACING)
    langsmith.configure(enabled=None if settings.langsmith else False)
