"""Exact: counts, strategies and par sheets as fractions, from the rules that pay people."""
