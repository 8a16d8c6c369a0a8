"""The practice table: every game played through, who sees what, and what is refused."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway import settle
from houseway.cards import DECK, RANKS, SUITS, card_text, parse_card
from houseway.exact import par
from houseway.exact.pricing import PricedProgressive
from houseway.live.events import Event
from houseway.live.phases import Phase
from houseway.live.round import act
from houseway.live.shuffler import make_shuffle
from houseway.live.state import Round, open_round
from houseway.live.text import parse_command
from houseway.practice import advice, figures
from houseway.practice import table as practice_table
from houseway.practice.seat import CHIPS_CENTS, LONGEST_NAME, MOST_RESULTS
from houseway.practice.stakes import first_bets, offered
from houseway.practice.table import (
    LARGEST_SEED,
    NO_INSURANCE,
    PracticeTable,
    advance,
    bankroll,
    come_back,
    deal,
    decide,
    leave,
    make_table,
    place_bets,
    say_ready,
    send_away,
    set_coach,
    sit,
    take_chips,
    waited_for,
)
from houseway.practice.view import table_view
from houseway.refusal import Refused
from houseway.rules.lines import in_order
from tests.live.table import BONUS, FACE_UP, GAMES, RUMMY, TCP
from tests.live.test_settlement import bonus_deck, check_three_card, codes, wagers

CARD = re.compile(rf'"([{RANKS}][{SUITS}])"')
Choose = Callable[[list[str]], str]


def secret(position: int) -> str:
    return f"secret of {position}"


def a_table(game: str = TCP, seats: int = 1, **more: Any) -> PracticeTable:
    """A table with learners, each with a secret of the own."""
    given = {"id": "t", "game": game, "seed": 8123, "positions": seats, **more}
    table = make_table(**given)
    for position in range(1, seats + 1):
        table = sit(table, position, f"Player {position}", secret(position))
    return table


def choices(table: PracticeTable, position: int) -> list[str]:
    """What a seat is offered."""
    found: list[str] = table_view(table, secret(position), None)["you"]["decisions"]
    return found


def bet_all(table: PracticeTable, only: tuple[int, ...] = ()) -> PracticeTable:
    """Every seat makes every bet and waits for cards."""
    for seat in table.seats:
        if not only or seat.position in only:
            table = place_bets(table, seat.position, dict(first_bets(table.ruleset)))
    for seat in table.seats:
        table = say_ready(table, seat.position)
    return table


def played(table: PracticeTable, choose: Choose) -> Iterator[PracticeTable]:
    """The table after each decision, up to the end of the round."""
    yield table
    while not table.round.over:
        position = waited_for(table)[0]
        table = decide(table, position, choose(choices(table, position)))
        yield table


def play(table: PracticeTable, choose: Choose) -> PracticeTable:
    """A round from bets to its end."""
    *_, last = played(bet_all(table), choose)
    return last


def at_random(rng: Random) -> Choose:
    return rng.choice


def first(offered: list[str]) -> str:
    """Play, or the first choice."""
    return next((name for name in ("play", "stand", NO_INSURANCE) if name in offered), offered[0])


def log_of(table: PracticeTable) -> tuple[Round, list[Event]]:
    """The round done again from the commands that led to it."""
    live = open_round(table.ruleset, table.round.number, table.positions)
    log: list[Event] = []
    for line in table.commands:
        live, happened = act(live, parse_command(line))
        log += happened
    return live, log


# What a round brings.


@pytest.mark.parametrize("game", GAMES)
def test_every_seat_is_paid_what_the_same_cards_pay_by_themselves(game: str) -> None:
    """Settled again by `settle` and, where it has one, by the second opinion."""
    rng = Random(game)
    table = a_table(game, 3)
    before = {seat.position: bankroll(table, seat) for seat in table.seats}
    for _ in range(25):
        for seat in table.seats:
            if bankroll(table, seat) < CHIPS_CENTS:
                table = take_chips(table, seat.position)
                before[seat.position] += CHIPS_CENTS
        table = play(table, at_random(rng))
        live, log = log_of(table)
        assert live.seats == table.round.seats
        assert live.dealer == table.round.dealer
        for seat in table.seats:
            at = live.seat(seat.position)
            if game == BONUS:
                alone = settle(
                    game,
                    bets=wagers(at),
                    deck=bonus_deck(live, at, log),
                    decisions=at.decisions,
                    paytables=codes(live),
                    options=live.options,
                )
                assert in_order(at.lines, live.ruleset.order) == alone.lines
                net = alone.net
            else:
                check_three_card(live, at)
                net = sum(line.net for line in at.lines)
            before[seat.position] += net
            assert bankroll(table, seat) == before[seat.position]
            assert seat.results[-1].net == net
    for seat in table.seats:
        assert seat.tally.rounds == len(seat.results) == 25
        assert seat.tally.net == sum(result.net for result in seat.results)
        assert seat.tally.wagered == sum(result.wagered for result in seat.results)
        assert seat.chips - seat.taken == seat.tally.net


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_commands_give_the_same_table(game: str) -> None:
    def whole(seed: int) -> PracticeTable:
        table = a_table(game, 2, seed=seed)
        for _ in range(4):
            table = play(table, at_random(Random(5)))
        return table

    assert whole(1) == whole(1)
    assert whole(1).round.dealer != whole(2).round.dealer


def test_no_deck_comes_twice() -> None:
    table = a_table()
    decks = set()
    for _ in range(20):
        table = play(table, first)
        assert table.round.shuffle is not None
        decks.add(table.round.shuffle.cards)
    assert len(decks) == 20


def test_what_was_wagered_counts_every_chip_that_was_put_up() -> None:
    """An Ante with its Play, and the side bets; the Ante Bonus has no wager of its own."""
    table = place_bets(a_table(), 1, {"ante": 1000, "pair-plus": 500, "six-card-bonus": 100})
    table = say_ready(table, 1)
    assert bankroll(table, table.seat(1)) == CHIPS_CENTS - 1600
    table = decide(table, 1, "play")
    assert table.seat(1).results[0].wagered == 2600
    assert table.seat(1).tally.first == {"ante": 1000, "pair-plus": 500, "six-card-bonus": 100}


# Who sees what.


def hidden_from(table: PracticeTable, position: int) -> set[str]:
    """Cards that nobody at this position may see: face down elsewhere, or not dealt."""
    live = table.round
    seen = {card for card, up in zip(live.dealer, live.dealer_up, strict=True) if up}
    for seat in live.seats:
        own = seat.position == position
        seen |= {card for card, up in zip(seat.cards, seat.up, strict=True) if up or own}
    every = live.shuffle.cards if live.shuffle is not None else ()
    return {card_text(card) for card in every if card not in seen}


def cards_in(view: dict[str, Any]) -> set[str]:
    """The cards that a view tells."""
    return set(CARD.findall(repr(view).replace("'", '"')))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, LARGEST_SEED), st.integers(2, 7), st.randoms())
def test_no_view_holds_a_card_that_its_seat_may_not_see(
    game: str, seed: int, seats: int, rng: Random
) -> None:
    """At every step, for every seat, for the dealer and for whoever only looks on."""
    table = bet_all(a_table(game, seats, seed=seed, seed_open=False))
    for now in played(table, at_random(rng)):
        for position in range(seats + 1):
            told = repr(table_view(now, secret(position), None)).replace("'", '"')
            assert set(CARD.findall(told)) & hidden_from(now, position) == set()
            assert str(seed) not in told or seed < 10**6
            assert "secret" not in told


def test_a_dealer_sees_no_card_that_lies_face_down() -> None:
    table = a_table(seats=2, dealer="d")
    for position in (1, 2):
        table = place_bets(table, position, {"ante": 1000})
    while table.round.phase is not Phase.DECISIONS:
        table = deal(table)
    told = table_view(table, "d", None)
    assert set(CARD.findall(repr(told).replace("'", '"'))) == set()
    assert told["deals"]["next"] is None
    assert "shuffle" not in str(told["deals"])
    assert table_view(table, secret(1), None)["deals"] is None


# Sitting, leaving, coming back.


def why(what: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        what()
    return refused.value.message


def test_a_seat_is_taken_once_and_by_one_name() -> None:
    table = make_table(id="t", game=TCP, seed=1, positions=3)
    table = sit(table, 2, "  Robin ", "a")
    assert table.seat(2).player == "Robin"
    assert why(lambda: sit(table, 2, "Kim", "b")) == "position 2 is taken; free: 1, 3"
    assert "you sit at position 2 already" in why(lambda: sit(table, 1, "Kim", "a"))
    assert "is at this table already" in why(lambda: sit(table, 1, "ROBIN", "b"))
    assert "allowed: 1 to 3" in why(lambda: sit(table, 4, "Kim", "b"))
    assert table.held_by("a") == table.seat(2)
    assert table.held_by("b") is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("x" * (LONGEST_NAME + 1), "at most 24"),
        ("<b>Robin</b>", "has a '<'"),
        ("Robin: ante", "has a ':'"),
        ("Ro\u202ebin", "has a"),
        ("Ro\nbin", "has a"),
        ("a&amp;b", "has a '&'"),
    ],
)
def test_a_name_is_a_name(name: str, told: str) -> None:
    table = make_table(id="t", game=TCP, seed=1)
    assert told in why(lambda: sit(table, 1, name, "a"))


def test_names_of_all_languages_are_names() -> None:
    table = make_table(id="t", game=TCP, seed=1)
    for name in ("Zoë", "O'Neill", "王芳", "Ana-Lucía 2", "محمد"):
        assert sit(table, 1, name, "a").seat(1).player == name


def test_who_leaves_before_the_cards_takes_the_bets_along() -> None:
    table = a_table(seats=2)
    table = place_bets(table, 1, {"ante": 1000})
    table = place_bets(table, 2, {"ante": 1000})
    table = say_ready(table, 2)
    # Only position 1 was waited for.
    table = leave(table, 1)
    assert table.round.playing == (2,)
    assert [seat.position for seat in table.seats] == [2]


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_is_left_is_played_out_and_its_place_is_free(game: str) -> None:
    table = bet_all(a_table(game, 2))
    if table.round.over:
        table = bet_all(table)
    if not table.round.over:
        left = leave(table, 2)
        if not left.round.over:
            with pytest.raises(Refused, match="still played out; sit down again once"):
                sit(left, 1, "Bob", left.seat(2).secret)
    table = leave(leave(table, 2), 1)
    assert table.round.over
    assert table.seats == ()
    assert sum(len(seat.lines) for seat in table.round.seats) > 2
    assert sit(table, 2, "Kim", "c").seat(2).chips == CHIPS_CENTS


def test_who_takes_a_place_after_a_round_sees_nothing_of_its_hand() -> None:
    """A hand that was folded is its player's secret, though the player has gone."""
    table = a_table(seats=2)
    for position in (1, 2):
        table = place_bets(table, position, {"ante": 1000})
    table = say_ready(say_ready(table, 1), 2)
    table = decide(decide(table, 1, "fold"), 2, "play")
    assert table.round.over
    folded = {card_text(card) for card in table.round.seat(1).cards}
    assert folded <= cards_in(table_view(table, secret(1), None))
    table = sit(leave(table, 1), 1, "Kim", "c")
    told = table_view(table, "c", None)
    assert not folded & cards_in(told)
    assert (told["you"]["hand"], told["you"]["spots"]) == ("", {})
    # What is dealt to the newcomer is theirs to see.
    table = place_bets(place_bets(table, 1, {"ante": 1000}), 2, {"ante": 1000})
    table = say_ready(say_ready(table, 1), 2)
    cards = [card_text(card) for card in table.round.seat(1).cards]
    shown = table_view(table, "c", None)
    [at] = [one for one in shown["round"]["positions"] if one["position"] == 1]
    assert at["cards"] == cards
    assert shown["you"]["hand"]


