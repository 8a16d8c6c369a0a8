"""Settlement: one seat's bets, settled in the order of reconciliation, each line with its reason.

This is the typed call behind `houseway settle`. It adds nothing to the rules: it checks what it
is given, asks the game for a verdict on each bet and turns verdicts into cents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from houseway.cards import card_words, cards_text
from houseway.games import blackjack, game_of, progressive, side_bets
from houseway.games import triple_shot_bonus as bonus
from houseway.games.base import AntePlayGame, Game, Outcome, Verdict, net_cents
from houseway.hands import category3, category5, describe3, describe5
from houseway.money import MeterLevel, MeterShare, break_down, dollars_text
from houseway.names import Bet
from houseway.options import Options
from houseway.paytables import PayTable
from houseway.refusal import Reason, Refused, listed
from houseway.seat import (
    Cards,
    Hands,
    Pairs,
    check_community,
    meter_of,
    read_bets,
    read_cards,
    read_decision,
    read_decisions,
    read_hands,
    read_house,
    read_meters,
    refuse_extra,
)
from houseway.wagers import check_wagers


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """A seat, settled: its lines in order of reconciliation."""

    game: str
    paytables: Mapping[Bet, str]
    options: Options
    lines: tuple[Line, ...]
    player: tuple[int, ...]
    dealer: tuple[int, ...]

    @property
    def net(self) -> int:
        """What the player gains in all, in cents."""
        return sum(line.net for line in self.lines)

    def to_json(self) -> dict[str, Any]:
        """The document of `houseway settle --json`."""
        return {
            "game": self.game,
            "paytables": dict(self.paytables),
            "options": self.options.to_json(self.game),
            "player": cards_text(self.player),
            "dealer": cards_text(self.dealer),
            "lines": [line.to_json() for line in self.lines],
            "net": self.net,
        }


def settle(
    game: str,
    *,
    bets: Mapping[str, int],
    player: Cards | None = None,
    dealer: Cards | None = None,
    decision: str | None = None,
    deck: Cards | None = None,
    decisions: str | Sequence[str] | None = None,
    community: Cards | None = None,
    meter: int | Mapping[str, int] | None = None,
    others: Sequence[Cards] = (),
    folded_others: Sequence[Cards] = (),
    own_others: Sequence[Cards] = (),
    paytables: str | Mapping[str, str] | Pairs | None = None,
    options: Options | Mapping[str, str] | None = None,
) -> Settlement:
    """Settle one seat and say why each bet was paid or taken.

    Bets and meters are in cents, cards are text or ints from 0 to 51. `player`, `dealer` and
    `decision` belong to the three-card games, `deck` and `decisions` to Triple Shot Bonus.
    `paytables` maps bets to codes, or is a designator such as 'TCP-05' on its own.
    `others` are other lit hands at the table, `folded_others` lit hands that were folded and
    `own_others` the player's own other hands, all for envy; `meter` is what stands on the
    meter when this hand is paid.

    >>> result = settle(
    ...     "three-card-poker", player="Qs Qd 7h", dealer="Kh 9c 4d", bets={"ante": 1000}
    ... )
    >>> [(line.bet, line.net) for line in result.lines], result.net
    ([('play', 1000), ('ante', 1000)], 2000)
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=community is not None)
    wagers = check_wagers(found, read_bets(bets), tables, chosen)
    order = _order(found, chosen)
    if isinstance(found, AntePlayGame):
        extra: dict[str, object] = {"deck": deck, "decisions": decisions}
        refuse_extra(found, extra, "it takes player and dealer cards and one decision")
        hands = read_hands(
            found,
            player=player,
            dealer=dealer,
            community=community,
            others=others,
            folded_others=folded_others,
            own_others=own_others,
        )
        check_community(hands, wagers, tables)
        folded = read_decision(found, wagers, decision)
        meters = read_meters(meter, tables["progressive"], chosen)
        lines = _three_card_lines(found, hands, wagers, tables, chosen, meters, folded=folded)
        seat: tuple[int, ...] = hands.player
        house: tuple[int, ...] = hands.dealer
    else:
        extra = {"player": player, "dealer": dealer, "decision": decision, "meter": meter}
        extra |= {"community": community, "other": others or folded_others or own_others or None}
        refuse_extra(found, extra, "it takes a deck in dealing order and a list of decisions")
        if deck is None:
            raise Refused(
                Reason.TOO_FEW_CARDS,
                "no deck is given; Triple Shot Bonus needs the cards in dealing order",
            )
        known = [bonus.known_decision(text) for text in read_decisions(decisions)]
        played = bonus.play_out(read_cards(deck, "deck"), known, chosen)
        lines = _bonus_lines(played, wagers, tables, chosen)
        seat, house = played.player, played.dealer
    return Settlement(
        game=found.code,
        paytables={bet: tables[bet].code for bet in tables if bet in wagers or bet in NOT_WAGERED},
        options=chosen,
        lines=tuple(sorted(lines, key=lambda line: order.index(line.bet))),
        player=seat,
        dealer=house,
    )


