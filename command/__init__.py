"""Implements the command ``palimpsest``: one module per subcommand; all but ``serve`` call the server with the data."""
