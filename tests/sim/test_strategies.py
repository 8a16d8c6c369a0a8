"""Strategy files: what is written is read again, and what is wrong in one is told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from houseway.cli import main
from houseway.exact.strategy import strategy_document
from houseway.refusal import Reason, Refused
from houseway.sim.plan import make_job
from houseway.sim.way import Way

POKER, FACE_UP, RUMMY = "three-card-poker", "three-card-poker-face-up", "triple-shot-rummy"
BONUS = "triple-shot-bonus"
GAMES = (POKER, FACE_UP, RUMMY, BONUS)
Change = Callable[[dict[str, Any]], object]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """The exit code and the JSON document of a command."""
    code = main([*arguments, "--json"])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)


@pytest.fixture(scope="module")
def documents() -> dict[str, str]:
    """The best way to play each game, as text of its file."""
    return {game: json.dumps(strategy_document(game)) for game in GAMES}


# -------------------------------------------------------------------------------- there and back


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (POKER, ["--option", "tie_rule=win", "--paytable", "ante-bonus=C"]),
        (FACE_UP, ["--option", "face_up_unqualified_play=win"]),
        (RUMMY, ["--option", "ace_in_runs=wrap", "--option", "combination_choice=pair_first"]),
    ],
)
def test_a_strategy_that_is_written_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, game: str, options: list[str]
) -> None:
    file = str(tmp_path / "best.json")
    assert main(["strategy", game, "--out", file, *options]) == 0
    capsys.readouterr()
    asked = ["simulate", game, "--rounds", "3000", "--rng-seed", "8", "--seats", "2", *options]
    found = [run(capsys, *asked, "--strategy", way)[1] for way in ("optimal", file)]
    assert found[0]["totals"] == found[1]["totals"]
    assert found[0]["bets"] == found[1]["bets"]
    assert [document["strategy"] for document in found] == ["optimal", file]


@pytest.mark.parametrize("game", GAMES)
def test_a_file_says_what_the_best_play_is(
    documents: dict[str, str], tmp_path: Path, game: str
) -> None:
    file = tmp_path / "best.json"
    file.write_text(documents[game])
    best, read = make_job(game).way, make_job(game, strategy=str(file)).way
    if game == FACE_UP:
        # Of an own card that is up nothing can be said.
        differs = np.argwhere(best.decisions != read.decisions)
        letters = list(json.loads(documents[game])["hands"].values())
        assert all(letters[hand][up] == "-" for hand, up in differs.tolist())
    elif game == BONUS:
        assert (best.decisions == read.decisions).all()
    else:
        assert best.digest == read.digest


def test_a_hand_may_be_named_in_any_suits(documents: dict[str, str], tmp_path: Path) -> None:
    """And in any order; named twice it must be decided alike."""
    document = json.loads(documents[POKER])
    turned = str.maketrans("cdhs", "shcd")
    hands = {
        " ".join(reversed(n.translate(turned).split())): d for n, d in document["hands"].items()
    }
    file = tmp_path / "best.json"
    for named in (hands, hands | document["hands"]):
        file.write_text(json.dumps(document | {"hands": named}))
        assert make_job(POKER, strategy=str(file)).way.digest == make_job(POKER).way.digest


def test_ways_are_told_apart_by_what_they_decide() -> None:
    few, more = np.zeros(1755, dtype=bool), np.zeros(1755, dtype=bool)
    more[7] = True
    assert Way("a", few).digest == Way("b", few.copy()).digest
    assert Way("a", few).digest != Way("a", more).digest


# ------------------------------------------------------------------------------ what is refused


def refusal(tmp_path: Path, game: str, text: str | bytes) -> str:
    """The sentence with which a file is refused."""
    file = tmp_path / "mine.json"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(Refused) as refused:
        make_job(game, strategy=str(file))
    assert refused.value.reason is Reason.BAD_ARGUMENT
    message = refused.value.message
    assert message.startswith(f"strategy file '{file}' ")
    assert "\n" not in message
    return message.removeprefix(f"strategy file '{file}' ")


def hands_set(**named: Any) -> Change:
    return lambda document: document["hands"].update(named)


def up_set(hand: str, up: str, decision: Any) -> Change:
    return lambda document: document["hands"][hand].update({up: decision})


def hand_gone(name: str) -> Change:
    return lambda document: document["hands"].pop(name)


ALL_FOLDED = "F" * 52
CHANGES: list[tuple[str, Change, str]] = [
    (POKER, lambda d: d["hands"].clear(), "has no decision for '2c 2d 2h'; every hand needs one"),
    (POKER, hand_gone("2c 2d 2h"), "has no decision for '2c 2d 2h'"),
    (RUMMY, hand_gone("Qc Kc Ac"), "has no decision for 'Qc Kc Ac'"),
    (FACE_UP, hand_gone("2c 3d 4h"), "has no decision for '2c 3d 4h'"),
    (
        POKER,
        hands_set(**{"2d 2h 2s": "fold"}),
        "decides '2c 2d 2h' and '2d 2h 2s', which are the same hand; decide it once",
    ),
    (FACE_UP, hands_set(**{"2d 2h 2s": ALL_FOLDED}), "'2d 2h 2s', which are the same hand"),
    (FACE_UP, hands_set(**{"2c 3d 4h": "play"}), "decides '2c 3d 4h' as 'play'; write 52 letters"),
    (FACE_UP, hands_set(**{"2c 3d 4h": ALL_FOLDED}), "has 'F' for '2c 3d 4h' against 2c"),
    (
        FACE_UP,
        lambda d: d["hands"].update({"2c 3d 4h": "-" + d["hands"]["2c 3d 4h"][1:-1] + "-"}),
        "has '-' for '2c 3d 4h' against As; '-' is an own card",
    ),
    (
        FACE_UP,
        lambda d: d["hands"].update({"2s 3d 4h": d["hands"].pop("2c 3d 4h")}),
        "names '2s 3d 4h'; the hand stands as '2c 3d 4h' there",
    ),
    (POKER, hands_set(**{"2c 2d 2h": "hit"}), "decides '2c 2d 2h' as 'hit'; known: fold, play"),
    (POKER, hands_set(**{"2c 2d 2h": None}), "decides '2c 2d 2h' as None; known: fold, play"),
    (POKER, hands_set(**{"2c 2d 2h": ["play"]}), "decides '2c 2d 2h' as ['play']; known:"),
    (POKER, hands_set(**{"2c 2d 2x": "play"}), "names the hand '2c 2d 2x': card '2x'"),
    (POKER, hands_set(**{"2c 2d": "play"}), "names the hand '2c 2d'; a hand is three different"),
    (POKER, hands_set(**{"2c 2d 2d": "play"}), "names the hand '2c 2d 2d'"),
    (POKER, hands_set(**{"": "play"}), "names the hand ''"),
    (POKER, lambda d: d.update(game=RUMMY), f"is for '{RUMMY}', not for {POKER}"),
    (POKER, lambda d: d.update(game=None), f"is for None, not for {POKER}"),
    (POKER, lambda d: d.pop("hands"), "has no 'hands'"),
    (POKER, lambda d: d.update(hands=[1]), "has no 'hands'"),
    (POKER, lambda d: d.update(houseway_strategy=2), "is not a strategy that"),
    (POKER, lambda d: d.clear(), "is not a strategy that"),
    (BONUS, hand_gone("T-6"), "has no decision for 'T-6' against A"),
    (BONUS, lambda d: d["hands"]["T-6"].pop("7"), "has no decision for 'T-6' against 7"),
    (BONUS, up_set("T-6", "7", "surrender"), "'T-6' against 7 as 'surrender'; known: stand"),
    (BONUS, up_set("T-6", "7", ["hit"]), "decides 'T-6' against 7 as ['hit']; known: stand"),
    (BONUS, up_set("T-6", "7", 1), "decides 'T-6' against 7 as 1; known: stand"),
    (
        BONUS,
        up_set("T-6", "7", "split"),
        "decides 'T-6' against 7 as 'split': only a pair of Aces may be split",
    ),
    (
        BONUS,
        up_set("5-4-2", "7", "double"),
        "decides '5-4-2' against 7 as 'double': a double is allowed on the first two cards only",
    ),
    (BONUS, up_set("T-6", "1", "hit"), "has up card '1'; known: A, 2, 3"),
    (BONUS, hands_set(**{"T-6": "hit"}), "has 'hit' for 'T-6'; give a decision by up card"),
    (BONUS, hands_set(**{"K-6": {}}), "names the hand 'K-6'; write it by its kinds"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "change", "words"), CHANGES)
def test_a_file_that_does_not_say_how_to_play_is_refused(
    documents: dict[str, str], tmp_path: Path, game: str, change: Change, words: str
) -> None:
    document = json.loads(documents[game])
    change(document)
    assert words in refusal(tmp_path, game, json.dumps(document))


def test_a_name_that_is_given_twice_is_refused(documents: dict[str, str], tmp_path: Path) -> None:
    for game, name in ((POKER, "2c 2d 2h"), (BONUS, "T-6")):
        text = documents[game].replace(f'"{name}":', f'"{name}": 0, "{name}":')
        assert refusal(tmp_path, game, text) == f"names {name!r} twice; name it once"


@pytest.mark.parametrize(
    "text",
    ["", "play everything", "{", "[" * 100_000, b"\xff\xfe\x00\x81", "{'hands': 1}"],
)
def test_what_is_not_json_is_refused(tmp_path: Path, text: str | bytes) -> None:
    assert "is not JSON as `houseway strategy GAME --out FILE` writes it" in refusal(
        tmp_path, POKER, text
    )


@pytest.mark.parametrize("text", ["null", "[]", '"play"', "1"])
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    assert "is not a strategy that `houseway strategy GAME --out FILE` wrote" in refusal(
        tmp_path, POKER, text
    )


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        ("bold", "strategy 'bold' is unknown and there is no such file; known: optimal, printed"),
        ("x" * 300, "is unknown and there is no such file"),
        ("", "strategy '' is unknown and there is no such file; known: optimal, printed, simple"),
        (".", "cannot be read: Is a directory"),
        (
            "nowhere.json",
            "cannot be read: No such file or directory; give optimal, printed, simple or a file",
        ),
        ("x" * 300 + ".json", "cannot be read: File name too long"),
        ("printed", "strategy 'printed' of three-card-poker is unknown: no source prints one"),
    ],
)
def test_a_strategy_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], strategy: str, words: str
) -> None:
    code, document = run(capsys, "simulate", POKER, f"--strategy={strategy}", "--rounds", "10")
    assert code == 2
    assert words in document["error"]["message"]
    assert document["error"]["reason"] in ("unknown_value", "bad_argument")


def test_a_bad_file_is_told_on_the_command_line(
    capsys: pytest.CaptureFixture[str], documents: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(documents[POKER].replace('"play"', '"raise"'))
    assert main(["simulate", POKER, "--strategy", str(file), "--rounds", "10"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"houseway: strategy file '{file}' decides ")
    assert captured.err.endswith("as 'raise'; known: fold, play\n")
