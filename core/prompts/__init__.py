"""Prompts as files: Jinja2 templates, ours in ``templates/``, a user's own before them."""
