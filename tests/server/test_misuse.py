"""Attacks with cards and PINs from within: what each learns, moves or leaves behind is nothing."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from houseway.floor import service
from houseway.journal.event import Command
from houseway.refusal import Reason, Refused
from tests.server.serving import (
    CHEAP,
    PIN,
    Client,
    Dealer,
    InThread,
    Rigged,
    boldly,
    furnish_quickly,
    in_thread,
    limits,
)

POKER = {"table": "Poker"}
ADJUSTMENT: dict[str, Any] = {
    "link": "Royal",
    "level": "single",
    "cents": 100,
    "reason": "house_adds",
    "text": "a gift",
}
WRONG_PIN, NEW_PIN = "0000", "1357"
SEEN = dict.fromkeys(("hand", "wager", "amount", "player"), True)
CHECKED = dict.fromkeys(("hand_seen", "wager_lit", "amount", "deck_counted", "surveillance"), True)


class Counted:
    """A hasher that counts the PINs it looks at."""

    def __init__(self) -> None:
        self.verified = 0

    def hash(self, *given: Any, **named: Any) -> str:
        return CHEAP.hash(*given, **named)

    def verify(self, *given: Any) -> bool:
        self.verified += 1
        return CHEAP.verify(*given)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[InThread]:
    """A floor of its own: cards are locked here."""
    with in_thread(f"sqlite:///{tmp_path}/floor.sqlite") as made:
        yield made


@pytest.fixture
def hasher(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Counts from when everybody is signed in."""
    for card in ("a1", "d1", "s1", "e1", "c1", "v1"):
        floor.as_(card)
    counted = Counted()
    monkeypatch.setattr(service, "_HASHER", counted)
    return counted


def failures(floor: InThread, card: str) -> list[tuple[str, str]]:
    """The wrong PINs of a card, as the journal has them: kind and who typed it."""
    own = [event for event in floor.events() if event.stream == f"person:{card}"]
    return [(event.kind, event.actor) for event in own if event.kind == "pin_failed"]


def recorded(floor: InThread, after: int) -> list[dict[str, Any]]:
    """What was written down after a position, without what every command has of its own."""
    own = ("key",)
    return [
        {"kind": event.kind, **{n: v for n, v in event.data.items() if n not in own}}
        for event in floor.events()[after:]
    ]


def tried(floor: InThread, client: Client, name: str, arguments: Any, **pins: str) -> Any:
    """What a try tells: the answer, and what is written down of it."""
    before = len(floor.events())
    answer = client.ask(name, arguments, **pins)
    assert answer.status_code != 200, answer.text
    return answer.status_code, answer.text, recorded(floor, before)


# Guessing PINs by commands.


@pytest.mark.parametrize(
    ("card", "name", "arguments"),
    [
        ("v1", "adjust", {**ADJUSTMENT, "second": "c1"}),
        ("d1", "void_slip", {"slip": 1, "reason": "x", "second": "c1"}),
        ("u1", "make_link", {"link": "M", "progressive": "x", "paytable": "1", "second": "e1"}),
        ("s1", "correct_time", {"reason": "x", "second": "e1"}),
        ("s1", "count_drop", {"box": 1, "count": {}, "total_cents": 0, "second": "c1"}),
        # The second card of the same department, or somebody who signs nothing of the kind.
        ("s1", "adjust", {**ADJUSTMENT, "second": "e1"}),
        ("s1", "adjust", {**ADJUSTMENT, "second": "a1"}),
        # Of a command that would be done, but for one argument.
        ("s1", "adjust", {**ADJUSTMENT, "second": "c1", "cents": 0}),
        # A command that nobody else signs.
        ("c1", "pay_award", {**POKER, "page": 1, "reference": "x"}),
    ],
)
def test_who_may_not_do_a_command_learns_nothing_of_a_pin(
    floor: InThread, hasher: Counted, card: str, name: str, arguments: dict[str, Any]
) -> None:
    client = floor.as_(card)
    hasher.verified = 0
    ways = [
        {"pin": own, "second_pin": second} for own in (PIN, WRONG_PIN) for second in (PIN, "0001")
    ]
    told = [tried(floor, client, name, arguments, **pins) for pins in ways * 5]
    assert [one for one in told if one != told[0]] == []
    assert hasher.verified == 0
    assert [failures(floor, one) for one in ("e1", "c1", "a1", card)] == [[]] * 4


