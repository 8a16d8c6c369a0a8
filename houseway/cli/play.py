"""`houseway play`: a practice table in the terminal."""

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.columns import Columns
from rich.panel import Panel
from rich.text import Text

from houseway.cards import parse_cards
from houseway.cli.arguments import OptionTexts, PaytableTexts, RngSeed, read_count, read_seed
from houseway.cli.output import (
    cards_rich,
    console,
    pairs,
    paytable_pairs,
    progress,
    show_lines,
    table,
)
from houseway.cli.practice import find_bot, read_stakes, table_rules
from houseway.lines import in_order
from houseway.live import commands as c
from houseway.live.commands import Bets
from houseway.live.events import Announced, Event, Settled
from houseway.live.phases import Stage
from houseway.live.procedure import Meters, Player, answers, next_step
from houseway.live.record import Record
from houseway.live.round import legal
from houseway.live.state import MOST_POSITIONS, Round
from houseway.live.view import HIDDEN, Viewer, view
from houseway.money import dollars_text, parse_amount
from houseway.refusal import Reason, Refused, listed
from houseway.ruleset import Ruleset
from houseway.shuffler import Shuffler
from houseway.wagers import check_wagers

COACHING = ("before", "after", "off")
YOU = 1
HELP_LINE = "Play for fun, and stop when it is none. If gambling is a problem, ask for help."


def play(
    game: str | None = None,
    *,
    positions: str = "1",
    rng_seed: RngSeed = None,
    bot: str = "basic",
    coach: Annotated[
        str, Parameter(help="When the coach speaks: before, after or off.")
    ] = "before",
    rounds: Annotated[
        str | None, Parameter(help="Stop after so many rounds.", show_default=False)
    ] = None,
    record: Annotated[str, Parameter(help="Where an interrupted round is written.")] = ".",
    bet: Annotated[list[str], Parameter(negative=(), show_default=False)] = [],
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
) -> int:
    """Practise a game: cards, chips, the worth of each decision and why each line was paid.

    You sit at position 1. Enter bets again with the return key, type others as
    `ante 10, pair-plus 5`, answer with a word or its first letter, and leave with `q`. Example:

    ```
    houseway play triple-shot-rummy --positions 3 --rng-seed 8123
    ```

    Parameters
    ----------
    game
        three-card-poker, three-card-poker-face-up, triple-shot-rummy or triple-shot-bonus.
    positions
        How many positions bet, 1 to 7; the others play by themselves.
    bot
        How they play: basic or optimal.
    bet
        Your first bets, NAME=AMOUNT in dollars; may be given several times.
    """
    ruleset = table_rules(game, pairs(option, "option", "NAME=VALUE"), paytable_pairs(paytable))
    if coach not in COACHING:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"coach {coach!r} is unknown; known: {listed(COACHING)}"
        )
    seed = read_seed(rng_seed)
    most = None if rounds is None else read_count(rounds, "rounds", 1_000_000)
    stakes, meters = read_stakes(ruleset, bet)
    if coach != "off":
        find_bot("optimal")
    session = _Session(
        ruleset=ruleset,
        seats=read_count(positions, "positions", MOST_POSITIONS),
        randomness=random.SystemRandom() if seed is None else random.Random(seed),
        bot=find_bot(bot),
        coaching=coach,
        stakes=stakes,
        meters=meters,
    )
    return session.run(most, Path(record))


class _Left(Exception):  # noqa: N818 - nothing went wrong
    """The player leaves the table."""


