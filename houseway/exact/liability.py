"""Liability: the most that one deal of a whole table can cost the house."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from houseway.cards import ACE, DECK, TEN, make_card, parse_cards
from houseway.cards.hands import FiveCard
from houseway.exact import bonus_seats
from houseway.exact.kernels import table as kernels
from houseway.exact.table import MOST_SEATS, Tables, Wagers, check_seats, checked_wagers
from houseway.exact.tabulate import HANDS3, Ints, three_card_hands
from houseway.exact.three_card_seats import BETS, LARGEST_SUM, SeatPrices, seat_prices
from houseway.games import blackjack
from houseway.games.base import PLAYER_WINS, net_units
from houseway.games.contract import Game
from houseway.games.play import play_out
from houseway.games.triple_shot_bonus import GAME, rules
from houseway.house.options import Chosen
from houseway.names import Bet
from houseway.refusal import Reason, Refused


class Liability(NamedTuple):
    """The most that one deal can cost the house, from above and by an example."""

    at_most: Fraction
    """No deal costs more."""
    reached: Fraction
    """What the deal below costs; where it equals `at_most` that is the exact maximum."""
    dealer: tuple[int, ...]
    players: tuple[tuple[int, ...], ...]


def maximum_liability(
    game: Game, tables: Tables, options: Chosen, seats: int, wagers: Wagers
) -> Liability:
    """The most the house can lose on one deal, for the same wagers on each seat.

    For each hand of the dealer, each player hand is worth the better of playing and folding, so
    no way of playing costs more. Order the seats of any deal from best to worst. Cross out any n
    cards: of the n + 1 best seats at least one holds none of them, because no card lies at two
    seats; so seat n + 1 in that order is worth no more than the best hand without a card
    crossed out. The sum of these limits bounds the deal. It knows, for instance, that a second
    royal flush against the same dealer needs a card that the first one has, and so that only one
    seat is paid for it. The example deals each seat the best hand that is left. Progressive
    awards are not in it: they are paid from their meters.
    """
    check_seats(seats)
    staked = {bet: Fraction(0) for bet in BETS} | checked_wagers(wagers, BETS)
    prices = _best_for_the_player(seat_prices(game, tables, options), staked)
    scale = prices.scales[0]
    at_most, best = 0, Liability(Fraction(0), Fraction(0), (), ())
    for dealer in three_card_hands().canonical:
        players, by_bet = prices.against(int(dealer), 0)
        nets = by_bet.sum(axis=1)
        if best.players and seats * int(nets.max()) <= best.reached * scale:
            continue
        order = np.argsort(-nets, kind="stable")
        limit, reached, dealt = _best_seats(players[order], nets[order], seats)
        at_most = max(at_most, limit) if best.players else limit
        if not best.players or reached > best.reached * scale:
            best = Liability(
                at_most=Fraction(at_most, scale),
                reached=Fraction(reached, scale),
                dealer=tuple(three_card_hands().cards[dealer].tolist()),
                players=tuple(tuple(hand) for hand in dealt.tolist()),
            )
    return best._replace(at_most=Fraction(at_most, scale))


def _best_for_the_player(prices: SeatPrices, staked: Mapping[Bet, Fraction]) -> SeatPrices:
    """The wagers of a seat as two bets: what hangs on the decision, the better one, and the rest.

    Both are counted in one and the same smallest unit.
    """
    worth = [staked[bet] / scale for bet, scale in zip(BETS, prices.scales, strict=True)]
    scale = lcm(*(unit.denominator for unit in worth))
    ante, pair_plus_bet, six_card = (int(unit * scale) for unit in worth)
    largest = int(max(np.abs(prices.by_hand).max(), np.abs(prices.by_category).max()))
    if MOST_SEATS * largest * (ante + pair_plus_bet + six_card) > LARGEST_SUM:
        raise Refused(
            Reason.AMOUNT_TOO_LARGE, "the wagers are too large to be counted with in whole numbers"
        )
    decided = prices.by_hand[0] * ante + prices.by_hand[1] * pair_plus_bet
    best = np.repeat(decided.max(axis=1, keepdims=True), 2, axis=1)
    return replace(
        prices,
        by_hand=best[None],
        by_category=prices.by_category * six_card,
        decisions=np.ones((1, HANDS3), dtype=np.int8),
        scales=(scale, scale),
    )


def _best_seats(players: Ints, nets: Ints, seats: int) -> tuple[int, int, Ints]:
    """A limit for the seats together, what one deal gives them, and its hands; best hands first."""
    cards = three_card_hands().cards[players]
    limits, dealt = np.zeros(seats, dtype=np.int64), np.zeros(seats, dtype=np.int64)
    kernels.bound_best_seats(cards, limits)
    kernels.deal_best_seats(cards, dealt)
    return int(nets[limits].sum()), int(nets[dealt].sum()), cards[dealt]


# ----------------------------------------------------------------------------- Triple Shot Bonus

DEALER = parse_cards("2c 9c 5c 8c")
PLAYERS = tuple(
    parse_cards(hand)
    for hand in (
        "Kc 3c Ac Qc Jc Tc",
        "Kd 4c Ad Qd Jd Td",
        "Kh 6c Ah Qh Jh Th",
        "Ks 7c As Qs Js Ts",
        "9d 3d 5d 6d 7d 8d",
        "9h 3h 5h 6h 7h 8h",
        "9s 3s 5s 6s 7s 8s",
    )
)
"""A deal that wins every War and every double, with four royal flushes and three straight ones."""


def bonus_liability(tables: Tables, options: Chosen, seats: int, wagers: Wagers) -> Liability:
    """The most the house can lose on one deal of Triple Shot Bonus, for the same wagers on each.

    War, Blackjack and the Hat Trick are bounded by the best that can become of each. Of Poker a
    deck holds four royal flushes. Where a ten on a split Ace is a blackjack, split Aces win more
    than a double; but a seat that splits has two of the four Aces, which costs War where the Ace
    is low, and leaves one royal flush less to the table. In the example every seat doubles its
    first two cards and the dealer goes over 21. Unless split Aces make blackjacks it costs the
    house as much as the bound says, so that is the exact maximum. Insurance is not in it.
    """
    check_seats(seats)
    nothing = {bet: Fraction(0) for bet in bonus_seats.BETS}
    staked = nothing | checked_wagers(wagers, bonus_seats.BETS)
    over = blackjack.total_of((TEN, TEN, TEN))

    def against_bust(*hands: blackjack.Hand) -> Fraction:
        return sum(
            (
                net_units(blackjack.resolve(hand, over, 3, options, number))
                * blackjack.stakes(hand)
                for number, hand in enumerate(hands, start=1)
            ),
            Fraction(0),
        )

    two_tens = blackjack.first_hand(TEN, TEN)
    plain = max(
        against_bust(blackjack.first_hand(ACE, TEN)),
        against_bust(blackjack.double(two_tens, ACE)),
    )
    split = max(plain, against_bust(*blackjack.split_hands(TEN, TEN)))
    war = {
        rank: max(
            _war_net(make_card(rank, 0), up, options) for up in DECK if up != make_card(rank, 0)
        )
        for rank in range(13)
    }
    more = staked["blackjack"] * (split - plain) + staked["war"] * (war[ACE] - max(war.values()))
    poker = [net_units(rules.poker(n, tables["poker"])) for n in FiveCard]
    royal, other = poker[FiveCard.ROYAL_FLUSH], max(poker[: FiveCard.ROYAL_FLUSH])
    paid = net_units(rules.hat_trick((), PLAYER_WINS, (), tables["hat-trick"]))
    each = staked["war"] * max(war.values()) + staked["blackjack"] * plain
    each += staked["hat-trick"] * paid + staked["poker"] * other
    better = staked["poker"] * max(royal - other, Fraction(0))
    dealt = PLAYERS[:seats]
    return Liability(
        at_most=max(
            seats * each + splits * more + min(seats, 4 - splits) * better
            for splits in range(min(seats, 2) + 1)
        ),
        reached=sum((_example_net(hand, tables, options, staked) for hand in dealt), Fraction(0)),
        dealer=DEALER,
        players=dealt,
    )


def _war_net(player: int, dealer: int, options: Chosen) -> Fraction:
    comparison = rules.compare_war(player, dealer, options)
    return net_units(rules.war(comparison, options))


def _example_net(
    hand: tuple[int, ...], tables: Tables, options: Chosen, staked: Mapping[Bet, Fraction]
) -> Fraction:
    """What a hand of the example wins, as the rules settle it."""
    up, hole, *draws = DEALER
    spare = parse_cards("2d 2h")
    deck = (hand[0], up, hand[1], hole, hand[2], *draws, *hand[3:], *spare)
    seen = play_out(GAME, deck, ("double",), GAME.wagers, options)
    judged = GAME.verdicts(GAME.facts(seen, options), seen.actions, tables, options)
    # The hand was doubled, so two bets lie on it.
    return sum(
        (
            staked[bet] * net_units(verdict) * (2 if bet == "blackjack" else 1)
            for bet, verdict, _ in judged
        ),
        Fraction(0),
    )