def test_a_command_that_takes_one_person_looks_at_no_second_pin(
    floor: InThread, hasher: Counted
) -> None:
    count = {"count": {"100": 10}, "total_cents": 1_000}
    dan = floor.as_("d1")
    dan.do("count_opener", {**POKER, **count, "second": "s1"}, pin=PIN, second_pin=PIN)
    fill = {**POKER, "kind": "fill", **count}
    slip = floor.as_("s1").do("request_slip", fill, pin=PIN)["slip"]
    hasher.verified = 0
    for second_pin in (PIN, WRONG_PIN):
        asked = {"slip": slip, "second": "e1"}
        told = floor.as_("c1").refused("send_slip", asked, pin=PIN, second_pin=second_pin)
        assert "signs nothing here" in told[1]
        told = dan.refused("open_round", POKER, pin=PIN, second_pin=second_pin)
        assert "name the second card" in told[1]
    assert (hasher.verified, failures(floor, "e1")) == (0, [])


@pytest.mark.usefixtures("hasher")
def test_a_wrong_second_pin_is_recorded_with_who_typed_it(floor: InThread) -> None:
    sue, asked = floor.as_("s1"), {**ADJUSTMENT, "second": "c1"}
    for left in ("2 tries are left", "1 tries are left", "the card is locked now"):
        assert left in sue.refused("adjust", asked, pin=PIN, second_pin=WRONG_PIN)[1]
    assert failures(floor, "c1") == [("pin_failed", "s1")] * 3
    assert failures(floor, "s1") == []
    shown = floor.as_("v1").get("/api/trail", params={"kind": "pin_failed"})["events"]
    assert {(event["stream"], event["actor"]) for event in shown} == {("person:c1", "s1")}
    [alert] = [one for one in floor.as_("e1").get("/api/pit")["alerts"] if "PIN" in one["text"]]
    assert "3 wrong PINs of Cal (card c1) today, typed by Sue (card s1)" in alert["text"]


def test_nobody_guesses_many_pins_at_once(floor: InThread, hasher: Counted) -> None:
    """Tries at the same moment would all be made before the first is counted."""
    sue, asked = floor.as_("s1"), {**ADJUSTMENT, "second": "c1"}
    hasher.verified = 0
    with ThreadPoolExecutor(8) as several:
        pins = [f"{number:04d}" for number in range(12)]
        told = [*several.map(lambda pin: sue.ask("adjust", asked, pin=PIN, second_pin=pin), pins)]
    assert {answer.status_code for answer in told} == {403}
    assert failures(floor, "c1") == [("pin_failed", "s1")] * 3
    # The right PIN of the one who typed, each time, and three of the other card.
    assert hasher.verified <= len(pins) + 3


@pytest.mark.parametrize("how", ["locked", "withdrawn"])
def test_the_pin_of_a_card_that_is_not_good_is_not_looked_at(
    floor: InThread, hasher: Counted, how: str
) -> None:
    if how == "withdrawn":
        floor.as_("a1").do("withdraw_card", {"card": "c1"}, pin=PIN)
    else:
        for _ in range(3):
            floor.client().sign_in("c1", WRONG_PIN)
    hasher.verified = 0
    asked = {**ADJUSTMENT, "second": "c1"}
    told = [
        tried(floor, floor.as_("s1"), "adjust", asked, pin=PIN, second_pin=second)
        for second in (PIN, WRONG_PIN, PIN)
    ]
    assert told[0] == told[1] == told[2]
    assert hasher.verified == 0
    # Nor does signing in leave a record that differs.
    before = len(floor.events())
    for pin in (PIN, WRONG_PIN):
        floor.client().sign_in("c1", pin)
    first, second = recorded(floor, before)
    assert first == second
    assert "held" not in repr([event.data for event in floor.events() if event.kind == "refused"])


