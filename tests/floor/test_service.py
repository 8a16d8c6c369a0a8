"""Cards and PINs, as whoever serves people asks for them: what holds, what locks, who signs."""

from collections.abc import Iterator
from typing import Any

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.low_level import Type

from houseway.floor import service
from houseway.floor.service import Floor, hash_pin
from houseway.games.library import paytable_of
from houseway.journal.audit import verify
from houseway.journal.journal import events
from houseway.refusal import Reason, Refused
from tests.floor.decks import stacked
from tests.floor.room import CHECKED, SETTINGS

PINS = {
    "a1": "1111",
    "a2": "2222",
    "d1": "3333",
    "s1": "4444",
    "s2": "5555",
    "e1": "6666",
    "c1": "7777",
}
ROLES = {
    "a": "administrator",
    "d": "dealer",
    "s": "supervisor",
    "e": "executive",
    "c": "cage",
}
# What a hash costs is written in it; cheap ones do for tests that try many PINs.
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SLOW = hash_pin("9876")
NEW = "8642"
ADJUSTMENT = {
    "link": "L",
    "level": "single",
    "cents": -5_000,
    "reason": "display_error",
    "text": "the sensor of spot 3 counted twice",
}


HAND = "akq_spades"
PRESS = f"press 1: {HAND}"
PAYS = paytable_of("three-card-progressive", "progressive", "1")


class Desk:
    """A floor behind a desk: cards, PINs, and keys that are made up.

    An administrator types the own PIN unless another is given; None is no PIN.
    """

    def __init__(self, url: str) -> None:
        self.floor = Floor(url)
        self.number = 0

    def do(self, card: str, name: str, /, **asked: Any) -> Any:
        if card in PINS and card.startswith("a") and name != "first_administrator":
            asked.setdefault("pin", PINS[card])
        pins = {word: asked.pop(word) for word in ("pin", "second_pin") if word in asked}
        self.number += 1
        key = asked.pop("key", f"desk-{self.number}")
        return self.floor.do(card, name, asked, key=key, **pins)

    def refused(self, card: str, name: str, /, **asked: Any) -> Refused:
        with pytest.raises(Refused) as raised:
            self.do(card, name, **asked)
        return raised.value

    def events(self, kind: str) -> list[Any]:
        with self.floor.journal.engine.connect() as connection:
            return [event for event in events(connection) if event.kind == kind]

    def failures(self, card: str) -> int:
        return int(self.floor.journal.state_of(f"person:{card}").failures)


