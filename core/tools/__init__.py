"""Calls tools for a model or for rules: web search, memory, documents, open data, and external (MCP) servers."""
