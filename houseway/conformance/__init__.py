"""Conformance: the checks that every game passes, ours and a stranger's.

Each check deals a round from a seed and yields a sentence for whatever the game or the table does
wrong. The same seed deals the same round.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from houseway.conformance.bad_input import bad_input_is_refused
from houseway.conformance.decisions import decisions_hold
from houseway.conformance.real_cards import real_cards_agree
from houseway.conformance.records import rounds_replay
from houseway.conformance.rounds import BrokenGame
from houseway.conformance.settling import money_adds_up, settle_agrees, verdicts_stand
from houseway.conformance.views import views_hide
from houseway.conformance.words import words_exist
from houseway.games.contract import Game

Check = Callable[[Game, int], Iterator[str]]
CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        "words": words_exist,
        "money": money_adds_up,
        "settle": settle_agrees,
        "verdicts": verdicts_stand,
        "views": views_hide,
        "records": rounds_replay,
        "decisions": decisions_hold,
        "bad input": bad_input_is_refused,
        "real cards": real_cards_agree,
    }
)


class Finding(NamedTuple):
    """Something that a check found: the game, the round by its seed, and a sentence."""

    game: str
    check: str
    seed: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.game}, {self.check}, round {self.seed}: {self.sentence}"


def findings(
    game: Game, seeds: Iterable[int], checks: Mapping[str, Check] = CHECKS
) -> Iterator[Finding]:
    """Yields what is wrong with a game, the first finding of each check in these rounds."""
    left = dict(checks)
    for seed in seeds:
        for name, check in list(left.items()):
            sentence = first_finding(check, game, seed)
            if sentence is not None:
                yield Finding(game.code, name, seed, sentence)
                del left[name]


def first_finding(check: Check, game: Game, seed: int) -> str | None:
    """The first sentence of a check on one round, or what stopped it; None when all is well."""
    try:
        return next(check(game, seed), None)
    except BrokenGame as broken:
        return str(broken)
    except Exception as error:  # a game is somebody's code and may raise whatever it likes
        return f"stopped by {type(error).__name__}: {error}"
