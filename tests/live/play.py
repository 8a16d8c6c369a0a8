"""Random live play: commands of every kind, sensible and not, and rounds that go to their end."""

from dataclasses import replace
from random import Random
from typing import Any

from houseway.cards import DECK, card_text
from houseway.games import GAMES, game_of
from houseway.live import commands as c
from houseway.live.commands import Command
from houseway.live.phases import Phase
from houseway.live.round import act, legal, refusal
from houseway.live.shuffler import RUNBOOKS, Shuffle
from houseway.live.state import Round
from houseway.rules.ruleset import Ruleset, make_ruleset
from tests.games.test_settle_against_oracle import (
    BONUS_OPTIONS,
    CODES,
    GOOD_HANDS,
    THREE_CARD_OPTIONS,
    some_options,
)
from tests.live.table import BONUS, RUMMY

PROGRESSIVES = ("1", "2", "01", "ML01", "ML03")
PROCEDURES: dict[str, tuple[str, ...]] = {
    "settle_style": ("pick_and_pay", "lay_and_pay"),
    "shuffler_fault_procedure": ("guide", "seven_steps", "local"),
}
THREE_CARD_PROCEDURES: dict[str, tuple[str, ...]] = {
    **PROCEDURES,
    "community_source": ("next_packet", "flushed"),
    "void_progressive": ("refund", "carry_to_next_round"),
    "two_adjacent_positions": ("off", "on"),
    "meter_pay_order": ("right_to_left", "internal_controls"),
    "announcement_text": ("qualifying_rank", "source_text"),
    "settle_order": ("source", "pair-plus,ante", "progressive,six-card-bonus"),
    "ante_mandatory": ("off", "on"),
    "meter_seed": ("unset", "single=500,mega=1000,major=500,minor=50"),
}
BONUS_PROCEDURES: dict[str, tuple[str, ...]] = {
    **PROCEDURES,
    "poker_cards_facing": ("up", "down"),
    "dealer_six_card_hand": ("omit", "deal"),
    "breakage": ("down_to_cent", "exact", "down_to_chip"),
}
PLAYERS = ("", "", "ann", "bob", "eve")
JUNK: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1.0, 2.5, "", "x", "ante", (), (1,), [], {}, b"x", object),
    *((("ante", 5),), "a\nb", 10**20, ("ante", 5), ((1, 2),), (("ante", True),)),
)


def some_rules(rng: Random, game: str) -> Ruleset:
    """A ruleset with options and paytables at random."""
    if game == BONUS:
        options = some_options(rng, BONUS_OPTIONS | BONUS_PROCEDURES, game)
        codes = {"poker": rng.choice(("TSB-01", "TSB-02")), "hat-trick": rng.choice("96")}
    else:
        options = some_options(rng, THREE_CARD_OPTIONS | THREE_CARD_PROCEDURES, game)
        codes = {bet: rng.choice(known) for bet, known in CODES[game].items()}
        codes["progressive"] = rng.choice(PROGRESSIVES)
    if game in (RUMMY, BONUS) and rng.random() < 0.2:
        options["shuffler_mode"] = "hand"
    return make_ruleset(game, options, codes)


def some_deck(rng: Random, game: str) -> tuple[int, ...]:
    """A deck in random order, now and then with hands at its top that win or split."""
    deck = list(DECK)
    rng.shuffle(deck)
    if game == BONUS:
        if rng.random() < 0.6:
            wanted = rng.choice(("AT", "A234"))
            rich = [card for card in deck if card_text(card)[0] in wanted]
            rest = [card for card in deck if card not in rich]
            if wanted == "AT":
                top = rich[:6] + rest[:10]
                rng.shuffle(top)
                deck = top + rich[6:] + rest[10:]
            else:
                deck = rich + rest
    else:
        texts = [card_text(card) for card in deck]
        for good in rng.sample(GOOD_HANDS, rng.randint(0, 4)):
            for card in good.split():
                texts.remove(card)
            at = 3 * rng.randint(0, 7)
            texts[at:at] = good.split()
        by_text = {card_text(card): card for card in DECK}
        deck = [by_text[text] for text in texts]
    return tuple(deck)


