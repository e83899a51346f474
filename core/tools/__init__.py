"""Calls tools for a model or a rule: web search, memory, documents, open data, and external (MCP) servers."""
