"""`houseway demo`: one round of every game, dealt and settled."""

import random
from typing import Any

from houseway.cli.arguments import Json, RngSeed, read_seed
from houseway.cli.output import cards_rich, console, print_json, show_lines
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.live.commands import LoadShuffle, PlaceBets
from houseway.live.procedure import play_out
from houseway.live.round import act
from houseway.live.shuffler import make_shuffle
from houseway.live.state import open_round
from houseway.practice.coach import basic
from houseway.rules.ruleset import make_ruleset
from houseway.rules.settlement import Settlement, settle

METER_CENTS = 1_000_000


def demo(
    *,
    rng_seed: RngSeed = None,
    json: Json = False,
) -> None:
    """Deal and settle one round of every game: play by the rule of thumb.

    Example: `houseway demo --rng-seed 7`
    """
    seed = read_seed(rng_seed)
    randomness = random.SystemRandom() if seed is None else random.Random(seed)
    rounds = [_round(game, randomness) for game in GAMES]
    if json:
        documents: list[dict[str, Any]] = [
            {"decisions": decisions, **result.to_json()} for result, decisions in rounds
        ]
        print_json({"rng_seed": seed, "rounds": documents})
        return
    screen = console()
    for game, (result, decisions) in zip(GAMES, rounds, strict=True):
        codes = ", ".join(f"{bet} {code}" for bet, code in result.paytables.items())
        screen.rule(f"[bold]{game.name}[/bold]", align="left")
        screen.print(f"[dim]paytables: {codes}[/dim]")
        screen.print("player ", cards_rich(result.player), f"  {', '.join(decisions)}")
        screen.print("dealer ", cards_rich(result.dealer))
        show_lines(result.lines)
        screen.print()


def _round(game: Game, randomness: random.Random) -> tuple[Settlement, list[str]]:
    """A seat with every usual bet, dealt live for its decisions and settled from the same deck."""
    usual = {bet: game.usual_cents(bet) for bet in game.wagers}
    meters = {side.code for side in game.side_bets if side.from_meter}
    dealt = tuple((bet, cents) for bet, cents in usual.items() if bet not in meters)
    shuffle = make_shuffle(randomness, game.packet)
    table, _ = act(open_round(make_ruleset(game.code), positions=1), PlaceBets(1, dealt))
    table, _ = act(table, LoadShuffle(shuffle))
    decisions = list(play_out(table, basic).seat(1).decisions)
    result = settle(
        game.code,
        deck=shuffle.cards,
        decisions=decisions,
        bets=usual,
        meter=METER_CENTS if meters else None,
    )
    return result, decisions
