"""Dealing: bets, the deck, the cards and the decisions."""

from houseway.cards import card_text, check_distinct, times
from houseway.games.contract import Action, Ask
from houseway.games.play import in_turn, known_action
from houseway.house.money import dollars_text
from houseway.house.options import games_limit
from houseway.live import commands as c
from houseway.live import engine, progressive
from houseway.live import events as e
from houseway.live.commands import Place
from houseway.live.guard import (
    CommandRule,
    Guarded,
    line_of_text,
    place_words,
    position_problem,
    shuffler_down,
    wrong_phase,
)
from houseway.live.phases import Phase
from houseway.live.seen import added_wager, seen_of
from houseway.live.shuffler import check_deck, is_unknown
from houseway.live.state import Happening, Round, Seat
from houseway.live.words import no_more_bets
from houseway.names import bet_name
from houseway.refusal import Reason, Refused, listed
from houseway.rules.wagers import check_wagers


def _may_place_bets(table: Round, command: c.PlaceBets) -> Guarded:
    """Bets are made while betting is open, all of a position at once (TSR-20, TCP-16, TSB-02)."""
    if table.phase is not Phase.BETTING:
        return wrong_phase(
            table, "no more bets", "no wager may be made, changed or taken back after it"
        )
    if problem := position_problem(table, command.position, in_round=False):
        return problem
    if problem := line_of_text("player", command.player):
        return problem
    names = [bet for bet, _ in command.bets]
    if len(set(names)) < len(names):
        return Refused(Reason.GIVEN_TWICE, f"a bet stands twice in {listed(names)}; once is enough")
    if command.bets:
        check_wagers(table.ruleset.game, dict(command.bets), table.ruleset.paytables, table.options)
        if "progressive" in names and (problem := _carried_problem(table, command)):
            return problem
    return _second_position(table, command) or _games_problem(table, command)


def _games_problem(table: Round, command: c.PlaceBets) -> Guarded:
    """The games that a player wagers on, counted over both positions (CMP-14, A-32).

    Positions are counted together only where one name is given for both. A position without a name
    is one player: nobody has said that anyone else plays it too.
    """
    if table.form == 1 or not command.bets:
        return None
    limit = games_limit(table.ruleset.game.code, table.options)
    others = [
        seat
        for seat in table.seats
        if table.same_player(seat.player, command.player) and seat.position != command.position
    ]
    games = len(command.bets) + sum(len(seat.wagers) for seat in others)
    if limit is None or games <= limit.most:
        return None
    return Refused(
        Reason.TOO_MANY_GAMES,
        f"player {command.player!r} would wager on {games} games; at most {limit.most} are allowed "
        f"({limit.citation})",
        "CMP-14",
    )


def _carried_problem(table: Round, command: c.PlaceBets) -> Guarded:
    carried = table.seat(command.position).carried
    wager = dict(command.bets)["progressive"]
    if wager < carried:
        return Refused(
            Reason.BELOW_MINIMUM,
            f"wager of {dollars_text(wager)} on progressive is less than the "
            f"{dollars_text(carried)} carried over from the void round",
        )
    return None


def _second_position(table: Round, command: c.PlaceBets) -> Guarded:
    """A player may hold two adjacent positions where the casino allows it (TSR-21, TCP-16)."""
    if not command.player or not command.bets:
        return None
    held = [
        seat.position
        for seat in table.seats
        if table.same_player(seat.player, command.player)
        and seat.wagers
        and seat.position != command.position
    ]
    if not held:
        return None
    where = table.ruleset.game.clause("two positions")
    named = f"player {command.player!r} already bets at position {listed(held)}"
    allowed = table.ruleset.game.two_positions
    if not allowed or table.options.two_adjacent_positions == "off":
        return Refused(Reason.WRONG_POSITION, f"{named}; one position is allowed", where)
    if len(held) > 1 or abs(held[0] - command.position) != 1:
        return Refused(
            Reason.WRONG_POSITION,
            f"{named}, so position {command.position} is not allowed; two adjacent ones are",
            where,
        )
    return None


def _place_bets(table: Round, command: c.PlaceBets) -> Happening:
    given = dict(command.bets)
    wagers = tuple((bet, given[bet]) for bet in table.ruleset.game.wagers if bet in given)
    yield e.BetsPlaced(command.position, command.player if wagers else "", wagers)


