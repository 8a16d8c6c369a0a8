"""Options: everything at the casino's discretion, each with a default and a source.

A variant of a game is a value of `Options`. The first value of each option is its default; the
register is the dataclass itself, so a name is written once. A jurisdiction profile adds limits
that are dated data.
"""

import re
from dataclasses import Field, dataclass, field, fields, replace
from datetime import date as Date  # noqa: N812 - `date` is an option's name
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_type_hints

from houseway.catalog import catalog
from houseway.dates import parse_day
from houseway.hands import AceInRuns, CombinationChoice
from houseway.money import (
    METER_LEVELS,
    Breakage,
    MeterLevel,
    check_amount,
    dollars_text,
    parse_amount,
)
from houseway.names import BETS, GAME_CODES, Bet
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Switch = Literal["off", "on"]
Profile = Literal["none", "wa_commercial", "wa_tribal", "wa_2017"]
PerSpot = tuple[tuple[str, int], ...]
"""Cents for each spot that is set, or for 'all'; empty while nothing is set."""
PerLevel = tuple[tuple[MeterLevel, int], ...]
"""Cents or parts per million for each meter level that is set; empty while nothing is set."""

SPOTS = tuple(bet for bet in BETS if bet not in ("play", "ante-bonus", "envy", "insurance"))
"""Where a player puts a wager of an amount of his own."""

THREE_CARD = ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy")
POKER_GAMES = ("three-card-poker", "three-card-poker-face-up")
RUMMY = ("triple-shot-rummy",)
BONUS = ("triple-shot-bonus",)


