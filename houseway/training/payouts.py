"""Payouts: what a wager is paid, what is taken, and in which chips."""

from random import Random

from houseway.hands import FiveCard, ThreeCard
from houseway.lines import Line
from houseway.names import Bet
from houseway.ruleset import Ruleset
from houseway.training.drill import Field, Held, Scene
from houseway.training.felt import bet_name, settled, some_tray, some_wagers, stacks
from houseway.training.packs import any_three, some_six, some_three
from houseway.training.skill import Question, Skill, three_card

PAID = tuple(category for category in ThreeCard if category != ThreeCard.HIGH_CARD)
MISSES = 0.12
"""How often a hand is dealt that is not paid: nothing is an answer too."""


def paid(line: Line) -> int:
    """What is handed over on top of a wager that stays the player's; nothing where it lost."""
    return max(line.net, 0)


def pay_field(line: Line, name: str = "pay", label: str = "") -> Field:
    """How much is paid on a bet."""
    return Field(
        name=name,
        label=label or f"You pay on {bet_name(line.bet)}",
        kind="amount",
        answer=paid(line),
        why=line.why,
        clause=line.clause,
    )


def _line(lines: tuple[Line, ...], bet: Bet) -> Line | None:
    return next((line for line in lines if line.bet == bet), None)


def pair_plus(rng: Random, ruleset: Ruleset) -> Question:
    """What Pair Plus pays, whatever the dealer holds."""
    categories = PAID if rng.random() > MISSES else (ThreeCard.HIGH_CARD,)
    player = some_three(rng, (), categories)
    dealer = any_three(rng, player)
    wagers = some_wagers(rng, ruleset, "pair-plus")
    seat = settled(ruleset, player=player, dealer=dealer, bets=wagers)
    line = _line(seat.lines, "pair-plus")
    assert line is not None
    return Question(
        question="The hand has come to the work area. What do you pay on Pair Plus?",
        scene=Scene(
            hands=(Held("Player", player),),
            stacks=stacks({"pair-plus": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(pay_field(line),),
    )


def six_card_bonus(rng: Random, ruleset: Ruleset) -> Question:
    """What the 6 Card Bonus pays on the player's and the dealer's cards."""
    categories = [FiveCard(hand) for hand in ruleset.paytables["six-card-bonus"].pays]
    category = rng.choice(categories) if rng.random() > MISSES else FiveCard.TWO_PAIR
    six = some_six(rng, category)
    wagers = some_wagers(rng, ruleset, "six-card-bonus", "ante")
    seat = settled(ruleset, player=six[:3], dealer=six[3:], bets=wagers)
    line = _line(seat.lines, "six-card-bonus")
    assert line is not None
    return Question(
        question="What do you pay on the 6 Card Bonus?",
        scene=Scene(
            hands=(Held("Player", six[:3]), Held("Dealer", six[3:])),
            stacks=stacks({"six-card-bonus": line.wager}, some_tray(rng, ruleset.options)),
        ),
        fields=(pay_field(line),),
    )


SKILLS = (
    Skill(
        code="payouts.pair-plus",
        title="Pair Plus pays",
        make=pair_plus,
        applies=three_card,
    ),
    Skill(
        code="payouts.six-card-bonus",
        title="6 Card Bonus pays",
        make=six_card_bonus,
        applies=three_card,
    ),
)
