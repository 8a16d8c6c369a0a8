"""Text: commands and events as the lines of a round file, written for a pit boss.

A command is one line and reads back to the same command; an event is one line that tells more
than its command does, or nothing.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, get_args

from houseway.cards import cards_text, parse_cards
from houseway.house.money import METER_LEVELS, MeterLevel, dollars_text, parse_amount
from houseway.live import commands as c
from houseway.live import events as e
from houseway.live.commands import (
    DEALER,
    Command,
    CorrectionReason,
    Place,
    Ruling,
    VoidReason,
)
from houseway.live.phases import Phase
from houseway.live.shuffler import UNKNOWN_DECK, Shuffle, is_unknown
from houseway.live.words import and_list
from houseway.refusal import Reason, Refused


def plain(cents: int, *, sign: bool = False) -> str:
    """Dollars without a sign of currency: '10', '2.50', '+10'."""
    text = dollars_text(cents, sign=sign).replace("$", "").replace(",", "")
    return text.removesuffix(".00")


def cents_of(text: str) -> int:
    """The cents of such a text."""
    negative = text.startswith("-")
    cents = parse_amount(text.lstrip("+-"), zero=True)
    return -cents if negative else cents


def _place(place: Place) -> str:
    return "dealer" if place == DEALER else str(place)


def _place_of(text: str) -> Place:
    return DEALER if text == "dealer" else int(text) if text.isdecimal() else text


def _position_of(text: str) -> int:
    return DEALER if text == "dealer" else int(text)


def _bets(bets: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{bet} {plain(cents)}" for bet, cents in bets) or "none"


def _bets_of(text: str) -> tuple[tuple[str, int], ...]:
    if text == "none":
        return ()
    pairs = (part.strip().rpartition(" ") for part in text.split(","))
    return tuple((bet, parse_amount(amount)) for bet, _, amount in pairs)


def _hand(bet: str, hand: int | None) -> str:
    return bet if hand is None else f"{bet}/{hand}"


def _hand_of(text: str) -> tuple[str, int | None]:
    bet, _, hand = text.partition("/")
    return bet, int(hand) if hand else None


def command_text(command: Command) -> str:
    """A command as one line."""
    return _WRITERS[type(command)](command)


@lru_cache(maxsize=1024)
def parse_command(text: str) -> Command:
    """The command of a line; refused when it is none."""
    for pattern, read in _READERS:
        match = re.fullmatch(pattern, text)
        if match is not None:
            return read(*match.groups())
    raise Refused(Reason.BAD_RECORD, f"line {text!r} is not a step of a round")


def _shuffle_text(command: c.LoadShuffle) -> str:
    made = command.shuffle
    return (
        f"shuffle {made.id} by {made.by}, packets of {made.packet_size}: {_deck_text(made.cards)}"
    )


def _deck_text(cards: tuple[int, ...]) -> str:
    if not is_unknown(cards):
        return cards_text(cards)
    packs = len(cards) // len(UNKNOWN_DECK)
    return "unknown" if packs == 1 else f"{packs} packs unknown"


def _deck_of(text: str) -> tuple[int, ...]:
    if text == "unknown":
        return UNKNOWN_DECK
    packs = re.fullmatch(r"([2-9]) packs unknown", text)
    return parse_cards(text) if packs is None else UNKNOWN_DECK * int(packs[1])


def _start_text(command: c.StartGame) -> str:
    parts = [f"{level} {plain(cents)}" for level, cents in command.meters]
    parts += [f"then {level} {plain(cents)}" for level, cents in command.next_starts]
    parts += [f"pay {' '.join(map(str, command.pay_order))}"] if command.pay_order else []
    parts += ["priced by the floor"] if command.priced_by == "floor" else []
    return f"start game: {', '.join(parts)}" if parts else "start game"


def _read_start(text: str | None) -> c.StartGame:
    meters: list[tuple[MeterLevel, int]] = []
    next_starts: list[tuple[MeterLevel, int]] = []
    order: tuple[int, ...] = ()
    priced_by: c.Pricer = "table"
    for part in (text or "").split(", "):
        name, _, rest = part.partition(" ")
        if part == "priced by the floor":
            priced_by = "floor"
        elif name == "pay":
            order = _read_order(rest)
        elif name == "then":
            next_starts.append(_read_meter(rest))
        elif part:
            meters.append(_read_meter(part))
    return c.StartGame(tuple(meters), order, tuple(next_starts), priced_by)


def _read_order(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[0-9 ]*", text):
        raise Refused(Reason.BAD_RECORD, f"pay order {text!r} is no list of positions")
    return tuple(int(number) for number in text.split())


def _read_meter(text: str) -> tuple[MeterLevel, int]:
    name, _, amount = text.partition(" ")
    for level in METER_LEVELS:
        if level == name:
            return level, parse_amount(amount, zero=True)
    raise Refused(Reason.BAD_RECORD, f"meter {name!r} is unknown")


def _optional(word: str, place: Place | None) -> str:
    return word if place is None else f"{word} {_place(place)}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    c.PlaceBets: lambda x: (
        f"bets {x.position}{f' by {x.player}' if x.player else ''}: {_bets(x.bets)}"
    ),
    c.LoadShuffle: _shuffle_text,
    c.NoMoreBets: lambda x: "no more bets",
    c.StartGame: _start_text,
    c.Deliver: lambda x: _optional("deliver", x.to),
    c.Expose: lambda x: f"expose {_place(x.place)}: {cards_text(x.cards)}",
    c.Decide: lambda x: f"decide {x.position}: {x.decision}",
    c.CloseOffer: lambda x: f"close {x.offer}",
    c.CollectForfeits: lambda x: "collect forfeits",
    c.Reveal: lambda x: f"reveal {x.what}",
    c.Reconcile: lambda x: _optional("reconcile", x.position),
    c.PressHand: lambda x: f"press {x.position}: {x.hand}",
    c.ConfirmAward: lambda x: f"award {x.position}: {plain(x.cents)}",
    c.BackOutAward: lambda x: f"back out {x.position}",
    c.PayEnvy: lambda x: "pay envy",
    c.CloseRound: lambda x: "close",
    c.VoidRound: lambda x: f"void {x.reason}: {x.detail}",
    c.ReportExposed: lambda x: f"exposed {_place(x.to)}: card {x.card}",
    c.ReportLateWager: lambda x: f"late wager {x.position}: {x.bet} {plain(x.cents)}",
    c.Rule: lambda x: f"rule {x.ruling}: {x.reason}",
    c.ReportPayout: lambda x: (
        f"handed over {x.position}: {_hand(x.bet, x.hand)} {plain(x.net, sign=True)}"
    ),
    c.CorrectPayout: lambda x: f"correct {x.position}: {_hand(x.bet, x.hand)} {x.reason}",
    c.ReportFault: lambda x: f"shuffler fault: {x.what}",
    c.RunbookStep: lambda x: f"runbook {x.branch}: step {x.step}",
}

_P = "([1-9][0-9]?)"
_PLACE = "[a-z][a-z0-9-]*"
_WORD = "([a-z0-9-]+(?:/[0-9])?)"


def _one_of(kind: Any) -> str:
    return f"({'|'.join(get_args(kind))})"


_READERS: tuple[tuple[str, Callable[..., Command]], ...] = (
    (
        rf"bets {_P}(?: by ([^:]+))?: (.+)",
        lambda p, player, bets: c.PlaceBets(int(p), _bets_of(bets), player or ""),
    ),
    (
        r"shuffle ([0-9a-zA-Z]+) by ([^:]+), packets of ([0-9]): (.+)",
        lambda name, by, size, cards: c.LoadShuffle(Shuffle(name, _deck_of(cards), int(size), by)),
    ),
    ("no more bets", c.NoMoreBets),
    (r"start game(?:: (.+))?", _read_start),
    (
        rf"deliver(?: ({_P[1:-1]}|{_PLACE}))?",
        lambda place: c.Deliver(None if place is None else _place_of(place)),
    ),
    (
        rf"expose ({_P[1:-1]}|{_PLACE}): (.+)",
        lambda place, cards: c.Expose(_place_of(place), parse_cards(cards)),
    ),
    (rf"decide {_P}: ([a-z0-9-]+)", lambda p, decision: c.Decide(int(p), decision)),
    (r"close ([a-z0-9-]+)", c.CloseOffer),
    ("collect forfeits", c.CollectForfeits),
    (rf"reveal ({_PLACE})", c.Reveal),
    (rf"reconcile(?: {_P})?", lambda p: c.Reconcile(None if p is None else int(p))),
    (rf"press {_P}: ([a-z_]+)", lambda p, hand: c.PressHand(int(p), hand)),
    (rf"award {_P}: ([0-9.]+)", lambda p, amount: c.ConfirmAward(int(p), cents_of(amount))),
    (rf"back out {_P}", lambda p: c.BackOutAward(int(p))),
    ("pay envy", c.PayEnvy),
    ("close", c.CloseRound),
    (rf"void {_one_of(VoidReason)}: ?(.*)", c.VoidRound),
    (
        rf"exposed ({_P[1:-1]}|dealer): card {_P}",
        lambda place, card: c.ReportExposed(_position_of(place), int(card)),
    ),
    (
        rf"late wager {_P}: {_WORD} ([0-9.]+)",
        lambda p, bet, amount: c.ReportLateWager(int(p), bet, cents_of(amount)),
    ),
    (rf"rule {_one_of(Ruling)}: (.+)", c.Rule),
    (
        rf"handed over {_P}: {_WORD} ([+-]?[0-9.]+)",
        lambda p, bet, net: c.ReportPayout(
            int(p), _hand_of(bet)[0], cents_of(net), _hand_of(bet)[1]
        ),
    ),
    (
        rf"correct {_P}: {_WORD} {_one_of(CorrectionReason)}",
        lambda p, bet, reason: c.CorrectPayout(int(p), _hand_of(bet)[0], reason, _hand_of(bet)[1]),
    ),
    (r"shuffler fault: (.+)", c.ReportFault),
    (rf"runbook ([a-z_]+): step {_P}", lambda branch, step: c.RunbookStep(branch, int(step))),
)


def event_text(event: e.Event) -> str | None:
    """What an event tells beyond its command; None when that is nothing."""
    writer = _TELLING.get(type(event))
    return None if writer is None else writer(event)


def _place_text(place: Place) -> str:
    named = _place(place)
    return f"position {named}" if named.isdecimal() else named


def _dealt_text(event: e.Dealt) -> str:
    place = _place_text(event.to)
    down = [card for card, up in zip(event.cards, event.up, strict=True) if not up]
    up = [card for card, up in zip(event.cards, event.up, strict=True) if up]
    parts = [f"{cards_text(down)} face down"] if down else []
    parts += [f"{cards_text(up)} face up"] if up else []
    return f"{place} gets {', '.join(parts)}"


def _phase_text(event: e.PhaseBegan) -> str:
    return f"-- {event.phase}" + (f", {event.stage}" if event.stage else "")


def _settled_text(event: e.Settled | e.AwardConfirmed) -> str:
    line = event.line
    bet = _hand(line.bet, line.hand)
    free = f" and {plain(line.free)} free" if line.free else ""
    kept = f" less {plain(line.commission)} commission" if line.commission else ""
    return (
        f"position {event.position} {bet} {plain(line.wager)}{free} {line.outcome} "
        f"{plain(line.net, sign=True)}{kept} {line.clause}: {line.why}"
    )


def _corrected_text(event: e.PayoutCorrected) -> str:
    way = "receives" if event.cents > 0 else "gives back"
    return f"position {event.position} {way} {plain(abs(event.cents))}"


_TELLING: dict[type, Callable[[Any], str | None]] = {
    e.Announced: lambda x: f'says "{x.words}"',
    e.GameStarted: lambda x: f"takes in the progressive bets of position {and_list(x.positions)}",
    e.Dealt: _dealt_text,
    e.Exposed: lambda x: f"{_place_text(x.place)} has {cards_text(x.cards)}",
    e.MiscountFound: lambda x: (
        f"{_place_text(x.place)} has {x.number} cards and was dealt {x.dealt}"
    ),
    e.CommunityTaken: lambda x: (
        f"community gets {cards_text(x.cards)} face down, {x.source.replace('_', ' ')}"
    ),
    e.Decided: lambda x: f"position {x.position} puts up {plain(x.wager)}" if x.wager else None,
    e.Peeked: lambda x: f"dealer looks: {x.what if x.holds else f'no {x.what}'}",
    e.Burned: lambda x: f"burns {x.number}",
    e.Tucked: lambda x: f"position {x.position} is tucked",
    e.PickedUp: lambda x: f"position {x.position} is taken in",
    e.DealerShown: lambda x: f"dealer shows {cards_text(x.cards)}",
    e.CardsShown: lambda x: f"{x.place} shows {cards_text(x.cards)}",
    e.HandShown: lambda x: f"position {x.position} shows {cards_text(x.cards)}",
    e.Settled: _settled_text,
    e.MeterHandFound: lambda x: (
        f"position {x.position} wins {x.share} with {x.hand.replace('_', ' ')}; the floor fixes it"
    ),
    e.HandPressed: lambda x: f"position {x.position} is on the display: {x.hand}",
    e.HandReleased: lambda x: f"position {x.position} is off the display",
    e.AwardConfirmed: _settled_text,
    e.AwardBackedOut: lambda x: f"position {x.position} gives the award back to the meter",
    e.PhaseBegan: lambda x: None if x.phase is Phase.CLOSED else _phase_text(x),
    e.RoundVoided: lambda x: "all hands are void; every wager goes back",
    e.PayoutFoundWrong: lambda x: (
        f"position {x.position} {_hand(x.bet, x.hand)} was due {plain(x.due, sign=True)}"
    ),
    e.PayoutCorrected: _corrected_text,
    e.StepDone: lambda x: x.words + (" The shuffler works again." if x.last else ""),
}
