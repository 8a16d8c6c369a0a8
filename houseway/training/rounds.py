"""Rounds: live rounds to ask about, played step by step by the procedure of the table."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from houseway.floor.profile import profile_of
from houseway.games.progressive import judge
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live.commands import DEALER, Command
from houseway.live.guard import place_words
from houseway.live.phases import Phase
from houseway.live.procedure import Meters, answers, next_step
from houseway.live.round import act, refusal
from houseway.live.shuffler import HOUSE_SHUFFLE, Shuffle, make_shuffle
from houseway.live.state import Round, Seat, open_round
from houseway.live.words import and_list
from houseway.names import Bet, bet_name
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Held, Scene, Stack
from houseway.training.felt import MOMENTS, Tray, some_tray, some_wagers, stacks
from houseway.training.packs import Three, any_three
from houseway.training.seats import shuffled, some_meters
from houseway.training.skill import three_card

FOLDS = 0.35
STANDS = 0.6


def some_positions(rng: Random, least: int = 2, most: int = 4) -> tuple[int, ...]:
    """Positions that play, from the dealer's left."""
    return tuple(sorted(rng.sample(range(1, 8), rng.randint(least, most))))


def some_round(
    rng: Random,
    ruleset: Ruleset,
    *,
    positions: Sequence[int] = (),
    lit: bool | None = None,
    also: float = 0.6,
) -> Round:
    """A round with bets on some positions and a deck that is ready; betting is still open."""
    table = open_round(ruleset)
    three = three_card(table.ruleset)
    lit = three and (rng.random() < 0.4 if lit is None else lit)
    for position in positions or some_positions(rng):
        bets: list[Bet] = ["ante"] if not three or rng.random() < 0.85 else ["pair-plus"]
        wagers = some_wagers(rng, ruleset, *bets, also=also)
        wagers.pop("progressive", None)
        if lit and rng.random() < 0.7:
            wagers |= some_wagers(rng, ruleset, "progressive", *wagers)
        table, _ = act(table, c.PlaceBets(position, tuple(wagers.items())))
    by = "automatic" if ruleset.options.shuffler_mode == "automatic" else HOUSE_SHUFFLE
    made = make_shuffle(rng, ruleset.game.packet, by=by)
    table, _ = act(table, c.LoadShuffle(made))
    return table


def stacked(
    rng: Random,
    ruleset: Ruleset,
    positions: Sequence[int],
    hands: Mapping[int, Three],
    community: tuple[int, ...] = (),
) -> Shuffle:
    """A deck that deals some positions the hands that are named, and nobody else a paid one."""
    gone = {*community, *(card for hand in hands.values() for card in hand)}
    paytable = ruleset.paytables["progressive"]
    packets = []
    # The dealer's packet is the last.
    for position in (*positions, DEALER):
        packet = hands.get(position) or any_three(rng, gone)
        while position not in hands and paytable.odds(judge(packet, community, paytable)):
            packet = any_three(rng, gone)
        packets.append(packet)
        gone |= {*packet}
    dealt = [card for packet in packets for card in packet]
    rest = [card for card in shuffled(rng) if card not in gone]
    # Community cards come from the next packet or from the top of what is flushed.
    flushed = ruleset.options.community_source == "flushed"
    deck = [*dealt, *rest, *reversed(community)] if flushed else [*dealt, *community, *rest]
    by = "automatic" if ruleset.options.shuffler_mode == "automatic" else HOUSE_SHUFFLE
    return Shuffle("stacked", tuple(deck), ruleset.game.packet, by)


def states(rng: Random, table: Round, *, folds: float = FOLDS) -> list[Round]:
    """The round after each step to its end, one place at a time; the first is as given."""
    meters: Meters = (
        tuple(some_meters(rng, table.ruleset.paytables["progressive"]).items())
        if (table.lit())
        else ()
    )
    found = [table]
    while not table.over:
        for command in next_commands(rng, table, meters, folds):
            table, _ = act(table, command)
            found.append(table)
    return found


def next_commands(
    rng: Random, table: Round, meters: Meters = (), folds: float = FOLDS
) -> list[Command]:
    """What is done now: the dealer's next step for one place, or what the players decide."""
    if table.phase is Phase.BETTING:
        return [c.NoMoreBets()]
    step = next_step(table, meters)
    match step:
        case None:
            return list(answers(table, lambda at, position: _decision(rng, at, position, folds)))
        case c.Deliver():
            return [c.Deliver((table.waiting or (*table.playing, DEALER))[0])]
        case c.Reconcile():
            return [c.Reconcile(table.to_settle[0])]
    return [step]


def _decision(rng: Random, table: Round, position: int, folds: float) -> str | None:
    """Some decision that is allowed; None for no insurance."""
    if three_card(table.ruleset):
        return "fold" if rng.random() < folds else "play"
    allowed = [
        decision
        for decision in table.ruleset.game.action_names
        if refusal(table, c.Decide(position, decision)) is None
    ]
    if table.offer:
        return "insurance" if "insurance" in allowed and rng.random() < 0.3 else None
    return "stand" if rng.random() < STANDS else rng.choice(allowed)


def some_state(rng: Random, ruleset: Ruleset, **options: Any) -> tuple[Round, list[Round]]:
    """A state of some round that is not over, and all the states of that round."""
    every = states(rng, some_round(rng, ruleset, **options))
    return rng.choice(every[:-1]), every


