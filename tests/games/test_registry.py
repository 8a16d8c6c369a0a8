"""Registry: a game is a folder, and a folder that cannot be played is refused by itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from houseway import settle
from houseway.games import GAMES, codes, game_of, problems
from houseway.games import registry as shelves
from houseway.games.check import faults, undecided, without_paytable
from houseway.games.contract import DEALER, SEATS, Ask, Deal, Game, Ruling, Settle, Show
from houseway.games.shelf import Shelf
from houseway.house.options import Options, option
from houseway.refusal import Reason, Refused
from tests.contract.made_up import GAMES as MADE_UP
from tests.contract.made_up import LET

HOME = Path(shelves.__file__).parent


def test_every_game_is_known_by_the_name_of_its_folder() -> None:
    assert problems() == {}
    assert codes() == tuple(game.code for game in GAMES)
    assert all(game_of(code).code == code for code in codes())
    assert all((HOME / code.replace("-", "_") / "rules.py").exists() for code in codes())


@pytest.mark.parametrize("game", [*GAMES, *MADE_UP], ids=lambda game: game.code)
def test_games_that_are_played_have_no_faults(game: Game) -> None:
    assert faults(game, game.code) == []


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided(Options):
    """Options of which one has no default."""

    packs: Literal["1", "6"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordless(Options):
    """Options of which one is not in the register."""

    packs: Literal["1", "6"] = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere(Options):
    """Options of which one is by default what it may not be."""

    packs: Literal["1", "6"] = option("8", "How many packs", "A-01")


FOLD_LAST = LET.script[:-1]
WRONG: dict[str, tuple[Callable[[Game], Any], str]] = {
    "code": (
        lambda game: replace(game, code="other"),
        "code 'other' is not 'made-up-let'; a game's code is the name of its folder, with hyphens",
    ),
    "no game": (lambda _: {"code": "x"}, "GAME is dict; it must be a Game"),
    "a bet twice": (
        lambda game: replace(game, bets=(*game.bets, game.bets[0])),
        "bet 'first' stands 2 times; once is allowed",
    ),
    "no bet": (
        lambda game: replace(game, bets=tuple(replace(b, not_made="x") for b in game.bets)),
        "no bet is put up by the player; at least one must be",
    ),
    "unit": (
        lambda game: replace(game, unit="ante"),
        "unit names bet 'ante'; bets of the game: first, second, third",
    ),
    "option without default": (
        lambda game: replace(game, options=Undecided),
        "option 'packs' has no default; every option needs one",
    ),
    "option without words": (
        lambda game: replace(game, options=Wordless),
        "option 'packs' has no words; declare it by option(default, text, source)",
    ),
    "default that is not allowed": (
        lambda game: replace(game, options=Elsewhere),
        "option 'packs' is '8' by default; allowed: 1, 6",
    ),
    "a place without cards": (
        lambda game: replace(game, script=(Show(to="flop", does="Turn it."), *game.script)),
        "step 1 of the script shows cards of 'flop'; cards are dealt to board, seats",
    ),
    "a usual action that is not offered": (
        lambda game: replace(game, script=(Ask(actions=(), usual="ride"), *game.script)),
        "step 1 of the script takes 'ride' for granted; actions: ",
    ),
    "an unknown bet in a step": (
        lambda game: replace(game, script=(Settle(bets=("war",)), *game.script)),
        "step 1 of the script names bet 'war'; bets of the game: first, second, third",
    ),
    "no end": (
        lambda game: replace(game, script=FOLD_LAST),
        "the script does not end with Settle; the last step takes the cards in",
    ),
    "a bet that no step settles": (
        lambda game: replace(game, script=(*FOLD_LAST, Settle(bets=("first", "second")))),
        "bet 'third' is settled by no step; name it in a Settle, or end with Settle()",
    ),
    "more cards than there are": (
        lambda game: replace(game, positions=8, script=(Deal(to=SEATS, down=4), *game.script)),
        (
            "the script deals 58 cards to 8 positions; the deck has 52, so allow fewer positions "
            "or use more packs"
        ),
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_game_is_said_in_a_sentence(wrong: str) -> None:
    made, sentence = WRONG[wrong]
    found = faults(made(LET), LET.code)
    assert found[0] == sentence


FOLDER = """
from tests.contract.made_up import LET as GAME
"""
BROKEN = {
    "raises": ("raise RuntimeError('no luck')", "cannot be loaded: no luck"),
    "no GAME": ("OTHER = 1", "has no attribute 'GAME'"),
    "missing field": (
        "from houseway.games.contract import Game\nGAME = Game(code='x', name='X')",
        "missing",
    ),
    "paytable": (FOLDER, "bet 'first', which pays by no table"),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_folder_is_named_and_the_others_go_on(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, said = BROKEN[broken]
    folder = tmp_path / f"broken_{broken.replace(' ', '_').lower()}"
    folder.mkdir()
    (folder / "__init__.py").write_text(text, encoding="utf-8")
    (folder / "paytables.toml").write_text(
        '[[paytable]]\nbet = "first"\ncode = "A"\nsource = []\npays = []\n', encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    code = "made-up-let" if broken == "paytable" else "x"
    with pytest.raises(Refused) as refused:
        shelves.load(code, folder, folder.name)
    assert refused.value.reason is Reason.BAD_GAME
    assert refused.value.message.startswith(f"game folder {folder.name!r}")
    assert said in refused.value.message
    assert game_of("three-card-poker").name == "Three Card Poker"


def test_verdicts_that_forget_a_bet_are_found_when_a_game_is_loaded() -> None:
    def forgetful(found: Any, actions: Any, tables: Any, options: Any) -> Iterator[Ruling]:
        rulings = LET.verdicts(found, actions, tables, options)
        yield from (ruling for ruling in rulings if ruling.bet != "second")

    assert list(undecided(LET, Shelf())) == []
    assert list(undecided(replace(LET, verdicts=forgetful), Shelf())) == [
        (
            "verdicts forget bet 'second' after ride, ride; every bet that was made is decided in "
            "the end"
        )
    ]
    with pytest.raises(Refused, match="leave bet 'second' open; every bet that was made is"):
        settle(
            replace(LET, verdicts=forgetful),
            bets=dict.fromkeys(LET.wagers, 1000),
            deck="2h 3c 4d 5s 7h",
        )


def test_a_side_bet_without_a_paytable_is_refused() -> None:
    king = replace(game_of("three-card-poker").side("pair-plus"), code="king")
    game = replace(LET, side_bets=(king,))
    assert list(without_paytable(game, Shelf())) == [
        "side bet 'king' has no paytable; give it one in paytables.toml"
    ]
    with pytest.raises(Refused, match="side bet 'king' of made-up-let has no paytable"):
        settle(game, bets=dict.fromkeys(LET.wagers, 1000), deck="2h 3c 4d 5s 7h")


def test_a_side_bet_needs_cards_that_are_dealt() -> None:
    game = game_of("three-card-poker")
    script = tuple(s for s in game.script if not (isinstance(s, Deal) and s.to == DEALER))
    found = faults(replace(game, script=script), game.code)
    assert "side bet 'six-card-bonus' sees cards of the dealer; none are dealt there" in found
