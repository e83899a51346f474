"""Connects to external tool servers with the Model Context Protocol (MCP), as administrators configured them."""