def _option(default: Any, text: str, source: str, games: tuple[str, ...] = GAME_CODES) -> Any:
    return field(default=default, metadata={"text": text, "source": source, "games": games})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a house. Every field is one entry of the register."""

    # How a hand is judged and a bet is paid.
    tie_rule: Literal["push", "lose", "win"] = _option(
        "push", "What a tie with the dealer does to Ante and Play", "A-09", POKER_GAMES
    )
    ace_in_runs: AceInRuns = _option(
        "low", "Where the Ace may stand in a suited run", "A-07", RUMMY
    )
    combination_choice: CombinationChoice = _option(
        "lowest", "Which combination counts when a hand holds two", "A-08", RUMMY
    )
    face_up_unqualified_play: Literal["compare", "win_or_push", "win"] = _option(
        "compare",
        "What Play does in Face Up when the dealer does not play",
        "A-51",
        ("three-card-poker-face-up",),
    )
    pair_plus_after_fold: Literal["by_game", "stays", "forfeit"] = _option(
        "by_game",
        "What a fold does to Pair Plus; by game, Three Card Poker forfeits and the others keep it",
        "TSR-15, TCP-13, A-10",
        THREE_CARD,
    )
    war_ace: Literal["high", "low"] = _option("high", "Rank of the Ace in War", "A-21", BONUS)
    dealer_soft_17: Literal["hit", "stand"] = _option(
        "hit", "What the dealer does with a soft 17", "003:L153", BONUS
    )
    dealer_natural: Literal["peek", "no_peek_original_bets", "no_peek_all_bets"] = _option(
        "peek", "When a dealer's blackjack is found, and what it then takes", "A-25", BONUS
    )
    split_ace_ten: Literal["twenty_one", "blackjack"] = _option(
        "twenty_one", "What an Ace and a ten after a split are", "A-43", BONUS
    )
    dealer_six_card_hand: Literal["omit", "deal"] = _option(
        "omit", "Whether the dealer also completes six cards; no bet looks at them", "A-20", BONUS
    )
    breakage: Breakage = _option(
        "down_to_cent", "How odd cents of 3 to 2 pays and half losses are rounded", "A-23"
    )
    smallest_chip: int = _option(
        100, "The smallest chip in the tray, for breakage 'down_to_chip'", "A-23"
    )
    settle_order: tuple[Bet, ...] = _option(
        (),
        "The order in which the bets of a hand are settled; 'source' is the printed one",
        "004:L196",
    )
    # Progressive bets.
    folded_hand_progressive: Literal["not_eligible", "eligible"] = _option(
        "not_eligible",
        "Whether a folded hand still wins the progressive",
        "004:L680, 004:L733, 004:L782",
        THREE_CARD,
    )
    award_profile: Literal["nexus", "game_manager", "multi_link"] = _option(
        "nexus", "Which progressive system's procedure is followed", "004:L666-797", THREE_CARD
    )
    envy_own_other_hand: Literal["by_profile", "yes", "no"] = _option(
        "by_profile",
        "Whether a player's own other hand earns envy; by profile, only game_manager pays it",
        "A-27",
        THREE_CARD,
    )
    envy_when_folded: Literal["paid", "not_paid"] = _option(
        "paid", "Whether a player who folded still receives envy", "A-46", THREE_CARD
    )
    percent_pay_scaling: Literal["per_spot", "per_wager_unit"] = _option(
        "per_spot",
        "Whether a share of the meter grows with the wager (never past the whole meter)",
        "A-19",
        THREE_CARD,
    )
    meter_pay_order: Literal["right_to_left", "internal_controls"] = _option(
        "right_to_left",
        "Who is paid first when several meter pays hit in a round",
        "004:L684, 004:L737, 004:L786",
        THREE_CARD,
    )
    award_amount_fixed: Literal["at_hand_selection", "at_confirmation"] = _option(
        "at_hand_selection", "When the amount of an award stands fast", "A-16", THREE_CARD
    )
    void_progressive: Literal["refund", "carry_to_next_round"] = _option(
        "refund", "What happens to progressive wagers of a void round", "A-15", THREE_CARD
    )
    community_source: Literal["next_packet", "flushed"] = _option(
        "next_packet", "Where the two community cards come from", "004:L781", THREE_CARD
    )
    zero_meter_seed: Literal["refuse_without_override", "warn"] = _option(
        "refuse_without_override", "What a meter_seed of nothing meets with", "PRC-09", THREE_CARD
    )
    executive_threshold: PerLevel = _option(
        (), "Award from which an executive must approve, per meter level", "A-24", THREE_CARD
    )
    contribution_rate: PerLevel = _option(
        (),
        "Share of each progressive wager that feeds the meter, per level",
        "004:L845-848",
        THREE_CARD,
    )
    reserve_rate: PerLevel = _option(
        (),
        "Share of each progressive wager that feeds the reserve, per level",
        "004:L850-851",
        THREE_CARD,
    )
    meter_seed: PerLevel = _option(
        (), "What a meter starts again from, per level", "004:L854-857", THREE_CARD
    )
    cap: PerLevel = _option(
        (),
        "Most that a meter shows; what comes after overflows, per level",
        "WAC 230-15-685(4)",
        THREE_CARD,
    )
    all_from_meter: Switch = _option(
        "off",
        "Whether fixed pays of the progressive come off its meter too",
        "004:L845-846",
        THREE_CARD,
    )
    # Procedures at the table.
    table_minimum: PerSpot = _option(
        (), "The posted least wager, for all spots or per spot", "TSR-17, TCP-12, TSB-02"
    )
    table_maximum: PerSpot = _option(
        (), "The posted most wager, for all spots or per spot", "TSR-17, TCP-12, TSB-02"
    )
    two_adjacent_positions: Switch = _option(
        "off", "Whether a player may bet at two adjacent positions", "000:L79, 004:L190", THREE_CARD
    )
    settle_style: Literal["pick_and_pay", "lay_and_pay"] = _option(
        "pick_and_pay", "How hands are taken in and paid", "000:L85, 004:L196"
    )
    ante_mandatory: Switch = _option(
        "off", "Whether bonus bets need an Ante", "000:L111-115, 004:L217-219", THREE_CARD
    )
    shuffler_mode: Literal["automatic", "hand"] = _option(
        "automatic", "Whether a shuffler is used (Three Card Poker must)", "000:L7, 004:L184"
    )
    shuffler_fault_procedure: Literal["guide", "seven_steps", "local"] = _option(
        "guide", "What is done when the shuffler fails", "000:L93-109"
    )
    poker_cards_facing: Literal["up", "down"] = _option(
        "up", "How the cards that complete six are dealt", "003:L128, 003:L301", BONUS
    )
    announcement_text: Literal["qualifying_rank", "source_text"] = _option(
        "qualifying_rank", "What is announced when the dealer plays", "A-28", THREE_CARD
    )
    six_card_bonus_default: int = _option(
        100, "The 6 Card Bonus wager that is offered first", "004:L386", THREE_CARD
    )
    max_games_per_player: Literal["none", "4"] = _option(
        "none", "Most games a player may wager on at once", "001:L67"
    )
    # Jurisdiction.
    profile: Profile = _option("none", "Whose dated wagering limits apply", "A-30, CMP-13")
    date: Date | None = _option(None, "The day of the round, for a profile's limits", "A-30")

    def __post_init__(self) -> None:
        for name in of_few_words():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed_values(name):
                raise _unknown_value(name, value)
        _check_open_values(self)

    def to_json(self, game: str | None = None) -> dict[str, str]:
        """Each option's value as text; for a game those that touch it or were set."""
        return {
            name: value_text(name, getattr(self, name))
            for name, entry in register().items()
            if game is None
            or game in entry.metadata["games"]
            or getattr(self, name) != entry.default
        }


