"""Arguments: the types of arguments that several commands take."""

import re
from typing import Annotated

from cyclopts import Parameter

from houseway.refusal import Reason, Refused

Json = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help="Print one JSON document instead of tables."),
]
OptionTexts = Annotated[
    list[str],
    Parameter(
        name="--option",
        negative=(),
        show_default=False,
        help="A house option, NAME=VALUE; may be given several times.",
    ),
]
PaytableTexts = Annotated[
    list[str],
    Parameter(
        name="--paytable",
        negative=(),
        show_default=False,
        help="A paytable, BET=CODE or a designator such as TCP-05; may be given several times.",
    ),
]
RngSeed = Annotated[
    str | None,
    Parameter(
        name="--rng-seed",
        show_default=False,
        help="A whole number: the same cards again.",
    ),
]


def read_seed(text: str | None) -> int | None:
    """The seed of a generator; None when the kernel's own is used."""
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,18}", text):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"rng-seed {text!r} is no seed; write a whole number of at most 18 digits",
        )
    return int(text)


def read_count(text: str, what: str, most: int) -> int:
    """A whole number from 1."""
    if not re.fullmatch("[0-9]{1,12}", text) or not 1 <= int(text) <= most:
        raise Refused(
            Reason.BAD_ARGUMENT, f"{what} {text!r} cannot be; write a whole number from 1 to {most}"
        )
    return int(text)
