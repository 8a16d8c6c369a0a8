"""Irregularities: what goes wrong at a table, and what is done then."""

from random import Random
from typing import Any

from houseway.house.meters import MICROCENTS, Meter, MeterSettings, contribute, take_back
from houseway.house.money import dollars_text
from houseway.live import commands as c
from houseway.live.commands import DEALER
from houseway.live.guard import place_words
from houseway.live.phases import Phase
from houseway.live.round import act
from houseway.live.state import Round
from houseway.live.words import prompt
from houseway.names import bet_name
from houseway.rules.lines import Line
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Held, Scene
from houseway.training.felt import plain_words, some_wager
from houseway.training.marks import choice_field
from houseway.training.rounds import (
    round_scene,
    some_positions,
    some_round,
    states,
    texts_as_choices,
)
from houseway.training.skill import Question, Skill, three_card

NONE_WRONG = Choice("none", "nobody: all have the right number")
VOID = (
    Choice("void", "all hands are void, and the deck is shuffled again"),
    Choice("hand", "that hand alone is void"),
    Choice("repair", "a card is added or taken away, and play goes on"),
    Choice("on", "nothing: play goes on"),
)
RATES = (100_000, 150_000, 200_000, 240_000)


def _dealt(rng: Random, ruleset: Ruleset, **options: Any) -> list[Round]:
    """States of a round in which cards lie on the table and nothing is settled."""
    found = states(rng, some_round(rng, ruleset, **options))
    phases = (Phase.DECISIONS, Phase.REVEAL) if three_card(ruleset) else (Phase.RECONCILE,)
    return [
        table
        for table in found
        if table.phase in phases and not any(seat.lines for seat in table.seats)
    ]


def _face_down(rng: Random, ruleset: Ruleset) -> tuple[Round, list[tuple[int, int]]]:
    """A state before the dealer's hand is turned over, and the cards that lie face down."""
    while True:
        every = states(rng, some_round(rng, ruleset))
        found = [t for t in every if t.phase in (Phase.DECISIONS, Phase.REVEAL)]
        if not found:
            continue
        table = rng.choice(found)
        down = [
            (place, number)
            for place in (*table.playing, DEALER)
            for number, up in enumerate(
                table.dealer_up if place == DEALER else table.seat(place).up, start=1
            )
            if not up
        ]
        if down:
            return table, down


def card_count(rng: Random, ruleset: Ruleset) -> Question:
    """A hand with a card too many or too few, and what follows from it."""
    found: list[Round] = []
    while not found:
        found = _dealt(rng, ruleset, positions=some_positions(rng, 3, 5))
    table = found[0]
    places = [*table.playing, DEALER]
    wrong = rng.choice(places) if rng.random() < 0.8 else None
    hands = []
    for place in places:
        number = len(table.dealer if place == DEALER else table.seat(place).cards)
        if place == wrong:
            number += rng.choice((-1, 1))
        hands.append(Held(place_words(place).capitalize(), (None,) * number))
    after, _ = act(table, c.VoidRound("wrong_card_count")) if wrong is not None else (table, ())
    voided = "void" if after.phase is Phase.VOID else "on"
    where = ruleset.game.clause("void")
    choices = [Choice(str(place), place_words(place).capitalize()) for place in places]
    return Question(
        question="The cards are out. Has anybody a wrong number of cards, and what follows?",
        scene=Scene(hands=tuple(hands)),
        fields=(
            choice_field(
                "place",
                "The wrong number is with",
                "none" if wrong is None else str(wrong),
                (*choices, NONE_WRONG),
                _count_words(hands, wrong, places),
                where,
            ),
            choice_field(
                "follows",
                "What follows",
                voided,
                VOID,
                "One wrong number makes all hands void."
                if wrong is not None
                else "All have what they should have, so the round goes on.",
                where,
            ),
        ),
    )


def _count_words(hands: list[Held], wrong: int | None, places: list[int]) -> str:
    if wrong is None:
        return "Every place has what it should have."
    held = hands[places.index(wrong)]
    number = len(held.cards)
    return f"{held.label} has {number} card{'' if number == 1 else 's'}, unlike all the others."


