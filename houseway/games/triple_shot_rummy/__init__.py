"""Triple Shot Rummy: the lower score of three cards wins."""

from functools import partial
from operator import ge

from houseway.games.contest import Contest, ante, play, rule_of_thumb, script
from houseway.games.contract import Game
from houseway.games.side_bets import PROGRESSIVE, pair_plus_bet, six_card_bonus_bet
from houseway.games.solvers import Showdown
from houseway.games.triple_shot_rummy.rules import (
    MOST_POINTS_PAID,
    RummyOptions,
    announce,
    ante_folded,
    compare,
    dealer_plays,
    describe,
    pair_plus_survives_fold,
    played,
    plays_by_thumb,
    score,
    thumb_words,
)
from houseway.house.paytables import Scores

CONTEST = Contest(
    value=score,
    describe=describe,
    dealer_plays=dealer_plays,
    compare=compare,
    played=played,
    folded=ante_folded,
)
PLAIN = {f"score_{most}_or_less": partial(ge, most) for most in range(16, 26)}
"""Plain strategies: every line that can be drawn through the scores."""
GAME = Game(
    code="triple-shot-rummy",
    name="Triple Shot Rummy",
    about="Three cards as a rummy hand: the fewest points win.",
    bets=(play(CONTEST, "TSR-06", Scores(MOST_POINTS_PAID)), ante(CONTEST)),
    side_bets=(
        pair_plus_bet("TSR-13", "TSR-15", pair_plus_survives_fold),
        six_card_bonus_bet("TSR-14"),
        PROGRESSIVE,
    ),
    script=script(
        deal="TSR-24", decide="TSR-26", collect="TSR-27", reveal="TSR-28", reconcile="TSR-28"
    ),
    facts=CONTEST.found,
    verdicts=CONTEST.verdicts,
    announce=announce,
    holds=CONTEST.holds,
    dealer_holds=CONTEST.dealer_holds,
    calls_without="pair-plus",
    wager_clause="TSR-17",
    mandatory=("ante", "TSR-33"),
    two_positions=True,
    unit="ante",
    packet=3,
    options=RummyOptions,
    main_options=("ace_in_runs",),
    pace=(35, 65),
    clauses={
        "bets": "TSR-20",
        "two positions": "TSR-21",
        "no more bets": "TSR-22",
        "void": "TSR-31",
        "fault": "TSR-32",
    },
    rule_of_thumb=rule_of_thumb(CONTEST, plays_by_thumb, thumb_words),
    solver=Showdown(
        contest=CONTEST,
        looks_at=("ace_in_runs", "combination_choice"),
        plain=PLAIN,
        thumb=plays_by_thumb,
    ),
)
