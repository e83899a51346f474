"""Makes the tools that the settings name."""

from __future__ import annotations

from core.models.endpoint import RATE_LIMIT_PAUSE
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.settings import Settings
from core.tools.perplexity import Perplexity
from core.tools.tavily import Tavily
from core.tools.web import WebEngine, WebSearch


def build_web_search(settings: Settings) -> WebSearch:
    """With the engine that a key is there for, Tavily first unless Perplexity is asked for."""
    seconds = settings.deadlines.web
    breaker = CircuitBreaker(settings.breakers.failures, settings.breakers.cooldown)
    return WebSearch(
        _engine(settings, seconds),
        Dependency("The web search", seconds * 2 + RATE_LIMIT_PAUSE + 0.5, breaker),
        settings.web_results,
    )


def _engine(settings: Settings, seconds: float) -> WebEngine | None:
    tavily, perplexity = settings.tavily_api_key, settings.perplexity_api_key
    if perplexity and (settings.web_provider == "perplexity" or not tavily):
        return Perplexity(perplexity, seconds, settings.perplexity_url)
    return Tavily(tavily, seconds, settings.tavily_url) if tavily else None
