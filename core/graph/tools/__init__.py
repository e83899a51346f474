"""How an answer uses tools: what is offered, called, asked about, and what of it is cited."""
