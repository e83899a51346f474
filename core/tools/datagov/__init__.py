"""Open data of the government: *question in Hebrew or English* → the data set that answers it, its rows, its source."""
