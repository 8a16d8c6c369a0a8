"""World: one simulated floor: clients, a network, journals, clocks and a disk, by one seed.

Nothing here waits, and no two things happen at once: a seeded choice says what happens next. So a
seed that breaks something breaks it again, at the same step.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from houseway.floor.model import FloorModel
from houseway.journal.event import Command, Entry
from houseway.journal.journal import Journal, read_state
from houseway.journal.state import State
from houseway.journal.store import open_to_read
from houseway.refusal import Reason, Refused
from tests.floor.room import Clock, takes_pin
from tests.floor.workload import (
    Day,
    bring_to_an_end,
    change_between_rounds,
    check_the_books,
    put_right,
    set_up,
    some_work,
)
from tests.simulation.disk import CRASHES, PLACES, Contents, Crash, Disk
from tests.simulation.judge import UNAVAILABLE, Anchor, Follower, Judge, Seen, hold
from tests.simulation.machine import Machine

LOCK = "lock held by somebody else"
CLIENTS = 4
MOST_STEPS = 20_000
"""Steps after which what is waited for will not come."""
MOST_TRIES = 200
"""Deliveries after which a command that nobody has answered is one too many."""
WAITS = (1, 7, 45, 5 * 60, 30 * 60, 8 * 24 * 60)
"""Minutes that pass."""
JUMPS = (-400 * 24 * 60, -5 * 60, -30, 30, 5 * 60, 400 * 24 * 60)
"""Minutes by which somebody sets a clock wrongly."""
STRANGE = ("9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00")
SLEWS = (-90, -20, 20, 90)
"""Seconds by which a clock is kept right."""


class Mistake(Exception):  # noqa: N818 - it is ours, and no error of a floor
    """A mistake of our own in the decision of one command."""


class Clumsy(FloorModel):
    """A floor whose next decision may fail for a mistake of our own."""

    fails = False
    key = ""

    def decide(self, state: State, command: Command) -> Entry:
        if self.fails:
            self.key = self.key or command.key
            if self.key == command.key:
                raise Mistake(command.key)
        return super().decide(state, command)


@dataclass(eq=False)
class Order:
    """A command that a client wants done, and has not given up."""

    command: Command
    answer: Any = None
    """What the client knows: an answer, or the reason of a refusal."""
    tries: int = 0
    held_until: int = 0
    """The step before which the network does not hand it in."""
    on_the_way: int = 0


@dataclass(eq=False)
class Delivery:
    """A command that was handed in to a process."""

    order: Order
    future: "Future[Mapping[str, Any]]"


@dataclass(eq=False)
class Process:
    """A journal that is open."""

    journal: Journal
    most: int
    follower: Follower = field(default_factory=Follower)
    queue: list[Delivery | None] = field(default_factory=list)
    """What waits; None where somebody only wants to look."""
    anchor: Anchor | None = None


class Today(Day):
    """A day whose commands go through the clients and the network of a world."""

    world: "World"

    def ask(self, actor: str, name: str, /, **asked: Any) -> bool:
        order = self.world.order(actor, name, asked)
        self.world.finish(lambda: order.answer is not None)
        return not isinstance(order.answer, Reason)

    def compare(self) -> None:
        self.compare_state()


class View:
    """The floor as whoever compares looks at it."""

    def __init__(self, world: "World") -> None:
        self.world = world

    @property
    def journal(self) -> Journal:
        return self.world.some_process().journal

    @property
    def state(self) -> State:
        for process in self.world.processes:
            found = process.journal._state
            if found is not None and found.position == self.world.judge.position:
                return found
        engine = open_to_read(self.world.disk.url)
        try:
            with engine.connect() as connection:
                return read_state(connection, self.world.model)
        finally:
            engine.dispose()


@cache
def empty_floor() -> Contents:
    """The files of a floor on which nothing has happened."""
    with TemporaryDirectory() as folder:
        Journal(f"sqlite:///{folder}/floor.sqlite", FloorModel(), stepped=True).close()
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


class World:
    """One floor and all that befalls it."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = rng = Random(seed)
        self.machine = Machine()
        self.counts: Counter[str] = Counter()
        self.model = Clumsy()
        self.ids = count(1)
        self.steps = 0
        self.network: list[Order] = []
        self.open: list[Order] = []
        """Orders that their clients have no answer to."""
        self.processes: list[Process] = []
        start = {} if rng.random() < 0.1 else empty_floor()
        self.disk = Disk(folder, rng, start)
        self.day = Today(room=View(self), rng=rng, clock=Clock())  # type: ignore[arg-type]
        self.day.world = self
        self.judge = Judge(self.day, self.disk, self.machine)
        self.trouble = False
        self.broken: Exception | None = None
        self.log: deque[str] = deque(maxlen=40)
        self.disk.log = self.note

    @property
    def faults(self) -> Counter[str]:
        """The faults that have happened, by kind."""
        return self.disk.counts

    # A floor from its first day to its last.

    def run(self, commands: int) -> None:
        """Live through so many commands, and hold everything at the end."""
        set_up(self.day)
        self.trouble = True
        while self.day.number < commands:
            self.tick()
        self.trouble = False
        # What was to come does not come any more.
        self.disk.plan, self.model.fails = None, False
        self.settle()
        bring_to_an_end(self.day)
        self.settle()
        self.judge.full()
        check_the_books(self.day)
        while self.processes:
            self.close(self.processes[0])
        self.some_process()
        self.judge.full()
        self.close(self.processes[0])
        self.disk.close_reader()

    def note(self, text: str) -> None:
        """Keep what has happened, for whoever looks why something broke."""
        self.log.append(f"step {self.steps}: {text}")

    def tick(self, *, asking: bool = True) -> None:
        """One thing happens."""
        self.steps += 1
        chance = self.rng.random()
        if self.trouble and chance < 0.03:
            self.disturb()
        elif asking and chance < 0.04:
            self.put_right()
        elif asking and chance < 0.40 and len(self.open) < CLIENTS:
            self.client_asks()
        elif chance < 0.70 and self.network:
            self.deliver()
        elif busy := [process for process in self.processes if process.queue]:
            self.step(self.rng.choice(busy))

    def finish(self, done: Callable[[], bool]) -> None:
        """Go on without new commands until something is so."""
        until = self.steps + MOST_STEPS
        while not done():
            hold(self.steps < until, "nothing comes to an end", self.network, self.open)
            self.tick(asking=False)

    def settle(self) -> None:
        """Every command has its answer, and nothing is on the way."""
        self.finish(lambda: not (self.open or self.network or any(p.queue for p in self.processes)))

    def put_right(self) -> None:
        """Now and then somebody sees to it that play can go on."""
        self.settle()
        if self.rng.random() < 0.5:
            put_right(self.day)
        else:
            change_between_rounds(self.day)

    # Clients.

    def client_asks(self) -> None:
        """A client wants something: mostly what a table needs next."""
        rng, judge, day = self.rng, self.judge, self.day
        chance = rng.random()
        if chance < 0.03:
            self.order(*self.about_time())
        elif chance < 0.05 and day.done:
            # Long after it was done somebody asks again, or uses its key for something else.
            command, _ = rng.choice(day.done)
            if rng.random() < 0.5:
                more = {**command.arguments, "more": 1}
                command = replace(command, arguments=more)
                judge.asked[command.key].append(command)
            self.send(Order(command))
        else:
            asked = some_work(day, at_a_table=rng.random() < 0.72)
            if asked is None:
                return
            stream = f"table:{asked[2].get('table')}"
            expects = {}
            if rng.random() < 0.2 and stream in judge.versions:
                expects = {stream: judge.versions[stream] - (rng.random() < 0.2)}
            self.order(*asked, expects)

    def about_time(self) -> tuple[str, str, dict[str, Any]]:
        """Somebody says something of the floor's time."""
        rng = self.rng
        actor = rng.choice(["a1", "a1", "a1", "a2", "e1"])
        held = {"pin_held": rng.random() < 0.95}
        if rng.random() < 0.5:
            text = rng.choice(["it was the battery", "it was the battery", ""])
            return actor, "acknowledge_clock", {**held, "text": text}
        second = rng.choice(["e1", "e1", "e1", "e3", "a1", "s1"])
        asked = {"reason": "so", "second": second, "second_pin_held": rng.random() < 0.95, **held}
        if rng.random() < 0.6:
            now = datetime.fromisoformat(self.judge.at)
            wanted = now + timedelta(minutes=rng.choice([*JUMPS[1:-1], *JUMPS[1:-1], 0]))
            zone = rng.choice([0, 0, -8, 5])
            wanted = wanted.astimezone(timezone(timedelta(hours=zone)))
            asked["time"] = rng.choice([*[wanted.isoformat()] * 5, "noon", None, *STRANGE])
        return actor, "correct_time", asked

    def order(
        self,
        actor: str,
        name: str,
        asked: Mapping[str, Any],
        expects: Mapping[str, int] | None = None,
    ) -> Order:
        """A client asks for something, and does not let go before it has an answer."""
        day = self.day
        day.number += 1
        asked = {"pin_held": True, **asked} if takes_pin(actor, name, asked) else dict(asked)
        key = f"sim-{day.number}"
        command = Command(name=name, arguments=asked, actor=actor, key=key, expects=expects or {})
        self.judge.asked[key] = [command]
        made = Order(command)
        self.send(made)
        return made

    def send(self, order: Order) -> None:
        """Give a command to the network, again where no answer has come."""
        if order.answer is None and order not in self.open:
            self.open.append(order)
        order.on_the_way += 1
        self.network.append(order)

    # The network.

    def deliver(self) -> None:
        """Some command arrives, in no order: once, twice, much later or never."""
        rng = self.rng
        free = [n for n, order in enumerate(self.network) if order.held_until <= self.steps]
        place = rng.choice(free or range(len(self.network)))
        order = self.network[place]
        chance = rng.random() if self.trouble else 0.5
        if chance >= 0.99 and order.held_until <= self.steps:
            self.disk.note("held back")
            order.held_until = self.steps + rng.choice([10, 100, 1000])
            return
        if chance < 0.02:
            # It stays where it is, and arrives another time as well.
            self.disk.counts["delivered twice"] += 1
        else:
            order.on_the_way -= 1
            del self.network[place]
        if 0.02 <= chance < 0.04:
            self.disk.counts["request lost"] += 1
            self.again(order)
            return
        order.tries += 1
        hold(order.tries < MOST_TRIES, "nobody answers", order.command)
        process = self.some_process()
        process.queue.append(Delivery(order, process.journal.submit(order.command)))
        if 0.04 <= chance < 0.06 and order.answer is None:
            # Its client is impatient.
            self.disk.counts["sent again in vain"] += 1
            self.send(order)

    def reply(self, delivery: Delivery, told: Any) -> None:
        """An answer goes back, unless it is lost on the way."""
        order = delivery.order
        if self.trouble and self.rng.random() < 0.02:
            self.disk.counts["answer lost"] += 1
        elif told not in (UNAVAILABLE, None) and order.answer is None:
            order.answer = told
            self.open.remove(order)
        self.again(order)

    def again(self, order: Order) -> None:
        """A client without an answer asks again."""
        if order.answer is None and not order.on_the_way:
            self.send(order)

    # Processes.

    def some_process(self) -> Process:
        """A process that is open; one is opened where there is none."""
        if not self.processes:
            self.open_process()
        return self.rng.choice(self.processes)

    def open_process(self) -> None:
        """Open a journal, as often as it takes."""
        rng, disk = self.rng, self.disk
        most = rng.choice([1, 3, 64])
        while True:
            disk.fired.clear()
            try:
                journal = Journal(
                    disk.url,
                    self.model,
                    clock=self.machine.shown,
                    elapsed=self.machine.elapsed,
                    seal_every=rng.choice([7, 50, 1000]),
                    most_at_once=most,
                    busy_seconds=0,
                    files=disk.files(),
                    new_id=lambda: f"{next(self.ids)}",
                    stepped=True,
                )
            except Refused as refused:
                hold(disk.fired, "a journal cannot be opened", refused.message)
            except Crash:
                self.crashed(None)
            else:
                break
        made = Process(journal, most)
        journal.watch(made.follower)
        self.processes.append(made)

    def step(self, process: Process) -> None:
        """A journal writes one batch."""
        self.operate(process, process.journal.step, process.queue[: process.most])

    def close(self, process: Process) -> None:
        """A journal is closed in good order: what waits is written first."""
        self.disk.close_reader()
        self.operate(process, process.journal.close, list(process.queue))
        if process in self.processes:
            self.processes.remove(process)

    def operate(
        self,
        process: Process,
        do: Callable[[], Any],
        batch: "list[Delivery | None]",
        fault: str = "",
    ) -> None:
        """Have a journal do something, and hold what comes of it."""
        disk, judge = self.disk, self.judge
        disk.fired.clear()
        place = self.processes.index(process) + 1
        self.note(f"process {place} {do.__name__}: {[d and d.order.command.key for d in batch]}")
        begun = disk.begun
        # Who closes writes all that waits, and perhaps in several batches. Of what was done before
        # nothing is written, unless its key is used for something else.
        first = {
            one.order.command.key
            for one in batch[: process.most]
            if one is not None
            and judge.digests.get(one.order.command.key) != one.order.command.digest
        }
        self.model.key = ""
        deliveries = [delivery for delivery in batch if delivery is not None]
        keys = {delivery.order.command.key for delivery in deliveries}
        self.day.model.machine = datetime.fromisoformat(self.machine.shown())
        with suppress(Crash), disk.locked() if fault == LOCK else nullcontext():
            if fault:
                disk.note(fault)
            do()
        if disk.dead:
            # Whoever is started after it begins transactions too.
            batches = disk.begun - begun
            seen = self.crashed(process)
            if batches == 1:
                hold(seen.keys in (set(), first), "half a batch is there", seen, first)
            if seen.any:
                self.believed(process)
        else:
            del process.queue[: len(batch)]
            seen = judge.look()
            if seen.any:
                self.note(f"{seen} at {judge.at}")
            for delivery in deliveries:
                self.answered(delivery, seen)
            if seen.any:
                judge.time(seen, process.anchor)
                self.believed(process)
                process.anchor = judge.anchor()
                self.day.compare_state()
        hold(seen.keys <= keys, "something is decided that nobody has handed in", seen, keys)
        if self.model.key:
            disk.note("our own mistake")
            self.model.fails = False

    def believed(self, process: Process) -> None:
        """Expect no time of the others where one wrote first, and so believed the clock."""
        if process.anchor is None:
            for other in self.processes:
                other.anchor = None

    def answered(self, delivery: Delivery, seen: Seen) -> None:
        """What a journal has told of one command."""
        command, future = delivery.order.command, delivery.future
        hold(future.done(), "a command has no answer", command)
        failed = future.exception()
        told: Any = None
        if failed is None:
            told = dict(future.result())
        elif isinstance(failed, Refused):
            told = failed.reason
            hold(told is not UNAVAILABLE or self.disk.fired, "for no reason", failed.message)
        else:
            hold(isinstance(failed, Mistake), f"{failed!r}", command)
            hold(command.key == self.model.key, "the wrong command fails", command)
            hold(command.key not in seen.done, "a command that failed is done", command)
        if failed is None or isinstance(failed, Refused):
            self.judge.answered(command, told, seen)
        self.reply(delivery, told)

    def crashed(self, process: Process | None) -> Seen:
        """A process has ended, or the machine; what it had not answered is asked again."""
        others = [one for one in self.processes if one is not process]
        dead = [process] if process is not None else []
        alone = self.disk.fired[-1] == "process killed" and self.rng.random() < 0.6
        if not (alone and others):
            dead += others
        for one in dead:
            one.journal._forget()
            one.journal.engine.dispose()
            if one in self.processes:
                self.processes.remove(one)
        if self.processes:
            self.disk.dead = False
        else:
            self.counts["restarts after a crash"] += 1
            self.disk.begin_life(self.disk.found)
            self.open_process()
        seen = self.judge.look()
        self.judge.check()
        for one in dead:
            for delivery in one.queue:
                if delivery is not None:
                    self.again(delivery.order)
        return seen

    # What befalls a floor.

    def disturb(self) -> None:
        """Something goes wrong, or time passes."""
        rng = self.rng
        self.some_process()
        chance = rng.random()
        if chance < 0.45:
            kind = rng.choice([*PLACES, *CRASHES])
            self.disk.arm(kind)
            if rng.random() < 0.2:
                self.close(rng.choice(self.processes))
        elif chance < 0.52:
            self.model.fails = True
        elif chance < 0.58:
            busy = [process for process in self.processes if process.queue]
            if busy:
                process = rng.choice(busy)
                self.operate(process, process.journal.step, process.queue[: process.most], LOCK)
        elif chance < 0.66:
            self.counts["restarts in good order"] += 1
            left = rng.choice([0, len(self.processes) - 1])
            while len(self.processes) > left:
                self.close(self.processes[0])
            if rng.random() < 0.5:
                self.move_clock()
            self.some_process()
            self.judge.check()
        elif chance < 0.74:
            if len(self.processes) == 1:
                self.counts["second processes"] += 1
                self.open_process()
            else:
                self.close(self.processes[1])
        elif chance < 0.80:
            for process in self.processes:
                process.journal.look()
                process.queue.append(None)
        else:
            self.move_clock()

    def move_clock(self) -> None:
        """Time passes, or somebody moves the clock."""
        rng, machine = self.rng, self.machine
        chance = rng.random()
        if chance < 0.5:
            by = timedelta(minutes=rng.choice(WAITS), seconds=rng.random())
            self.note(f"{by} pass")
            machine.wait(by)
        elif chance < 0.75:
            by = timedelta(seconds=rng.choice(SLEWS))
            self.note(f"the clock is moved by {by}")
            machine.slew(by)
        else:
            # Set wrongly, or right again.
            right = machine.error and rng.random() < 0.5
            by = -machine.error if right else timedelta(minutes=rng.choice(JUMPS))
            self.disk.note("clock set")
            self.note(f"the clock is set by {by}")
            machine.set(by)