def test_who_is_away_is_not_waited_for_and_comes_back() -> None:
    table = bet_all(a_table(seats=2))
    table = decide(table, 1, "play")
    table = send_away(table, 2)
    assert table.round.over
    assert table.seat(2).tally.rounds == 1
    # The next round does not wait either, and has no bet of theirs.
    table = say_ready(place_bets(table, 1, {"ante": 1000}), 1)
    assert table.round.playing == (1,)
    table = come_back(decide(table, 1, "fold"), 2)
    table = say_ready(place_bets(table, 1, {"ante": 1000}), 1)
    assert table.round.phase is Phase.BETTING
    assert waited_for(table) == (2,)


@pytest.mark.parametrize("game", [TCP, BONUS])
def test_nobody_is_put_into_debt_who_is_away(game: str) -> None:
    """All chips lie on the felt; the rule of thumb would put up more."""
    for seed in range(60):
        table = a_table(game, 2, seed=seed)
        bets = dict.fromkeys(("war", "blackjack", "poker"), CHIPS_CENTS // 3 // 100 * 100)
        table = place_bets(table, 1, {"ante": CHIPS_CENTS} if game == TCP else bets)
        table = place_bets(table, 2, {"ante": 1000} if game == TCP else dict.fromkeys(bets, 1000))
        table = say_ready(say_ready(table, 1), 2)
        table = send_away(send_away(table, 1), 2)
        assert table.round.over
        assert table.seat(1).chips >= 0
        assert game != TCP or table.round.seat(1).decisions == ("fold",)


def test_who_comes_in_the_middle_waits_for_the_next_round() -> None:
    table = sit(make_table(id="t", game=TCP, seed=1, positions=2), 1, "Robin", "a")
    table = say_ready(place_bets(table, 1, {"ante": 1000}), 1)
    table = sit(table, 2, "Kim", "b")
    assert "is not in the round" in why(lambda: decide(table, 2, "play"))
    assert "no wager may be made" in why(lambda: place_bets(table, 2, {"ante": 1000}))
    table = decide(table, 1, "play")
    assert table.seat(2).results == ()
    assert place_bets(table, 2, {"ante": 1000}).round.number == "000002"


# What is refused.


def test_bets_are_refused_by_the_rules_and_by_the_bankroll() -> None:
    table = a_table()
    assert "is unknown" in why(
        lambda: place_bets(a_table(BONUS), 1, {"war": 100, "progressive": 100})
    )
    assert "needs an ante" in why(lambda: place_bets(table, 1, {"six-card-bonus": 100}))
    assert "is unknown" in why(lambda: place_bets(table, 1, {"war": 100}))
    assert "bankroll of $500.00" in why(lambda: place_bets(table, 1, {"ante": 50_001}))
    assert "nobody sits" in why(lambda: place_bets(table, 2, {"ante": 100}))
    assert "nobody has made a bet" in why(lambda: say_ready(table, 1))
    assert table == a_table()


def test_what_a_decision_puts_up_must_be_there() -> None:
    table = say_ready(place_bets(a_table(), 1, {"ante": 30_000}), 1)
    assert "puts up $300.00, and the bankroll is $200.00" in why(lambda: decide(table, 1, "play"))
    richer = decide(take_chips(table, 1), 1, "play")
    assert richer.round.over
    assert richer.seat(1).taken == 2 * CHIPS_CENTS
    assert decide(table, 1, "fold").round.over


def test_a_decision_out_of_turn_or_after_the_end_is_refused() -> None:
    table = a_table(seats=2)
    assert "decisions are made when the cards are dealt" in why(lambda: decide(table, 1, "play"))
    table = decide(bet_all(table), 1, "play")
    assert "that stands" in why(lambda: decide(table, 1, "fold"))
    assert "is unknown" in why(lambda: decide(table, 2, "raise"))
    table = decide(table, 2, "play")
    assert "is closed" in why(lambda: decide(table, 1, "play"))
    assert "not offered" in why(lambda: decide(table, 1, NO_INSURANCE))
    table = place_bets(table, 1, {"ante": 100})
    assert "ready is said while" in why(lambda: say_ready(bet_all(table), 1))


def with_an_ace_up(seats: int) -> PracticeTable:
    """A table of Triple Shot Bonus where insurance is offered."""
    for seed in range(1000):
        table = bet_all(a_table(BONUS, seats, seed=seed))
        if table.round.offer:
            return table
    raise AssertionError("no Ace comes up")


@pytest.mark.clause("TSB-14")
def test_insurance_is_answered_once_by_each() -> None:
    table = with_an_ace_up(2)
    assert choices(table, 2) == ["insurance", NO_INSURANCE]
    table = decide(table, 2, "insurance")
    assert "has answered" in why(lambda: decide(table, 2, NO_INSURANCE))
    assert table.round.offer
    table = decide(table, 1, NO_INSURANCE)
    assert not table.round.offer
    assert table.round.seat(2).decisions == ("insurance",)
    assert "not offered" in why(lambda: decide(table, 1, NO_INSURANCE))


@pytest.mark.clause("TSB-32")
def test_positions_decide_in_order() -> None:
    for seed in range(100):
        table = bet_all(a_table(BONUS, 2, seed=seed))
        if not table.round.over and waited_for(table) == (1,) and not table.round.offer:
            assert "position 1 decides first" in why(partial(decide, table, 2, "stand"))
            return
    raise AssertionError("nobody is asked")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"seed": -1}, "seed -1 is not allowed"),
        ({"seed": LARGEST_SEED + 1}, "is not allowed"),
        ({"positions": 8}, "1 to 7"),
        ({"positions": 0}, "1 to 7"),
        ({"game": "bridge"}, "is unknown"),
        ({"paytables": {"pair-plus": "Z"}}, "is unknown"),
        ({"options": {"tie_rule": "both"}}, "both"),
    ],
)
def test_a_table_that_cannot_be_is_not_made(more: dict[str, Any], told: str) -> None:
    given = {"id": "t", "game": TCP, "seed": 1, **more}
    assert told in why(lambda: make_table(**given))


