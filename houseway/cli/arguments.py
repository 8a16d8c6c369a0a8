"""Arguments: the types of arguments that several commands take."""

from typing import Annotated

from cyclopts import Parameter

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
