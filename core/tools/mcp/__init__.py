"""Connects to external tool servers with the Model Context Protocol: *an administrator's settings* → tools to call."""