# A person deals.


@pytest.mark.parametrize("game", GAMES)
def test_a_person_deals_step_by_step(game: str) -> None:
    """Every step is the dealer's, and the end is the one that the table itself comes to."""
    table = a_table(game, 2, dealer="d")
    alone = play(a_table(game, 2), first)
    assert "there are no bets yet" in why(lambda: deal(replace(table, seats=())))
    for position in (1, 2):
        table = place_bets(table, position, dict(first_bets(table.ruleset)))
    steps = 0
    while not table.round.over:
        if table_view(table, "d", None)["deals"]["next"] is None:
            position = waited_for(table)[0]
            assert f"position {position}" in why(partial(deal, table))
            table = decide(table, position, first(choices(table, position)))
            continue
        table = deal(table)
        steps += 1
    assert steps >= 8
    assert table.round.dealer == alone.round.dealer
    assert [seat.lines for seat in table.round.seats] == [seat.lines for seat in alone.round.seats]
    assert "is closed" in why(lambda: place_bets(table, 1, {"ante": 100}))
    table = deal(table)
    assert (table.round.number, table.round.phase) == ("000002", Phase.BETTING)


def test_a_dealer_waits_for_nobody_who_does_not_bet() -> None:
    table = place_bets(a_table(seats=2, dealer="d"), 2, {"ante": 1000})
    assert deal(table).round.playing == (2,)


