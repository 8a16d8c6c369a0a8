"""What a live table pays is what the same seat is paid by itself, and by a second opinion."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from houseway import settle
from houseway.cards import DECK, card_text
from houseway.games import blackjack
from houseway.games.library import chosen_bets
from houseway.games.progressive import judge, share_cents
from houseway.games.triple_shot_bonus.rules import as_blackjack
from houseway.house.money import MeterShare
from houseway.live import events as e
from houseway.live.events import Event
from houseway.live.phases import Phase
from houseway.live.round import act
from houseway.live.state import Round, Seat, open_round
from houseway.rules.lines import in_order
from tests.games.test_settle_against_oracle import BONUS_OPTIONS, THREE_CARD_OPTIONS
from tests.live.play import play_to_the_end, some_rules
from tests.live.table import BONUS, THREE_CARD
from tests.oracles import settle as oracle

ROUNDS = 320


def played_round(seed: str, game: str) -> tuple[Round, list[Event]]:
    """A round that was played to its end, and everything that happened in it."""
    rng = Random(seed)
    table = open_round(some_rules(rng, game), "000001", 7)
    log: list[Event] = []
    for command in play_to_the_end(rng, table):
        table, happened = act(table, command)
        log += happened
    assert table.phase is Phase.CLOSED
    return table, log


def words(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]


def wagers(seat: Seat) -> dict[str, int]:
    return {str(bet): cents for bet, cents in seat.wagers.items()}


def codes(table: Round) -> dict[str, str]:
    chosen = chosen_bets(table.ruleset.game)
    return {bet: found.code for bet, found in table.ruleset.paytables.items() if bet in chosen}


def meters_for(table: Round, position: int) -> dict[str, int]:
    """What stands on the meters when a position is paid.

    Awards come from the dealer's right, or as internal controls have it; each takes its part and
    a whole one adds what the meter starts again with.
    """
    options, paytable = table.options, table.ruleset.paytables["progressive"]
    meters: dict[str, int] = dict(table.meters)
    told, seeds = dict(table.next_starts), dict(options.meter_seed)
    for paid in table.pay_order or sorted(table.lit(), reverse=True):
        if paid == position:
            break
        seat = table.seat(paid)
        odds = paytable.odds(judge(seat.cards, table.community, paytable))
        eligible = not seat.folded or options.folded_hand_progressive == "eligible"
        if eligible and isinstance(odds, MeterShare):
            wager = seat.wagers["progressive"]
            meters[odds.level] -= share_cents(odds, meters[odds.level], wager, options)
            if odds.share == Fraction(1):
                stood = dict(table.meters)[odds.level]
                meters[odds.level] += told.get(odds.level, seeds.get(odds.level, stood))
    return meters


def check_three_card(table: Round, seat: Seat) -> None:
    """One seat of a three-card game, settled again twice."""
    game, options = table.ruleset.game.code, table.options
    folded_count = options.folded_hand_progressive == "eligible"
    others: list[tuple[int, ...]] = []
    folded_others: list[tuple[int, ...]] = []
    own_others: list[tuple[int, ...]] = []
    if "progressive" in seat.wagers:
        for other in table.seats:
            if other.position == seat.position or "progressive" not in other.wagers:
                continue
            if seat.player and other.player == seat.player:
                if folded_count or not other.folded:
                    own_others.append(other.cards)
            else:
                (folded_others if other.folded else others).append(other.cards)
    decision = seat.decisions[0] if seat.decisions else None
    meters = meters_for(table, seat.position) if "progressive" in seat.wagers else None
    alone = settle(
        game,
        bets=wagers(seat),
        player=seat.cards,
        dealer=table.dealer,
        decision=decision,
        community=table.community or None,
        meter=meters,
        others=others,
        folded_others=folded_others,
        own_others=own_others,
        paytables=codes(table),
        options=options,
    )
    assert in_order(seat.lines, table.ruleset.order) == alone.lines
    chosen = table.ruleset.options.to_json()
    plain = {name: chosen.get(name, values[0]) for name, values in THREE_CARD_OPTIONS.items()}
    if table.ruleset.paytables["progressive"].community:
        # The link is no part of the Game Manager's rules.
        plain["award_profile"] = "nexus"
    second = oracle.settle_three_card(
        game,
        player=words(seat.cards),
        dealer=words(table.dealer),
        bets=wagers(seat),
        decision=decision,
        paytables=codes(table),
        options=plain,
        community=words(table.community) or None,
        meter=meters,
        others=[words(cards) for cards in others + (folded_others if folded_count else [])],
        own_others=[words(cards) for cards in own_others],
    )
    got = [(line.bet, line.wager, line.outcome.value, line.net) for line in seat.lines]
    assert sorted(got) == sorted(second)


@pytest.mark.clause("TSR-28", "TCP-22")
@pytest.mark.parametrize("game", THREE_CARD)
def test_every_seat_is_paid_as_if_it_sat_alone(game: str) -> None:
    """The lines, their order and their reasons, with all bonus and progressive bets."""
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        table, _ = played_round(f"{game} {number}", game)
        for position in table.playing:
            check_three_card(table, table.seat(position))
            lines = table.seat(position).lines
            seen.update(f"{line.bet} {line.outcome}" for line in lines)
            seen["from a meter"] += any("stands at" in line.why for line in lines)
    wanted = ["ante win", "ante lose", "ante forfeit", "play win", "play push", "pair-plus win"]
    wanted += ["six-card-bonus win", "progressive win", "envy win", "from a meter"]
    assert [what for what in wanted if not seen[what]] == []


def bonus_deck(table: Round, seat: Seat, log: list[Event]) -> list[int]:
    """The seat's own deck in the order of a round at which it sits alone.

    Player, dealer, player, hole card, the player's draws, the dealer's draws, the rest to six. At
    a full table the dealer may draw for the others though nothing of this seat's is open: alone,
    these cards stay in the deck and decide nothing. Cards that complete a dealer's six are behind
    everything and no bet looks at them.
    """
    drawn = sum({"hit": 1, "double": 1, "split": 2}.get(made, 0) for made in seat.decisions)
    before_poker = log[: next(i for i, event in enumerate(log) if _is_poker(event))]
    dealer = [
        card
        for event in before_poker
        if isinstance(event, e.Dealt) and event.to == 0
        for card in event.cards
    ]
    draws = (
        dealer[2:]
        if blackjack.dealer_draws(tuple(map(as_blackjack, seat.hands)), table.ruleset.options)
        else []
    )
    first, second, *rest = seat.cards
    deck = [first, dealer[0], second, dealer[1], *rest[:drawn], *draws, *rest[drawn:]]
    return deck + [card for card in DECK if card not in deck]


def _is_poker(event: Event) -> bool:
    return isinstance(event, e.PhaseBegan) and event.stage == "poker"


@pytest.mark.clause("TSB-07", "TSB-13")
def test_every_seat_of_triple_shot_bonus_is_paid_as_if_it_sat_alone() -> None:
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        table, log = played_round(f"{BONUS} {number}", BONUS)
        for position in table.playing:
            seat = table.seat(position)
            deck = bonus_deck(table, seat, log)
            alone = settle(
                BONUS,
                bets=wagers(seat),
                deck=deck,
                decisions=seat.decisions,
                paytables=codes(table),
                options=table.options,
            )
            assert alone.player == seat.cards
            assert in_order(seat.lines, table.ruleset.order) == alone.lines
            seen.update(f"{line.bet} {line.outcome}" for line in seat.lines)
            seen.update(seat.decisions)
            seen["six cards"] += any(line.clause == "TSB-11" for line in seat.lines)
            if table.options.breakage != "down_to_cent":
                continue
            second = oracle.settle_triple_shot_bonus(
                deck=[card_text(card) for card in deck],
                decisions=seat.decisions,
                bets=wagers(seat),
                paytables=codes(table),
                options={name: getattr(table.options, name) for name in BONUS_OPTIONS},
            )
            assert [
                (line.bet, line.hand, line.wager, line.outcome.value, line.net)
                for line in alone.lines
            ] == second
    wanted = ["war win", "war lose", "blackjack win", "blackjack push", "blackjack lose"]
    wanted += ["insurance win", "insurance lose", "poker win", "hat-trick win", "hat-trick lose"]
    wanted += ["hit", "stand", "double", "split", "insurance", "six cards"]
    assert [what for what in wanted if not seen[what]] == []
