"""Renders *records and events* → sanitised HTML and files for download."""
