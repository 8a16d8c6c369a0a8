"""Lines: each bet of a hand, settled in cents, with the reason.

A rule's verdict becomes a line here and nowhere else, whether a seat is settled by itself or at a
live table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.cards import card_words
from houseway.games import blackjack, progressive, side_bets
from houseway.games import triple_shot_bonus as bonus
from houseway.games.base import AntePlayGame, Game, Outcome, Verdict, net_cents
from houseway.hands import category3, category5, describe3, describe5
from houseway.money import MeterLevel, MeterShare, break_down, dollars_text
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused, listed

Three = tuple[int, int, int]
Tables = Mapping[Bet, PayTable]
Meters = Mapping[MeterLevel, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One bet, settled between the player and the house (TSR-18, TCP-14).

    Amounts are cents; `net` is what the player gains.
    """

    bet: Bet
    wager: int
    outcome: Outcome
    net: int
    clause: str
    why: str
    hand: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The line as plain data."""
        return {
            "bet": self.bet,
            "hand": self.hand,
            "wager": self.wager,
            "outcome": self.outcome.value,
            "net": self.net,
            "clause": self.clause,
            "why": self.why,
        }


def settling_order(game: Game, options: Options) -> tuple[Bet, ...]:
    """The bets in the order they are settled: the source's, or the casino's own (TCP-22)."""
    if not options.settle_order:
        return game.order
    if game.code == "triple-shot-bonus":
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"settle_order {','.join(options.settle_order)!r} is not allowed: War, Blackjack and "
            "Poker are played in succession; allowed: source",
            "TSB-21",
        )
    for bet in options.settle_order:
        if bet not in game.order:
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"bet {bet!r} in settle_order is not a bet of {game.code}; allowed: "
                f"{listed(game.order)}",
                "TCP-22",
            )
    rest = tuple(bet for bet in game.order if bet not in options.settle_order)
    return options.settle_order + rest


def forfeited(game: AntePlayGame, wagers: Mapping[Bet, int], options: Options) -> list[Line]:
    """The Ante, and Pair Plus where the fold costs it, of a hand that was folded."""
    lines = []
    if "ante" in wagers:
        lines.append(_line("ante", wagers["ante"], game.folded(), {}, options))
    if "pair-plus" in wagers and not game.pair_plus_survives_fold(options):
        verdict = side_bets.pair_plus_folded(game.pair_plus_fold_clause)
        lines.append(_line("pair-plus", wagers["pair-plus"], verdict, {}, options))
    return lines


def against_dealer(
    game: AntePlayGame,
    player: Three,
    dealer: Three,
    ante_cents: int,
    tables: Tables,
    options: Options,
) -> list[Line]:
    """Ante, Play and Ante Bonus of a hand that was played."""
    words = {
        "player": game.describe(player, options),
        "dealer": game.describe(dealer, options),
    }
    player_value, dealer_value = game.value(player, options), game.value(dealer, options)
    verdicts = game.played(
        game.facts(player_value, dealer_value), player_value, category3(*player), tables, options
    )
    return [_line(bet, ante_cents, verdict, words, options) for bet, verdict in verdicts]


def pair_plus(
    game: AntePlayGame, player: Three, wager: int, tables: Tables, options: Options
) -> Line:
    """Pair Plus of a hand that still has it in action."""
    verdict = side_bets.pair_plus(category3(*player), tables["pair-plus"], game.pair_plus_clause)
    return _line("pair-plus", wager, verdict, {"player": describe3(*player)}, options)


def six_card_bonus(
    game: AntePlayGame, player: Three, dealer: Three, wager: int, tables: Tables, options: Options
) -> Line:
    """The 6 Card Bonus of the player's and the dealer's cards."""
    six = (*player, *dealer)
    verdict = side_bets.six_card_bonus(
        category5(six), tables["six-card-bonus"], game.six_card_bonus_clause
    )
    return _line("six-card-bonus", wager, verdict, {"cards": describe5(six)}, options)


def progressive_wager(
    player: Three,
    community: tuple[int, ...],
    wager: int,
    paytable: PayTable,
    options: Options,
    meters: Meters,
    *,
    folded: bool,
) -> Line:
    """The progressive wager: a share of what stands on the meter, a fixed pay, or nothing."""
    hand = progressive.judge(player, community, paytable)
    verdict = progressive.award(hand, paytable, options, folded=folded)
    words = {"cards": progressive.describe(player, community, paytable)}
    if not isinstance(verdict.odds, MeterShare):
        return _line("progressive", wager, verdict, words, options)
    meter_cents = meter_of(meters, verdict.odds, paytable, options)
    pay = progressive.share_cents(verdict.odds, meter_cents, wager, options)
    return _share_line(verdict, wager, pay, f"stands at {dollars_text(meter_cents)}", words)


def meter_award(
    player: Three,
    community: tuple[int, ...],
    wager: int,
    paytable: PayTable,
    options: Options,
    pay: int,
) -> Line:
    """A share of a meter whose amount was fixed by whoever keeps the meter."""
    hand = progressive.judge(player, community, paytable)
    verdict = progressive.award(hand, paytable, options, folded=False)
    assert isinstance(verdict.odds, MeterShare)
    words = {"cards": progressive.describe(player, community, paytable)}
    return _share_line(verdict, wager, pay, f"was {dollars_text(pay)}", words)


def _share_line(
    verdict: Verdict, wager: int, pay: int, which: str, words: Mapping[str, str]
) -> Line:
    """The line of a share of a meter; its wager is never returned."""
    return Line(
        bet="progressive",
        wager=wager,
        outcome=verdict.outcome,
        net=pay - wager,
        clause=verdict.clause,
        why=_sentence(f"{verdict.why}, which {which}", words),
    )


def meter_of(meters: Meters, share: MeterShare, paytable: PayTable, options: Options) -> int:
    """The meter that a share is of; refused when it was not given."""
    if share.level not in meters:
        named = "AMOUNT" if share.level == "single" else f"{share.level}=AMOUNT"
        raise Refused(
            Reason.MISSING_METER,
            f"the hand wins {share} and that meter is not given; give it as --meter {named}",
            progressive.by_system(paytable, options, "PGM-08", "PNX-10", "PML-12"),
        )
    return meters[share.level]


@dataclass(frozen=True, slots=True, kw_only=True)
class LitHands:
    """The other hands at the table with a progressive wager, as one player sees them."""

    others: Sequence[tuple[int, ...]] = ()
    folded_others: Sequence[tuple[int, ...]] = ()
    own_others: Sequence[tuple[int, ...]] = ()


def envy(
    lit: LitHands,
    community: tuple[int, ...],
    wager: int,
    paytable: PayTable,
    options: Options,
    *,
    folded: bool,
) -> list[Line]:
    """One line for each hand that triggers envy.

    Several triggers give several pays, at the end of the round (PGM-18, PNX-18, PML-16).
    """
    if folded and not progressive.folded_player_earns_envy(options):
        return []
    triggers = [(cards, "another player") for cards in lit.others]
    if options.folded_hand_progressive == "eligible":
        triggers += [(cards, "another player who folded") for cards in lit.folded_others]
    if progressive.own_other_hand_earns_envy(paytable, options):
        triggers += [(cards, "the player's own other hand") for cards in lit.own_others]
    lines = []
    for cards, whose in triggers:
        earned = progressive.envy_cents(
            progressive.judge(cards, community, paytable), paytable, wager
        )
        if earned:
            shown = progressive.describe(cards, community, paytable)
            lines.append(
                Line(
                    bet="envy",
                    wager=0,
                    outcome=Outcome.WIN,
                    net=earned,
                    clause=progressive.envy_clause(paytable, options),
                    why=f"Envy: {whose} holds {shown}, which pays {dollars_text(earned)}.",
                )
            )
    return lines


def war(player_card: int, dealer_card: int, wager: int, options: Options) -> Line:
    """War between the first cards."""
    verdict = bonus.war(bonus.compare_war(player_card, dealer_card, options), options)
    words = {
        "player": f"the {card_words(player_card)}",
        "dealer": f"the {card_words(dealer_card)}",
    }
    return _line("war", wager, verdict, words, options)


def insurance_cents(stake: int, options: Options) -> int:
    """Half of the Blackjack bet, broken down like a half loss (A-42, A-23)."""
    half = break_down(Fraction(stake, 2), options.breakage, options.smallest_chip, "insurance")
    if half == 0:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision 'insurance' is not allowed: half of {dollars_text(stake)} is nothing",
            "TSB-14",
        )
    return half


def insurance(insured_cents: int, dealer_total: int, dealer_cards: int, options: Options) -> Line:
    """The insurance wager against the dealer's first two cards."""
    verdict = blackjack.insurance(dealer_total, dealer_cards)
    return _line("insurance", insured_cents, verdict, {}, options)


