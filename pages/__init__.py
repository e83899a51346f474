"""The interface for users and clients: *requests* → pages, server functions, named endpoints and streams."""
