"""Sessions and shifts, followed again by hand; and the witness, which must be able to object."""

import json
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.cli import main
from houseway.games import GAMES
from houseway.refusal import Refused
from houseway.sim import witness as room
from houseway.sim.job import Job, laid_out
from houseway.sim.plan import make_job
from houseway.sim.result import exact_laws
from houseway.sim.session import (
    SHIFT_BLOCKS,
    Visit,
    check_visit,
    needed_cents,
    play_block,
    play_sessions,
    play_shifts,
    shift_block,
)
from houseway.sim.stream import Stream


def job_of(game: str, seats: int = 1, **bets: int) -> Job:
    wagers = {name.replace("_", "-"): cents for name, cents in bets.items()}
    return make_job(game, seats=seats, seed=11, bets=wagers)


POKER = job_of("three-card-poker", ante=1000, pair_plus=500)
BONUS = job_of("triple-shot-bonus", war=500, blackjack=1000, poker=500, hat_trick=500)


def dealt_nets(job: Job, block: int, rounds: int) -> Any:
    """What every seat won in the rounds of a block, in cents."""
    layout, stream = laid_out(job), Stream(job.seed, block)
    found: list[list[int]] = []
    outcomes = np.zeros((1000, job.seats), dtype=np.int32)
    while len(found) < rounds:
        dealt = layout.table.deal(stream, 1000, outcomes)
        if dealt:
            found += layout.nets[outcomes[:dealt]].tolist()
        else:
            stream.refill()
    return found


@pytest.mark.parametrize("job", [POKER, BONUS], ids=lambda job: job.game)
@pytest.mark.parametrize("goal", [0, 30_000])
def test_sessions_are_what_a_purse_comes_to_round_by_round(job: Job, goal: int) -> None:
    visit = Visit(bankroll=20_000, rounds=60, goal=goal)
    ended = play_block(job, visit, 0, 300)
    nets = iter(dealt_nets(job, 0, 300 * 60))
    for purse, played, peak, fall, ruined in ended.tolist():
        own = best = visit.bankroll
        rounds = lowest = 0
        while True:
            [won] = next(nets)
            own += won
            rounds += 1
            best = max(best, own)
            lowest = max(lowest, best - own)
            if rounds == visit.rounds or own < needed_cents(job) or (goal and own >= goal):
                break
        assert (purse, played, peak, fall) == (own, rounds, best, lowest)
        assert ruined == (rounds < visit.rounds and own < needed_cents(job))


def test_ruin_is_as_likely_as_the_exact_law_says() -> None:
    """The whole distribution of a short session, worked out from the law of the Ante."""
    job = job_of("three-card-poker", ante=1000)
    [law] = [law for row, law in zip(job.rows, exact_laws(job), strict=True) if row.bet == "ante"]
    visit = Visit(bankroll=6_000, rounds=12)
    alive: dict[int, Fraction] = {visit.bankroll: Fraction(1)}
    ruined = Fraction(0)
    mean = Fraction(0)
    for number in range(1, visit.rounds + 1):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for purse, p in alive.items():
            for net, chance in law.distribution:
                after[int(purse + net * 1000)] += p * chance
        alive = {}
        for purse, p in after.items():
            if purse < needed_cents(job) and number < visit.rounds:
                ruined += p
                mean += p * purse
            else:
                alive[purse] = p
    mean += sum((p * purse for purse, p in alive.items()), Fraction(0))
    with ThreadPoolExecutor(2) as pool:
        played = play_sessions(job, visit, 40_000, pool)
    error = sqrt(float(ruined * (1 - ruined)) / 40_000)
    assert abs(played.ruined - float(ruined)) < 4 * error
    found = played.to_json()
    assert abs(found["mean"] + visit.bankroll - float(mean)) < 4 * found["standard_error"]


def test_a_shift_takes_in_what_was_bought_and_pays_what_was_carried_away() -> None:
    job = job_of("three-card-poker", seats=3, ante=1000, pair_plus=500)
    visit, length = Visit(bankroll=20_000, rounds=40), 100
    ended = shift_block(job, visit, length, 0, 20)
    nets = dealt_nets(job, SHIFT_BLOCKS, 20 * length)
    for number, (drop, win, buy_ins) in enumerate(ended.tolist()):
        own = nets[number * length : (number + 1) * length]
        carried = bought = 0
        for seat in range(3):
            purse = played = 0
            for row in own:
                if not played:
                    purse = visit.bankroll
                    bought += 1
                purse += row[seat]
                played += 1
                if played == visit.rounds or purse < needed_cents(job):
                    carried, played = carried + purse, 0
            carried += purse if played else 0
        assert (drop, buy_ins) == (bought * visit.bankroll, bought)
        assert win == drop - carried