class _Session:
    """One sitting at the practice table."""

    def __init__(
        self,
        *,
        ruleset: Ruleset,
        seats: int,
        randomness: random.Random,
        bot: Player,
        coaching: str,
        stakes: Bets,
        meters: Meters,
    ) -> None:
        self.ruleset, self.seats, self.randomness = ruleset, seats, randomness
        self.bot, self.coaching, self.stakes, self.meters = bot, coaching, stakes, meters
        self.shuffler = Shuffler(game=ruleset.game.code)
        self.record: Record | None = None
        self.rounds = 0
        self.wagered: Counter[str] = Counter()
        self.net: Counter[str] = Counter()
        self.asked = self.best = 0
        self.cost = Fraction(0)

    def run(self, most: int | None, folder: Path) -> int:
        """Rounds until the player leaves; the exit code."""
        screen = console()
        screen.print(f"[bold]{self.ruleset.game.name}[/bold]  practice, play money only")
        screen.print(HELP_LINE, style="dim")
        try:
            while most is None or self.rounds < most:
                self._round()
        except (_Left, EOFError):
            self._keep(folder)
        except KeyboardInterrupt:
            screen.print()
            self._keep(folder)
            self._statistics()
            return 130
        self._statistics()
        return 0

    def _keep(self, folder: Path) -> None:
        """Write the round that was under way, so that nothing of it is lost."""
        if self.record is None or self.record.table.over or not self.record.entries:
            return
        path = folder / f"interrupted-{self.record.table.number}.round"
        try:
            path.write_text(self.record.text(), encoding="utf-8")
        except OSError as error:
            raise Refused(
                Reason.BAD_ARGUMENT, f"file '{path}' cannot be written: {error.strerror}"
            ) from None
        console().print(f"The round so far is in {path}")

    def _round(self) -> None:
        screen = console()
        screen.rule(f"round {self.rounds + 1}", align="left")
        self.stakes = self._ask_bets()
        before = None if self.record is None else self.record.table
        self.record = Record(self.ruleset, f"{self.rounds + 1:06d}", self.seats, after=before)
        for position in range(1, self.seats + 1):
            self.record.do(c.PlaceBets(position, self.stakes))
        self.shuffler, shuffle = self.shuffler.shuffle(self.randomness)
        self.record.do(c.LoadShuffle(shuffle))
        self._say(self.record.do(c.NoMoreBets()))
        while not self.record.table.over:
            step = next_step(self.record.table, self.meters)
            commands = answers(self.record.table, self._player) if step is None else (step,)
            for command in commands:
                self._say(self.record.do(command))
        self._show(self.record.table)
        self._settled(self.record.table)

    def _player(self, live: Round, position: int) -> str | None:
        if position != YOU:
            return self.bot(live, position)
        self._show(live)
        allowed = [
            command.decision
            for command in legal(live)
            if isinstance(command, c.Decide) and command.position == YOU
        ]
        values = self._values(live)
        if self.coaching == "before":
            self._advise(values)
        names = [*allowed, "no"] if live.insurance_open else allowed
        answer = self._ask(f"{' / '.join(_keys(names))}?", names)
        decision = None if answer == "no" else answer
        self._grade(values, answer)
        return decision

    def _values(self, live: Round) -> dict[str, Fraction]:
        if self.coaching == "off":
            return {}
        from houseway.coach import decision_values

        with progress("the coach is counting"):
            values = decision_values(live, YOU)
        if live.insurance_open:
            values = {**values, "no": Fraction(0)}
        return values

    def _advise(self, values: dict[str, Fraction]) -> None:
        if values:
            best = max(values, key=lambda name: values[name])
            worth = ", ".join(f"{name} {float(value):+.4f}" for name, value in values.items())
            console().print(f"[dim]Coach:[/dim] {best}. [dim]Worth: {worth} bets.[/dim]")

    def _grade(self, values: dict[str, Fraction], answer: str) -> None:
        if answer not in values:
            return
        lost = max(values.values()) - values[answer]
        self.asked += 1
        self.best += lost == 0
        self.cost += lost
        if self.coaching == "after":
            if lost:
                best = max(values, key=lambda name: values[name])
                console().print(f"Coach: {best} was better, by {float(lost):.4f} bets.")
            else:
                console().print("Coach: that was best.")

    def _ask_bets(self) -> Bets:
        shown = ", ".join(f"{bet} {dollars_text(cents)}" for bet, cents in self.stakes)
        while True:
            text = self._input(f"Bets ({shown}), return for the same: ")
            if not text:
                return self.stakes
            try:
                return self._read_bets(text)
            except Refused as refused:
                console().print(refused.message, style="red", markup=False)

    def _read_bets(self, text: str) -> Bets:
        given = {}
        for part in text.split(","):
            bet, _, amount = part.strip().rpartition(" ")
            if not bet:
                raise Refused(
                    Reason.BAD_ARGUMENT,
                    f"bets {text!r} cannot be read; write them as ante 10, pair-plus 5",
                )
            given[bet] = parse_amount(amount, f"wager on {bet}")
        rules = self.ruleset
        return tuple(check_wagers(rules.game, given, rules.paytables, rules.options).items())

    def _ask(self, question: str, names: list[str]) -> str:
        keys = {key: name for name, key in zip(names, _first_letters(names), strict=True)}
        while True:
            answer = self._input(question + " ").lower()
            found = keys.get(answer, answer)
            if found in names:
                return found
            console().print(f"{answer!r} is not understood; allowed: {listed(names)}, q to leave")

    def _input(self, question: str) -> str:
        console().print(question, end="", markup=False)
        answer = input().strip()
        if answer.lower() in ("q", "quit"):
            raise _Left
        return answer

    def _say(self, happened: tuple[Event, ...]) -> None:
        """What the dealer says, and what is settled while the round goes on."""
        for event in happened:
            if isinstance(event, Announced):
                console().print(f"Dealer: “{event.words}”", style="italic")
            if isinstance(event, Settled) and event.position == YOU and self._goes_on():
                line = event.line
                console().print(
                    f"{line.bet}: {line.outcome} {dollars_text(line.net, sign=True)}. {line.why}",
                    markup=False,
                )

    def _goes_on(self) -> bool:
        return self.record is not None and self.record.table.stage in (Stage.WAR, Stage.BLACKJACK)

    def _show(self, live: Round) -> None:
        """The table as position 1 may see it."""
        screen, seen = console(), view(live, Viewer("player", YOU))
        rows = [("dealer", seen["dealer"], "")]
        if seen["community"]:
            rows.append(("community", seen["community"], ""))
        for seat in seen["positions"]:
            name = "you" if seat["position"] == YOU else f"position {seat['position']}"
            rows.append((name, seat["cards"], ", ".join(seat["decisions"])))
        chips = "  ".join(f"({bet} {dollars_text(cents)})" for bet, cents in _felt(live))
        if chips:
            screen.print(f"[dim]on the felt[/dim] {chips}")
        screen.print(
            Columns(
                [
                    Panel(_cards(cards), title=name, subtitle=note or None, expand=False)
                    for name, cards, note in rows
                    if cards
                ]
            )
        )

    def _settled(self, live: Round) -> None:
        self.rounds += 1
        lines = in_order(live.seat(YOU).lines, self.ruleset.order)
        show_lines(lines)
        for line in lines:
            self.wagered[line.bet] += line.wager
            self.net[line.bet] += line.net

    def _statistics(self) -> None:
        screen = console()
        if not self.rounds:
            return
        screen.rule("session", align="left")
        shown = table("bet", "wagered", "net", right=("wagered", "net"))
        for bet in self.ruleset.game.order:
            if bet in self.wagered:
                shown.add_row(
                    bet, dollars_text(self.wagered[bet]), dollars_text(self.net[bet], sign=True)
                )
        shown.add_row("all", "", dollars_text(sum(self.net.values()), sign=True))
        screen.print(f"{self.rounds} round{'' if self.rounds == 1 else 's'}")
        screen.print(shown)
        if self.asked:
            screen.print(
                f"{self.best} of {self.asked} decisions were best; what the others gave away is "
                f"worth {float(self.cost):.4f} bets"
            )


def _felt(live: Round) -> list[tuple[str, int]]:
    """What lies on the player's spots: wagers that are not settled yet."""
    seat = live.seat(YOU)
    spots = {bet: cents for bet, cents in seat.wagers.items() if not seat.settled(bet)}
    if "play" in seat.decisions and not seat.settled("play"):
        spots["play"] = seat.wagers["ante"]
    return list(spots.items()) if not live.over else []


def _cards(cards: list[str]) -> Text:
    """Cards with suit signs, a hidden one as its back."""
    text = Text()
    for number, card in enumerate(cards):
        text.append(" " if number else "")
        if card == HIDDEN:
            text.append("##", style="dim")
        else:
            text.append_text(cards_rich(parse_cards(card)))
    return text


def _first_letters(names: list[str]) -> list[str]:
    """A key for each name: its first letter, or more of it where another has that."""
    keys: list[str] = []
    for name in names:
        length = 1
        while any(other != name and other.startswith(name[:length]) for other in names):
            length += 1
        keys.append(name[:length])
    return keys


def _keys(names: list[str]) -> list[str]:
    return [
        f"[{key}]{name[len(key) :]}" for name, key in zip(names, _first_letters(names), strict=True)
    ]
