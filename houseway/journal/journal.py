"""Journal: one writer that decides, writes, commits and only then answers."""

import contextlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, Engine, ExceptionContext, insert, select
from sqlalchemy.event import listen
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from houseway.journal import schema
from houseway.journal.custody import Custody
from houseway.journal.event import (
    Command,
    Draft,
    Entry,
    Event,
    Transfer,
    body_of,
    canonical,
    chained,
)
from houseway.journal.file_connection import FileConnection
from houseway.journal.rebuild import keep_form, kept_form, renew
from houseway.journal.refused import KIND, kept
from houseway.journal.seal_file import Place
from houseway.journal.state import (
    REFUSALS,
    Balance,
    Head,
    Model,
    State,
    check_expected,
    stream_row,
)
from houseway.journal.statements import Desk, Rows, desk
from houseway.journal.store import (
    BUSY_SECONDS,
    cause_of,
    check_place,
    is_damage,
    open_store,
    told,
    unavailable,
)
from houseway.journal.timekeeper import Timekeeper
from houseway.journal.versions import form_of, newest
from houseway.refusal import Reason, Refused

MOST_AT_ONCE = 64
SEAL_EVERY = 1000
LONGEST_KEY = 100
LONGEST_ACTOR = LONGEST_STREAM = 80
LONGEST_KIND = 40
LONGEST_ACCOUNT = 120
LARGEST_AMOUNT = 2**63 - 1
LOG = logging.getLogger("houseway")
DAMAGED = (
    "a page of the database cannot be read; stop the server, look at it with `houseway audit "
    "verify`, and restore a backup"
)
FAILING = "the last attempt to write the journal failed; the log of the server says why"
MACHINE = "machine"
"""Who acts when nobody does; no card has this name."""
Answer = Mapping[str, Any]


def random_id() -> str:
    """A new id that nobody else has; it ends the keys of events that no command asked for."""
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class _Waiting:
    command: Command
    digest: str
    answer: "Future[Any]"
    dry: bool = False
    """True to decide it only, and write nothing unless it is refused."""


class Commit(NamedTuple):
    """What is on the disk now: new events, and the states, heads and balances that changed."""

    events: tuple[Event, ...]
    streams: Mapping[str, Any]
    heads: Mapping[str, Head]
    accounts: Mapping[str, Balance]
    position: int
    at: str
    whole: bool
    """True when everything was read anew, and nothing that was known before counts."""


Watcher = Callable[[Commit], None]


class _Look:
    """Asks the writer to read what others have written."""


class _Try:
    """Asks the writer to see whether it can write again."""


