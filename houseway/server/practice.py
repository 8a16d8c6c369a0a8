"""Practice: the practice tables of a server, kept in its memory, and who sits where.

A browser is known by a token that only it has, in a cookie that no script reads. A table keeps
a hash of that token with its own id, so a seat belongs to one browser and nothing that a table
holds opens another. Tables are apart from the journal: when the server stops they are gone.
"""

import asyncio
import hmac
import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any

from houseway.live.phases import Phase
from houseway.practice import coach
from houseway.practice import table as practice
from houseway.practice.advice import is_due, worth
from houseway.practice.choices import check_choices, choices
from houseway.practice.figures import Edges, count
from houseway.practice.seat import PracticeSeat
from houseway.practice.table import LARGEST_SEED, PracticeTable
from houseway.practice.view import next_line, table_view
from houseway.refusal import Reason, Refused
from houseway.rules.ruleset import Ruleset
from houseway.server.hub import Hub

TOPIC = "practice"
MOST_TABLES = 500
MOST_OF_ADDRESS = 40
"""Tables that were made from one address and are still there."""
MOST_COUNTED = 24
"""Rules whose figures are kept at hand."""
FORGET_SECONDS = 4 * 3600
"""After so long without anybody a table is forgotten."""
FORGET_EMPTY_SECONDS = 900
"""The same for a table at which nobody sits."""
GONE_SECONDS = 30
"""How long a table for several waits for a browser that is gone."""
IDLE_SECONDS = 120
"""How long it waits for somebody who is there and does nothing."""
TICK_SECONDS = 5
ID_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH = 10
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
LOG = logging.getLogger("uvicorn.error")

Figures = Edges | None


def new_browser() -> str:
    """A token for a browser that has none."""
    return secrets.token_urlsafe(32)


def is_browser(token: str) -> bool:
    """True for what may be such a token."""
    return TOKEN.fullmatch(token) is not None


class Kept:
    """A table with what is known of those around it; times are of a clock that only goes on."""

    __slots__ = ("address", "seen", "since", "table")

    def __init__(self, table: PracticeTable, address: str, now: float) -> None:
        self.table = table
        self.address = address
        self.seen = now
        """When somebody was last here."""
        self.since: dict[int, float] = {}
        """Since when a position keeps others waiting."""


