"""Blackjack as Triple Shot Bonus plays it: an automaton over small ints.

A total is one int: the sum with every Ace as 1, doubled, plus 1 when an Ace is held. `step` adds
a card, `value` reads it as a player would. Only Aces are split, once, one card each; six cards
at 21 or less win at once; 21 does not end a hand (A-52).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from houseway.cards import ACE
from houseway.games.base import EVEN_MONEY, HALF, Outcome, Verdict, loses, pushes, wins
from houseway.house.money import ToOne
from houseway.house.options import Options, option

BLACKJACK_PAYS = ToOne(3, 2)
INSURANCE_PAYS = ToOne(2)
SIX_CARDS = 6
BlackjackDecision = Literal["insurance", "hit", "stand", "double", "split"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackOptions(Options):
    """What is at the casino's discretion at Blackjack."""

    dealer_soft_17: Literal["hit", "stand"] = option(
        "hit", "What the dealer does with a soft 17", "003:L153"
    )
    dealer_natural: Literal["peek", "no_peek_original_bets", "no_peek_all_bets"] = option(
        "peek", "When a dealer's blackjack is found, and what it then takes", "A-25"
    )
    split_ace_ten: Literal["twenty_one", "blackjack"] = option(
        "twenty_one", "What an Ace and a ten after a split are", "A-43"
    )


KIND_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
"""The kinds of cards by their points, from 1 to 10."""

DECISION_CLAUSES: dict[BlackjackDecision, str] = {
    "insurance": "TSB-14",
    "hit": "TSB-09",
    "stand": "TSB-09",
    "double": "TSB-09",
    "split": "TSB-10",
}


def rank_points(rank: int) -> int:
    """Points of a rank with the Ace as 1; tens and faces are 10 (TSB-09)."""
    if rank == ACE:
        return 1
    return min(rank + 2, 10)


def step(total: int, rank: int) -> int:
    """The total after one more card."""
    return total + 2 * rank_points(rank) | (rank == ACE)


def total_of(ranks: tuple[int, ...]) -> int:
    """The total of several cards."""
    total = 0
    for rank in ranks:
        total = step(total, rank)
    return total


def is_soft(total: int) -> bool:
    """True when an Ace counts 11."""
    return total & 1 == 1 and total >> 1 <= 11


def value(total: int) -> int:
    """Points as a player reads them: an Ace is 11 while that does not go over 21."""
    return (total >> 1) + (10 if is_soft(total) else 0)


def is_bust(total: int) -> bool:
    """True when the total is over 21."""
    return total >> 1 > 21


def is_natural(total: int, cards: int) -> bool:
    """True for 21 in the first two cards (TSB-14)."""
    return cards == 2 and value(total) == 21


def dealer_stops(total: int, options: BlackjackOptions) -> bool:
    """True when the dealer takes no more cards: 17 or more, soft 17 by house rule (TSB-12)."""
    if value(total) == 17 and is_soft(total):
        return options.dealer_soft_17 == "stand"
    return value(total) >= 17


def may_be_natural(up_rank: int) -> bool:
    """True when a card under this one can make 21: an Ace or a ten is up."""
    return rank_points(up_rank) in (1, 10)


def dealer_peeks(up_rank: int, options: BlackjackOptions) -> bool:
    """True when the dealer looks for a natural before any decision: Ace or ten up (A-25)."""
    return options.dealer_natural == "peek" and may_be_natural(up_rank)


class Hand(NamedTuple):
    """A player's hand as far as Blackjack sees it."""

    total: int
    cards: int
    pair_of_aces: bool = False
    split: bool = False
    doubled: bool = False
    stood: bool = False


class Status(StrEnum):
    """Where a hand stands. Only an open hand takes decisions."""

    OPEN = "open"
    NATURAL = "natural"
    BUST = "bust"
    SIX_CARDS = "six_cards"
    STANDS = "stands"


def first_hand(first_rank: int, second_rank: int) -> Hand:
    """The hand of the first two cards."""
    return Hand(
        total_of((first_rank, second_rank)), 2, pair_of_aces=first_rank == second_rank == ACE
    )


def status(hand: Hand, options: BlackjackOptions) -> Status:
    """Where a hand stands (TSB-09..11, TSB-14, A-43, A-52)."""
    natural = is_natural(hand.total, hand.cards)
    if natural and (not hand.split or options.split_ace_ten == "blackjack"):
        return Status.NATURAL
    if is_bust(hand.total):
        return Status.BUST
    if hand.cards == SIX_CARDS:
        return Status.SIX_CARDS
    return Status.STANDS if hand.split or hand.doubled or hand.stood else Status.OPEN


def may(decision: BlackjackDecision, hand: Hand, options: BlackjackOptions) -> bool:
    """True when the decision is allowed on the hand (TSB-09, TSB-10)."""
    return why_not(decision, hand, options) is None


