"""Settlement of single hands, the long way, with a second copy of every pay.

Amounts are whole cents. Arithmetic goes through `Fraction` and every pay and every half loss is
then rounded down to the cent (option `breakage`, A-23). The pays are those of the sources: 000
(Triple Shot Rummy), 003 (Triple Shot Bonus), 004 (Three Card Poker, 6 Card Bonus, Face Up,
progressives).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from .five_cards import best_category, category5
from .three_cards import (
    RANKS,
    RUMMY_VALUE,
    category,
    check_cards,
    dealer_qualifies,
    rummy_points,
    strength,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Line = tuple[str, int, str, int]
HandLine = tuple[str, int | None, int, str, int]

# ---------------------------------------------------------------------------------- the pays

# 004:L230-256 (TCP-25): to 1, on the Ante.
ANTE_BONUS = {
    "A": {"straight_flush": 5, "three_of_a_kind": 4, "straight": 1},
    "B": {"straight_flush": 5, "three_of_a_kind": 3, "straight": 1},
    "C": {"straight_flush": 4, "three_of_a_kind": 3, "straight": 1},
}

# 004:L230-256 (TCP-25), 004:L578-582 (FUP-10): to 1.
PAIR_PLUS_POKER = {
    "A": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1},
    "B": {"straight_flush": 40, "three_of_a_kind": 25, "straight": 6, "flush": 4, "pair": 1},
    "C": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 5, "flush": 4, "pair": 1},
    "D": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3, "pair": 1},
}

# 000:L119-126 (TSR-34): to 1. No row for the suited A-K-Q in 1-3.
PAIR_PLUS_RUMMY = {
    "1": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 4, "pair": 1},
    "2": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 5, "flush": 4, "pair": 1},
    "3": {"straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3, "pair": 1},
    "4": {
        "mini_royal": 50,
        "straight_flush": 40,
        "three_of_a_kind": 30,
        "straight": 6,
        "flush": 4,
        "pair": 1,
    },
    "5": {
        "mini_royal": 50,
        "straight_flush": 40,
        "three_of_a_kind": 30,
        "straight": 5,
        "flush": 4,
        "pair": 1,
    },
    "6": {
        "mini_royal": 50,
        "straight_flush": 40,
        "three_of_a_kind": 30,
        "straight": 6,
        "flush": 3,
        "pair": 1,
    },
}

# 000:L136-144 (TSR-35): to 1.
SIX_CARD_RUMMY = {
    "1": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 50,
        "full_house": 25,
        "flush": 20,
        "straight": 10,
        "three_of_a_kind": 5,
    },
    "2": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 50,
        "full_house": 25,
        "flush": 15,
        "straight": 10,
        "three_of_a_kind": 5,
    },
    "3": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 100,
        "full_house": 20,
        "flush": 15,
        "straight": 9,
        "three_of_a_kind": 8,
    },
    "4": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 100,
        "full_house": 20,
        "flush": 15,
        "straight": 10,
        "three_of_a_kind": 7,
    },
}

# 004:L375-382 (SCB-04): to 1.
SIX_CARD_POKER = {
    "TCP-6B1": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 50,
        "full_house": 25,
        "flush": 20,
        "straight": 10,
        "three_of_a_kind": 5,
    },
    "TCP-6B2": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 50,
        "full_house": 25,
        "flush": 15,
        "straight": 10,
        "three_of_a_kind": 5,
    },
    "TCP-6B3": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 100,
        "full_house": 20,
        "flush": 15,
        "straight": 9,
        "three_of_a_kind": 8,
    },
    "TCP-6B4": {
        "royal_flush": 1000,
        "straight_flush": 200,
        "four_of_a_kind": 100,
        "full_house": 20,
        "flush": 15,
        "straight": 10,
        "three_of_a_kind": 7,
    },
}

# 004:L707-712, L756-761 (PGM-19, PNX-19) and 004:L805-837 (PML-12): for 1.
PROGRESSIVE_FOR_1 = {
    "1": {"akq_other": 500, "straight_flush": 70, "three_of_a_kind": 60, "straight": 6},
    "2": {"akq_other": 500, "straight_flush": 100, "three_of_a_kind": 90},
    "01": {
        "four_of_a_kind": 300,
        "full_house": 50,
        "flush": 40,
        "straight": 30,
        "three_of_a_kind": 9,
    },
    "ML01": {
        "four_of_a_kind": 300,
        "full_house": 50,
        "flush": 40,
        "straight": 30,
        "three_of_a_kind": 9,
    },
    "ML03": {"full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 9},
}

# The same places: shares of a meter, as (meter, percent).
PROGRESSIVE_SHARE = {
    "1": {"akq_spades": ("single", 100)},
    "2": {"akq_spades": ("single", 100)},
    "01": {"royal_flush": ("single", 100), "straight_flush": ("single", 10)},
    "ML01": {"royal_flush": ("mega", 100), "straight_flush": ("major", 100)},
    "ML03": {
        "royal_flush": ("mega", 100),
        "straight_flush": ("major", 100),
        "four_of_a_kind": ("minor", 100),
    },
}

# The same places: envy in dollars; in the link tables it is per dollar of the receiver's wager.
ENVY_DOLLARS = {
    "1": {"akq_spades": 100, "akq_other": 25},
    "2": {"akq_spades": 100, "akq_other": 25},
    "01": {"royal_flush": 1000, "straight_flush": 300},
    "ML01": {"royal_flush": 1000, "straight_flush": 300},
    "ML03": {"royal_flush": 1000, "straight_flush": 300},
}

LINK_TABLES = ("01", "ML01", "ML03")

# 003:L375-401 (TSB-18): to 1.
SIX_CARD_STUD = {
    "TSB-01": {
        "royal_flush": Fraction(500),
        "straight_flush": Fraction(50),
        "four_of_a_kind": Fraction(20),
        "full_house": Fraction(6),
        "flush": Fraction(5),
        "straight": Fraction(4),
        "three_of_a_kind": Fraction(2),
        "two_pair": Fraction(3, 2),
        "jacks_or_better": Fraction(1),
    },
    "TSB-02": {
        "royal_flush": Fraction(200),
        "straight_flush": Fraction(60),
        "four_of_a_kind": Fraction(20),
        "full_house": Fraction(6),
        "flush": Fraction(5),
        "straight": Fraction(4),
        "three_of_a_kind": Fraction(2),
        "two_pair": Fraction(3, 2),
        "jacks_or_better": Fraction(1),
    },
}

# 003:L175, 003:L413 (TSB-21, A-06): to 1.
HAT_TRICK = {"9": 9, "6": 6}

# 003:L179-188 (TSB-22): how two hands of split Aces count together for the Hat Trick.
SPLIT_ACES = {
    ("lose", "lose"): "lose",
    ("lose", "push"): "lose",
    ("lose", "win"): "win",
    ("push", "lose"): "lose",
    ("push", "push"): "win",
    ("push", "win"): "win",
    ("win", "lose"): "win",
    ("win", "push"): "win",
    ("win", "win"): "win",
}

# C12: the options that matter to these settlements, each with its values, the default first.
OPTIONS = {
    "tie_rule": ("push", "lose", "win"),
    "ace_in_runs": ("low", "high_low", "wrap"),
    "combination_choice": ("lowest", "pair_first"),
    "face_up_unqualified_play": ("compare", "win_or_push", "win"),
    "pair_plus_after_fold": ("by_game", "stays", "forfeit"),
    "folded_hand_progressive": ("not_eligible", "eligible"),
    "award_profile": ("nexus", "game_manager", "multi_link"),
    "envy_own_other_hand": ("by_profile", "yes", "no"),
    "envy_when_folded": ("paid", "not_paid"),
    "percent_pay_scaling": ("per_spot", "per_wager_unit"),
    "dealer_soft_17": ("hit", "stand"),
    "war_ace": ("high", "low"),
    "dealer_natural": ("peek", "no_peek_original_bets", "no_peek_all_bets"),
    "split_ace_ten": ("twenty_one", "blackjack"),
    "breakage": ("down_to_cent",),
}


# ------------------------------------------------------------------------------ common helpers


def _option(options: Mapping[str, str] | None, name: str) -> str:
    """The value of an option of C12: the given one, or else the default."""
    value = (options or {}).get(name, OPTIONS[name][0])
    assert value in OPTIONS[name], (name, value)
    return value


def _paid(wager: int, odds: int | Fraction) -> int:
    """What a wager wins at odds 'to 1', rounded down to the cent (A-23)."""
    return floor(Fraction(wager) * Fraction(odds))


def _even(wager: int, outcome: str, odds: int | Fraction = 1) -> int:
    """The net of a wager that wins at `odds` to 1, loses whole, or pushes."""
    if outcome == "win":
        return _paid(wager, odds)
    if outcome == "lose":
        return -wager
    assert outcome == "push", outcome
    return 0


def _table_line(bet: str, wager: int, table: Mapping[str, int], name: str) -> Line:
    """The line of a bet against a paytable 'to 1': a hand that is not in the table loses."""
    if name in table:
        return (bet, wager, "win", _paid(wager, table[name]))
    return (bet, wager, "lose", -wager)


# -------------------------------------------------------------- the three-card games, bet by bet


def _poker_duel(player: list[str], dealer: list[str], tie_rule: str) -> str:
    """Higher three-card hand wins (TCP-07, TCP-08, FUP-08); a tie by option (TCP-09, A-09)."""
    if strength(player) > strength(dealer):
        return "win"
    if strength(player) < strength(dealer):
        return "lose"
    return tie_rule


def _three_card_poker(
    player: list[str], dealer: list[str], ante: int, options: Mapping[str, str] | None, code: str
) -> list[Line]:
    """Play, Ante Bonus and Ante of a played Three Card Poker hand (TCP-06..TCP-10)."""
    if dealer_qualifies(dealer):
        play_outcome = _poker_duel(player, dealer, _option(options, "tie_rule"))
        ante_outcome = play_outcome
    else:
        play_outcome = "push"
        ante_outcome = "win"
    lines: list[Line] = [("play", ante, play_outcome, _even(ante, play_outcome))]
    name = category(player)
    if name == "mini_royal":
        name = "straight_flush"
    if name in ANTE_BONUS[code]:
        lines.append(("ante-bonus", ante, "win", _paid(ante, ANTE_BONUS[code][name])))
    lines.append(("ante", ante, ante_outcome, _even(ante, ante_outcome)))
    return lines


def _face_up(
    player: list[str], dealer: list[str], ante: int, options: Mapping[str, str] | None
) -> list[Line]:
    """Play and Ante of a played Face Up hand (FUP-06..FUP-08, A-11, A-48, A-51)."""
    compared = _poker_duel(player, dealer, _option(options, "tie_rule"))
    if dealer_qualifies(dealer):
        play_outcome = compared
        ante_outcome = compared
    else:
        ante_outcome = "push"
        reading = _option(options, "face_up_unqualified_play")
        if reading == "compare":
            play_outcome = compared
        elif reading == "win_or_push":
            play_outcome = "win" if strength(player) > strength(dealer) else "push"
        else:
            play_outcome = "win"
    return [
        ("play", ante, play_outcome, _even(ante, play_outcome)),
        ("ante", ante, ante_outcome, _even(ante, ante_outcome)),
    ]


def _rummy(
    player: list[str], dealer: list[str], ante: int, options: Mapping[str, str] | None
) -> list[Line]:
    """Play and Ante of a played Rummy hand (TSR-05, TSR-08..TSR-12)."""
    aces = _option(options, "ace_in_runs")
    choice = _option(options, "combination_choice")
    own = rummy_points(player, aces, choice)
    against = rummy_points(dealer, aces, choice)
    if against > 20:
        return [("play", ante, "push", 0), ("ante", ante, "win", _paid(ante, 1))]
    if own > against:
        return [("play", ante, "lose", -ante), ("ante", ante, "lose", -ante)]
    if own == against:
        return [("play", ante, "push", 0), ("ante", ante, "push", 0)]
    if own == 0:
        odds = 4
    elif own <= 5:
        odds = 2
    else:
        assert own <= 19
        odds = 1
    return [("play", ante, "win", _paid(ante, odds)), ("ante", ante, "win", _paid(ante, 1))]


def _pair_plus(game: str, player: list[str], wager: int, code: str) -> Line:
    """The Pair Plus line of a hand that is in action (TSR-13, TSR-34, TCP-11, FUP-09, A-37)."""
    table = PAIR_PLUS_RUMMY[code] if game == "triple-shot-rummy" else PAIR_PLUS_POKER[code]
    name = category(player)
    if name == "mini_royal" and "mini_royal" not in table:
        name = "straight_flush"
    return _table_line("pair-plus", wager, table, name)


def _progressive_hand(code: str, hand: list[str], community: list[str] | None) -> str:
    """The row of the progressive table: three own cards, or these and two community cards.

    PGM-03, PNX-04: paytables 1 and 2 look at the player's three cards; PML-02, PML-04: the link
    tables at exactly five.
    """
    if code in LINK_TABLES:
        assert community is not None
        assert len(community) == 2, community
        return category5(hand + community)
    name = category(hand)
    if name != "mini_royal":
        return name
    return "akq_spades" if hand[0][1] == "s" else "akq_other"


def _progressive(
    code: str,
    row: str,
    wager: int,
    meter: Mapping[str, int] | None,
    options: Mapping[str, str] | None,
) -> Line:
    """The progressive line of an eligible hand; pays are 'for 1' (PGM-08, PGM-19, PML-13, A-19)."""
    if row in PROGRESSIVE_SHARE[code]:
        level, percent = PROGRESSIVE_SHARE[code][row]
        assert meter is not None
        share = Fraction(meter[level]) * Fraction(percent, 100)
        if _option(options, "percent_pay_scaling") == "per_wager_unit":
            share = min(share * Fraction(wager, 100), Fraction(meter[level]))
        return ("progressive", wager, "win", floor(share) - wager)
    if row in PROGRESSIVE_FOR_1[code]:
        return ("progressive", wager, "win", _paid(wager, PROGRESSIVE_FOR_1[code][row]) - wager)
    return ("progressive", wager, "lose", -wager)


def _envy(code: str, row: str, wager: int) -> list[Line]:
    """The envy line that one triggering hand gives, if it triggers (PGM-17, PML-13, A-45)."""
    if row not in ENVY_DOLLARS[code]:
        return []
    cents = Fraction(ENVY_DOLLARS[code][row]) * 100
    if code in LINK_TABLES:
        cents = cents * Fraction(wager, 100)
    return [("envy", 0, "win", floor(cents))]


def settle_three_card(
    game: str,
    *,
    player: list[str],
    dealer: list[str],
    bets: Mapping[str, int],
    decision: str | None = None,
    paytables: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    community: list[str] | None = None,
    meter: Mapping[str, int] | None = None,
    others: Sequence[list[str]] = (),
    own_others: Sequence[list[str]] = (),
) -> list[Line]:
    """The lines (bet, wager, outcome, net) of one hand of a three-card game.

    Order: play, ante-bonus, ante, pair-plus, six-card-bonus, progressive, envy (TCP-22, TSR-29,
    A-44). A fold costs the Ante (TSR-07, TCP-05, FUP-04); Pair Plus by game or option (TSR-15,
    TCP-13, A-10); the progressive bet unless folded hands are eligible (PGM-07, PNX-09, PML-10);
    never the 6 Card Bonus (TSR-15, SCB-03). Envy needs the receiver's progressive wager and comes
    from every other lit hand that triggers (PGM-17, PGM-18, A-46), from the player's own other
    hands by option (A-27).
    """
    assert game in ("three-card-poker", "three-card-poker-face-up", "triple-shot-rummy"), game
    rummy = game == "triple-shot-rummy"
    for bet, wager in bets.items():
        assert bet in ("ante", "pair-plus", "six-card-bonus", "progressive"), bet
        assert wager > 0, (bet, wager)
    assert bets
    if not rummy and "six-card-bonus" in bets:  # SCB-06
        assert "ante" in bets or "pair-plus" in bets
    if "progressive" in bets:  # PGM-05
        assert "ante" in bets or "pair-plus" in bets
    on_table = player + dealer + (community or [])
    for hand in [*others, *own_others]:
        assert len(hand) == 3, hand
        on_table = on_table + hand
    check_cards(on_table)
    assert _option(options, "breakage") == "down_to_cent"

    codes = {
        "ante-bonus": "A",
        "pair-plus": "1" if rummy else "A",
        "six-card-bonus": "1" if rummy else "TCP-6B1",
        "progressive": "1",
        **(paytables or {}),
    }
    if "ante" in bets:
        assert decision in (None, "play", "fold"), decision
        folded = decision == "fold"
    else:
        assert decision is None, decision
        folded = False

    lines: list[Line] = []

    if "ante" in bets:
        ante = bets["ante"]
        if folded:
            lines.append(("ante", ante, "forfeit", -ante))
        elif game == "three-card-poker":
            lines.extend(_three_card_poker(player, dealer, ante, options, codes["ante-bonus"]))
        elif game == "three-card-poker-face-up":
            lines.extend(_face_up(player, dealer, ante, options))
        else:
            lines.extend(_rummy(player, dealer, ante, options))

    if "pair-plus" in bets:
        after_fold = _option(options, "pair_plus_after_fold")
        if after_fold == "by_game":
            after_fold = "forfeit" if game == "three-card-poker" else "stays"
        wager = bets["pair-plus"]
        if folded and after_fold == "forfeit":
            lines.append(("pair-plus", wager, "forfeit", -wager))
        else:
            lines.append(_pair_plus(game, player, wager, codes["pair-plus"]))

    if "six-card-bonus" in bets:
        tables = SIX_CARD_RUMMY if rummy else SIX_CARD_POKER
        table = tables[codes["six-card-bonus"]]
        name = best_category(player + dealer)
        lines.append(_table_line("six-card-bonus", bets["six-card-bonus"], table, name))

    if "progressive" in bets:
        code = codes["progressive"]
        wager = bets["progressive"]
        if folded and _option(options, "folded_hand_progressive") == "not_eligible":
            lines.append(("progressive", wager, "forfeit", -wager))
        else:
            row = _progressive_hand(code, player, community)
            lines.append(_progressive(code, row, wager, meter, options))

        from_own = _option(options, "envy_own_other_hand")
        if from_own == "by_profile":
            from_own = "yes" if _option(options, "award_profile") == "game_manager" else "no"
        triggers = list(others)
        if from_own == "yes":
            triggers = triggers + list(own_others)
        if not (folded and _option(options, "envy_when_folded") == "not_paid"):
            for hand in triggers:
                lines.extend(_envy(code, _progressive_hand(code, hand, community), wager))

    return lines


# ----------------------------------------------------------------------------- Triple Shot Bonus


def _total(cards: list[str]) -> tuple[int, bool]:
    """The Blackjack total of a hand and whether it is soft: one Ace counts 11 if that fits."""
    hard = sum(RUMMY_VALUE[card[0]] for card in cards)  # Ace 1, court cards 10
    if any(card[0] == "A" for card in cards) and hard + 10 <= 21:
        return hard + 10, True
    return hard, False


def _ace_and_ten(cards: list[str]) -> bool:
    """True for two cards, one an Ace and one worth ten."""
    if len(cards) != 2:
        return False
    ranks = {card[0] for card in cards}
    return "A" in ranks and bool(ranks & {"T", "J", "Q", "K"})


class _Hand:
    """One Blackjack hand of the player."""

    def __init__(self, cards: list[str], wager: int, *, natural: bool, original: int) -> None:
        self.cards = cards
        self.wager = wager
        self.natural = natural
        self.original = original  # the part of the wager that was bet before the deal

    def bust(self) -> bool:
        """Over 21."""
        return _total(self.cards)[0] > 21

    def six(self) -> bool:
        """Six cards and not bust (TSB-11)."""
        return len(self.cards) == 6 and not self.bust()


def _war(first: str, up: str, wager: int, war_ace: str) -> tuple[HandLine, bool]:
    """The War line and whether the leg is lost; a tie costs half and is no lost leg.

    TSB-06, TSB-21, A-21; the half that a tie costs is rounded down to the cent (A-23).
    """
    order = RANKS if war_ace == "high" else "A23456789TJQK"
    own = order.index(first[0])
    against = order.index(up[0])
    if own > against:
        return ("war", None, wager, "win", wager), False
    if own < against:
        return ("war", None, wager, "lose", -wager), True
    return ("war", None, wager, "lose", -floor(Fraction(wager, 2))), False


def _blackjack_hand(hand: _Hand, dealer: list[str], dealer_natural: str) -> tuple[str, int]:
    """The outcome and net of one hand against the dealer's finished hand.

    TSB-11, TSB-14, A-25, A-43. A hand that bust lost its wager before the hole card was turned.
    """
    if hand.bust():
        return "lose", -hand.wager
    if _ace_and_ten(dealer):
        if hand.natural:
            return "push", 0
        if dealer_natural == "no_peek_original_bets":
            if hand.original == 0:
                return "push", 0
            return "lose", -hand.original
        return "lose", -hand.wager
    if hand.natural:
        return "win", _paid(hand.wager, Fraction(3, 2))
    if hand.six():
        return "win", _paid(hand.wager, 1)
    own = _total(hand.cards)[0]
    against = _total(dealer)[0]
    if against > 21 or own > against:
        outcome = "win"
    elif own < against:
        outcome = "lose"
    else:
        outcome = "push"
    return outcome, _even(hand.wager, outcome)


def settle_triple_shot_bonus(
    *,
    deck: list[str],
    decisions: Sequence[str] = (),
    bets: Mapping[str, int],
    paytables: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
) -> list[HandLine]:
    """The lines (bet, hand, wager, outcome, net) of one seat of Triple Shot Bonus.

    Cards come off the deck in this order: player, dealer up, player, dealer hole (TSB-05, TSB-08),
    the player's cards, the dealer's draws, the cards that complete six (TSB-17). Order of lines:
    war, insurance, blackjack (one per hand after a split), poker, hat-trick.
    """
    for bet, wager in bets.items():
        assert bet in ("war", "blackjack", "poker", "hat-trick"), bet
        assert wager > 0, (bet, wager)
    for bet in ("war", "blackjack", "poker"):  # TSB-02
        assert bet in bets, bet
    assert _option(options, "breakage") == "down_to_cent"
    check_cards(deck)
    codes = {"poker": "TSB-01", "hat-trick": "9", **(paytables or {})}
    natural_rule = _option(options, "dealer_natural")
    rest = list(deck)
    todo = list(decisions)
    lines: list[HandLine] = []

    # The first four cards, and War.
    first = rest.pop(0)
    up = rest.pop(0)
    second = rest.pop(0)
    hole = rest.pop(0)
    dealer = [up, hole]
    dealer_has_natural = _ace_and_ten(dealer)
    war_line, war_lost = _war(first, up, bets["war"], _option(options, "war_ace"))
    lines.append(war_line)

    # Insurance: Ace up, before anything else, half the bet, 2 to 1 (TSB-14, A-42).
    if todo and todo[0] == "insurance":
        todo.pop(0)
        assert up[0] == "A"
        half = floor(Fraction(bets["blackjack"], 2))
        assert half > 0
        if dealer_has_natural:
            lines.append(("insurance", None, half, "win", _paid(half, 2)))
        else:
            lines.append(("insurance", None, half, "lose", -half))

    # The player's hand or hands (TSB-09, TSB-10, TSB-11, A-52).
    stake = bets["blackjack"]
    start = [first, second]
    hand = _Hand(start, stake, natural=_ace_and_ten(start), original=stake)
    hands = [hand]
    finished = hand.natural or (natural_rule == "peek" and dealer_has_natural)
    while todo:
        assert not finished, (decisions, "the hand has ended")
        act = todo.pop(0)
        if act == "stand":
            finished = True
        elif act == "hit":
            hand.cards.append(rest.pop(0))
            finished = hand.bust() or hand.six()
        elif act == "double":
            assert len(hand.cards) == 2
            hand.wager = 2 * stake
            hand.cards.append(rest.pop(0))
            finished = True
        else:
            assert act == "split", act
            assert len(hand.cards) == 2
            assert first[0] == "A"
            assert second[0] == "A"
            hands = []
            for ace, original in ((first, stake), (second, 0)):
                two = [ace, rest.pop(0)]
                natural = _ace_and_ten(two) and _option(options, "split_ace_ten") == "blackjack"
                hands.append(_Hand(two, stake, natural=natural, original=original))
            finished = True

    # The dealer's hand (TSB-12, TSB-13): drawn only against a hand that still needs it.
    needed = any(not (h.bust() or h.natural or h.six()) for h in hands)
    if needed and not dealer_has_natural:
        while True:
            total, soft = _total(dealer)
            if total > 17 or (
                total == 17 and not (soft and _option(options, "dealer_soft_17") == "hit")
            ):
                break
            dealer.append(rest.pop(0))

    # Blackjack, and its leg of the Hat Trick (TSB-15, TSB-22, TSB-23).
    outcomes = []
    for number, h in enumerate(hands, start=1):
        outcome, net = _blackjack_hand(h, dealer, natural_rule)
        outcomes.append(outcome)
        lines.append(("blackjack", number if len(hands) == 2 else None, h.wager, outcome, net))
    if len(hands) == 2:
        blackjack_lost = SPLIT_ACES[(outcomes[0], outcomes[1])] == "lose"
    else:
        blackjack_lost = outcomes[0] == "lose"

    # Poker: all the player's cards, completed to six (TSB-17, TSB-18, TSB-20).
    six = [card for h in hands for card in h.cards]
    while len(six) < 6:
        six.append(rest.pop(0))
    assert len(six) == 6
    name = best_category(six)
    table = SIX_CARD_STUD[codes["poker"]]
    poker_lost = name not in table
    if poker_lost:
        lines.append(("poker", None, bets["poker"], "lose", -bets["poker"]))
    else:
        lines.append(("poker", None, bets["poker"], "win", _paid(bets["poker"], table[name])))

    # Hat Trick: wins when no leg is lost; insurance is no leg (TSB-16, TSB-21).
    if "hat-trick" in bets:
        wager = bets["hat-trick"]
        if war_lost or blackjack_lost or poker_lost:
            lines.append(("hat-trick", None, wager, "lose", -wager))
        else:
            won = _paid(wager, HAT_TRICK[codes["hat-trick"]])
            lines.append(("hat-trick", None, wager, "win", won))

    return lines
