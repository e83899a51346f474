"""Renders *records and events* as sanitised HTML, and as files to download."""
