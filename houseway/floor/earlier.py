"""Earlier: a progressive game as programs before the round was its authority kept it.

Then the progressive had commands and events of its own beside the live round. What such a journal
holds is still read; a game that was under way when the program changed can only be ended
(`end_earlier_game`), with what was confirmed kept as owed.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from houseway.journal.event import Event

KINDS = frozenset(
    {
        "lit",
        "unlit",
        "folded",
        "unfolded",
        "spot_chosen",
        "hand_chosen",
        "hand_cleared",
        "amounts_changed",
        "jackpot_recorded",
        "award_confirmed",
        "award_backed_out",
        "camera_checked",
        "award_paid",
        "envy_paid",
    }
)
"""Kinds that belong to such a game while one is under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAward:
    """A winning hand that the dealer had chosen at a spot."""

    position: int
    hand: str
    level: str | None
    whole: bool
    amount_cents: int
    by: str
    status: str = "chosen"
    at: str = ""
    confirmed_by: str = ""
    page: int = 0
    moved: tuple[tuple[str, str, int], ...] = ()
    verified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierGame:
    """The lights and awards of a game, and its number."""

    round: int = 0
    lights: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    """Cents and player by position."""
    awards: tuple[EarlierAward, ...] = ()
    carried: tuple[int, ...] = ()
    """Positions whose wager a void game has left for the next (A-15)."""

    def award_at(self, position: int) -> EarlierAward | None:
        """The award of a spot."""
        return next((award for award in self.awards if award.position == position), None)


def evolve(before: EarlierGame | None, event: Event) -> EarlierGame:
    """The game after one of its events."""
    game, data = before or EarlierGame(), event.data
    match event.kind:
        case "lit":
            lit = (data["cents"], data["player"])
            return replace(game, lights={**game.lights, data["position"]: lit})
        case "unlit":
            left = {place: lit for place, lit in game.lights.items() if place != data["position"]}
            return replace(game, lights=left)
        case "game_started":
            return replace(game, round=data["round"], carried=())
        case "hand_chosen":
            names = ("position", "hand", "level", "whole", "amount_cents", "by")
            chosen = EarlierAward(**{name: data[name] for name in names}, at=event.at)
            game = _without(game, chosen.position)
            return _with_amounts(replace(game, awards=(*game.awards, chosen)), data)
        case "hand_cleared":
            return _with_amounts(_without(game, data["position"]), data)
        case "award_backed_out":
            return _without(game, data["position"])
        case "amounts_changed":
            return _with_amounts(game, data)
        case "jackpot_recorded":
            return _with(game, event, status="recorded", amount_cents=data["amount_cents"])
        case "award_confirmed":
            return _with(
                game,
                event,
                status="confirmed",
                confirmed_by=data["confirmed_by"],
                page=data["page"],
                amount_cents=data["amount_cents"],
                moved=tuple((d, c, a) for d, c, a in event.transfers),
            )
        case "camera_checked" if data["from"] == data["position"]:
            return _with(game, event, verified=True)
        case "award_paid":
            return _with(game, event, status="paid")
    return game


def carried_over(game: EarlierGame) -> EarlierGame:
    """The lights that a void game leaves for the next one, where wagers are carried over."""
    return EarlierGame(lights=game.lights, carried=tuple(sorted(game.lights)))


def _without(game: EarlierGame, position: int) -> EarlierGame:
    left = tuple(award for award in game.awards if award.position != position)
    return replace(game, awards=left)


def _with_amounts(game: EarlierGame, data: Mapping[str, Any]) -> EarlierGame:
    amounts = data.get("amounts", {})
    changed = tuple(
        replace(award, amount_cents=amounts.get(str(award.position), award.amount_cents))
        for award in game.awards
    )
    return replace(game, awards=changed)


def _with(game: EarlierGame, event: Event, **changes: Any) -> EarlierGame:
    position = event.data["position"]
    changed = tuple(
        replace(award, at=event.at, **changes) if award.position == position else award
        for award in game.awards
    )
    return replace(game, awards=changed)


def dump(game: EarlierGame) -> dict[str, Any]:
    """The game as plain data."""
    return {
        "round": game.round,
        "lights": {str(place): list(lit) for place, lit in sorted(game.lights.items())},
        "awards": [asdict(award) for award in game.awards],
        "carried": list(game.carried),
    }


def load(data: Mapping[str, Any]) -> EarlierGame:
    """The game from plain data."""
    return EarlierGame(
        round=data["round"],
        lights={int(place): (cents, player) for place, (cents, player) in data["lights"].items()},
        awards=tuple(
            EarlierAward(**{**award, "moved": tuple((d, c, a) for d, c, a in award["moved"])})
            for award in data["awards"]
        ),
        carried=tuple(data["carried"]),
    )
