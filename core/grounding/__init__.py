"""What claims rest on: statements and passages → which of them bear each other out, and in what they differ."""
