"""Words: what the dealer says and does next, from the state alone."""

from collections.abc import Sequence
from typing import NamedTuple

from houseway.games.contract import Deal
from houseway.house.money import dollars_text
from houseway.live import engine, progressive
from houseway.live.commands import DEALER, Place
from houseway.live.panel import Payment
from houseway.live.phases import Phase
from houseway.live.seen import is_made
from houseway.live.shuffler import RUNBOOKS
from houseway.live.state import Round, Waiting
from houseway.names import Bet, bet_name, hand_name
from houseway.refusal import listed


class Prompt(NamedTuple):
    """What to say, what to do next, and the clause that orders it."""

    say: str
    do: str
    clause: str | None = None


def and_list(numbers: Sequence[int]) -> str:
    """Numbers as they are spoken: '2', '2 and 3', '2, 3 and 5'."""
    texts = [str(number) for number in numbers]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def no_more_bets(table: Round) -> str:
    """The end of betting, and who has no Pair Plus (TSR-22, TSR-23, TCP-17, TSB-04)."""
    bet = table.ruleset.game.calls_without
    without = [s.position for s in table.seats if bet and s.wagers and bet not in s.wagers]
    if without:
        return f"No more bets. No {bet_name(bet)}, position {and_list(without)}."
    return "No more bets."


def prompt(table: Round) -> Prompt:
    """What the dealer says and does now."""
    if table.over:
        return Prompt("", _ended(table))
    if table.reported:
        return Prompt("Supervisor, please.", f"Wait for a ruling: {table.reported}.")
    if table.runbook is not None:
        return _runbook(table)
    if table.wrong:
        wrong = table.wrong[0]
        owed = dollars_text(abs(wrong.short))
        how = f"pay {owed} more" if wrong.short > 0 else f"take {owed} back"
        return Prompt(
            "", f"Correct {wrong.bet} at position {wrong.position}: {how}, with the reason."
        )
    if (due := engine.awaited(table)) is not None:
        return _entering(table, *due)
    return _BY_PHASE[table.phase](table)


def _entering(table: Round, place: Place, number: int) -> Prompt:
    """Asks for the cards of a real deck that are turned over now."""
    where = "the dealer" if place == DEALER else f"position {place}"
    where = f"the {place}" if isinstance(place, str) else where
    which = "card" if number == 1 else f"{NUMBERS[number]} cards"
    if table.unseen is not None:
        return Prompt("", f"Enter the {which} that {where} has face up.", "TSR-25")
    if engine.looks_at(table):
        return Prompt("", f"Look at the {which} that {where} has face down, and enter it covered.")
    return Prompt("", f"Turn over the {which} of {where} and enter them.", "TSR-25")


def standing(table: Round) -> str:
    """Returns the words for this step, or the announcement that still stands (TCP-21)."""
    return prompt(table).say or ("" if table.over else table.said)


def pay_words(payments: Sequence[Payment]) -> str:
    """Returns what the dealer hands over and takes in, position by position; empty for nothing."""
    return " ".join(f"Position {paid.position}: {_chips_words(paid)}." for paid in payments)


def _chips_words(paid: Payment) -> str:
    parts = []
    if paid.hand_over:
        parts.append(f"hand over {dollars_text(paid.hand_over)}")
    if paid.take_in:
        parts.append(f"take in {dollars_text(paid.take_in)}")
    return " and ".join(parts) or "no chips to hand over or take in"


def _clause(table: Round, step: str) -> str | None:
    return table.ruleset.game.clause(step, table.stage)


def _ended(table: Round) -> str:
    if table.phase is Phase.CLOSED:
        return "The round is over. Open the next one."
    return (
        "The round is void: give every wager back, take in the cards, shuffle again and open the "
        "next round."
    )


def _runbook(table: Round) -> Prompt:
    assert table.runbook is not None
    branch = table.runbook.branch or table.options.shuffler_fault_procedure
    step = RUNBOOKS[branch][table.runbook.done]
    return Prompt(
        "One moment, please.",
        f"Shuffler ({table.runbook.what}), step {table.runbook.done + 1} of "
        f"{len(RUNBOOKS[branch])}: {step}",
        _clause(table, "fault"),
    )


def _betting(table: Round) -> Prompt:
    if not any(seat.wagers for seat in table.seats):
        return Prompt("Place your bets.", "Wait for bets.", _clause(table, "bets"))
    return Prompt(
        no_more_bets(table),
        "Say so before any card is dispensed.",
        _clause(table, "no more bets"),
    )


def _no_more_bets(table: Round) -> Prompt:
    if table.lit() and not table.started:
        button = "COIN IN" if table.options.award_profile == "game_manager" else "START GAME"
        press = f"Press {button}"
        if table.options.meter_pay_order == "internal_controls":
            press = f"Give the order in which awards are paid, press {button}"
        return Prompt(
            "",
            f"{press}, then take in the progressive bets of position {and_list(table.lit())}.",
            progressive.start_clause(table),
        )
    if table.shuffle is None:
        return Prompt("", "Shuffle: the deck is counted before any card leaves.", "ACE-06")
    return _dealing(table)


def _dealing(table: Round) -> Prompt:
    places = _undealt(table)[:1]
    stage = table.stage or table.ruleset.game.stage(places[0][1])
    return Prompt("", _deal_words(table, places), table.ruleset.game.clause("deliver", stage))