def test_a_used_key_tries_no_pin(floor: InThread, hasher: Counted) -> None:
    sue = floor.as_("s1")
    sue.do("call_supervisor", {**POKER, "reason": "dispute"}, key="a-key-of-mine")
    hasher.verified = 0
    asked = {**ADJUSTMENT, "second": "c1"}
    told = [
        tried(floor, sue, "adjust", asked, key="a-key-of-mine", pin=PIN, second_pin=second)
        for second in (PIN, WRONG_PIN)
    ]
    assert (told[0], told[0][0], hasher.verified) == (told[1], 409, 0)


@pytest.mark.usefixtures("hasher")
def test_pins_of_commands_are_tried_only_so_often(floor: InThread) -> None:
    sue, dan, asked = floor.as_("s1"), floor.as_("d1"), {**ADJUSTMENT, "second": "c1"}

    def wrong(second: str = "c1") -> int:
        given = {**asked, "second": second}
        return sue.ask("adjust", given, pin=PIN, second_pin=WRONG_PIN).status_code

    # By the card that is tried, by the card that types, and by the address.
    for what, most in (("card", 1), ("pins", 1), ("sign-in", 1)):
        floor.room.limits = limits({what: most})
        assert wrong("u1" if what == "sign-in" else "c1") == 403
        assert wrong("c1" if what == "card" else "u1") == 429
    # The address counts for signing in as well, and a PIN that holds is not counted.
    assert dan.sign_in("d1").status_code == 429
    floor.room.limits = limits({"card": 1, "pins": 2, "sign-in": 2})
    for _ in range(4):
        deposit = {"link": "Royal", "balance_cents": 10**9, "reference": "a wire"}
        floor.as_("c1").do("record_deposit", deposit, pin=PIN)


# Unlocking.


@pytest.mark.usefixtures("hasher")
def test_an_unlocked_card_has_another_pin(floor: InThread) -> None:
    """Otherwise the one who guessed it, or looked on, goes on to sign for two."""
    ada = floor.as_("a1")
    for _ in range(3):
        floor.client().sign_in("c1", WRONG_PIN)
    assert ada.ask("unlock_card", {"card": "c1"}, pin=PIN).status_code == 422
    before = len(floor.events())
    status, told = ada.refused("unlock_card", {"card": "c1", "new_pin": PIN}, pin=PIN)
    assert (status, "another PIN than before" in told) == (422, True)
    # A refusal that would tell the old PIN is written down nowhere.
    assert recorded(floor, before) == []
    assert floor.client().sign_in("c1").status_code == 403
    ada.do("unlock_card", {"card": "c1", "new_pin": NEW_PIN}, pin=PIN, key="once-and-again")
    ada.do("unlock_card", {"card": "c1", "new_pin": NEW_PIN}, pin=PIN, key="once-and-again")
    sue, asked = floor.as_("s1"), {**ADJUSTMENT, "second": "c1"}
    assert sue.ask("adjust", asked, pin=PIN, second_pin=PIN).status_code == 403
    assert sue.do("adjust", asked, pin=PIN, second_pin=NEW_PIN)["slip"] == 1


