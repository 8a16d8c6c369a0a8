"""Options: everything at the casino's discretion, each with a default and a source.

`Options` are those of the house. A game adds its own in a dataclass of its folder, on top of these;
a variant of a game is a value of it. The first value of each option is its default; the register is
the dataclass itself, so a name is written once. A jurisdiction profile adds limits that are dated
data.
"""

import re
from dataclasses import Field, dataclass, field, fields, replace
from datetime import date as Date  # noqa: N812 - `date` is an option's name
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_type_hints

from houseway.catalog import catalog
from houseway.dates import parse_day
from houseway.house.money import (
    METER_LEVELS,
    Breakage,
    MeterLevel,
    check_amount,
    dollars_text,
    parse_amount,
)
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Switch = Literal["off", "on"]
Profile = Literal["none", "wa_commercial", "wa_tribal", "wa_2017"]
PerSpot = tuple[tuple[str, int], ...]
"""Cents for each spot that is set, or for 'all'; empty while nothing is set."""
PerLevel = tuple[tuple[MeterLevel, int], ...]
"""Cents or parts per million for each meter level that is set; empty while nothing is set."""


def with_meter(game: Any) -> bool:
    """True for a game with a bet that a meter pays."""
    return any(side.from_meter for side in game.side_bets)


def with_mandatory_bet(game: Any) -> bool:
    """True for a game in which a house may ask for one bet beside every other."""
    return game.mandatory is not None


def with_two_positions(game: Any) -> bool:
    """True for a game in which a house may let a player bet at two positions."""
    return bool(game.two_positions)


def with_six_card_bonus(game: Any) -> bool:
    """True for a game that offers the 6 Card Bonus."""
    return "six-card-bonus" in game.wagers


