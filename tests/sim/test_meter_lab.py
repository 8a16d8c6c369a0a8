"""The meter lab: its formulas against each other, and its paths against the formulas."""

import json
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from houseway.cli import main
from houseway.games.library import paytable_of
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.refusal import Refused
from houseway.rules.wagers import read_options
from houseway.sim.meter_lab import Lab, make_lab, play_path, run_lab


def link_table(code: str) -> PayTable:
    game = "five-card-link" if code in ("01", "ML01", "ML03") else "three-card-progressive"
    return paytable_of(game, "progressive", code)


def lab_of(code: str = "1", *, seats: int = 6, **texts: str) -> Lab:
    options = {"contribution_rate": "0.2", "meter_seed": "5000", **texts}
    return make_lab(link_table(code), read_options(options, Options())[0], seats=seats)


def test_growth_and_time_to_a_hit_by_formula() -> None:
    lab = lab_of()
    assert lab.growth_cents("single") == 6 * 20
    assert 1 / lab.whole_probability("single") == 22_100
    # Half of all waits end within ln 2 times the mean, and so on.
    half = lab.wagers_to_hit("single", 0.5)
    assert abs(half / 22_100 - np.log(2)) < 1e-3
    assert lab.hit_within("single", half // 6) == pytest.approx(0.5, abs=1e-3)
    assert lab.start_after_hit("single", 0) == 500_000
    assert lab.start_after_hit("single", 100) == 500_000 + 100 * 120


@pytest.mark.clause("PRC-06")
def test_without_a_meter_seed_back_to_back_hits_find_next_to_nothing() -> None:
    lab = lab_of(meter_seed="0", reserve_rate="0.05")
    assert lab.start_after_hit("single", 10) == 10 * 120


@pytest.mark.parametrize("reserve", ["0", "0.05"])
def test_the_mean_award_played_out_is_that_of_the_long_run(reserve: str) -> None:
    lab = lab_of(reserve_rate=reserve)
    run = lab.long_run()
    assert run is not None
    expected = float(run.levels["single"].mean_awards["akq_spades"]) * 100
    won = [
        cents
        for number in range(20)
        for cents in play_path(lab, 400_000, np.random.Generator(np.random.Philox(number))).awards[
            "single"
        ]
    ]
    error = np.std(won) / sqrt(len(won))
    assert abs(np.mean(won) - expected) < 4 * error


def test_a_path_that_is_drawn_grows_from_hit_to_hit() -> None:
    """Between two points a meter has what was contributed; at a hit it falls at once."""
    lab, rounds = lab_of(seats=1), 100_000
    path = play_path(lab, rounds, np.random.Generator(np.random.Philox(5)))
    points = path.points["single"]
    assert points[0] == (0, 500_000)
    assert points[-1][0] == rounds
    assert len(points) > 400
    falls = 0
    for (first, before), (second, after) in pairwise(points):
        if second > first:
            assert after - before == (second - first) * 20
        elif after != before:
            falls += 1
            assert after == 500_000
    assert falls == len(path.awards["single"]) > 1


@pytest.mark.parametrize("columns", ["20", "60", "80", "200"])
def test_a_path_fits_into_the_terminal(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert main([*ASKED, "--rounds", "1e5", "--paths", "1", "--rng-seed", "1"]) == 0
    shown = capsys.readouterr().out.rpartition("path\n")[2].splitlines()
    if int(columns) >= 30:
        assert len(shown) == 13
        assert max(map(len, shown)) == min(14 + 1 + 72, int(columns))
    assert "0 to 100,000" in " ".join(" ".join(shown).split())


def test_the_long_run_is_known_for_wagers_of_a_dollar() -> None:
    options = read_options({"contribution_rate": "0.2", "meter_seed": "5000"}, Options())[0]
    for cents in (100, 500):
        lab = make_lab(link_table("1"), options, wager_cents=cents)
        assert (lab.long_run() is not None) == (cents == 100)


@pytest.mark.clause("PRC-02")
@pytest.mark.parametrize("paths", [6, pytest.param(20, marks=pytest.mark.soak)])
def test_a_meter_that_pays_everything_runs_dry_when_it_grows_too_slowly(paths: int) -> None:
    shares = {}
    for rate in ("0.3", "0.9"):
        lab = lab_of(all_from_meter="on", contribution_rate=rate, meter_seed="2000")
        shares[rate] = run_lab(lab, 20_000, paths, 1).dry_share
    assert shares["0.3"] == 1.0
    assert shares["0.9"] < 0.2
    with pytest.raises(Refused, match="several meters"):
        lab_of(
            "ML01",
            all_from_meter="on",
            contribution_rate="mega=0.1,major=0.1",
            meter_seed="mega=1,major=1",
        )


ASKED = ["meter-lab", "1", "--option", "contribution_rate=0.2", "--option", "meter_seed=5000"]


def test_the_command_shows_and_draws(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "meter.svg"
    few = ["--rounds", "1e5", "--paths", "3", "--rng-seed", "1"]
    assert main([*ASKED, *few, "--svg", str(picture)]) == 0
    told = capsys.readouterr().out
    assert "hit once in" in told
    assert "<svg" in picture.read_text()
    assert main([*ASKED, *few, "--json"]) == 0
    first = capsys.readouterr().out
    assert main([*ASKED, *few, "--json"]) == 0
    assert first == capsys.readouterr().out
    assert json.loads(first)["levels"]["single"]["hit_probability"] == "1/22100"


@pytest.mark.parametrize(
    "asked",
    [
        ["meter-lab"],
        ["meter-lab", "7"],
        ["meter-lab", "1"],
        [*ASKED, "--seats", "0"],
        [*ASKED, "--rounds", "0"],
        [*ASKED, "--wager", "-1"],
        [*ASKED, "--wager", "10000.01"],
        [*ASKED, "--svg", "nowhere/meter.svg"],
        [*ASKED, "--paths", "x"],
    ],
)
def test_a_lab_that_cannot_be_is_refused(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked) == 2
    assert capsys.readouterr().err.startswith("houseway: ")
