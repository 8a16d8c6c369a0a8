"""Demo: a floor to look around in: people of every role, four tables, two links, play money."""

from typing import Any

from houseway.catalog import catalog
from houseway.floor.service import Floor

PIN = "2468"
"""Of every card of a demonstration."""
PEOPLE = (
    ("administrator", "Avery", "administrator"),
    ("dealer", "Dana", "dealer"),
    ("supervisor", "Sasha", "supervisor"),
    ("executive", "Emery", "executive"),
    ("cage", "Charlie", "cage"),
    ("auditor", "Alex", "auditor"),
    ("surveillance", "Sidney", "surveillance"),
    ("trainer", "Terry", "trainer"),
)
TABLES = tuple(catalog("demo")["table"])
LINKS: tuple[tuple[str, str, str, dict[str, dict[str, int]]], ...] = (
    (
        "Royal",
        "three-card-progressive",
        "1",
        {
            "single": {
                "contribution_ppm": 200_000,
                "reserve_ppm": 50_000,
                "meter_seed_cents": 500_000,
            }
        },
    ),
    (
        "Summit",
        "five-card-link",
        "ML01",
        {
            "mega": {
                "contribution_ppm": 80_000,
                "reserve_ppm": 20_000,
                "meter_seed_cents": 5_000_000,
            },
            "major": {
                "contribution_ppm": 100_000,
                "reserve_ppm": 20_000,
                "meter_seed_cents": 500_000,
            },
        },
    ),
)
EXECUTIVE_FROM_CENTS = 1_000_000
DATE = "2026-01-01"


def make_demo(floor: Floor) -> None:
    """Set a demonstration up; what is there already is left as it is."""
    administrator = PEOPLE[0][0]

    def do(name: str, /, **arguments: Any) -> None:
        key = f"demo:{name}:" + ":".join(str(v) for v in arguments.values() if isinstance(v, str))
        floor.do(administrator, name, arguments, key=key[:100], pin=PIN)

    card, name, _ = PEOPLE[0]
    first = {"card": card, "name": name, "new_pin": PIN}
    floor.do(card, "first_administrator", first, key="demo:first")
    for card, name, role in PEOPLE[1:]:
        do("issue_card", card=card, name=name, role=role, new_pin=PIN)
    for link, progressive, paytable, meters in LINKS:
        do(
            "make_link",
            link=link,
            progressive=progressive,
            paytable=paytable,
            meters=meters,
            deposits="not_asked",
        )
        do("set_thresholds", link=link, thresholds=dict.fromkeys(meters, EXECUTIVE_FROM_CENTS))
    for table in TABLES:
        name = table["name"]
        do("make_table", table=name, game=table["game"], options=table["options"])
        if "link" in table:
            do("join_link", table=name, link=table["link"])


def is_half_made(floor: Floor) -> bool:
    """True where a demonstration was begun and somebody ended the server before it stood."""
    begun = floor.journal.has_streams(f"person:{PEOPLE[0][0]}")
    return begun and not floor.journal.has_streams(f"table:{TABLES[-1]['name']}")
