"""Profile: how a progressive system is worked at the table, as data for one state machine."""

from dataclasses import dataclass
from typing import Literal

from houseway.catalog.equipment import system_name
from houseway.house.options import Options
from houseway.house.paytables import PayTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One of the three systems that the sources describe."""

    system: str
    """Its code."""
    start: str
    """What the key is called that takes the wagers."""
    end: str
    """What the key is called that ends the round."""
    spot_first: bool
    """True where the spot is chosen before the hand."""
    confirms: Literal["key", "card"]
    """By a key turned to the jackpot position and back, or by a card at the display."""
    start_clause: str
    hand_clause: str
    call_clause: str
    confirm_clause: str
    order_clause: str
    end_clause: str
    adjust_clause: str
    envy_clause: str

    @property
    def name(self) -> str:
        """What its maker calls it."""
        return system_name(self.system)


GAME_MANAGER = Profile(
    system="game_manager",
    start="COIN IN",
    end="GAME OVER",
    spot_first=False,
    confirms="key",
    start_clause="PGM-06",
    hand_clause="PGM-11",
    call_clause="PGM-12",
    confirm_clause="PGM-13",
    order_clause="PGM-10",
    end_clause="PGM-15",
    adjust_clause="PGM-16",
    envy_clause="PGM-17",
)
NEXUS = Profile(
    system="nexus",
    start="START GAME",
    end="END GAME",
    spot_first=True,
    confirms="card",
    start_clause="PNX-06",
    hand_clause="PNX-12",
    call_clause="PNX-13",
    confirm_clause="PNX-14",
    order_clause="PNX-11",
    end_clause="PNX-15",
    adjust_clause="PNX-16",
    envy_clause="PNX-17",
)
LINK = Profile(
    system="multi_link",
    start="START GAME",
    end="END GAME",
    spot_first=True,
    confirms="card",
    start_clause="PML-07",
    hand_clause="PML-11",
    call_clause="PML-11",
    confirm_clause="PML-14",
    order_clause="PML-11",
    end_clause="PML-15",
    adjust_clause="PML-15",
    envy_clause="PML-16",
)

PROFILES = (GAME_MANAGER, NEXUS, LINK)


def profile_of(paytable: PayTable, options: Options) -> Profile:
    """The system that works a paytable under these options."""
    if paytable.community:
        return LINK
    return GAME_MANAGER if options.award_profile == "game_manager" else NEXUS
