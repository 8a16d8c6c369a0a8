"""Slow, plain second copies of the rules, with which the tests compare the product."""
