"""The panel of the console: every chip is handed over or taken in once, and NEXT is one step."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.floor.live_round import round_of
from houseway.floor.table import FloorTable
from houseway.live import commands as c
from houseway.live.commands import Command
from houseway.live.events import Announced
from houseway.live.record import Record, read_record
from houseway.live.round import act, refusal
from houseway.live.state import Round
from houseway.live.text import command_text, parse_command
from houseway.rules.identity import FORM
from houseway.server.console import round_view
from tests.games.test_settle_against_oracle import BONUS_OPTIONS, THREE_CARD_OPTIONS, some_options
from tests.live.play import (
    BONUS_PROCEDURES,
    PROGRESSIVES,
    THREE_CARD_PROCEDURES,
    any_command,
    next_step,
)
from tests.live.table import BONUS, RUMMY
from tests.live.test_round_files import FILES
from tests.server.serving import Dealer, InThread, Rigged, boldly

POKER, FACE_UP = "three-card-poker", "three-card-poker-face-up"
GAMES = (POKER, FACE_UP, RUMMY, BONUS)
NOT_LINES = ("shuffle", "enter deck", "start game")
"""Steps of the button that the floor fills in."""


@dataclass
class Watched:
    """A round that is played at a table, as the console shows it after each line."""

    table: FloorTable
    told: Counter[tuple[int, int]] = field(default_factory=Counter)
    """Cents handed over less those taken in, by step and position: a step counts once."""
    mistakes: Counter[int] = field(default_factory=Counter)
    """Cents that were handed over by mistake, as somebody reported, by position."""
    shown: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How many steps called a line the one that is paid now, by position and number."""

    def do(self, command: Command) -> dict[str, Any]:
        """Do a command, hold the view against the round, and keep what it tells."""
        before = self.round
        after, happened = act(before, command)
        text = command_text(command)
        self.table = replace(self.table, deal=(*self.table.deal, text))
        assert self.round == after
        view = round_view(self.table, after)
        self._add_up(view, before, command)
        check_felt(view, after)
        check_next(view, after)
        if any(isinstance(event, Announced) for event in happened) and not after.over:
            assert view["say"]
        return view

    @property
    def round(self) -> Round:
        found = round_of(self.table)
        assert found is not None
        return found

    def _add_up(self, view: dict[str, Any], before: Round, command: Command) -> None:
        after, panel = self.round, view["panel"]
        if isinstance(command, c.ReportPayout | c.CorrectPayout):
            at = command.position
            self.mistakes[at] += after.seat(at).purse - before.seat(at).purse
        paid = {} if panel is None else {one["position"]: one for one in panel["payments"]}
        for seat in view["positions"]:
            now = [line for line in seat["lines"] if line["now"]]
            assert bool(now) <= (seat["position"] in paid)
            if now:
                one = paid[seat["position"]]
                assert one["hand_over"] == sum(max(0, line["handed"]) for line in now)
                assert one["take_in"] == sum(max(0, -line["handed"]) for line in now)
                assert {line["stage"] for line in now} == {panel["stage"]}
        if panel is None:
            return
        for name in ("hand_over", "take_in"):
            assert panel[name] == sum(one[name] for one in paid.values())
        first_time = panel["step"] not in {step for step, _ in self.told}
        # Only what does not take the round on leaves a panel as it was.
        assert first_time == (panel["step"] == len(self.table.deal))
        for position, one in paid.items():
            self.told[panel["step"], position] = one["hand_over"] - one["take_in"]
        if first_time:
            self.shown.update(
                (seat["position"], number)
                for seat in view["positions"]
                for number, line in enumerate(seat["lines"])
                if line["now"]
            )

    def by_position(self) -> Counter[int]:
        """Cents that the panels told the dealer to hand over, less those to take in."""
        found: Counter[int] = Counter()
        for (_, position), cents in self.told.items():
            found[position] += cents
        return found

    def check_settled(self) -> None:
        """The panels added up to what the round came to, per position and in total."""
        table, told = self.round, self.by_position()
        assert table.over
        view = round_view(self.table, table)
        for seat in table.seats:
            # The cage hands over an award of a meter, with its win page.
            awards = sum(
                line["wager"] + line["net"]
                for shown in view["positions"]
                for line in shown["lines"]
                if shown["position"] == seat.position and line["apart"] == "award"
            )
            assert told[seat.position] + self.mistakes[seat.position] == seat.purse - awards
            if not table.voided:
                assert self.mistakes[seat.position] == 0
                assert told[seat.position] == sum(line.net for line in seat.lines) - awards
        on_meters = sum(
            seat.wagers["progressive"] for seat in table.seats if "progressive" in seat.wagers
        )
        if not table.voided:
            assert -sum(told.values()) == table.tray + (on_meters if table.started else 0)
        assert set(self.shown.values()) <= {1}


