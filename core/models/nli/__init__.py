"""Natural language inference: whether a text says what another one claims."""
