"""Three Card Poker Face Up: one of the dealer's cards is seen before the players decide."""

from dataclasses import replace

from houseway.games import three_card_poker
from houseway.games.contest import Contest, ante, play, rule_of_thumb, script
from houseway.games.contract import Game, Settle
from houseway.games.side_bets import PROGRESSIVE, pair_plus_bet, six_card_bonus_bet
from houseway.games.solvers import Showdown
from houseway.games.three_card_poker.rules import announce
from houseway.games.three_card_poker_face_up.rules import (
    FaceUpOptions,
    ante_folded,
    pair_plus_survives_fold,
    played,
    plays_by_thumb,
    thumb_words,
)

CONTEST: Contest = replace(three_card_poker.CONTEST, played=played, folded=ante_folded)
GAME = Game(
    code="three-card-poker-face-up",
    name="Three Card Poker Face Up",
    about="Three cards against the dealer, who has one card face up.",
    bets=(play(CONTEST, "FUP-04"), ante(CONTEST)),
    side_bets=(
        pair_plus_bet("FUP-09", "FUP-04", pair_plus_survives_fold),
        six_card_bonus_bet("SCB-02", "ante", "pair-plus"),
        PROGRESSIVE,
    ),
    script=script(
        deal="FUP-03",
        decide="FUP-04",
        # Face Up prints no more of a procedure and inherits the base game's.
        collect="TCP-20",
        reveal="FUP-05",
        reconcile="TCP-22",
        dealer_up=1,
        early=(Settle(bets=("ante",), at_once=True, when=CONTEST.is_idle, clause="FUP-06"),),
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
    options=FaceUpOptions,
    main_options=("face_up_unqualified_play",),
    pace=(35, 70),
    clauses=three_card_poker.CLAUSES,
    rule_of_thumb=rule_of_thumb(CONTEST, plays_by_thumb, thumb_words),
    solver=Showdown(contest=CONTEST, plain=three_card_poker.PLAIN, thumb=plays_by_thumb),
)
