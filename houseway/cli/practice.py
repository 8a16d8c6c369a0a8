"""Practice: what the commands that deal rounds have in common."""

from houseway.cli.arguments import read_game
from houseway.cli.output import pairs, progress
from houseway.house.money import parse_amount
from houseway.live.commands import Bets
from houseway.live.procedure import Meters, Player
from houseway.practice.meters import SEEDS
from houseway.practice.stakes import first_bets
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import Ruleset, make_ruleset
from houseway.rules.wagers import check_bets, check_wagers

BOTS = ("optimal", "basic")


def table_rules(
    game: str | None, options: dict[str, str], paytables: list[tuple[str | None, str]]
) -> Ruleset:
    """The rules of a practice table."""
    return make_ruleset(read_game(game).code, options, paytables)


def read_stakes(ruleset: Ruleset, texts: list[str]) -> tuple[Bets, Meters]:
    """The bets of a position, checked, and the meters of the practice table."""
    game = ruleset.game
    named = pairs(texts, "bet", "NAME=AMOUNT, such as ante=10")
    check_bets(game, named)
    given = {name: parse_amount(amount, f"wager on {name}") for name, amount in named.items()}
    if not given:
        given = dict(first_bets(ruleset))
    wagers = check_wagers(game, given, ruleset.paytables, ruleset.options)
    return tuple(wagers.items()), meters_of(ruleset)


def meters_of(ruleset: Ruleset) -> Meters:
    """The meters of the practice table that the progressive pays from: each at its meter_seed."""
    if "progressive" not in ruleset.paytables:
        return ()
    levels, seeds = ruleset.paytables["progressive"].levels, dict(ruleset.options.meter_seed)
    return tuple((level, seeds.get(level, SEEDS[level])) for level in levels)


def find_bot(name: str) -> Player:
    """Who plays by itself, by name."""
    if name not in BOTS:
        raise Refused(Reason.UNKNOWN_VALUE, f"bot {name!r} is unknown; known: {listed(BOTS)}")
    with progress("thinking about the best play"):
        from houseway.practice.coach import basic, optimal

        return optimal if name == "optimal" else basic
