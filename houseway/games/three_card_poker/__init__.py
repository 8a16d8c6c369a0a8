"""Three Card Poker: Ante, Play and Ante Bonus against a dealer who plays with a Queen."""

from houseway.cards.hands import QUEEN_SIX_FOUR
from houseway.games.contest import Contest, ante, ante_bonus, play, rule_of_thumb, script
from houseway.games.contract import Game
from houseway.games.side_bets import PROGRESSIVE, pair_plus_bet, six_card_bonus_bet
from houseway.games.solvers import Showdown
from houseway.games.three_card_poker.rules import (
    PokerOptions,
    announce,
    ante_folded,
    compare,
    dealer_plays,
    describe,
    hand_rank,
    pair_plus_survives_fold,
    played,
    plays_by_thumb,
    thumb_words,
)

CONTEST = Contest(
    value=hand_rank,
    describe=describe,
    dealer_plays=dealer_plays,
    compare=compare,
    played=played,
    folded=ante_folded,
)
PLAIN = {
    "queen_or_better": lambda value: bool(dealer_plays(value)),
    "queen_six_four_or_better": lambda value: value >= QUEEN_SIX_FOUR,
}
"""Plain strategies: as the dealer plays, and the line that costs nothing against the best."""
CLAUSES = {
    "bets": "TCP-16",
    "two positions": "TCP-16",
    "no more bets": "TCP-17",
    "void": "TCP-23",
    "fault": "TCP-23",
}
GAME = Game(
    code="three-card-poker",
    name="Three Card Poker",
    about="Three cards against the dealer, who needs a Queen to play.",
    bets=(play(CONTEST, "TCP-12"), ante_bonus(CONTEST), ante(CONTEST)),
    side_bets=(
        pair_plus_bet("TCP-11", "TCP-13", pair_plus_survives_fold),
        six_card_bonus_bet("SCB-02", "ante", "pair-plus"),
        PROGRESSIVE,
    ),
    script=script(
        deal="TCP-18", decide="TCP-19", collect="TCP-20", reveal="TCP-21", reconcile="TCP-22"
    ),
    facts=CONTEST.found,
    verdicts=CONTEST.verdicts,
    announce=announce,
    holds=CONTEST.holds,
    dealer_holds=CONTEST.dealer_holds,
    calls_without="pair-plus",
    wager_clause="TCP-12",
    mandatory=("ante", "TCP-24"),
    two_positions=True,
    unit="ante",
    packet=3,
    by_machine="TCP-15",
    options=PokerOptions,
    main_options=("tie_rule",),
    pace=(35, 70),
    clauses=CLAUSES,
    rule_of_thumb=rule_of_thumb(CONTEST, plays_by_thumb, thumb_words),
    solver=Showdown(contest=CONTEST, plain=PLAIN, thumb=plays_by_thumb),
)
