"""From a message to the documents that it is about."""