def check_felt(view: dict[str, Any], table: Round) -> None:
    """The wagers on the spots are the money on the felt, and a settled bet is gone."""
    for seat in view["positions"]:
        assert sum(seat["felt"].values()) == table.seat(seat["position"]).felt
        late = {late.bet for late in table.late if late.position == seat["position"]}
        assert set(seat["felt"]) & {line["bet"] for line in seat["lines"]} <= late


def check_next(view: dict[str, Any], table: Round) -> None:
    """NEXT names a step that may be done, and the positions that the panel shows."""
    line = view["next"]
    if view["panel"] and not (table.reported or table.wrong or table.runbook):
        for one in view["panel"]["payments"]:
            assert f"Position {one['position']}: " in view["do"]
    if line is None:
        assert view["do"]
        return
    assert view["blocked"] is None
    if line not in NOT_LINES:
        assert refusal(table, parse_command(line)) is None
    if line.startswith("reconcile"):
        assert line == f"reconcile {table.waiting[0]}"
        named = view["do"].removeprefix(_pay_words(view))
        assert f"osition {table.waiting[0]}" in named


def _pay_words(view: dict[str, Any]) -> str:
    return str(view["do"]).split(" Then ")[0] if view["panel"] else ""


def at_table(
    game: str, positions: int, options: dict[str, str], progressive: str, form: int = FORM
) -> Watched:
    """A table with a round that was just opened."""
    return Watched(
        FloorTable(
            name=f"{game} {positions} {sorted(options.items())} {progressive} {form}",
            game=game,
            positions=positions,
            options=options,
            deal_number=1,
            deal_start={
                "form": form,
                "options": options,
                "paytables": {"progressive": progressive} if progressive else {},
            },
        )
    )


def transcript(path: Path) -> tuple[Watched, Record]:
    """The table of a round file, and its record."""
    text = path.read_text(encoding="utf-8")
    head = [row.split(": ", 1) for row in text.split("\n\n")[0].splitlines() if ": " in row]
    options = dict(value.split("=") for name, value in head if name == "option")
    tables = dict(value.split("=") for name, value in head if name == "paytable")
    record = read_record(text).record
    table = record.opened
    made = at_table(
        table.ruleset.game.code,
        len(table.seats),
        options,
        tables.get("progressive", ""),
        table.form,
    )
    assert made.round == table
    return made, record


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_panels_of_a_transcript_add_up_to_its_settlement(path: Path) -> None:
    watched, record = transcript(path)
    for command, _ in record.entries:
        watched.do(command)
    watched.check_settled()
    told = watched.by_position()
    for position, cents in FROM_A_METER.get(path.stem, {}).items():
        told[position] += cents
    assert {p: cents for p, cents in told.items() if cents} == printed_net(path)


FROM_A_METER = {"link_community_cards": {1: 5_000_000}}
"""Awards that the cage hands over with a win page."""


def printed_net(path: Path) -> dict[int, int]:
    """The cents at the foot of a round file, by position; none where it is 0 or void."""
    foot = path.read_text(encoding="utf-8").splitlines()[-1]
    found = re.findall(r"position (\d) ([+-]?)(\d+)(?:\.(\d\d))?", foot)
    return {
        int(position): (-1 if sign == "-" else 1) * (int(dollars) * 100 + int(cents or 0))
        for position, sign, dollars, cents in found
        if dollars != "0" or cents
    }


