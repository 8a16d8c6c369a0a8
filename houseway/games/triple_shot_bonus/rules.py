"""Rules of Triple Shot Bonus: War, Blackjack and six-card Poker with one hand, and the Hat Trick.

Of one seat they look at the first two cards for War, the dealer's total and the hands for
Blackjack, and the category of six cards for Poker.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from houseway.cards import ACE, TEN, UNKNOWN, card_words, rank_of
from houseway.cards.hands import category5, describe5, war_rank
from houseway.games import blackjack
from houseway.games.base import (
    DEALER_WINS,
    EVEN_MONEY,
    HALF,
    PLAYER_WINS,
    TIE,
    Outcome,
    Verdict,
    loses,
    wins,
)
from houseway.games.blackjack import BlackjackOptions
from houseway.games.contract import Hand, Ruling, Seen, Tables, Words, known
from houseway.house.options import option

if TYPE_CHECKING:
    from houseway.games.blackjack import BlackjackDecision
    from houseway.house.paytables import PayTable


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusOptions(BlackjackOptions):
    """What is at the casino's discretion in Triple Shot Bonus."""

    war_ace: Literal["high", "low"] = option("high", "Rank of the Ace in War", "A-21")
    dealer_six_card_hand: Literal["omit", "deal"] = option(
        "omit", "Whether the dealer also completes six cards; no bet looks at them", "A-20"
    )
    poker_cards_facing: Literal["up", "down"] = option(
        "up", "How the cards that complete six are dealt", "003:L128, 003:L301"
    )


class HatTrick(IntEnum):
    """What the Hat Trick looks at: whether any of the three legs was lost (TSB-21)."""

    A_LEG_LOST = 0
    NO_LEG_LOST = 1


LEGS = {"war": "War", "blackjack": "Blackjack", "poker": "Poker"}


def compare_war(player_card: int, dealer_card: int, options: BonusOptions) -> int:
    """0 when the dealer's first card is higher, 1 on a tie, 2 when the player's is (TSB-06)."""
    ace_low = options.war_ace == "low"
    player = war_rank(player_card, ace_low=ace_low)
    dealer = war_rank(dealer_card, ace_low=ace_low)
    return (player >= dealer) * 1 + (player > dealer) * 1


def war(comparison: int, options: BonusOptions) -> Verdict:
    """War pays even money on the higher card; a tie loses half (TSB-06)."""
    low = " with Aces low" if options.war_ace == "low" else ""
    if comparison == PLAYER_WINS:
        return wins(EVEN_MONEY, "TSB-06", f"{{player}} is higher than {{dealer}}{low} and pays")
    if comparison == DEALER_WINS:
        return loses("TSB-06", f"{{dealer}} is higher than {{player}}{low}")
    return loses("TSB-06", "{player} ties {dealer}, which costs half of the War bet", HALF)


def war_leg_lost(comparison: int) -> bool:
    """True when War counts as lost for the Hat Trick; a tie counts as won (TSB-07, TSB-21)."""
    return comparison == DEALER_WINS


def poker(category: int, paytable: "PayTable") -> Verdict:
    """Poker pays the best five of six from a pair of Jacks up (TSB-18)."""
    odds = paytable.odds(category)
    if odds is None:
        return loses(
            "TSB-18", "Poker needs a pair of Jacks or better and the six cards make {cards}"
        )
    return wins(odds, "TSB-18", "the six cards make {cards}, which pays")


def poker_leg_lost(outcome: Outcome) -> bool:
    """True when Poker counts as lost for the Hat Trick (TSB-20)."""
    return outcome is Outcome.LOSE


def hat_trick(
    lost_legs: Sequence[str],
    war_comparison: int,
    blackjack_outcomes: tuple[Outcome, ...],
    paytable: "PayTable",
) -> Verdict:
    """The Hat Trick wins when no leg was lost and is taken with the first that was (TSB-21).

    A War tie counts as won, and split Aces that break even keep it (TSB-22, TSB-23).
    """
    if lost_legs:
        clause = {"war": "TSB-07", "blackjack": "TSB-15", "poker": "TSB-20"}[lost_legs[0]]
        return loses(clause, f"the Hat Trick was taken when {LEGS[lost_legs[0]]} lost")
    odds = paytable.odds(HatTrick.NO_LEG_LOST)
    if odds is None:
        raise ValueError(f"paytable {paytable.code!r} does not pay the Hat Trick")
    broke_even = Outcome.LOSE in blackjack_outcomes
    remarks = ["the War tie counts as a win"] if war_comparison == TIE else []
    remarks += ["the split Aces break even"] if broke_even else []
    reason = f" ({' and '.join(remarks)})" if remarks else ""
    clause = "TSB-23" if broke_even else "TSB-21"
    return wins(odds, clause, f"no leg counts as lost{reason}, so the Hat Trick pays")


