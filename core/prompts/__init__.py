"""Loads prompts from files: Jinja2 templates, a user's own first, then ours in ``templates/``."""
