"""Servers of tools that others wrote, by the Model Context Protocol: *what an administrator named* → tools to call."""