class Found(NamedTuple):
    """The facts of one seat."""

    war: int = UNKNOWN
    dealer: int = UNKNOWN
    """The dealer's total, once every card of the dealer's is seen."""
    natural: int = UNKNOWN
    """1 when the dealer has blackjack, by the cards or by a look at the hole card."""
    hands: tuple[blackjack.Hand, ...] = ()
    poker: int = UNKNOWN


NATURAL = blackjack.total_of((ACE, TEN))
TWO = 2


def facts(seen: Seen, options: BonusOptions) -> Found:
    """The facts of a seat, as far as cards are known."""
    own, dealer = seen.own, seen.dealer
    natural = seen.peeked
    if known(dealer[:TWO], TWO):
        first_two = blackjack.total_of((rank_of(dealer[0]), rank_of(dealer[1])))
        natural = int(blackjack.is_natural(first_two, TWO))
    elif known(dealer[:1]) and not blackjack.may_be_natural(rank_of(dealer[0])):
        natural = 0
    six = known(own, blackjack.SIX_CARDS)
    return Found(
        war=compare_war(own[0], dealer[0], options) if own and dealer else UNKNOWN,
        dealer=dealers_total(dealer, options) if known(dealer[:TWO], TWO) else UNKNOWN,
        natural=natural,
        hands=tuple(as_blackjack(hand) for hand in seen.hands),
        poker=category5(own) if six else UNKNOWN,
    )


def dealers_total(cards: tuple[int, ...], options: BonusOptions) -> int:
    """The dealer's total; cards that complete six after the last draw do not count (A-20)."""
    total = blackjack.total_of(tuple(map(rank_of, cards[:TWO])))
    for card in cards[TWO:]:
        if blackjack.dealer_stops(total, options) or card == UNKNOWN:
            break
        total = blackjack.step(total, rank_of(card))
    return total


@lru_cache(maxsize=4096)
def as_blackjack(hand: Hand) -> blackjack.Hand:
    """A hand as Blackjack sees it."""
    ranks = tuple(map(rank_of, hand.cards))
    return blackjack.Hand(
        blackjack.total_of(ranks),
        len(ranks),
        pair_of_aces=ranks == (ACE, ACE),
        split="split" in hand.actions,
        doubled="double" in hand.actions,
        stood="stand" in hand.actions,
    )


def verdicts(
    found: Found, actions: tuple[str, ...], tables: Tables, options: BonusOptions
) -> Iterator[Ruling]:
    """What becomes of the bets of a seat, as far as it is decided (TSB-21)."""
    lost: list[str] = []
    if found.war != UNKNOWN:
        yield Ruling("war", war(found.war, options))
        lost += ["war"] if war_leg_lost(found.war) else []
    if "insurance" in actions and found.natural != UNKNOWN:
        yield Ruling("insurance", blackjack.insurance(*_dealer(found)))
    outcomes: list[Outcome] = []
    for number, hand in enumerate(found.hands, start=1):
        verdict = _blackjack(hand, number, found, options)
        if verdict is not None:
            yield Ruling("blackjack", verdict, number)
            outcomes.append(verdict.outcome)
    played = bool(outcomes) and len(outcomes) == len(found.hands)
    lost += ["blackjack"] if played and blackjack.leg_lost(tuple(outcomes)) else []
    if found.poker != UNKNOWN:
        six = poker(found.poker, tables["poker"])
        yield Ruling("poker", six)
        lost += ["poker"] if poker_leg_lost(six.outcome) else []
    if lost or (played and found.war != UNKNOWN and found.poker != UNKNOWN):
        trick = hat_trick(lost, found.war, tuple(outcomes), tables["hat-trick"])
        yield Ruling("hat-trick", trick)


def _blackjack(
    hand: blackjack.Hand, number: int, found: Found, options: BonusOptions
) -> Verdict | None:
    """What becomes of one hand; None while that depends on a card that nobody has seen."""
    at = blackjack.status(hand, options)
    if at is not blackjack.Status.BUST and found.natural == UNKNOWN:
        return None
    if found.natural or at in _AT_ONCE:
        return blackjack.resolve(hand, *_dealer(found), options, number)
    if at is blackjack.Status.OPEN or found.dealer == UNKNOWN:
        return None
    if not blackjack.dealer_stops(found.dealer, options):
        return None
    return blackjack.resolve(hand, found.dealer, blackjack.SIX_CARDS, options, number)


_AT_ONCE = (blackjack.Status.BUST, blackjack.Status.NATURAL, blackjack.Status.SIX_CARDS)
"""Hands that need no more of the dealer than whether there is a blackjack."""


