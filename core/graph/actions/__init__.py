"""What the agent can do with documents: summarize, compare, audit; and what is checked and added around an answer."""
