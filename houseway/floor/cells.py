"""Cells: values as a spreadsheet takes them from a CSV file, and never as a formula."""

import json
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of something to be worked out."""


def cell(value: Any) -> Any:
    """A value for one cell: lists as JSON, and a text that looks like a formula with a quote."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA):
        return f"'{value}"
    return packed(value)


def packed(value: Any) -> Any:
    """A value that a table takes: lists and mappings as JSON."""
    return json.dumps(value) if isinstance(value, list | dict) else value
