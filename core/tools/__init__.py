"""Tools: *a call by a model or a rule* → what the web, the memory, documents, open data or a server of others says."""