def option(
    default: Any, text: str, source: str, touches: "Callable[[Any], bool] | None" = None
) -> Any:
    """One entry of the register: what it decides, by which source.

    `touches` says of a game whether it changes anything there; it does everywhere without one.
    """
    return field(default=default, metadata={"text": text, "source": source, "touches": touches})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a house. Every field is one entry of the register."""

    # How a bet is paid.
    breakage: Breakage = option(
        "down_to_cent", "How odd cents of 3 to 2 pays and half losses are rounded", "A-23"
    )
    smallest_chip: int = option(
        100, "The smallest chip in the tray, for breakage 'down_to_chip'", "A-23"
    )
    settle_order: tuple[Bet, ...] = option(
        (),
        "The order in which the bets of a hand are settled; 'source' is the printed one",
        "004:L196",
    )
    # Progressive bets.
    folded_hand_progressive: Literal["not_eligible", "eligible"] = option(
        "not_eligible",
        "Whether a folded hand still wins the progressive",
        "004:L680, 004:L733, 004:L782",
        with_meter,
    )
    award_profile: Literal["nexus", "game_manager", "multi_link"] = option(
        "nexus", "Which progressive system's procedure is followed", "004:L666-797", with_meter
    )
    envy_own_other_hand: Literal["by_profile", "yes", "no"] = option(
        "by_profile",
        "Whether a player's own other hand earns envy; by profile, only game_manager pays it",
        "A-27",
        with_meter,
    )
    envy_when_folded: Literal["paid", "not_paid"] = option(
        "paid", "Whether a player who folded still receives envy", "A-46", with_meter
    )
    percent_pay_scaling: Literal["per_spot", "per_wager_unit"] = option(
        "per_spot",
        "Whether a share of the meter grows with the wager (never past the whole meter)",
        "A-19",
        with_meter,
    )
    meter_pay_order: Literal["right_to_left", "internal_controls"] = option(
        "right_to_left",
        "Who is paid first when several meter pays hit in a round",
        "004:L684, 004:L737, 004:L786",
        with_meter,
    )
    award_amount_fixed: Literal["at_hand_selection", "at_confirmation"] = option(
        "at_hand_selection", "When the amount of an award stands fast", "A-16", with_meter
    )
    void_progressive: Literal["refund", "carry_to_next_round"] = option(
        "refund", "What happens to progressive wagers of a void round", "A-15", with_meter
    )
    community_source: Literal["next_packet", "flushed"] = option(
        "next_packet", "Where the two community cards come from", "004:L781", with_meter
    )
    zero_meter_seed: Literal["refuse_without_override", "warn"] = option(
        "refuse_without_override", "What a meter_seed of nothing meets with", "PRC-09", with_meter
    )
    executive_threshold: PerLevel = option(
        (), "Award from which an executive must approve, per meter level", "A-24", with_meter
    )
    contribution_rate: PerLevel = option(
        (),
        "Share of each progressive wager that feeds the meter, per level",
        "004:L845-848",
        with_meter,
    )
    reserve_rate: PerLevel = option(
        (),
        "Share of each progressive wager that feeds the reserve, per level",
        "004:L850-851",
        with_meter,
    )
    meter_seed: PerLevel = option(
        (), "What a meter starts again from, per level", "004:L854-857", with_meter
    )
    cap: PerLevel = option(
        (),
        "Most that a meter shows; what comes after overflows, per level",
        "WAC 230-15-685(4)",
        with_meter,
    )
    all_from_meter: Switch = option(
        "off",
        "Whether fixed pays of the progressive come off its meter too",
        "004:L845-846",
        with_meter,
    )
    # Procedures at the table.
    table_minimum: PerSpot = option(
        (), "The posted least wager, for all spots or per spot", "TSR-17, TCP-12, TSB-02"
    )
    table_maximum: PerSpot = option(
        (), "The posted most wager, for all spots or per spot", "TSR-17, TCP-12, TSB-02"
    )
    two_adjacent_positions: Switch = option(
        "off",
        "Whether a player may bet at two adjacent positions",
        "000:L79, 004:L190",
        with_two_positions,
    )
    settle_style: Literal["pick_and_pay", "lay_and_pay"] = option(
        "pick_and_pay", "How hands are taken in and paid", "000:L85, 004:L196"
    )
    ante_mandatory: Switch = option(
        "off", "Whether bonus bets need an Ante", "000:L111-115, 004:L217-219", with_mandatory_bet
    )
    shuffler_mode: Literal["automatic", "hand"] = option(
        "automatic", "Whether a shuffler is used (some games must)", "000:L7, 004:L184"
    )
    shuffler_fault_procedure: Literal["guide", "seven_steps", "local"] = option(
        "guide", "What is done when the shuffler fails", "000:L93-109"
    )
    six_card_bonus_default: int = option(
        100, "The 6 Card Bonus wager that is offered first", "004:L386", with_six_card_bonus
    )
    max_games_per_player: Literal["none", "4"] = option(
        "none", "Most games a player may wager on at once", "001:L67"
    )
    # Jurisdiction.
    profile: Profile = option("none", "Whose dated wagering limits apply", "A-30, CMP-13")
    date: Date | None = option(None, "The day of the round, for a profile's limits", "A-30")

    def __post_init__(self) -> None:
        kind = type(self)
        for name in of_few_words(kind):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed_values(name, kind):
                raise _unknown_value(name, value, kind)
        _check_open_values(self)

    def to_json(self) -> dict[str, str]:
        """Each option's value as text."""
        return {name: value_text(name, getattr(self, name)) for name in register(type(self))}

    def into(self, kind: "type[AnyOptions]") -> "AnyOptions":
        """The same choices for a game, whose own options are as they are by default."""
        return kind(**{name: getattr(self, name) for name in register(kind) if hasattr(self, name)})

    def chosen(self) -> dict[str, str]:
        """The options that are not what they are by default, as text."""
        return {
            name: value_text(name, value)
            for name, entry in register(type(self)).items()
            if (value := getattr(self, name)) != entry.default
        }


_PAYTABLE = "_paytable"
_SHORT = {"scb": "six-card-bonus"}