def some_shuffle(rng: Random, table: Round) -> Shuffle:
    """A shuffle that the table takes."""
    game = table.ruleset.game.code
    by = "automatic" if table.options.shuffler_mode == "automatic" else "procedure 7"
    number = f"{rng.getrandbits(40):x}"
    return Shuffle(number, some_deck(rng, game), game_of(game).packet, by)


def some_bets(rng: Random, table: Round, position: int) -> c.PlaceBets:
    """Bets of a position that may be made; whether this player may make them here is open."""
    wagers = table.ruleset.game.wagers
    unit = 200 if table.options.breakage == "down_to_chip" else 2
    bets = {bet: unit * rng.randint(1, 5000 // unit) for bet in wagers if rng.random() < 0.7}
    if table.ruleset.game.code == BONUS:
        bets |= {bet: unit * rng.randint(1, 9) for bet in ("war", "blackjack", "poker")}
    elif "ante" not in bets and (table.options.ante_mandatory == "on" or "pair-plus" not in bets):
        bets["ante"] = 500
    if "progressive" in bets:
        bets["progressive"] = max(100, table.seat(position).carried)
        if rng.random() < 0.3:
            bets["progressive"] += rng.randint(0, 500)
    return c.PlaceBets(position, tuple(bets.items()), rng.choice(PLAYERS))


def start_game(rng: Random, table: Round) -> c.StartGame:
    """The start of the progressive, as this table wants it."""
    levels = table.ruleset.paytables["progressive"].levels
    meters = tuple((level, rng.randint(0, 10**7)) for level in levels)
    order = list(table.lit())
    rng.shuffle(order)
    controls = table.options.meter_pay_order == "internal_controls"
    starts = tuple((level, rng.randint(0, 10**6)) for level in levels if rng.random() < 0.8)
    return c.StartGame(meters, tuple(order) if controls else (), starts)


def awards_to_confirm(table: Round) -> list[int]:
    """The position whose award the floor may confirm now."""
    return [
        seat.position
        for seat in table.seats
        if refusal(table, c.ConfirmAward(seat.position, 0)) is None
    ]


def next_step(
    rng: Random, table: Round, pricers: tuple[c.Pricer, ...] = ("table", "floor")
) -> Command:
    """A command that takes the round on; there always is one while it is not over."""
    if table.reported:
        return c.Rule(rng.choice(("play_on", "play_on", "play_on", "void")), "a reason")
    if table.wrong:
        wrong = table.wrong[0]
        return c.CorrectPayout(wrong.position, wrong.bet, "wrong_chips", wrong.hand)
    if table.phase is Phase.BETTING:
        if rng.random() < 0.7 or not any(seat.wagers for seat in table.seats):
            return some_bets(rng, table, rng.randint(1, len(table.seats)))
        return c.NoMoreBets()
    offered = list(legal(table))
    if table.phase is Phase.NO_MORE_BETS and not table.runbook:
        if table.lit() and not table.started:
            offered.append(replace(start_game(rng, table), priced_by=rng.choice(pricers)))
        if table.shuffle is None:
            offered.append(c.LoadShuffle(some_shuffle(rng, table)))
    if (
        table.phase is Phase.DEALING
        or (table.phase is Phase.NO_MORE_BETS and c.Deliver() in offered)
    ) and rng.random() < 0.5:
        return c.Deliver(table.waiting[0] if table.waiting else table.playing[0])
    if table.phase is Phase.RECONCILE and table.waiting and rng.random() < 0.7:
        return c.Reconcile(table.to_settle[0])
    if (second := _second_thoughts(table)) and rng.random() < 0.1:
        return rng.choice(second)
    if (waiting := awards_to_confirm(table)) and rng.random() < 0.7:
        return c.ConfirmAward(waiting[0], rng.randint(0, 10**6))
    hits = [step for step in offered if isinstance(step, c.Decide) and step.decision == "hit"]
    if hits and rng.random() < 0.4:
        return hits[0]
    steps = [command for command in offered if isinstance(command, c.RunbookStep)]
    if not offered:
        return c.ConfirmAward(awards_to_confirm(table)[0], rng.randint(0, 10**6))
    return rng.choice(steps or offered)


def play_to_the_end(rng: Random, table: Round) -> list[Command]:
    """The commands of a whole round without irregularities, which prices its own awards."""
    commands: list[Command] = []

    def do(command: Command) -> None:
        nonlocal table
        commands.append(command)
        table, _ = act(table, command)

    for position in rng.sample(range(1, len(table.seats) + 1), rng.randint(1, len(table.seats))):
        placed = some_bets(rng, table, position)
        if refusal(table, placed) is None:
            do(placed)
        elif refusal(table, alone := c.PlaceBets(position, placed.bets)) is None:
            do(alone)
    do(c.NoMoreBets())
    while not table.over:
        do(next_step(rng, table, ("table",)))
    return commands


def any_command(rng: Random, table: Round) -> Any:
    """A command from the whole vocabulary, right or wrong in every way."""
    kind = rng.choice(KINDS)
    command = _BUILD[kind](rng, table)
    if rng.random() < 0.15:
        names = list(kind.__dataclass_fields__)
        if not names:
            return rng.choice(JUNK)
        values = {name: getattr(command, name) for name in names}
        values[rng.choice(names)] = rng.choice(JUNK)
        return kind(**values)
    return command


def _position(rng: Random, table: Round) -> int:
    if table.playing and rng.random() < 0.7:
        return rng.choice(table.playing)
    return rng.randint(-1, 8)


def _bet(rng: Random, table: Round) -> str:
    return rng.choice(table.ruleset.game.order if rng.random() < 0.8 else EVERY_BET)


def _bets(rng: Random, table: Round) -> c.PlaceBets:
    good = some_bets(rng, table, rng.randint(1, len(table.seats)))
    if rng.random() < 0.6:
        return good
    if rng.random() < 0.3:
        return c.PlaceBets(_position(rng, table), ())
    bets = tuple((_bet(rng, table), rng.randint(-5, 500)) for _ in range(rng.randint(1, 4)))
    return c.PlaceBets(_position(rng, table), bets, good.player)


def _cards(rng: Random) -> tuple[int, ...]:
    return tuple(rng.choices(DECK, k=rng.randint(0, 4)))


def _shuffle(rng: Random, table: Round) -> c.LoadShuffle:
    good = some_shuffle(rng, table)
    wrong: list[Shuffle] = [
        good._replace(cards=good.cards[:51]),
        good._replace(cards=(*good.cards[:51], good.cards[0])),
        good._replace(packet_size=rng.randint(0, 4)),
        good._replace(id=table.previous_shuffle),
        good._replace(by=rng.choice(("", "automatic", "by hand"))),
    ]
    return c.LoadShuffle(good if rng.random() < 0.5 else rng.choice(wrong))


def _payout(rng: Random, table: Round) -> c.ReportPayout:
    lines = [(seat.position, line) for seat in table.seats for line in seat.lines]
    if lines and rng.random() < 0.8:
        position, line = rng.choice(lines)
        return c.ReportPayout(position, line.bet, line.net + rng.randint(-2, 2) * 100, line.hand)
    return c.ReportPayout(_position(rng, table), _bet(rng, table), rng.randint(-500, 500))


def _start(rng: Random, table: Round) -> c.StartGame:
    if table.ruleset.game.code == BONUS:
        return c.StartGame((("single", 5),))
    good = start_game(rng, table)
    if rng.random() < 0.6:
        return good
    return c.StartGame(good.meters[1:], tuple(rng.sample(range(1, 8), 2)))


def _press(rng: Random, table: Round) -> c.PressHand:
    on = [seat for seat in table.seats if seat.pressed]
    if on and rng.random() < 0.5:
        return c.PressHand(on[0].position, on[0].pressed)
    return c.PressHand(_position(rng, table), rng.choice(("akq_spades", "straight_flush", "x")))


def _second_thoughts(table: Round) -> list[Command]:
    """What takes a hand button or a confirmed award back."""
    pressed = [seat for seat in table.seats if seat.pressed]
    back: list[Command] = [c.BackOutAward(seat.position) for seat in pressed]
    back += [c.PressHand(seat.position, seat.pressed) for seat in pressed]
    return [command for command in back if refusal(table, command) is None]


def _confirmed(table: Round) -> list[int]:
    return [s.position for s in table.seats if s.pressed and s.settled("progressive")]


EVERY_BET = tuple(dict.fromkeys(bet for game in GAMES for bet in game.order))
_DECISIONS = (*(name for game in GAMES for name in game.action_names), "surrender")
_BUILD: dict[Any, Any] = {
    c.PlaceBets: _bets,
    c.LoadShuffle: _shuffle,
    c.NoMoreBets: lambda _, __: c.NoMoreBets(),
    c.StartGame: _start,
    c.Deliver: lambda rng, __: c.Deliver(rng.choice((None, *range(-1, 9)))),
    c.Expose: lambda rng, table: c.Expose(_position(rng, table), _cards(rng)),
    c.Decide: lambda rng, table: c.Decide(_position(rng, table), rng.choice(_DECISIONS)),
    c.CloseOffer: lambda rng, __: c.CloseOffer(rng.choice(("insurance",) * 5 + ("x",))),
    c.CollectForfeits: lambda _, __: c.CollectForfeits(),
    c.Reveal: lambda rng, __: c.Reveal(rng.choice(("dealer", "community", "all"))),
    c.Reconcile: lambda rng, __: c.Reconcile(rng.choice((None, *range(-1, 9)))),
    c.PressHand: lambda rng, table: _press(rng, table),
    c.ConfirmAward: lambda rng, table: c.ConfirmAward(
        _position(rng, table), rng.randint(-5, 10**6)
    ),
    c.BackOutAward: lambda rng, table: c.BackOutAward(
        rng.choice([*_confirmed(table), _position(rng, table)])
    ),
    c.PayEnvy: lambda _, __: c.PayEnvy(),
    c.CloseRound: lambda _, __: c.CloseRound(),
    # Rarely right, or hardly a round would see its end.
    c.VoidRound: lambda rng, __: c.VoidRound(
        rng.choice(("boredom",) * 40 + ("wrong_card_count", "late_wager"))
    ),
    c.ReportExposed: lambda rng, table: c.ReportExposed(
        rng.choice((0, _position(rng, table))), rng.randint(-1, 7)
    ),
    c.ReportLateWager: lambda rng, table: c.ReportLateWager(
        _position(rng, table), _bet(rng, table), rng.randint(-1, 500)
    ),
    c.Rule: lambda rng, __: c.Rule(
        rng.choice(("play_on", "play_on", "maybe")), rng.choice(("fair", "", "a\nb"))
    ),
    c.ReportPayout: _payout,
    c.CorrectPayout: lambda rng, table: c.CorrectPayout(
        _position(rng, table), _bet(rng, table), rng.choice(("wrong_odds", "mood"))
    ),
    c.ReportFault: lambda rng, __: c.ReportFault(rng.choice(("jam", " ", "a\nb"))),
    c.RunbookStep: lambda rng, __: c.RunbookStep(
        rng.choice((*RUNBOOKS, "kick")), rng.randint(0, 8)
    ),
}
KINDS = tuple(_BUILD)
