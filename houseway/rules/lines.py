"""Lines: each bet of a hand, settled in cents, with the reason.

A rule's verdict becomes a line here and nowhere else, whether a seat is settled by itself or at a
live table.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from houseway.games import progressive
from houseway.games.base import Outcome, Verdict, net_cents, pushes
from houseway.games.contract import Action, Ask, Game, Ruling, Seen, SideBet, Words, known
from houseway.house.money import MeterLevel, MeterShare, break_down, dollars_text
from houseway.house.options import Options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused, listed

Tables = Mapping[Bet, PayTable]
Meters = Mapping[MeterLevel, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One bet, settled between the player and the house (TSR-18, TCP-14).

    Amounts are cents; `net` is what the player gains.
    """

    bet: Bet
    wager: int
    outcome: Outcome
    net: int
    clause: str
    why: str
    hand: int | None = None
    rides: bool = False
    """True when the wager lies on another bet."""
    free: int = 0
    """Chips that the house put up beside the wager; they stay the house's."""
    commission: int = 0
    """What the house kept of the win; the net is what is left."""

    @property
    def stake(self) -> int:
        """The chips that lay on the bet itself."""
        return 0 if self.rides else self.wager

    def to_json(self) -> dict[str, Any]:
        """The line as plain data."""
        return {
            "bet": self.bet,
            "hand": self.hand,
            "wager": self.wager,
            "outcome": self.outcome.value,
            "net": self.net,
            "clause": self.clause,
            "why": self.why,
            **({"free": self.free} if self.free else {}),
            **({"commission": self.commission} if self.commission else {}),
        }


def settling_order(game: Game, options: Options) -> tuple[Bet, ...]:
    """The bets in the order they are settled: the source's, or the casino's own (TCP-22)."""
    if not options.settle_order:
        return game.order
    if game.fixed_order is not None:
        why, clause = game.fixed_order
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"settle_order {','.join(options.settle_order)!r} is not allowed: {why}; allowed: "
            "source",
            clause,
        )
    for bet in options.settle_order:
        if bet not in game.order:
            raise Refused(
                Reason.UNKNOWN_VALUE,
                f"bet {bet!r} in settle_order is not a bet of {game.code}; allowed: "
                f"{listed(game.order)}",
                "TCP-22",
            )
    rest = tuple(bet for bet in game.order if bet not in options.settle_order)
    return options.settle_order + rest


def seat_lines(
    game: Game,
    seen: Seen,
    wagers: Mapping[str, int],
    tables: Tables,
    options: Options,
    *,
    meters: Meters | None = None,
    only: Container[str] | None = None,
) -> list[Line]:
    """Every bet of a seat that is decided by what is seen, in the order of the source.

    `only` leaves other bets alone: some are settled earlier than others, and each of them once.
    """
    found = []
    split = len(seen.hands) > 1
    for ruling in rulings(game, seen, wagers, tables, options):
        if only is not None and ruling.bet not in only:
            continue
        chips = staked(game, ruling, seen, wagers, options)
        if chips is None:
            continue
        wager = chips.own
        words = _words(game, ruling.bet, seen, tables, options)
        if isinstance(ruling.verdict.odds, MeterShare):
            paytable = tables[ruling.bet]
            meter = meter_of(meters or {}, ruling.verdict.odds, paytable, options)
            pay = progressive.share_cents(ruling.verdict.odds, meter, wager, options)
            found.append(
                _share_line(ruling.verdict, wager, pay, f"stands at {dollars_text(meter)}", words)
            )
            continue
        bet = game.bet(ruling.bet)
        hand = ruling.hand if split and bet is not None and bet.per_hand else None
        line = _line(ruling.bet, chips, ruling.verdict, words, options, hand)
        found.append(replace(line, rides=True) if bet is not None and bet.rides else line)
    return list(in_order(found, game.order))


def rulings(
    game: Game, seen: Seen, wagers: Mapping[str, int], tables: Tables, options: Options
) -> Iterator[Ruling]:
    """Yields a ruling on every bet of a seat that is decided by what is seen."""
    found = game.verdicts(game.facts(seen, options), seen.actions, tables, options)
    if game.takes_back:
        back = list(_taken_back(game, seen))
        yield from back
        gone = {ruling.bet for ruling in back}
        found = (ruling for ruling in found if ruling.bet not in gone)
    yield from found
    for side in game.side_bets:
        if side.code not in wagers:
            continue
        paytable = tables[side.code]
        lost = side.folded(paytable, options)
        if lost is not None and has_folded(game, seen):
            yield Ruling(side.code, lost)
        elif is_seen(side, seen, paytable) and (lost is None or not may_fold(game, seen, wagers)):
            hand = side.classify(seen, paytable)
            yield Ruling(side.code, side.rule(hand, paytable, options))


