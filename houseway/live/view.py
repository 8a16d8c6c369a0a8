"""View: the round as one viewer may see it.

A card is in a view only when its viewer may see it: hidden cards are left out here, before they
leave the house, and never by a screen. Undealt cards are in no view at all.
"""

from typing import Any, Literal, NamedTuple

from houseway.cards import HIDDEN, card_text
from houseway.games.progressive import LINK
from houseway.live.commands import DEALER
from houseway.live.state import Round, Seat
from houseway.live.words import prompt, standing
from houseway.refusal import Reason, Refused, listed

ViewerKind = Literal["player", "dealer", "supervisor", "surveillance", "public"]
KINDS = ("player", "dealer", "supervisor", "surveillance", "public")
AFTERWARDS = ("supervisor", "surveillance")
"""Who may look at every dealt card once a round is over, for recall and disputes."""


class Viewer(NamedTuple):
    """Who looks; a player looks from a position."""

    kind: ViewerKind
    position: int | None = None


def view(table: Round, viewer: Viewer, *, over: bool = False) -> dict[str, Any]:
    """The round as plain data, with every card hidden that the viewer may not see.

    While a round is played nobody sees a card that lies face down but the player it was dealt to
    (TSR-25, TSB-08, FUP-03); not the dealer, nor those who watch. `over` is for a round that is
    over by now and is shown as it stood before.
    """
    over = over or table.over
    if viewer.kind not in KINDS:
        raise Refused(
            Reason.BAD_ARGUMENT, f"viewer {viewer.kind!r} is unknown; known: {listed(KINDS)}"
        )
    if viewer.kind == "player" and not any(s.position == viewer.position for s in table.seats):
        raise Refused(
            Reason.WRONG_POSITION,
            f"position {viewer.position!r} is not at this table; allowed: 1 to {len(table.seats)}",
        )
    staff = viewer.kind in ("dealer", "supervisor", "surveillance")
    next_step = prompt(table)
    return {
        "round": table.number,
        "version": table.version,
        "game": table.ruleset.game.code,
        "ruleset": {"revision": table.ruleset.revision, "digest": table.ruleset.digest},
        "phase": table.phase.value,
        "stage": table.stage,
        "void": table.voided,
        "dealer": _cards(table, viewer, DEALER, table.dealer, table.dealer_up, over),
        "community": _laid(table, viewer, LINK, over) if LINK in table.laid else None,
        **_places(table, viewer, over),
        "positions": [_position(table, viewer, seat, over) for seat in table.seats if seat.wagers],
        "say": standing(table),
        "do": next_step.do if staff else None,
        "reported": table.reported or None,
        "tray": table.tray if staff else None,
    }


def _position(table: Round, viewer: Viewer, seat: Seat, over: bool) -> dict[str, Any]:
    return {
        "position": seat.position,
        "player": seat.player,
        "wagers": dict(seat.wagers),
        "cards": _cards(table, viewer, seat.position, seat.cards, seat.up, over),
        "decisions": list(seat.decisions),
        "folded": seat.folded,
        "tucked": seat.tucked,
        "gone": seat.gone,
        "lines": [line.to_json() for line in seat.lines],
        "net": sum(line.net for line in seat.lines),
    }


def _cards(
    table: Round,
    viewer: Viewer,
    place: int,
    cards: tuple[int, ...],
    up: tuple[bool, ...],
    over: bool,
) -> list[str]:
    own = viewer.kind == "player" and viewer.position == place
    everything = own or (over and viewer.kind in AFTERWARDS)
    return [
        card_text(card) if everything or facing or (place, number) in table.exposed else HIDDEN
        for number, (card, facing) in enumerate(zip(cards, up, strict=True), start=1)
    ]


def _places(table: Round, viewer: Viewer, over: bool) -> dict[str, Any]:
    """Returns boards and hands of the table by place, for games that have such."""
    places = [place for place in table.laid if place != LINK]
    if not places:
        return {}
    return {"places": {place: _laid(table, viewer, place, over) for place in places}}


def _laid(table: Round, viewer: Viewer, place: str, over: bool) -> list[str]:
    """Returns cards that lie before nobody; those face down are seen by nobody before the end."""
    everything = over and viewer.kind in AFTERWARDS
    laid = table.laid[place]
    return [
        card_text(card) if everything or up else HIDDEN
        for card, up in zip(laid.cards, laid.up, strict=True)
    ]
