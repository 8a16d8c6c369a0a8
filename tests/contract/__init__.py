"""Contract: what every registered game keeps to."""