def command_words(command: Command, table: Round) -> str:
    """A step in plain words, for 'You want to …'."""
    system = (
        profile_of(table.ruleset.paytables["progressive"], table.options)
        if (three_card(table.ruleset))
        else None
    )
    match command:
        case c.NoMoreBets():
            return "say that betting is over"
        case c.StartGame():
            return f"press {system.start if system else 'START GAME'}"
        case c.Deliver(to=int(to)):
            return f"deal to {place_words(to)}"
        case c.Deliver():
            return "deal to all who wait for cards"
        case c.Decide(position=position, decision=decision):
            return f"take the decision of position {position} to {decision}"
        case c.CloseOffer(offer=offer):
            return f"close {offer}"
        case c.CollectForfeits():
            return "take in what the folded hands give up"
        case c.Reveal(what="community"):
            return "turn over the community cards"
        case c.Reveal():
            return "turn over your own hand"
        case c.Reconcile(position=int(position)):
            return f"settle position {position}"
        case c.PayEnvy():
            return "pay envy"
        case c.CloseRound():
            return "end the round"
        case c.PlaceBets(position=position):
            return f"let position {position} change its bets"
    return "go on"


def scene_of(
    table: Round, tray: Tray, *, facts: Sequence[tuple[str, str]] = (), chips: bool = True
) -> Scene:
    """What lies on the table, each card up or down as it lies."""
    hands = []
    if table.dealer:
        hands.append(Held("Dealer", _lying(table.dealer, table.dealer_up, table.dealer_shown)))
    for seat in table.seats:
        if seat.cards and not seat.gone:
            note = " (tucked)" if seat.tucked else " (folded)" if seat.folded else ""
            hands.append(
                Held(f"Position {seat.position}{note}", _lying(seat.cards, seat.up, seat.shown))
            )
    if table.community:
        shown = (table.community_shown,) * len(table.community)
        hands.append(Held("Community", _lying(table.community, shown, False)))
    lie: list[Stack] = []
    for seat in table.seats if chips else ():
        lie += stacks(_on_felt(table, seat), tray, seat.position)
    return Scene(hands=tuple(hands), stacks=tuple(lie), facts=tuple(facts))


def _lying(cards: tuple[int, ...], up: tuple[bool, ...], shown: bool) -> tuple[int | None, ...]:
    return tuple(card if shown or facing else None for card, facing in zip(cards, up, strict=True))


def _on_felt(table: Round, seat: Seat) -> dict[Bet, int]:
    """The wagers of a seat that still lie there."""
    done = {line.bet for line in seat.lines}
    felt = {bet: cents for bet, cents in seat.wagers.items() if bet not in done}
    if table.started:
        felt.pop("progressive", None)
    if "play" in seat.decisions and "play" not in done:
        felt["play"] = seat.wagers["ante"]
    return felt


def moment_facts(table: Round) -> tuple[tuple[str, str], ...]:
    """Where a round stands, as far as cards and chips do not show it."""
    stage = f", in {table.stage.title()}" if table.stage is not None else ""
    found = [("Moment", MOMENTS[table.phase] + stage)]
    if table.lit():
        where = "taken in" if table.started else "still on the sensors"
        bets = [
            f"position {p} {dollars_text(table.seat(p).wagers['progressive'])}" for p in table.lit()
        ]
        found.append(("Progressive bets", f"{', '.join(bets)}; {where}"))
    decided = [
        f"position {seat.position}: {', '.join(seat.decisions)}"
        for seat in table.seats
        if seat.decisions
    ]
    if decided:
        found.append(("Decisions", "; ".join(decided)))
    if table.phase is Phase.DECISIONS and not three_card(table.ruleset):
        found.append(("Insurance", "is open" if table.offer else "is closed or not due"))
    if table.phase is Phase.RECONCILE:
        through = [p for p in table.playing if p not in table.waiting]
        found.append(("Settled already", and_list(through) or "nobody"))
    return tuple(found)


def round_scene(rng: Random, table: Round, **options: Any) -> Scene:
    """The same with chips of some tray, and where the round stands."""
    tray = some_tray(rng, table.options)
    return scene_of(table, tray, facts=moment_facts(table), **options)


def bets_text(seat: Seat) -> str:
    """The bets of a seat in words."""
    return ", ".join(bet_name(bet) for bet in seat.wagers)


def shuffled_choices(rng: Random, values: Sequence[tuple[str, str]]) -> tuple[Choice, ...]:
    """Choices in some order, so that the right one is not always first."""
    return tuple(Choice(*pair) for pair in rng.sample(list(values), len(values)))


def texts_as_choices(
    rng: Random, right: str, wrong: Sequence[str], most: int = 4
) -> tuple[str, tuple[Choice, ...]]:
    """Sentences to choose from, and the value of the right one."""
    others = [text for text in dict.fromkeys(wrong) if text != right and text]
    assert others, right
    picked = rng.sample(others, min(most - 1, len(others)))
    texts = rng.sample([right, *picked], len(picked) + 1)
    choices = tuple(Choice(f"c{number}", text) for number, text in enumerate(texts, start=1))
    return next(choice.value for choice in choices if choice.label == right), choices