def some_round(game: str, seed: int, *, trouble: float) -> Watched:
    """A whole round by chance: rules, bets, cards and decisions, and how much goes wrong."""
    rng = Random(f"{game} {seed}")
    choices = (
        BONUS_OPTIONS | BONUS_PROCEDURES
        if game == BONUS
        else THREE_CARD_OPTIONS | THREE_CARD_PROCEDURES
    )
    progressive = "" if game == BONUS else rng.choice(PROGRESSIVES)
    watched = at_table(game, rng.randint(1, 7), some_options(rng, choices, game), progressive)
    while not watched.round.over:
        table = watched.round
        command = next_step(rng, table)
        if rng.random() < trouble:
            others = [any_command(rng, table) for _ in range(4)]
            if rng.random() < 0.05:
                others = [c.VoidRound("ruling", "the deck was short")]
            command = next((one for one in others if refusal(table, one) is None), command)
        if refusal(table, command) is None:
            watched.do(command)
    return watched


ROUNDS = [range(40), pytest.param(range(40, 1000), marks=pytest.mark.soak)]


@pytest.mark.parametrize("seeds", ROUNDS, ids=["few", "many"])
@pytest.mark.parametrize("game", GAMES)
def test_the_panels_of_any_round_add_up_to_its_settlement(game: str, seeds: range) -> None:
    """Also where positions are settled together, reports come in between or a round is void."""
    for seed in seeds:
        some_round(game, seed, trouble=0.0 if seed % 2 else 0.5).check_settled()


# What went wrong at the tables.


THREE_GAMES = "Kh 4c 7d 7s Ts 9c 5h 9h 2s Ah 6c Jc Qd 3s 3h 5c 8c Tc 2d"
"""Position 1 wins all of its bets, position 2 loses War, position 3 ties it."""
THREE_BETS = (
    "war 10, blackjack 10, poker 5, hat-trick 5",
    "war 5, blackjack 10, poker 5, hat-trick 5",
    "war 5, blackjack 20, poker 5",
)


def three_games(floor: InThread, decks: Rigged) -> Dealer:
    """A round of Triple Shot Bonus with its bets on the felt."""
    decks.decks.append(THREE_GAMES)
    dealer = Dealer(floor.as_("d1"), "Bonus")
    dealer.begin(*THREE_BETS)
    return dealer


def seat_of(view: dict[str, Any], position: int) -> Any:
    """A position of a round."""
    return next(seat for seat in view["positions"] if seat["position"] == position)


def settle(dealer: Dealer, position: int, stage: str) -> Any:
    """The round when a position was settled in a stage."""
    for line in dealer.steps(boldly):
        view = dealer.view["round"]
        if line == f"reconcile {position}" and view["panel"]["stage"] == stage:
            return view
    raise AssertionError(f"position {position} is not settled in {stage}")


def test_wars_win_is_not_handed_over_again_at_blackjack(
    rigged_floor: InThread, decks: Rigged
) -> None:
    dealer = three_games(rigged_floor, decks)
    handed = []
    for stage in ("war", "blackjack", "poker"):
        panel = settle(dealer, 1, stage)["panel"]
        assert [one["position"] for one in panel["payments"]] == [1]
        handed.append((panel["hand_over"], panel["take_in"], panel["payments"][0]["chips"]))
    assert handed == [(1000, 0, "2 x 5"), (1000, 0, "2 x 5"), (6500, 0, "2 x 25, 3 x 5")]
    lines = seat_of(dealer.view["round"], 1)["lines"]
    assert [(line["bet"], line["stage"], line["now"]) for line in lines] == [
        ("war", "war", False),
        ("blackjack", "blackjack", False),
        ("poker", "poker", True),
        ("hat-trick", "poker", True),
    ]


def test_a_bet_that_was_taken_is_gone_from_the_felt(rigged_floor: InThread, decks: Rigged) -> None:
    """War took the Hat Trick of position 2 with it; Blackjack and Poker are still in action."""
    view = settle(three_games(rigged_floor, decks), 2, "war")
    assert seat_of(view, 2)["felt"] == {"blackjack": 1000, "poker": 500}
    assert seat_of(view, 2)["wagers"]["war"] == 500
    assert seat_of(view, 1)["felt"]["hat-trick"] == 500


