"""Between the network and the pages: *requests* → admitted or refused; *replies* → what a browser may do with them."""
