"""Post: the table that a command is for, with its link, its system and who asks."""

from collections.abc import Mapping
from typing import Any

from houseway.floor import request
from houseway.floor.link import Link, find_link, link_stream
from houseway.floor.person import require
from houseway.floor.profile import Profile, profile_of
from houseway.floor.table import FloorTable, Light, find_table, table_stream
from houseway.journal.event import Command, Draft, Transfer
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

AT_THE_TABLE = ("dealer", "supervisor")
OVER_THE_TABLE = ("supervisor", "executive")


class Post:
    """The table of a command, with its link and profile."""

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

    def started(self) -> None:
        """Refuse what is for a game that is under way."""
        if not self.table.started:
            raise Refused(
                Reason.WRONG_PHASE,
                f"no game is under way at {self.table.name}; press {self.profile.start} first",
                self.profile.start_clause,
            )

    def betting(self) -> None:
        """Refuse what is for the time before a game."""
        if self.table.started:
            raise Refused(
                Reason.WRONG_PHASE,
                f"{self.profile.start} was pressed at {self.table.name}; lights no longer change",
                self.profile.start_clause,
            )


def lit_at(post: Post, position: int) -> Light:
    """The wager of a spot; refused when it has none."""
    light = post.table.lights.get(position)
    if light is None:
        raise Refused(
            Reason.MISSING_BET,
            f"position {position} has no lit progressive wager; lit: "
            f"{listed(sorted(post.table.lights)) or 'none'}",
            post.profile.start_clause,
        )
    return light
