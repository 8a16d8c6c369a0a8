"""Words: how figures and names are written in documents, the same way in all of them."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from shlex import quote

from houseway import names
from houseway.house.money import dollars_text


def bet_name(bet: str, paytable: str | None = None) -> str:
    """A bet with its paytable, as people say it: 'Pair Plus A'."""
    if not paytable or paytable.lower() == bet:
        return names.bet_name(bet)
    return f"{names.bet_name(bet)} {paytable}"


def sentence(text: str) -> str:
    """The text with a capital at the beginning and a full stop at the end."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def percent(value: Fraction | float, places: int = 4) -> str:
    """A share of 1 in per cent."""
    return f"{float(value):.{places}%}"


def number(value: Fraction | float, places: int = 6) -> str:
    """A plain number with so many decimals."""
    return f"{float(value):,.{places}f}"


def signed(value: Fraction | float, places: int = 6) -> str:
    """The same with its sign."""
    return f"{float(value):+,.{places}f}"


def one_in(probability: Fraction) -> str:
    """How many tries one takes on average."""
    return "never" if probability == 0 else f"{float(1 / probability):,.2f}"


def dollars(value: Fraction | float) -> str:
    """Dollars and cents of an amount in dollars, rounded."""
    return dollars_text(round(value * 100))


def units(value: Fraction) -> str:
    """What a unit wager gains, as exactly as it is written: '+3/2', '-1'."""
    return f"+{value}" if value > 0 else str(value)


def command(
    *parts: str,
    paytables: Iterable[tuple[str | None, str]] = (),
    options: Mapping[str, str] | None = None,
    more: Iterable[str] = (),
) -> str:
    """A command as it is typed, with what it was given."""
    words = ["houseway", *parts]
    for bet, code in paytables:
        words += ["--paytable", f"{bet}={code}" if bet else code]
    for name, value in (options or {}).items():
        words += ["--option", f"{name}={value}"]
    return " ".join(quote(word) for word in (*words, *more))
