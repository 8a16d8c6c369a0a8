"""Arguments: the types of arguments that several commands take."""

import re
import secrets
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

from houseway.games import GAMES, game_of
from houseway.games.contract import Game
from houseway.house.money import CENTS_PER_DOLLAR
from houseway.house.options import allowed_values, of_few_words
from houseway.names import PROGRESSIVE_CODES
from houseway.refusal import Reason, Refused, listed

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_ROUNDS = 10**15
MOST_NUMBER = 10**6

Given = Parameter(show_default=False)
"""An argument that is left out or given once."""
Flag = Repeated = Parameter(negative=(), show_default=False)
"""A flag without its --no- form, and an argument that may be given several times."""
Json = Annotated[
    bool,
    Parameter(negative=(), show_default=False, help="Print one JSON document instead of tables."),
]
CODES = tuple(game.code for game in GAMES)
GAMES_IN_WORDS = f"{', '.join(CODES[:-1])} or {CODES[-1]}"
GameText = Annotated[str | None, Parameter(show_default=False, help=f"{GAMES_IN_WORDS}.")]
GameOrProgressiveText = Annotated[
    str | None,
    Parameter(
        show_default=False,
        help=f"{', '.join(CODES)}, or a progressive: {', '.join(PROGRESSIVE_CODES)}.",
    ),
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
Database = Annotated[
    str | None,
    Parameter(
        show_default=False,
        help="Where the journal is: sqlite:///FILE or postgresql://USER@HOST/NAME.",
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


def fill_in(command: Command) -> Command:
    """The command with games of the house in the examples of its help.

    {first} is the first game and {second} one whose cards depend on decisions; {first_bets} are the
    bets that a seat of it needs, and {first_option} is an option that it plays otherwise.
    """
    second = next((game for game in GAMES if game.by_deck), GAMES[-1])
    text = command.__doc__ or ""
    for place, game in (("first", GAMES[0]), ("second", second)):
        bets = (f"--bet {bet}={game.usual_cents(bet) // CENTS_PER_DOLLAR}" for bet in needed(game))
        option = (*game.main_options, *of_few_words(game.options))[0]
        filled = {
            place: game.code,
            f"{place}_bets": " ".join(bets),
            f"{place}_option": f"{option}={allowed_values(option, game.options)[-1]}",
        }
        for name, value in filled.items():
            text = text.replace(f"{{{name}}}", value)
    command.__doc__ = text
    return command


def needed(game: Game) -> tuple[str, ...]:
    """The bets that a seat needs."""
    return game.required or (game.unit,)


def read_game(text: str | None) -> Game:
    """The game of that code."""
    if text is None:
        raise Refused(
            Reason.UNKNOWN_GAME, f"no game is given; known: {listed(g.code for g in GAMES)}"
        )
    return game_of(text)


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


def seed_or_any(text: str | None) -> int:
    """The seed that is given, or any; a run says which it was."""
    seed = read_seed(text)
    return secrets.randbelow(10**9) if seed is None else seed


def read_count(text: str, what: str, most: int) -> int:
    """A whole number from 1."""
    if not re.fullmatch("[0-9]{1,12}", text) or not 1 <= int(text) <= most:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{what} {text!r} is not allowed; write a whole number from 1 to {most:,}",
        )
    return int(text)


def read_rounds(text: str, most: int = MOST_ROUNDS, what: str = "rounds") -> int:
    """A positive whole number, plain or as 1e9."""
    plain = text.strip().replace(",", "").replace("_", "")
    found = re.fullmatch(r"([0-9]{1,16})(?:\.([0-9]{1,16}))?(?:[eE]\+?([0-9]{1,2}))?", plain)
    if found is not None:
        whole, decimals, exponent = found[1], (found[2] or "").rstrip("0"), int(found[3] or 0)
        if len(decimals) <= exponent:
            number: int = int(whole + decimals) * 10 ** (exponent - len(decimals))
            if 1 <= number <= most:
                return number
    raise Refused(
        Reason.BAD_ARGUMENT,
        f"{what} {text!r} is not allowed; write a positive whole number such as 1000 or 1e6, at "
        f"most 1e{len(str(most)) - 1}",
    )


def read_number(text: str | None, name: str, example: str) -> Fraction:
    """A plain number above 0, with decimals or without."""
    text = given(text, name, example)
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,6})?", text.strip()):
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{name} {text!r} is not a number above 0; write it plainly, such as {example}",
        )
    number = Fraction(text.strip())
    if not 0 < number <= MOST_NUMBER:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{name} {text!r} is not allowed; it is more than 0 and at most {MOST_NUMBER:,}",
        )
    return number


def one_of(text: str | None, what: str, allowed: Iterable[str]) -> str:
    """One of the words that are allowed."""
    known = list(allowed)
    if text in known:
        return text
    said = f"no {what} is given" if text is None else f"{what} {text!r} is unknown"
    raise Refused(Reason.UNKNOWN_VALUE, f"{said}; known: {listed(known)}")


def given(text: str | None, name: str, example: str) -> str:
    """An argument that must be given."""
    if not text:
        raise Refused(Reason.BAD_ARGUMENT, f"--{name} is not given; write --{name} {example}")
    return text


def given_database(text: str | None) -> str:
    """The database that must be given."""
    return given(text, "database", "sqlite:///floor.sqlite")
