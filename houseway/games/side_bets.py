"""Side bets that several games share: Pair Plus, the 6 Card Bonus and the progressive."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from houseway.cards.hands import FiveCard, ThreeCard, category3, category5, describe3, describe5
from houseway.games import progressive as meter
from houseway.games.base import Verdict, forfeits, loses, wins
from houseway.games.contest import CARDS, three
from houseway.games.contract import Seen, SideBet, Words
from houseway.names import PROGRESSIVE_CODES

if TYPE_CHECKING:
    from houseway.house.options import Options
    from houseway.house.paytables import PayTable


def pair_plus(category: int, paytable: "PayTable", clause: str) -> Verdict:
    """Pair Plus wins on a pair or better, whatever the dealer holds (TSR-13, TCP-11, FUP-09)."""
    odds = paytable.odds(category)
    if odds is None:
        return loses(clause, "Pair Plus needs a pair or better and the player holds {player}")
    return wins(odds, clause, "Pair Plus is paid on {player} whatever the dealer holds:")


def pair_plus_folded(clause: str) -> Verdict:
    """Pair Plus where a fold costs it as well (TCP-13)."""
    return forfeits(clause, "the player folded, and here a fold gives up Pair Plus as well")


def six_card_bonus(category: int, paytable: "PayTable", clause: str) -> Verdict:
    """6 Card Bonus pays the best five of the player's and the dealer's cards (TSR-14, SCB-02).

    Folding does not touch it (TSR-15, SCB-03), and it opens on Face Up as well (SCB-09).
    """
    odds = paytable.odds(category)
    if odds is None:
        return loses(
            clause, "6 Card Bonus needs three of a kind or better and the six cards make {cards}"
        )
    return wins(odds, clause, "6 Card Bonus: the six cards make {cards}, which pays")


def pair_plus_bet(clause: str, fold_clause: str, survives: Callable[[Any], bool]) -> SideBet:
    """Pair Plus as a game offers it: by these clauses, and kept or lost with a fold."""

    def rule(category: int, paytable: "PayTable", options: "Options") -> Verdict:
        return pair_plus(category, paytable, clause)

    def folded(paytable: "PayTable", options: "Options") -> Verdict | None:
        return None if survives(options) else pair_plus_folded(fold_clause)

    return SideBet(
        code="pair-plus",
        clause=clause,
        fold_clause=fold_clause,
        own=CARDS,
        classify=_own_category,
        rule=rule,
        folded=folded,
        words=_own_words,
        hands=ThreeCard,
    )


def six_card_bonus_bet(clause: str, *needs: str) -> SideBet:
    """The 6 Card Bonus as a game offers it; beside one of these bets, where it needs one."""

    def rule(category: int, paytable: "PayTable", options: "Options") -> Verdict:
        return six_card_bonus(category, paytable, clause)

    return SideBet(
        code="six-card-bonus",
        short="6 Card",
        clause=clause,
        needs=needs,
        needs_clause=partial(_always, "SCB-06"),
        own=CARDS,
        dealer=CARDS,
        classify=_six_category,
        rule=rule,
        folded=_stays,
        words=_six_words,
        hands=FiveCard,
    )


def _always(clause: str, paytable: "PayTable", options: "Options") -> str:
    return clause


def _stays(paytable: "PayTable", options: "Options") -> Verdict | None:
    return None


def _own_category(seen: Seen, paytable: "PayTable") -> int:
    return category3(*three(seen.own))


def _own_words(seen: Seen, paytable: "PayTable") -> Words:
    return {"player": describe3(*three(seen.own))}


def _six_category(seen: Seen, paytable: "PayTable") -> int:
    return category5((*seen.own, *seen.dealer))


def _six_words(seen: Seen, paytable: "PayTable") -> Words:
    return {"cards": describe5((*seen.own, *seen.dealer))}


# The progressive.


def _needs_clause(paytable: "PayTable", options: "Options") -> str:
    return meter.by_system(paytable, options, "PGM-05", "PNX-05", "PML-06")


def _link_cards(paytable: "PayTable") -> Mapping[str, int]:
    return {meter.LINK: meter.LINK_CARDS} if paytable.community else {}


def _judged(seen: Seen, paytable: "PayTable") -> int:
    return meter.judge(seen.own, seen.table.get(meter.LINK, ()), paytable)


def _judged_words(seen: Seen, paytable: "PayTable") -> Words:
    return {"cards": meter.describe(seen.own, seen.table.get(meter.LINK, ()), paytable)}


PROGRESSIVE = SideBet(
    code="progressive",
    short="Prog.",
    needs=("ante", "pair-plus"),
    needs_clause=_needs_clause,
    own=CARDS,
    table=_link_cards,
    classify=_judged,
    rule=meter.award,
    folded=meter.lost_by_fold,
    words=_judged_words,
    usual_cents=100,
    from_meter=True,
    owners=PROGRESSIVE_CODES,
)
"""The progressive of three cards, with a link's two community cards where the paytable has them."""
