"""What people and clients reach: *requests* → pages, server functions, named endpoints and streams."""
