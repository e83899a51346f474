"""The command ``palimpsest``: one module a subcommand; all but ``serve`` speak to the server that holds the data."""
