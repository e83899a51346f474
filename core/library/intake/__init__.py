"""Files on their way in: how large they may be, how they arrive, how they are taken over."""
