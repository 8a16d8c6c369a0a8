"""Awards of a meter at a live round: the cards say who has won, the floor says how much."""

import pytest

from houseway.cards import parse_cards
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.progressive import NOBODY, envy_due, meters_before
from houseway.live.shuffler import UNKNOWN_DECK, Shuffle
from houseway.live.words import standing
from tests.live.table import TCP, LiveTable

ROYALS = "3s 4s 5s | 2h 4d 9c | 8s 9s Ts | 2c 5d Jh | 6s 7s 2d"
"""Straight flushes with the community cards at positions 1 and 3, each the whole major meter."""
SPADES = "As Ks Qs | 2h 4d 9s | 7c 8c 9c | 2c 5d Jh"
"""The whole meter at position 1, a fixed pay at position 3."""


def floor_table(cards: str, code: str = "1", positions: int = 3, **options: str) -> LiveTable:
    """A round that the floor prices, with a progressive wager at every position."""
    return progressive_table(cards, code, positions, options, priced_by="floor")


def progressive_table(
    cards: str,
    code: str,
    positions: int,
    options: dict[str, str],
    next_starts: c.MeterAmounts = (),
    priced_by: c.Pricer = "table",
) -> LiveTable:
    """A round with a progressive wager at every position, all hands shown."""
    table = LiveTable(TCP, cards, paytables={"progressive": code}, options=options)
    for position in range(1, positions + 1):
        table.bet(position, ante=5, progressive=1)
    table.do(c.NoMoreBets())
    levels = table.round.ruleset.paytables["progressive"].levels
    order = (1, 3, 2) if options.get("meter_pay_order") == "internal_controls" else ()
    meters = tuple((level, 1_000_000) for level in levels)
    table.do(c.StartGame(meters, order, next_starts, priced_by))
    table.load()
    table.do(c.Deliver())
    table.decide(*((position, "play") for position in range(1, positions + 1)))
    table.do(c.Reveal())
    if table.round.community:
        table.do(c.Reveal("community"))
    return table


@pytest.mark.clause("PNX-15", "PGM-18")
def test_no_round_is_closed_over_an_unclaimed_meter_hand() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile())
    for step in (c.PayEnvy(), c.CloseRound()):
        assert table.why(step) == ("not_done_yet", "PNX-12")
        assert "akq_spades at 1" in table.refused(step).message
    table.do(c.PressHand(1, "akq_spades"), c.PressHand(3, "straight_flush"))
    for step in (c.PayEnvy(), c.CloseRound()):
        assert table.why(step) == ("not_done_yet", "PNX-15")
    table.do(c.ConfirmAward(1, 1_000_060))
    assert table.why(c.CloseRound()) == ("not_done_yet", "PGM-18")
    table.do(c.PayEnvy(), c.CloseRound())
    assert table.round.phase is Phase.CLOSED
    assert table.round.money() == 0


@pytest.mark.clause("PML-05", "PML-11")
@pytest.mark.parametrize(
    ("told", "seed", "second"),
    [
        pytest.param((), "", 1_000_000, id="from where the meter stood"),
        pytest.param((), "major=200", 20_000, id="from the seed of the table"),
        pytest.param((("major", 3_000),), "major=200", 3_000, id="from what START GAME said"),
    ],
)
def test_without_a_floor_the_second_winner_is_paid_what_the_meter_starts_again_with(
    told: c.MeterAmounts, seed: str, second: int
) -> None:
    options = {"meter_seed": seed} if seed else {}
    table = progressive_table(ROYALS, "ML01", 3, options, told)
    table.do(c.Reconcile())
    won = {position: table.nets(position)["progressive"] for position in (1, 3)}
    assert won == {3: 1_000_000 - 100, 1: second - 100}


def test_after_the_last_award_a_meter_stands_where_it_starts_again() -> None:
    table = progressive_table(SPADES, "1", 3, {"meter_seed": "200"})
    table.do(c.Reconcile())
    assert meters_before(table.round, 1) == {"single": 1_000_000}
    assert meters_before(table.round, NOBODY) == {"single": 20_000}


@pytest.mark.parametrize(("form", "cents"), [(1, 0), (2, 1_000_000)])
def test_without_a_floor_a_round_of_the_first_form_starts_a_meter_again_from_nothing(
    form: int, cents: int
) -> None:
    table = progressive_table(ROYALS, "ML01", 3, {})
    table.round = table.round._replace(form=form)
    table.do(c.Reconcile())
    assert table.nets(1)["progressive"] == cents - 100


@pytest.mark.clause("PGM-17", "PNX-17")
@pytest.mark.parametrize(("form", "envied"), [(2, []), (1, [2])])
def test_a_player_under_two_spellings_has_no_envy_for_the_own_hand(
    form: int, envied: list[int]
) -> None:
    options = {"two_adjacent_positions": "on"}
    table = LiveTable(TCP, SPADES, paytables={"progressive": "1"}, options=options)
    table.round = table.round._replace(form=form)
    for position, player in enumerate(("Bob", " BOB"), start=1):
        table.bet(position, player, ante=5, progressive=1)
    table.do(c.NoMoreBets(), c.StartGame((("single", 1_000_000),)))
    table.load()
    table.do(c.Deliver())
    table.decide((1, "play"), (2, "play"))
    table.do(c.Reveal(), c.Reconcile())
    assert [due.position for due in envy_due(table.round)] == envied


