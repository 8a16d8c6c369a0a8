"""`houseway demo`: one round of every game, dealt and settled."""

import random
from typing import Any

from houseway.cards import DECK, rank_of
from houseway.cli.arguments import Json, RngSeed, read_seed
from houseway.cli.output import cards_rich, console, print_json, show_lines
from houseway.games import GAMES, blackjack
from houseway.games.blackjack import BlackjackOptions
from houseway.games.contest import contest_of
from houseway.games.contract import Game
from houseway.settlement import Settlement, settle

METER_CENTS = 1_000_000
THREE_CARD_BETS = {"ante": 1000, "pair-plus": 500, "six-card-bonus": 100, "progressive": 100}
BONUS_BETS = {"war": 1000, "blackjack": 1000, "poker": 1000, "hat-trick": 500}


def demo(
    *,
    rng_seed: RngSeed = None,
    json: Json = False,
) -> None:
    """Deal and settle one round of every game: play what a dealer would play with, else fold.

    Example: `houseway demo --rng-seed 7`
    """
    seed = read_seed(rng_seed)
    shuffler = random.SystemRandom() if seed is None else random.Random(seed)
    rounds = [_round(game, shuffler) for game in GAMES]
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


def _round(game: Game, shuffler: random.Random) -> tuple[Settlement, list[str]]:
    deck = list(DECK)
    shuffler.shuffle(deck)
    if game.contest is None:
        decisions = _like_the_dealer(deck)
        return settle(game.code, deck=deck, decisions=decisions, bets=BONUS_BETS), decisions
    first, second, third, *dealer = deck[:6]
    plays = contest_of(game).dealer_plays(
        contest_of(game).value((first, second, third), game.options())
    )
    decision = "play" if plays else "fold"
    result = settle(
        game.code,
        player=(first, second, third),
        dealer=dealer,
        decision=decision,
        bets=THREE_CARD_BETS,
        meter=METER_CENTS,
    )
    return result, [decision]


def _like_the_dealer(deck: list[int]) -> list[str]:
    """Hit and stand as the dealer would: a plain way to play a blackjack hand out."""
    options = BlackjackOptions()
    up_rank, hole_rank = rank_of(deck[1]), rank_of(deck[3])
    dealer_total = blackjack.total_of((up_rank, hole_rank))
    if blackjack.dealer_peeks(up_rank, options) and blackjack.is_natural(dealer_total, 2):
        return []
    hand = blackjack.first_hand(rank_of(deck[0]), rank_of(deck[2]))
    decisions: list[str] = []
    while blackjack.status(hand, options) is blackjack.Status.OPEN:
        if blackjack.dealer_stops(hand.total, options):
            decisions.append("stand")
            break
        hand = blackjack.hit(hand, rank_of(deck[2 + hand.cards]))
        decisions.append("hit")
    return decisions
