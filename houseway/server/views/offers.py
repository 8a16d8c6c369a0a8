"""Views of what may be chosen for a game: what the server sends, as types."""

from typing_extensions import TypedDict


class PaytableRow(TypedDict):
    """A hand and its pay."""

    hand: str
    label: str
    pays: str


class PaytableHand(TypedDict):
    """A hand that a paytable may pay."""

    hand: str
    label: str


class TableOffer(TypedDict):
    """A paytable with all hands that it may pay."""

    code: str
    levels: list[str]
    rows: list[PaytableRow]
    hands: list[PaytableHand]


class BetOffer(TypedDict):
    """The paytables of a bet."""

    bet: str
    name: str
    usual: str
    tables: list[TableOffer]


class Designator(TypedDict):
    """A code that stands for several paytables."""

    code: str
    paytables: dict[str, str]


class PaytableChoice(TypedDict):
    """The paytables of a bet that may be chosen."""

    bet: str
    codes: list[str]


class OptionChoice(TypedDict):
    """The values of an option that may be chosen."""

    option: str
    text: str
    values: list[str]


class HouseOption(TypedDict):
    """Something that a house decides: its name, what it means, and what it may be."""

    option: str
    text: str
    source: str
    default: str
    values: list[str]
    open: bool
    """True where the values are no list, and one is written."""
