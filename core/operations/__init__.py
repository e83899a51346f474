"""Running the workbench: backups on disk, rebuilding the index, what is wrong and what to do about it."""