def paytable_bet(name: str) -> Bet | None:
    """The bet whose paytable an option chooses, as in pair_plus_paytable=B; None for any other.

    It is another spelling of --paytable BET=CODE.
    """
    stem, ending, rest = name.partition(_PAYTABLE)
    if not stem or not ending or rest:
        return None
    return _SHORT.get(stem) or stem.replace("_", "-")


_RATES = ("contribution_rate", "reserve_rate")
METER_OPTIONS = ("executive_threshold", "contribution_rate", "reserve_rate", "meter_seed", "cap")
"""Options of a progressive meter, per level."""
_SPOTS = ("table_minimum", "table_maximum")
_WORD = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
"""How a bet is spelled; whether a game has it is asked where the game is known."""
_AMOUNTS = ("smallest_chip", "six_card_bonus_default")


Kind = type[Any]
"""`Options`, or what a game has on top of them."""
Chosen = Any
"""The options of whatever game is played: those of the house with the game's own."""
_Found = TypeVar("_Found")


def _once(function: "Callable[[Kind], _Found]") -> "Callable[[Kind], _Found]":
    """The function, asked once for each kind of options."""
    kept: dict[Kind, _Found] = {}

    def found(kind: Kind = Options) -> _Found:
        if kind not in kept:
            kept[kind] = function(kind)
        return kept[kind]

    return found


@_once
def _register(kind: Kind) -> dict[str, "Field[Any]"]:
    return {entry.name: entry for entry in fields(kind)}


@_once
def _of_few_words(kind: Kind) -> tuple[str, ...]:
    open_values = (*_AMOUNTS, *METER_OPTIONS, *_SPOTS, "settle_order", "date")
    return tuple(name for name in register(kind) if name not in open_values)


@_once
def _choices(kind: Kind) -> dict[str, tuple[str, ...]]:
    hints = get_type_hints(kind)
    return {name: tuple(get_args(hints[name])) for name in of_few_words(kind)}


def register(kind: Kind = Options) -> dict[str, "Field[Any]"]:
    """Every option by name: those of the house, and then those of a game."""
    return _register(kind)


def of_few_words(kind: Kind = Options) -> tuple[str, ...]:
    """The options whose value is one of a few words."""
    return _of_few_words(kind)


def allowed_values(name: str, kind: Kind = Options) -> tuple[str, ...]:
    """The values an option may take, default first; a description where they are open."""
    if name in _AMOUNTS:
        return (dollars_text(getattr(Options(), name)), "any amount")
    if name in METER_OPTIONS:
        shown = "a share such as 0.05" if name in _RATES else "an amount"
        return ("unset", f"{shown}, or one per level such as mega=…,major=…")
    if name in _SPOTS:
        return ("unset", "an amount, or one per spot such as ante=5,pair-plus=1")
    if name == "settle_order":
        return ("source", "the bets of the game in the casino's own order, such as ante,play")
    if name == "date":
        return ("unset", "a day such as 2024-01-31")
    return _choices(kind)[name]


def value_text(name: str, value: Any) -> str:
    """An option's value as it is typed; parsing the text gives the value back."""
    if name == "settle_order":
        return ",".join(value) or "source"
    if name in (*METER_OPTIONS, *_SPOTS):
        unit = 1_000_000 if name in _RATES else 100
        places = 6 if name in _RATES else 2
        levels = [f"{level}={amount // unit}.{amount % unit:0{places}d}" for level, amount in value]
        return ",".join(levels) or "unset"
    if name in _AMOUNTS:
        return f"{value // 100}.{value % 100:02d}"
    return "unset" if value is None else str(value)


AnyOptions = TypeVar("AnyOptions", bound=Options)


def parse_options(texts: "Mapping[str, str]", base: AnyOptions) -> AnyOptions:
    """Options with the given values, by name and text; refused when one is unknown."""
    values = {name: _parse(name, str(text), type(base)) for name, text in texts.items()}
    chosen = replace(base, **values)
    check_profile(chosen)
    return chosen