@pytest.fixture
def desk(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A floor with people, a link and a table, where somebody has won the whole meter."""
    monkeypatch.setattr(service, "_HASHER", CHEAP)
    made = Desk(database)
    made.do("a1", "first_administrator", card="a1", name="Ada", new_pin=PINS["a1"])
    for card in ("a2", "d1", "s1", "s2", "e1", "c1"):
        made.do(
            "a1",
            "issue_card",
            card=card,
            name=f"holder of {card}",
            role=ROLES[card[0]],
            new_pin=PINS[card],
        )
    made.do(
        "a1",
        "make_link",
        link="L",
        progressive="three-card-progressive",
        paytable="1",
        meters={"single": SETTINGS},
    )
    made.do("a1", "set_thresholds", link="L", thresholds={"single": 2_000_000})
    made.do("a1", "make_table", table="T", game="three-card-poker", deck="physical")
    made.do("a1", "join_link", table="T", link="L")
    made.do("d1", "open_round", table="T")
    for text in (
        "bets 1 by p: ante 5, progressive 1",
        "no more bets",
        "start game",
        f"shuffle 1 by automatic, packets of 3: {stacked({1: HAND}, PAYS)}",
        "deliver",
        "decide 1: play",
        "reveal dealer",
        "reconcile",
        PRESS,
    ):
        made.do("d1", "round", table="T", text=text)
    made.do("d1", "call_supervisor", table="T")
    yield made
    with made.floor.journal.engine.connect() as connection:
        assert verify(connection).holds
    made.floor.close()


AWARD: dict[str, Any] = {"table": "T", "position": 1, "checklist": CHECKED}


def test_what_is_kept_of_a_pin_is_argon2id_and_never_the_pin(desk: Desk) -> None:
    issued = desk.events("card_issued")
    assert all(event.data["pin_hash"].startswith("$argon2id$") for event in issued)
    desk.do("s1", "confirm_award", **AWARD, pin=PINS["s1"])
    with desk.floor.journal.engine.connect() as connection:
        written = " ".join(event.body for event in events(connection))
    assert f'"{PINS["s1"]}"' not in written


def test_a_pin_is_hashed_slowly_and_with_salt(desk: Desk) -> None:
    cost = extract_parameters(SLOW)
    assert (cost.type, cost.memory_cost >= 2**16, cost.time_cost >= 2) == (Type.ID, True, True)
    # Two cards with one PIN are not seen to share it.
    assert hash_pin("9876") != hash_pin("9876")
    desk.do("a1", "issue_card", card="s8", name="Sid", role="supervisor", new_pin="9876")
    assert "wrong" in desk.refused("s8", "confirm_award", **AWARD, pin="9875").message
    assert desk.do("s8", "confirm_award", **AWARD, pin="9876")["page"] == 1


@pytest.mark.parametrize(
    "pin",
    ["", "123", "1234567890123", "12a4", " 1234", "-1234", "12.4", "\uff12\uff14\uff16\uff18"],
)
def test_what_is_no_pin_is_no_pin(pin: str) -> None:
    with pytest.raises(Refused) as raised:
        hash_pin(pin)
    assert raised.value.reason is Reason.BAD_ARGUMENT


@pytest.mark.clause("PNX-14")
def test_an_award_is_confirmed_with_a_card_and_its_pin(desk: Desk) -> None:
    assert "PIN" in desk.refused("s1", "confirm_award", **AWARD).message
    assert "2 tries" in desk.refused("s1", "confirm_award", **AWARD, pin="0000").message
    assert desk.do("s1", "confirm_award", **AWARD, pin=PINS["s1"])["page"] == 1
    # What held starts the count again.
    assert desk.failures("s1") == 0


@pytest.mark.parametrize(
    "smuggled",
    [
        {"pin_held": True},
        {"pin_held": True, "second_pin_held": True},
        {"pin_held": "yes"},
    ],
)
def test_that_a_pin_held_cannot_be_said_by_whoever_asks(
    desk: Desk, smuggled: dict[str, Any]
) -> None:
    assert "PIN" in desk.refused("s1", "confirm_award", **AWARD, **smuggled).message
    refused = desk.refused("s1", "adjust", **ADJUSTMENT, second="c1", **smuggled)
    assert "both cards" in refused.message
    assert refused.reason is Reason.NOT_APPROVED
    # Nor next to a PIN that is right: the second person's stays unproved.
    asked = {**ADJUSTMENT, "second": "c1", **smuggled}
    assert "both cards" in desk.refused("s1", "adjust", **asked, pin=PINS["s1"]).message
    # Nor by an administrator.
    unlocked = desk.refused("a1", "unlock_card", card="s1", **smuggled, pin=None)
    assert (unlocked.reason, unlocked.clause) == (Reason.NOT_APPROVED, "WAC 230-15-430")


def test_nobody_starts_the_own_count_of_failures_again(desk: Desk) -> None:
    desk.refused("s1", "confirm_award", **AWARD, pin="0000")
    refused = desk.refused("s1", "note_pin", held=True)
    assert refused.reason is Reason.NOT_APPROVED
    assert desk.failures("s1") == 1


def test_three_wrong_pins_lock_a_card_and_another_administrator_unlocks_it(desk: Desk) -> None:
    told = [desk.refused("s1", "confirm_award", **AWARD, pin="0000").message for _ in range(3)]
    assert ["2 tries" in told[0], "1 tries" in told[1], "locked now" in told[2]] == [True] * 3
    # The right one no longer helps, and says nothing about itself.
    right = desk.refused("s1", "confirm_award", **AWARD, pin=PINS["s1"])
    wrong = desk.refused("s1", "confirm_award", **AWARD, pin="0000")
    assert (right.reason, right.message) == (wrong.reason, wrong.message)
    assert "locked" in right.message
    # Nor does work without a PIN, or the card as the second one.
    assert "locked" in desk.refused("s1", "call_supervisor", table="T").message
    asked = {**ADJUSTMENT, "second": "s1", "pin": PINS["s2"], "second_pin": PINS["s1"]}
    assert "locked" in desk.refused("s2", "adjust", **asked).message
    assert desk.failures("s1") == 3
    desk.refused("s2", "unlock_card", card="s1", new_pin=NEW)
    desk.do("a1", "unlock_card", card="s1", new_pin=NEW)
    assert "wrong" in desk.refused("s1", "confirm_award", **AWARD, pin=PINS["s1"]).message
    assert desk.do("s1", "confirm_award", **AWARD, pin=NEW)["page"] == 1


DEPOSIT: dict[str, Any] = {"link": "L", "balance_cents": 10**9, "reference": "a wire"}


def test_three_failures_must_be_in_a_row(desk: Desk) -> None:
    for _ in range(3):
        for _ in range(2):
            desk.refused("c1", "record_deposit", **DEPOSIT, pin="0000")
        # A command that is refused for another reason looks at no PIN, right or wrong.
        for pin in (PINS["c1"], "0000"):
            undone = {**DEPOSIT, "reference": "", "pin": pin}
            assert "reference" in desk.refused("c1", "record_deposit", **undone).message
        assert desk.failures("c1") == 2
        desk.do("c1", "record_deposit", **DEPOSIT, pin=PINS["c1"])
        assert desk.failures("c1") == 0


def test_a_wrong_pin_counts_every_time_also_with_the_same_key(desk: Desk) -> None:
    """Otherwise all PINs could be tried, one after the other, on one key."""
    for tried in range(3):
        desk.refused("s1", "confirm_award", **AWARD, pin=f"000{tried}", key="one key")
    assert "locked" in desk.refused("s1", "confirm_award", **AWARD, pin=PINS["s1"]).message
    assert len(desk.events("pin_failed")) == 3


def test_after_a_slip_of_the_finger_the_same_key_still_does_it_once(desk: Desk) -> None:
    desk.refused("s1", "confirm_award", **AWARD, pin="0000", key="one key")
    first = desk.do("s1", "confirm_award", **AWARD, pin=PINS["s1"], key="one key")
    again = desk.do("s1", "confirm_award", **AWARD, pin=PINS["s1"], key="one key")
    assert first == again
    assert len(desk.events("award_confirmed")) == 1


def test_an_unknown_or_withdrawn_card_does_nothing(desk: Desk) -> None:
    assert "unknown" in desk.refused("zz", "confirm_award", **AWARD, pin="1234").message
    assert "unknown" in desk.refused("zz", "round", table="T", text=PRESS).message
    asked = {**ADJUSTMENT, "second": "zz", "pin": PINS["s1"], "second_pin": "1234"}
    assert "unknown" in desk.refused("s1", "adjust", **asked).message
    without = {**ADJUSTMENT, "pin": PINS["s1"], "second_pin": "1234"}
    assert "name the second card" in desk.refused("s1", "adjust", **without).message
    desk.do("a1", "withdraw_card", card="s1")
    assert "no longer valid" in desk.refused("s1", "confirm_award", **AWARD, pin=PINS["s1"]).message


@pytest.mark.clause("PGM-16", "PNX-16", "PML-15")
def test_an_adjustment_is_signed_by_two_people_each_with_the_own_pin(desk: Desk) -> None:
    asked: dict[str, Any] = {**ADJUSTMENT, "cents": 5_000, "reason": "house_adds", "second": "c1"}
    for pins in (
        {},
        {"pin": PINS["s1"]},
        {"second_pin": PINS["c1"]},
        {"pin": PINS["s1"], "second_pin": PINS["s1"]},
        {"pin": PINS["c1"], "second_pin": PINS["s1"]},
        {"pin": PINS["s1"], "second_pin": "0000"},
    ):
        assert desk.refused("s1", "adjust", **asked, **pins).reason is Reason.NOT_APPROVED
    # The first card's failure is forgotten with the right PIN after it; the second has two.
    assert (desk.failures("s1"), desk.failures("c1")) == (0, 2)
    done = desk.do("s1", "adjust", **asked, pin=PINS["s1"], second_pin=PINS["c1"])
    assert done["slip"] == 1


def test_nobody_approves_the_own_entry(desk: Desk) -> None:
    own = {**ADJUSTMENT, "second": "s1", "pin": PINS["s1"], "second_pin": PINS["s1"]}
    assert desk.refused("s1", "adjust", **own).reason is Reason.NOT_APPROVED
    # A second card of the same person is no second person, whatever its role.
    again = {"name": "holder of s1", "new_pin": PINS["s1"], "same_person_as": "s1"}
    desk.do("a1", "issue_card", **again, card="s9", role="executive")
    desk.do("a1", "issue_card", **again, card="c9", role="cage")
    own = {**ADJUSTMENT, "second": "c9", "pin": PINS["s1"], "second_pin": PINS["s1"]}
    assert "two people" in desk.refused("s1", "adjust", **own).message
    # Whoever chose the hand does not confirm it, with this card or with another.
    for told in ("position 1 is off the display", f"position 1 is on the display: {HAND}"):
        assert told in " ".join(desk.do("s1", "round", table="T", text=PRESS)["told"])
    for card in ("s1", "s9"):
        refused = desk.refused(card, "confirm_award", **AWARD, pin=PINS["s1"])
        assert (refused.reason, refused.clause) == (Reason.NOT_APPROVED, "PNX-14")
    assert desk.do("s2", "confirm_award", **AWARD, pin=PINS["s2"])["page"] == 1
    assert "own card" in desk.refused("a1", "unlock_card", card="a1", new_pin=NEW).message


def test_an_administrator_locked_out_is_let_in_by_another(desk: Desk) -> None:
    for _ in range(3):
        desk.refused("a1", "unlock_card", card="s1", new_pin=NEW, pin="0000")
    locked = desk.refused("a1", "unlock_card", card="s1", new_pin=NEW, pin=None)
    assert "locked" in locked.message
    desk.do("a2", "unlock_card", card="a1", new_pin=NEW)
    desk.do("a1", "unlock_card", card="s1", new_pin=NEW, pin=NEW)
