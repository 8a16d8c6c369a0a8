"""Context: the table that a command is for, with its link, its round and the person who asks."""

from collections.abc import Mapping
from typing import Any

from houseway.floor import request
from houseway.floor.link import Link, find_link, link_stream
from houseway.floor.live_round import round_of
from houseway.floor.person import require
from houseway.floor.profile import Profile, profile_of
from houseway.floor.table import FloorTable, check_no_earlier_game, find_table, table_stream
from houseway.journal.event import Command, Draft, Transfer
from houseway.journal.state import State
from houseway.live.state import Round, Seat
from houseway.refusal import Reason, Refused

AT_THE_TABLE = ("dealer", "supervisor")
OVER_THE_TABLE = ("supervisor", "executive")


class Context:
    """The table of a command, with its link, profile and live round."""

    def __init__(self, state: State, command: Command, roles: tuple[str, ...] = AT_THE_TABLE):
        self.state = state
        self.command = command
        self.table: FloorTable = find_table(state, request.text(command, "table"))
        if not self.table.link:
            raise Refused(
                Reason.UNKNOWN_VALUE, f"table {self.table.name!r} plays for no link; join one"
            )
        self.link: Link = find_link(state, self.table.link)
        self.paytable = self.link.pays
        self.options = self.table.house_options
        self.profile: Profile = profile_of(self.paytable, self.options)
        self.person = require(state, command.actor, roles)

    @property
    def stream(self) -> str:
        """The stream of the table."""
        return table_stream(self.table.name)

    def draft(
        self, kind: str, data: Mapping[str, Any], transfers: list[Transfer] | None = None
    ) -> Draft:
        """An event of the table."""
        return Draft(stream=self.stream, kind=kind, data=data, transfers=transfers or [])

    def link_draft(self, kind: str, data: Mapping[str, Any]) -> Draft:
        """An event of the link."""
        return Draft(stream=link_stream(self.link.name), kind=kind, data=data)

    def in_play(self) -> Round:
        """The round whose progressive wagers are taken; refused when there is none."""
        check_no_earlier_game(self.table)
        under_way = round_of(self.table)
        if under_way is None or under_way.over or not under_way.started:
            raise Refused(
                Reason.WRONG_PHASE,
                f"no game is under way at {self.table.name}; press {self.profile.start} first",
                self.profile.start_clause,
            )
        return under_way


def player_of(seat: Seat) -> str:
    """The player at a spot; a spot without a name is a player of its own."""
    return seat.player or f"position {seat.position}"
