"""Who may come in: people with their passwords, roles and sessions, and the API keys of their programs."""