@pytest.mark.clause("PGM-11", "PNX-12")
def test_the_hand_button_says_what_the_cards_show_and_is_put_out_by_a_second_press() -> None:
    table = floor_table(SPADES)
    assert table.why(c.PressHand(1, "akq_spades")) == ("wrong_phase", "PNX-12")
    table.do(c.Reconcile())
    assert table.why(c.PressHand(2, "straight")) == ("decision_not_allowed", "PNX-12")
    assert table.why(c.PressHand(1, "straight_flush")) == ("decision_not_allowed", "PNX-12")
    assert table.why(c.PressHand(4, "akq_spades"))[0] == "wrong_position"
    assert table.refused(c.PressHand(4, "akq_spades")).message.endswith("lit: 1, 2, 3")
    table.do(c.PressHand(1, "akq_spades"))
    assert table.seat(1).pressed == "akq_spades"
    table.do(c.PressHand(1, "akq_spades"))
    assert table.seat(1).pressed == ""
    assert table.why(c.ConfirmAward(1, 5)) == ("not_done_yet", "PNX-12")


@pytest.mark.clause("PML-11", "PGM-10")
@pytest.mark.parametrize(
    ("order", "first", "second"), [("right_to_left", 3, 1), ("internal_controls", 1, 3)]
)
def test_awards_are_confirmed_in_the_order_the_cards_are_paid_not_as_they_are_chosen(
    order: str, first: int, second: int
) -> None:
    table = floor_table(ROYALS, "ML01", meter_pay_order=order)
    if order == "right_to_left":
        # Position 3 is settled first, and its award may be chosen before others are looked at.
        table.do(c.Reconcile(3), c.PressHand(3, "straight_flush"))
    table.do(c.Reconcile(), c.PressHand(second, "straight_flush"))
    assert table.why(c.ConfirmAward(second, 500_000)) == ("out_of_order", "PML-11")
    assert f"position {first} is paid before position {second}" in (
        table.refused(c.ConfirmAward(second, 500_000)).message
    )
    if not table.seat(first).pressed:
        table.do(c.PressHand(first, "straight_flush"))
    table.do(c.ConfirmAward(first, 1_000_060), c.ConfirmAward(second, 500_000))
    assert [table.nets(p)["progressive"] for p in (first, second)] == [999_960, 499_900]
    assert table.why(c.ConfirmAward(first, 5)) == ("out_of_order", "PML-15")


@pytest.mark.clause("PNX-12")
def test_a_fixed_pay_is_no_award_of_a_meter() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile(), c.PressHand(3, "straight_flush"))
    assert table.why(c.ConfirmAward(3, 5)) == ("out_of_order", "PNX-12")
    assert "wins no share of a meter" in table.refused(c.ConfirmAward(3, 5)).message


@pytest.mark.clause("PGM-17", "PML-11")
def test_no_envy_is_paid_before_every_hand_is_settled() -> None:
    table = progressive_table(ROYALS, "ML01", 3, {})
    table.do(c.Reconcile(3))
    assert table.why(c.PayEnvy())[0] == "wrong_phase"
    table.do(c.Reconcile(), c.PayEnvy())


@pytest.mark.clause("PML-11")
def test_an_award_waits_until_every_hand_that_is_paid_before_it_is_settled() -> None:
    table = floor_table(ROYALS, "ML01", meter_pay_order="internal_controls")
    table.do(c.Reconcile(3), c.PressHand(3, "straight_flush"))
    assert table.why(c.ConfirmAward(3, 5)) == ("out_of_order", "PML-11")
    assert "position 1 is settled before" in table.refused(c.ConfirmAward(3, 5)).message


@pytest.mark.clause("PNX-09", "PNX-11")
def test_no_award_waits_for_a_folded_hand_that_nobody_turned_over() -> None:
    """Real cards of a hand that folded out of the progressive are taken in unseen."""
    table = LiveTable(TCP, paytables={"progressive": "1"})
    for position in (1, 2):
        table.bet(position, ante=5, progressive=1)
    table.do(c.NoMoreBets(), c.StartGame((("single", 1_000_000),), priced_by="floor"))
    table.do(c.LoadShuffle(Shuffle("s", UNKNOWN_DECK, table.ruleset.game.packet)), c.Deliver())
    table.decide((1, "play"), (2, "fold"))
    table.do(c.CollectForfeits(), c.Expose(0, parse_cards("2c 5d Jh")), c.Reveal())
    table.do(c.Expose(1, parse_cards("As Ks Qs")), c.Reconcile())
    table.do(c.PressHand(1, "akq_spades"), c.ConfirmAward(1, 1_000_000))
    table.do(c.PayEnvy(), c.CloseRound())
    assert table.nets(1)["progressive"] == 1_000_000 - 100


