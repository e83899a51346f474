"""Loads prompts from Jinja2 template files: a user's own first, then the built-in ones in ``templates/``."""
