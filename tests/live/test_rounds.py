"""Live rounds, clause by clause: what may be done when, who sees what, and who is paid first."""

from itertools import chain, combinations
from typing import Any

import pytest

from houseway.cards import cards_text
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.commands import Command
from houseway.live.panel import on_felt
from houseway.live.phases import Phase
from houseway.live.round import act, legal
from houseway.live.shuffler import RUNBOOKS
from houseway.live.state import fold, open_round
from houseway.live.view import Viewer, view
from houseway.live.words import and_list, prompt
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import differences, make_ruleset
from tests.live.table import (
    BONUS,
    FACE_UP,
    GAMES,
    RUMMY,
    TCP,
    THREE_CARD,
    LiveTable,
    bets,
    shuffled,
    wealth,
)

HIDDEN = ["??", "??", "??"]
NO_CARDS: list[str] = []


def three_seats(game: str = TCP, **more: object) -> LiveTable:
    """Positions 1, 2 and 4: an Ante with Pair Plus, an Ante alone, Pair Plus alone."""
    table = LiveTable(game, "Qs Qd 7h | 2c 5d 9h | Ah Ad Kc | Kh 9c 4d", **more)  # type: ignore[arg-type]
    table.bet(1, ante=10, pair_plus=5)
    table.bet(2, ante=10)
    table.bet(4, pair_plus=5)
    return table


def bonus_table(cards: str, seats: int = 1, **options: str) -> LiveTable:
    """Triple Shot Bonus with all four bets of ten at the first positions."""
    table = LiveTable(BONUS, cards, options=options)
    for position in range(1, seats + 1):
        table.bet(position, war=10, blackjack=10, poker=10, hat_trick=10)
    return table


# Betting.


@pytest.mark.clause("TSR-20")
def test_every_pattern_of_rummy_bets_is_taken_while_betting_is_open() -> None:
    spots = ("ante", "pair_plus", "six_card_bonus")
    patterns = chain.from_iterable(combinations(spots, size) for size in (1, 2, 3))
    table = LiveTable(RUMMY)
    for position, pattern in enumerate(patterns, start=1):
        table.bet(position, **dict.fromkeys(pattern, 5))
    assert sum(bool(seat.wagers) for seat in table.round.seats) == 7


@pytest.mark.clause("TCP-16")
@pytest.mark.parametrize("game", [TCP, FACE_UP])
def test_ante_or_pair_plus_or_both(game: str) -> None:
    table = LiveTable(game)
    table.bet(1, ante=5)
    table.bet(2, pair_plus=5)
    table.bet(3, ante=5, pair_plus=20)
    assert table.why(bets(4, six_card_bonus=1)) == ("base_wager_required", "SCB-06")


def test_bets_are_changed_and_withdrawn_until_no_more_bets() -> None:
    table = LiveTable(TCP)
    table.bet(3, "ann", ante=10, pair_plus=5)
    assert (table.seat(3).purse, table.seat(3).felt) == (-1500, 1500)
    table.bet(3, "ann", ante=20)
    assert (table.seat(3).purse, table.seat(3).felt) == (-2000, 2000)
    table.do(c.PlaceBets(3, ()))
    assert (table.seat(3).purse, table.seat(3).felt, table.seat(3).player) == (0, 0, "")
    assert table.why(c.NoMoreBets()) == ("missing_bet", "TCP-16")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (bets(0, ante=5), "wrong_position"),
        (bets(8, ante=5), "wrong_position"),
        (bets(-1, ante=5), "wrong_position"),
        (bets(1, war=5), "unknown_bet"),
        (bets(1, play=5), "not_a_bet"),
        (bets(1, ante=0), "zero_amount"),
        (bets(1, ante=-5), "negative_amount"),
        (c.PlaceBets(1, (("ante", 500), ("ante", 500))), "given_twice"),
        (c.PlaceBets(1, (("ante", 500),), "ann\nbob"), "bad_argument"),
        (c.PlaceBets(1, (("ante", 5.0),)), "bad_argument"),  # type: ignore[arg-type]
        (c.PlaceBets(True, (("ante", 500),)), "bad_argument"),
        (c.PlaceBets(1, "ante"), "bad_argument"),  # type: ignore[arg-type]
        (c.PlaceBets(1, (("ante",),)), "bad_argument"),  # type: ignore[arg-type]
        (c.PlaceBets(1, ((["ante"], 5),)), "bad_argument"),  # type: ignore[arg-type]
        ("deal", "bad_argument"),
    ],
)
def test_bets_that_cannot_be_taken(command: Command, reason: str) -> None:
    assert LiveTable(TCP).why(command)[0] == reason


@pytest.mark.clause("TSR-21", "TCP-16")
@pytest.mark.parametrize(("game", "clause"), [(TCP, "TCP-16"), (RUMMY, "TSR-21")])
def test_two_adjacent_positions_where_the_casino_allows_them(game: str, clause: str) -> None:
    table = LiveTable(game, options={"two_adjacent_positions": "on"})
    table.bet(3, "ann", ante=5)
    assert table.why(bets(5, "ann", ante=5)) == ("wrong_position", clause)
    table.bet(4, "ann", ante=5)
    assert table.why(bets(5, "ann", ante=5)) == ("wrong_position", clause)
    assert table.why(bets(2, "ann", ante=5)) == ("wrong_position", clause)
    table.bet(3, "ann", ante=10)
    table.bet(5, "bob", ante=5)
    # A position that was given up is free again.
    table.do(c.PlaceBets(3, ()))
    assert table.why(bets(2, "ann", ante=5)) == ("wrong_position", clause)
    table.bet(3, "ann", ante=5)

    off = LiveTable(game)
    off.bet(3, "ann", ante=5)
    assert off.why(bets(4, "ann", ante=5)) == ("wrong_position", clause)
    off.bet(3, "ann", ante=20)


def test_triple_shot_bonus_has_one_position_a_player() -> None:
    table = LiveTable(BONUS, options={"two_adjacent_positions": "on"})
    table.bet(3, "ann", war=5, blackjack=5, poker=5)
    assert table.why(bets(4, "ann", war=5, blackjack=5, poker=5)) == ("wrong_position", "TSB-29")


@pytest.mark.clause("TSR-33", "TCP-24")
@pytest.mark.parametrize(
    ("game", "clause"), [(TCP, "TCP-24"), (FACE_UP, "TCP-24"), (RUMMY, "TSR-33")]
)
def test_where_the_ante_is_mandatory_no_bonus_bet_stands_alone(game: str, clause: str) -> None:
    table = LiveTable(game, options={"ante_mandatory": "on"})
    assert table.why(bets(1, pair_plus=5)) == ("ante_mandatory", clause)
    table.bet(1, ante=5, pair_plus=5)


@pytest.mark.clause("SCB-05")
def test_one_dollar_is_offered_on_the_six_card_bonus_and_any_other_is_taken() -> None:
    table = LiveTable(TCP)
    assert table.ruleset.usual_cents("six-card-bonus") == 100
    others = ("ante", "pair-plus", "progressive")
    assert [table.ruleset.usual_cents(bet) for bet in others] == [1000, 1000, 100]
    table.bet(1, ante=10, six_card_bonus=7)
    assert make_ruleset(TCP, {"six_card_bonus_default": "5"}).usual_cents("six-card-bonus") == 500


# Limits and approval.


