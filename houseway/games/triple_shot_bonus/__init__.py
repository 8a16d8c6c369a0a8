"""Triple Shot Bonus: War, Blackjack and six-card Poker with one hand, and the Hat Trick."""

from fractions import Fraction
from functools import partial

from houseway.cards.hands import FiveCard
from houseway.games.blackjack import DECISION_CLAUSES, SIX_CARDS
from houseway.games.contract import (
    DEALER,
    SEATS,
    Action,
    Ask,
    Bet,
    Deal,
    Draw,
    Game,
    Peek,
    Put,
    Settle,
    Show,
    Stage,
)
from houseway.games.solvers import Succession
from houseway.games.triple_shot_bonus.chart import RULE_OF_THUMB
from houseway.games.triple_shot_bonus.rules import (
    BonusOptions,
    HatTrick,
    ace_up,
    announce,
    dealer_holds,
    dealer_looks,
    dealer_stops,
    deals_six,
    ends_at_once,
    faces_up,
    facts,
    has_natural,
    holds,
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
    key="E",
    puts=Put(bet="insurance", times=Fraction(1, 2), of="blackjack"),
    why_not=why_no_insurance,
)
HIT = Action(
    name="hit",
    clause=DECISION_CLAUSES["hit"],
    key="H",
    takes=1,
    why_not=partial(why_not, "hit"),
)
STAND = Action(
    name="stand",
    clause=DECISION_CLAUSES["stand"],
    key="S",
    why_not=partial(why_not, "stand"),
)
DOUBLE = Action(
    name="double",
    clause=DECISION_CLAUSES["double"],
    key="D",
    puts=AS_MUCH,
    takes=1,
    why_not=partial(why_not, "double"),
)
SPLIT = Action(
    name="split",
    clause=DECISION_CLAUSES["split"],
    key="T",
    puts=AS_MUCH,
    splits=True,
    takes=1,
    why_not=partial(why_not, "split"),
)


def settles(bets: str) -> str:
    """What the dealer does at a position, in words."""
    return f"Settle {bets} of position {{position}}; a lost leg takes the Hat Trick."


GAME = Game(
    code="triple-shot-bonus",
    name="Triple Shot Bonus",
    about="War, Blackjack and six-card Poker in one round.",
    bets=(
        Bet(code="war", required=True, divisors=(2,), words=war_words),
        Bet(
            code="insurance",
            not_made="insurance is a decision and half of the Blackjack bet",
        ),
        Bet(code="blackjack", required=True, per_hand=True, divisors=(2,)),
        Bet(code="poker", required=True, hands=FiveCard, words=six_words),
        Bet(code="hat-trick", usual_cents=500, hands=HatTrick),
    ),
    script=(
        Stage(name="war"),
        Deal(to=SEATS, up=1, clause="TSB-05"),
        Deal(to=DEALER, up=1, clause="TSB-05"),
        Settle(bets=("war",), also=("hat-trick",), does=settles("War"), clause="TSB-07"),
        Stage(name="blackjack"),
        Deal(to=SEATS, up=1, words="a second card, face up", clause="TSB-08"),
        Deal(to=DEALER, down=1, words="a second card, face down under the first", clause="TSB-08"),
        Ask(
            actions=(INSURANCE,),
            when=ace_up,
            says="Insurance?",
            does="Take insurance bets, then look at the hole card.",
            clause="TSB-14",
        ),
        Peek(what=has_natural, finds="blackjack", when=dealer_looks, settles=("insurance",)),
        Ask(
            actions=(HIT, STAND, DOUBLE, SPLIT),
            usual="stand",
            again=is_open,
            settles=("insurance", "blackjack", "hat-trick"),
            settles_when=ends_at_once,
            says="Position {position}?",
            does="Play out the hand of position {position}.",
            clause="TSB-32",
        ),
        Show(to=DEALER, does="Turn the hole card and complete your hand.", clause="TSB-13"),
        Draw(until=dealer_stops, when=is_left, clause="TSB-13"),
        Settle(
            bets=("insurance", "blackjack"),
            also=("hat-trick",),
            does=settles("Blackjack"),
            clause="TSB-13",
        ),
        Stage(name="poker"),
        Deal(to=SEATS, upto=SIX_CARDS, face_up=faces_up, clause="TSB-17"),
        Deal(to=DEALER, upto=SIX_CARDS, face_up=faces_up, when=deals_six, clause="TSB-17"),
        Settle(
            bets=("poker", "hat-trick"), does=settles("Poker, then the Hat Trick"), clause="TSB-21"
        ),
    ),
    facts=facts,
    verdicts=verdicts,
    announce=announce,
    holds=holds,
    dealer_holds=dealer_holds,
    wager_clause="TSB-02",
    fixed_order=("War, Blackjack and Poker are played in succession", "TSB-21"),
    fewest=(8, "TSB-17"),
    unit="blackjack",
    packet=1,
    options=BonusOptions,
    main_options=("dealer_soft_17",),
    pace=(25, 50),
    rule_of_thumb=RULE_OF_THUMB,
    solver=Succession(
        first_card="war",
        hand="blackjack",
        six_cards="poker",
        together="hat-trick",
        left_out=("hat-trick",),
    ),
    clauses={
        "bets": "TSB-02",
        "two positions": "TSB-29",
        "no more bets": "TSB-04",
        "void": "TSR-31",
        "fault": "TSR-32",
    },
)