def test_workers_do_not_change_a_session_or_a_shift() -> None:
    visit = Visit(bankroll=30_000, rounds=50)
    found = []
    for workers in (1, 2, 3):
        with ThreadPoolExecutor(workers) as pool:
            sessions = play_sessions(BONUS, visit, 5_000, pool)
            shifts = play_shifts(BONUS, visit, 60, 300, pool)
        found.append((sessions.ended.tobytes(), shifts.ended.tobytes()))
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    "visit", [Visit(bankroll=2_499, rounds=9), Visit(bankroll=9_000, rounds=9, goal=9_000)]
)
def test_a_bankroll_covers_a_round_and_a_goal_lies_above_it(visit: Visit) -> None:
    with pytest.raises(Refused):
        check_visit(POKER, visit)


SESSION = ["session", "three-card-poker", "--bankroll", "300", "--bet", "ante=10"]


def test_the_document_of_a_session(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    few = ["--sessions", "2000", "--shifts", "50", "--rng-seed", "3", "--seats", "6"]
    picture = tmp_path / "session.svg"
    assert main([*SESSION, *few, "--svg", str(picture), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["player"]["sessions"] == 2000
    assert 0 < document["player"]["probability_of_ruin"] < 1
    assert document["house"]["shifts"] == 50
    assert document["paytables"] == {
        "ante-bonus": "A",
        "pair-plus": "A",
        "six-card-bonus": "TCP-6B1",
    }
    assert "<svg" in picture.read_text()
    assert main([*SESSION, *few]) == 0
    assert "ruin" in capsys.readouterr().out


@pytest.mark.parametrize(
    "asked",
    [
        ["session"],
        SESSION[:2],
        SESSION[:4],
        [*SESSION[:3], "15", *SESSION[4:]],
        [*SESSION, "--rounds", "0"],
        [*SESSION, "--rounds", "many"],
        [*SESSION, "--hours", "0"],
        [*SESSION, "--goal", "200"],
        [*SESSION, "--bet", "progressive=1"],
        [*SESSION, "--seats", "8"],
        [*SESSION, "--strategy", "printed"],
    ],
)
def test_a_session_that_cannot_be_is_refused(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked) == 2
    told = capsys.readouterr()
    assert told.err.startswith("houseway: ")
    assert "Traceback" not in told.err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--paytable", "pair-plus=A", "--paytable", "pair-plus=C"],
         "paytable 'C' of pair-plus is given beside 'A'; a session is played under one"),
        (["--paytable", "TCP-01", "--paytable", "ante-bonus=C"], "paytable 'C' of ante-bonus"),
        (["--paytable", "progressive=1"], "or leave the paytable out"),
        (["--svg", "nowhere/session.svg"], "there is no folder 'nowhere'"),
    ],
)  # fmt: skip
def test_what_a_session_cannot_use_is_refused_before_it_is_played(
    more: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(*_: object) -> None:
        raise AssertionError("it was played")

    monkeypatch.setattr("houseway.sim.session.play_sessions", played)
    assert main([*SESSION, *more]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("rounds", ["1", "100", "999999"])
def test_the_witness_does_not_judge_by_few_rounds(
    rounds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["witness", "--rounds", rounds]) == 2
    told = capsys.readouterr().err
    assert told == f"houseway: rounds '{rounds}' are too few to judge by; write 1e6 or more\n"


def test_the_witness_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """The short form over every bet of every game under every paytable."""
    assert main(["witness", "--rounds", "1e6", "--rng-seed", "20261116", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["holds"]
    assert {figure["game"] for figure in document["figures"]} == {
        "three-card-poker",
        "three-card-poker-face-up",
        "triple-shot-rummy",
        "triple-shot-bonus",
    }
    assert len(document["figures"]) > 80


@pytest.mark.soak
def test_the_witness_holds_for_long() -> None:
    assert main(["witness", "--long", "--rng-seed", "1", "--json"]) == 0


def test_the_witness_objects_to_a_wrong_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edge that is off by half a percent of a bet is found in a million hands."""

    def wrong(job: Job) -> Any:
        laws = exact_laws(job)
        shifted = laws[0].__class__(
            {net + Fraction(1, 50): ways for net, ways in laws[0].counts.items()}
        )
        return [shifted, *laws[1:]]

    monkeypatch.setattr(room, "exact_laws", wrong)
    monkeypatch.setattr(room, "GAMES", GAMES[:1])
    with ThreadPoolExecutor(2) as pool:
        found = room.hear(1_000_000, 5, pool, 2)
    assert not found.holds
    assert found.furthest.figure.startswith("ante")


@pytest.mark.parametrize("game", room.VARIANTS)
def test_the_long_witness_deals_options_that_there_are(game: str) -> None:
    for options in room.VARIANTS[game]:
        assert make_job(game, options, strategy="simple", seed=1).game == game
