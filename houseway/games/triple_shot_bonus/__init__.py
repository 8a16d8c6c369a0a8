"""Triple Shot Bonus: War, Blackjack and six-card Poker with one hand, and the Hat Trick."""

from fractions import Fraction
from functools import partial

from houseway.games.blackjack import DECISION_CLAUSES, SIX_CARDS
from houseway.games.contract import DEALER, SEATS, Action, Ask, Bet, Deal, Draw, Game, Peek, Put
from houseway.games.triple_shot_bonus.rules import (
    ace_up,
    announce,
    dealer_looks,
    dealer_stops,
    deals_six,
    faces_up,
    facts,
    has_natural,
    is_left,
    is_open,
    six_words,
    verdicts,
    war_words,
    why_no_insurance,
    why_not,
)

AS_MUCH = Put(bet="blackjack", of="blackjack")
INSURANCE = Action(
    name="insurance",
    clause=DECISION_CLAUSES["insurance"],
    puts=Put(bet="insurance", times=Fraction(1, 2), of="blackjack"),
    why_not=why_no_insurance,
)
HIT = Action(name="hit", clause=DECISION_CLAUSES["hit"], takes=1, why_not=partial(why_not, "hit"))
STAND = Action(name="stand", clause=DECISION_CLAUSES["stand"], why_not=partial(why_not, "stand"))
DOUBLE = Action(
    name="double",
    clause=DECISION_CLAUSES["double"],
    puts=AS_MUCH,
    takes=1,
    why_not=partial(why_not, "double"),
)
SPLIT = Action(
    name="split",
    clause=DECISION_CLAUSES["split"],
    puts=AS_MUCH,
    splits=True,
    takes=1,
    why_not=partial(why_not, "split"),
)
GAME = Game(
    code="triple-shot-bonus",
    name="Triple Shot Bonus",
    bets=(
        Bet(code="war", required=True, divisors=(2,), words=war_words),
        Bet(
            code="insurance",
            not_made="insurance is a decision and half of the Blackjack bet",
        ),
        Bet(code="blackjack", required=True, per_hand=True, divisors=(2,)),
        Bet(code="poker", required=True, words=six_words),
        Bet(code="hat-trick", usual_cents=500),
    ),
    script=(
        Deal(to=SEATS, up=1, clause="TSB-05"),
        Deal(to=DEALER, up=1, clause="TSB-05"),
        Deal(to=SEATS, up=1, clause="TSB-08"),
        Deal(to=DEALER, down=1, clause="TSB-08"),
        Ask(actions=(INSURANCE,), when=ace_up, clause="TSB-14"),
        Peek(what=has_natural, when=dealer_looks),
        Ask(actions=(HIT, STAND, DOUBLE, SPLIT), usual="stand", again=is_open, clause="TSB-32"),
        Draw(until=dealer_stops, when=is_left, clause="TSB-13"),
        Deal(to=SEATS, upto=SIX_CARDS, face_up=faces_up, clause="TSB-17"),
        Deal(to=DEALER, upto=SIX_CARDS, face_up=faces_up, when=deals_six, clause="TSB-17"),
    ),
    facts=facts,
    verdicts=verdicts,
    announce=announce,
    wager_clause="TSB-02",
    fixed_order=("War, Blackjack and Poker are played in succession", "TSB-21"),
    fewest=(8, "TSB-17"),
    unit="blackjack",
    packet=1,
    main_options=("dealer_soft_17",),
    pace=(25, 50),
    clauses={
        "bets": "TSB-02",
        "two positions": "TSB-29",
        "no more bets": "TSB-04",
        "deliver": "TSB-05",
        "deliver blackjack": "TSB-08",
        "deliver poker": "TSB-17",
        "decide": "TSB-32",
        "collect": "TSB-13",
        "reveal": "TSB-13",
        "reconcile": "TSB-07",
        "reconcile blackjack": "TSB-13",
        "reconcile poker": "TSB-21",
        "void": "TSR-31",
        "fault": "TSR-32",
    },
)