def why_not(decision: BlackjackDecision, hand: Hand, options: BlackjackOptions) -> str | None:
    """The sentence that says why a decision is not allowed on the hand; None when it is."""
    at = status(hand, options)
    if at is not Status.OPEN:
        return f"the hand has ended ({_ENDED[at](hand)}), so no decision is left"
    if decision == "double" and hand.cards != 2:
        return "a double is allowed on the first two cards only"
    if decision == "split" and not hand.pair_of_aces:
        return "only a pair of Aces may be split"
    if decision == "insurance":
        return "insurance is offered before the hand is played, with an Ace up"
    return None


_ENDED: dict[Status, Callable[[Hand], str]] = {
    Status.NATURAL: lambda _: "blackjack",
    Status.BUST: lambda hand: f"bust with {value(hand.total)}",
    Status.SIX_CARDS: lambda _: "six cards",
    Status.STANDS: lambda hand: (
        "split Aces take one card each"
        if hand.split
        else "a double takes one card"
        if hand.doubled
        else "stood"
    ),
}


def hit(hand: Hand, rank: int) -> Hand:
    """The hand after one more card."""
    return hand._replace(total=step(hand.total, rank), cards=hand.cards + 1, pair_of_aces=False)


def double(hand: Hand, rank: int) -> Hand:
    """The hand after doubling: one card and no more (TSB-09)."""
    return hit(hand, rank)._replace(doubled=True)


def stand(hand: Hand) -> Hand:
    """The hand, closed."""
    return hand._replace(stood=True)


def split_hands(first_rank: int, second_rank: int) -> tuple[Hand, Hand]:
    """The two hands after splitting Aces, one card to each (TSB-10)."""
    hands = [Hand(total_of((ACE, rank)), 2, split=True) for rank in (first_rank, second_rank)]
    return hands[0], hands[1]


def may_insure(up_rank: int) -> bool:
    """True when insurance is offered: the dealer shows an Ace (TSB-14, A-42)."""
    return up_rank == ACE


def stakes(hand: Hand) -> int:
    """How many times the first wager stands on the hand: twice once it is doubled (TSB-09)."""
    return 2 if hand.doubled else 1


def dealer_draws(hands: tuple[Hand, ...], options: BlackjackOptions) -> bool:
    """True when a hand is left that the dealer's total decides (TSB-13)."""
    return any(status(hand, options) is Status.STANDS for hand in hands)


def resolve(
    hand: Hand, dealer_total: int, dealer_cards: int, options: BlackjackOptions, number: int = 1
) -> Verdict:
    """What becomes of one hand's wager against the dealer's finished hand (TSB-09..14).

    `number` is 2 for the second of two split hands, whose wager is not the original one.
    """
    at = status(hand, options)
    if at is Status.BUST:
        return loses("TSB-09", f"the hand went over 21 with {value(hand.total)}")
    if is_natural(dealer_total, dealer_cards):
        return _against_natural(hand, at, options, number)
    if at is Status.NATURAL:
        return wins(BLACKJACK_PAYS, "TSB-14", "blackjack against a dealer without one pays")
    if at is Status.SIX_CARDS:
        return wins(EVEN_MONEY, "TSB-11", f"six cards at {value(hand.total)} win at once")
    player, dealer = value(hand.total), value(dealer_total)
    if is_bust(dealer_total):
        return wins(
            EVEN_MONEY, "TSB-09", f"the dealer went over 21 with {dealer}, so {player} wins"
        )
    if player > dealer:
        return wins(EVEN_MONEY, "TSB-09", f"{player} beats the dealer's {dealer} and pays")
    if player < dealer:
        return loses("TSB-09", f"the dealer's {dealer} beats {player}")
    return pushes("TSB-09", f"both have {player}, so the wager is returned")


def _against_natural(hand: Hand, at: Status, options: BlackjackOptions, number: int) -> Verdict:
    """A dealer's blackjack takes every hand but a blackjack (TSB-11, A-25)."""
    if at is Status.NATURAL:
        return pushes("TSB-14", "both have blackjack, so the wager is returned")
    only_original = options.dealer_natural == "no_peek_original_bets"
    if only_original and number == 2:
        return pushes("TSB-09", "the dealer has blackjack and takes the original bet only")
    if only_original and hand.doubled:
        return loses(
            "TSB-09", "the dealer has blackjack and takes the original bet, not the double", HALF
        )
    clause = "TSB-11" if at is Status.SIX_CARDS else "TSB-09"
    return loses(clause, "the dealer has blackjack")


def insurance(dealer_total: int, dealer_cards: int) -> Verdict:
    """Insurance pays 2 to 1 when the dealer has blackjack, else it loses (TSB-14)."""
    if is_natural(dealer_total, dealer_cards):
        return wins(INSURANCE_PAYS, "TSB-14", "the dealer has blackjack, so insurance pays")
    return loses("TSB-14", "the dealer has no blackjack, so insurance loses")


def leg_lost(outcomes: tuple[Outcome, ...]) -> bool:
    """True when Blackjack counts as lost for the Hat Trick (TSB-15, TSB-22, TSB-23).

    One hand is lost when it loses. Of two split hands a loss needs a win beside it, so that the
    player at least breaks even; insurance is no part of it (TSB-16).
    """
    lost, won = outcomes.count(Outcome.LOSE), outcomes.count(Outcome.WIN)
    return lost > won
