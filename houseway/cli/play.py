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

from houseway.cli.arguments import (
    GameText,
    OptionTexts,
    PaytableTexts,
    RngSeed,
    fill_in,
    read_count,
    read_seed,
)
from houseway.cli.output import (
    console,
    pairs,
    paytable_pairs,
    progress,
    seen_cards,
    show_lines,
    table,
)
from houseway.cli.practice import find_bot, read_stakes, table_rules
from houseway.house.money import dollars_text, parse_amount
from houseway.live import commands as c
from houseway.live.commands import Bets
from houseway.live.engine import is_last
from houseway.live.events import Announced, Event, Settled
from houseway.live.panel import on_felt
from houseway.live.procedure import Meters, Player, answers, next_step
from houseway.live.record import Record
from houseway.live.round import legal
from houseway.live.shuffler import Shuffler
from houseway.live.state import MOST_POSITIONS, Round
from houseway.live.text import plain
from houseway.live.view import Viewer, view
from houseway.live.words import prompt
from houseway.names import bet_name
from houseway.refusal import Reason, Refused, listed
from houseway.rules.lines import in_order
from houseway.rules.ruleset import Ruleset
from houseway.rules.wagers import check_wagers

COACHING = ("before", "after", "off")
YOU = 1
HELP_LINE = "Play for fun; stop when it is not. If gambling is a problem, ask for help."


@fill_in
def play(
    game: GameText = None,
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

    You sit at position 1. The return key bets the same again; type other bets as
    `ante 10, pair-plus 5`. Answer with a word or its first letter, `?` helps and `q` leaves. What
    is left of a round is kept in a file; Ctrl-C leaves too, with exit code 130. Example:

    ```
    houseway play {first} --positions 3 --rng-seed 8123
    ```

    Parameters
    ----------
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
    folder = Path(record)
    if not folder.is_dir():
        raise Refused(Reason.BAD_ARGUMENT, f"folder {record!r} is not there; name one that is")
    if coach != "off":
        _prepare_coach(ruleset)
    session = _Session(
        ruleset=ruleset,
        seats=read_count(positions, "positions", MOST_POSITIONS),
        randomness=random.SystemRandom() if seed is None else random.Random(seed),
        bot=find_bot(bot),
        coaching=coach,
        stakes=stakes,
        meters=meters,
    )
    return session.run(most, folder)


def _prepare_coach(ruleset: Ruleset) -> None:
    """Count before the first question, so that nobody waits in the middle of a hand."""
    with progress("the coach is counting"):
        from houseway.practice.coach import prepare

        prepare(ruleset)


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
        except _Left:
            self._keep(folder)
        except EOFError:
            screen.print()
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
        path = _free(folder, f"interrupted-{self.ruleset.game.code}-{self.record.table.number}")
        try:
            path.write_text(self.record.text(), encoding="utf-8")
        except OSError as error:
            raise Refused(
                Reason.BAD_ARGUMENT, f"file '{path}' cannot be written: {error.strerror}"
            ) from None
        console().print(f"The round so far is in {path}", markup=False)

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
            self._advise(values, live)
        names = [*allowed, "no"] if live.offer else allowed
        answer = self._ask(f"{' / '.join(_keys(names))}?", names, live)
        decision = None if answer == "no" else answer
        self._grade(values, answer)
        return decision

    def _values(self, live: Round) -> dict[str, Fraction]:
        if self.coaching == "off":
            return {}
        from houseway.practice.coach import decision_values

        values = decision_values(live, YOU)
        if live.offer:
            values = {**values, "no": Fraction(0)}
        return values

    def _advise(self, values: dict[str, Fraction], live: Round) -> None:
        if values:
            from houseway.practice.coach import left_out

            best = max(values, key=lambda name: values[name])
            unit = f"{bet_name(live.ruleset.game.unit)} bets"
            worth = ", ".join(f"{name} {float(value):+.4f}" for name, value in values.items())
            missing = " and ".join(left_out(live, YOU))
            note = f" Not counted: {missing}." if missing else ""
            console().print(f"[dim]Coach:[/dim] {best}. [dim]Worth in {unit}: {worth}.{note}[/dim]")

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
                console().print(f"Coach: {best} was better, by {float(lost):.4f} of the bet.")
            else:
                console().print("Coach: that was best.")

    def _ask_bets(self) -> Bets:
        shown = ", ".join(f"{bet} {plain(cents)}" for bet, cents in self.stakes)
        while True:
            text = self._input(f"Bets ({shown}): ")
            if not text:
                return self.stakes
            try:
                return self._read_bets(text)
            except Refused as refused:
                console().print(refused.message, style="red", markup=False)

    def _read_bets(self, text: str) -> Bets:
        rules = self.ruleset
        example = ", ".join(f"{bet} {plain(cents)}" for bet, cents in self.stakes)
        given: dict[str, int] = {}
        for part in text.lower().replace("=", " ").split(","):
            words = part.split()
            if len(words) != 2 or text.strip() in ("?", "help"):
                raise Refused(
                    Reason.BAD_ARGUMENT,
                    f"bets {text[:40]!r} cannot be read; write them as {example} with commas "
                    f"between (bets of this game: {listed(rules.game.wagers)}), the return key "
                    "for the same as before, or q to leave",
                )
            bet, amount = words
            if bet in given:
                raise Refused(Reason.GIVEN_TWICE, f"bet {bet!r} is given twice; give it once")
            given[bet] = parse_amount(amount, f"wager on {bet}")
        return tuple(check_wagers(rules.game, given, rules.paytables, rules.options).items())

    def _ask(self, question: str, names: list[str], live: Round) -> str:
        keys = dict(zip(_first_letters(names), names, strict=True))
        keys |= {} if live.offer is None else dict.fromkeys(("y", "yes"), live.offer.name)
        while True:
            answer = self._input(question + " ").lower()
            found = keys.get(answer, answer)
            if found in names:
                return found
            step = prompt(live)
            console().print(
                f"{answer[:40]!r} is not understood; allowed: {listed(names)}, q to leave. "
                f"The dealer asks: {step.say}",
                markup=False,
            )

    def _input(self, question: str) -> str:
        console().print(question, end="", markup=False, soft_wrap=True)
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
        return self.record is not None and not is_last(self.record.table)

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
                    Panel(_with_note(cards, note), title=name, expand=False)
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
            gave = f"; the others gave away {float(self.cost):.4f} bets" if self.cost else ""
            screen.print(f"{self.best} of {self.asked} decisions were best{gave}")


def _felt(live: Round) -> list[tuple[str, int]]:
    """What lies on the player's spots: wagers that are not settled yet."""
    seat = live.seat(YOU)
    return list(on_felt(live, seat).items())


def _with_note(cards: list[str], note: str) -> Text:
    """Cards, and below them what was decided."""
    text = seen_cards(cards)
    if note:
        text.append(f"\n{note}", style="dim")
    return text


def _free(folder: Path, name: str) -> Path:
    """A file of that name that is not there yet: an earlier round is never replaced."""
    path, number = folder / f"{name}.round", 2
    while path.exists():
        path, number = folder / f"{name}-{number}.round", number + 1
    return path


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