@pytest.mark.usefixtures("hasher")
def test_a_pin_that_unlocking_confirms_is_good_no_more(floor: InThread) -> None:
    """A command that comes to nothing changes no PIN, so its refusal would be a free guess."""
    ada, key = floor.as_("a1"), "one-key-for-two"
    own = floor.room.floor
    unlock = {"card": "e1"}
    paper = {"paper": "internal_controls", "reference": "x", "day": "2026-01-01"}

    class Meanwhile:
        """Counts tries, and does something else with the key while the PIN is looked at."""

        def begin(self, card: str) -> None:
            if card == "e1":
                ada.do("record_paper", paper, key=key, pin=PIN)

        def held(self, card: str) -> None:
            pass

    def unlocked(guess: str) -> Command:
        given = {**unlock, "new_pin": guess}
        return own.command("a1", "unlock_card", given, key=key, pin=PIN, tries=Meanwhile())

    for guess in (WRONG_PIN, PIN):
        with pytest.raises(Refused) as told:
            own.journal.do(unlocked(guess))
        assert told.value.reason is (Reason.BAD_ARGUMENT if guess == PIN else Reason.KEY_USED)
        key = "another-key-for-two"
    # Nothing came of either, but that the PIN which was found is of no use to who found it.
    assert failures(floor, "e1") == [("pin_failed", "a1")] * 3
    assert floor.client().sign_in("e1").status_code == 403
    asked = {"reason": "x", "second": "e1"}
    assert "locked" in ada.refused("correct_time", asked, pin=PIN, second_pin=PIN)[1]
    [alert] = [one for one in floor.as_("v1").get("/api/pit")["alerts"] if "PIN" in one["text"]]
    assert "3 wrong PINs of Eve (card e1) today, typed by Ada (card a1)" in alert["text"]


# Money without a PIN.


def test_no_money_moves_without_a_pin(rigged_floor: InThread, decks: Rigged) -> None:
    decks.decks.append("As Ks Qs 9c 6d 2h Kh 9h 4d")
    dealer = Dealer(rigged_floor.as_("d1"), "Poker")
    dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
    dealer.until("pay envy", boldly)
    sue, cal = rigged_floor.as_("s1"), rigged_floor.as_("c1")
    dealer.client.do("call_supervisor", POKER)
    confirm = {**POKER, "position": 1, "checklist": CHECKED}
    page = rigged_floor.as_("e1").do("confirm_award", confirm, pin=PIN)["page"]
    award = {**POKER, "page": page}
    rigged_floor.as_("v1").do("check_on_camera", {**award, "seen": SEEN}, pin=PIN)
    royal = {"link": "Royal"}
    before = balances(rigged_floor)
    for client, name, arguments in (
        (cal, "pay_award", {**award, "reference": "form 1"}),
        (cal, "pay_adjustment", {**POKER, "slip": 1, "reference": "form 1"}),
        (cal, "record_deposit", {**royal, "balance_cents": 1, "reference": "a wire"}),
        (cal, "hand_cheque", {**royal, "page": page, "reference": "a cheque"}),
        (sue, "reprint_page", {**royal, "page": page}),
        (sue, "end_earlier_game", {**POKER, "reason": "a fire"}),
        (sue, "round", {**POKER, "text": "void ruling: a fire"}),
        (sue, "round", {**POKER, "text": "rule void: a fire"}),
        (sue, "round", {**POKER, "text": "correct 1: ante missed"}),
        (sue, "adjust", {**ADJUSTMENT, "second": "c1"}),
        (sue, "turn_key", {**POKER, "to": "jph"}),
    ):
        status, told = client.refused(name, arguments)
        assert (status in (403, 409), "PIN" in told or name == "turn_key") == (True, True), name
    assert balances(rigged_floor) == before
    assert cal.do("pay_award", {**award, "reference": "form 1"}, pin=PIN)["page"] == page
    assert sue.do("reprint_page", {**royal, "page": page}, pin=PIN)["reprint"] is True


def balances(floor: InThread) -> Any:
    with floor.room.floor.journal.engine.connect() as connection:
        return connection.exec_driver_sql("SELECT * FROM account ORDER BY name").all()


# One person with two cards.