def _may_load_shuffle(table: Round, command: c.LoadShuffle) -> Guarded:
    """A whole deck, never the last round's, is ready before any card leaves (ACE-06, TSB-01)."""
    if table.dealt or table.phase not in (Phase.BETTING, Phase.NO_MORE_BETS):
        return wrong_phase(table, "deliver", "a deck is made ready before any card is dealt")
    if table.runbook is not None:
        return shuffler_down(table)
    shuffle = command.shuffle
    whole = table.ruleset.deck
    if not is_unknown(shuffle.cards) or len(shuffle.cards) != len(whole.cards):
        check_deck(shuffle.cards, whole.packs)
    if problem := line_of_text("shuffle", shuffle.id) or line_of_text("procedure", shuffle.by):
        return problem
    if shuffle.id == table.previous_shuffle:
        return Refused(
            Reason.BAD_DECK,
            f"shuffle {shuffle.id!r} was dealt in the round before; the deck is shuffled after "
            "every round",
            "TSB-01",
        )
    size = table.ruleset.game.packet
    if shuffle.packet_size != size:
        return Refused(
            Reason.BAD_DECK,
            f"packets of {shuffle.packet_size} are not for {table.ruleset.game.code}; it is dealt "
            f"in packets of {size}",
            "ACE-03",
        )
    by_hand = table.options.shuffler_mode == "hand"
    if by_hand and shuffle.by.strip() in ("", "automatic"):
        return Refused(
            Reason.BAD_DECK,
            "the table is dealt by hand; name the house procedure of the shuffle",
            "CMP-15",
        )
    if not by_hand and shuffle.by != "automatic":
        return Refused(
            Reason.BAD_DECK,
            f"a shuffle by {shuffle.by!r} is not allowed; the table has an automatic shuffler",
            "TCP-15",
        )
    return None


def _load_shuffle(table: Round, command: c.LoadShuffle) -> Happening:
    yield e.Shuffled(command.shuffle)


def _may_close_bets(table: Round, command: c.NoMoreBets) -> Guarded:
    if table.phase is not Phase.BETTING:
        return wrong_phase(table, "no more bets", "it is said once, when betting ends")
    if not any(seat.wagers for seat in table.seats):
        return Refused(
            Reason.MISSING_BET,
            "no position has a bet; a round needs at least one",
            table.ruleset.game.clause("bets"),
        )
    return None


def _close_bets(table: Round, command: c.NoMoreBets) -> Happening:
    """No more bets, said before any card is dispensed (TSR-22, TCP-17, TSB-04)."""
    yield e.Announced(no_more_bets(table))
    yield e.BetsClosed(tuple(seat.position for seat in table.seats if seat.wagers))
    yield e.PhaseBegan(Phase.NO_MORE_BETS, None)


def _may_deliver(table: Round, command: c.Deliver) -> Guarded:
    """Cards go out in order, the dealer last (TSR-24, TCP-18, TSB-05)."""
    if table.phase is Phase.BETTING:
        return wrong_phase(table, "no more bets", "say 'No more bets' before any card is dispensed")
    if table.phase not in (Phase.NO_MORE_BETS, Phase.DEALING):
        return wrong_phase(table, "deliver", "no cards are due now")
    if table.runbook is not None:
        return shuffler_down(table)
    if table.lit() and not table.started:
        return Refused(
            Reason.NOT_DONE_YET,
            "the progressive bets still lie on the sensors; start the game before dealing",
            progressive.start_clause(table),
        )
    if table.shuffle is None:
        return Refused(
            Reason.BAD_DECK, "no shuffled deck is ready; shuffle before dealing", "ACE-06"
        )
    waiting = _first_waiting(table)
    if not waiting:
        return Refused(
            Reason.NOT_DONE_YET,
            "the dealer looks at a card that is not known; enter it before more are dealt",
            table.ruleset.game.clause("deliver", table.stage),
        )
    if command.to is not None and command.to != waiting[0]:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"{place_words(command.to)} is not next; next is {place_words(waiting[0])}",
            table.ruleset.game.clause("deliver", table.stage),
        )
    return None


def _first_waiting(table: Round) -> tuple[Place, ...]:
    if table.phase is Phase.DEALING:
        return table.waiting
    return tuple(place for place, _ in engine.first_deal(table))


def _deliver(table: Round, command: c.Deliver) -> Happening:
    if table.phase is Phase.NO_MORE_BETS:
        table = yield from engine.begin(table)
    yield from engine.deliver(table, table.waiting if command.to is None else (command.to,))


