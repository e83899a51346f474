"""Security between the network and the pages: refuses requests, and adds restrictions for browsers to replies."""
