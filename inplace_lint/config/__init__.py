"""Configuration: the table of options, the files they come from, and the decisions made by them."""
