"""Wagers: which bets a player may make together, and how much each may be.

One guard for settling, for a live table and for whatever offers a bet on a screen.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from houseway.games.library import (
    chosen_bets,
    designator,
    paytable_of,
    paytables_of,
    usual_paytables,
)
from houseway.house.money import MeterShare, check_amount, dollars_text
from houseway.house.options import (
    AnyOptions,
    Options,
    games_limit,
    parse_options,
    paytable_bet,
    spot_amount,
    wager_limit,
)
from houseway.house.paytables import PayTable
from houseway.names import Bet, bet_name
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.games.contract import Game


def choose_paytables(game: "Game", given: Iterable[tuple[str | None, str]]) -> dict[Bet, PayTable]:
    """The paytable of every bet of a game: the given ones, else the defaults.

    Each is given as (bet, code), or as (None, code) for a designator such as 'TCP-05'. The choice
    is how a house adjusts what a game holds (TSB-24).
    """
    codes: dict[str, str] = {}
    for bet, code in given:
        if bet is not None and bet not in chosen_bets(game):
            raise Refused(
                Reason.UNKNOWN_BET,
                f"bet {bet!r} of {game.code} has no paytable to choose; paytables are chosen for "
                f"{listed(chosen_bets(game))}",
            )
        found = {bet: code} if bet else designator(game.code, code).paytables
        for named, chosen in found.items():
            if codes.setdefault(named, chosen) != chosen:
                raise Refused(
                    Reason.GIVEN_TWICE,
                    f"two paytables are given for {named}, {codes[named]!r} and {chosen!r}; "
                    "choose one",
                )
    usual_ones = usual_paytables(game)
    if bare := [side.code for side in game.side_bets if side.code not in usual_ones]:
        raise Refused(
            Reason.UNKNOWN_PAYTABLE,
            f"side bet {bare[0]!r} of {game.code} has no paytable; a side bet pays by one, in "
            "paytables.toml of the game's folder",
        )
    return {
        bet: paytable_of(game, bet, codes[bet]) if bet in codes else usual
        for bet, usual in usual_ones.items()
    }


def choose_progressives(
    progressive: str, given: Iterable[tuple[str | None, str]]
) -> tuple[PayTable, ...]:
    """The given paytables of a progressive, or all that it has; each is given as for a game."""
    chosen: list[PayTable] = []
    for bet, code in given:
        if bet not in (None, "progressive"):
            raise Refused(
                Reason.UNKNOWN_BET, f"bet {bet!r} of {progressive} is unknown; known: progressive"
            )
        chosen.append(paytable_of(progressive, "progressive", code))
    return tuple(dict.fromkeys(chosen)) or paytables_of(progressive, "progressive")


def read_options(
    texts: Mapping[str, str], usual: AnyOptions
) -> tuple[AnyOptions, list[tuple[str | None, str]]]:
    """Options by name and text, else the usual ones, and the paytables that some names choose."""
    if not texts:
        return usual, []
    paytables: list[tuple[str | None, str]] = [
        (bet, text) for name, text in texts.items() if (bet := paytable_bet(name))
    ]
    return (
        parse_options({k: v for k, v in texts.items() if paytable_bet(k) is None}, usual),
        paytables,
    )


def check_wagers(
    game: "Game", bets: Mapping[str, int], paytables: Mapping[Bet, PayTable], options: Options
) -> dict[Bet, int]:
    """The bets in the game's order, in cents; refused when they may not be made together."""
    check_bets(game, bets)
    wagers = {bet: check_amount(bets[bet], f"wager on {bet}") for bet in game.wagers if bet in bets}
    _check_together(game, wagers, paytables, options)
    for bet, cents in wagers.items():
        _check_amount(game, bet, cents, paytables.get(bet), options)
    limit = games_limit(game.code, options)
    if limit is not None and len(wagers) > limit.most:
        raise Refused(
            Reason.TOO_MANY_GAMES,
            f"{len(wagers)} games are wagered on; at most {limit.most} are allowed "
            f"({limit.citation})",
            "CMP-14",
        )
    return wagers


def check_bets(game: "Game", bets: Iterable[str]) -> None:
    """Refuse a bet that the game does not have or that a player does not place himself.

    Play is one of these: it always equals the Ante (TSR-06, TCP-12, FUP-04).
    """
    for bet in bets:
        if bet in game.wagers:
            continue
        if bet in game.order:
            found = game.bet(bet)
            why, clause = (found.not_made, found.clause) if found else (ENVY_NOT_MADE, None)
            raise Refused(Reason.NOT_A_BET, f"bet {bet!r} is not made on its own: {why}", clause)
        raise Refused(
            Reason.UNKNOWN_BET,
            f"bet {bet!r} of {game.code} is unknown; known: {listed(game.wagers)}",
        )