def _taken_back(game: Game, seen: Seen) -> Iterator[Ruling]:
    """Yields a ruling on every bet whose chips went back to the player."""
    for action in map(game.action, seen.actions):
        if action is not None and action.takes_back:
            yield Ruling(action.takes_back, pushes(action.clause, "the player took it back"))


def has_folded(game: Game, seen: Seen) -> bool:
    """True when the seat has given its hand up."""
    return not game.folds.isdisjoint(seen.actions)


def may_fold(game: Game, seen: Seen, wagers: Container[str]) -> bool:
    """True while the seat has still to decide whether it gives its hand up."""
    asked = (step for step in game.script if isinstance(step, Ask))
    return any(
        any(action.name in game.folds for action in step.actions)
        and (not step.needs or step.needs in wagers)
        and not any(action.name in seen.actions for action in step.actions)
        for step in asked
    )


def in_action_after_fold(
    game: Game, wagers: Iterable[str], tables: Tables, options: Options
) -> tuple[str, ...]:
    """The side bets that a folded hand still plays for (TSR-15, TSR-16, TCP-13, SCB-03).

    While there is one, the hand is not taken in: its cards are tucked under that bet.
    """
    return tuple(
        bet
        for bet in wagers
        if (side := game.side_bet(bet)) and side.folded(tables[bet], options) is None
    )


def is_seen(side: SideBet, seen: Seen, paytable: PayTable) -> bool:
    """True when every card that a side bet looks at is known."""
    places = {} if side.table is None else side.table(paytable)
    needed = [(seen.own, side.own), (seen.dealer, side.dealer)]
    needed += [(seen.table.get(place, ()), number) for place, number in places.items()]
    return all(known(cards, number) for cards, number in needed if number)


class Staked(NamedTuple):
    """The chips on a bet, in cents: the player's, and those that the house put up."""

    own: int
    free: int = 0


def staked(
    game: Game, ruling: Ruling, seen: Seen, wagers: Mapping[str, int], options: Options
) -> Staked | None:
    """The chips that a ruling is about; None when there are none."""
    bet = game.bet(ruling.bet)
    if bet is None or not (bet.not_made or bet.per_hand):
        return Staked(wagers[ruling.bet]) if ruling.bet in wagers else None
    if bet.rides:
        return Staked(wagers[bet.rides]) if bet.rides in wagers else None
    own, free, actions = wagers.get(ruling.bet, 0), 0, seen.actions
    if bet.per_hand:
        hand = seen.hands[ruling.hand - 1]
        actions = hand.actions
        own, free = (0, own) if hand.free else (own, 0)
    for name in actions:
        action = game.action(name)
        # A split puts its wager on the hand that it opens, which has the first one's beside it.
        if action is None or action.puts is None or action.puts.bet != bet.code or action.splits:
            continue
        if action.puts.free:
            free += put_cents(action, wagers, options)
        else:
            own += put_cents(action, wagers, options)
    return Staked(own, free) if own or free else None


def action_cents(action: Action, wagers: Mapping[str, int], options: Options) -> int:
    """Returns the cents that an action costs its player; chips of the house cost nothing."""
    free = action.puts is not None and action.puts.free
    return 0 if free else put_cents(action, wagers, options)


def put_cents(action: Action, wagers: Mapping[str, int], options: Options) -> int:
    """The chips that an action puts up, in cents; broken down where half a wager is odd."""
    put = action.puts
    if put is None or put.of not in wagers:
        return 0
    if put.times.denominator == 1:
        return put.times.numerator * wagers[put.of]
    exact = put.times * wagers[put.of]
    whole = break_down(exact, options.breakage, options.smallest_chip, put.bet)
    if whole == 0:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"decision {action.name!r} is not allowed: half of {dollars_text(wagers[put.of])} is "
            "nothing",
            action.clause,
        )
    return whole


def _words(game: Game, code: str, seen: Seen, tables: Tables, options: Options) -> Words:
    """The words that the sentence on a bet has places for."""
    side = game.side_bet(code)
    if side is not None:
        return side.words(seen, tables[code]) if is_seen(side, seen, tables[code]) else {}
    bet = game.bet(code)
    assert bet is not None, code
    return bet.words(seen, options)


