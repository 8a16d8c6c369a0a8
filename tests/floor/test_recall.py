"""Recall at the journal: rules as they were, steps taken back, and no more read than is needed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event

from houseway.cards import DECK, card_text, parse_cards
from houseway.floor.cells import cell
from houseway.floor.recall import Recalled, Rounds, listed_round, recalled_round
from houseway.journal import selection
from houseway.journal.event import Event
from houseway.journal.journal import events
from houseway.journal.selection import Selection, newest_first, stretch, version_before
from houseway.live.view import Viewer
from houseway.refusal import Reason, Refused
from tests.floor.recalled import check_recalled, rounds_by_hand
from tests.floor.room import Room

NINES = "9c 9d 9h Kh 7h 4d"
"""Three of a kind for position 1, and a dealer who plays."""
TIE = "Kc 9d 4h Kh 9h 4d"
SHUFFLES = count(1)


def deck(first: str) -> str:
    """A deck that begins with these cards, as our shuffler would tell of it."""
    named = parse_cards(first)
    rest = [card_text(card) for card in DECK if card not in named]
    cards = " ".join([first, *rest])
    return f"shuffle {next(SHUFFLES):012x} by automatic, packets of 3: {cards}"


class Table:
    """A dealer who says lines."""

    def __init__(self, room: Room, name: str = "T1") -> None:
        self.room = room
        self.name = name

    def say(self, *lines: str, by: str = "d1") -> None:
        for line in lines:
            given = {"from_shuffler": True} if line.startswith("shuffle") else {}
            self.room.do(by, "round", table=self.name, text=line, **given)

    def open(self) -> None:
        self.room.do("d1", "open_round", table=self.name)

    def undo(self) -> None:
        self.room.do("d1", "undo", table=self.name)

    def play(self, *bets: str, first: str = NINES) -> None:
        """A whole round of a three-card game; a fixed progressive win is chosen on the display."""
        self.open()
        self.say(*(f"bets {place}: {placed}" for place, placed in enumerate(bets, start=1)))
        self.say("no more bets")
        lit = any("progressive" in placed for placed in bets)
        self.say(*(["start game"] if lit else []), deck(first), "deliver")
        self.say(*(f"decide {place}: play" for place in range(1, len(bets) + 1)))
        self.say("reveal dealer", "reconcile")
        self.say(*(["press 1: three_of_a_kind"] if lit else []), "close")


def who(card: str) -> Mapping[str, str]:
    return {"card": card}


@contextmanager
def rounds(room: Room, table: str = "T1") -> Iterator[Rounds]:
    journal = room.journal
    with journal.engine.connect() as connection:
        yield Rounds(connection, journal.model, table, room.state.position)


def seen(room: Room, number: int, kind: Any = "supervisor", table: str = "T1") -> dict[str, Any]:
    with rounds(room, table) as known:
        return recalled_round(known.recall(number), Viewer(kind), who)


def by_hand(room: Room, table: str = "T1") -> dict[int, list[Event]]:
    with room.journal.engine.connect() as connection:
        return rounds_by_hand(events(connection), table)


@pytest.fixture
def room(database: str) -> Iterator[Room]:
    made = Room(database)
    made.set_up()
    yield made
    made.journal.close()


def test_rounds_before_and_after_a_change_of_link(room: Room) -> None:
    """Each by the paytable of the link that it was dealt for, whatever the table plays for now."""
    table, bets = Table(room), "ante 10, progressive 1"
    table.play(bets)
    room.do("a1", "leave_link", table="T1")
    table.play("ante 10")
    meters = {"single": {"contribution_ppm": 1000, "reserve_ppm": 0, "meter_seed_cents": 1_000_000}}
    given = {"link": "M", "progressive": "three-card-progressive", "paytable": "2"}
    room.do("a1", "make_link", meters=meters, **given)
    room.do("a1", "set_thresholds", link="M", thresholds={"single": 1_000_000})
    room.do("a1", "join_link", table="T1", link="M")
    table.play(bets)
    found = by_hand(room)
    pays = []
    for number in (1, 2, 3):
        document = seen(room, number)
        check_recalled(document, found[number], "three-card-poker", {})
        assert document["rules"]["digest"] == document["rules"]["recorded"]
        assert document["differing"] == []
        lines = document["steps"][-1]["round"]["positions"][0]["lines"]
        pays += [line["net"] for line in lines if line["bet"] == "progressive"]
    # 60 for 1 and 90 for 1.
    assert pays == [5900, 8900]


def test_rounds_before_and_after_a_change_of_options(room: Room) -> None:
    """A tie is returned, lost or won, by what held when the round was opened."""
    room.do("a1", "leave_link", table="T1")
    table = Table(room)
    options: list[dict[str, str]] = [{}, {"tie_rule": "lose"}, {"tie_rule": "win"}]
    for chosen in options:
        room.do("a1", "change_table", table="T1", options=chosen)
        table.play("ante 10, pair-plus 5", first=TIE)
    found, nets = by_hand(room), []
    for number, chosen in enumerate(options, start=1):
        document = seen(room, number)
        check_recalled(document, found[number], "three-card-poker", chosen)
        assert document["rules"]["digest"] == document["rules"]["recorded"]
        nets.append(document["house_cents"])
    assert nets == [500, 2500, -1500]


def test_steps_that_were_taken_back_are_told_and_count_for_nothing(room: Room) -> None:
    table = Table(room)
    table.open()
    table.say("bets 1: ante 10", "bets 2: ante 50")
    table.undo()
    table.undo()
    table.say("bets 1: ante 25", "no more bets", deck(NINES), "deliver", "decide 1: fold")
    with rounds(room) as known, pytest.raises(Refused) as told:
        recalled_round(known.recall(1), Viewer("surveillance"), who)
    assert told.value.reason is Reason.WRONG_PHASE
    # With one position its decision ends the phase, so there is nothing to take back.
    with pytest.raises(Refused, match="cannot be taken back"):
        table.undo()
    table.say("collect forfeits", "reveal dealer", "close")
    document = seen(room, 1)
    check_recalled(document, by_hand(room)[1], "three-card-poker", {})
    steps = [(step["kind"], step["text"], step["undone"]) for step in document["steps"][:6]]
    assert steps == [
        ("opened", "", False),
        ("command", "bets 1: ante 10", True),
        ("command", "bets 2: ante 50", True),
        ("undo", "bets 2: ante 50", False),
        ("undo", "bets 1: ante 10", False),
        ("command", "bets 1: ante 25", False),
    ]
    wagers = [
        {seat["position"]: seat["wagers"]["ante"] for seat in step["round"]["positions"]}
        for step in document["steps"][:6]
    ]
    assert wagers == [{}, {1: 1000}, {1: 1000, 2: 5000}, {1: 1000}, {}, {1: 2500}]
    assert document["house_cents"] == 2500


def test_a_void_round_and_who_dealt_it(room: Room) -> None:
    table = Table(room)
    table.open()
    table.say("bets 1: ante 10", "no more bets", deck(NINES))
    table.say("deliver 1", by="d2")
    table.say("deliver")
    table.say("void exposed_card: the deck fell", by="s1")
    document = seen(room, 1)
    check_recalled(document, by_hand(room)[1], "three-card-poker", {})
    assert (document["void"], document["house_cents"]) == ("exposed_card", 0)
    assert [one["card"] for one in document["dealers"]] == ["d2", "d1"]
    assert document["steps"][-1]["actor"] == {"card": "s1"}
    assert document["positions"] == [{"position": 1, "player": "", "net": 0}]
    # A dealer sees of it what lay face up, which was nothing.
    dealer = seen(room, 1, "dealer")
    assert dealer["steps"][-1]["round"]["dealer"] == ["??"] * 3
    told = [line for step in dealer["steps"] for line in step["told"]]
    assert "position 1 gets ?? ?? ?? face down" in told


def test_a_meter_award_is_recalled_as_the_ledger_has_paid_it(room: Room) -> None:
    """Also when it was put back once, and the meter had grown before it was paid again."""
    room.do("a1", "make_table", table="T2", game="three-card-poker", options={})
    room.do("a1", "join_link", table="T2", link="L")
    room.play("T1", {1: None, 2: "akq_spades"})
    room.press("T1", 2, "akq_spades")
    room.do("d1", "call_supervisor", table="T1")
    assert room.confirm("T1", 2)["amount_cents"] == 1_000_040
    slip = {"link": "L", "level": "single", "cents": 1_000_040, "reason": "award_backed_out"}
    signed = {"second": "c1", "pin_held": True, "second_pin_held": True}
    room.do("s1", "adjust", **slip, **signed, page=1, text="the deck was not counted")
    room.quiet_round("T2", 5)
    room.press("T1", 2, "akq_spades")
    assert room.confirm("T1", 2)["amount_cents"] == 1_000_060
    room.say("T1", "pay envy")
    room.say("T1", "close")
    document = seen(room, 1)
    check_recalled(document, by_hand(room)[1], "three-card-poker", {})
    assert document["differing"] == []
    [won] = [seat["net"] for seat in document["positions"] if seat["position"] == 2]
    [line] = [
        line
        for seat in document["steps"][-1]["round"]["positions"]
        for line in seat["lines"]
        if line["bet"] == "progressive" and seat["position"] == 2
    ]
    assert line["net"] == 1_000_060 - 100
    assert won > line["net"]
    told = [step["text"] for step in document["steps"] if step["text"][:5] in ("award", "back ")]
    assert told == ["award 2: 10000.40", "back out 2", "award 2: 10000.60"]


def test_a_round_carries_over_what_the_one_before_left(room: Room) -> None:
    """A shuffler that failed stays so, and the deck before is known; both are in the opening."""
    table = Table(room)
    table.open()
    table.say("bets 1: ante 10", "no more bets", deck(NINES), "shuffler fault: it jams")
    table.say("void shuffler_fault: no cards", by="s1")
    table.open()
    table.say("bets 1: ante 10")
    table.say("void ruling: closing", by="s1")
    with rounds(room) as known:
        second = known.recall(2)
    assert second.steps[0].after.runbook is not None
    assert second.steps[0].after.previous_shuffle
    assert second.differing == ()


def test_rounds_that_there_are_not(room: Room) -> None:
    table = Table(room)
    with rounds(room) as known:
        assert known.newest() == []
        for number in (1, 2**62):
            with pytest.raises(Refused, match=f"round {number} of table 'T1' is unknown"):
                known.recall(number)
    table.play("ante 10")
    with rounds(room) as known:
        assert [one.number for one in known.newest() if isinstance(one, Recalled)] == [1]
        assert known.newest(1) == []
    with rounds(room, "Nowhere") as known:
        assert known.newest() == []


# No more is read than is needed.


@pytest.fixture
def busy(room: Room) -> Room:
    """Two tables with some dozens of short rounds each."""
    room.do("a1", "make_table", table="T2", game="three-card-poker", options={})
    for number in range(1, 41):
        for name in ("T1", "T2"):
            table = Table(room, name)
            table.open()
            table.say(*(f"bets {place}: ante {5 * number}" for place in range(1, number % 4 + 2)))
            table.say("void ruling: for a test", by="s1")
    return room


def test_any_round_of_many_is_found(busy: Room) -> None:
    found = by_hand(busy)
    with rounds(busy) as known:
        for number in range(1, 41):
            recalled = known.recall(number)
            assert [step.event.position for step in recalled.steps] == [
                event.position for event in found[number]
            ]
            first, last = known.versions(number)
            # What the round came to stands behind its last step.
            assert (first, last) == (found[number][0].version, found[number][-1].version + 1)
        numbers: list[int] = []
        before: int | None = None
        while page := known.newest(before, 7):
            assert all(isinstance(one, Recalled) for one in page)
            numbers += [listed_round(one, who)["number"] for one in page]  # type: ignore[arg-type]
            before = numbers[-1]
        assert numbers == [*range(40, 0, -1)]


def test_every_question_is_answered_by_an_index(busy: Room) -> None:
    """On SQLite, whose plans are plain to read; PostgreSQL is told not to go through tables."""
    if not busy.journal.url.startswith("sqlite"):
        return
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        asked.append((statement, parameters))

    engine = busy.journal.engine
    event.listen(engine, "before_cursor_execute", note)
    with rounds(busy) as known:
        known.recall(23)
        recalled = len(asked)
        known.newest(30)
        for wanted in (
            Selection(stream="table:T1", kind="round"),
            Selection(stream="table:T1", kind="round", actor="s1", first=10, last=90),
            Selection(kind="round_opened"),
            Selection(actor="s1", kind="round"),
        ):
            newest_first(known.connection, wanted, 5, before=100)
        selection.kinds(known.connection)
    event.remove(engine, "before_cursor_execute", note)
    # A few to come near each end of the round, however many rounds there are.
    assert recalled < 60
    with engine.connect() as connection:
        for statement, parameters in asked:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
            steps = [row[-1] for row in plan]
            assert all(step.startswith("SEARCH") for step in steps), (statement, steps)


def test_selections_find_what_there_is(busy: Room) -> None:
    """Against a look at every event."""
    rng = Random(8)
    with busy.journal.engine.connect() as connection:
        everything = events(connection)
        streams = ["", "table:T1", "table:T2", "person:d1", "link:L", "nowhere"]
        for _ in range(150):
            wanted = Selection(
                stream=rng.choice(streams),
                kind=rng.choice(["", "round", "round_opened", "card_issued", "nothing"]),
                actor=rng.choice(["", "d1", "s1", "a1", "nobody"]),
                first=rng.choice([1, 1, 20]),
                last=rng.choice([None, None, 60]),
            )
            before, most, skip = rng.randint(1, 500), rng.randint(1, 30), rng.choice([0, 0, 9])
            by_eye = [one for one in reversed(everything) if _is_wanted(one, wanted, before)]
            found = newest_first(connection, wanted, most, before=before, skip=skip)
            assert found == by_eye[skip : skip + most]
        for stream in streams[1:]:
            own = [one for one in everything if one.stream == stream]
            for position in (1, 7, 99, 300, 10**6):
                before_it = [one.version for one in own if one.position < position]
                assert version_before(connection, stream, position) == max(before_it, default=0)
            assert [*stretch(connection, stream, 3, 8)] == own[2:8]
        assert selection.kinds(connection) == sorted({one.kind for one in everything})


def _is_wanted(one: Event, wanted: Selection, before: int) -> bool:
    in_stream = not wanted.stream or (
        one.stream == wanted.stream
        and wanted.first <= one.version
        and (wanted.last is None or one.version <= wanted.last)
    )
    return (
        in_stream
        and one.position < before
        and wanted.kind in ("", one.kind)
        and wanted.actor in ("", one.actor)
    )


def test_a_stretch_is_read_by_pages(busy: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "PAGE", 7)
    connection: Connection
    with busy.journal.engine.connect() as connection:
        found = [one.version for one in stretch(connection, "table:T1", 2, 40)]
    assert found == [*range(2, 41)]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@A1", "'@A1"),
        ("\t=1", "'\t=1"),
        ("  =1", "'  =1"),
        ("a=1", "a=1"),
        ("", ""),
        (-1, -1),
        (None, None),
        (["=1"], '["=1"]'),
        ({"a": "=1"}, '{"a": "=1"}'),
    ],
)
def test_no_cell_is_a_formula(value: object, written: object) -> None:
    assert cell(value) == written