def _may_expose(table: Round, command: c.Expose) -> Guarded:
    """Cards face up are entered as they come, hands face down as they are turned over (TSR-25)."""
    if engine.knows_its_deck(table):
        return Refused(Reason.OUT_OF_ORDER, "the cards of this deck are known, so none are entered")
    due = engine.awaited(table)
    if due is None or command.place != due[0]:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"the cards of {place_words(command.place)} are not turned over now; "
            f"turned over now: {place_words(due[0]) if due else 'none'}",
        )
    if not command.cards:
        return Refused(Reason.BAD_ARGUMENT, "no card is given; enter at least one")
    packs = table.ruleset.deck.packs
    check_distinct(command.cards, packs=packs)
    held = [card for seat in table.seats for card in seat.cards]
    held += [*table.dealer, *(card for laid in table.laid.values() for card in laid.cards)]
    for card in command.cards:
        if held.count(card) + command.cards.count(card) > packs:
            already = "already" if packs == 1 else f"{times(held.count(card))} already"
            return Refused(
                Reason.CARD_TWICE,
                f"card '{card_text(card)}' lies on the table {already}; a deck holds each card "
                f"{times(packs)}",
            )
    return None


def _expose(table: Round, command: c.Expose) -> Happening:
    return engine.expose(table, command.place, command.cards)


def _may_decide(table: Round, command: c.Decide) -> Guarded:
    """One guard for every decision (TSR-26, TCP-19, FUP-04, TSB-09..11, TSB-32)."""
    step = table.asking
    if step is None:
        return wrong_phase(table, "decide", "decisions are made when the cards are dealt")
    if problem := position_problem(table, command.position):
        return problem
    seat = table.seat(command.position)
    action = known_action(table.ruleset.game, command.decision)
    if action not in step.actions:
        return _not_asked(table, step, action)
    if step.needs and step.needs not in seat.wagers:
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {seat.position} has no {bet_name(step.needs)}, so there is nothing to "
            "decide",
            step.clause,
        )
    if step.again is None and seat.answered >= table.at:
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {seat.position} has decided to {seat.decisions[-1]}; that stands",
            action.clause,
        )
    return _problem_with(table, seat, step, action) or _shuffler_problem(table, action)


def _not_asked(table: Round, step: Ask, action: Action) -> Refused:
    """The refusal of a decision that the game knows, and that is not asked for now."""
    if step.offers:
        return Refused(
            Reason.NOT_DONE_YET,
            f"{step.actions[0].name} is still open; close it before the hands are played",
        )
    return Refused(
        Reason.DECISION_NOT_ALLOWED,
        f"decision {action.name!r} is not asked for now; allowed: "
        f"{listed(known.name for known in step.actions)}",
        action.clause,
    )


def _problem_with(table: Round, seat: Seat, step: Ask, action: Action) -> Guarded:
    """Why a hand may not be played like this, or not yet."""
    problem = None
    if action.why_not is not None or step.when is not None:
        problem = _rules_against(table, seat, step, action)
    if problem is None and seat.folded:
        problem = "there is nothing to decide"
    if problem is not None:
        return Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision {action.name!r} of position {seat.position} is not allowed: {problem}",
            action.clause,
        )
    # What it puts up may be impossible, such as half of a cent.
    added_wager(table, seat, action.name)
    first = engine.first_to_act(table)
    if first is not None and seat.position != first:
        return Refused(
            Reason.OUT_OF_ORDER,
            f"position {seat.position} is not next; position {first} decides first",
            step.clause,
        )
    return None


def _rules_against(table: Round, seat: Seat, step: Ask, action: Action) -> str | None:
    """Why the rules of the game do not allow a decision on the hand that is in turn."""
    seen, options = seen_of(table, seat), table.options
    seen = seen._replace(turn=in_turn(seen, step, options) or 0)
    problem = None if action.why_not is None else action.why_not(seen, options)
    if problem is None and step.when is not None and not step.when(seen, options):
        return "there is nothing to decide"
    return problem


def _shuffler_problem(table: Round, action: Action) -> Guarded:
    return shuffler_down(table) if action.cards and table.runbook is not None else None


def _decide(table: Round, command: c.Decide) -> Happening:
    action = known_action(table.ruleset.game, command.decision)
    return engine.decide(table, command.position, action)


def _may_close_offer(table: Round, command: c.CloseOffer) -> Guarded:
    offer = table.offer
    if offer is None or offer.name != command.offer:
        known = table.ruleset.game.action(command.offer)
        return Refused(
            Reason.OUT_OF_ORDER,
            f"{command.offer!r} is not offered now; offered: {offer.name if offer else 'nothing'}",
            known.clause if known else None,
        )
    return None


def _close_offer(table: Round, command: c.CloseOffer) -> Happening:
    return engine.close_offer(table)


RULES: dict[type, CommandRule] = {
    c.PlaceBets: (_may_place_bets, _place_bets),
    c.LoadShuffle: (_may_load_shuffle, _load_shuffle),
    c.NoMoreBets: (_may_close_bets, _close_bets),
    c.Deliver: (_may_deliver, _deliver),
    c.Expose: (_may_expose, _expose),
    c.Decide: (_may_decide, _decide),
    c.CloseOffer: (_may_close_offer, _close_offer),
}
"""The commands up to the last decision."""