PAYTABLE_OPTIONS: dict[str, Bet] = {
    "pair_plus_paytable": "pair-plus",
    "ante_bonus_paytable": "ante-bonus",
    "scb_paytable": "six-card-bonus",
    "progressive_paytable": "progressive",
}
"""Options that choose a paytable: another spelling of --paytable BET=CODE."""

_RATES = ("contribution_rate", "reserve_rate")
METER_OPTIONS = ("executive_threshold", "contribution_rate", "reserve_rate", "meter_seed", "cap")
"""Options of a progressive meter, per level."""
_SPOTS = ("table_minimum", "table_maximum")
_AMOUNTS = ("smallest_chip", "six_card_bonus_default")


@cache
def register() -> dict[str, "Field[Any]"]:
    """Every option by name, in the order of the register."""
    return {entry.name: entry for entry in fields(Options)}


def touches(game: str, name: str) -> bool:
    """True when an option changes something in a game."""
    return game in register()[name].metadata["games"]


@cache
def of_few_words() -> tuple[str, ...]:
    """The options whose value is one of a few words."""
    open_values = (*_AMOUNTS, *METER_OPTIONS, *_SPOTS, "settle_order", "date")
    return tuple(name for name in register() if name not in open_values)


@cache
def allowed_values(name: str) -> tuple[str, ...]:
    """The values an option may take, default first; a description where they are open."""
    if name in _AMOUNTS:
        return (dollars_text(getattr(Options(), name)), "any amount")
    if name in METER_OPTIONS:
        kind = "a share such as 0.05" if name in _RATES else "an amount"
        return ("unset", f"{kind}, or one per level such as mega=…,major=…")
    if name in _SPOTS:
        return ("unset", "an amount, or one per spot such as ante=5,pair-plus=1")
    if name == "settle_order":
        return ("source", "the bets of the game in the casino's own order, such as ante,play")
    if name == "date":
        return ("unset", "a day such as 2024-01-31")
    return tuple(get_args(get_type_hints(Options)[name]))


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


def parse_options(texts: "Mapping[str, str]", base: Options | None = None) -> Options:
    """Options with the given values, by name and text; refused when one is unknown."""
    values = {name: _parse(name, str(text)) for name, text in texts.items()}
    return check_profile(replace(base or Options(), **values))


def _parse(name: str, text: str) -> Any:
    if name not in register():
        raise Refused(
            Reason.UNKNOWN_OPTION,
            f"option {name!r} is unknown; known: {listed((*register(), *PAYTABLE_OPTIONS))}",
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
    if text not in allowed_values(name):
        raise _unknown_value(name, text)
    return text


def _check_open_values(options: Options) -> None:
    """Refuse an open value of the wrong shape: what can be printed as text can be read back."""
    for name in register():
        if name in of_few_words():
            continue
        value = getattr(options, name)
        try:
            again = _parse(name, value_text(name, value))
        except (TypeError, ValueError, AttributeError):
            raise _unknown_value(name, value) from None
        if again != value or type(again) is not type(value):
            raise _unknown_value(name, value)


def _unknown_value(name: str, value: object) -> Refused:
    return Refused(
        Reason.UNKNOWN_VALUE,
        f"value {value!r} of option {name} is unknown; allowed: {listed(allowed_values(name))}",
    )


def _parse_date(text: str) -> Date:
    try:
        return parse_day(text, "date")
    except ValueError as told:
        raise Refused(Reason.UNKNOWN_VALUE, str(told)) from None


def _parse_order(text: str) -> tuple[Bet, ...]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BETS:
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"bet {name!r} in settle_order is unknown; allowed: source, or a list of "
                f"{listed(BETS)}",
            )
        if names.count(name) > 1:
            raise Refused(Reason.GIVEN_TWICE, f"bet {name!r} stands twice in settle_order")
    return tuple(bet for name in names for bet in BETS if bet == name)


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
        if (equals or spot) and spot not in (*SPOTS, "all"):
            raise Refused(
                Reason.UNKNOWN_BET,
                f"spot {spot!r} in option {name} is unknown; known: {listed(('all', *SPOTS))}",
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


def check_profile(options: Options) -> Options:
    """The options themselves; refused when a profile has no date or none it knows (CMP-13)."""
    if options.profile != "none":
        wager_limit(options)
    check_amount(options.smallest_chip, "option smallest_chip")
    return options


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
