"""Room: one open floor with everything that serves it: journal, mirror, hub, sessions."""

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from houseway import __version__
from houseway.floor.books import BOOKS, Clocks
from houseway.floor.day import Clock
from houseway.floor.house import find_house
from houseway.floor.link import find_link
from houseway.floor.person import MOST_FAILURES, Person, person_stream
from houseway.floor.pit import find_pit
from houseway.floor.rules import start_rules
from houseway.floor.service import Floor, Tries
from houseway.floor.statement import GROUPS, Statement, make_period, recorded, statement, titles
from houseway.floor.table import FloorTable, find_table, table_stream
from houseway.floor.timekeeping import find_time
from houseway.floor.tray import tray_stream
from houseway.journal.custody import Custody
from houseway.journal.event import Command, Event
from houseway.journal.journal import Commit, events
from houseway.journal.probe import Probe
from houseway.journal.reading import TIME_CORRECTED, of_kinds
from houseway.journal.state import State
from houseway.journal.store import told
from houseway.live.view import ViewerKind
from houseway.refusal import Reason, Refused
from houseway.server import administration, cage, inbox, lobby, opening, pit, sign
from houseway.server.checkup import REPORT, TITLE, Checkup, last_seal, verification
from houseway.server.console import console
from houseway.server.digest import running
from houseway.server.figures import Figures
from houseway.server.guard import RateLimits
from houseway.server.hub import Hub, Topic, message
from houseway.server.measures import Measures
from houseway.server.mirror import Mirror
from houseway.server.notices import Notices
from houseway.server.practice import TOPIC as PRACTICE
from houseway.server.practice import PracticeRoom
from houseway.server.requests import Asked, OfTable, PeriodAsked
from houseway.server.session import Session, Sessions, secret_uri
from houseway.server.studio import Studio
from houseway.server.today import Today
from houseway.server.trail import read_events
from houseway.server.training import TrainingRoom
from houseway.server.turns import Hand, Turns

SECOND_FACTOR = ("supervisor", "executive", "administrator")
"""Whose card and PIN are not enough where people play for money."""
SLOW_SECONDS = 0.5
"""How often pages that show the whole floor are sent at most."""
SEND_SECONDS = 30
"""How long whoever listens may take to let a message in."""
PING_SECONDS = 15
WATCH_SECONDS = 5
"""How often it is looked whether the journal can be written, and its files are there."""
CHECK_SECONDS = 60
"""How often it is looked whether the sessions of open streams still last, if nothing happens."""
WATCHERS: dict[str, ViewerKind] = {"supervisor": "supervisor", "surveillance": "surveillance"}
ENROL = "second_factor"
WRONG = (
    f"card or PIN is wrong; after {MOST_FAILURES} wrong PINs a card is locked, and an "
    "administrator unlocks it"
)
"""What everybody is told who cannot sign in: who guesses does not learn which cards there are."""
ANOTHER_DAY = ("clock_set", TIME_CORRECTED)
"""After these another part of the journal is today's."""
TWICE_AT_ONCE = (Reason.KEY_USED, Reason.WRONG_PHASE)
LOG = logging.getLogger("uvicorn.error")


