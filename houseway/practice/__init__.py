"""Practice: a table that learners play at, apart from the journal; no money of the house moves."""
