"""Way: a way of playing, as the decisions that a simulation is handed."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from houseway.cards import cards_text, parse_cards
from houseway.exact import chart
from houseway.exact.blackjack import DECK as SUPPLY
from houseway.exact.blackjack import KINDS, Decide, Kinds, blackjack, hand_of_kinds
from houseway.exact.bonus import CODES, decisions, hand_graph
from houseway.exact.chart import hand_text
from houseway.exact.strategy import VERSION
from houseway.exact.tabulate import suit_class, three_card_hands
from houseway.exact.three_card import ante_analysis, by_thumb, is_face_up
from houseway.games import blackjack as rules
from houseway.games.blackjack import BlackjackDecision
from houseway.games.contract import Game
from houseway.games.solvers import Showdown
from houseway.house.options import Chosen
from houseway.refusal import Reason, Refused, listed
from houseway.sim.table import Tables

NAMES = ("optimal", "printed", "simple")
Decisions = npt.NDArray[np.bool_] | npt.NDArray[np.int8]
"""Whether a hand is played, by canonical hand (and up card); or codes by hand and up kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """A way of playing a game."""

    name: str
    decisions: Decisions

    @property
    def digest(self) -> str:
        """What tells two ways apart: a digest of their decisions."""
        return sha256(np.ascontiguousarray(self.decisions).tobytes()).hexdigest()[:16]

    def decide(self, hand: Kinds, up: int) -> BlackjackDecision:
        """The decision on a Blackjack hand."""
        return _NAMES_OF_CODES[int(self.decisions[_places()[hand], up])]


def read_way(game: Game, text: str, tables: Tables, options: Chosen) -> Way:
    """The way of playing of that name, or the one in a file that `houseway strategy` wrote."""
    if text in NAMES:
        if isinstance(game.solver, Showdown):
            return Way(text, _three_card(game, text, tables, options))
        return Way(text, decisions(blackjack(options), _blackjack(text, options)))
    path = Path(text)
    if not text or (not path.suffix and not _is_there(path)):
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"strategy {text!r} is unknown and there is no such file; known: {listed(NAMES)}",
        )
    document = _document(path, game)
    hands = document["hands"]
    if isinstance(game.solver, Showdown):
        return Way(text, _read_three_card(game, hands, text))
    return Way(text, _read_blackjack(hands, options, text))


def _three_card(game: Game, name: str, tables: Tables, options: Chosen) -> npt.NDArray[np.bool_]:
    if name == "optimal":
        return ante_analysis(game, tables, options).optimal()
    if name == "printed":
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"strategy 'printed' of {game.code} is unknown: no source prints one; "
            "known: optimal, simple",
        )
    return by_thumb(game, options)


def _blackjack(name: str, options: Chosen) -> Decide:
    if name == "optimal":
        return blackjack(options).best
    return chart.decide if name == "printed" else _as_the_dealer(options)


def _as_the_dealer(options: Chosen) -> Decide:
    """The simplest of all: draw and stop as the dealer must, never double or split."""

    def decide(hand: Kinds, _up: int) -> BlackjackDecision:
        return "stand" if rules.dealer_stops(hand_of_kinds(hand).total, options) else "hit"

    return decide


# Files.


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # No name that a file can have, or in a folder that may not be looked into.
        return False


def _document(path: Path, game: Game) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=_no_name_twice)
    except OSError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"strategy file '{path}' cannot be read: {error.strerror}; give {listed(NAMES)} or a "
            "file that `houseway strategy GAME --out FILE` wrote",
        ) from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, _TwiceError):
            raise _wrong(path, f"names {error.name!r} twice; name it once") from None
        raise _wrong(path, "is not JSON as `houseway strategy GAME --out FILE` writes it") from None
    if not isinstance(document, dict) or document.get("houseway_strategy") != VERSION:
        raise _wrong(path, "is not a strategy that `houseway strategy GAME --out FILE` wrote")
    if document.get("game") != game.code:
        raise _wrong(path, f"is for {document.get('game')!r}, not for {game.code}")
    if not isinstance(document.get("hands"), dict):
        raise _wrong(path, "has no 'hands'")
    return document