def test_the_last_position_of_a_stage_is_paid_before_the_next_deal(
    rigged_floor: InThread, decks: Rigged
) -> None:
    """Blackjack is dealt next, and the panel still shows what War pays."""
    view = settle(three_games(rigged_floor, decks), 1, "war")
    assert (view["phase"], view["stage"], view["next"]) == ("dealing", "blackjack", "deliver")
    assert (view["panel"]["stage"], view["panel"]["hand_over"]) == ("war", 1000)
    assert view["do"] == (
        "Position 1: hand over $10.00. Then deal position 1, 2 and 3 a second card, face up, "
        "then the dealer a second card, face down under the first."
    )


def test_next_is_the_step_the_button_does(rigged_floor: InThread, decks: Rigged) -> None:
    """NEXT first names the position that the panel shows, then the one that the button settles."""
    dealer = three_games(rigged_floor, decks)
    view = settle(dealer, 3, "war")
    assert [one["position"] for one in view["panel"]["payments"]] == [3]
    assert (view["next"], view["blocked"]) == ("reconcile 2", None)
    assert view["do"].startswith(
        "Position 3: take in $2.50. Then settle War of position 2;",
    )
    dealer.say(view["next"])
    after = dealer.view["round"]
    assert [one["position"] for one in after["panel"]["payments"]] == [2]
    assert after["do"].startswith("Position 2: take in $10.00. Then settle War of position 1;")


def test_next_names_every_place_that_the_button_deals_to() -> None:
    watched, record = transcript(next(path for path in FILES if path.stem.startswith("face_up")))
    for command, _ in record.entries:
        view = watched.do(command)
        if view["next"] == "deliver":
            break
    assert view["do"] == (
        "Deal position 1 and 2 three cards face down, then the dealer three cards, two face down "
        "and one face up; keep the bottom card covered."
    )


def test_a_blocked_step_is_never_next(rigged_floor: InThread, decks: Rigged) -> None:
    """Envy waits for the hand button and the supervisor; the console says so."""
    decks.decks.append("As Ks Qs 9c 6d 2h Kh 9h 4d")
    dealer = Dealer(rigged_floor.as_("d1"), "Poker")
    dealer.begin("ante 10, progressive 1", "ante 10, progressive 1")
    dealer.until("pay envy", boldly)
    view = dealer.view["round"]
    assert (view["next"], view["blocked"]["line"]) == (None, "pay envy")
    assert not {"pay envy", "close"} & set(view["legal"])
    assert view["blocked"]["by"]
    # The panel still tells what position 1 is paid from the tray.
    assert view["do"].startswith("Position 1: hand over ")
    assert " Then pay envy" not in view["do"]
    assert all(why in view["do"] for why in view["blocked"]["by"])


def test_the_announcement_stands_until_the_next_one(rigged_floor: InThread, decks: Rigged) -> None:
    decks.decks.append("9c 6d 2h Ts 8d 4c Qh 9h 3d")
    dealer = Dealer(rigged_floor.as_("d1"), "FaceUp")
    dealer.begin("ante 10", "ante 10")
    said = [(line, dealer.view["round"]["say"]) for line in dealer.steps(boldly)]
    words = "Dealer plays with a Queen."
    assert said[-4:] == [
        ("reveal dealer", words),
        ("reconcile 2", words),
        ("reconcile 1", words),
        ("close", ""),
    ]


def test_a_report_leaves_the_panel_as_it_was() -> None:
    """What was wrong at one bet is put right, and the dealer goes on paying where he was."""
    watched, record = transcript(next(path for path in FILES if path.stem == "irregularities"))
    panels = []
    for command, _ in record.entries:
        view = watched.do(command)
        panels.append((type(command), view["panel"] and view["panel"]["step"]))
    steps = [step for _, step in panels]
    at = next(n for n, (kind, _) in enumerate(panels) if kind is c.ReportPayout)
    assert steps[at - 1] == steps[at] == steps[at + 1] == at


def test_forfeits_are_taken_in_from_each_position_at_once() -> None:
    path = next(path for path in FILES if path.stem == "rummy_procedure")
    watched, record = transcript(path)
    for command, _ in record.entries:
        view = watched.do(command)
        if isinstance(command, c.CollectForfeits):
            break
    folded = [seat["position"] for seat in view["positions"] if seat["folded"]]
    assert [one["position"] for one in view["panel"]["payments"]] == folded[::-1]
    assert view["panel"]["take_in"] > 0
    assert view["panel"]["hand_over"] == 0
    assert "ante" not in seat_of(view, folded[0])["felt"]