NOT_WAGERED: tuple[Bet, ...] = ("play", "ante-bonus")
"""Bets with a paytable that a player does not place apart; their codes are always named."""


def _three_card_lines(
    game: AntePlayGame,
    hands: Hands,
    wagers: Mapping[Bet, int],
    tables: Mapping[Bet, PayTable],
    options: Options,
    meters: Mapping[MeterLevel, int],
    *,
    folded: bool,
) -> list[Line]:
    lines: list[Line] = []
    six = (*hands.player, *hands.dealer)

    def settle_bet(bet: Bet, wager: int, verdict: Verdict, words: Mapping[str, str]) -> None:
        lines.append(_line(bet, wager, verdict, words, options))

    words = {"player": describe3(*hands.player), "dealer": describe3(*hands.dealer)}
    if "ante" in wagers:
        lines += _against_dealer(game, hands, wagers["ante"], tables, options, folded=folded)
    if "pair-plus" in wagers:
        if folded and "pair-plus" not in side_bets.in_action_after_fold(game, wagers, options):
            verdict = side_bets.pair_plus_folded(game.pair_plus_fold_clause)
        else:
            category = category3(*hands.player)
            verdict = side_bets.pair_plus(category, tables["pair-plus"], game.pair_plus_clause)
        settle_bet("pair-plus", wagers["pair-plus"], verdict, words)
    if "six-card-bonus" in wagers:
        clause = game.six_card_bonus_clause
        verdict = side_bets.six_card_bonus(category5(six), tables["six-card-bonus"], clause)
        settle_bet("six-card-bonus", wagers["six-card-bonus"], verdict, {"cards": describe5(six)})
    if "progressive" in wagers:
        lines += _progressive_lines(
            hands, wagers["progressive"], tables["progressive"], options, meters, folded=folded
        )
    return lines


def _against_dealer(
    game: AntePlayGame,
    hands: Hands,
    ante_cents: int,
    tables: Mapping[Bet, PayTable],
    options: Options,
    *,
    folded: bool,
) -> list[Line]:
    """Ante, Play and Ante Bonus: the bets that the dealer's hand or a fold decides."""
    words = {
        "player": game.describe(hands.player, options),
        "dealer": game.describe(hands.dealer, options),
    }
    if folded:
        return [_line("ante", ante_cents, game.folded(), words, options)]
    player, dealer = game.value(hands.player, options), game.value(hands.dealer, options)
    verdicts = game.played(
        game.facts(player, dealer), player, category3(*hands.player), tables, options
    )
    return [_line(bet, ante_cents, verdict, words, options) for bet, verdict in verdicts]