# The coach, and what bets cost.


@pytest.mark.parametrize("game", GAMES)
def test_a_decision_is_judged_by_what_it_was_worth(game: str) -> None:
    """The cost is the difference to the best choice, which costs nothing."""
    table = bet_all(a_table(game, seed=3))
    while waited_for(table) == (1,) and not table.round.over:
        worth = advice.worth(table.round, 1)
        best = max(worth, key=lambda name: worth[name])
        for decision in worth:
            found = decide(table, 1, decision, worth).seat(1)
            stake = 1000 * (worth[best] - worth[decision])
            assert found.judged[-1].cost_cents == stake
            assert found.tally.given_away - table.seat(1).tally.given_away == stake
        table = decide(table, 1, best, worth)
    tally = table.seat(1).tally
    assert tally.decisions == tally.right > 0
    assert tally.given_away == 0


def test_the_coach_speaks_when_and_as_it_is_asked_to() -> None:
    table = bet_all(a_table(seed=3))
    edges = figures.count(table.ruleset)

    def said(when: Any, mode: Any, *, counted: bool = True) -> dict[str, Any]:
        told = table_view(set_coach(table, 1, when, mode), secret(1), edges if counted else None)
        found: dict[str, Any] = told["you"]["coach"]
        return found

    exact = said("before", "exact")
    worth = advice.worth(table.round, 1)
    assert exact["best"] == max(worth, key=lambda name: worth[name])
    assert {one["decision"]: one["cents"] for one in exact["values"]} == {
        name: round(float(value * 1000), 2) for name, value in worth.items()
    }
    assert said("before", "simple")["best"] == advice.rule_of_thumb(table.round, 1)
    for silent in (said("after", "exact"), said("never", "exact"), said("before", "simple")):
        assert silent["values"] == []
    assert said("before", "exact", counted=False)["best"] is None
    after = set_coach(decide(table, 1, "fold", worth), 1, "after", "exact")
    judged = table_view(after, secret(1), edges)["you"]["coach"]["judged"]
    assert judged == [
        {
            "decision": "fold",
            "best": exact["best"],
            "cost_cents": round(float((max(worth.values()) - worth["fold"]) * 1000), 2),
            # What was kept back before the decision is told after it.
            "values": exact["values"],
        }
    ]
    thumb = table_view(set_coach(after, 1, "after", "simple"), secret(1), edges)["you"]["coach"]
    assert thumb["judged"] == [{**judged[0], "values": []}]
    never = table_view(set_coach(after, 1, "never", "exact"), secret(1), edges)["you"]["coach"]
    assert never["judged"] == []