def _dealer(found: Found) -> tuple[int, int]:
    """A total and a number of cards by which the dealer has blackjack, or has not."""
    return (NATURAL, TWO) if found.natural else (0, TWO)


# The procedure.


def ace_up(seen: Seen, options: BonusOptions) -> bool:
    """True when insurance is offered."""
    return blackjack.may_insure(rank_of(seen.dealer[0]))


def dealer_looks(seen: Seen, options: BonusOptions) -> bool:
    """True when the dealer looks at the hole card before anyone plays on."""
    return blackjack.dealer_peeks(rank_of(seen.dealer[0]), options)


def has_natural(seen: Seen, options: BonusOptions) -> bool:
    """True when the dealer's first two cards are a blackjack."""
    return facts(seen._replace(peeked=UNKNOWN), options).natural == 1


def is_open(seen: Seen, options: BonusOptions) -> bool:
    """True while the hand in turn takes decisions; the hands of a split never do."""
    hand = as_blackjack(seen.hand)
    return seen.peeked != 1 and blackjack.status(hand, options) is blackjack.Status.OPEN


def ends_at_once(seen: Seen, options: BonusOptions) -> bool:
    """True for a hand that is over 21 or has six cards, which is settled at once (TSB-09, TSB-11).

    Six cards wait while the dealer may have blackjack and has not looked.
    """
    at = blackjack.status(as_blackjack(seen.hand), options)
    if at is blackjack.Status.SIX_CARDS:
        up = rank_of(seen.dealer[0])
        return seen.peeked == 0 or not blackjack.may_be_natural(up)
    return at is blackjack.Status.BUST


def is_left(seen: Seen, options: BonusOptions) -> bool:
    """True when a hand of the seat is left that the dealer's total decides."""
    hands = tuple(as_blackjack(hand) for hand in seen.hands)
    return blackjack.dealer_draws(hands, options)


def dealer_stops(seen: Seen, options: BonusOptions) -> bool:
    """True when the dealer takes no more cards."""
    return blackjack.dealer_stops(dealers_total(seen.dealer, options), options)


def deals_six(seen: Seen, options: BonusOptions) -> bool:
    """True where the house completes the dealer's six cards as well (A-20)."""
    return options.dealer_six_card_hand == "deal"


def faces_up(options: BonusOptions) -> bool:
    """True where the cards that complete six are dealt face up."""
    return options.poker_cards_facing == "up"


def why_no_insurance(seen: Seen, options: BonusOptions) -> str | None:
    """Why insurance is not taken now."""
    if seen.actions:
        return why_not("insurance", seen, options)
    if not ace_up(seen, options):
        return "insurance is offered only when the dealer shows an Ace"
    return None


def why_not(decision: "BlackjackDecision", seen: Seen, options: BonusOptions) -> str | None:
    """Why a decision is not allowed on the hand in turn."""
    if seen.peeked == 1:
        return "the dealer has blackjack, so no decision is left"
    return blackjack.why_not(decision, as_blackjack(seen.hand), options)


# Words.


def holds(seen: Seen, stage: str | None, options: BonusOptions) -> str:
    """What a seat holds: points in Blackjack, a hand in Poker."""
    if stage == "poker" and len(seen.own) >= blackjack.SIX_CARDS:
        held = describe5(seen.own)
        return held[:1].upper() + held[1:]
    hands = [as_blackjack(hand) for hand in seen.hands if len(hand.cards) > 1]
    return " and ".join(_points(hand.total) for hand in hands)


def dealer_holds(seen: Seen, options: BonusOptions) -> str:
    """The dealer's points; cards that complete six make no hand."""
    if len(seen.dealer) >= blackjack.SIX_CARDS:
        return ""
    return _points(blackjack.total_of(tuple(map(rank_of, seen.dealer))))


def _points(total: int) -> str:
    soft = "soft " if blackjack.is_soft(total) else ""
    return f"{soft}{blackjack.value(total)}"


def announce(seen: Seen, options: BonusOptions) -> str:
    """What the dealer announces of the hand."""
    if has_natural(seen, options):
        return "Dealer has blackjack."
    total = dealers_total(seen.dealer, options)
    value = blackjack.value(total)
    return f"Dealer is over with {value}." if blackjack.is_bust(total) else f"Dealer has {value}."


def war_words(seen: Seen, options: BonusOptions) -> Words:
    """The two cards of War."""
    return {
        "player": f"the {card_words(seen.own[0])}",
        "dealer": f"the {card_words(seen.dealer[0])}",
    }


def six_words(seen: Seen, options: BonusOptions) -> Words:
    """What the six cards make."""
    return {"cards": describe5(seen.own)} if len(seen.own) == blackjack.SIX_CARDS else {}