ENVY_NOT_MADE = "envy comes with the progressive wager"


def _check_together(
    game: "Game",
    wagers: Mapping[Bet, int],
    paytables: Mapping[Bet, PayTable],
    options: Options,
) -> None:
    """Which bets need which; the others are the player's choice.

    Ante and Pair Plus stand alone or together (TSR-02, TCP-01, FUP-01, FUP-02). The 6 Card Bonus
    (SCB-01, SCB-06) and a progressive (PGM-02, PGM-05, PNX-05, PML-01, PML-06) need one of them.
    A game may require several at once (TSB-02, TSB-03). Where the Ante is mandatory, everything
    needs it (TSR-33, TCP-24).
    """
    required = game.required
    for bet in required:
        if bet not in wagers:
            raise Refused(
                Reason.MISSING_BET,
                f"bet {bet!r} is missing; {_all(required)} required",
                game.wager_clause,
            )
    if not wagers:
        raise Refused(
            Reason.MISSING_BET, f"no bet is made; {game.name} takes {listed(game.wagers)}"
        )
    for side in game.side_bets:
        if side.code in wagers and side.needs and not wagers.keys() & set(side.needs):
            assert side.needs_clause is not None, side.code
            beside = " or ".join(f"a{'n' if bet[0] in 'aeiou' else ''} {bet}" for bet in side.needs)
            raise Refused(
                Reason.BASE_WAGER_REQUIRED,
                f"bet {side.code!r} needs {beside} beside it",
                side.needs_clause(paytables[side.code], options),
            )
    if options.ante_mandatory == "on" and game.mandatory and game.mandatory[0] not in wagers:
        raise Refused(
            Reason.ANTE_MANDATORY,
            f"bets {listed(wagers)} need an ante beside them: the Ante is mandatory here",
            game.mandatory[1],
        )


def _all(bets: tuple[Bet, ...]) -> str:
    """Several bets as a sentence begins with them: 'War, Blackjack and Poker are all'."""
    names = [bet_name(bet) for bet in bets]
    if len(names) == 1:
        return f"{names[0]} is"
    return f"{', '.join(names[:-1])} and {names[-1]} are all"


def _check_amount(
    game: "Game", bet: Bet, cents: int, paytable: PayTable | None, options: Options
) -> None:
    """How much a wager may be (TSR-17, TCP-12, TSB-02, CMP-13, A-23)."""
    clause = game.wager_clause
    named = f"wager of {dollars_text(cents)} on {bet}"
    least = spot_amount(options.table_minimum, bet)
    if least is not None and cents < least:
        raise Refused(
            Reason.BELOW_MINIMUM,
            f"{named} is below the table minimum of {dollars_text(least)}",
            clause,
        )
    most = spot_amount(options.table_maximum, bet)
    if most is not None and cents > most:
        raise Refused(
            Reason.ABOVE_MAXIMUM,
            f"{named} is above the table maximum of {dollars_text(most)}",
            clause,
        )
    limit = wager_limit(options)
    if limit is not None and cents > limit.most:
        raise Refused(
            Reason.ABOVE_LIMIT,
            f"{named} is above the limit of {dollars_text(limit.most)} in force on {options.date} "
            f"({limit.citation})",
            "CMP-13",
        )
    if options.breakage == "down_to_chip" and cents % options.smallest_chip:
        raise Refused(
            Reason.BREAKAGE,
            f"{named} is not a whole number of chips of {dollars_text(options.smallest_chip)}",
        )
    if options.breakage == "exact":
        for denominator in _denominators(game, bet, paytable):
            if cents % denominator:
                raise Refused(
                    Reason.BREAKAGE,
                    f"{named} cannot always be settled to the cent; with breakage 'exact' it must "
                    f"be a multiple of {denominator} cents",
                    clause,
                )


def _denominators(game: "Game", code: Bet, paytable: PayTable | None) -> set[int]:
    """The divisors of a wager whose every result is whole cents (TSB-06, TSB-14)."""
    bet = game.bet(code)
    if bet is not None and bet.divisors:
        return set(bet.divisors)
    rows = paytable.rows if paytable else ()
    return {odds.denominator for _, odds in rows if not isinstance(odds, MeterShare)}
