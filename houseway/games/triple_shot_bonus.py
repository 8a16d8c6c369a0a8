"""Triple Shot Bonus: War, Blackjack and six-card Poker with one hand, and the Hat Trick over all.

`play_out` deals one seat from a given order of cards and decisions and says what the rules make
of it; the pieces it uses are the ones a live table uses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from houseway.cards import cards_text, rank_of
from houseway.games import blackjack
from houseway.games.base import (
    DEALER_WINS,
    EVEN_MONEY,
    HALF,
    PLAYER_WINS,
    TIE,
    Game,
    Outcome,
    Verdict,
    loses,
    wins,
)
from houseway.hands import war_rank
from houseway.names import BLACKJACK_DECISIONS, BlackjackDecision
from houseway.paytables import HatTrick
from houseway.refusal import Reason, Refused, listed

if TYPE_CHECKING:
    from houseway.names import Bet
    from houseway.options import Options
    from houseway.paytables import PayTable

GAME = Game(
    code="triple-shot-bonus",
    name="Triple Shot Bonus",
    order=("war", "insurance", "blackjack", "poker", "hat-trick"),
    wagers=("war", "blackjack", "poker", "hat-trick"),
)
REQUIRED: "tuple[Bet, ...]" = ("war", "blackjack", "poker")
LEGS = {"war": "War", "blackjack": "Blackjack", "poker": "Poker"}


def compare_war(player_card: int, dealer_card: int, options: "Options") -> int:
    """0 when the dealer's first card is higher, 1 on a tie, 2 when the player's is (TSB-06)."""
    ace_low = options.war_ace == "low"
    player = war_rank(player_card, ace_low=ace_low)
    dealer = war_rank(dealer_card, ace_low=ace_low)
    return (player >= dealer) * 1 + (player > dealer) * 1


def war(comparison: int, options: "Options") -> Verdict:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One seat played out: the cards of everybody and the Blackjack hands."""

    player: tuple[int, ...]
    dealer: tuple[int, ...]
    hands: tuple[blackjack.Hand, ...]
    insured: bool
    dealer_completed: tuple[int, ...] = ()
    """Cards that complete a dealer's six where the house deals them; no bet sees them (A-20)."""

    @property
    def dealer_total(self) -> int:
        """The dealer's Blackjack total."""
        return blackjack.total_of(tuple(rank_of(card) for card in self.dealer))


def play_out(
    deck: Sequence[int], decisions: Sequence[BlackjackDecision], options: "Options"
) -> Played:
    """One seat dealt from the deck in order, with these decisions; refused where one is illegal.

    Order: player, dealer up, player, dealer hole, the player's draws, the dealer's draws, then
    the cards that complete the player's six (TSB-05, TSB-08, TSB-17), and
    the dealer's where the house deals those (TSB-19). Split Aces make one
    six-card hand together (A-43).
    """
    cards = _Deck(deck)
    player = [cards.draw(), 0]
    dealer = [cards.draw()]
    player[1] = cards.draw()
    dealer.append(cards.draw())
    up_rank, hole_rank = rank_of(dealer[0]), rank_of(dealer[1])
    dealer_total = blackjack.total_of((up_rank, hole_rank))
    queue = list(decisions)
    insured = bool(queue) and queue[0] == "insurance"
    if insured:
        queue.pop(0)
        if not blackjack.may_insure(up_rank):
            raise _not_allowed(
                "insurance", "insurance is offered only when the dealer shows an Ace"
            )
    hands: tuple[blackjack.Hand, ...] = (
        blackjack.first_hand(rank_of(player[0]), rank_of(player[1])),
    )
    if blackjack.dealer_peeks(up_rank, options) and blackjack.is_natural(dealer_total, 2):
        if queue:
            raise _not_allowed(queue[0], "the dealer has blackjack, so no decision is left")
        hands = (blackjack.stand(hands[0]),)
    while blackjack.status(hands[0], options) is blackjack.Status.OPEN:
        decision = queue.pop(0) if queue else "stand"
        if (problem := blackjack.why_not(decision, hands[0], options)) is not None:
            raise _not_allowed(decision, problem)
        match decision:
            case "stand":
                hands = (blackjack.stand(hands[0]),)
            case "split":
                player += [cards.draw(), cards.draw()]
                hands = blackjack.split_hands(rank_of(player[2]), rank_of(player[3]))
            case _:
                player.append(cards.draw())
                take = blackjack.double if decision == "double" else blackjack.hit
                hands = (take(hands[0], rank_of(player[-1])),)
    if queue:
        problem = blackjack.why_not(queue[0], hands[0], options)
        assert problem is not None, queue
        raise _not_allowed(queue[0], problem)
    if blackjack.dealer_draws(hands, options):
        while not blackjack.dealer_stops(dealer_total, options):
            dealer.append(cards.draw())
            dealer_total = blackjack.step(dealer_total, rank_of(dealer[-1]))
    while len(player) < blackjack.SIX_CARDS:
        player.append(cards.draw())
    missing = blackjack.SIX_CARDS - len(dealer) if options.dealer_six_card_hand == "deal" else 0
    return Played(
        player=tuple(player),
        dealer=tuple(dealer),
        hands=hands,
        insured=insured,
        dealer_completed=tuple(cards.draw() for _ in range(missing)),
    )


def known_decision(decision: str) -> BlackjackDecision:
    """The decision of that name; refused with the known ones when there is none."""
    for known in BLACKJACK_DECISIONS:
        if decision == known:
            return known
    raise Refused(
        Reason.UNKNOWN_DECISION,
        f"decision {decision!r} is unknown; known: {listed(BLACKJACK_DECISIONS)}",
    )


class _Deck:
    """Cards in dealing order."""

    def __init__(self, cards: Sequence[int]) -> None:
        self.cards = cards
        self.dealt = 0

    def draw(self) -> int:
        if self.dealt == len(self.cards):
            raise Refused(
                Reason.TOO_FEW_CARDS,
                f"the deck '{cards_text(self.cards)}' runs out: the round needs more than "
                f"{self.dealt} cards, and never fewer than 8",
                "TSB-17",
            )
        self.dealt += 1
        return self.cards[self.dealt - 1]


def _not_allowed(decision: BlackjackDecision, problem: str) -> Refused:
    return Refused(
        Reason.DECISION_NOT_ALLOWED,
        f"decision {decision!r} is not allowed: {problem}",
        blackjack.DECISION_CLAUSES[decision],
    )