@pytest.mark.parametrize("game", [TCP, FACE_UP, RUMMY])
def test_a_bet_costs_its_edge(game: str) -> None:
    table = play(a_table(game), first)
    edges = figures.count(table.ruleset)
    chosen: dict[str, str] = {bet: one.code for bet, one in table.ruleset.paytables.items()}
    sheet = par(game, table.ruleset.options, chosen)
    assert set(edges) == set(offered(table.ruleset)) - {"progressive"}
    assert all(edges[bet] == sheet.row(bet).house_edge for bet in edges)
    told = table_view(table, secret(1), edges)["you"]
    stakes = dict(first_bets(table.ruleset))
    wanted = sum((Fraction(stakes[bet]) * edge for bet, edge in edges.items()), Fraction(0))
    assert told["session"]["expected_cost"] == round(float(wanted), 2)
    assert sum(told["costs"].values()) == pytest.approx(float(wanted), abs=0.05)
    assert table_view(table, secret(1), None)["you"]["costs"] is None


@pytest.mark.parametrize(
    ("game", "position", "dealer"),
    [
        (TCP, r"(A |.* high)", r"(A |.* high)"),
        (RUMMY, r"\d+ points?$", r"\d+ points?$"),
        (BONUS, r".*[a-z]", r"(soft )?\d+$"),
    ],
)
def test_hands_are_told_in_words_once_they_are_seen(game: str, position: str, dealer: str) -> None:
    table = bet_all(a_table(game, seed=3))
    assert table_view(table, secret(1), None)["round"]["dealer_hand"] == ""
    *_, over = played(table, first)
    told = table_view(over, secret(1), None)
    assert re.match(position, told["you"]["hand"])
    assert re.match(dealer, told["round"]["dealer_hand"])
    assert "hand" not in (table_view(over, "", None)["you"] or {})