def test_two_cards_of_one_person_never_sign_as_two_people(floor: InThread) -> None:
    """Whatever name stands on them, and two people of one name are two."""
    ada = floor.as_("a1")
    card = {"role": "cage", "new_pin": PIN}
    for name in ("Sue", "SUE", " sue"):
        told = ada.refused("issue_card", {**card, "card": "c7", "name": name}, pin=PIN)
        assert (told[0], "same_person_as" in told[1]) == (409, True)
    both = {**card, "card": "c7", "name": "Sue", "same_person_as": "s1", "another_person": True}
    assert "not both" in ada.refused("issue_card", both, pin=PIN)[1]
    unknown = {**card, "card": "c7", "name": "Sue", "same_person_as": "zz"}
    assert "unknown" in ada.refused("issue_card", unknown, pin=PIN)[1]
    own = {**card, "card": "c7", "name": "Susan Married", "same_person_as": "s1"}
    ada.do("issue_card", own, pin=PIN)
    ada.do("issue_card", {**card, "card": "c8", "name": "Sue", "another_person": True}, pin=PIN)
    sue = floor.as_("s1")
    alone = sue.refused("adjust", {**ADJUSTMENT, "second": "c7"}, pin=PIN, second_pin=PIN)
    assert "two people" in alone[1]
    assert sue.do("adjust", {**ADJUSTMENT, "second": "c8"}, pin=PIN, second_pin=PIN)["slip"] == 1
    people = {one["card"]: one["person"] for one in ada.get("/api/administration")["people"]}
    assert people["s1"] == people["c7"] != people["c8"]


@pytest.mark.parametrize("name", ["Sue\ufe0f", "Sue\u3164", "S\u034fue", "\u2800", "\uffa0"])
def test_no_name_or_card_has_letters_that_nobody_sees(floor: InThread, name: str) -> None:
    """Such a name would be that of somebody else, and look like one that is known."""
    ada, card = floor.as_("a1"), {"role": "cage", "new_pin": PIN}
    for given in ({"card": "c7", "name": name}, {"card": name, "name": "Zoe"}):
        assert ada.refused("issue_card", {**card, **given}, pin=PIN)[0] == 422


@pytest.mark.parametrize(
    "name",
    ["S\u0430m", "\u0405ue", "\u0395ve", "\u13aada", "Uma \u0410."],
)
def test_no_name_or_card_mixes_letters_that_look_alike(floor: InThread, name: str) -> None:
    """Cyrillic, Greek or Cherokee letters among Latin ones make another's name."""
    ada, card = floor.as_("a1"), {"role": "cage", "new_pin": PIN}
    for given in ({"card": "c7", "name": name}, {"card": name, "name": "Zoe"}):
        status, told = ada.refused("issue_card", {**card, **given}, pin=PIN)
        assert (status, "write it in one script" in told) == (422, True)


@pytest.mark.parametrize(
    "name",
    [
        "Jos\u00e9 N\u00fa\u00f1ez",
        "\u0418\u0432\u0430\u043d",
        "Ka\u02bbiulani 2nd",
        "\u5c71\u7530 \u306f\u306a\u3053",
        "\uae40\ucca0\uc218",
    ],
)
def test_people_keep_their_own_script(floor: InThread, name: str) -> None:
    card = {"card": "c7", "name": name, "role": "cage", "new_pin": PIN}
    floor.as_("a1").do("issue_card", card, pin=PIN)


@pytest.mark.parametrize("card", [" s1", "s1 ", "s\uff11", "s  1", "\uff53\uff11"])
def test_no_card_looks_like_another_by_blanks_or_wide_letters(floor: InThread, card: str) -> None:
    asked = {"card": card, "name": "Zoe", "role": "cage", "new_pin": PIN}
    status, told = floor.as_("a1").refused("issue_card", asked, pin=PIN)
    assert (status, f"card {card!r} looks like another" in told) == (422, True)


@pytest.mark.parametrize("card", ["D1", "d-1", "d 1", "d1."])
def test_no_card_reads_like_one_that_is_issued(floor: InThread, card: str) -> None:
    asked = {"card": card, "name": "Zoe", "role": "cage", "new_pin": PIN}
    status, told = floor.as_("a1").refused("issue_card", asked, pin=PIN)
    assert (status, f"card {card!r} looks like card 'd1'" in told) == (409, True)
    floor.as_("a1").do("issue_card", {**asked, "card": "d11"}, pin=PIN)


