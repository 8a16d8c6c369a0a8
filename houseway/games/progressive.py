"""Progressive bets: the three-card progressive and the five-card link, with envy.

What a hand wins is one rule; what a meter then does is in `houseway.house.meters`, and who may
pay it out is the floor's business.
"""

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from houseway.cards.hands import ProgressiveThree, category5, describe3, describe5, progressive3
from houseway.games.base import Verdict, forfeits, loses, wins
from houseway.games.contract import Deal, Show
from houseway.house.money import CENTS_PER_DOLLAR, MeterShare
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from houseway.house.options import Options
    from houseway.house.paytables import PayTable


class LitHands(NamedTuple):
    """The other hands at the table with a progressive wager, as one player sees them."""

    others: "Sequence[tuple[int, ...]]" = ()
    folded_others: "Sequence[tuple[int, ...]]" = ()
    own_others: "Sequence[tuple[int, ...]]" = ()


LINK = "community"
"""Where the two community cards of a link lie."""
LINK_CARDS = 2
LINK_DEAL = Deal(to=LINK, for_bet="progressive", clause="PML-09")
LINK_SHOW = Show(to=LINK, does="Turn the two community cards over.", clause="PML-09")
NAMES = {
    "three-card-progressive": "Three-card progressive",
    "five-card-link": "Five-card link",
}


def judge(cards: tuple[int, ...], community: tuple[int, ...], paytable: "PayTable") -> int:
    """The hand that the paytable looks at.

    Paytables 1 and 2 see the player's own three cards (PGM-03, PNX-04); the link sees exactly
    those three and the two community cards (PML-02, PML-04). The dealer's never count.
    """
    if paytable.community:
        return category5((*cards, *community))
    a, b, c = cards
    return progressive3(a, b, c)


def describe(cards: tuple[int, ...], community: tuple[int, ...], paytable: "PayTable") -> str:
    """That hand in words."""
    if paytable.community:
        return describe5((*cards, *community))
    a, b, c = cards
    in_spades = judge(cards, community, paytable) == ProgressiveThree.AKQ_SPADES
    return "the Ace-King-Queen of spades" if in_spades else describe3(a, b, c)


def award(hand: int, paytable: "PayTable", options: "Options", *, folded: bool = False) -> Verdict:
    """What a progressive wager wins: a share of the meter or a fixed pay.

    The wager itself is never returned (PGM-08, PGM-09, PNX-10, PML-13).
    """
    lost = lost_by_fold(paytable, options) if folded else None
    if lost is not None:
        return lost
    clause = by_system(paytable, options, "PGM-19", "PNX-19", "PML-12")
    odds = paytable.odds(hand)
    if odds is None:
        return loses(clause, "the progressive pays nothing on {cards}")
    return wins(odds, clause, "the progressive pays {cards}")


def lost_by_fold(paytable: "PayTable", options: "Options") -> Verdict | None:
    """What a fold costs; None where a folded hand still qualifies.

    That is the casino's choice (PGM-07, PNX-09, PML-10).
    """
    if options.folded_hand_progressive == "eligible":
        return None
    return forfeits(
        by_system(paytable, options, "PGM-07", "PNX-09", "PML-10"),
        "the player folded, and here a folded hand does not win the progressive",
    )


def share_cents(share: MeterShare, meter_cents: int, wager_cents: int, options: "Options") -> int:
    """A share of the meter in cents, rounded down (PGM-08, A-19).

    A share is of the meter, whatever was bet; by option it grows with the dollars wagered, and
    never past the whole meter.
    """
    return _grown(share, wager_cents, options).of(meter_cents)


def starts_again(share: MeterShare, wager_cents: int, options: "Options") -> bool:
    """True when a meter is started again after this award.

    After the 100% award (PGM-04, PNX-04, PML-05), and after a share that grew to the whole meter
    with the wager: otherwise the meter would stand at nothing (A-19).
    """
    return share.whole or _grown(share, wager_cents, options).whole


def _grown(share: MeterShare, wager_cents: int, options: "Options") -> MeterShare:
    if options.percent_pay_scaling == "per_spot":
        return share
    scaled = share.share * wager_cents / CENTS_PER_DOLLAR
    return MeterShare(min(scaled, Fraction(1)), share.level)


def payment_order(
    positions: "Iterable[int]", options: "Options", controls: "Sequence[int]" = ()
) -> tuple[int, ...]:
    """The positions in the order their meter awards are paid (PGM-10, PNX-11, PML-11).

    From the dealer's far right, which is the highest position, then counter-clockwise; or in the
    order that the casino's internal controls lay down. Each award is taken from what the one
    before it left on the meter (A-17, A-18).
    """
    waiting = sorted(set(positions), reverse=True)
    if options.meter_pay_order == "right_to_left":
        return tuple(waiting)
    if sorted(controls, reverse=True) != waiting:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the order {list(controls)} of the internal controls does not name each of the "
            f"winning positions {waiting} once",
            "PGM-10",
        )
    return tuple(controls)


def envy_cents(hand: int, paytable: "PayTable", wager_cents: int) -> int:
    """What another's hand earns a player with this wager; 0 when it triggers nothing.

    Paytables 1 and 2 pay a flat amount (PGM-17, PNX-17); the link multiplies it by the
    receiver's own wager in dollars (PML-13, A-45).
    """
    amount = paytable.envy_cents.get(hand, 0)
    return amount * wager_cents // CENTS_PER_DOLLAR if paytable.envy_per_dollar else amount


def envy_clause(paytable: "PayTable", options: "Options") -> str:
    """The clause by which envy is paid."""
    return by_system(paytable, options, "PGM-17", "PNX-17", "PML-13")


def by_system(
    paytable: "PayTable", options: "Options", game_manager: str, nexus: str, link: str
) -> str:
    """Of three clauses that say alike, the one of the progressive system in use."""
    if paytable.community:
        return link
    return game_manager if options.award_profile == "game_manager" else nexus


def own_other_hand_earns_envy(paytable: "PayTable", options: "Options") -> bool:
    """True when a player's own other hand is paid for a trigger (PGM-17, PNX-17, PML-17, A-27)."""
    if options.envy_own_other_hand == "by_profile":
        return options.award_profile == "game_manager" and not paytable.community
    return options.envy_own_other_hand == "yes"


def folded_player_earns_envy(options: "Options") -> bool:
    """True when a player who folded still receives envy: only the wager is a condition (A-46)."""
    return options.envy_when_folded == "paid"