@pytest.mark.parametrize("game", GAMES)
def test_what_lies_on_the_spots_is_what_has_left_the_bankroll(game: str) -> None:
    """And a decision puts up what it is said to."""
    rng = Random(game)
    for seed in range(12):
        table = bet_all(a_table(game, seed=seed))
        while not table.round.over:
            you = table_view(table, secret(1), None)["you"]
            live = table.round.seat(1)
            open_bets = sum(you["spots"].values()) - sum(
                line.wager for line in live.lines if line.bet != "ante-bonus"
            )
            assert open_bets == live.felt
            decision = rng.choice(you["decisions"])
            before = bankroll(table, table.seat(1)) - sum(line.net for line in live.lines)
            table = decide(table, 1, decision)
            if not table.round.over and len(table.round.seat(1).lines) == len(live.lines):
                after = bankroll(table, table.seat(1)) - sum(line.net for line in live.lines)
                assert before - after == you["puts_up"].get(decision, 0)


# Bounds.


def test_a_seat_remembers_so_many_rounds_and_all_sums() -> None:
    table = a_table()
    for _ in range(MOST_RESULTS + 5):
        table = decide(say_ready(place_bets(table, 1, {"ante": 100}), 1), 1, "fold")
        if bankroll(table, table.seat(1)) < 1000:
            table = take_chips(table, 1)
    seat = table.seat(1)
    assert len(seat.results) == MOST_RESULTS
    assert seat.tally.rounds == MOST_RESULTS + 5
    assert seat.tally.net == -100 * (MOST_RESULTS + 5)


