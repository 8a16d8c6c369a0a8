"""Sign: what hangs above a table: meters, pays, what is being verified, and notices."""

from houseway.floor.link import Link, find_link
from houseway.floor.table import find_table
from houseway.house.money import MeterShare, dollars_text
from houseway.journal.state import State
from houseway.server.names import envy_text, hand_name, pays_text, progressive_name
from houseway.server.progressive import meters
from houseway.server.views.sign import Sign

HELP_LINE = "If gambling is no longer a game for you, ask any of us for help: it is free."


def sign(state: State, name: str) -> Sign:
    """The sign of a link. It never shows more than the ledger has."""
    link = find_link(state, name)
    paytable = link.pays
    return {
        "link": link.name,
        "name": progressive_name(link.game),
        "paytable": link.paytable,
        "meters": [
            {**meter, "cap_cents": link.settings[meter["level"]].cap_cents}
            for meter in meters(state, link)
        ],
        "pays": [
            {
                "name": hand_name(hand),
                "pays": pays_text(paytable, hand),
                "level": odds.level if isinstance(odds, MeterShare) else None,
            }
            for hand, odds in paytable.rows
        ],
        "envy": [
            {
                "name": hand_name(paytable.name_of(hand)),
                "pays": envy_text(paytable, hand),
            }
            for hand in paytable.envy_cents
        ],
        "pending": [
            {"table": waits.table, "name": hand_name(waits.hand), "level": waits.level}
            for waits in link.pending
        ],
        "notices": _notices(state, link),
        "closed": link.closed,
    }


def _notices(state: State, link: Link) -> list[str]:
    found = []
    options = [find_table(state, table).house_options for table in link.tables]
    folded = {chosen.folded_hand_progressive for chosen in options}
    if folded == {"eligible"}:
        found.append("A folded hand still plays for the progressive.")
    elif folded == {"not_eligible"}:
        found.append("A folded hand does not win the progressive.")
    for level, settings in link.settings.items():
        if settings.cap_cents is not None:
            which = "The meter" if level == "single" else f"The {level.title()} meter"
            found.append(f"{which} stops at {dollars_text(settings.cap_cents)}.")
    return [*found, HELP_LINE]