def meter_award(
    game: Game, seen: Seen, wagers: Mapping[str, int], tables: Tables, options: Options, pay: int
) -> Line:
    """A share of a meter whose amount was fixed by whoever keeps the meter."""
    found = (r for r in rulings(game, seen, wagers, tables, options) if r.bet == "progressive")
    [ruling] = found
    assert isinstance(ruling.verdict.odds, MeterShare)
    words = _words(game, ruling.bet, seen, tables, options)
    which = f"was {dollars_text(pay)}"
    return _share_line(ruling.verdict, wagers[ruling.bet], pay, which, words)


def _share_line(
    verdict: Verdict, wager: int, pay: int, which: str, words: Mapping[str, str]
) -> Line:
    """The line of a share of a meter; its wager is never returned."""
    return Line(
        bet="progressive",
        wager=wager,
        outcome=verdict.outcome,
        net=pay - wager,
        clause=verdict.clause,
        why=_sentence(f"{verdict.why}, which {which}", words),
    )


def meter_of(meters: Meters, share: MeterShare, paytable: PayTable, options: Options) -> int:
    """The meter that a share is of; refused when it was not given."""
    if share.level not in meters:
        named = "AMOUNT" if share.level == "single" else f"{share.level}=AMOUNT"
        raise Refused(
            Reason.MISSING_METER,
            f"the hand wins {share} and that meter is not given; give it as --meter {named}",
            progressive.by_system(paytable, options, "PGM-08", "PNX-10", "PML-12"),
        )
    return meters[share.level]


def envy(
    game: Game,
    seen: Seen,
    lit: progressive.LitHands,
    wagers: Mapping[str, int],
    tables: Tables,
    options: Options,
) -> list[Line]:
    """One line for each hand that triggers envy.

    Several triggers give several pays, at the end of the round (PGM-18, PNX-18, PML-16).
    """
    side = next((side for side in game.side_bets if side.from_meter), None)
    if side is None or side.code not in wagers:
        return []
    if has_folded(game, seen) and not progressive.folded_player_earns_envy(options):
        return []
    paytable = tables[side.code]
    triggers = [(cards, "another player") for cards in lit.others]
    if options.folded_hand_progressive == "eligible":
        triggers += [(cards, "another player who folded") for cards in lit.folded_others]
    if progressive.own_other_hand_earns_envy(paytable, options):
        triggers += [(cards, "the player's own other hand") for cards in lit.own_others]
    lines = []
    for cards, whose in triggers:
        theirs = seen._replace(own=cards)
        hand = side.classify(theirs, paytable)
        earned = progressive.envy_cents(hand, paytable, wagers[side.code])
        if earned:
            shown = side.words(theirs, paytable)["cards"]
            lines.append(
                Line(
                    bet="envy",
                    wager=0,
                    outcome=Outcome.WIN,
                    net=earned,
                    clause=progressive.envy_clause(paytable, options),
                    why=f"Envy: {whose} holds {shown}, which pays {dollars_text(earned)}.",
                )
            )
    return lines


def in_order(lines: Iterable[Line], order: Sequence[Bet]) -> tuple[Line, ...]:
    """The lines as they are settled: by bet, and as they came within a bet."""
    return tuple(sorted(lines, key=lambda line: order.index(line.bet)))


def _line(
    bet: Bet,
    chips: Staked,
    verdict: Verdict,
    words: Mapping[str, str],
    options: Options,
    hand: int | None = None,
) -> Line:
    # Chips of the house win like others and cost nothing when they lose.
    counted = chips.own + (chips.free if verdict.outcome is Outcome.WIN else 0)
    net = net_cents(verdict, counted, options.breakage, options.smallest_chip)
    commission = 0
    if verdict.commission:
        whole = replace(verdict, commission=Fraction(0))
        commission = net_cents(whole, counted, options.breakage, options.smallest_chip) - net
    return Line(
        bet=bet,
        hand=hand,
        wager=chips.own,
        free=chips.free,
        outcome=verdict.outcome,
        net=net,
        commission=commission,
        clause=verdict.clause,
        why=_sentence(verdict.why, words),
    )


def _sentence(why: str, words: Mapping[str, str]) -> str:
    text = why.format(**words)
    return text[0].upper() + text[1:] + "."