def test_bets_that_change_do_not_pile_up() -> None:
    table = a_table()
    for cents in range(100, 5100, 100):
        table = place_bets(table, 1, {"ante": cents})
    assert len(table.commands) == 1
    assert advance(table) == table


# The progressive.


@pytest.mark.clause("PGM-06", "PGM-08")
@pytest.mark.parametrize("game", [TCP, FACE_UP, RUMMY])
def test_a_meter_grows_by_the_wagers_and_pays_what_settle_says(game: str) -> None:
    """Two play for it, many rounds long; every unit of the meter is accounted for."""
    rng = Random(game)
    table = a_table(game, 2)
    meter = 1_000_000 * 10**6
    assert dict(table.meters) == {"single": meter}
    for _ in range(40):
        for position in (1, 2):
            if bankroll(table, table.seat(position)) < 10_000:
                table = take_chips(table, position)
            table = place_bets(table, position, {"ante": 500, "progressive": 100 * position})
        for position in (1, 2):
            table = say_ready(table, position)
        # A fifth of $1 and of $2 is there before anybody is dealt a card.
        meter += 300 * 200_000
        assert table.round.meters == (("single", meter // 10**6),)
        *_, table = played(table, at_random(rng))
        for seat in table.round.seats:
            alone = settle(
                game,
                player=seat.cards,
                dealer=table.round.dealer,
                decision="fold" if seat.folded else "play",
                bets={str(bet): cents for bet, cents in seat.wagers.items()},
                meter=meter // 10**6,
            )
            [wanted] = [line.net for line in alone.lines if line.bet == "progressive"]
            [line] = [line for line in seat.lines if line.bet == "progressive"]
            assert line.net == wanted
        assert dict(table.meters) == {"single": meter}


def test_a_whole_meter_is_won_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table(TCP)
    rigged = make_shuffle(Random(1), 3)
    # Whoever is dealt the first packet wins the whole meter.
    royal = tuple(map(parse_card, ("As", "Ks", "Qs")))
    cards = (*royal, *(card for card in DECK if card not in royal))
    monkeypatch.setattr(practice_table, "deck", lambda _: rigged._replace(cards=cards))
    table = say_ready(place_bets(table, 1, {"ante": 500, "progressive": 100}), 1)
    *_, over = played(table, first)
    [line] = [line for line in over.round.seat(1).lines if line.bet == "progressive"]
    assert line.net == 1_000_020 - 100
    assert dict(over.meters) == {"single": 1_000_000 * 10**6}
    told = table_view(over, secret(1), None)
    assert told["meters"] == [{"level": "single", "cents": 1_000_000}]


def test_the_price_of_the_progressive_falls_as_its_meter_grows() -> None:
    table = a_table(TCP)
    costs = [
        figures.meter_edge(table.ruleset, (("single", dollars * 10**8),), 100)
        for dollars in (1_000, 10_000, 50_000)
    ]
    assert costs == sorted(costs, reverse=True)
    # Where a fold costs nothing it is what the par sheet says of the meter.
    open_to_all = a_table(TCP, options={"folded_hand_progressive": "eligible"})
    sheet = par(TCP, open_to_all.ruleset.options, {"progressive": "1"}, meter=1_000_000)
    [priced] = sheet.progressives
    assert isinstance(priced, PricedProgressive)
    assert figures.meter_edge(open_to_all.ruleset, open_to_all.meters, 100) == priced.house_edge
    exact = figures.meter_edge(table.ruleset, table.meters, 100)
    # Nobody folds a straight in poker; in Rummy a fold may give one up, which makes it dearer.
    assert exact == priced.house_edge
    rummy = a_table(RUMMY)
    assert figures.meter_edge(rummy.ruleset, rummy.meters, 100) > exact
    edges = figures.count(table.ruleset)
    told = {bet["code"]: bet["edge"] for bet in table_view(table, secret(1), edges)["bets"]}
    assert told["progressive"] == float(exact)
