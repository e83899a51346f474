"""Implements the command ``palimpsest``, one module per subcommand. All except ``serve`` call the server that holds the
data."""
