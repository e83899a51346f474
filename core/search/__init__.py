"""Search: *question, scopes* → passages and memories, best first, with every part of their score."""