def blackjack_hand(
    hand: blackjack.Hand,
    number: int,
    of: int,
    stake: int,
    dealer_total: int,
    dealer_cards: int,
    options: Options,
) -> Line:
    """One Blackjack hand against the dealer's; `number` of `of` hands after a split."""
    verdict = blackjack.resolve(hand, dealer_total, dealer_cards, options, number)
    wager = stake * blackjack.stakes(hand)
    return _line("blackjack", wager, verdict, {}, options, number if of > 1 else None)


def poker(cards: tuple[int, ...], wager: int, tables: Tables, options: Options) -> Line:
    """Poker with the six cards of a seat."""
    verdict = bonus.poker(category5(cards), tables["poker"])
    return _line("poker", wager, verdict, {"cards": describe5(cards)}, options)


def hat_trick(
    lost_legs: Sequence[str],
    war_comparison: int,
    blackjack_outcomes: tuple[Outcome, ...],
    wager: int,
    tables: Tables,
    options: Options,
) -> Line:
    """The Hat Trick: taken with the first lost leg, or paid when none is."""
    verdict = bonus.hat_trick(lost_legs, war_comparison, blackjack_outcomes, tables["hat-trick"])
    return _line("hat-trick", wager, verdict, {}, options)


def in_order(lines: Iterable[Line], order: Sequence[Bet]) -> tuple[Line, ...]:
    """The lines as they are settled: by bet, and as they came within a bet."""
    return tuple(sorted(lines, key=lambda line: order.index(line.bet)))


def _line(
    bet: Bet,
    wager: int,
    verdict: Verdict,
    words: Mapping[str, str],
    options: Options,
    hand: int | None = None,
) -> Line:
    return Line(
        bet=bet,
        hand=hand,
        wager=wager,
        outcome=verdict.outcome,
        net=net_cents(verdict, wager, options.breakage, options.smallest_chip),
        clause=verdict.clause,
        why=_sentence(verdict.why, words),
    )


def _sentence(why: str, words: Mapping[str, str]) -> str:
    text = why.format(**words)
    return text[0].upper() + text[1:] + "."
