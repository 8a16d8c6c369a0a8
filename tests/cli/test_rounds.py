"""Deal, replay and play at the command line."""

import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from houseway.cli import main
from houseway.games import codes
from houseway.live.record import read_record
from tests import ROOT
from tests.tools.examples import Said

ROUNDS = ROOT / "houseway" / "games" / "three_card_poker" / "rounds"


@pytest.mark.parametrize("game", codes())
def test_the_same_seed_deals_the_same_files(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = []
    for folder in ("first", "second"):
        command = ["deal", game, "--rounds", "4", "--rng-seed", "99", "--positions", "3"]
        code = main([*command, "--out", str(tmp_path / folder), "--json"])
        assert code == 0
        documents.append(json.loads(capsys.readouterr().out))
    first, second = documents
    assert first["bets"] == second["bets"]
    assert [Path(name).name for name in first["files"]] == [f"00000{n}.round" for n in range(1, 5)]
    net = dict.fromkeys((entry["bet"] for entry in first["bets"]), 0)
    for one, two in zip(first["files"], second["files"], strict=True):
        text = Path(one).read_bytes()
        assert text == Path(two).read_bytes()
        replayed = read_record(text.decode())
        assert replayed.identical
        for seat in replayed.record.table.seats:
            for line in seat.lines:
                net[line.bet] += line.net
    assert net == {entry["bet"]: entry["net"] for entry in first["bets"]}
    assert {"game", "rounds", "positions", "rng_seed", "files", "bets"} == set(first)


def test_dealing_never_replaces_another_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["deal", "triple-shot-rummy", "--bot", "basic", "--out", str(tmp_path)]
    assert main([*command, "--rng-seed", "1"]) == 0
    kept = (tmp_path / "000001.round").read_bytes()
    assert main([*command, "--rng-seed", "1"]) == 0
    assert main([*command, "--rng-seed", "2"]) == 2
    assert "holds another round" in capsys.readouterr().err
    assert (tmp_path / "000001.round").read_bytes() == kept


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["deal"], "no game is given"),
        (["deal", "faro", "--out", "x"], "'faro' is unknown"),
        (["deal", "triple-shot-rummy"], "no folder is given"),
        (["deal", "triple-shot-rummy", "--out", "x", "--rounds", "0"], "rounds '0'"),
        (["deal", "triple-shot-rummy", "--out", "x", "--rounds", "many"], "rounds 'many'"),
        (["deal", "triple-shot-rummy", "--out", "x", "--positions", "8"], "positions '8'"),
        (["deal", "triple-shot-rummy", "--out", "x", "--rng-seed", "-1"], "no seed"),
        (["deal", "triple-shot-rummy", "--out", "x", "--bot", "lucky"], "bot 'lucky'"),
        (["deal", "triple-shot-rummy", "--out", "x", "--bet", "ante=ten"], "'ten'"),
        (["deal", "triple-shot-rummy", "--out", "x", "--bet", "war=5"], "'war'"),
        (
            ["deal", "three-card-poker", "--out", "x", "--option", "shuffler_mode=hand"],
            "automatic shuffler",
        ),
        (["deal", "triple-shot-rummy", "--out", "/proc/nowhere"], "cannot be made"),
        (["replay"], "no file is given"),
        (["replay", "nothing.round"], "'nothing.round' cannot be read"),
        (["play", "triple-shot-rummy", "--coach", "loud"], "coach 'loud'"),
    ],
)
def test_what_cannot_be_dealt_is_refused_with_a_sentence(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert says in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.round"))


def test_replay_says_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = ROUNDS / "link_community_cards.round"
    assert main(["replay", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["identical"] is True
    assert document["void"] is False
    assert document["community"] == "Js Ts"
    assert document["positions"][0]["net"] == 5_006_800
    assert set(document["ruleset"]) == {"revision", "digest"}
    edited = tmp_path / "edited.round"
    edited.write_text(path.read_text(encoding="utf-8").replace("win +49999", "win +4999"))
    assert main(["replay", str(edited)]) == 1
    assert "not identical" in capsys.readouterr().out
    broken = tmp_path / "broken.round"
    broken.write_bytes(b"houseway round 1\n\xff\xfe")
    assert main(["replay", str(broken)]) == 2


def test_a_void_round_replays_as_void(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(ROUNDS / "wrong_number_after_settling.round"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["void"] is True
    assert [seat["net"] for seat in document["positions"]] == [0, 0]


class Played(NamedTuple):
    """The exit code of a game, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def play(arguments: list[str], answers: str, folder: Path) -> Played:
    """Play with these answers typed, and nothing after them."""
    out, err = Said(), Said()
    with (
        patch("sys.stdin", StringIO(answers)),
        patch.dict(os.environ, COLUMNS="100"),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = main(["play", *arguments, "--record", str(folder)])
    return Played(code, out.getvalue(), err.getvalue())


def test_a_practice_round_with_the_coach(tmp_path: Path) -> None:
    done = play(["three-card-poker", "--rng-seed", "5", "--positions", "3"], "\np\nq\n", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Coach: play." in done.stdout
    assert "Dealer: “No more bets.”" in done.stdout
    assert "1 of 1 decisions were best" in done.stdout
    assert not list(tmp_path.iterdir())


def test_wrong_answers_are_asked_again(tmp_path: Path) -> None:
    answers = "ante\nante 0\nante 5\nx\nf\n"
    done = play(
        ["triple-shot-rummy", "--rng-seed", "5", "--coach", "off", "--rounds", "1"],
        answers,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "cannot be read" in done.stdout
    assert "'x' is not understood" in done.stdout
    assert "forfeit" in done.stdout


def test_the_end_of_input_in_mid_round_leaves_the_round_so_far(tmp_path: Path) -> None:
    done = play(["triple-shot-bonus", "--rng-seed", "12", "--coach", "off"], "\n", tmp_path)
    assert done.returncode == 0, done.stderr
    (path,) = tmp_path.iterdir()
    replayed = read_record(path.read_text(encoding="utf-8"))
    assert replayed.identical
    assert not replayed.record.table.over


def test_control_c_in_mid_round_leaves_the_round_so_far(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "houseway", "play", "triple-shot-rummy"]
    with subprocess.Popen(
        [*command, "--coach", "off", "--rng-seed", "1", "--record", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        seen = b""
        while b"[f]old?" not in seen:
            more = os.read(process.stdout.fileno(), 4096)
            assert more, "it has ended"
            seen += more
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
    assert process.returncode == 130
    assert b"The round so far is in" in out
    (path,) = tmp_path.iterdir()
    assert read_record(path.read_text(encoding="utf-8")).identical


def test_an_interrupted_round_replaces_no_earlier_one(tmp_path: Path) -> None:
    for _ in range(2):
        play(["triple-shot-rummy", "--rng-seed", "1", "--coach", "off"], "\n", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "interrupted-triple-shot-rummy-000001-2.round",
        "interrupted-triple-shot-rummy-000001.round",
    ]


def test_replay_shows_no_card_that_lies_face_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(["triple-shot-bonus", "--rng-seed", "12", "--coach", "off"], "\n", tmp_path)
    (path,) = tmp_path.iterdir()
    assert main(["replay", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["dealer"].endswith(" ??")
    assert main(["replay", str(path)]) == 0
    assert "##" in capsys.readouterr().out


def test_odd_bets_are_asked_again(tmp_path: Path) -> None:
    answers = "ante 5, ante 5\nante 5 pair-plus 1\n?\nAnte=5, PAIR-PLUS 1\nf\n"
    done = play(
        ["three-card-poker", "--rng-seed", "5", "--coach", "off", "--rounds", "1"],
        answers,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "'ante' is given twice" in done.stdout
    assert done.stdout.count("cannot be read") == 2
    assert "-$6.00" in done.stdout


def test_a_folder_for_records_must_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "triple-shot-rummy", "--record", "nowhere", "--coach", "off"]) == 2
    assert "'nowhere' is not there" in capsys.readouterr().err


def test_names_are_shown_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name in brackets would otherwise be taken for a colour, or for the end of one."""
    for name in ("[red]", "a[", "[/b]"):
        (tmp_path / name).mkdir(parents=True)
        folder = str(tmp_path / name)
        assert main(["deal", "three-card-poker", "--bot", "basic", "--out", folder]) == 0
        file = f"{folder}/play.json"
        assert main(["strategy", "three-card-poker", "--out", file]) == 0
        assert main(["simulate", "three-card-poker", "--rounds", "10", "--strategy", file]) == 0
        session = ["session", "three-card-poker", "--bankroll", "300", "--bet", "ante=10"]
        few = ["--sessions", "10", "--shifts", "10", "--strategy", file]
        assert main([*session, *few]) == 0
        shown = "".join(capsys.readouterr().out.split())
        assert shown.count("".join(folder.split())) == 4
    lines = (ROUNDS / "link_community_cards.round").read_text().splitlines()
    named = [f"round: {name}" if line.startswith("round: ") else line for line in lines]
    (tmp_path / "named.round").write_text("\n".join(named) + "\n")
    main(["replay", str(tmp_path / "named.round")])
    assert f"round {name}," in capsys.readouterr().out