def test_a_miscount_names_the_place_of_the_cards() -> None:
    table = LiveTable(TCP, paytables={"progressive": "ML01"})
    table.bet(1, ante=5, progressive=1)
    meters: c.MeterAmounts = (("mega", 1_000_000), ("major", 1_000_000))
    table.do(c.NoMoreBets(), c.StartGame(meters, priced_by="floor"))
    assert "now: none" in table.refused(c.Expose("community", (0,))).message
    table.do(c.LoadShuffle(Shuffle("s", UNKNOWN_DECK, table.ruleset.game.packet)), c.Deliver())
    table.decide((1, "play"))
    table.do(c.Expose(0, parse_cards("2c 5d Jh")), c.Reveal(), c.Expose("community", (51,)))
    assert table.round.reported == "place 'community' has 1 cards and was dealt 2"


def test_the_line_has_the_amount_that_was_confirmed_and_no_other() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile())
    assert "progressive" not in table.nets(1)
    assert table.nets(3)["progressive"] == 7_000 - 100
    before = table.round.system
    table.do(c.PressHand(1, "akq_spades"), c.ConfirmAward(1, 1_000_010))
    assert table.nets(1)["progressive"] == 1_000_010 - 100
    assert table.round.system == before - 1_000_010
    [line] = [line for line in table.seat(1).lines if line.bet == "progressive"]
    assert "$10,000.10" in line.why


def test_an_award_of_a_meter_that_holds_nothing_is_confirmed_and_ends_the_round() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile(), c.PressHand(1, "akq_spades"), c.PressHand(3, "straight_flush"))
    table.do(c.ConfirmAward(1, 0), c.PayEnvy(), c.CloseRound())
    assert table.nets(1)["progressive"] == -100
    assert table.round.money() == 0


@pytest.mark.clause("PNX-16")
def test_an_award_that_was_backed_out_is_finished_or_the_round_is_void_even_after_envy() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile())
    for position, hand in ((1, "akq_spades"), (3, "straight_flush")):
        table.do(c.PressHand(position, hand))
    table.do(c.ConfirmAward(1, 1_000_000))
    assert table.why(c.VoidRound("ruling")) == ("wrong_phase", "PNX-16")
    assert table.why(c.PressHand(1, "akq_spades")) == ("wrong_phase", "PNX-16")
    assert table.why(c.BackOutAward(3)) == ("out_of_order", "PNX-16")
    table.do(c.PayEnvy(), c.BackOutAward(1))
    assert "progressive" not in table.nets(1)
    assert table.why(c.CloseRound()) == ("not_done_yet", "PNX-12")
    void = LiveTable(TCP)
    void.round, void.log = table.round, list(table.log)
    void.do(c.VoidRound("ruling", "the deck was short"))
    assert (void.round.money(), void.round.tray) == (0, 0)
    assert all(seat.purse == 0 for seat in void.round.seats)
    table.do(c.PressHand(1, "akq_spades"), c.ConfirmAward(1, 900_000), c.CloseRound())
    assert table.nets(1)["progressive"] == 899_900
    assert table.round.money() == 0


@pytest.mark.clause("PGM-18", "PNX-18", "PML-16")
def test_a_hand_that_triggers_envy_stays_face_up_and_others_are_taken_in() -> None:
    table = floor_table(SPADES)
    table.do(c.Reconcile())
    assert [table.seat(position).gone for position in (1, 2, 3)] == [False, True, True]
    # The whole minor meter pays no envy; its hand stays until the award is confirmed.
    table = floor_table("As Ah 9h | 2h 4d 9c | 7c 8c 5s | 2c 5d Jh | Ac Ad 2d", "ML03")
    table.do(c.Reconcile())
    assert [table.seat(position).gone for position in (1, 2, 3)] == [False, True, True]


@pytest.mark.clause("PGM-18")
def test_a_hand_without_a_progressive_wager_is_taken_in_whatever_it_is() -> None:
    table = LiveTable(TCP, "2h 4d 9s | As Ks Qs | 2c 5d Jh", paytables={"progressive": "1"})
    table.bet(1, ante=5, progressive=1)
    table.bet(2, ante=5)
    table.deal(meters={"single": 100_000})
    table.decide((1, "play"), (2, "play"))
    table.do(c.Reveal(), c.Reconcile())
    assert table.seat(2).gone


@pytest.mark.clause("TCP-21")
def test_what_the_dealer_announced_stands_until_the_next_announcement() -> None:
    table = floor_table(SPADES)
    assert standing(table.round) == "Dealer doesn't play."
    table.do(c.Reconcile(3))
    assert table.view("public")["say"] == "Dealer doesn't play."
    table.do(c.Reconcile())
    table.do(c.PressHand(1, "akq_spades"), c.PressHand(3, "straight_flush"))
    assert standing(table.round) == "Supervisor, please."
