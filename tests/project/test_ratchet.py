"""Ratchet: no new place outside `houseway/games` names a game."""

from tests.project.ratchet import listed, places


def test_no_further_place_names_a_game() -> None:
    now, before = places(), listed()
    grown = {name: count for name, count in now.items() if count > before.get(name, 0)}
    assert not grown, "ask the contract of the game instead"


def test_the_list_is_as_short_as_it_can_be() -> None:
    assert listed() == places(), "run python -m tests.project.ratchet"