class PracticeRoom:
    """All practice tables of a server. Everything but the counting is done by one thread."""

    def __init__(
        self,
        hub: Hub,
        send: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._hub = hub
        self._send = send
        self._clock = clock
        self.draw = draw
        """Draws the seed of a table for which none is given, below a number."""
        self._key = secrets.token_bytes(32)
        self._tables: dict[str, Kept] = {}
        self._figures: dict[str, Figures] = {}
        """By the digest of rules; nothing where they cannot be counted here."""
        self._counting: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()
        self._ticked = clock()

    # Who somebody is.

    def csrf_of(self, browser: str) -> str:
        """What a page of a browser sends with every change."""
        return hmac.new(self._key, browser.encode(), sha256).hexdigest()

    def secret_of(self, name: str, browser: str) -> str:
        """What a table knows of a browser; nothing of one that has no token."""
        return sha256(f"{name}:{browser}".encode()).hexdigest() if browser else ""

    # Tables.

    def offer(self) -> list[dict[str, Any]]:
        """What may be chosen for a table."""
        return choices()

    def make(
        self,
        browser: str,
        address: str,
        *,
        game: str,
        options: Mapping[str, str],
        paytables: Mapping[str, str],
        seed: int | None,
        positions: int,
        person: bool,
    ) -> str:
        """A new table; its id. Where a person deals, it is the one who makes the table."""
        check_choices(game, options, paytables)
        if len(self._tables) >= MOST_TABLES:
            raise Refused(
                Reason.ABOVE_LIMIT,
                f"all {MOST_TABLES} practice tables are taken; one is free again when nobody has "
                "been at it for some hours",
            )
        own = sum(kept.address == address for kept in self._tables.values())
        if own >= MOST_OF_ADDRESS:
            raise Refused(
                Reason.ABOVE_LIMIT,
                f"{own} practice tables were made from your address; at most {MOST_OF_ADDRESS} "
                "are allowed at a time, so go on at one of them",
            )
        name = "".join(secrets.choice(ID_SIGNS) for _ in range(ID_LENGTH))
        table = practice.make_table(
            id=name,
            game=game,
            options=options,
            paytables=paytables,
            seed=self.draw(LARGEST_SEED + 1) if seed is None else seed,
            # Where several play, whoever knew the seed would know the others' cards.
            seed_open=seed is not None or (positions == 1 and not person),
            positions=positions,
            dealer=self.secret_of(name, browser) if person else "",
        )
        self._tables[name] = Kept(table, address, self._clock())
        self._count(table.ruleset)
        return name

    def find(self, name: str) -> Kept:
        """A table; refused where there is none of that name."""
        found = self._tables.get(name)
        if found is None:
            raise Refused(Reason.UNKNOWN_VALUE, f"practice table {name[:40]!r} is unknown")
        return found

    def view(self, name: str, secret: str) -> dict[str, Any]:
        """A table as whoever has a secret, given by its hash, may see it."""
        kept = self.find(name)
        digest = kept.table.ruleset.digest
        edges = self._figures.get(digest)
        missing = digest in self._figures and edges is None
        figures = "ready" if edges is not None else "missing" if missing else "counting"
        return {**table_view(kept.table, secret, edges), "figures": figures}

    def look(self, name: str, browser: str) -> dict[str, Any]:
        """The table for a browser that has come, or come back."""
        kept, secret = self.find(name), self.secret_of(name, browser)
        seat = kept.table.held_by(secret)
        kept.seen = self._clock()
        if seat is not None and seat.away:
            self._keep(kept, practice.come_back(kept.table, seat.position))
        return self.view(name, secret)

    # What people do.

    def sit(self, name: str, browser: str, position: int, player: str) -> dict[str, Any]:
        """Take a seat."""
        kept, secret = self.find(name), self.secret_of(name, browser)
        return self._kept(kept, practice.sit(kept.table, position, player, secret), secret)

    def do(
        self,
        name: str,
        browser: str,
        what: Callable[[PracticeTable, PracticeSeat], PracticeTable],
    ) -> dict[str, Any]:
        """Do something from the seat of a browser; refused where it has none."""
        kept, secret = self.find(name), self.secret_of(name, browser)
        seat = kept.table.held_by(secret)
        if seat is None:
            raise Refused(
                Reason.NOT_APPROVED, "this browser has no seat at the table; sit down first"
            )
        return self._kept(kept, what(kept.table, seat), secret)

    def decide(
        self,
        name: str,
        browser: str,
        decision: str,
        number: str,
        after: int,
    ) -> dict[str, Any]:
        """Decide, after so many decisions of this seat in the round of that number."""

        def made(table: PracticeTable, seat: PracticeSeat) -> PracticeTable:
            live = table.round
            done = len(live.seat(seat.position).decisions)
            if number != live.number:
                raise Refused(
                    Reason.STALE_ROUND,
                    f"the decision is for round {_shown(number)}, and the table is at round "
                    f"{_shown(live.number)}; look at the cards again",
                )
            if after != done:
                raise Refused(
                    Reason.STALE_ROUND,
                    f"the decision is number {after + 1} of your hand, and number {done + 1} is "
                    "next; look at the cards again",
                )
            counted = self._figures.get(table.ruleset.digest) is not None
            known = counted and is_due(table, seat.position)
            values = worth(live, seat.position) if known else None
            return practice.decide(table, seat.position, decision, values)

        return self.do(name, browser, made)

    def deal(self, name: str, browser: str, step: str) -> dict[str, Any]:
        """The next step of the person who deals, which has to be the one that was pressed."""
        kept, secret = self.find(name), self.secret_of(name, browser)
        table = kept.table
        if not secret or secret != table.dealer:
            raise Refused(
                Reason.NOT_APPROVED, "this browser does not deal at the table; its dealer does"
            )
        if step != (following := next_line(table)):
            raise Refused(
                Reason.STALE_ROUND,
                f"step {step!r} is not next; next is {following or 'an answer of the players'!r}",
            )
        return self._kept(kept, practice.deal(table), secret)

    def _kept(self, kept: Kept, table: PracticeTable, secret: str) -> dict[str, Any]:
        kept.seen = self._clock()
        self._keep(kept, table)
        return self.view(table.id, secret)

    def _keep(self, kept: Kept, table: PracticeTable) -> None:
        if table is not kept.table:
            kept.table = table
            self._send(f"{TOPIC}:{table.id}")

    # What happens with time.

    def tick(self) -> None:
        """Go on without those who are gone, and forget tables that everybody has left."""
        now = self._clock()
        if now - self._ticked < TICK_SECONDS:
            return
        self._ticked = now
        for name, kept in [*self._tables.items()]:
            readers = self._hub.readers(f"{TOPIC}:{name}")
            if readers:
                kept.seen = now
            most = FORGET_SECONDS if kept.table.seats else FORGET_EMPTY_SECONDS
            if now - kept.seen > most:
                del self._tables[name]
                continue
            self._send_away(kept, set(readers), now)
        self._forget_figures()

    def _send_away(self, kept: Kept, here: set[str], now: float) -> None:
        table = kept.table
        holding_up = {seat.position for seat in table.seats if _keeps_waiting(table, seat)}
        kept.since = {place: kept.since.get(place, now) for place in holding_up}
        for place, since in kept.since.items():
            patience = IDLE_SECONDS if table.seat(place).secret in here else GONE_SECONDS
            if now - since > patience:
                self._keep(kept, practice.send_away(kept.table, place))
                return

    def let_go(self, digest: str) -> None:
        """Let go of the values under rules, unless a practice table counts on them."""
        if digest not in self._figures and digest not in self._counting:
            coach.forget(digest)

    def _forget_figures(self) -> None:
        used = {kept.table.ruleset.digest for kept in self._tables.values()}
        for digest in [*self._figures]:
            if len(self._figures) <= MOST_COUNTED:
                return
            if digest not in used:
                del self._figures[digest]
                coach.forget(digest)

    def close(self) -> None:
        """Count no more."""
        for task in self._counting.values():
            task.cancel()

    # Figures.

    def _count(self, ruleset: Ruleset) -> None:
        digest = ruleset.digest
        if digest not in self._figures and digest not in self._counting:
            self._counting[digest] = asyncio.create_task(self._counted(ruleset))

    async def _counted(self, ruleset: Ruleset) -> None:
        """Count in a thread; tables go on in the meantime and show what was counted afterwards."""
        found: Figures = None
        try:
            async with self._one_at_a_time:
                found = await _beside(count, ruleset)
        except ModuleNotFoundError as error:
            LOG.warning("the coach cannot count: %s", error)
        except Exception:
            LOG.exception("the figures of %s could not be counted", ruleset.game.code)
        finally:
            self._counting.pop(ruleset.digest, None)
        self._figures[ruleset.digest] = found
        for kept in [*self._tables.values()]:
            if kept.table.ruleset.digest == ruleset.digest:
                self._send(f"{TOPIC}:{kept.table.id}")


async def _beside(call: Callable[[Ruleset], Edges], ruleset: Ruleset) -> Edges:
    """What a call returns that is made in a thread for which nobody waits when the server stops."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Edges] = loop.create_future()

    def told(found: Edges | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        elif found is not None:
            done.set_result(found)

    def work() -> None:
        found, wrong = None, None
        try:
            found = call(ruleset)
        except Exception as error:
            wrong = error
        # The loop may have ended in the meantime.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(told, found, wrong)

    threading.Thread(target=work, daemon=True).start()
    return await done


def _shown(number: str) -> str:
    """The number of a round as a screen shows it."""
    return number.lstrip("0") or number


def _keeps_waiting(table: PracticeTable, seat: PracticeSeat) -> bool:
    """True when others wait for a seat: before the cards only where somebody is ready."""
    if seat.away or seat.position not in practice.waited_for(table) or table.round.over:
        return False
    others = [one for one in table.seats if one.position != seat.position]
    if table.round.phase is Phase.BETTING:
        return not table.dealer and any(one.ready for one in others)
    return bool(others or table.dealer)