def _progressive_lines(
    hands: Hands,
    wager: int,
    paytable: PayTable,
    options: Options,
    meters: Mapping[MeterLevel, int],
    *,
    folded: bool,
) -> list[Line]:
    """The progressive wager, and one line of envy for each hand that triggers it.

    Several triggers give several pays, at the end of the round (PGM-18, PNX-18, PML-16).
    """
    hand = progressive.judge(hands.player, hands.community, paytable)
    verdict = progressive.award(hand, paytable, options, folded=folded)
    words = {"cards": progressive.describe(hands.player, hands.community, paytable)}
    if isinstance(verdict.odds, MeterShare):
        meter_cents = meter_of(meters, verdict.odds, paytable, options)
        pay = progressive.share_cents(verdict.odds, meter_cents, wager, options)
        why = f"{verdict.why}, which stands at {dollars_text(meter_cents)}"
        lines = [
            Line(
                bet="progressive",
                wager=wager,
                outcome=verdict.outcome,
                net=pay - wager,
                clause=verdict.clause,
                why=_sentence(why, words),
            )
        ]
    else:
        lines = [_line("progressive", wager, verdict, words, options)]
    if folded and not progressive.folded_player_earns_envy(options):
        return lines
    triggers = [(cards, "another player") for cards in hands.others]
    if options.folded_hand_progressive == "eligible":
        triggers += [(cards, "another player who folded") for cards in hands.folded_others]
    if progressive.own_other_hand_earns_envy(paytable, options):
        triggers += [(cards, "the player's own other hand") for cards in hands.own_others]
    for cards, whose in triggers:
        earned = progressive.envy_cents(
            progressive.judge(cards, hands.community, paytable), paytable, wager
        )
        if earned:
            shown = progressive.describe(cards, hands.community, paytable)
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


def _bonus_lines(
    played: bonus.Played,
    wagers: Mapping[Bet, int],
    tables: Mapping[Bet, PayTable],
    options: Options,
) -> list[Line]:
    """War, insurance, Blackjack, Poker and the Hat Trick of one seat, in succession."""
    lines: list[Line] = []
    lost_legs: list[str] = []
    comparison = bonus.compare_war(played.player[0], played.dealer[0], options)
    first_cards = {
        "player": f"the {card_words(played.player[0])}",
        "dealer": f"the {card_words(played.dealer[0])}",
    }
    lines.append(_line("war", wagers["war"], bonus.war(comparison, options), first_cards, options))
    if bonus.war_leg_lost(comparison):
        lost_legs.append("war")

    stake, dealer_total = wagers["blackjack"], played.dealer_total
    if played.insured:
        insured_cents = _insurance_cents(stake, options)
        verdict = blackjack.insurance(dealer_total, len(played.dealer))
        lines.append(_line("insurance", insured_cents, verdict, {}, options))
    outcomes: list[Outcome] = []
    for number, hand in enumerate(played.hands, start=1):
        verdict = blackjack.resolve(hand, dealer_total, len(played.dealer), options, number)
        wager = stake * blackjack.stakes(hand)
        place = number if len(played.hands) > 1 else None
        lines.append(_line("blackjack", wager, verdict, {}, options, place))
        outcomes.append(verdict.outcome)
    if blackjack.leg_lost(tuple(outcomes)):
        lost_legs.append("blackjack")

    verdict = bonus.poker(category5(played.player), tables["poker"])
    words = {"cards": describe5(played.player)}
    lines.append(_line("poker", wagers["poker"], verdict, words, options))
    if bonus.poker_leg_lost(verdict):
        lost_legs.append("poker")
    if "hat-trick" in wagers:
        verdict = bonus.hat_trick(lost_legs, comparison, tuple(outcomes), tables["hat-trick"])
        lines.append(_line("hat-trick", wagers["hat-trick"], verdict, {}, options))
    return lines


def _insurance_cents(stake: int, options: Options) -> int:
    """Half of the Blackjack bet, broken down like a half loss (A-42, A-23)."""
    half = break_down(Fraction(stake, 2), options.breakage, options.smallest_chip, "insurance")
    if half == 0:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision 'insurance' is not allowed: half of {dollars_text(stake)} is nothing",
            "TSB-14",
        )
    return half


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


def _order(game: Game, options: Options) -> tuple[Bet, ...]:
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
