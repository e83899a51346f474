"""Every action of the pages as a named endpoint, a module for each tab."""
