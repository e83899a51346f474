"""Book intelligence: quotes, mental models and summaries that a chat model takes out of documents."""
