"""Benches: every speed claim, as a ratio against something else in the same run."""
