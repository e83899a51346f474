"""Who may come in without typing a password: the API keys of people's programs."""
