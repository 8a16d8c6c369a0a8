"""Card stock: which cards lie at a table, recorded whenever they are changed (ACE-05)."""

from typing import Literal, get_args

from houseway.floor import request
from houseway.floor.context import OVER_THE_TABLE
from houseway.floor.person import require
from houseway.floor.play import is_under_way
from houseway.floor.table import find_table, table_stream
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.refusal import Reason, Refused, listed

Material = Literal["paper", "plastic"]
Size = Literal["poker", "bridge"]
MATERIALS: tuple[Material, ...] = get_args(Material)
SIZES: tuple[Size, ...] = get_args(Size)


def change_cards(state: State, command: Command) -> Entry:
    """New cards at a table, of paper or plastic and of poker or bridge size (ACE-05).

    Nobody changes cards in a round: a hand would be dealt from two decks.
    """
    require(state, command.actor, OVER_THE_TABLE)
    table = find_table(state, request.text(command, "table"))
    material = _one_of(command, "material", MATERIALS)
    size = _one_of(command, "size", SIZES)
    if is_under_way(table):
        raise Refused(
            Reason.WRONG_PHASE,
            f"a round is under way at {table.name}; change its cards afterwards",
            "ACE-05",
        )
    reason = request.text(command, "reason", longest=request.LONGEST_TEXT)
    data = {"material": material, "size": size, "reason": reason}
    draft = Draft(stream=table_stream(table.name), kind="cards_changed", data=data)
    return Entry(events=[draft], answer={"table": table.name, "material": material, "size": size})


def _one_of(command: Command, name: str, known: tuple[str, ...]) -> str:
    value = command.arguments.get(name)
    if not isinstance(value, str) or value not in known:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"{name} {request.shown(value)} is unknown; known: {listed(known)}",
            "ACE-05",
        )
    return value


DECIDERS = {"change_cards": change_cards}