class Room:
    """A floor that is served."""

    def __init__(
        self, url: str, clock: Callable[[], str] | None = None, custody: Custody | None = None
    ) -> None:
        self.floor = Floor(url, clock=clock, custody=custody)
        self.demo = self.is_new = False
        self.version = __version__
        self.running = running()
        self.mirror = Mirror()
        self.hub = Hub()
        self.measures = Measures()
        self.practice = PracticeRoom(self.hub, self._send)
        self.training = TrainingRoom(self.floor.journal.engine, self.practice.let_go)
        self.limits = RateLimits()
        self.hand = Hand()
        self.turns = Turns(self.hand)
        self.sessions = Sessions(self.floor.journal.engine, self._moment, self._machine_moment)
        self.checkup = Checkup(self.floor.journal)
        self.probe = Probe(url)
        self.setup_token = secrets.token_urlsafe(24)
        self._dirty: set[str] = set()
        self._kept: dict[str, dict[str, tuple[float, bytes]]] = {}
        self._doubted = False
        self._problems: list[str] = []
        """What was wrong with the journal when it was last looked."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._slow: asyncio.Task[None] | None = None
        self._notices = Notices(url, self.floor.journal.look)
        self.today = Today()
        self._unread: list[Event] | None = []
        """What was committed while the day is read; None once it is."""
        self._reading: asyncio.Task[None] | None = None
        self.figures = Figures(self._figures_known)
        self.studio = Studio()

    async def open(self) -> None:
        """Begin to follow the journal."""
        self._loop = asyncio.get_running_loop()
        ready = self._loop.create_future()

        def committed(commit: Commit) -> None:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._take, commit, ready)

        self.floor.journal.watch(committed)
        self.floor.journal.look()
        await ready
        await self._read_today()
        await self.sessions.read()
        self._notices.start()
        self._slow = asyncio.create_task(self._tick())

    async def close(self) -> None:
        """End every stream, write what waits, and let go."""
        self.hub.close()
        self.practice.close()
        if self._slow is not None:
            self._slow.cancel()
        self._notices.stop()
        self.figures.close()
        self.studio.close()
        await asyncio.to_thread(self.checkup.close)
        self.probe.close()
        await asyncio.to_thread(self.floor.close)

    def _figures_known(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._dirty.add, "pit")

    async def _read_today(self) -> None:
        """What the day has brought so far, from the database; and what comes meanwhile."""
        self._unread = []
        state = self.mirror.state
        clock, upto = find_house(state).clock, state.position
        checkpoint_at = find_pit(state).checkpoint_at
        now = self.now()

        def read() -> Today:
            with told(self.floor.journal.url), self.floor.journal.engine.connect() as connection:
                return Today.read(connection, clock, now, upto, checkpoint_at)

        self.today = await asyncio.to_thread(read)
        self.today.take(self._unread, clock)
        self._unread = None

    # What was committed.

    def _take(self, commit: Commit, ready: "asyncio.Future[None]") -> None:
        self.mirror.take(commit)
        if not ready.done():
            ready.set_result(None)
        for stream in commit.streams:
            kind, _, name = stream.partition(":")
            if kind == "table":
                self._send(stream)
            elif kind == "link":
                self._dirty.add(f"sign:{name}")
            elif kind == "person":
                self._doubted = True
        for account in commit.accounts:
            kind, _, rest = account.partition(":")
            if kind == "meter":
                self._dirty.add(f"sign:{rest.rpartition(':')[0]}")
        if self._unread is not None:
            self._unread.extend(commit.events)
        elif commit.whole or any(event.kind in ANOTHER_DAY for event in commit.events):
            self._reading = asyncio.create_task(self._read_today())
        else:
            self.today.take(commit.events, find_house(self.mirror.state).clock)
        self._dirty |= {"lobby", "inbox", "cage", "pit"}
        self.hub.poke("events")

    def _send(self, name: str) -> None:
        """Send a view to those who listen, made once for each kind of reader."""
        self._kept.pop(name, None)
        for reader, listeners in self.hub.readers(name).items():
            sent = self.message(name, reader)
            for listener in listeners:
                listener.put((name, reader), sent)

    async def _tick(self) -> None:
        """What is done twice a second, and every so often."""
        pinged = checked = watched = time.monotonic()
        while True:
            await asyncio.sleep(SLOW_SECONDS)
            now = time.monotonic()
            try:
                self.hub.drop_late(now - SEND_SECONDS)
                if self.floor.journal.clock_moved(self.mirror.state):
                    # Nobody may have a command for a while, and somebody should be told.
                    self.floor.journal.look()
                self._send_slow()
                self.practice.tick()
                if now - watched >= WATCH_SECONDS:
                    watched = now
                    await self._watch_journal()
                if now - pinged >= PING_SECONDS:
                    pinged = now
                    self.hub.ping()
                if self._doubted or now - checked >= CHECK_SECONDS:
                    self._doubted, checked = False, now
                    await self._check_sessions()
            except Exception:
                # A fault of ours in one view must not keep all others from being sent.
                LOG.exception("a view could not be sent")

    def _send_slow(self) -> None:
        """Send the pages that show the whole floor, as far as something changed."""
        dirty, self._dirty = self._dirty, set()
        for name in dirty:
            self._send(name)

    async def _watch_journal(self) -> None:
        """Log what keeps the journal from being relied on, and see whether it can be again."""
        journal = self.floor.journal
        await asyncio.to_thread(self.probe.step)
        problems = await asyncio.to_thread(self._journal_problems)
        for problem in problems:
            if problem not in self._problems:
                LOG.error("the floor cannot be relied on: %s", problem)
        self._problems = problems
        if journal.failing:
            # Perhaps nobody gives a command for as long as it is said to fail.
            journal.try_again()

    async def _check_sessions(self) -> None:
        """End the streams of whoever is no longer signed in."""
        holders = self.hub.holders()
        try:
            lasting = await asyncio.to_thread(self.sessions.lasting, holders)
        except Refused:
            # Nobody can say now; nothing is shown that could not be shown before.
            self._doubted = True
            return
        gone = {one for one in holders if one not in lasting or not self.role_of(one.card)}
        self.hub.dismiss(frozenset(gone))

    # Views.

    def topic(self, name: str, role: str, browser: str = "") -> Topic:
        """What a listener of a role listens to: readers who see the same share one.

        At a practice table everybody sees something else, by what the browser has been given.
        """
        kind, _, rest = name.partition(":")
        if kind == PRACTICE:
            return name, self.practice.secret_of(rest, browser)
        if kind == "table":
            return name, WATCHERS.get(role, "dealer")
        return name, role if kind in ("lobby", "inbox") else ""

    def find(self, name: str) -> None:
        """Refuse a view of what there is not."""
        kind, _, rest = name.partition(":")
        if kind == "table":
            find_table(self.mirror.state, rest)
        elif kind == "sign":
            find_link(self.mirror.state, rest)
        elif kind == PRACTICE:
            self.practice.find(rest)

    def view(self, name: str, role: str) -> Mapping[str, Any]:
        """A view as plain data."""
        state = self._state_now()
        kind, _, rest = name.partition(":")
        match kind:
            case "table":
                return console(state, rest, WATCHERS.get(role, "dealer"))
            case "sign":
                return sign.sign(state, rest)
            case "inbox":
                return inbox.inbox(state, role)
            case "cage":
                return cage.cage(state)
            case "pit":
                return pit.pit(state, self.today, self.figures.of)
        return lobby.lobby(state, inbox.count(state, role))

    def _state_now(self) -> State:
        """The committed state, with the time of day by which it is looked at."""
        state = self.mirror.state
        state.now = self.now()
        return state

    def now(self) -> str:
        """The floor's time, which a jump of the machine's clock does not move."""
        return self.floor.journal.time(self.mirror.state)

    def _moment(self) -> datetime:
        return datetime.fromisoformat(self.now())

    def _machine_moment(self) -> datetime:
        return datetime.fromisoformat(self.floor.journal.machine_time())

    def message(self, name: str, reader: str) -> bytes:
        """A view as it is sent, made once while it is the newest.

        A page that shows the time is kept no longer than until it would be sent again.
        """
        kind, _, rest = name.partition(":")
        if kind == PRACTICE:
            return message(name, to_json(self.practice.view(rest, reader)))
        now = time.monotonic()
        kept = self._kept.get(name, {}).get(reader)
        if kept is not None and (name.startswith("table:") or now - kept[0] < SLOW_SECONDS):
            return kept[1]
        made = message(name, to_json(self.view(name, reader)), self.mirror.state.position)
        self._kept.setdefault(name, {})[reader] = (now, made)
        return made

    async def administration(self) -> dict[str, Any]:
        """What an administrator sets up."""
        cards = await asyncio.to_thread(self.sessions.with_second_factor)
        return administration.administration(self._state_now(), cards)

    def link_price(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What settings of a link would come to."""
        return administration.link_price(self._state_now(), asked)

    def house_tables(self) -> list[dict[str, str]]:
        """The tables of the floor, by whose rules a dealer may train."""
        tables = lobby.tables_of(self.mirror.state)
        return [{"table": table.name, "game": table.game} for table in tables]

    def house_rules(self, name: str) -> tuple[str, dict[str, str], dict[str, str]]:
        """The game of a table, and its options and paytables as text."""
        table = find_table(self.mirror.state, name)
        rules = start_rules(self.mirror.state, table)
        return table.game, rules["options"], rules["paytables"]

    def pupils(self) -> list[dict[str, str]]:
        """Those with a card, to whom something may be assigned."""
        found = self.mirror.state.streams.items()
        return [
            {"card": stream.partition(":")[2], "name": person.name, "role": person.role}
            for stream, person in sorted(found)
            if isinstance(person, Person) and person.active
        ]

    def openings(self) -> dict[str, Any]:
        """Which tables are open, and why one cannot be."""
        return opening.openings(self._state_now())

    def reports(self) -> dict[str, Any]:
        """The reports there are, and what they may be asked for."""
        state = self._state_now()
        clock = find_house(state).clock
        return {
            "day": clock.day(state.now),
            "time_zone": clock.time_zone,
            "day_begins": clock.day_begins,
            "shifts": [name for name, _ in clock.shifts],
            "tables": [table.name for table in lobby.tables_of(state)],
            "groups": list(GROUPS),
            "reports": [
                {"name": name, "title": title}
                for name, title in {**titles(), REPORT: TITLE}.items()
            ],
        }

    @property
    def clock(self) -> Clock:
        """The clock of the floor."""
        return find_house(self.mirror.state).clock

    def holder(self, card: str) -> str:
        """Who holds a card, as a paper names people: by name and card."""
        found = self.mirror.state.streams.get(person_stream(card))
        return f"{found.name} ({card})" if isinstance(found, Person) else card

    def every(self, name: str) -> list[dict[str, Any]]:
        """Every row of a book."""
        book = BOOKS[name]
        with told(self.floor.journal.url), self.floor.journal.engine.connect() as connection:
            clocks = Clocks(of_kinds(connection, ["clock_set"]))
            return list(book.rows(of_kinds(connection, book.kinds), clocks))

    def recorded(self, name: str) -> list[dict[str, Any]]:
        """Every row of a record of progressives."""
        with told(self.floor.journal.url), self.floor.journal.engine.connect() as connection:
            return list(recorded(connection, name))

    def count_of(self, table: str, session: int, what: str) -> Event | None:
        """The opener or closer of a session, as it was written down."""
        kind = {"opener": "tray_opened", "closer": "tray_closed"}[what]
        with told(self.floor.journal.url), self.floor.journal.engine.connect() as connection:
            stream = tray_stream(table)
            for event in events(connection, stream=stream):
                if event.kind == kind and event.data["session"] == session:
                    return event
        return None

    def report(self, name: str, asked: PeriodAsked) -> Statement:
        """A report for a period, from the database."""
        clock = self.clock
        day = clock.day(self.now())
        period = make_period(asked.first, asked.last, asked.table, asked.shift, day)
        if name == REPORT:
            records, zone = self.mirror.state.position, clock.time_zone
            return verification(self.checkup, self.floor.journal, records, period, zone, day)
        with told(self.floor.journal.url), self.floor.journal.engine.connect() as connection:
            known = self.figures.wait
            return statement(connection, name, period, group=asked.group, expected=known)

    async def audit(self) -> dict[str, Any]:
        """How many records there are, how far they are sealed, and whether they hold."""
        seal = await asyncio.to_thread(last_seal, self.floor.journal)
        records = self.mirror.state.position
        unsealed = records - (seal["position"] if seal else 0)
        return {
            "records": records,
            "last_seal": seal,
            # A seal may be younger than what the pages show.
            "unsealed": max(0, unsealed),
            **self.checkup.status(),
        }

    def events_after(self, position: int, upto: int) -> list[Event]:
        """Events that are no longer at hand, from the database."""
        return read_events(self.floor.journal, position, upto)

    # People.

    def person(self, card: str) -> Person | None:
        """Who holds a card that is good: neither withdrawn nor locked."""
        found = self.mirror.state.streams.get(person_stream(card))
        good = isinstance(found, Person) and found.active and not found.locked
        return found if good else None

    def person_of(self, card: str) -> Person:
        """Who holds a card; refused where nobody does."""
        found = self.person(card)
        if found is None:
            raise Refused(Reason.UNKNOWN_VALUE, f"card {card[:60]!r} is unknown")
        return found

    def role_of(self, card: str) -> str:
        """The role of a card; nothing where it is no longer valid."""
        person = self.person(card)
        return "" if person is None else person.role

    def me(self, session: Session | None) -> dict[str, Any]:
        """Who is signed in, and what runs here."""
        person = None if session is None else self.person(session.card)
        known = person is not None and session is not None
        return {
            "person": {"card": session.card, "name": person.name, "role": person.role}
            if person is not None and session is not None
            else None,
            "csrf": session.csrf if known and session is not None else None,
            "floor": {
                "demo": self.demo,
                "version": self.version,
                "digest": self.running.digest,
                "setup": not self.has_people(),
            },
        }

    def has_people(self) -> bool:
        """True once the floor has its first administrator."""
        return any(isinstance(found, Person) for found in self.mirror.state.streams.values())

    def sign_in(self, card: str, pin: str, code: str) -> tuple[str, Session | None, dict[str, Any]]:
        """A session for a card and its PIN; where a second factor is asked for, what is missing.

        Failures are counted on until everything held: otherwise a PIN that is known would start
        the count again after every wrong code.
        """
        try:
            person = self.floor.holder(card, pin)
        except Refused as refused:
            if refused.reason is Reason.JOURNAL_UNAVAILABLE:
                raise
            raise Refused(Reason.NOT_APPROVED, WRONG) from None
        if person.role in SECOND_FACTOR and not self.demo:
            missing = self._second_factor(card, code)
            if missing is not None:
                return "", None, missing
        return *self._open(card, person), {}

    def _open(self, card: str, person: Person) -> tuple[str, Session]:
        # Written down first: the journal has the last word on whether the card is good.
        self.floor.note_held(card, person, card)
        self.floor.note_session(card, "signed_in")
        return self.sessions.open(card)

    def _second_factor(self, card: str, code: str) -> dict[str, Any] | None:
        """What is asked for beside the PIN; None when it was given and holds."""
        enrolled = self.sessions.has_second_factor(card)
        if not code:
            if enrolled:
                return {ENROL: {"asked": "code"}}
            secret = self.sessions.waiting_secret(card)
            return {ENROL: {"asked": "enrol", "secret": secret, "uri": secret_uri(card, secret)}}
        if not self.sessions.code_holds(card, code):
            self.floor.wrong_code(card)
        if not enrolled:
            self.floor.note_session(card, "second_factor_set")
        return None

    def sign_out(self, token: str, card: str) -> None:
        """End a session."""
        self.sessions.close(token)
        self.floor.note_session(card, "signed_out")

    def set_up(self, token: str, card: str, name: str, pin: str) -> tuple[str, Session]:
        """The first administrator; the token is good for one."""
        given_right = hmac.compare_digest(token.encode(), self.setup_token.encode())
        if self.has_people() or not given_right:
            raise Refused(Reason.NOT_APPROVED, "the token is not the one that this server printed")
        given = {"card": card, "name": name, "new_pin": pin}
        self.floor.do(card, "first_administrator", given, key=f"setup:{token[:40]}")
        return self._open(card, self.floor.person(card))

    # Commands.

    async def do(self, card: str, asked: Asked, tries: Tries | None = None) -> Mapping[str, Any]:
        """Do a command as the holder of a card, and answer when it is on the disk."""
        given = asked.given()
        known = self._table_to_shuffle_for(asked)
        try:
            answer = await self._done(card, asked, given, tries, known)
        except Refused as refused:
            if asked.name != "shuffle" or refused.reason not in TWICE_AT_ONCE:
                raise
            # Two tries with one key made a deck each, or another server knows more of the table:
            # what was written is found now.
            answer = await self._done(card, asked, given, tries)
        if asked.name in ("withdraw_card", "unlock_card"):
            await asyncio.to_thread(self.sessions.revoke, str(given["card"]))
            self._doubted = True
        # What a step of a round tells names cards that lie face down; the view does not.
        return {name: value for name, value in answer.items() if name != "told"}

    def _raised(self) -> dict[str, str | None]:
        """The alerts that the pit shows now, each with the card that caused it."""
        return pit.raised(self._state_now(), self.today, self.figures.of)

    def _table_to_shuffle_for(self, asked: Asked) -> FloorTable | None:
        if asked.name != "shuffle" or not isinstance(asked.arguments, OfTable):
            return None
        found = self.mirror.state.streams.get(table_stream(asked.arguments.table))
        return found if isinstance(found, FloorTable) else None

    async def _done(
        self,
        card: str,
        asked: Asked,
        given: dict[str, Any],
        tries: Tries | None,
        table: FloorTable | None = None,
    ) -> Mapping[str, Any]:
        known = {"raised": self._raised()} if asked.name == "acknowledge" else None

        def made() -> Command:
            return self.floor.command(
                card,
                asked.name,
                given,
                key=asked.key,
                pin=asked.pin,
                second_pin=asked.second_pin,
                expects=asked.expects,
                table=table,
                known=known,
                tries=tries,
            )

        # A hash takes its time, and so does a table that has to be read.
        hashes = asked.pin is not None or asked.second_pin is not None or "new_pin" in given
        slow = hashes or (asked.name == "shuffle" and table is None)
        command = await asyncio.to_thread(made) if slow else made()
        return await asyncio.wrap_future(self.floor.journal.submit(command))

    def _journal_problems(self) -> list[str]:
        return [*self.floor.journal.problems(), *self.probe.problems()]

    async def health(self) -> dict[str, Any]:
        """Whether the floor is open and can be written to."""
        # A disk that does not answer must hold nobody up.
        problems = await asyncio.to_thread(self._journal_problems)
        return {
            "status": "failing" if problems else "ok",
            "problems": problems,
            "version": self.version,
            "digest": self.running.digest,
            "position": self.mirror.state.position,
            "clock": {
                "offset_seconds": find_time(self.mirror.state).offset_us / 1e6,
                "alarms": len(find_time(self.mirror.state).alarms),
            },
        }
