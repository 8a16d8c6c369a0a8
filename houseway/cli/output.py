"""Output: JSON documents and tables, the same way for every command."""

import json
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from houseway.cards import card_text
from houseway.money import dollars_text
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.settlement import Line

Json = Annotated[bool, Parameter(negative=(), help="Print one JSON document instead of tables.")]
OptionTexts = Annotated[
    list[str],
    Parameter(
        name="--option", negative=(), help="A house option, NAME=VALUE; may be given several times."
    ),
]
PaytableTexts = Annotated[
    list[str],
    Parameter(
        name="--paytable",
        negative=(),
        help="A paytable, BET=CODE or a designator such as TCP-05; may be given several times.",
    ),
]

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_STYLES = {"c": "green", "d": "blue", "h": "red", "s": "bold"}
OUTCOME_STYLES = {"win": "green", "lose": "red", "push": "yellow", "forfeit": "red"}


@cache
def console() -> Console:
    """The terminal."""
    return Console(highlight=False)


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document and nothing else."""
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def pairs(texts: Iterable[str], what: str, example: str) -> dict[str, str]:
    """The NAME=VALUE texts as a mapping; refused when one has no '=' or a name stands twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise Refused(Reason.BAD_ARGUMENT, f"{what} {text!r} cannot be read; write {example}")
        if name in found:
            raise Refused(Reason.GIVEN_TWICE, f"{what} {name!r} is given twice; give it once")
        found[name] = value.strip()
    return found


def paytable_pairs(texts: Iterable[str]) -> list[tuple[str | None, str]]:
    """The BET=CODE texts and bare designators as (bet, code) and (None, code)."""
    found: list[tuple[str | None, str]] = []
    for text in texts:
        bet, equals, code = text.partition("=")
        found.append((bet.strip(), code.strip()) if equals else (None, text.strip()))
    return found


def table(*columns: str, title: str | None = None, right: Iterable[str] = ()) -> Table:
    """An empty table in the house style."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(
            column,
            justify="right" if column in right else "left",
            no_wrap=column in KEPT_WHOLE,
        )
    return made


KEPT_WHOLE = ("no.", "bet", "wager", "outcome", "net", "clause", "status", "code", "hand", "pays")
"""Columns that never wrap, however narrow the terminal."""


def cards_rich(cards: Iterable[int]) -> Text:
    """Cards with coloured suit signs: 'K♥ 9♣ 4♦'."""
    text = Text()
    for number, card in enumerate(cards):
        written = card_text(card)
        rank, suit = written[0], written[1]
        text.append(" " if number else "")
        text.append(rank.replace("T", "10") + SUIT_SIGNS[suit], style=SUIT_STYLES[suit])
    return text


def lines_table(lines: "Iterable[Line]") -> Table:
    """Pay lines as a table, with the sum below."""
    made = table("bet", "wager", "outcome", "net", "clause", "why", right=("wager", "net"))
    total = 0
    for line in lines:
        bet = line.bet if line.hand is None else f"{line.bet} {line.hand}"
        style = OUTCOME_STYLES[line.outcome]
        made.add_row(
            bet,
            dollars_text(line.wager),
            Text(line.outcome, style=style),
            Text(dollars_text(line.net, sign=True), style=style),
            line.clause,
            line.why,
        )
        total += line.net
    made.add_section()
    made.add_row("net", "", "", Text(dollars_text(total, sign=True), style="bold"), "", "")
    return made
