"""Settlement: one seat, settled, every line with its reason.

This is the typed call behind `houseway settle`. It adds nothing to the rules: it checks what it
is given and asks `lines` for each bet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houseway import lines as settled
from houseway.cards import cards_text
from houseway.games import blackjack, game_of
from houseway.games import triple_shot_bonus as bonus
from houseway.games.base import AntePlayGame
from houseway.lines import Line, LitHands, Tables
from houseway.money import MeterLevel
from houseway.names import Bet
from houseway.options import Options
from houseway.refusal import Reason, Refused
from houseway.seat import (
    Cards,
    Hands,
    Pairs,
    check_community,
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
    order = settled.settling_order(found, chosen)
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
        lines=settled.in_order(lines, order),
        player=seat,
        dealer=house,
    )


NOT_WAGERED: tuple[Bet, ...] = ("play", "ante-bonus")
"""Bets with a paytable that a player does not place apart; their codes are always named."""


def _three_card_lines(
    game: AntePlayGame,
    hands: Hands,
    wagers: Mapping[Bet, int],
    tables: Tables,
    options: Options,
    meters: Mapping[MeterLevel, int],
    *,
    folded: bool,
) -> list[Line]:
    player, dealer = hands.player, hands.dealer
    lines: list[Line] = []
    if folded:
        lines += settled.forfeited(game, wagers, options)
    elif "ante" in wagers:
        lines += settled.against_dealer(game, player, dealer, wagers["ante"], tables, options)
    if "pair-plus" in wagers and not any(line.bet == "pair-plus" for line in lines):
        lines.append(settled.pair_plus(game, player, wagers["pair-plus"], tables, options))
    if "six-card-bonus" in wagers:
        wager = wagers["six-card-bonus"]
        lines.append(settled.six_card_bonus(game, player, dealer, wager, tables, options))
    if "progressive" in wagers:
        wager, paytable = wagers["progressive"], tables["progressive"]
        lines.append(
            settled.progressive_wager(
                player, hands.community, wager, paytable, options, meters, folded=folded
            )
        )
        lit = LitHands(
            others=hands.others,
            folded_others=hands.folded_others,
            own_others=hands.own_others,
        )
        lines += settled.envy(lit, hands.community, wager, paytable, options, folded=folded)
    return lines


def _bonus_lines(
    played: bonus.Played, wagers: Mapping[Bet, int], tables: Tables, options: Options
) -> list[Line]:
    """War, insurance, Blackjack, Poker and the Hat Trick of one seat, in succession."""
    first, up = played.player[0], played.dealer[0]
    lines = [settled.war(first, up, wagers["war"], options)]
    comparison = bonus.compare_war(first, up, options)
    lost_legs = ["war"] if bonus.war_leg_lost(comparison) else []

    stake, dealer_total, dealer_cards = wagers["blackjack"], played.dealer_total, len(played.dealer)
    if played.insured:
        insured_cents = settled.insurance_cents(stake, options)
        lines.append(settled.insurance(insured_cents, dealer_total, dealer_cards, options))
    hands = [
        settled.blackjack_hand(
            hand, number, len(played.hands), stake, dealer_total, dealer_cards, options
        )
        for number, hand in enumerate(played.hands, start=1)
    ]
    outcomes = tuple(line.outcome for line in hands)
    lost_legs += ["blackjack"] if blackjack.leg_lost(outcomes) else []

    poker = settled.poker(played.player, wagers["poker"], tables, options)
    lost_legs += ["poker"] if bonus.poker_leg_lost(poker.outcome) else []
    lines += [*hands, poker]
    if "hat-trick" in wagers:
        wager = wagers["hat-trick"]
        lines.append(settled.hat_trick(lost_legs, comparison, outcomes, wager, tables, options))
    return lines