def _parse(name: str, text: str, kind: Kind) -> Any:
    if name not in register(kind):
        raise Refused(
            Reason.UNKNOWN_OPTION,
            f"option {name!r} is unknown; known: {listed((*register(kind), f'BET{_PAYTABLE}'))}",
        )
    if name in _AMOUNTS:
        return parse_amount(text, f"option {name}")
    if name in METER_OPTIONS:
        return _parse_levels(name, text)
    if name in _SPOTS:
        return _parse_spots(name, text)
    if name == "settle_order":
        return () if text == "source" else _parse_order(text)
    if name == "date":
        return None if text == "unset" else _parse_date(text)
    if text not in allowed_values(name, kind):
        raise _unknown_value(name, text, kind)
    return text


def _check_open_values(options: Options) -> None:
    """Refuse an open value of the wrong shape: what can be printed as text can be read back."""
    kind = type(options)
    for name in register(kind):
        if name in of_few_words(kind):
            continue
        value = getattr(options, name)
        try:
            again = _parse(name, value_text(name, value), kind)
        except (TypeError, ValueError, AttributeError):
            raise _unknown_value(name, value, kind) from None
        if again != value or type(again) is not type(value):
            raise _unknown_value(name, value, kind)


def _unknown_value(name: str, value: object, kind: Kind) -> Refused:
    return Refused(
        Reason.UNKNOWN_VALUE,
        f"value {value!r} of option {name} is unknown; "
        f"allowed: {listed(allowed_values(name, kind))}",
    )


def _parse_date(text: str) -> Date:
    try:
        return parse_day(text, "date")
    except ValueError as told:
        raise Refused(Reason.UNKNOWN_VALUE, str(told)) from None


def _parse_order(text: str) -> tuple[Bet, ...]:
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if not _WORD.fullmatch(name):
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"bet {name!r} in settle_order is unknown; allowed: source, or a list of bets",
            )
        if names.count(name) > 1:
            raise Refused(Reason.GIVEN_TWICE, f"bet {name!r} stands twice in settle_order")
    return names


def _parse_levels(name: str, text: str) -> PerLevel:
    if text == "unset":
        return ()
    found: dict[MeterLevel, int] = {}
    for part in text.split(","):
        named, equals, amount = part.strip().rpartition("=")
        level = next((level for level in METER_LEVELS if level == (named or "single")), None)
        if level is None or (equals and not named):
            raise Refused(
                Reason.UNKNOWN_METER,
                f"meter level {named!r} in option {name} is unknown; known: {listed(METER_LEVELS)}",
            )
        if level in found:
            raise Refused(Reason.GIVEN_TWICE, f"meter level {level!r} stands twice in {name}")
        if name in _RATES:
            found[level] = _parse_rate(name, amount)
        else:
            found[level] = parse_amount(amount, f"option {name}", zero=True)
    return tuple(found.items())


def _parse_spots(name: str, text: str) -> PerSpot:
    if text == "unset":
        return ()
    found: dict[str, int] = {}
    for part in text.split(","):
        spot, equals, amount = part.strip().rpartition("=")
        if (equals or spot) and not _WORD.fullmatch(spot):
            raise Refused(
                Reason.UNKNOWN_BET,
                f"spot {spot!r} in option {name} is unknown; allowed: all, or a bet of the game",
            )
        if (spot or "all") in found:
            raise Refused(Reason.GIVEN_TWICE, f"spot {spot or 'all'!r} stands twice in {name}")
        found[spot or "all"] = parse_amount(amount, f"option {name}")
    return tuple(found.items())


def spot_amount(amounts: PerSpot, bet: str) -> int | None:
    """The amount set for a spot, else the one for all spots, else None."""
    by_spot = dict(amounts)
    return by_spot.get(bet, by_spot.get("all"))