class Journal:
    """A journal that is open for writing. Commands may come from any thread."""

    def __init__(
        self,
        url: str,
        model: Model,
        *,
        clock: Callable[[], str] | None = None,
        elapsed: Callable[[], float] | None = None,
        seal_every: int = SEAL_EVERY,
        most_at_once: int = MOST_AT_ONCE,
        busy_seconds: float = BUSY_SECONDS,
        files: type[FileConnection] = FileConnection,
        new_id: Callable[[], str] = random_id,
        stepped: bool = False,
        custody: Custody | None = None,
    ) -> None:
        """Open a journal; what a server holds of it is let go of when it is closed.

        A stepped one has no thread: it writes when `step` is called.
        """
        self.url = url
        self.model = model
        self.failing = False
        """True when the last attempt to write failed."""
        self.damaged = False
        """True once something that was written could not be read."""
        self._custody = custody
        self.engine: Engine = open_store(url, busy_seconds=busy_seconds, files=files)
        listen(self.engine, "handle_error", self._note_damage)
        try:
            with told(url):
                renew(self.engine, model)
        except BaseException:
            self.engine.dispose()
            raise
        self._keeper = Timekeeper(clock, elapsed)
        self._seal_every = seal_every
        self._most = most_at_once
        self._queue: SimpleQueue[_Waiting | _Look | _Try | None] = SimpleQueue()
        self._form = form_of(model)
        self._state: State | None = None
        self._published: State | None = None
        self._watcher: Watcher | None = None
        self._connection: Connection | None = None
        self._new_id = new_id
        self._closed = False
        # Between looking whether it is closed and queueing, nobody may close it.
        self._door = Lock()
        self._thread: Thread | None = None
        if not stepped:
            self._thread = Thread(target=self._run, name="houseway-journal", daemon=True)
            self._thread.start()

    def submit(self, command: Command) -> "Future[Answer]":
        """Hand in a command; its future has the answer once it is on the disk."""
        return self._hand_in(command)

    def ask(self, command: Command) -> str | None:
        """Refuse a command that would be refused now, and record that; otherwise do nothing.

        Returns the digest of the command that its key did before; None for a new key. A key that
        somebody else has used is refused.
        """
        found: str | None = self._hand_in(command, dry=True).result()
        return found

    def _hand_in(self, command: Command, *, dry: bool = False) -> "Future[Any]":
        answer: Future[Any] = Future()
        try:
            digest = _checked(command)
            with self._door:
                if self._closed:
                    raise Refused(
                        Reason.JOURNAL_UNAVAILABLE, "the journal is closed; open it again"
                    )
                self._queue.put(_Waiting(command, digest, answer, dry))
        except Refused as refused:
            answer.set_exception(refused)
        return answer

    def do(self, command: Command) -> Answer:
        """Do a command and wait until it is on the disk; refused when it may not be done."""
        return self.submit(command).result()

    def state_of(self, stream: str) -> Any:
        """The state of a stream as it was last written; None when there is no such stream."""
        with told(self.url), self.engine.connect() as connection:
            row = connection.execute(
                select(schema.stream.c.state).where(schema.stream.c.name == stream)
            ).first()
        try:
            return None if row is None else _loaded(self.model, stream, row.state)
        except Refused:
            self.damaged = True
            raise

    def has_streams(self, beginning: str) -> bool:
        """True when there is a stream whose name begins so."""
        name = schema.stream.c.name
        with told(self.url), self.engine.connect() as connection:
            asked = select(name).where(name.startswith(beginning, autoescape=True)).limit(1)
            return connection.execute(asked).first() is not None

    def watch(self, watcher: Watcher) -> None:
        """Have somebody told of every commit, ours and others', in order and from our thread.

        The first time he is told everything.
        """
        self._watcher = watcher

    def time(self, state: State) -> str:
        """The journal's time now, as it follows from a state."""
        return max(self._keeper.now(self.model.time_offset(state)), state.at)

    def machine_time(self) -> str:
        """What the machine's clock shows."""
        return self._keeper.clock()

    def clock_moved(self, state: State) -> bool:
        """True when the machine's clock has jumped, and no event says so yet."""
        model = self.model
        return self._keeper.moved(model.time_offset(state), model.time_corrected(state))

    def look(self) -> None:
        """Read what others have written, though nobody has a command."""
        self._queue.put(_Look())

    def try_again(self) -> None:
        """See whether it can be written again, though nobody has a command."""
        self._queue.put(_Try())

    def problems(self) -> list[str]:
        """Everything that keeps it from being written, a sentence each."""
        found = [] if self._custody is None else self._custody.problems()
        told_here = {DAMAGED: self.damaged, FAILING: self.failing}
        return [*(sentence for sentence, so in told_here.items() if so), *found]

    def step(self) -> bool:
        """Write one batch of what waits, and answer; false when nothing waits."""
        assert self._thread is None, "the thread of this journal writes"
        try:
            first = self._queue.get_nowait()
        except Empty:
            return False
        self._work(first)
        return True

    def close(self) -> None:
        """Write what waits, seal the journal and let go of it."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
        while self._thread is None and self.step():
            pass
        self.engine.dispose()
        if self._custody is not None:
            self._custody.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The writer.

    def _run(self) -> None:
        while self._work(self._queue.get()):
            pass

    def _work(self, first: "_Waiting | _Look | _Try | None") -> bool:
        """Write what waits, as much as goes into a batch; false once the journal is closed."""
        waiting = [first]
        with contextlib.suppress(Empty):
            while len(waiting) < self._most:
                waiting.append(self._queue.get_nowait())
        # Who gave up before it was begun has changed nothing; from here on it is done.
        batch = [
            w
            for w in waiting
            if isinstance(w, _Waiting) and w.answer.set_running_or_notify_cancel()
        ]
        if batch or any(isinstance(w, (_Look, _Try)) for w in waiting):
            self._write(batch, test=any(isinstance(w, _Try) for w in waiting))
        if None not in waiting:
            return True
        self._write([], seal=True)
        self._forget()
        return False

    def _write(
        self,
        batch: Sequence[_Waiting],
        *,
        seal: bool = False,
        test: bool = False,
        again: bool = True,
    ) -> None:
        """Decide, write and commit a batch, then answer. What fails leaves nothing behind."""
        try:
            answers, wrote = self._transact(batch, seal=seal, test=test)
        except Exception as error:
            self._forget()
            if again and isinstance(error, DBAPIError) and error.connection_invalidated:
                # Perhaps it was written all the same: then its key is found, and the answer.
                self._write(batch, seal=seal, test=test, again=False)
                return
            if len(batch) > 1 and _is_of_one_command(error):
                for waiting in batch:
                    self._write([waiting])
            else:
                self._note_trouble(error)
                for waiting in batch:
                    told = unavailable(error) if isinstance(error, SQLAlchemyError) else error
                    waiting.answer.set_exception(told)
        else:
            if wrote:
                # A key that is known is answered without a write, which says nothing of the disk.
                self.failing = False
            self._keep_place()
            # Before the answer, so that who has it finds what it says.
            self._tell()
            for waiting, found in zip(batch, answers, strict=True):
                if isinstance(found, Refused):
                    waiting.answer.set_exception(found)
                else:
                    waiting.answer.set_result(found)

    def _note_damage(self, context: ExceptionContext) -> None:
        """Remember that a database could not be read: no write that succeeds makes that good."""
        self.damaged = self.damaged or is_damage(context.original_exception)

    def _note_trouble(self, error: Exception) -> None:
        """Remember that nothing could be written, for whoever asks how things are."""
        self.damaged = self.damaged or is_damage(getattr(error, "orig", None))
        lost = isinstance(error, Refused) and error.reason is Reason.JOURNAL_UNAVAILABLE
        if lost or isinstance(error, SQLAlchemyError):
            if not self.failing:
                LOG.error("the journal cannot be written: %s", cause_of(error))
            self.failing = True

    def _keep_place(self) -> None:
        """Write down outside the journal how far it has come."""
        state = self._state
        if self._custody is not None and state is not None and state.position:
            at = Place(state.position, state.hash, state.seals, state.seal_hash, state.at)
            self._custody.keep(at)

    def _transact(
        self, batch: Sequence[_Waiting], *, seal: bool, test: bool
    ) -> tuple[list[Any], bool]:
        """The answers to a batch, and whether anything was written for it."""
        if self._custody is not None:
            self._custody.check()
        connection = self._connected()
        with connection.begin(), desk(connection, self._form) as paper:
            # Before anything is written: to a log of which somebody else has another index, it
            # would do harm.
            check_place(connection)
            if test:
                keep_form(connection, self.model)
            state, known = self._caught_up(connection, paper, batch)
            sheet = _Sheet(state, self.model, self._keeper, self._new_id)
            answers = [self._decide(waiting, sheet, known) for waiting in batch]
            if sheet.events:
                paper.write(sheet.rows())
            enough = 1 if seal else self._seal_every
            if state.position - state.sealed >= enough:
                # Another process may have sealed without writing anything else.
                _read_seals(connection, state)
                if state.position - state.sealed >= enough:
                    _seal(connection, state)
            check_place(connection)
        # It may also have been moved while this was committed.
        check_place(connection)
        return answers, test or bool(sheet.events)

    def _tell(self) -> None:
        """Tell the watcher what is committed."""
        state, watcher = self._state, self._watcher
        assert state is not None
        if watcher is None:
            return
        news, state.news = state.news or [], []
        whole = self._published is not state
        self._published = state
        if not (whole or news):
            return
        names = state.streams if whole else {event.stream for event in news}
        moved = {n for e in news for t in e.transfers for n in (t.debit, t.credit)}
        watcher(
            Commit(
                events=tuple(news),
                streams={name: state.streams[name] for name in names},
                heads={name: state.heads[name] for name in names},
                accounts={
                    name: state.accounts[name] for name in (state.accounts if whole else moved)
                },
                position=state.position,
                at=state.at,
                whole=whole,
            )
        )

    def _decide(self, waiting: _Waiting, sheet: "_Sheet", known: "dict[str, _Known]") -> Any:
        """The answer to one command, its events put on the sheet; or why it is refused.

        Of a dry one the digest that its key is known by, if it is.
        """
        command = waiting.command
        done = known.get(command.key)
        if done is not None:
            if waiting.dry and done.actor == command.actor:
                return done.digest
            if not waiting.dry and done.digest == waiting.digest:
                return done.answer
        try:
            if done is not None:
                raise Refused(
                    Reason.KEY_USED,
                    f"key {command.key!r} was used for another command; make a new one",
                )
            moved = check_expected(sheet.state, command.expects)
            if moved is not None:
                raise Refused(
                    Reason.STALE_VERSION,
                    f"{moved} is at version {sheet.state.head(moved).version}, not "
                    f"{command.expects[moved]}; look again before you decide",
                )
            entry = self.model.decide(sheet.state, command.whole)
        except Refused as refused:
            sheet.add(_refusal(command, refused), command.actor, f"refused:{self._new_id()}", {})
            return refused
        if waiting.dry:
            return None
        # Without an event there is nothing to find the key by.
        assert entry.events, command
        assert all(draft.stream != REFUSALS for draft in entry.events), command
        extra = {"answer": dict(entry.answer), "command": waiting.digest}
        sheet.add(entry, command.actor, command.key, extra)
        # Whoever asked may do with his answer what he likes, so he gets one of his own.
        answer: Answer = json.loads(canonical(extra["answer"]))
        known[command.key] = _Known(waiting.digest, answer, command.actor)
        return answer

    # What the writer holds.

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self.engine.connect().execution_options(writes=True)
        return self._connection

    def _caught_up(
        self, connection: Connection, paper: Desk, batch: Sequence[_Waiting]
    ) -> tuple[State, "dict[str, _Known]"]:
        """The state with all that others have written since, and the keys that are written."""
        if self._state is None:
            self._state = read_state(connection, self.model)
        keys = [waiting.command.key for waiting in batch]
        found = paper.read(self._state.position, keys)
        if not _go_on(self._state, found, self.model):
            # The database was put back to another moment, or is another program's.
            self._state = read_state(connection, self.model)
        return self._state, _known_answers(found, {*keys})

    def _forget(self) -> None:
        """Let go of the connection and of what was kept in memory; both are got anew."""
        self._state = None
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                # A session may be what is wrong: it must not come back out of the pool.
                connection.invalidate()
                connection.close()


class _Known:
    """A key that is in the journal."""

    def __init__(self, digest: str, answer: Answer, actor: str) -> None:
        self.digest = digest
        self.answer = answer
        self.actor = actor


class _Sheet:
    """The events of a batch before they are written, and the state they lead to."""

    def __init__(
        self, state: State, model: Model, keeper: Timekeeper, new_id: Callable[[], str]
    ) -> None:
        self.state = state
        self.model = model
        self.events: list[Event] = []
        self.moved: list[tuple[int, int, Transfer]] = []
        offset, corrected = model.time_offset(state), model.time_corrected(state)
        self.at, machine, jump = keeper.tell(state.at, offset, corrected)
        state.now, state.machine = self.at, machine
        if jump is not None:
            self.add(model.jumped(state, jump), MACHINE, f"clock:{new_id()}", {})

    def add(self, entry: Entry, actor: str, key: str, extra: Mapping[str, Any]) -> None:
        """Give the events of an entry their places and go on by each."""
        accounts = self.state.accounts
        if entry.at:
            self.at = self.state.now = entry.at
        for part, draft in enumerate(entry.events):
            _check_draft(draft)
            event = self._placed(draft, part, actor, key, extra if part == 0 else {})
            self.state.take(event, self.model, draft.transfers)
            self.events.append(event)
            for number, transfer in enumerate(draft.transfers):
                assert accounts[transfer.debit].debits <= LARGEST_AMOUNT, transfer
                assert accounts[transfer.credit].credits <= LARGEST_AMOUNT, transfer
                self.moved.append((event.position, number, transfer))

    def _placed(
        self, draft: Draft, part: int, actor: str, key: str, extra: Mapping[str, Any]
    ) -> Event:
        head = self.state.head(draft.stream)
        fields = (
            self.state.position + 1,
            draft.stream,
            head.version + 1,
            draft.kind,
            newest(self.model.upcasts, draft.kind),
            key,
            part,
            actor,
            self.at,
            body_of(draft, extra),
        )
        return Event(*fields, prior=head.hash, hash=chained(head.hash, fields))

    def rows(self) -> Rows:
        """The events, and all that follows from them and is kept in the same transaction."""
        names = {name for _, _, moved in self.moved for name in (moved.debit, moved.credit)}
        streams = {event.stream for event in self.events}
        return {
            schema.event: self.events,
            schema.transfer: [(position, part, *moved) for position, part, moved in self.moved],
            schema.account: [(name, *self.state.balance(name)) for name in sorted(names)],
            schema.stream: [stream_row(self.state, self.model, name) for name in sorted(streams)],
        }


def _refusal(command: Command, refused: Refused) -> Entry:
    """What is kept of a command that was refused."""
    return Entry(events=[Draft(stream=REFUSALS, kind=KIND, data=kept(command, refused))], answer={})


def _checked(command: Command) -> str:
    """The digest of a command; refused when it is none that could be written down."""
    for what, text, longest in (
        ("key", command.key, LONGEST_KEY),
        ("actor", command.actor, LONGEST_ACTOR),
    ):
        if not _is_name(text, longest):
            shown = repr(text) if len(str(text)) <= 40 else f"of {len(str(text))} characters"
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"{what} {shown} is no {what}; make one of 1 to {longest} printable characters",
            )
    try:
        return command.digest
    except (TypeError, ValueError, RecursionError) as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"command {command.name!r} cannot be written as JSON: {error}; use plain values",
        ) from None


@lru_cache(maxsize=4096)
def _is_name(text: object, longest: int) -> bool:
    return isinstance(text, str) and 1 <= len(text) <= longest and text.isprintable()


def _check_draft(draft: Draft) -> None:
    """Find our own mistakes before a database does, and on both in the same way."""
    assert _is_name(draft.stream, LONGEST_STREAM), draft
    assert _is_name(draft.kind, LONGEST_KIND), draft
    for debit, credit, amount in draft.transfers:
        assert _is_name(debit, LONGEST_ACCOUNT), draft
        assert _is_name(credit, LONGEST_ACCOUNT), draft
        assert debit != credit, draft
        assert type(amount) is int, draft
        assert 0 < amount <= LARGEST_AMOUNT, draft


def _is_of_one_command(error: Exception) -> bool:
    """True when a batch failed for what one of its commands came to, not for the database."""
    return not isinstance(error, SQLAlchemyError) or isinstance(error, (DataError, IntegrityError))


def _known_answers(found: Sequence[Event], keys: "set[str]") -> dict[str, _Known]:
    """The keys that are in the journal already, with what they were answered."""
    known = {}
    for event in found:
        if event.part == 0 and event.key in keys:
            known[event.key] = _known(event)
    return known


def _known(first: Event) -> _Known:
    """A key by the first event of its command."""
    # Whoever asked may do with his answer what he likes, so it is read anew.
    content = json.loads(first.body)
    return _Known(content.get("command", ""), content.get("answer", {}), first.actor)


def _seal(connection: Connection, state: State) -> None:
    """Write a seal over the heads of all streams."""
    fields = (state.seals + 1, state.position, state.at, heads_digest(state.heads))
    made = chained(state.seal_hash, fields)
    connection.execute(
        insert(schema.seal),
        dict(
            zip(
                ("number", "position", "at", "heads", "prior", "hash"),
                (*fields, state.seal_hash, made),
                strict=True,
            )
        ),
    )
    state.seals, state.sealed, state.seal_hash = state.seals + 1, state.position, made


def heads_digest(heads: Mapping[str, Head]) -> str:
    """One digest of where every stream stands."""
    listed = [[name, head.version, head.hash] for name, head in sorted(heads.items())]
    return sha256(canonical(listed).encode()).hexdigest()


# Reading.


def read_state(connection: Connection, model: Model) -> State:
    """The state as the projections have it; `rebuilt` works it out from the events instead."""
    if kept_form(connection) != form_of(model):
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            "another version of this program has opened the journal since; close this one and "
            "open the journal again",
        )
    state = State()
    for name, version, hash_, document in connection.execute(select(schema.stream)):
        state.heads[name] = Head(version, hash_)
        state.streams[name] = _loaded(model, name, document)
    for name, debits, credits_ in connection.execute(select(schema.account)):
        state.accounts[name] = Balance(debits, credits_)
    table = schema.event.c
    last = connection.execute(
        select(table.position, table.hash, table.at).order_by(table.position.desc()).limit(1)
    ).first()
    if last is not None:
        state.position, state.hash, state.at = last
    _read_seals(connection, state)
    return state


def _loaded(model: Model, stream: str, document: str) -> Any:
    """The state of a stream; refused where what is kept is none."""
    try:
        data = json.loads(document)
        return data if stream == REFUSALS else model.load(stream, data)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Refused(
            Reason.JOURNAL_UNAVAILABLE,
            f"the state of {stream} cannot be read; see `houseway audit rebuild`, and restore a "
            "backup",
        ) from None


def _read_seals(connection: Connection, state: State) -> None:
    table = schema.seal.c
    last = connection.execute(
        select(table.number, table.position, table.hash).order_by(table.number.desc()).limit(1)
    ).first()
    if last is not None:
        state.seals, state.sealed, state.seal_hash = last


def _go_on(state: State, found: Sequence[Event], model: Model) -> bool:
    """Take what others have written since; False when that does not follow what is in memory."""
    news = [event for event in found if event.position >= state.position]
    if state.position:
        # The last event that is known was read as well, to see that it is still the same.
        last = news.pop(0) if news else None
        if last is None or (last.position, last.hash) != (
            state.position,
            state.head(last.stream).hash,
        ):
            return False
    for event in news:
        if event.prior != state.head(event.stream).hash:
            return False
        state.take(event, model)
    return True


def events(connection: Connection, *, stream: str | None = None, after: int = 0) -> Sequence[Event]:
    """Events in order: of a stream from a version on, or of all from a position on."""
    table = schema.event
    asked = select(table)
    if stream is None:
        asked = asked.where(table.c.position > after).order_by(table.c.position)
    else:
        asked = asked.where(table.c.stream == stream, table.c.version > after)
        asked = asked.order_by(table.c.version)
    return [Event(*row) for row in connection.execute(asked)]
