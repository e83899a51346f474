"""What a document is: told by rule, and by a model where the rules leave it open."""