def void_round(rng: Random, ruleset: Ruleset) -> Question:
    """What a position gets back when a round is void."""
    found: list[Round] = []
    while not found:
        found = _dealt(rng, ruleset)
    table = rng.choice(found)
    after, _ = act(table, c.VoidRound("wrong_card_count"))
    position = rng.choice(table.playing)
    before_seat, seat = table.seat(position), after.seat(position)
    back = seat.purse - before_seat.purse
    why = f"All that position {position} has put up goes back."
    fields = [
        Field(
            name="back",
            label=f"You give back to position {position}",
            kind="amount",
            answer=back,
            why=f"{why} {_carried_words(seat.carried)}".strip(),
            clause=ruleset.game.clause("void"),
        )
    ]
    if "progressive" in seat.wagers:
        fields.append(
            choice_field(
                "progressive",
                "The progressive wager",
                "carried" if seat.carried else "back",
                (
                    Choice("back", "goes back with the others"),
                    Choice("carried", "stands for the next round"),
                    Choice("lost", "is lost: it was taken in"),
                ),
                "What a void round does to it is the house's choice.",
                ruleset.game.clause("void"),
            )
        )
    return Question(
        question=f"The round is declared void. What does position {position} get back?",
        scene=round_scene(rng, table),
        fields=tuple(fields),
    )


def _carried_words(cents: int) -> str:
    return f"{dollars_text(cents)} of progressive wager stands for the next round." if cents else ""


def void_meter(rng: Random, ruleset: Ruleset) -> Question:
    """What the meter shows after a void round."""
    options = ruleset.options
    level = ruleset.paytables["progressive"].levels[-1]
    rates = dict(options.contribution_rate)
    reserves = dict(options.reserve_rate)
    settings = MeterSettings(
        contribution_ppm=rates.get(level, rng.choice(RATES)),
        reserve_ppm=reserves.get(level, 10_000),
    )
    positions = rng.randint(2, 6)
    wager = some_wager(rng, ruleset, "progressive", (1, 2, 5))
    before = Meter(amount=rng.randint(100_000, 900_000) * MICROCENTS)
    started, parts = contribute(before, settings, positions * wager)
    carried = options.void_progressive == "carry_to_next_round"
    after = started if carried else take_back(started, parts)
    why = (
        "Here the wagers stand for the next round, and what they put on the meter stays."
        if carried
        else "The wagers go back, and so does what they had put on the meter."
    )
    rate = f"{settings.contribution_ppm / 10_000:g}%"
    return Question(
        question="The game was started, then the round was void. What does the meter show now?",
        scene=Scene(
            facts=(
                ("Meter before the start", dollars_text(before.shown_cents)),
                ("Lit positions", str(positions)),
                ("Each wager", dollars_text(wager)),
                ("Of each wager to the meter", rate),
            )
        ),
        fields=(
            Field(
                name="meter",
                label="The meter shows",
                kind="amount",
                answer=after.shown_cents,
                why=why,
                clause=ruleset.game.clause("void"),
            ),
        ),
    )


def exposed(rng: Random, ruleset: Ruleset) -> Question:
    """A card that lay face down was seen: what is done."""
    table, down = _face_down(rng, ruleset)
    place, number = rng.choice(down)
    after, _ = act(table, c.ReportExposed(place, number))
    said, going_on = prompt(after), prompt(table)
    # Whoever goes on as if nothing had happened does what was next before.
    wrong = [
        going_on.do,
        f"Turn card {number} face down again and go on.",
        f"Give {place_words(place)} another card for it.",
    ]
    answer, choices = texts_as_choices(
        rng, plain_words(said.do), [plain_words(each) for each in wrong]
    )
    return Question(
        question=f"Card {number} of {place_words(place)} flips over by accident. "
        "What do you do now?",
        scene=round_scene(rng, table),
        fields=(
            choice_field(
                "do",
                "You do",
                answer,
                choices,
                f"You say: {said.say} A supervisor rules before anything else is done.",
                _exposed_clause(ruleset),
            ),
        ),
    )


