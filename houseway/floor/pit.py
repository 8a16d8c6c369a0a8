"""Pit: what was set by who watches the floor: the pace looked for, a checkpoint, alerts seen."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from houseway.floor import request
from houseway.floor.context import OVER_THE_TABLE
from houseway.floor.person import require, same_holder
from houseway.games import GAMES, game_of
from houseway.journal.event import Command, Draft, Entry, Event
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

STREAM = "floor:pit"
MOST_PACE = 500
KEPT = 200
"""Acknowledgements that are kept; of more than these, those whose alerts are over are forgotten."""
LONGEST_ALERT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An alert that somebody has seen."""

    by: str
    at: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pit:
    """What was set."""

    paces: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    checkpoint_at: str = ""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    """By the alert."""

    def pace(self, game: str) -> tuple[int, int]:
        """Rounds an hour that are looked for in a game."""
        return self.paces.get(game) or game_of(game).pace


def find_pit(state: State) -> Pit:
    """The pit of the floor."""
    found = state.streams.get(STREAM)
    return found if isinstance(found, Pit) else Pit()


def set_pace(state: State, command: Command) -> Entry:
    """Rounds an hour that are looked for in a game."""
    require(state, command.actor, OVER_THE_TABLE)
    game = command.arguments.get("game")
    known = [game.code for game in GAMES]
    if game not in known:
        raise Refused(
            Reason.UNKNOWN_GAME, f"game {request.shown(game)} is unknown; known: {listed(known)}"
        )
    low, high = (_rounds(command, name) for name in ("low", "high"))
    if low > high:
        raise Refused(Reason.BAD_ARGUMENT, f"low {low} is more than high {high}; turn them round")
    return _entry("pace_set", {"game": game, "low": low, "high": high})


def _rounds(command: Command, name: str) -> int:
    value = command.arguments.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_PACE:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"{name} {request.shown(value)} is no pace; 0 to {MOST_PACE} rounds an hour are",
        )
    return value


def set_checkpoint(state: State, command: Command) -> Entry:
    """From now on it is shown what has changed since."""
    require(state, command.actor, OVER_THE_TABLE)
    return _entry("checkpoint_set", {})


def acknowledge(state: State, command: Command) -> Entry:
    """Somebody has seen an alert that is raised now.

    `raised` names all that are, each with the card that caused it, or with nothing. Nobody
    acknowledges what an own card caused.
    """
    require(state, command.actor, OVER_THE_TABLE)
    alert = request.text(command, "alert", longest=LONGEST_ALERT)
    raised = request.mapping(command, "raised")
    if alert not in raised:
        raise Refused(
            Reason.UNKNOWN_VALUE, f"alert {alert!r} is not raised now; take one that the pit shows"
        )
    if raised[alert] and same_holder(state, raised[alert], command.actor):
        raise Refused(
            Reason.NOT_APPROVED,
            f"card {raised[alert]!r} caused alert {alert!r}; another person acknowledges it",
        )
    seen = find_pit(state).seen
    if alert in seen:
        raise Refused(Reason.GIVEN_TWICE, f"alert {alert!r} was acknowledged already")
    note = request.text(command, "note", longest=request.LONGEST_TEXT, empty=True)
    over = [name for name in seen if name not in raised]
    forgotten = over[: max(0, len(seen) + 1 - KEPT)]
    return _entry("alert_seen", {"alert": alert, "note": note, "forgotten": forgotten})


def _entry(kind: str, data: dict[str, Any]) -> Entry:
    return Entry(events=[Draft(stream=STREAM, kind=kind, data=data)], answer=data)


def evolve(before: Pit | None, event: Event) -> Pit:
    """The pit after an event."""
    pit, data = before or Pit(), event.data
    match event.kind:
        case "pace_set":
            return replace(pit, paces={**pit.paces, data["game"]: (data["low"], data["high"])})
        case "checkpoint_set":
            return replace(pit, checkpoint_at=event.at)
        case "alert_seen":
            seen = Seen(by=event.actor, at=event.at, note=data["note"])
            kept = {a: s for a, s in pit.seen.items() if a not in data["forgotten"]}
            return replace(pit, seen={**kept, data["alert"]: seen})
    raise ValueError(f"event {event.kind!r} of {event.stream} is unknown")


def dump(pit: Pit) -> dict[str, Any]:
    """The pit as plain data."""
    return {
        "paces": {game: list(pace) for game, pace in pit.paces.items()},
        "checkpoint_at": pit.checkpoint_at,
        # A list, because the oldest go first.
        "seen": [[alert, asdict(seen)] for alert, seen in pit.seen.items()],
    }


def load(data: Mapping[str, Any]) -> Pit:
    """The pit from plain data."""
    return Pit(
        paces={game: (low, high) for game, (low, high) in data["paces"].items()},
        checkpoint_at=data["checkpoint_at"],
        seen={alert: Seen(**seen) for alert, seen in data["seen"]},
    )


DECIDERS = {"set_pace": set_pace, "set_checkpoint": set_checkpoint, "acknowledge": acknowledge}