def _parse_rate(name: str, text: str) -> int:
    """Parts per million of a share of 1 such as 0.05."""
    match = re.fullmatch(r"(0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)", text)
    if match is None:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"rate {text!r} of option {name} is unknown; allowed: a share from 0 to 1 with at most "
            "six decimals, such as 0.05",
        )
    whole, _, places = text.partition(".")
    return int(whole) * 1_000_000 + int((places + "000000")[:6])


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in force and who says so."""

    most: int
    citation: str


def check_profile(options: Options) -> None:
    """Refuse options whose profile has no date or none it knows (CMP-13)."""
    if options.profile != "none":
        wager_limit(options)
    check_amount(options.smallest_chip, "option smallest_chip")


def wager_limit(options: Options) -> Limit | None:
    """The most a single wager may be, in cents; None without a profile (CMP-13, A-30)."""
    if options.profile == "none":
        return None
    day = _day(options)
    row = _in_force(catalog("limits")["wager"], day)
    if row is None:
        raise Refused(
            Reason.UNKNOWN_DATE,
            f"the wagering limit in force on {day} is not known; known: from "
            f"{listed(_period(row) for row in catalog('limits')['wager'])}",
            "CMP-13",
        )
    return Limit(row["cents"], row["citation"])


def out_of_force(options: Options) -> str:
    """Why the paper that a profile rests on is not in force on the day; empty where it is."""
    rows = [row for row in catalog("limits")["profile"] if row["profile"] == options.profile]
    if not rows or _in_force(rows, _day(options)):
        return ""
    row = rows[0]
    return (
        f"profile {options.profile!r} rests on {row['paper']}, which is in force from "
        f"{_period(row)} and not on {options.date}"
    )


def notices(game: str, options: Options) -> list[str]:
    """Sentences that must be posted at a table of a game on its day (CMP-13, CMP-14)."""
    found = []
    limit = wager_limit(options)
    if limit is not None:
        found.append(f"No single wager above {dollars_text(limit.most)} ({limit.citation})")
    if not out_of_force(options):
        found += games_notices(game, options)
    return found


def games_notices(game: str, options: Options) -> list[str]:
    """The sentence on the most games a player wagers on, for layout or placard (CMP-14)."""
    limit = games_limit(game, options)
    if limit is None:
        return []
    return [f"No player wagers on more than {limit.most} games at once ({limit.citation})"]


def games_limit(game: str, options: Options) -> Limit | None:
    """The most games a player may wager on at once; None where no limit is set (CMP-14).

    A letter on a game sets it, under every profile and as long as that letter is the newest one.
    Refused on a day on which the paper of the profile is not in force.
    """
    if options.max_games_per_player != "none":
        return Limit(int(options.max_games_per_player), "option max_games_per_player")
    if options.profile == "none":
        return None
    if problem := out_of_force(options):
        raise Refused(Reason.UNKNOWN_DATE, problem, "CMP-14")
    letter = _newest_letter(game, _day(options))
    for row in catalog("limits")["games"]:
        if (row["game"], row["revision"]) == (game, letter):
            return Limit(row["most"], row["citation"])
    return None


def _newest_letter(game: str, day: Date) -> str:
    """The date of the newest letter on a game by a day; empty before the first."""
    dates = [row["date"] for row in catalog("revisions")["revision"] if row["game"] == game]
    return max((date for date in dates if date <= day.isoformat()), default="")


def _day(options: Options) -> Date:
    if options.date is None:
        raise Refused(
            Reason.MISSING_DATE,
            f"profile '{options.profile}' has dated limits; give the day as date=YYYY-MM-DD",
            "CMP-13",
        )
    return options.date


def _in_force(rows: "Iterable[dict[str, Any]]", day: Date) -> dict[str, Any] | None:
    text = day.isoformat()
    return next(
        (row for row in rows if row["from"] <= text <= row.get("until", "9999-12-31")), None
    )


def _period(row: dict[str, Any]) -> str:
    return f"{row['from']} to {row['until']}" if "until" in row else f"{row['from']} on"
