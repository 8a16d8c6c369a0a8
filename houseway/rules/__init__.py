"""Rules: a game as a table plays it, and how one seat of it is settled."""
