"""Words: what the dealer says and does next, from the state alone."""

from collections.abc import Sequence
from typing import NamedTuple

from houseway.live import bonus, progressive, three_card
from houseway.live.commands import DEALER
from houseway.live.panel import Payment
from houseway.live.phases import Phase, Stage
from houseway.live.state import Round, is_three_card
from houseway.money import dollars_text
from houseway.names import Bet, hand_name
from houseway.refusal import listed
from houseway.shuffler import RUNBOOKS


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
    without = [s.position for s in table.seats if s.wagers and "pair-plus" not in s.wagers]
    if is_three_card(table) and without:
        return f"No more bets. No Pair Plus, position {and_list(without)}."
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
    return _BY_PHASE[table.phase](table)


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


def _clause(table: Round, step: str) -> str:
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
    return Prompt(
        "",
        _deal_words(table, _undealt(table)[:1]),
        table.ruleset.game.clause("deliver", _dealt_stage(table)),
    )


def deal_to_all(table: Round) -> str:
    """Returns the words for a deal to every place that waits, at one stroke."""
    return _deal_words(table, _undealt(table))


def _undealt(table: Round) -> Sequence[int]:
    return table.waiting or (*table.playing, DEALER)


def _dealt_stage(table: Round) -> Stage | None:
    """Returns the stage that cards are dealt for: War before the first one."""
    return None if is_three_card(table) else table.stage or Stage.WAR


def _deal_words(table: Round, places: Sequence[int]) -> str:
    """Returns one sentence for a deal; places that get the same are named together."""
    by_cards: dict[str, list[int]] = {}
    for place in places:
        by_cards.setdefault(_cards_words(table, place), []).append(place)
    parts = [f"{_places_words(those)} {cards}" for cards, those in by_cards.items()]
    care = "; keep the bottom card covered" if is_three_card(table) else ""
    return f"Deal {', then '.join(parts)}{care}."


def _places_words(places: Sequence[int]) -> str:
    positions = [place for place in places if place != DEALER]
    named = [f"position {and_list(positions)}"] if positions else []
    return " and ".join([*named, "the dealer"] if DEALER in places else named)


def _cards_words(table: Round, place: int) -> str:
    if is_three_card(table):
        step = three_card.dealt_to(table.ruleset.game, place)
        if step.up:
            return "three cards, two face down and one face up"
        return "three cards face down"
    match table.stage:
        case Stage.BLACKJACK if place == DEALER:
            return "a second card, face down under the first"
        case Stage.BLACKJACK:
            return "a second card, face up"
        case Stage.POKER:
            return f"the cards that are missing to six, face {table.options.poker_cards_facing}"
        case _:
            return "one card, face up"


def _decisions(table: Round) -> Prompt:
    if is_three_card(table):
        waiting = three_card.undecided(table)
        return Prompt(
            "Play or fold?", f"Wait for position {and_list(waiting)}.", _clause(table, "decide")
        )
    if table.insurance_open:
        return Prompt("Insurance?", "Take insurance bets, then look at the hole card.", "TSB-14")
    position = bonus.to_act(table)
    return Prompt(f"Position {position}?", f"Play out the hand of position {position}.", "TSB-32")


def _reveal(table: Round) -> Prompt:
    if not is_three_card(table):
        return Prompt("", "Turn the hole card and complete your hand.", "TSB-13")
    if folded := three_card.uncollected(table):
        return Prompt(
            "",
            f"Take in the forfeits of position {and_list(folded)}; tuck a hand that still plays "
            "for a bonus.",
            _clause(table, "collect"),
        )
    if not table.dealer_shown:
        return Prompt(
            "", "Turn your hand over and arrange it from high to low.", _clause(table, "reveal")
        )
    return Prompt("", "Turn the two community cards over.", "PML-09")


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
    position = table.waiting[0]
    if not is_three_card(table):
        bets = {Stage.WAR: "War", Stage.BLACKJACK: "Blackjack"}.get(
            table.stage or Stage.WAR, "Poker, then the Hat Trick"
        )
        return Prompt(
            "",
            f"Settle {bets} of position {position}; a lost leg takes the Hat Trick.",
            _clause(table, "reconcile"),
        )
    if table.options.settle_style == "lay_and_pay":
        how = "lay the cards out at the spot, pay or take"
    else:
        how = "pick the cards up into the work area, pay or take, and take them in"
    bets = listed(_still_due(table, position))
    return Prompt("", f"Position {position}: {how} ({bets}).", _clause(table, "reconcile"))


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

    The Ante Bonus is among them whether it pays or not: the hand is not turned over yet.
    """
    seat = table.seat(position)
    made = set(seat.wagers) - {line.bet for line in seat.lines}
    if "ante" in seat.wagers and not seat.folded:
        made |= {"play", "ante-bonus"}
    return [bet for bet in table.ruleset.order if bet in made]


_BY_PHASE = {
    Phase.BETTING: _betting,
    Phase.NO_MORE_BETS: _no_more_bets,
    Phase.DEALING: _dealing,
    Phase.DECISIONS: _decisions,
    Phase.REVEAL: _reveal,
    Phase.RECONCILE: _reconcile,
}
