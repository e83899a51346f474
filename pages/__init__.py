"""The interface for users and client programs: requests → pages, server functions, named endpoints and streams."""
