"""Which documents a message is about: by mention, by what was spoken of, by likeness; and when to ask [spec A4, P1]."""