@pytest.mark.clause("CMP-13", "PNX-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_wager_above_the_limit_of_the_day_is_refused_on_every_spot(game: str) -> None:
    for day, most in (("2010-01-01", 300), ("2023-08-18", 300), ("2023-08-19", 400)):
        table = LiveTable(game, options={"profile": "wa_commercial", "date": day})
        base = {"war": 5, "blackjack": 5, "poker": 5} if game == BONUS else {"ante": 5}
        for spot in table.ruleset.game.wagers:
            name = spot.replace("-", "_")
            table.do(bets(1, **(base | {name: most})))
            assert table.why(bets(1, **(base | {name: most + 0.01}))) == ("above_limit", "CMP-13")


@pytest.mark.clause("CMP-13")
@pytest.mark.parametrize("game", GAMES)
def test_a_day_without_a_known_limit_opens_no_table(game: str) -> None:
    for day, reason in (("2009-06-01", Reason.UNKNOWN_DATE), (None, Reason.MISSING_DATE)):
        options = {"profile": "wa_tribal"} | ({"date": day} if day else {})
        with pytest.raises(Refused) as refused:
            make_ruleset(game, options)
        assert (refused.value.reason, refused.value.clause) == (reason, "CMP-13")


@pytest.mark.clause("CMP-14")
def test_four_games_on_a_hand_and_play_is_never_a_fifth() -> None:
    """Ante with Play, Pair Plus, 6 Card Bonus and a progressive are four (A-32)."""
    options = {"profile": "wa_2017", "date": "2018-01-01"}
    table = LiveTable(RUMMY, options=options)
    table.bet(1, ante=10, pair_plus=10, six_card_bonus=10, progressive=1)
    table.deal(meters={"single": 100_000})
    table.decide((1, "play"))
    table.finish()
    assert len(table.seat(1).lines) == 5
    too_early = LiveTable(RUMMY, options=options | {"date": "2016-01-01"})
    assert too_early.why(bets(1, ante=10)) == ("unknown_date", "CMP-14")


@pytest.mark.clause("CMP-14")
def test_a_player_at_two_positions_wagers_on_four_games_in_all() -> None:
    options = {"profile": "wa_2017", "date": "2018-01-01", "two_adjacent_positions": "on"}
    table = LiveTable(RUMMY, options=options)
    table.bet(1, "Ann", ante=10, pair_plus=10)
    assert table.why(bets(2, "ann", ante=10, pair_plus=10, six_card_bonus=10)) == (
        "too_many_games",
        "CMP-14",
    )
    assert "5 games" in table.refused(bets(2, "Ann", ante=5, pair_plus=5, six_card_bonus=5)).message
    table.bet(2, "Ann", ante=10, pair_plus=10)
    # Other players, and people whom nobody named, are counted for themselves.
    table.bet(3, "Bob", ante=10, pair_plus=10, six_card_bonus=10)
    table.bet(4, ante=10, pair_plus=10, six_card_bonus=10)
    table.bet(5, ante=10, pair_plus=10, six_card_bonus=10)
    # The letter of 2017 holds under every profile until the next, and for Rummy alone.
    same = options | {"profile": "wa_commercial", "date": "2018-05-05"}
    for game, refused in ((RUMMY, True), ("three-card-poker", False)):
        other = LiveTable(game, options=same)
        other.bet(1, "Ann", ante=10, pair_plus=10)
        asked = bets(2, "Ann", ante=10, pair_plus=10, six_card_bonus=10)
        if refused:
            assert other.why(asked) == ("too_many_games", "CMP-14")
        else:
            other.bet(2, "Ann", ante=10, pair_plus=10, six_card_bonus=10)
    # A round of the first form goes on by the count that it was opened under.
    earlier = LiveTable(RUMMY, options=options)
    earlier.round = earlier.round._replace(form=1)
    earlier.bet(1, "Ann", ante=10, pair_plus=10)
    earlier.bet(2, "Ann", ante=10, pair_plus=10, six_card_bonus=10)


@pytest.mark.clause("CMP-12")
@pytest.mark.parametrize(
    ("game", "day", "revision"),
    [
        (RUMMY, "2017-12-20", "2017-12-20"),
        (RUMMY, "2023-06-13", "2017-12-20"),
        (RUMMY, "2023-06-14", "2023-06-14"),
        (RUMMY, "2017-12-19", "none"),
        (TCP, "2018-01-01", "none"),
        (TCP, "2024-01-01", "2023-06-14"),
    ],
)
def test_the_revision_is_the_newest_letter_of_the_day(game: str, day: str, revision: str) -> None:
    dated = {"profile": "wa_commercial", "date": day}
    assert make_ruleset(game, dated).revision == revision
    # Without a profile no day is asked for, and the newest counts.
    assert make_ruleset(game).revision == "2023-06-14"


@pytest.mark.clause("CMP-01")
def test_a_table_opens_only_under_approved_rules() -> None:
    dated = {"profile": "wa_commercial", "date": "2024-01-01"}
    rules = make_ruleset(TCP, dated)
    assert open_round(rules, approved=(rules,)).phase is Phase.BETTING
    # Another day is the same rules, whatever limit it brings.
    later = make_ruleset(TCP, dated | {"date": "2025-01-01"})
    assert later.digest == rules.digest
    assert open_round(later, approved=(rules,)).phase is Phase.BETTING
    with pytest.raises(Refused) as refused:
        open_round(rules, approved=(make_ruleset(RUMMY, dated),))
    assert (refused.value.reason, refused.value.clause) == (Reason.NOT_APPROVED, "CMP-01")
    practice = make_ruleset(TCP, {"tie_rule": "win"})
    assert open_round(practice, approved=()).phase is Phase.BETTING


@pytest.mark.clause("CMP-08")
def test_what_differs_from_the_approved_rules_is_named() -> None:
    dated = {"profile": "wa_commercial", "date": "2024-01-01"}
    approved = make_ruleset(TCP, dated)
    changed = make_ruleset(TCP, dated | {"tie_rule": "win"}, {"pair-plus": "B"})
    assert differences(approved, approved) == ()
    found = differences(changed, approved)
    assert "option tie_rule is win, approved push" in found
    assert "paytable of pair-plus is B, approved A" in found
    assert any("pair-plus pays three_of_a_kind 25 to 1, approved 30 to 1" in text for text in found)
    with pytest.raises(Refused) as refused:
        open_round(changed, approved=(approved,))
    assert (refused.value.reason, refused.value.clause) == (Reason.NOT_APPROVED, "CMP-08")
    for text in found:
        assert text in refused.value.message


# No more bets.


@pytest.mark.clause("TSR-22", "TCP-17", "TSB-04")
@pytest.mark.parametrize(
    ("game", "clause"), [(TCP, "TCP-17"), (FACE_UP, "TCP-17"), (RUMMY, "TSR-22"), (BONUS, "TSB-04")]
)
def test_no_card_before_no_more_bets_and_no_bet_after(game: str, clause: str) -> None:
    table = LiveTable(game)
    made = {"war": 5, "blackjack": 5, "poker": 5} if game == BONUS else {"ante": 5}
    table.do(bets(1, **made))
    table.load()
    for deliver in (c.Deliver(), c.Deliver(1)):
        assert table.why(deliver) == ("wrong_phase", clause)
    said = table.do(c.NoMoreBets())[0]
    assert isinstance(said, e.Announced)
    assert said.words.startswith("No more bets.")
    for late in (bets(1, **made), bets(2, **made), c.PlaceBets(1, ()), c.NoMoreBets()):
        assert table.why(late) == ("wrong_phase", clause)
    table.do(c.Deliver())
    assert table.why(c.PlaceBets(1, ())) == ("wrong_phase", clause)


@pytest.mark.clause("TSR-23", "TCP-17")
@pytest.mark.parametrize("game", THREE_CARD)
def test_those_without_pair_plus_are_named_aloud(game: str) -> None:
    for without, words in (
        ([], "No more bets."),
        ([2], "No more bets. No Pair Plus, position 2."),
        ([2, 3], "No more bets. No Pair Plus, position 2 and 3."),
        ([2, 3, 5], "No more bets. No Pair Plus, position 2, 3 and 5."),
        ([1, 2, 3, 4, 5, 6], "No more bets. No Pair Plus, position 1, 2, 3, 4, 5 and 6."),
    ):
        table = LiveTable(game)
        for position in range(1, 7):
            # The seventh position is empty and is not named.
            made = {"ante": 5.0} if position in without else {"ante": 5.0, "pair_plus": 5.0}
            table.bet(position, **made)
        assert prompt(table.round).say == words
        table.do(c.NoMoreBets())
        assert [event.words for event in table.events(e.Announced)] == [words]
    assert and_list([4]) == "4"


@pytest.mark.clause("TSB-04")
def test_triple_shot_bonus_has_no_pair_plus_to_speak_of() -> None:
    table = bonus_table("", 2)
    table.do(c.NoMoreBets())
    assert [event.words for event in table.events(e.Announced)] == ["No more bets."]


# The deck.


@pytest.mark.clause("ACE-06")
def test_nothing_is_dealt_without_a_whole_deck() -> None:
    table = LiveTable(TCP)
    table.bet(1, ante=5)
    table.do(c.NoMoreBets())
    assert table.why(c.Deliver()) == ("bad_deck", "ACE-06")
    good = shuffled(table.ruleset)
    for cards in (
        good.cards[:51],
        (*good.cards, 0),
        (*good.cards[:51], good.cards[0]),
        (*good.cards[:51], 52),
        (*good.cards[:51], -1),
        (*good.cards[:50], 99, 99),
        (),
    ):
        command = c.LoadShuffle(good._replace(cards=cards))
        assert table.why(command) == ("bad_deck", "ACE-06")
    assert table.why(c.Deliver()) == ("bad_deck", "ACE-06")
    # What equals a card is not one.
    lookalikes: list[Any] = [(False, *good.cards[1:]), (0.0, *good.cards[1:]), list(good.cards)]
    for lookalike in lookalikes:
        odd = c.LoadShuffle(good._replace(cards=lookalike))
        assert table.why(odd)[0] == "bad_argument"
    table.do(c.LoadShuffle(good))
    table.do(c.Deliver())
    assert table.why(c.LoadShuffle(good._replace(id="t"))) == ("wrong_phase", "TCP-18")


@pytest.mark.clause("TSB-01")
@pytest.mark.parametrize("game", GAMES)
def test_every_round_has_a_shuffle_of_its_own(game: str) -> None:
    first = LiveTable(game, shuffle_id="one")
    first.load()
    first.do(c.VoidRound("ruling"))
    second = LiveTable(game, after=first, shuffle_id="one")
    again = c.LoadShuffle(shuffled(second.ruleset, shuffle_id="one"))
    assert second.why(again) == ("bad_deck", "TSB-01")
    # A round that was void before a deck was loaded changes nothing in that.
    second.do(c.VoidRound("ruling"))
    third = LiveTable(game, after=second)
    assert third.why(again) == ("bad_deck", "TSB-01")
    third.do(c.LoadShuffle(shuffled(third.ruleset, shuffle_id="two")))


def test_a_round_opens_after_the_one_before_has_ended() -> None:
    first = LiveTable(TCP)
    with pytest.raises(Refused) as refused:
        LiveTable(TCP, after=first)
    assert refused.value.reason is Reason.NOT_DONE_YET
    for positions in (0, 8, True, 2.5):
        with pytest.raises(Refused):
            open_round(first.ruleset, positions=positions)  # type: ignore[arg-type]


@pytest.mark.clause("ACE-03", "TSR-39")
@pytest.mark.parametrize(("game", "size"), [(TCP, 3), (FACE_UP, 3), (RUMMY, 3), (BONUS, 1)])
def test_the_packets_are_those_of_the_game(game: str, size: int) -> None:
    table = LiveTable(game)
    for other in {1, 2, 3, 5} - {size}:
        wrong = shuffled(table.ruleset)._replace(packet_size=other)
        assert table.why(c.LoadShuffle(wrong)) == ("bad_deck", "ACE-03")
    table.load()


@pytest.mark.clause("CMP-15", "TSR-19", "TSB-29")
@pytest.mark.parametrize("game", [RUMMY, BONUS])
def test_a_table_that_is_dealt_by_hand_names_its_procedure(game: str) -> None:
    """How these games are dealt varies by jurisdiction; a shuffler is recommended, no more."""
    table = LiveTable(game, options={"shuffler_mode": "hand"})
    for unnamed in ("automatic", "", "  "):
        shuffle = shuffled(table.ruleset)._replace(by=unnamed)
        assert table.why(c.LoadShuffle(shuffle)) == ("bad_deck", "CMP-15")
    table.do(c.LoadShuffle(shuffled(table.ruleset, by="internal control 12.3")))
    logged = table.events(e.Shuffled)
    assert [event.shuffle.by for event in logged] == ["internal control 12.3"]
    assert table.why(c.ReportFault("jam"))[0] == "out_of_order"

    machine = LiveTable(game)
    by_hand = c.LoadShuffle(shuffled(machine.ruleset, by="internal control 12.3"))
    assert machine.why(by_hand) == ("bad_deck", "TCP-15")
    machine.load()


@pytest.mark.clause("TCP-15")
@pytest.mark.parametrize("game", [TCP, FACE_UP])
def test_three_card_poker_is_never_dealt_by_hand(game: str) -> None:
    with pytest.raises(Refused) as refused:
        make_ruleset(game, {"shuffler_mode": "hand"})
    assert (refused.value.reason, refused.value.clause) == (Reason.UNKNOWN_VALUE, "TCP-15")


# Dealing three cards.


@pytest.mark.clause("TSR-24", "TCP-18", "TSR-39", "SCB-07")
@pytest.mark.parametrize(("game", "clause"), [(TCP, "TCP-18"), (RUMMY, "TSR-24")])
def test_three_cards_face_down_from_the_left_the_dealer_last(game: str, clause: str) -> None:
    table = three_seats(game)
    table.do(c.NoMoreBets())
    table.load()
    for wrong in (2, 4, 0, 3, 8, -1):
        assert table.why(c.Deliver(wrong)) == ("out_of_order", clause)
    table.do(c.Deliver(1))
    assert table.why(c.Deliver(1)) == ("out_of_order", clause)
    assert table.why(c.Decide(1, "play"))[0] == "wrong_phase"
    table.do(c.Deliver(2), c.Deliver(4), c.Deliver(0))
    assert table.dealt() == [
        (1, "Qs Qd 7h", "ddd"),
        (2, "2c 5d 9h", "ddd"),
        (4, "Ah Ad Kc", "ddd"),
        (0, "Kh 9c 4d", "ddd"),
    ]
    assert table.why(c.Deliver()) == ("wrong_phase", clause)
    all_at_once = three_seats(game)
    all_at_once.deal()
    assert all_at_once.round._replace(version=0) == table.round._replace(version=0)


@pytest.mark.clause("TSR-25", "TCP-18")
@pytest.mark.parametrize("game", [TCP, RUMMY])
def test_a_card_that_lies_face_down_is_seen_by_its_player_alone(game: str) -> None:
    table = three_seats(game)
    table.deal()
    for kind in ("dealer", "supervisor", "surveillance", "public"):
        seen = table.view(kind)
        assert seen["dealer"] == HIDDEN
        assert [at["cards"] for at in seen["positions"]] == [HIDDEN] * 3
    own = table.view("player", 2)
    assert [at["cards"] for at in own["positions"]] == [HIDDEN, ["2c", "5d", "9h"], HIDDEN]
    with pytest.raises(Refused):
        view(table.round, Viewer("player", 8))
    with pytest.raises(Refused):
        view(table.round, Viewer("cleaner"))  # type: ignore[arg-type]


@pytest.mark.clause("FUP-03")
def test_face_up_shows_exactly_one_card_of_the_dealer() -> None:
    table = three_seats(FACE_UP)
    table.deal()
    assert table.dealt()[-1] == (0, "Kh 9c 4d", "ddu")
    for kind in ("dealer", "supervisor", "surveillance", "public"):
        seen = table.view(kind)
        assert sorted(seen["dealer"]) == ["4d", "??", "??"]
        assert [at["cards"] for at in seen["positions"]] == [HIDDEN] * 3
    # The procedure that Face Up does not print is the base game's.
    assert table.why(bets(1, ante=5)) == ("wrong_phase", "TCP-17")


# Decisions.


@pytest.mark.clause("TSR-26", "TCP-19")
@pytest.mark.parametrize(
    ("game", "clause"), [(TCP, "TCP-19"), (FACE_UP, "FUP-04"), (RUMMY, "TSR-26")]
)
def test_play_or_fold_once_and_only_with_an_ante(game: str, clause: str) -> None:
    table = three_seats(game)
    table.deal()
    assert {command for command in legal(table.round) if isinstance(command, c.Decide)} == {
        c.Decide(position, decision) for position in (1, 2) for decision in ("play", "fold")
    }
    for decision in ("play", "fold"):
        assert table.why(c.Decide(4, decision)) == ("decision_not_allowed", clause)
        assert table.why(c.Decide(3, decision))[0] == "wrong_position"
    assert table.why(c.Decide(1, "hit"))[0] == "unknown_decision"
    assert table.why(c.Reveal())[0] == "wrong_phase"
    table.decide((2, "fold"))
    for decision in ("play", "fold"):
        assert table.why(c.Decide(2, decision)) == ("decision_not_allowed", clause)
    table.decide((1, "play"))
    # Play is as much as the Ante.
    assert (table.seat(1).purse, table.seat(1).felt) == (-2500, 2500)
    assert table.round.phase is Phase.REVEAL


@pytest.mark.clause("TSR-26", "TCP-19")
@pytest.mark.parametrize("game", THREE_CARD)
def test_a_table_of_bonus_bets_decides_nothing(game: str) -> None:
    table = LiveTable(game)
    table.bet(2, pair_plus=5)
    table.deal()
    assert table.round.phase is Phase.REVEAL
    table.finish()
    assert table.settled() == [(2, "pair-plus")]


@pytest.mark.clause("TSR-27")
def test_rummy_takes_the_ante_of_a_fold_and_tucks_a_hand_with_a_bonus_bet() -> None:
    table = LiveTable(RUMMY)
    table.bet(1, ante=10)
    table.bet(2, ante=10, pair_plus=5)
    table.bet(3, ante=10, six_card_bonus=5)
    table.deal()
    table.decide((1, "fold"), (2, "fold"), (3, "fold"))
    assert table.why(c.Reveal()) == ("not_done_yet", "TSR-27")
    table.do(c.CollectForfeits())
    assert table.settled() == [(1, "ante"), (2, "ante"), (3, "ante")]
    assert [table.seat(p).felt for p in (1, 2, 3)] == [0, 500, 500]
    assert [(table.seat(p).gone, table.seat(p).tucked) for p in (1, 2, 3)] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    assert table.why(c.CollectForfeits()) == ("out_of_order", "TSR-27")


@pytest.mark.clause("TCP-20")
def test_three_card_poker_takes_pair_plus_too_but_tucks_for_a_six_card_bonus() -> None:
    """Where the tucked cards go is not said; they lie as in Rummy (A-47)."""
    table = LiveTable(TCP)
    table.bet(1, ante=10, pair_plus=5)
    table.bet(2, ante=10, pair_plus=5, six_card_bonus=1)
    table.deal()
    table.decide((1, "fold"))
    assert table.why(c.CollectForfeits()) == ("wrong_phase", "TCP-20")
    table.decide((2, "fold"))
    assert table.why(c.Reveal()) == ("not_done_yet", "TCP-20")
    assert table.why(c.Reconcile())[0] == "wrong_phase"
    table.do(c.CollectForfeits())
    assert table.settled() == [(1, "ante"), (1, "pair-plus"), (2, "ante"), (2, "pair-plus")]
    assert (table.seat(1).gone, table.seat(2).tucked, table.seat(2).felt) == (True, True, 100)
    assert table.events(e.PickedUp) == [e.PickedUp(1)]
    table.do(c.Reveal())
    assert table.round.waiting == (2,)


# The reveal.


@pytest.mark.clause("TCP-21")
@pytest.mark.parametrize(
    ("dealer", "arranged", "rank", "source"),
    [
        ("4d Jh 9c", "Jh 9c 4d", "Dealer doesn't play.", "Dealer doesn't play."),
        ("4d Qh 9c", "Qh 9c 4d", "Dealer plays with a Queen.", "Dealer plays with a Queen."),
        ("4d Kh 9c", "Kh 9c 4d", "Dealer plays with a King.", "Dealer plays with a Queen."),
        ("4d Ah 9c", "Ah 9c 4d", "Dealer plays with an Ace.", "Dealer plays with a Queen."),
        (
            "4d 4h 9c",
            "9c 4h 4d",
            "Dealer plays with a pair of Fours and a Nine.",
            "Dealer plays with a Queen.",
        ),
    ],
)
def test_the_dealer_arranges_the_hand_and_says_whether_it_plays(
    dealer: str, arranged: str, rank: str, source: str
) -> None:
    for game in (TCP, FACE_UP):
        for text, words in (("qualifying_rank", rank), ("source_text", source)):
            table = LiveTable(game, f"As Ks Qs | {dealer}", options={"announcement_text": text})
            table.bet(1, ante=10)
            table.deal()
            table.decide((1, "play"))
            happened = table.do(c.Reveal())
            shown = [event for event in happened if isinstance(event, e.DealerShown)]
            assert [cards_text(event.cards) for event in shown] == [arranged]
            assert happened[1] == e.Announced(words)
            assert table.view("public")["dealer"] == arranged.split()
            assert table.why(c.Reveal())[0] in ("wrong_phase", "out_of_order")


@pytest.mark.clause("TSR-28")
@pytest.mark.parametrize(
    ("dealer", "words"),
    [("Kd 9h Ac", "Dealer plays with 20."), ("Kd 9h 2c", "Dealer doesn't play.")],
)
def test_rummy_reveals_after_the_forfeits_and_says_whether_the_dealer_plays(
    dealer: str, words: str
) -> None:
    """Rummy prints no step for it; it comes where Three Card Poker has it (A-34)."""
    table = LiveTable(RUMMY, f"2s 3s 4s | 9s 5d 7c | {dealer}")
    table.bet(1, ante=10)
    table.bet(2, ante=10)
    table.deal()
    table.decide((1, "play"), (2, "fold"))
    assert table.why(c.Reveal()) == ("not_done_yet", "TSR-27")
    table.do(c.CollectForfeits())
    assert e.Announced(words) in table.do(c.Reveal())


@pytest.mark.clause("FUP-05")
def test_face_up_returns_every_ante_at_once_when_the_dealer_is_below_queen_high() -> None:
    table = LiveTable(FACE_UP, "As Kd 2s | 3c 5d 8h | 9s 9d 4h | Jh 7c 2d")
    table.bet(1, ante=10, pair_plus=5)
    table.bet(2, ante=20)
    table.bet(3, ante=30)
    table.deal()
    assert table.why(c.Reveal()) == ("wrong_phase", "FUP-05")
    table.decide((1, "play"), (2, "fold"), (3, "play"))
    table.do(c.CollectForfeits())
    happened = table.do(c.Reveal())
    returned = [event for event in happened if isinstance(event, e.Settled)]
    assert [(r.position, r.line.bet, r.line.net) for r in returned] == [
        (3, "ante", 0),
        (1, "ante", 0),
    ]
    assert [table.seat(p).felt for p in (1, 3)] == [1500, 3000]
    # Nobody's cards are shown or told of by that.
    assert table.events(e.HandShown) == []
    assert len({r.line.why for r in returned}) == 1
    table.do(c.Reconcile(), c.CloseRound())
    assert table.nets(1) == {"ante": 0, "play": 1000, "pair-plus": -500}
    assert table.nets(2) == {"ante": -2000}
    assert table.nets(3) == {"ante": 0, "play": 3000}


@pytest.mark.clause("FUP-05")
def test_face_up_leaves_the_antes_in_action_from_queen_high_up() -> None:
    table = LiveTable(FACE_UP, "As Ks 2s | Qh 7c 2d")
    table.bet(1, ante=10)
    table.deal()
    table.decide((1, "play"))
    table.do(c.Reveal())
    assert table.settled() == []
    table.do(c.Reconcile())
    assert table.nets(1) == {"play": 1000, "ante": 1000}


# Reconciling three-card hands.


@pytest.mark.clause("TSR-28", "TSR-29", "TCP-22")
@pytest.mark.parametrize(("game", "clause"), [(TCP, "TCP-22"), (RUMMY, "TSR-28")])
def test_from_the_right_one_hand_after_the_other_back_to_front(game: str, clause: str) -> None:
    """Tucked and bonus-only hands are settled in the same pass (A-33, A-44)."""
    table = LiveTable(game, "6h 7h 8h | 2c 5d 9h | Ah Ad Kc | Kh 9c 4d")
    table.bet(1, ante=10, pair_plus=5, six_card_bonus=1, progressive=1)
    table.bet(3, ante=10, six_card_bonus=1)
    table.bet(6, pair_plus=5)
    table.deal(meters={"single": 100_000})
    table.decide((3, "fold"), (1, "play"))
    table.do(c.CollectForfeits(), c.Reveal())
    for wrong in (1, 3, 2, 0):
        assert table.why(c.Reconcile(wrong)) == ("out_of_order", clause)
    assert table.why(c.CloseRound()) == ("wrong_phase", clause)
    before = len(table.settled())
    table.do(c.Reconcile(6))
    assert table.why(c.Reconcile(1)) == ("out_of_order", clause)
    assert table.refused(c.Reconcile(1)).message == "position 1 is not next; next is position 3"
    assert table.why(c.CloseRound()) == ("wrong_phase", clause)
    table.do(c.Reconcile(3), c.Reconcile(1))
    bonus = ["ante-bonus"] if game == TCP else []
    first = ["play", *bonus, "ante", "pair-plus", "six-card-bonus", "progressive"]
    assert table.settled()[before:] == [(6, "pair-plus"), (3, "six-card-bonus")] + [
        (1, bet) for bet in first
    ]
    assert [event.position for event in table.events(e.HandShown)] == [6, 3, 1]
    assert table.why(c.Reconcile()) == ("wrong_phase", clause)
    table.do(c.CloseRound())
    assert table.why(c.CloseRound())[0] == "wrong_phase"


@pytest.mark.clause("TCP-22")
def test_the_casino_may_settle_in_its_own_order() -> None:
    options = {"settle_order": "pair-plus,ante"}
    table = LiveTable(TCP, "6h 7h 8h | Kh 9c 4d", options=options)
    table.bet(1, ante=10, pair_plus=5, six_card_bonus=1)
    table.deal()
    table.decide((1, "play"))
    table.finish()
    assert [bet for _, bet in table.settled()] == [
        *("pair-plus", "ante", "play", "ante-bonus", "six-card-bonus")
    ]
    plain = LiveTable(TCP, "6h 7h 8h | Kh 9c 4d")
    plain.bet(1, ante=10, pair_plus=5, six_card_bonus=1)
    plain.deal()
    plain.decide((1, "play"))
    plain.finish()
    assert plain.nets(1) == table.nets(1)


@pytest.mark.clause("TSR-30")
@pytest.mark.parametrize("game", [TCP, RUMMY])
def test_lay_or_pick_changes_what_the_dealer_is_told_and_no_amount(game: str) -> None:
    told, paid = [], []
    for style in ("pick_and_pay", "lay_and_pay"):
        table = three_seats(game, options={"settle_style": style})
        table.deal()
        table.decide((1, "play"), (2, "fold"))
        table.do(c.CollectForfeits(), c.Reveal())
        told.append(prompt(table.round).do)
        table.do(c.Reconcile(), c.CloseRound())
        paid.append([seat.lines for seat in table.round.seats])
    assert told[0] != told[1]
    assert "pick the cards up" in told[0]
    assert "lay the cards out" in told[1]
    assert paid[0] == paid[1]


@pytest.mark.clause("TSR-29", "TCP-22")
def test_the_dealer_is_told_which_bets_are_left_at_a_hand() -> None:
    table = LiveTable(TCP)
    table.bet(1, ante=10, pair_plus=5, six_card_bonus=1)
    table.bet(2, ante=10, pair_plus=5, six_card_bonus=1)
    table.deal()
    table.decide((1, "play"), (2, "fold"))
    table.do(c.CollectForfeits(), c.Reveal())
    assert "(six-card-bonus)" in prompt(table.round).do
    table.do(c.Reconcile(2))
    assert "(play, ante-bonus, ante, pair-plus, six-card-bonus)" in prompt(table.round).do
    assert prompt(table.round).clause == "TCP-22"
    # Players are not told what the dealer does.
    assert table.view("player", 1)["do"] is None
    assert table.view("dealer")["do"] == prompt(table.round).do


@pytest.mark.clause("SCB-08")
def test_a_six_card_bonus_is_paid_by_its_table_or_the_cards_are_taken_in() -> None:
    table = LiveTable(TCP, "4h 4s 7h | 2c 5d Jh | Kh 9c 4d")
    table.bet(1, ante=10, six_card_bonus=2)
    table.bet(2, ante=10, six_card_bonus=2)
    table.deal()
    table.decide((1, "fold"), (2, "fold"))
    table.do(c.CollectForfeits(), c.Reveal(), c.Reconcile())
    assert table.nets(1)["six-card-bonus"] == 5 * 200
    assert table.nets(2)["six-card-bonus"] == -200
    assert [table.seat(p).gone for p in (1, 2)] == [True, True]


@pytest.mark.clause("TCP-14", "TSR-18")
@pytest.mark.parametrize("game", THREE_CARD)
def test_nothing_that_happens_moves_money_between_players(game: str) -> None:
    table = three_seats(game)
    table.deal()
    table.decide((1, "play"), (2, "fold"))
    table.finish()
    state = table.start
    for event in table.log:
        after = fold(state, (event,))
        moved = [new - old for old, new in zip(wealth(state), wealth(after), strict=True)]
        assert sum(1 for amount in moved if amount) <= 1
        assert sum(moved) == state.tray + state.system - after.tray - after.system
        state = after
    assert all(seat.felt == 0 for seat in state.seats)
    assert [s.purse for s in state.seats] == [sum(x.net for x in s.lines) for s in state.seats]


# Progressive bets and community cards.


@pytest.mark.parametrize(
    ("code", "profile", "clause"),
    [("1", "nexus", "PNX-06"), ("1", "game_manager", "PGM-06"), ("01", "multi_link", "PML-07")],
)
def test_the_progressive_is_started_once_with_its_meters_before_any_card(
    code: str, profile: str, clause: str
) -> None:
    table = LiveTable(TCP, paytables={"progressive": code}, options={"award_profile": profile})
    table.bet(1, ante=5, progressive=1)
    meters = (("single", 50_000),)
    table.load()
    assert table.why(c.StartGame(meters))[0] == "wrong_phase"  # type: ignore[arg-type]
    table.do(c.NoMoreBets())
    assert table.why(c.Deliver()) == ("not_done_yet", clause)
    assert table.why(c.StartGame())[0] == "missing_meter"
    for wrong, reason in (
        ((("single", 5), ("mega", 5)), "unknown_meter"),
        ((("single", -5),), "negative_amount"),
        ((("single", "5"),), "bad_argument"),
        (5, "bad_argument"),
    ):
        assert table.why(c.StartGame(wrong))[0] == reason  # type: ignore[arg-type]
    assert table.why(c.StartGame(meters, (1,))) == ("bad_argument", "PGM-10")  # type: ignore[arg-type]
    button = "COIN IN" if profile == "game_manager" else "START GAME"
    assert button in prompt(table.round).do
    table.do(c.StartGame(meters))  # type: ignore[arg-type]
    assert (table.seat(1).felt, table.round.system) == (500, 100)
    assert table.why(c.StartGame(meters))[0] == "out_of_order"  # type: ignore[arg-type]
    table.do(c.Deliver())


@pytest.mark.clause("PML-02", "PML-09")
@pytest.mark.parametrize(("source", "cards"), [("next_packet", "Ts Js"), ("flushed", "As Ks")])
def test_the_community_cards_come_from_either_source_and_are_turned_last(
    source: str, cards: str
) -> None:
    table = LiveTable(
        TCP,
        "2c 5d 9h | Qh 9c 4d | Ts Js 2d",
        paytables={"progressive": "01"},
        options={"community_source": source},
    )
    table.bet(1, ante=5, progressive=1)
    table.deal(meters={"single": 100_000})
    assert [cards_text(event.cards) for event in table.events(e.CommunityTaken)] == [
        cards if source == "next_packet" else cards_text(table.round.shuffle.cards[:-3:-1])  # type: ignore[union-attr]
    ]
    table.decide((1, "play"))
    assert table.view("public")["community"] == ["??", "??"]
    assert table.why(c.Reveal("community")) == ("not_done_yet", "PML-09")
    table.do(c.Reveal())
    assert table.why(c.Reconcile())[0] == "wrong_phase"
    assert table.why(c.Reveal("dealer"))[0] == "out_of_order"
    assert table.view("public")["community"] == ["??", "??"]
    table.do(c.Reveal("community"))
    assert "??" not in table.view("public")["community"]
    assert table.round.phase is Phase.RECONCILE
    assert table.why(c.Reveal("cards"))[0] == "bad_argument"


@pytest.mark.clause("PML-02", "PML-04")
def test_only_the_progressive_sees_the_community_cards_and_always_five_cards() -> None:
    """With Aces on the board the base bets are settled as without; four Aces pay in the link."""
    nets = []
    for code in ("1", "01"):
        table = LiveTable(TCP, "As Ah 9h | Kh 9c 4d | Ac Ad 2d", paytables={"progressive": code})
        table.bet(1, ante=5, pair_plus=5, six_card_bonus=1, progressive=1)
        table.deal(meters={"single": 100_000})
        table.decide((1, "play"))
        table.finish()
        nets.append(table.nets(1))
    assert (nets[0].pop("progressive"), nets[1].pop("progressive")) == (-100, 29_900)
    assert nets[0] == nets[1]


@pytest.mark.clause("PML-09")
def test_without_a_progressive_wager_no_community_cards_are_taken() -> None:
    table = LiveTable(TCP, paytables={"progressive": "01"})
    table.bet(1, ante=5)
    table.deal()
    table.decide((1, "play"))
    assert table.round.community == ()
    assert table.view("public")["community"] is None
    assert table.why(c.Reveal("community")) == ("out_of_order", "PML-02")


@pytest.mark.clause("PGM-10", "PML-11")
@pytest.mark.parametrize(
    ("options", "order", "paid"),
    [
        ({}, (), {1: 50_000, 2: 100_000}),
        ({"meter_pay_order": "internal_controls"}, (1, 2), {1: 100_000, 2: 50_000}),
        ({"meter_pay_order": "internal_controls"}, (2, 1), {1: 50_000, 2: 100_000}),
    ],
)
def test_two_whole_awards_in_a_round_are_paid_in_order(
    options: dict[str, str], order: tuple[int, ...], paid: dict[int, int]
) -> None:
    """The second is paid on the meter that started again; whichever hand is settled first."""
    table = LiveTable(
        TCP,
        "3s 4s 5s | 8s 9s Ts | 2c 5d Jh | 6s 7s 2d",
        paytables={"progressive": "ML01"},
        options=options | {"meter_seed": "mega=1000,major=500"},
    )
    table.bet(1, ante=5, progressive=1)
    table.bet(2, ante=5, progressive=1)
    table.do(c.NoMoreBets())
    table.load()
    table.do(c.StartGame((("mega", 900_000), ("major", 100_000)), order), c.Deliver())
    table.decide((1, "play"), (2, "play"))
    table.do(c.Reveal(), c.Reveal("community"), c.Reconcile())
    assert {p: table.nets(p)["progressive"] + 100 for p in (1, 2)} == paid
    # Each pays the other envy at the end of the round.
    assert table.why(c.CloseRound()) == ("not_done_yet", "PGM-18")
    table.do(c.PayEnvy())
    assert [table.nets(p)["envy"] for p in (1, 2)] == [30_000, 30_000]
    assert table.why(c.PayEnvy())[0] == "out_of_order"
    table.do(c.CloseRound())
    assert table.round.money() == 0


TWO_STRAIGHT_FLUSHES = "3s 4s 5s | 8s 9s Ts | 2h 4d 9c | 2c 5d Jh | 6s 7s 2d"


@pytest.mark.clause("PML-10", "PML-11")
@pytest.mark.parametrize(
    ("eligible", "paid", "envy"),
    [
        ("not_eligible", 100_000, [(3, 30_000), (2, 30_000)]),
        ("eligible", 50_000, [(3, 30_000), (3, 30_000), (2, 30_000), (1, 30_000)]),
    ],
)
def test_a_folded_hand_takes_from_the_meter_only_where_it_is_eligible(
    eligible: str, paid: int, envy: list[tuple[int, int]]
) -> None:
    """Envy is paid from the right, to a player who folded as well (A-46)."""
    table = LiveTable(
        TCP,
        TWO_STRAIGHT_FLUSHES,
        paytables={"progressive": "ML01"},
        options={"folded_hand_progressive": eligible, "meter_seed": "major=500"},
    )
    for position in (1, 2, 3):
        table.bet(position, ante=5, progressive=1)
    table.deal(meters={"mega": 0, "major": 100_000})
    table.decide((1, "play"), (2, "fold"), (3, "play"))
    table.do(c.CollectForfeits(), c.Reveal(), c.Reveal("community"), c.Reconcile())
    assert table.nets(1)["progressive"] + 100 == paid
    happened = table.do(c.PayEnvy())
    assert [
        (event.position, event.line.net) for event in happened if isinstance(event, e.Settled)
    ] == envy


@pytest.mark.clause("PGM-07", "PGM-17")
@pytest.mark.parametrize(
    ("eligible", "decision", "earned"),
    [
        ("not_eligible", "fold", 0),
        ("eligible", "fold", 2_500),
        ("not_eligible", "play", 2_500),
        ("eligible", "play", 2_500),
    ],
)
def test_an_own_hand_that_was_folded_earns_envy_only_where_it_is_eligible(
    eligible: str, decision: str, earned: int
) -> None:
    table = LiveTable(
        TCP,
        "Ah Kh Qh | 2s 4d 9c | 2c 5d Jh",
        options={
            "two_adjacent_positions": "on",
            "award_profile": "game_manager",
            "folded_hand_progressive": eligible,
        },
    )
    table.bet(1, "ann", ante=5, progressive=1)
    table.bet(2, "ann", ante=5, progressive=1)
    table.deal(meters={"single": 100_000})
    table.decide((1, decision), (2, "play"))
    table.finish()
    assert table.nets(2).get("envy", 0) == earned


@pytest.mark.clause("PGM-08", "PGM-09", "PGM-17")
def test_a_share_comes_off_the_meter_and_a_fixed_pay_out_of_the_tray() -> None:
    """The meter's system gives the 100%, the tray 500 for 1; own other hands earn no envy here."""
    table = LiveTable(
        TCP, "As Ks Qs | Ah Kh Qh | 2c 5d Jh", options={"two_adjacent_positions": "on"}
    )
    table.bet(1, "ann", pair_plus=5, progressive=1)
    table.bet(2, "ann", pair_plus=5, progressive=1)
    table.deal(meters={"single": 100_000})
    table.do(c.Reveal())
    before = (table.round.system, table.round.tray)
    table.do(c.Reconcile(2))
    assert table.round.system == before[0] == 200
    assert table.round.tray == before[1] - 50_000 - 40 * 500
    tray = table.round.tray
    table.do(c.Reconcile(1))
    assert table.round.system == 200 - 100_000
    assert table.round.tray == tray - 40 * 500
    table.do(c.CloseRound())
    assert not any(bet == "envy" for _, bet in table.settled())


def test_an_award_that_grows_with_the_wager_leaves_the_rest_of_the_meter() -> None:
    table = LiveTable(
        TCP,
        "3s 4s 5s | 8s 9s Ts | 2c 5d Jh | 6s 7s 2d",
        paytables={"progressive": "ML01"},
        options={"percent_pay_scaling": "per_wager_unit", "meter_seed": "major=500"},
    )
    table.bet(1, ante=5, progressive=1)
    table.bet(2, ante=5, progressive=0.5)
    table.deal(meters={"mega": 0, "major": 100_000})
    table.decide((1, "play"), (2, "play"))
    table.do(c.Reveal(), c.Reveal("community"), c.Reconcile())
    assert table.nets(2)["progressive"] + 50 == 50_000
    assert table.nets(1)["progressive"] + 100 == 50_000 + 50_000


# Triple Shot Bonus.


@pytest.mark.clause("TSB-05")
def test_one_card_up_to_each_from_the_left_then_to_the_dealer() -> None:
    table = bonus_table("Kh 4c 6d", 2)
    table.do(c.NoMoreBets())
    table.load()
    for wrong in (2, 0, 3):
        assert table.why(c.Deliver(wrong)) == ("out_of_order", "TSB-05")
    table.do(c.Deliver(1))
    assert table.why(c.Reconcile()) == ("wrong_phase", "TSB-07")
    table.do(c.Deliver(2), c.Deliver(0))
    assert table.dealt() == [(1, "Kh", "u"), (2, "4c", "u"), (0, "6d", "u")]
    assert (table.round.phase, table.round.stage) == (Phase.RECONCILE, "war")


@pytest.mark.clause("TSB-07")
def test_war_is_resolved_from_the_right_and_takes_the_hat_trick_with_it() -> None:
    table = bonus_table("Kh 4c 6s 6d", 3)
    table.deal()
    for wrong in (1, 2):
        assert table.why(c.Reconcile(wrong)) == ("out_of_order", "TSB-07")
    assert table.why(c.CloseRound())[0] == "wrong_phase"
    # A tie costs half and leaves the Hat Trick up.
    table.do(c.Reconcile(3))
    assert table.settled() == [(3, "war")]
    assert table.nets(3) == {"war": -500}
    happened = table.do(c.Reconcile(2))
    assert [type(event) for event in happened] == [e.Settled, e.Settled, e.Reconciled]
    assert table.nets(2) == {"war": -1000, "hat-trick": -1000}
    table.do(c.Reconcile(1))
    assert table.nets(1) == {"war": 1000}
    assert [table.seat(p).felt for p in (1, 2, 3)] == [3000, 2000, 3000]
    assert (table.round.phase, table.round.stage) == (Phase.DEALING, "blackjack")


@pytest.mark.clause("TSB-08")
def test_second_cards_are_up_and_the_dealers_lies_down_under_the_first() -> None:
    table = bonus_table("Kh 4c 6d | 5h 9c Ts", 2)
    table.deal()
    table.do(c.Reconcile())
    assert table.why(c.Deliver(0)) == ("out_of_order", "TSB-08")
    table.do(c.Deliver())
    assert table.dealt()[3:] == [(1, "5h", "u"), (2, "9c", "u"), (0, "Ts", "d")]
    for kind in ("dealer", "supervisor", "surveillance", "public"):
        assert table.view(kind)["dealer"] == ["6d", "??"]
    for position in (1, 2):
        seen = table.view("player", position)
        assert seen["dealer"] == ["6d", "??"]
        assert [at["cards"] for at in seen["positions"]] == [["Kh", "5h"], ["4c", "9c"]]


@pytest.mark.clause("TSB-04")
def test_after_no_more_bets_only_double_split_and_insurance_add_to_a_wager() -> None:
    table = bonus_table("Ah Ac | Ad 5c")
    table.deal()
    for late in (bets(1, war=20, blackjack=10, poker=10), c.PlaceBets(1, ())):
        assert table.why(late) == ("wrong_phase", "TSB-04")
    table.war()
    wagers = dict(table.seat(1).wagers)
    table.decide((1, "insurance"))
    table.do(c.CloseOffer("insurance"))
    table.decide((1, "split"))
    assert table.seat(1).wagers == wagers
    assert [event.wager for event in table.events(e.Decided)] == [500, 1000]


@pytest.mark.clause("TSB-32")
def test_blackjack_is_played_from_the_left() -> None:
    table = bonus_table("Kh 4c 9s 6d | 5h 9c As Ts", 3)
    table.deal()
    table.war()
    for wrong in (2, 3):
        assert table.why(c.Decide(wrong, "hit")) == ("out_of_order", "TSB-32")
    assert prompt(table.round).say == "Position 1?"
    table.decide((1, "stand"))
    assert table.why(c.Decide(1, "hit")) == ("decision_not_allowed", "TSB-09")
    assert table.why(c.Decide(3, "hit")) == ("out_of_order", "TSB-32")
    table.decide((2, "stand"))
    assert table.why(c.Reveal()) == ("wrong_phase", "TSB-13")
    table.decide((3, "double"))
    assert table.round.phase is Phase.REVEAL


@pytest.mark.clause("TSB-32")
def test_a_blackjack_of_a_player_has_nothing_to_decide() -> None:
    table = bonus_table("Kh 4c 6d | Ah 9c Ts", 2)
    table.deal()
    table.war()
    assert table.why(c.Decide(1, "stand")) == ("decision_not_allowed", "TSB-09")
    table.decide((2, "stand"))
    assert table.round.phase is Phase.REVEAL


def test_a_hand_that_is_over_is_taken_at_once_with_its_hat_trick() -> None:
    table = bonus_table("Kh 4c 3d | 6h 9c Ts | Qs", 2)
    table.deal()
    table.war()
    happened = table.do(c.Decide(1, "hit"))
    lines = [event.line for event in happened if isinstance(event, e.Settled)]
    assert [(line.bet, line.net) for line in lines] == [("blackjack", -1000), ("hat-trick", -1000)]
    # The hole card is not told of by that, and the hand keeps its cards for Poker.
    assert table.view("public")["dealer"] == ["3d", "??"]
    assert cards_text(table.seat(1).cards) == "Kh 6h Qs"
    assert not table.seat(1).gone
    assert table.round.phase is Phase.DECISIONS


@pytest.mark.clause("TSB-11")
@pytest.mark.parametrize("up", ["3d", "Kd"])
def test_six_cards_are_paid_before_the_dealer_plays(up: str) -> None:
    """Under a King the dealer has looked."""
    table = bonus_table(f"4h 9c {up} | 2h 9d 8s | 2c 2d 2s 3c", 2)
    table.deal()
    table.war()
    table.decide(*[(1, "hit")] * 3)
    assert "blackjack" not in table.nets(1)
    table.decide((1, "hit"))
    assert table.nets(1)["blackjack"] == 1000
    assert not table.round.dealer_shown
    table.decide((2, "stand"))
    table.do(c.Reveal())
    # It is not settled again with the others.
    assert table.round.waiting == (2,)
    # Nor does it take a card for Poker; and what lies face up is not turned over.
    table.do(c.Reconcile())
    assert table.round.waiting == (2,)
    table.do(c.Deliver(), c.Reconcile())
    assert table.events(e.HandShown) == []


@pytest.mark.clause("TSB-14")
@pytest.mark.parametrize(
    ("up", "looks"), [("6d", False), ("9d", False), ("Td", True), ("Ad", True)]
)
def test_the_dealer_looks_under_an_ace_or_a_ten_only(up: str, looks: bool) -> None:
    table = bonus_table(f"4h {up} | 2h 8s")
    table.deal()
    table.war()
    if up == "Ad":
        table.do(c.CloseOffer("insurance"))
    assert [event.holds for event in table.events(e.Peeked)] == [False] * looks


@pytest.mark.clause("TSB-11")
@pytest.mark.parametrize(("hole", "net"), [("Kd", 1000), ("Ad", -1000)])
def test_six_cards_wait_where_a_blackjack_of_the_dealer_is_still_possible(
    hole: str, net: int
) -> None:
    table = bonus_table(f"4h Ts | 2h {hole} | 2c 2d 2s 3c", dealer_natural="no_peek_all_bets")
    table.deal()
    table.war()
    table.decide(*[(1, "hit")] * 4)
    assert "blackjack" not in table.nets(1)
    table.do(c.Reveal(), c.Reconcile())
    assert table.nets(1)["blackjack"] == net


@pytest.mark.clause("TSB-13")
def test_the_dealer_turns_the_hole_card_completes_and_pays_from_the_right() -> None:
    table = bonus_table("Kh 9c Th 6d | 9h 9d 8s Ts | 4c", 3)
    table.deal()
    table.war()
    assert table.why(c.Reveal()) == ("wrong_phase", "TSB-13")
    table.decide((1, "stand"), (2, "stand"), (3, "stand"))
    for early in (c.Reconcile(), c.CloseRound()):
        assert table.refused(early).reason is Reason.WRONG_PHASE
    happened = table.do(c.Reveal())
    assert [type(event) for event in happened] == [
        *(e.DealerShown, e.Dealt, e.Announced, e.PhaseBegan)
    ]
    assert happened[1] == e.Dealt(0, deck_cards("4c"), (True,))
    assert happened[2] == e.Announced("Dealer has 20.")
    assert table.view("public")["dealer"] == ["6d", "Ts", "4c"]
    assert table.why(c.Reconcile(1)) == ("out_of_order", "TSB-13")
    before = len(table.settled())
    table.do(c.Reconcile(3), c.Reconcile(2), c.Reconcile(1))
    assert table.settled()[before:] == [
        *((3, "blackjack"), (3, "hat-trick"), (2, "blackjack"), (2, "hat-trick")),
        *((1, "blackjack"), (1, "hat-trick")),
    ]


def deck_cards(text: str) -> tuple[int, ...]:
    """Cards of a text."""
    return tuple(card for card in range(52) if cards_text((card,)) in text.split())


@pytest.mark.clause("TSB-13")
def test_the_dealer_draws_nothing_when_no_hand_is_left_to_beat() -> None:
    table = bonus_table("Kh 3d | 6h Ts | Qs")
    table.deal()
    table.war()
    table.decide((1, "hit"))
    table.do(c.Reveal())
    assert cards_text(table.round.dealer) == "3d Ts"
    assert (table.round.phase, table.round.stage) == (Phase.DEALING, "poker")


@pytest.mark.clause("TSB-17", "TSB-21")
@pytest.mark.parametrize("facing", ["up", "down"])
def test_poker_deals_what_is_missing_to_six_from_the_left(facing: str) -> None:
    """After Poker comes the Hat Trick, hand by hand from the right (A-44)."""
    table = bonus_table(
        "Kh Kc 6d | 9h 9d Ts | 5s | Js 2c 3d 4c 7h 8d 3s", 2, poker_cards_facing=facing
    )
    table.deal()
    table.war()
    table.decide((1, "hit"), (2, "stand"))
    table.do(c.Reveal(), c.Reconcile())
    assert table.why(c.Reconcile())[0] == "wrong_phase"
    assert table.why(c.Deliver(2)) == ("out_of_order", "TSB-17")
    before = len(table.log)
    table.do(c.Deliver())
    poker = [event for event in table.log[before:] if isinstance(event, e.Dealt)]
    assert [(event.to, len(event.cards), set(event.up)) for event in poker] == [
        (1, 3, {facing == "up"}),
        (2, 4, {facing == "up"}),
    ]
    hidden = table.view("public")["positions"][0]["cards"].count("??")
    assert hidden == (0 if facing == "up" else 3)
    assert table.view("player", 1)["positions"][0]["cards"].count("??") == 0
    assert table.why(c.Reconcile(1)) == ("out_of_order", "TSB-21")
    before = len(table.settled())
    table.do(c.Reconcile())
    last = table.settled()[before:]
    assert [position for position, bet in last if bet == "poker"] == [2, 1]
    assert all(
        last[last.index((p, "hat-trick")) - 1] == (p, "poker") for p, b in last if b == "hat-trick"
    )
    assert table.view("public")["positions"][0]["cards"].count("??") == 0
    table.do(c.CloseRound())


@pytest.mark.parametrize("peek", ["peek", "no_peek_all_bets", "no_peek_original_bets"])
def test_insurance_comes_before_the_hands_are_played_and_is_settled_by_the_hole_card(
    peek: str,
) -> None:
    """With an Ace up, for half the bet, before the dealer looks (A-42, A-25)."""
    for hole, net in (("Ks", 1000), ("9s", -500)):
        table = bonus_table(f"Kh 4c Ah | 5h 9c {hole}", 2, dealer_natural=peek)
        table.deal()
        table.war()
        assert table.why(c.Decide(1, "hit"))[0] == "not_done_yet"
        # Insurance goes in no order and once.
        table.decide((2, "insurance"))
        assert table.why(c.Decide(2, "insurance")) == ("decision_not_allowed", "TSB-14")
        assert table.seat(2).felt == 2500
        table.do(c.CloseOffer("insurance"))
        assert table.why(c.Decide(1, "insurance"))[0] in ("decision_not_allowed", "wrong_phase")
        assert table.why(c.CloseOffer("insurance")) == ("out_of_order", "TSB-14")
        if peek == "peek":
            assert table.nets(2)["insurance"] == net
            assert table.round.phase is (Phase.REVEAL if hole == "Ks" else Phase.DECISIONS)
        else:
            assert "insurance" not in table.nets(2)
        if table.round.phase is Phase.DECISIONS:
            table.decide((1, "stand"), (2, "stand"))
        table.do(c.Reveal(), c.Reconcile())
        assert table.nets(2)["insurance"] == net


def test_insurance_is_not_offered_without_an_ace() -> None:
    table = bonus_table("Kh Th | 5h 9s")
    table.deal()
    table.war()
    assert table.why(c.CloseOffer("insurance")) == ("out_of_order", "TSB-14")
    assert table.why(c.Decide(1, "insurance")) == ("decision_not_allowed", "TSB-14")
    cheap = LiveTable(BONUS, "Kh Ah | 5h 9s")
    cheap.do(c.PlaceBets(1, (("war", 1), ("blackjack", 1), ("poker", 1))))
    cheap.deal()
    cheap.war()
    assert cheap.why(c.Decide(1, "insurance")) == ("decision_not_allowed", "TSB-14")


def test_a_blackjack_that_the_dealer_finds_ends_every_hand() -> None:
    table = bonus_table("Kh 4c Ts | Ah 9c As", 2)
    table.deal()
    table.war()
    assert table.round.phase is Phase.REVEAL
    assert table.view("public")["dealer"] == ["Ts", "??"]
    table.do(c.Reveal(), c.Reconcile())
    assert table.nets(1)["blackjack"] == 0
    assert table.nets(2)["blackjack"] == -1000


@pytest.mark.clause("TSB-01", "TSB-05")
@pytest.mark.parametrize("deal", ["omit", "deal"])
def test_seven_positions_never_run_out_of_cards(deal: str) -> None:
    """Seven hands of six and the longest dealer's hand, ten cards, are one deck (A-22)."""
    up, hole, dealer = "3c", "2c", ["2d", "2h", "2s", "Ac", "Ad", "Ah", "As", "3d"]
    rest = [cards_text((card,)) for card in range(51, -1, -1)]
    rest = [card for card in rest if card not in (up, hole, *dealer)]
    # The hands stand at twelve or more, so that the dealer has somebody to beat.
    first, second = rest[:7], rest[7:14]
    cards = " ".join([*first, up, *second, hole, *dealer, *rest[14:]])
    table = bonus_table(cards, 7, dealer_six_card_hand=deal)
    table.deal()
    table.war()
    for position in range(1, 8):
        if table.round.phase is Phase.DECISIONS:
            table.decide((position, "stand"))
    table.do(c.Reveal())
    assert len(table.round.dealer) == 10
    table.do(c.Reconcile(), c.Deliver(), c.Reconcile(), c.CloseRound())
    assert table.round.dealt == 52
    assert [len(table.seat(p).cards) for p in range(1, 8)] == [6] * 7
    assert table.round.money() == 0


# Irregularities.


def paid_table(game: str) -> LiveTable:
    """A round in which one hand is settled and one is not."""
    if game == BONUS:
        table = bonus_table("Kh 4c 6d | 5h 9c Ts", 2)
        table.deal()
        table.do(c.Reconcile(2))
        return table
    table = LiveTable(game, "6h 7h 8h | 2c 5d 9h | Kh 9c 4d")
    table.bet(1, ante=10, pair_plus=5, progressive=1)
    table.bet(2, ante=10, pair_plus=5, progressive=1)
    table.deal(meters={"single": 100_000})
    table.decide((1, "play"), (2, "play"))
    table.do(c.Reveal(), c.Reconcile(2))
    return table


@pytest.mark.clause("TSR-31", "TCP-23")
@pytest.mark.parametrize("game", GAMES)
def test_a_void_round_gives_every_wager_back_even_after_some_were_settled(game: str) -> None:
    table = paid_table(game)
    assert any(seat.lines for seat in table.round.seats)
    assert table.why(c.VoidRound("bored"))[0] == "unknown_value"  # type: ignore[arg-type]
    assert table.why(c.VoidRound("ruling", "one\ntwo"))[0] == "bad_argument"
    table.do(c.VoidRound("wrong_card_count", "position 1 has four cards"))
    assert table.round.phase is Phase.VOID
    assert table.round.voided == "wrong_card_count"
    assert all((seat.purse, seat.felt, seat.lines) == (0, 0, ()) for seat in table.round.seats)
    assert (table.round.tray, table.round.system) == (0, 0)
    assert "shuffle again" in prompt(table.round).do
    for command in (c.VoidRound("ruling"), c.Deliver(), c.CloseRound(), bets(1, ante=5)):
        assert table.refused(command).reason is Reason.WRONG_PHASE
    assert legal(table.round) == ()


@pytest.mark.clause("TSR-31", "TCP-23")
@pytest.mark.parametrize(
    ("game", "clause"), [(TCP, "TCP-23"), (RUMMY, "TSR-31"), (BONUS, "TSR-31")]
)
def test_no_hand_has_too_many_cards_before_one_is_dealt(game: str, clause: str) -> None:
    table = LiveTable(game)
    assert table.why(c.VoidRound("wrong_card_count")) == ("wrong_phase", clause)
    table.do(c.VoidRound("shuffler_fault"))


def void_with_a_progressive(after: LiveTable | None = None, /, **options: str) -> LiveTable:
    """A round that is void after the progressive bets were taken in."""
    table = LiveTable(TCP, options=options, after=after, shuffle_id=f"{id(after)}")
    table.bet(1, ante=10, progressive=5)
    table.bet(2, ante=10)
    table.deal(meters={"single": 100_000})
    table.do(c.VoidRound("wrong_card_count"))
    return table


@pytest.mark.clause("TSR-31", "TCP-23")
def test_a_void_round_refunds_the_progressive_or_carries_it_to_the_next() -> None:
    """Both by house option; what is carried is put up in the next round and used once (A-15)."""
    refunded = void_with_a_progressive()
    assert (refunded.seat(1).purse, refunded.seat(1).carried, refunded.round.system) == (0, 0, 0)

    carried = void_with_a_progressive(void_progressive="carry_to_next_round")
    assert (carried.seat(1).purse, carried.seat(1).carried) == (-500, 500)
    assert (carried.round.system, carried.round.money()) == (500, 0)

    table = LiveTable(TCP, after=carried, options={"void_progressive": "carry_to_next_round"})
    assert (table.seat(1).carried, table.seat(2).carried) == (500, 0)
    assert table.why(bets(1, ante=10, progressive=4))[0] == "below_minimum"
    table.bet(1, ante=10, progressive=6)
    assert (table.seat(1).purse, table.seat(1).felt) == (-1100, 1100)
    # The five lie in the system already.
    assert on_felt(table.round, table.seat(1)) == {"ante": 1000, "progressive": 100}
    table.bet(2, ante=10)
    table.deal(meters={"single": 100_000})
    assert (table.round.system, table.seat(1).felt) == (100, 1000)
    table.decide((1, "fold"), (2, "fold"))
    table.finish()
    # The Ante and the dollar that was added; the five of the void round were paid in it.
    assert (table.seat(1).purse, table.round.money()) == (-1100, 0)
    after = LiveTable(TCP, after=table)
    assert after.seat(1).carried == 0


def test_a_carried_wager_waits_for_a_round_that_uses_it() -> None:
    options = {"void_progressive": "carry_to_next_round"}
    carried = void_with_a_progressive(**options)
    # A round without the wager leaves it.
    idle = LiveTable(TCP, after=carried, options=options)
    idle.bet(1, ante=10)
    idle.deal()
    idle.decide((1, "fold"))
    idle.finish()
    assert idle.seat(1).purse == -1000
    # Void again: it is carried on and not twice.
    again = void_with_a_progressive(idle, **options)
    assert (again.seat(1).carried, again.seat(1).purse, again.round.money()) == (500, 0, 0)
    # Void at a table that refunds: it comes back out of the system.
    back = void_with_a_progressive(again)
    assert (back.seat(1).carried, back.seat(1).purse, back.round.system) == (0, 500, -500)


@pytest.mark.clause("TSR-25")
def test_an_exposed_card_stops_the_round_until_a_supervisor_rules() -> None:
    table = three_seats()
    table.deal()
    assert table.why(c.ReportExposed(3, 1))[0] == "wrong_position"
    assert table.why(c.ReportExposed(1, 4))[0] == "bad_argument"
    assert table.why(c.ReportExposed(1, 0))[0] == "bad_argument"
    assert table.why(c.Rule("play_on", "nothing happened"))[0] == "out_of_order"
    table.do(c.ReportExposed(1, 3))
    assert table.view("public")["positions"][0]["cards"] == ["??", "??", "7h"]
    assert table.view("public")["reported"] == "card 3 of position 1 was exposed"
    for command in (c.Decide(1, "play"), c.ReportExposed(1, 1), c.Reveal()):
        assert table.refused(command).reason is Reason.IRREGULARITY_OPEN
    assert prompt(table.round).say == "Supervisor, please."
    assert table.why(c.Rule("play_on", " "))[0] == "bad_argument"
    assert table.why(c.Rule("laugh", "a reason"))[0] == "unknown_value"  # type: ignore[arg-type]
    table.do(c.Rule("play_on", "the player's own card"))
    assert table.why(c.ReportExposed(1, 3))[0] == "out_of_order"
    table.do(c.ReportExposed(0, 2))
    assert table.view("public")["dealer"] == ["??", "9c", "??"]
    table.do(c.Rule("void", "the dealer's card was seen"))
    assert (table.round.phase, table.round.voided) == (Phase.VOID, "ruling")
    assert all(seat.purse == 0 for seat in table.round.seats)


@pytest.mark.clause("TSB-04", "TCP-17", "TSR-22")
@pytest.mark.parametrize("game", GAMES)
def test_a_late_wager_has_no_part_in_the_round_and_goes_back(game: str) -> None:
    table = LiveTable(game)
    made = {"war": 5, "blackjack": 5, "poker": 5} if game == BONUS else {"ante": 5}
    bet = "hat-trick" if game == BONUS else "pair-plus"
    table.do(bets(1, **made))
    assert table.why(c.ReportLateWager(1, bet, 500))[0] == "wrong_phase"
    table.do(c.NoMoreBets())
    assert (
        table.why(c.ReportLateWager(1, "play" if game != BONUS else "insurance", 5))[0]
        == "not_a_bet"
    )
    assert table.why(c.ReportLateWager(1, bet, 0))[0] == "zero_amount"
    before = table.seat(1)
    table.do(c.ReportLateWager(1, bet, 700))
    assert table.seat(1).felt == before.felt + 700
    assert table.round.money() == 0
    table.do(c.Rule("play_on", "the wager came after the call"))
    assert table.seat(1) == before
    # A late wager on an empty spot is no position in the round either.
    table.do(c.ReportLateWager(4, bet, 700), c.Rule("play_on", "late"))
    assert table.round.playing == (1,)
    table.do(c.ReportLateWager(4, bet, 700), c.VoidRound("late_wager"))
    assert (table.seat(4).purse, table.seat(4).felt) == (0, 0)


@pytest.mark.parametrize("handed", [500, 2500])
def test_a_wrong_payout_is_found_and_put_right_with_a_reason(handed: int) -> None:
    table = LiveTable(TCP, "Qs Qd 7h | Kh 9c 4d")
    table.bet(1, ante=10, pair_plus=5)
    table.deal()
    table.decide((1, "play"))
    assert table.why(c.ReportPayout(1, "pair-plus", handed))[0] == "unknown_bet"
    table.do(c.Reveal(), c.Reconcile())
    assert table.nets(1)["ante"] == 1000
    right = table.seat(1).purse
    assert table.why(c.ReportPayout(1, "ante", 1000))[0] == "out_of_order"
    assert table.why(c.ReportPayout(2, "ante", 1000))[0] == "wrong_position"
    assert table.why(c.CorrectPayout(1, "ante", "wrong_odds"))[0] == "out_of_order"
    table.do(c.ReportPayout(1, "ante", handed))
    assert table.seat(1).purse == right + handed - 1000
    assert table.round.money() == 0
    unclosed = table.refused(c.CloseRound())
    assert unclosed.reason is Reason.NOT_DONE_YET
    short = "+$5.00" if handed == 500 else "-$15.00"
    assert f"ante at position 1 is still wrong by {short};" in unclosed.message
    assert table.why(c.ReportPayout(1, "ante", handed))[0] == "out_of_order"
    assert table.why(c.CorrectPayout(1, "ante", "mood"))[0] == "unknown_value"  # type: ignore[arg-type]
    how = "pay $5.00 more" if handed == 500 else "take $15.00 back"
    assert how in prompt(table.round).do
    table.do(c.CorrectPayout(1, "ante", "wrong_odds"))
    assert table.events(e.PayoutCorrected)[0].cents == 1000 - handed
    assert table.seat(1).purse == right
    table.do(c.CloseRound())


@pytest.mark.clause("TSR-32", "TCP-23")
@pytest.mark.parametrize("branch", ["guide", "seven_steps", "local"])
@pytest.mark.parametrize(("game", "clause"), [(TCP, "TCP-23"), (RUMMY, "TSR-32")])
def test_a_failed_shuffler_deals_nothing_until_its_runbook_is_through(
    game: str, clause: str, branch: str
) -> None:
    table = LiveTable(game, options={"shuffler_fault_procedure": branch})
    table.bet(1, ante=5)
    table.load()
    assert table.why(c.RunbookStep(branch, 1)) == ("out_of_order", clause)
    assert table.why(c.ReportFault(" "))[0] == "bad_argument"
    table.do(c.NoMoreBets(), c.ReportFault("a card is stuck"))
    assert table.why(c.ReportFault("again"))[0] == "out_of_order"
    assert table.why(c.Deliver()) == ("irregularity_open", clause)
    again = c.LoadShuffle(shuffled(table.ruleset, shuffle_id="t"))
    assert table.why(again) == ("irregularity_open", clause)
    assert table.why(c.RunbookStep("kick it", 1))[0] == "unknown_value"
    steps = RUNBOOKS[branch]
    assert len(steps) == (7 if branch == "seven_steps" else 1)
    for number, words in enumerate(steps, start=1):
        assert words in prompt(table.round).do
        for wrong in (number - 1, number + 1):
            assert table.why(c.RunbookStep(branch, wrong)) == ("out_of_order", clause)
        if number > 1:
            assert table.why(c.RunbookStep("guide", 1)) == ("out_of_order", clause)
        assert c.RunbookStep(branch, number) in legal(table.round)
        table.do(c.RunbookStep(branch, number))
    assert [event.words for event in table.events(e.StepDone)] == list(steps)
    table.do(c.Deliver())


@pytest.mark.clause("TSR-32")
def test_the_seven_steps_are_in_the_order_of_the_source() -> None:
    """The vendor is a word in the data, not a name in the code."""
    keys = ("off", "power plug", "backup", "power and data", "on", "vendor", "Go on")
    for key, step in zip(keys, RUNBOOKS["seven_steps"], strict=True):
        assert key in step


@pytest.mark.clause("TSR-32")
def test_a_failed_shuffler_gives_no_hits_and_no_draws_to_the_dealer() -> None:
    table = bonus_table("Kh 6d | 5h Ts")
    table.deal()
    table.war()
    table.do(c.ReportFault("jam"))
    for decision in ("hit", "double"):
        assert table.why(c.Decide(1, decision)) == ("irregularity_open", "TSR-32")
    table.decide((1, "stand"))
    assert table.why(c.Reveal()) == ("irregularity_open", "TSR-32")
    table.do(c.RunbookStep("local", 1), c.Reveal())


@pytest.mark.clause("TSR-32", "TCP-23")
@pytest.mark.parametrize("how", ["void", "close"])
def test_a_shuffler_that_failed_in_the_round_before_is_still_broken(how: str) -> None:
    table = LiveTable(TCP)
    table.bet(1, pair_plus=5)
    table.deal()
    table.do(c.ReportFault("jam"))
    if how == "void":
        table.do(c.VoidRound("shuffler_fault"))
    else:
        table.finish()
    after = LiveTable(TCP, after=table, shuffle_id="t")
    load = c.LoadShuffle(shuffled(after.ruleset, shuffle_id="t"))
    assert after.why(load) == ("irregularity_open", "TCP-23")
    after.do(c.RunbookStep("guide", 1), load)
    by_hand = open_round(make_ruleset(RUMMY, {"shuffler_mode": "hand"}), after=table.round)
    assert by_hand.runbook is None


# The sender of a command knows which round it means.


def test_a_stale_command_is_refused() -> None:
    table = LiveTable(TCP)
    command = bets(1, ante=5)
    for stale in ({"number": "000002"}, {"version": 3}, {"number": "000001", "version": -1}):
        with pytest.raises(Refused) as refused:
            act(table.round, command, **stale)
        assert refused.value.reason is Reason.STALE_ROUND
    after, _ = act(table.round, command, number="000001", version=0)
    assert after.version == 1
    with pytest.raises(Refused):
        act(after, command, version=0)


def test_what_is_legal_is_offered_as_values() -> None:
    table = LiveTable(TCP)
    assert legal(table.round) == ()
    table.bet(1, ante=5)
    assert legal(table.round) == (c.NoMoreBets(),)
    table.do(c.NoMoreBets())
    table.load()
    assert legal(table.round) == (c.Deliver(),)
    assert table.view("public")["dealer"] == NO_CARDS


@pytest.mark.clause("TSR-31")
def test_a_smaller_table_does_not_lose_a_carried_wager() -> None:
    table = LiveTable(TCP, options={"void_progressive": "carry_to_next_round"})
    table.bet(3, ante=10, progressive=5)
    table.deal(meters={"single": 100_000})
    table.do(c.VoidRound("wrong_card_count"))
    with pytest.raises(Refused, match="position 3, for which a progressive wager is carried over"):
        open_round(table.round.ruleset, "000002", 2, after=table.round)