class _TwiceError(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _no_name_twice(found: list[tuple[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for name, value in found:
        if name in document:
            raise _TwiceError(name)
        document[name] = value
    return document


def _wrong(path: Path | str, what: str) -> Refused:
    return Refused(Reason.BAD_ARGUMENT, f"strategy file '{path}' {what}")


def _read_three_card(game: Game, hands: dict[str, Any], file: str) -> npt.NDArray[np.bool_]:
    """The decisions of a file; refused when a hand is missing or decided in two ways."""
    known = three_card_hands()
    place = {suit_class(known.cards[n].tolist()): i for i, n in enumerate(known.canonical)}
    face_up = is_face_up(game)
    shape = (known.canonical.size, 52) if face_up else (known.canonical.size,)
    plays = np.zeros(shape, dtype=bool)
    said: dict[int, str] = {}
    for name, decided in hands.items():
        cards = _cards(name, file)
        number = place[suit_class(cards)]
        canonical = known.cards[known.canonical[number]].tolist()
        if number in said and (face_up or hands[said[number]] != decided):
            both = f"{said[number]!r} and {name!r}"
            raise _wrong(file, f"decides {both}, which are the same hand; decide it once")
        said[number] = name
        plays[number] = (
            _shown_decisions(name, cards, canonical, decided, file)
            if face_up
            else _one_of(decided, ("fold", "play"), name, file)
        )
    for number, hand in enumerate(known.canonical):
        if number not in said:
            text = cards_text(known.cards[hand].tolist())
            raise _wrong(file, f"has no decision for {text!r}; every hand needs one")
    return plays


def _cards(name: str, file: str) -> list[int]:
    try:
        cards = parse_cards(name)
    except Refused as refused:
        raise _wrong(file, f"names the hand {name!r}: {refused.message}") from None
    if len(set(cards)) != 3 or len(cards) != 3:
        raise _wrong(file, f"names the hand {name!r}; a hand is three different cards")
    return sorted(cards)


def _shown_decisions(
    name: str, cards: list[int], canonical: list[int], decided: Any, file: str
) -> list[bool]:
    """The decisions of a Face Up hand, P or F in the order of the 52 up cards."""
    if not isinstance(decided, str) or len(decided) != 52 or set(decided) - set("PF-"):
        raise _wrong(file, f"decides {name!r} as {decided!r}; write 52 letters P, F or -")
    if cards != canonical:
        raise _wrong(file, f"names {name!r}; the hand stands as {cards_text(canonical)!r} there")
    for up, letter in enumerate(decided):
        if (letter == "-") != (up in cards):
            text = cards_text([up])
            raise _wrong(file, f"has {letter!r} for {name!r} against {text}; '-' is an own card")
    return [letter == "P" for letter in decided]


def _one_of(decided: Any, known: tuple[str, ...], name: str, file: str) -> bool:
    if decided not in known:
        raise _wrong(file, f"decides {name!r} as {decided!r}; known: {listed(known)}")
    return bool(decided == known[1])


def _read_blackjack(hands: dict[str, Any], options: Chosen, file: str) -> npt.NDArray[np.int8]:
    """The decisions of a file; refused when one is missing or not allowed."""
    table = np.zeros((len(hand_graph().nodes), KINDS), dtype=np.int8)
    named = {hand_text(hand): number for hand, number in _places().items()}
    for name in hands:
        if name not in named:
            raise _wrong(file, f"names the hand {name!r}; write it by its kinds, such as 'T-2'")
        if not isinstance(hands[name], dict):
            raise _wrong(file, f"has {hands[name]!r} for {name!r}; give a decision by up card")
        for up in hands[name]:
            if up not in rules.KIND_NAMES:
                raise _wrong(file, f"has up card {up!r}; known: {listed(rules.KIND_NAMES)}")
    for hand, number, up in _open_hands(options):
        name, shown = hand_text(hand), rules.KIND_NAMES[up]
        decided = hands.get(name, {}).get(shown)
        if decided is None:
            raise _wrong(file, f"has no decision for {name!r} against {shown}")
        if not isinstance(decided, str) or decided not in CODES:
            raise _wrong(
                file, f"decides {name!r} against {shown} as {decided!r}; known: {listed(CODES)}"
            )
        problem = rules.why_not(decided, hand_of_kinds(hand), options)
        if problem is not None:
            raise _wrong(file, f"decides {name!r} against {shown} as {decided!r}: {problem}")
        table[number, up] = CODES[decided]
    return table


def _open_hands(options: Chosen) -> Iterator[tuple[Kinds, int, int]]:
    """Every hand that takes a decision, with its number and an up card it may meet."""
    for hand, number in _places().items():
        if rules.status(hand_of_kinds(hand), options) is not rules.Status.OPEN:
            continue
        for up in range(KINDS):
            if all(
                have + (kind == up) <= most
                for kind, (have, most) in enumerate(zip(hand, SUPPLY, strict=True))
            ):
                yield hand, number, up


_NAMES_OF_CODES: dict[int, BlackjackDecision] = {code: name for name, code in CODES.items()}


@cache
def _places() -> dict[Kinds, int]:
    return {hand: number for number, hand in enumerate(hand_graph().nodes)}
