"""What web pages need to be read as they are shown."""