def deal_to_all(table: Round) -> str:
    """Returns the words for a deal to every place that waits, at one stroke."""
    return _deal_words(table, _undealt(table))


def _undealt(table: Round) -> Waiting:
    """Returns the places that wait for cards; before the first card, those that will."""
    if table.phase is Phase.NO_MORE_BETS:
        return engine.first_deal(table)
    return tuple(zip(table.waiting, table.steps, strict=True))


def _deal_words(table: Round, places: Waiting) -> str:
    """Returns one sentence for a deal; places that get the same are named together."""
    by_cards: dict[str, list[Place]] = {}
    for place, number in places:
        step = table.ruleset.game.script[number]
        assert isinstance(step, Deal), step
        by_cards.setdefault(_cards_words(table, step), []).append(place)
    parts = [f"{_places_words(those)} {cards}" for cards, those in by_cards.items()]
    care = "; keep the bottom card covered" if table.ruleset.game.packet > 1 else ""
    return f"Deal {', then '.join(parts)}{care}."


def _places_words(places: Sequence[Place]) -> str:
    positions = [place for place in places if isinstance(place, int) and place != DEALER]
    named = [f"position {and_list(positions)}"] if positions else []
    named += ["the dealer"] if DEALER in places else []
    return " and ".join([*named, *(f"the {place}" for place in places if isinstance(place, str))])


def _cards_words(table: Round, step: Deal) -> str:
    """Returns what a deal gives to a place: 'three cards face down', 'one card, face up'."""
    if step.words:
        return step.words
    if step.upto:
        up = step.face_up is not None and step.face_up(table.options)
        total = NUMBERS[step.upto]
        return f"the cards that are missing to {total}, face {'up' if up else 'down'}"
    number = NUMBERS[step.down + step.up]
    if step.down + step.up == 1:
        return f"{number} card, face {'up' if step.up else 'down'}"
    if step.up and step.down:
        down, up_cards = NUMBERS[step.down], NUMBERS[step.up]
        return f"{number} cards, {down} face down and {up_cards} face up"
    return f"{number} cards face {'up' if step.up else 'down'}"


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _decisions(table: Round) -> Prompt:
    step, first = table.asking, engine.first_to_act(table)
    assert step is not None
    named = {"position": first, "positions": and_list(tuple(engine.undecided(table)))}
    return Prompt(step.says.format(**named), step.does.format(**named), step.clause)


def _reveal(table: Round) -> Prompt:
    step = engine.to_show(table)
    if step is not None:
        return Prompt("", step.does, step.clause)
    return Prompt(
        "",
        f"Take in the forfeits of position {and_list(engine.uncollected(table))}; tuck a hand that "
        "still plays for a bonus.",
        _clause(table, "collect"),
    )


def _reconcile(table: Round) -> Prompt:
    if not table.waiting:
        if table.started and (step := _award(table)):
            return step
        if table.started and (due := progressive.unpaid_envy(table)):
            owed = "; ".join(
                f"position {envy.position} {dollars_text(envy.line.net)}" for envy in due
            )
            return Prompt("", f"Pay envy: {owed}.", "PGM-18")
        return Prompt("", "End the round.", None)
    position, settle = table.to_settle[0], engine.settling(table)
    assert settle is not None
    if settle.does:
        return Prompt("", settle.does.format(position=position), settle.clause)
    if table.options.settle_style == "lay_and_pay":
        how = "lay the cards out at the spot, pay or take"
    else:
        how = "pick the cards up into the work area, pay or take, and take them in"
    bets = listed(_still_due(table, position))
    return Prompt("", f"Position {position}: {how} ({bets}).", settle.clause)


def _award(table: Round) -> Prompt | None:
    """Asks for the hand button or the supervisor that the progressive waits for."""
    if missing := progressive.unpressed(table):
        seat = table.seat(missing[0])
        hand = hand_name(progressive.hand_of(table, seat))
        return Prompt(
            "",
            f"Position {seat.position}: press the button for {hand}.",
            progressive.hand_clause(table),
        )
    if progressive.waits_for_floor(table) and (waiting := progressive.unconfirmed(table)):
        return Prompt(
            "Supervisor, please.",
            f"Call a supervisor, who confirms the award at position {waiting[0]}.",
            progressive.order_clause(table),
        )
    return None


def _still_due(table: Round, position: int) -> list[Bet]:
    """The bets to look at, from the back forwards (TSR-29, TCP-22).

    A bet that rides on another is among them whether it pays or not: the hand is not turned over
    yet.
    """
    seat, game = table.seat(position), table.ruleset.game
    made = {bet for bet in game.order if is_made(table, seat, bet) and not seat.settled(bet)}
    if not seat.folded:
        made |= {bet.code for bet in game.bets if bet.rides in seat.wagers}
    return [bet for bet in table.ruleset.order if bet in made]


_BY_PHASE = {
    Phase.BETTING: _betting,
    Phase.NO_MORE_BETS: _no_more_bets,
    Phase.DEALING: _dealing,
    Phase.DECISIONS: _decisions,
    Phase.REVEAL: _reveal,
    Phase.RECONCILE: _reconcile,
}
