"""The command line: contracts, bad input, and what it does not load."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from typing import Any

import pytest

from houseway.cli import COMMANDS, main
from houseway.cli.hold import hold
from houseway.cli.rules import rules
from houseway.cli.settle import settle
from tests import ROOT

SEAT = ["--player", "Qs Qd 7h", "--dealer", "Kh 9c 4d"]
DECK = ["--deck", "Kh 6d 5c Ts 6s 9d 2h 3h Jc"]
THREE = ["--bet", "war=10", "--bet", "blackjack=10", "--bet", "poker=10"]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON document of a command."""
    code = main([*arguments, "--json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)


def test_the_example_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(
        capsys,
        *("settle", "triple-shot-bonus", *DECK, "--decisions", "hit", *THREE),
        *("--bet", "hat-trick=5"),
    )
    assert code == 0
    assert {"game", "paytables", "options", "lines", "net"} <= set(document)
    assert [line["net"] for line in document["lines"]] == [1000, 1000, -1000, -500]
    assert document["net"] == 500
    assert document["paytables"] == {"poker": "TSB-01", "hat-trick": "9"}
    assert document["options"]["dealer_soft_17"] == "hit"
    for line in document["lines"]:
        assert list(line) == ["bet", "hand", "wager", "outcome", "net", "clause", "why"]
        assert line["outcome"] in ("win", "lose", "push", "forfeit")
        assert line["why"].endswith(".")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess", *SEAT, "--bet", "ante=10"], "unknown_game"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--paytable", "TCP-9"], "unknown_paytable"),
        (["three-card-poker", *SEAT, "--bet", "ante=10", "--paytable", "pair-plus=Z"],
         "unknown_paytable"),
        (["three-card-poker", *SEAT, "--bet", "ante=10", "--paytable", "ante=A"], "unknown_bet"),
        (["three-card-poker", *SEAT, "--bet", "ante=10", "--option", "ties=push"],
         "unknown_option"),
        (["three-card-poker", *SEAT, "--bet", "ante=10", "--option", "tie_rule=draw"],
         "unknown_value"),
        (["three-card-poker", *SEAT, "--bet", "ante=10", "--option", "tie_rule"], "bad_argument"),
        (["three-card-poker", *SEAT, "--bet", "ante=-10"], "negative_amount"),
        (["three-card-poker", *SEAT, "--bet", "ante=0"], "zero_amount"),
        (["three-card-poker", *SEAT, "--bet", "ante=ten"], "not_an_amount"),
        (["three-card-poker", *SEAT, "--bet", "ante=10.005"], "fraction_of_a_cent"),
        (["three-card-poker", *SEAT, "--bet", "ante=" + "9" * 9999], "amount_too_large"),
        (["three-card-poker", *SEAT, "--bet", "ante"], "bad_argument"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--bet", "ante=5"], "given_twice"),
        (["three-card-poker", *SEAT, "--bet", "war=5"], "unknown_bet"),
        (["three-card-poker", *SEAT, "--bet", "play=5"], "not_a_bet"),
        (["three-card-poker", *SEAT, "--bet", "envy=5"], "not_a_bet"),
        (["three-card-poker", *SEAT], "missing_bet"),
        (["three-card-poker", *SEAT, "--bet", "six-card-bonus=1"], "base_wager_required"),
        (["three-card-poker", *SEAT, "--bet", "progressive=1"], "base_wager_required"),
        (["three-card-poker", *SEAT, "--bet", "ante=500", "--option", "profile=wa_commercial",
          "--option", "date=2024-01-01"], "above_limit"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--option", "profile=wa_commercial"],
         "missing_date"),
        (["three-card-poker", "--player", "Qs Qd 7h", "--bet", "ante=5"], "too_few_cards"),
        (["three-card-poker", "--dealer", "Qs Qd 7h", "--bet", "ante=5"], "too_few_cards"),
        (["three-card-poker", "--player", "Qs Qd", "--dealer", "Kh 9c 4d", "--bet", "ante=5"],
         "too_few_cards"),
        (["three-card-poker", "--player", "", "--dealer", "Kh 9c 4d", "--bet", "ante=5"],
         "too_few_cards"),
        (["three-card-poker", "--player", "Qs Qd 7h 2c", "--dealer", "Kh 9c 4d", "--bet", "ante=5"],
         "too_many_cards"),
        (["three-card-poker", "--player", "Qs Qd 1h", "--dealer", "Kh 9c 4d", "--bet", "ante=5"],
         "unknown_card"),
        (["three-card-poker", "--player", "Qs Qd 7h", "--dealer", "Kh 9c qS", "--bet", "ante=5"],
         "card_twice"),
        (["three-card-poker", "--player", "Qs Qs 7h", "--dealer", "Kh 9c 4d", "--bet", "ante=5"],
         "card_twice"),
        (["three-card-poker", *SEAT, "--other", "Qs 2d 3c", "--bet", "ante=5"], "card_twice"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--decision", "hit"], "unknown_decision"),
        (["three-card-poker", *SEAT, "--bet", "pair-plus=5", "--decision", "fold"],
         "decision_not_allowed"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--deck", "Kh"], "bad_argument"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--decisions", "hit"], "bad_argument"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--meter", "mega=5"], "unknown_meter"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--meter", "-5"], "negative_amount"),
        (["three-card-poker", *SEAT, "--bet", "ante=5", "--meter", "5", "--meter", "6"],
         "given_twice"),
        (["three-card-poker", "--player", "As Ks Qs", "--dealer", "Kh 9c 4d", "--bet", "ante=5",
          "--bet", "progressive=1"], "missing_meter"),
        (["triple-shot-bonus", *DECK, "--bet", "war=10", "--bet", "poker=10"], "missing_bet"),
        (["triple-shot-bonus", *THREE], "too_few_cards"),
        (["triple-shot-bonus", "--deck", "Kh 6d 5c", *THREE], "too_few_cards"),
        (["triple-shot-bonus", "--deck", "Kh 6d 5c Kh", *THREE], "card_twice"),
        (["triple-shot-bonus", *DECK, *SEAT, *THREE], "bad_argument"),
        (["triple-shot-bonus", *DECK, *THREE, "--decision", "play"], "bad_argument"),
        (["triple-shot-bonus", *DECK, *THREE, "--decisions", "surrender"], "unknown_decision"),
        (["triple-shot-bonus", *DECK, *THREE, "--decisions", "split"], "decision_not_allowed"),
        (["triple-shot-bonus", *DECK, *THREE, "--decisions", "double,hit"], "decision_not_allowed"),
        (["triple-shot-bonus", *DECK, *THREE, "--decisions", "insurance"], "decision_not_allowed"),
        (["triple-shot-bonus", *DECK, *THREE, "--bet", "insurance=5"], "not_a_bet"),
        (["triple-shot-bonus", *DECK, *THREE, "--bet", "progressive=5"], "unknown_bet"),
        (["triple-shot-bonus", *DECK, *THREE, "--option", "settle_order=war"], "unknown_value"),
        (["triple-shot-bonus", "--deck", "8h 6d 8c Ts 6s 9d 2h 3h Jc", *THREE, "--decisions",
          "split"], "decision_not_allowed"),
        (["three-card-poker", "--nonsense"], "bad_argument"),
        ([], "unknown_game"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    code, document = run(capsys, "settle", *arguments)
    assert code == 2
    assert list(document) == ["error"]
    assert list(document["error"]) == ["reason", "clause", "message"]
    assert document["error"]["reason"] == reason
    assert len(document["error"]["message"]) > 20
    assert "\n" not in document["error"]["message"]


def test_without_json_a_refusal_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", "triple-shot-bonus", "--bet", "war=5"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "houseway: bet 'blackjack' is missing; War, Blackjack and Poker are all required [TSB-02]\n"
    )


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "setle")
    assert (code, document["error"]["reason"]) == (2, "bad_argument")
    assert "settle" in document["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], f"command 'dance' is unknown; known: {', '.join(COMMANDS)}"),
        (["audit", "check"], "command 'check' is unknown; known: verify, rebuild"),
        (["witness", "--ronds", "5"],
         "'--ronds' is unknown here; known: --rounds, --long, --workers, --rng-seed, --json"),
        (["witness", "--rounds", "0"],
         ("rounds '0' is not allowed; write a positive whole number such as 1000 or 1e6, "
          "at most 1e15")),
        (["session", "three-card-poker", "--bankroll", "300", "--bet", "ante=5", "--rounds", "1e7"],
         ("rounds '1e7' is not allowed; write a positive whole number such as 1000 or 1e6, "
          "at most 1e6")),
        (["meter-lab"], "no progressive is given; known: 1, 2, 01, ML01, ML03"),
        (["meter-lab", "1", "--paths", "0"],
         "paths '0' is not allowed; write a whole number from 1 to 10,000"),
        (["export"],
         ("no report is given; known: win-pages, adjustments, progressive, reconciliation, meters, "
          "coin-in, deposits, transfers, events, master, slips, drops, play, pace, voids, envy, "
          "shuffler, cards, system")),
        (["backup", "", "--database", "sqlite:///x.sqlite"],
         "--file is not given; write --file monday.journal"),
        (["par", "three-card-poker", "--paytable", "=A"],
         "paytable '=A' cannot be read; write BET=CODE or a designator such as TCP-05"),
        (["simulate", "three-card-poker", "--paytable", "pair-plus="],
         "paytable 'pair-plus=' cannot be read; write BET=CODE or a designator such as TCP-05"),
    ],
)  # fmt: skip
def test_a_sentence_quotes_the_value_and_says_what_is_allowed(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    code, document = run(capsys, *arguments)
    assert (code, document["error"]["message"]) == (2, sentence)


def test_games(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "games")
    assert code == 0
    assert [game["code"] for game in document["games"]] == [
        "three-card-poker", "three-card-poker-face-up", "triple-shot-bonus", "triple-shot-rummy",
    ]  # fmt: skip
    assert len(document["catalogue"]) == 66
    assert main(["games"]) == 0
    assert "Zappit Blackjack" in capsys.readouterr().out


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("three-card-poker", "triple-shot-rummy", "five-card-link"):
        code, document = run(capsys, "rules", game)
        assert code == 0
        assert document["clauses"]
        assert document["options"]
        assert document["paytables"]
    code, document = run(capsys, "rules", "triple-shot-bonus", "--option", "dealer_soft_17=stand")
    soft = next(entry for entry in document["clauses"] if entry["id"] == "TSB-12")
    assert soft["options"]["dealer_soft_17"] == "stand"
    option = next(entry for entry in document["options"] if entry["name"] == "dealer_soft_17")
    assert (option["value"], option["default"]) == ("stand", "hit")
    assert option["allowed"] == ["hit", "stand"]
    code, document = run(capsys, "rules", "chess")
    assert (code, document["error"]["reason"]) == (2, "unknown_game")
    code, document = run(capsys, "rules", "five-card-link", "--paytable", "1")
    assert (code, document["error"]["reason"]) == (2, "unknown_paytable")
    envy = "progressive=1:envy.akq_spades=12.50"
    assert main(["rules", "three-card-progressive", "--paytable", envy, "--markdown"]) == 0
    assert "| envy for akq spades | $12.50 |" in capsys.readouterr().out
    assert main(["rules", "triple-shot-rummy"]) == 0
    assert "TSR-05" in capsys.readouterr().out


@pytest.mark.clause("CMP-12", "CMP-14")
def test_rules_of_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    def on(day: str, profile: str, game: str = "triple-shot-rummy") -> Any:
        asked = (
            "--option",
            f"date={day}",
            *(("--option", f"profile={profile}") if profile else ()),
        )
        return run(capsys, "rules", game, *asked)

    code, document = on("2018-05-05", "")
    assert (code, document["error"]["reason"]) == (2, "bad_argument")
    assert "date 2018-05-05 needs a profile" in document["error"]["message"]
    _, document = on("2018-05-05", "wa_commercial")
    assert document["ruleset"]["revision"] == "2017-12-20"
    assert document["ruleset"]["differences"][0] == (
        "the letter is of 2017-12-20, instead of 2023-06-14"
    )
    assert document["out_of_force"] is None
    limit, games = document["notices"]
    assert limit.startswith("No single wager above $300.00 (WAC 230-15-140")
    assert games.startswith("No player wagers on more than 4 games at once (approval of 20 Dec")
    of_the_day = ("--option", "profile=wa_commercial", "--option", "date=2018-05-05")
    for form in ([], ["--markdown"]):
        assert main(["rules", "triple-shot-rummy", *of_the_day, *form]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert "the letter is of 2017-12-20, instead of 2023-06-14" in shown
        assert "To be posted: No player wagers on more than 4 games at once" in shown
    _, document = on("2024-01-31", "wa_commercial")
    assert [notice[:29] for notice in document["notices"]] == ["No single wager above $400.00"]
    _, document = on("2024-01-31", "wa_2017")
    assert document["out_of_force"].startswith("profile 'wa_2017' rests on the approval of 20 Dec")
    _, document = on("2018-05-05", "wa_commercial", "three-card-poker")
    told = "no letter on Three Card Poker is in force on 2018-05-05; the first is of 2023-06-14"
    assert document["ruleset"]["differences"][0] == told
    options = ("--option", "profile=wa_2017", "--option", "date=2024-01-31")
    assert main(["rules", "triple-shot-rummy", *options]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Not in force: profile 'wa_2017' rests on" in shown


def test_trace(capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run(capsys, "trace")
    assert code == 0
    assert len(document["clauses"]) == 216
    assert list(document["clauses"][0]) == ["id", "text", "code", "tests", "status"]
    code, document = run(capsys, "trace", "TCP", "--status", "tested")
    assert {entry["id"][:3] for entry in document["clauses"]} == {"TCP"}
    for arguments in (["XYZ"], ["--status", "done"]):
        code, document = run(capsys, "trace", *arguments)
        assert code == 2
    assert main(["trace", "FUP"]) == 0
    assert "11 clauses" in capsys.readouterr().out


def test_the_demo_deals_every_game_and_the_same_seed_the_same_cards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, first = run(capsys, "demo", "--rng-seed", "11")
    _, again = run(capsys, "demo", "--rng-seed", "11")
    assert first == again
    assert len(first["rounds"]) == 4
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    assert "Triple Shot Bonus" in shown
    code, document = run(capsys, "demo", "--rng-seed", "eleven")
    assert (code, document["error"]["reason"]) == (2, "bad_argument")


def test_many_demo_rounds_settle(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(300):
        code, document = run(capsys, "demo", "--rng-seed", str(seed))
        assert code == 0
        for settled in document["rounds"]:
            assert settled["net"] == sum(line["net"] for line in settled["lines"])


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "xample" in shown
    assert shown.count(f"houseway {command}") >= 2


@pytest.mark.parametrize("command", [settle, rules, hold])
def test_examples_of_the_help_do_what_they_say(
    command: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """Games, bets and options are filled in from the registry, so each must go with its game."""
    text = (command.__doc__ or "").replace("\\\n", " ")
    lines = re.findall(rf"(houseway {command.__name__} [^\n`]*(?:\n +--[^\n`]*)*)", text)
    assert lines
    for line in lines:
        assert main(shlex.split(line)[1:]) == 0, line
    assert capsys.readouterr().out


def test_the_list_of_commands_says_what_each_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    for name, text in COMMANDS.items():
        assert f"{name} " in shown
        assert text.split()[0] in shown


def python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


HEAVY = ("numpy", "numba", "pandas", "fastapi", "starlette", "sqlalchemy", "pydantic", "uvicorn")


def test_the_package_and_the_plain_commands_load_nothing_heavy() -> None:
    for code in (
        "import houseway",
        "from houseway.cli import main; main(['games', '--json'])",
        "from houseway.cli import main; main(['rules', 'triple-shot-rummy', '--json'])",
    ):
        loaded = python(
            f"import sys\n{code}\nprint()\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
        )
        assert loaded.splitlines()[-1] == ""


def test_import_houseway_loads_no_command_line() -> None:
    assert (
        python(
            "import sys, houseway; print([m for m in ('rich', 'cyclopts') if m in sys.modules])"
        ).strip()
        == "[]"
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "command",
    [
        "games",
        "games --json",
        "rules three-card-poker",
        "rules five-card-link --markdown",
        "demo --rng-seed 3",
        "settle --help",
        "settle three-card-poker --paytable TCP-99 --json",
        "settle three-card-poker --player Q\N{BLACK SPADE SUIT} --bet ante=5 --dealer 2c --json",
    ],
)
def test_no_encoding_of_the_terminal_breaks_a_command(
    monkeypatch: pytest.MonkeyPatch, command: str, encoding: str
) -> None:
    said = {name: BytesIO() for name in ("stdout", "stderr")}
    for name, kept in said.items():
        monkeypatch.setattr(sys, name, TextIOWrapper(kept, encoding=encoding))
    code = main(command.split())
    for name in said:
        getattr(sys, name).flush()
    assert b"Traceback" not in said["stderr"].getvalue()
    assert code == (2 if "TCP-99" in command or "Q\N{BLACK SPADE SUIT}" in command else 0)
    if "--json" in command:
        json.loads(said["stdout"].getvalue().decode(encoding))


def test_a_process_writes_in_the_encoding_of_its_terminal() -> None:
    for command, code in (("demo --rng-seed 3", 0), ("games --json", 0), ("dance", 2)):
        done = subprocess.run(
            [sys.executable, "-m", "houseway", *command.split()],
            cwd=ROOT,
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert (done.returncode, b"Traceback" in done.stderr) == (code, False)
        assert (done.stdout + done.stderr).isascii()


@pytest.mark.parametrize("command", ["games", "games --json", "bogus --json"])
def test_a_closed_output_is_no_traceback(command: str) -> None:
    for redirect in (">&-", "> /dev/full"):
        done = subprocess.run(
            f"{sys.executable} -m houseway {command} {redirect}",
            shell=True,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--option", "bogus=1", "--bet", "ante=ten"], "unknown_option"),
        (["--paytable", "pair-plus=Z", "--bet", "ante=ten"], "unknown_paytable"),
        (["--bet", "ante=ten", "--decision", "maybe"], "not_an_amount"),
        (["--bet", "ante=5", "--decision", "maybe", "--meter", "mega=1"], "unknown_decision"),
    ],
)
def test_of_two_mistakes_the_first_in_precedence_is_told(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str
) -> None:
    _, document = run(capsys, "settle", "three-card-poker", *SEAT, *arguments)
    assert document["error"]["reason"] == reason


def test_a_narrow_terminal_shows_every_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["settle", "three-card-poker", *SEAT, "--bet", "ante=10"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "play win +$10.00 TCP-07" in shown
    assert "so Play wins 1 to 1." in shown


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m houseway rules triple-shot-bonus | head -1",
        shell=True, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("Triple Shot Bonus")
    assert "Traceback" not in done.stderr