def _exposed_clause(ruleset: Ruleset) -> str:
    return {"triple-shot-rummy": "TSR-25", "triple-shot-bonus": "TSB-08"}.get(
        ruleset.game.code, "TCP-18"
    )


def late_wager(rng: Random, ruleset: Ruleset) -> Question:
    """A wager that lies there after betting ended: what is done, and where it goes."""
    begun = some_round(rng, ruleset)
    closed = [t for t in states(rng, begun) if t.phase in (Phase.NO_MORE_BETS, Phase.DEALING)]
    table = rng.choice(closed)
    position = rng.choice(table.playing)
    bet = rng.choice(ruleset.game.wagers)
    cents = some_wager(rng, ruleset, bet)
    found, _ = act(table, c.ReportLateWager(position, bet, cents))
    ruled, _ = act(found, c.Rule("play_on", "the wager came late"))
    said = prompt(found)
    wrong = [
        prompt(table).do,
        "Leave it: it counts like the others.",
        "Take it in: it is lost.",
    ]
    answer, choices = texts_as_choices(
        rng, plain_words(said.do), [plain_words(each) for each in wrong]
    )
    back = ruled.seat(position).purse - found.seat(position).purse
    named = f"{dollars_text(cents)} on {bet_name(bet)} at position {position}"
    where = ruleset.game.clause("no more bets")
    return Question(
        question=f"Betting has ended, and now you find {named} that was not there. What now?",
        scene=round_scene(rng, table),
        fields=(
            choice_field(
                "do",
                "You do",
                answer,
                choices,
                f"You say: {said.say} A supervisor rules on it.",
                where,
            ),
            Field(
                name="back",
                label="The ruling is to play on. You give back to the player",
                kind="amount",
                answer=back,
                why="After betting ended no wager is made, so a late one goes back.",
                clause=where,
            ),
        ),
    )


def _paid_lines(rng: Random, ruleset: Ruleset) -> list[tuple[Round, int, Line]]:
    """Pays of a round that is not over, each with the moment at which it is looked at."""
    return [
        (table, seat.position, line)
        for table in states(rng, some_round(rng, ruleset))[:-1]
        for seat in table.seats
        for line in seat.lines
        if line.net > 0 and line.bet != "envy"
    ]


def correct(rng: Random, ruleset: Ruleset) -> Question:
    """A pay that was wrong: what is still owed, or taken back."""
    paid = _paid_lines(rng, ruleset)
    while not paid:
        paid = _paid_lines(rng, ruleset)
    table, position, line = rng.choice(paid)
    chip = ruleset.options.smallest_chip
    given = max(0, line.net + rng.choice((line.wager, -line.wager, chip, -chip, -line.wager)))
    after, _ = act(table, c.ReportPayout(position, line.bet, given, line.hand))
    short = after.wrong[0].short
    named = f"{bet_name(line.bet)} of position {position}"
    return Question(
        question=f"You notice that {named} was paid {dollars_text(given)}. How is it put right?",
        scene=Scene(
            facts=(
                ("Wager", f"{dollars_text(line.wager)} on {bet_name(line.bet)}"),
                ("Due", line.why),
                ("Paid", dollars_text(given)),
            )
        ),
        fields=(
            choice_field(
                "way",
                "You",
                "more" if short > 0 else "back",
                (Choice("more", "pay the player more"), Choice("back", "take some back")),
                plain_words(prompt(after).do),
                line.clause,
            ),
            Field(
                name="cents",
                label="How much",
                kind="amount",
                answer=abs(short),
                why=f"{dollars_text(line.net)} is due. {plain_words(prompt(after).do)}",
                clause=line.clause,
            ),
        ),
    )


SKILLS = (
    Skill(code="irregularities.count", title="Wrong number of cards", make=card_count),
    Skill(code="irregularities.void", title="What a void round gives back", make=void_round),
    Skill(
        code="irregularities.meter",
        title="The meter after a void round",
        make=void_meter,
        applies=three_card,
    ),
    Skill(code="irregularities.exposed", title="A card is exposed", make=exposed),
    Skill(code="irregularities.late", title="A late wager", make=late_wager),
    Skill(code="irregularities.correct", title="A wrong pay put right", make=correct),
)