def test_nobody_stops_wagers_with_a_found_card_alone(floor: InThread) -> None:
    asked = {"link": "Royal", "cause": "fault", "why": "the sign is dark"}
    for card in ("s1", "e1", "a1"):
        status, told = floor.as_(card).refused("close_link", asked)
        assert (status, "needs its PIN" in told) == (403, True)
        assert floor.as_(card).refused("close_link", asked, pin=WRONG_PIN)[0] == 403
    floor.as_("s1").do("close_link", asked, pin=PIN)


@pytest.mark.parametrize("name", ["person:d1", "person:x1"])
def test_no_server_starts_with_people_that_were_changed_beside_the_journal(
    tmp_path: Path, name: str
) -> None:
    """A role that no event has given, to a card or to one that was never issued."""
    url = f"sqlite:///{tmp_path}/floor.sqlite"
    furnish_quickly(url)
    with closing(sqlite3.connect(tmp_path / "floor.sqlite")) as connection:
        [(version, head, state)] = connection.execute(
            "SELECT version, hash, state FROM stream WHERE name = 'person:d1'"
        )
        row = (name, version, head, state.replace('"dealer"', '"executive"'))
        connection.execute("REPLACE INTO stream (name, version, hash, state) VALUES (?,?,?,?)", row)
        connection.commit()
    with pytest.raises(Refused, match=f"{name} is not what its events lead to") as raised:
        InThread(url)
    assert raised.value.reason is Reason.JOURNAL_UNAVAILABLE


# Finding out what there is.


def test_what_a_command_expects_tells_of_no_card(floor: InThread) -> None:
    dan = floor.as_("d1")
    told = set()
    for stream in ("person:e1", "person:nobody", "tray:Poker", "floor:house", "refusals"):
        for version in (0, 1):
            status, said = dan.refused("open_round", POKER, expects={stream: version})
            told.add((status, said.replace(stream, "STREAM")))
    [(status, said)] = told
    assert (status, "tables and links only" in said) == (422, True)
    assert dan.ask("open_round", POKER, expects={"table:Poker": 99}).status_code == 409


# Alerts.


def test_only_an_alert_that_is_raised_is_acknowledged(floor: InThread) -> None:
    eve = floor.as_("e1")
    for _ in range(3):
        floor.client().sign_in("t1", WRONG_PIN)
    [alert] = [one["alert"] for one in eve.get("/api/pit")["alerts"] if "t1" in one["alert"]]
    day = alert.rpartition(" ")[2]
    early = f"pin u1 u1 {day}"
    for junk in (early, *(f"junk {number}" for number in range(205))):
        status, told = eve.refused("acknowledge", {"alert": junk})
        assert (status, "is not raised now" in told) == (409, True)
    eve.do("acknowledge", {"alert": alert})
    for _ in range(3):
        floor.client().sign_in("u1", WRONG_PIN)
    seen = {one["alert"]: one["seen"] for one in eve.get("/api/pit")["alerts"]}
    assert (seen[alert]["by"], seen[early]) == ("Eve", None)


@pytest.mark.usefixtures("hasher")
def test_who_guesses_on_is_told_of_again(floor: InThread) -> None:
    """Otherwise one look would silence all that follows."""
    sue, asked = floor.as_("s1"), {**ADJUSTMENT, "second": "c1"}

    def raised() -> dict[str, Any]:
        alerts = floor.as_("v1").get("/api/pit")["alerts"]
        return {one["alert"]: one["seen"] for one in alerts if one["alert"].startswith("pin c1")}

    for _ in range(2):
        for _ in range(2):
            sue.refused("adjust", asked, pin=PIN, second_pin=WRONG_PIN)
        floor.client().sign_in("c1")
    [first] = raised()
    # Who guesses does not put it aside.
    status, told = sue.refused("acknowledge", {"alert": first})
    assert (status, "another person acknowledges it" in told) == (403, True)
    assert raised()[first] is None
    floor.as_("e1").do("acknowledge", {"alert": first})
    assert raised()[first] is not None
    for _ in range(2):
        sue.refused("adjust", asked, pin=PIN, second_pin=WRONG_PIN)
    [(again, seen)] = raised().items()
    assert (again != first, seen) == (True, None)
