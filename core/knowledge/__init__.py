"""The three graphs of what is known: content, routing and actions, read as one."""
