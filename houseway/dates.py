"""Dates: days in one written form, and the days on which something is in force."""

import re
from datetime import date

_FORM = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def parse_day(text: str, name: str = "day") -> date:
    """Returns the day that a text such as 2024-01-31 says; raises ValueError for any other form.

    `date.fromisoformat` alone also takes 20240131 and 2024-W05-3.
    """
    try:
        if _FORM.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise ValueError(f"{name} {text[:20]!r} is not a day; write it as 2024-01-31")


def term_problem(day: str, *, begins: str, until: str) -> str:
    """Returns why something is not in force on a day; empty where it is, or has no such end."""
    if day < begins:
        return f"begins on {begins}"
    return f"ended on {until}" if until and until < day else ""
