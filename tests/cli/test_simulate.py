"""`houseway simulate`: its document, its tables and pictures, and what it refuses."""

import json
import socket
import threading
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.cli import main
from houseway.cli.arguments import read_rounds
from houseway.exact.pricing import par
from houseway.refusal import Reason, Refused
from houseway.sim import executor
from houseway.sim.histogram import bars
from houseway.sim.job import laid_out
from houseway.sim.plan import make_job
from houseway.sim.result import Result
from houseway.sim.run import new_run
from tests import ROOT
from tests.sim import dealt

POKER, FACE_UP, RUMMY = "three-card-poker", "three-card-poker-face-up", "triple-shot-rummy"
BONUS = "triple-shot-bonus"
JACKPOT = ["--paytable", "progressive=1", "--option", "contribution_rate=0.2"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON document of a command."""
    code = main(["simulate", *arguments, "--json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)


# ------------------------------------------------------------------------------- the document


def test_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [POKER, "--rounds", "2000", "--rng-seed", "7", "--strategy", "simple"]
    code, document = run(capsys, *asked)
    assert code == 0
    assert list(document) == [
        *("game", "rounds", "seats", "rng_seed", "strategy", "options", "seconds"),
        *("rounds_per_second", "bets", "covariance", "totals"),
    ]
    assert document["game"] == POKER
    assert (document["rounds"], document["seats"], document["rng_seed"]) == (2000, 1, 7)
    assert document["strategy"] == "simple"
    assert document["options"]["tie_rule"] == "push"
    assert [row["bet"] for row in document["bets"]] == ["ante", "pair-plus", "six-card-bonus"]
    for row, figures in zip(document["bets"], document["covariance"], strict=True):
        assert {"bet", "paytable", "mean", "standard_error", "exact", "z"} <= set(row)
        assert row["expected"] == float(Fraction(row["exact"]))
        off = (row["mean"] - row["expected"]) / row["standard_error"]
        assert row["z"] == pytest.approx(off)
        assert abs(row["z"]) < 5
        assert len(figures) == 3
    totals = document["totals"]
    for name in ("net", "net_squared", "per_unit"):
        assert list(totals[name]) == ["ante A", "pair-plus A", "six-card-bonus TCP-6B1"]
        assert all(isinstance(number, int) for number in totals[name].values())
    means = [totals["net"][name] / 2000 / totals["per_unit"][name] for name in totals["net"]]
    assert means == pytest.approx([row["mean"] for row in document["bets"]])
    assert totals["hands"] == 2000
    again = run(capsys, *asked, "--workers", "3")[1]
    assert again["totals"] == totals


def test_without_a_seed_every_run_is_another(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter((7, 8))
    monkeypatch.setattr("secrets.randbelow", lambda _: next(drawn))
    asked = [POKER, "--rounds", "500", "--strategy", "simple"]
    first, second = (run(capsys, *asked)[1] for _ in range(2))
    assert first["rng_seed"] != second["rng_seed"]
    assert first["totals"] != second["totals"]
    seed = str(first["rng_seed"])
    assert run(capsys, *asked, "--rng-seed", seed)[1]["totals"] == first["totals"]


@pytest.mark.parametrize("game", [POKER, FACE_UP, RUMMY])
def test_the_exact_values_are_those_of_the_par_sheet(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    _, document = run(capsys, game, "--rounds", "10", "--seats", "7", "--rng-seed", "1")
    sheet = par(game)
    for row in document["bets"]:
        assert Fraction(row["exact"]) == -sheet.row(row["bet"], row["paytable"]).house_edge
    assert document["totals"]["hands"] == 70
    assert np.array(document["covariance_between"]).shape == (3, 3)
    table = np.array(document["totals"]["table_products"])
    assert (np.tril(table, -1) == 0).all()
    assert (table.diagonal() >= 0).all()


def test_one_run_prices_several_paytables(capsys: pytest.CaptureFixture[str]) -> None:
    """Each as if it were alone: the same cards, other pays."""
    asked = [POKER, "--rounds", "3000", "--rng-seed", "5", "--seats", "2"]
    codes = ("A", "C", "D")
    several = [f"--paytable=pair-plus={code}" for code in codes]
    _, together = run(capsys, *asked, *several, "--paytable", "pair-plus=A")
    rows = [row for row in together["bets"] if row["bet"] == "pair-plus"]
    assert [row["paytable"] for row in rows] == list(codes)
    for code, row in zip(codes, rows, strict=True):
        _, alone = run(capsys, *asked, f"--paytable=pair-plus={code}")
        assert next(other for other in alone["bets"] if other["bet"] == "pair-plus") == row
    assert len(together["covariance"]) == len(together["bets"]) == 5
    assert main(["simulate", *asked, *several]) == 0
    shown = capsys.readouterr().out
    assert "pair-plus A" in shown
    assert "pair-plus D" in shown


def test_a_paytable_may_be_chosen_by_its_option(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [POKER, "--rounds", "2000", "--rng-seed", "5"]
    rate = ["--option", "contribution_rate=0.2"]
    for option, paytable in (
        ("pair_plus_paytable=C", "pair-plus=C"),
        ("progressive_paytable=2", "progressive=2"),
    ):
        by_option = run(capsys, *asked, *rate, "--option", option)[1]
        given = run(capsys, *asked, *rate, "--paytable", paytable)[1]
        assert by_option["totals"] == given["totals"]
        assert by_option["bets"] == given["bets"]


def test_a_progressive_is_in_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [POKER, *JACKPOT, "--rounds", "4000", "--seats", "7", "--rng-seed", "2"]
    _, document = run(capsys, *asked, "--meter", "5000")
    (jackpot,) = document["jackpots"]
    assert jackpot["paytable"] == "1"
    assert jackpot["levels"]["single"]["start"] == 5000 * 100 * 10**6
    row = document["bets"][-1]
    assert (row["bet"], row["paytable"]) == ("progressive", "1")
    returned = document["totals"]["jackpots"][0]
    assert set(returned) == {"awards", "awarded_cents", "fixed_cents", "envy_cents"}
    back = sum(returned[name] for name in ("awarded_cents", "fixed_cents", "envy_cents"))
    assert row["mean"] == pytest.approx(back / (4000 * 7 * 100) - 1)
    assert main(["simulate", *asked]) == 0
    assert "progressive 1, after 4,000 rounds" in capsys.readouterr().out


# ------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("1", 1), ("1e9", 10**9), ("1E9", 10**9), ("1e+9", 10**9), ("1.5e3", 1500), ("2.50e1", 25),
        ("1,000,000", 10**6), ("1_000", 1000), (" 7 ", 7), ("1e15", 10**15), ("12.0", 12),
        ("1000000000000000", 10**15), ("0.5e1", 5),
    ],
)  # fmt: skip
def test_rounds_as_people_write_them(text: str, rounds: int) -> None:
    assert read_rounds(text) == rounds


@pytest.mark.parametrize(
    "text",
    [
        "0", "-1", "1.5", "abc", "1e99", "1e16", "", " ", "1e-3", "1e", "e9", "1e9.5", "0e5",
        "1.5e0", "1000000000000001", "9" * 5000, "1e" + "9" * 5000, "inf", "nan", "٣", "0x10",
        "1 000", "--1",
    ],
)  # fmt: skip
def test_rounds_that_cannot_be(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_rounds(text)
    assert refused.value.reason is Reason.BAD_ARGUMENT
    assert repr(text) in refused.value.message
    code, document = run(capsys, POKER, f"--rounds={text}")
    assert (code, document["error"]["reason"]) == (2, "bad_argument")


@pytest.mark.parametrize(
    ("arguments", "reason", "words"),
    [
        ([], "unknown_game", "no game is given"),
        (["chess"], "unknown_game", "'chess'"),
        ([POKER, "--seats", "0"], "bad_argument", "seats '0' is not allowed"),
        ([POKER, "--seats", "8"], "bad_argument", "seats '8' is not allowed"),
        ([POKER, "--seats", "two"], "bad_argument", "seats 'two' is not allowed"),
        ([POKER, "--workers", "0"], "bad_argument", "workers '0' is not allowed"),
        ([POKER, "--workers", "-1"], "bad_argument", "workers"),
        ([POKER, "--workers", "1e3"], "bad_argument", "workers '1e3' is not allowed"),
        ([POKER, "--workers", "4", "--dask", "tcp://127.0.0.1:1"], "bad_argument", "--dask brings"),
        ([POKER, "--processes", "--dask", "tcp://127.0.0.1:1"], "bad_argument", "--dask brings"),
        ([POKER, "--rng-seed", "-1"], "bad_argument", "rng-seed"),
        ([POKER, "--rng-seed", "x"], "bad_argument", "rng-seed 'x'"),
        ([POKER, "--strategy", "bold"], "unknown_value", "strategy 'bold' is unknown"),
        ([POKER, "--strategy", "printed"], "unknown_value", "no source prints one"),
        ([FACE_UP, "--strategy", "printed"], "unknown_value", "no source prints one"),
        ([RUMMY, "--strategy", "printed"], "unknown_value", "no source prints one"),
        ([POKER, "--meter", "100"], "unknown_meter", "meter 10000 is given and no progressive"),
        ([POKER, "--paytable", "progressive=1"], "missing_meter", "contribution_rate=0.2"),
        ([POKER, "--paytable", "progressive=ML01", "--option", "contribution_rate=mega=0.1"],
         "missing_meter", "contribution_rate=major=0.1"),
        ([POKER, *JACKPOT, "--meter", "mega=5"], "unknown_meter", "'mega'"),
        ([POKER, *JACKPOT, "--bet", "ante=5"], "missing_bet", "add --bet progressive=1"),
        ([POKER, *JACKPOT, "--bet", "ante=5", "--bet", "progressive=10000.01"], "above_maximum",
         "$10,000.01 on the progressive is too much to follow its meters; at most $10,000.00"),
        ([POKER, *JACKPOT, "--option", "cap=50", "--meter", "100"], "amount_too_large",
         "cap 5000 is below the 10000 cents on the meter"),
        ([POKER, "--bet", "ante=5", "--bet", "progressive=1"], "unknown_paytable",
         "$1.00 on the progressive is given and no paytable"),
        ([POKER, "--bet", "ante=0"], "zero_amount", "ante"),
        ([POKER, "--bet", "war=5"], "unknown_bet", "'war'"),
        ([POKER, "--bet", "six-card-bonus=5"], "base_wager_required", "six-card-bonus"),
        ([BONUS, "--bet", "war=5"], "missing_bet", "'blackjack' is missing"),
        ([BONUS, *JACKPOT], "unknown_bet", "'progressive'"),
        ([POKER, "--paytable", "pair-plus=Z"], "unknown_paytable", "'Z'"),
        ([POKER, "--paytable", "ante=A"], "unknown_bet", "'ante'"),
        ([POKER, "--paytable", "TCP-99"], "unknown_paytable", "'TCP-99'"),
        ([POKER, "--option", "tie_rule=draw"], "unknown_value", "'draw'"),
        ([POKER, "--option", "ties=push"], "unknown_option", "'ties'"),
        ([POKER, "--option", "progressive_paytable=9"], "unknown_paytable", "'9'"),
        ([POKER, "--svg", "nowhere/net.svg"], "bad_argument", "there is no folder 'nowhere'"),
        ([POKER, "--svg", "houseway"], "bad_argument", "it is a folder"),
        ([POKER, "--svg", "x" * 300], "bad_argument", "File name too long"),
        ([POKER, "--checkpoint", "nowhere/run.json"], "bad_argument", "No such file"),
        ([POKER, "--checkpoint", ""], "bad_argument", "Is a directory"),
        ([POKER, "--dask", "nonsense"], "bad_argument", "'nonsense' cannot be reached"),
        ([POKER, "--dask", "tcp://127.0.0.1:99999"], "bad_argument", "cannot be reached"),
        ([POKER, "--dask", ""], "bad_argument", "cannot be reached"),
        ([POKER, "--nonsense"], "bad_argument", "--nonsense"),
        ([POKER, BONUS], "bad_argument", BONUS),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    reason: str,
    words: str,
) -> None:
    monkeypatch.chdir(ROOT)
    code, document = run(capsys, *arguments, "--rounds=1000")
    assert code == 2
    assert list(document) == ["error"]
    assert document["error"]["reason"] == reason
    assert words in document["error"]["message"]
    assert "\n" not in document["error"]["message"]


def test_the_same_command_goes_on_with_the_seed_of_its_checkpoint(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Also where no seed was given: whoever stopped it repeats what was typed."""
    asked = [POKER, "--strategy", "simple", "--checkpoint", str(tmp_path / "run.json")]
    first = run(capsys, *asked, "--rounds", "1000")[1]
    again = run(capsys, *asked, "--rounds", "2000")[1]
    assert again["rng_seed"] == first["rng_seed"]
    straight = run(capsys, *asked[:3], "--rounds", "2000", "--rng-seed", str(first["rng_seed"]))[1]
    assert again["totals"] == straight["totals"]
    other = str(first["rng_seed"] + 1)
    code, document = run(capsys, *asked, "--rounds", "2000", "--rng-seed", other)
    assert code == 2
    assert (
        f"its rng_seed is {first['rng_seed']}, and this rng_seed is {other}"
        in (document["error"]["message"])
    )


def test_where_nobody_listens_a_cluster_is_refused_and_the_checkpoint_stays(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "run.json"
    asked = [POKER, "--strategy", "simple", "--rng-seed", "1", "--checkpoint", str(file)]
    run(capsys, *asked, "--rounds", "1000")
    before = file.read_bytes()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        code, document = run(capsys, *asked, "--rounds", "2000", "--dask", address)
    assert (code, document["error"]["reason"]) == (2, "bad_argument")
    assert f"the scheduler at '{address}' cannot be reached: " in document["error"]["message"]
    assert file.read_bytes() == before


def test_who_listens_and_is_no_scheduler_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "PATIENCE_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"

        def speaks() -> None:
            for greeting in (b"SSH-2.0-OpenSSH\r\n", b""):
                with other.accept()[0] as door:
                    door.sendall(greeting)

        # One that is silent, one that says something else, one that hangs up.
        sentences = [refused_by(capsys, address)]
        other.accept()[0].close()
        speaker = threading.Thread(target=speaks)
        speaker.start()
        sentences += [refused_by(capsys, address) for _ in range(2)]
        speaker.join()
    assert sentences[0].startswith(f"the scheduler at '{address}' cannot be reached: timed out")
    for sentence in sentences[1:]:
        assert "cannot be reached: what listens there is no scheduler" in sentence


def refused_by(capsys: pytest.CaptureFixture[str], address: str) -> str:
    code, document = run(capsys, POKER, "--strategy", "simple", "--dask", address)
    assert code == 2
    return str(document["error"]["message"])


# ------------------------------------------------------------------------ tables and pictures


@pytest.mark.parametrize(
    ("game", "columns"),
    [(POKER, "20"), (POKER, "40"), (POKER, "80"), (POKER, "200"), (BONUS, "40")],
)
def test_any_terminal_shows_the_tables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, game: str, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    asked = ["simulate", game, "--rounds", "300", "--seats", "7", "--rng-seed", "4"]
    assert main([*asked, *(JACKPOT if game == POKER else [])]) == 0
    shown = capsys.readouterr().out
    assert game in "".join(shown.split())
    if int(columns) >= 80:
        for words in ("standard error", "exact", "covariance between two seats", "█"):
            assert words in shown
        assert "what the table wins in a round" in shown


def test_a_picture_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.svg"
    assert run(capsys, POKER, "--rounds", "500", "--strategy", "simple", "--svg", str(file))[0] == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "net of a round" in text


@pytest.mark.parametrize(
    ("game", "bets"),
    [
        (POKER, None),
        (RUMMY, {"ante": 500, "pair-plus": 300}),
        (BONUS, {"war": 125, "blackjack": 1501, "poker": 333}),
    ],
)
@pytest.mark.parametrize("seats", [1, 7])
def test_every_bar_holds_the_rounds_that_lie_in_it(
    game: str, bets: dict[str, int] | None, seats: int
) -> None:
    """Bars against the results of the very rounds, added up seat by seat."""
    for rounds in (5, 20_000):
        job = make_job(game, strategy="simple", seats=seats, seed=6, bets=bets)
        layout = laid_out(job)
        done = new_run(job, rounds)
        done.take(layout.deal(0, rounds))
        outcomes = dealt.deal(layout.table, rounds, 6, cards=1).outcomes
        results = Counter(layout.nets[outcomes].sum(axis=1).tolist())
        said = Result(run=done, estimates=(), covariance=np.zeros(0), between=None)
        ranges = {"each": layout.width, "last": layout.last} if seats > 1 else {}
        shown = bars(said.net_histogram(), **ranges)
        assert sum(bar.share for bar in shown) == pytest.approx(1)
        for bar in shown:
            inside = sum(
                count
                for cents, count in results.items()
                if (bar.low is None or cents >= bar.low) and (bar.high is None or cents < bar.high)
            )
            assert bar.share == pytest.approx(inside / rounds), bar
