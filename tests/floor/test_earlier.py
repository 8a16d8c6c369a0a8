"""A game that an earlier program began is read from its events as that program kept it."""

from collections.abc import Iterable
from typing import Any

from houseway.floor.earlier import EarlierGame, dump, evolve, load
from houseway.journal.event import Event, canonical

CHOSEN = {"hand": "straight_flush", "level": "single", "whole": False, "amount_cents": 700}


def after(told: Iterable[tuple[str, dict[str, Any]]]) -> EarlierGame:
    """The game after these events, of which each was written a minute after the one before."""
    game = None
    for number, (kind, data) in enumerate(told):
        event = Event(
            position=number + 1,
            stream="table:T1",
            version=number + 1,
            kind=kind,
            schema=1,
            key="k",
            part=0,
            actor="d1",
            at=f"2024-03-01T20:{number:02}:00",
            body=canonical({"data": data, "transfers": [["meter", "payable", 5]]}),
            prior="",
            hash="",
        )
        game = evolve(game, event)
    assert game is not None
    return game


def chosen(position: int) -> tuple[str, dict[str, Any]]:
    return "hand_chosen", {**CHOSEN, "position": position, "by": "d1"}


def test_a_light_that_is_put_out_leaves_the_others_lit() -> None:
    lit = [("lit", {"position": place, "cents": 100, "player": f"P{place}"}) for place in (1, 2)]
    game = after([*lit, ("unlit", {"position": 1})])
    assert game == EarlierGame(round=0, lights={2: (100, "P2")}, awards=(), carried=())


def test_a_hand_that_was_chosen_is_on_no_page_and_not_verified() -> None:
    [award] = after([chosen(3)]).awards
    assert (award.status, award.page, award.verified) == ("chosen", 0, False)
    assert (award.position, award.amount_cents, award.by) == (3, 700, "d1")


def test_each_step_of_an_award_is_that_of_its_own_position() -> None:
    confirmed = {"position": 3, "confirmed_by": "s1", "page": 9, "amount_cents": 650}
    told = [chosen(1), chosen(3), ("award_confirmed", confirmed)]
    first, second = after(told).awards
    assert (first.status, first.page, first.amount_cents) == ("chosen", 0, 700)
    assert (second.status, second.page, second.amount_cents) == ("confirmed", 9, 650)
    assert second.moved == (("meter", "payable", 5),)
    # Surveillance has seen the award; envy that another position has for it is not the award.
    for place, seen in ((3, True), (1, False)):
        game = after([*told, ("camera_checked", {"position": 3, "from": place})])
        assert [award.verified for award in game.awards] == [False, seen]
    game = after([*told, ("award_backed_out", {"position": 3})])
    assert [award.position for award in game.awards] == [1]
    assert load(dump(after(told))) == after(told)
