"""Lights: progressive wagers on the spots of a table, taken when its game starts."""

from houseway.floor import accounts, request
from houseway.floor.bank import check_cover
from houseway.floor.post import Post, lit_at
from houseway.journal.event import Command, Entry, Transfer
from houseway.journal.state import State
from houseway.meters import MICROCENTS, contribute
from houseway.refusal import Reason, Refused

LARGEST_WAGER_CENTS = 100_000
"""A progressive wager above this is no wager but a fault of a sensor."""


def light(state: State, command: Command) -> Entry:
    """A wager on the sensor of a spot (PGM-05, PNX-05, PML-06).

    An amount that no player can have put there is quarantined: kept as an event, and not lit.
    """
    post = Post(state, command)
    post.betting()
    position = request.position(command, post.table.positions)
    player = request.text(command, "player")
    if not request.flag(command, "base_wager"):
        raise Refused(
            Reason.BASE_WAGER_REQUIRED,
            f"position {position} has no base wager; the progressive needs one beside it",
            "PNX-05" if post.profile.confirms == "card" else "PGM-05",
        )
    amount = command.arguments.get("cents")
    whole = isinstance(amount, int) and not isinstance(amount, bool)
    if not whole or not 0 < int(str(amount)) <= LARGEST_WAGER_CENTS:
        data = {
            "table": post.table.name,
            "position": position,
            "amount": request.shown(amount),
            "why": f"a wager is 1 to {LARGEST_WAGER_CENTS} cents",
        }
        return Entry(
            events=[post.link_draft("contribution_quarantined", data)], answer={"quarantined": True}
        )
    if position in post.table.lights:
        raise Refused(Reason.GIVEN_TWICE, f"position {position} is lit already; put it out first")
    data = {"position": position, "cents": amount, "player": player}
    return Entry(events=[post.draft("lit", data)], answer={"lit": position, "quarantined": False})


def unlight(state: State, command: Command) -> Entry:
    """The wager of a spot taken back before the game starts."""
    post = Post(state, command)
    post.betting()
    position = request.position(command, post.table.positions)
    lit_at(post, position)
    if post.table.lights[position].carried:
        raise Refused(
            Reason.WRONG_PHASE,
            f"the wager of position {position} is carried over from a void round and stays",
        )
    return Entry(events=[post.draft("unlit", {"position": position})], answer={"unlit": position})


def start_game(state: State, command: Command) -> Entry:
    """COIN IN or START GAME: lit wagers are taken once and shared out (PGM-06, PNX-06, PML-07)."""
    return taken(Post(state, command))


def taken(post: Post) -> Entry:
    """What lit wagers come to when they are taken."""
    post.betting()
    if post.link.closed:
        raise Refused(
            Reason.WRONG_PHASE, f"link {post.link.name} takes no wagers: {post.link.closed}"
        )
    check_cover(post.state, post.link)
    unset = [level for level in post.paytable.levels if level not in post.link.thresholds]
    if unset:
        raise Refused(
            Reason.NOT_DONE_YET,
            f"the threshold of meter {unset[0]} of {post.link.name} is not set; set it before play",
            post.profile.confirm_clause,
        )
    wagered = sum(light.cents for light in post.table.lights.values() if not light.carried)
    moved: list[Transfer] = []
    shown: dict[str, int] = {}
    rest = wagered * MICROCENTS
    for level, settings in post.link.settings.items():
        meter = accounts.meter_of(post.state, post.link.name, level)
        if wagered:
            meter, parts = contribute(meter, settings, wagered)
            moved += accounts.contribution(post.table.name, post.link.name, level, parts)
            rest -= parts.to_meter + parts.to_reserve + parts.to_overflow
        shown[level] = meter.shown_cents
    moved += accounts.moves((accounts.tray(post.table.name), accounts.HOUSE, rest))
    number = post.table.round + 1
    lit = {str(p): light.cents for p, light in sorted(post.table.lights.items())}
    data = {
        "round": number,
        "lit": lit,
        "wagered": wagered,
        "meters": shown,
        "starts": dict(post.link.starts),
    }
    return Entry(
        events=[post.draft("game_started", data, moved)],
        answer={"round": number, "lit": sorted(post.table.lights), "meters": shown},
    )


def fold(state: State, command: Command) -> Entry:
    """The hand of a spot was folded, which may cost it the progressive (PGM-07, PNX-09, PML-10)."""
    post = Post(state, command)
    post.started()
    position = request.position(command, post.table.positions)
    lit_at(post, position)
    if post.table.award_at(position) is not None:
        raise Refused(
            Reason.WRONG_PHASE, f"a hand is chosen at position {position}; clear it first"
        )
    return Entry(events=[post.draft("folded", {"position": position})], answer={"folded": position})


DECIDERS = {
    "light": light,
    "unlight": unlight,
    "start_game": start_game,
    "fold": fold,
}
