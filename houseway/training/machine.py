"""Machine: the shuffler, how it is handled and what is done when it fails."""

from random import Random

from houseway.cards import DECK, DECK_SIZE, cards_text
from houseway.games import game_of
from houseway.live import commands as c
from houseway.live.round import act, refusal
from houseway.live.shuffler import HOUSE_SHUFFLE, RUNBOOKS, Shuffle, check_deck
from houseway.live.words import prompt
from houseway.refusal import Refused
from houseway.rules.ruleset import Ruleset
from houseway.training.drill import Choice, Field, Scene
from houseway.training.felt import places, sentence
from houseway.training.marks import choice_field, known_clause, yes_field
from houseway.training.rounds import some_round
from houseway.training.skill import Question, Skill

FAULTS = ("cards jam", "no power", "the display shows an error", "a door does not close")
LONGEST = max(RUNBOOKS, key=lambda branch: len(RUNBOOKS[branch]))


def with_shuffler(ruleset: Ruleset) -> bool:
    """True where a machine shuffles."""
    return bool(ruleset.options.shuffler_mode == "automatic")


def next_step(rng: Random, ruleset: Ruleset) -> Question:
    """What the next step is when the shuffler has failed and some steps are done."""
    table = some_round(rng, ruleset)
    fault = rng.choice(FAULTS)
    table, _ = act(table, c.ReportFault(fault))
    branch: str = ruleset.options.shuffler_fault_procedure
    if len(RUNBOOKS[branch]) == 1 and rng.random() < 0.8:
        branch = LONGEST
    steps = RUNBOOKS[branch]
    done = rng.randrange(len(steps))
    for step in range(1, done + 1):
        table, _ = act(table, c.RunbookStep(branch, step))
    right = steps[done]
    assert refusal(table, c.RunbookStep(branch, done + 1)) is None
    wrong = [text for name in RUNBOOKS for text in RUNBOOKS[name] if text != right]
    if not done:
        # Before the first step any branch may be taken; only steps of this one are asked for.
        wrong = list(steps[1:]) or list(RUNBOOKS[LONGEST][1:])
    pool = rng.sample(wrong, min(3, len(wrong)))
    choices = [
        Choice(f"s{at}", text) for at, text in enumerate(rng.sample([right, *pool], len(pool) + 1))
    ]
    answer = next(choice.value for choice in choices if choice.label == right)
    return Question(
        question=f"The shuffler has failed ({fault}), and this is the list you work by. "
        "What is the next step?",
        scene=Scene(
            facts=(
                ("List", branch.replace("_", " ")),
                ("Steps done", "; ".join(steps[:done]) or "none"),
            )
        ),
        fields=(
            choice_field(
                "step",
                "Next",
                answer,
                choices,
                f"Step {done + 1} of {len(steps)}: {right}",
                ruleset.game.clause("fault"),
            ),
        ),
    )


def steps_in_order(rng: Random, ruleset: Ruleset) -> Question:
    """The steps of swapping a shuffler, in order."""
    steps = RUNBOOKS[LONGEST]
    values = [f"s{number}" for number in range(1, len(steps) + 1)]
    pairs = list(zip(values, steps, strict=True))
    if rng.random() < 0.5:
        # A part of the list, still in its order.
        kept = sorted(rng.sample(range(len(steps)), rng.randint(4, 5)))
        pairs = [pairs[at] for at in kept]
    return Question(
        question="The shuffler keeps failing and is swapped for the backup. In which order?",
        fields=(
            Field(
                name="order",
                label="Steps",
                kind="order",
                answer=tuple(value for value, _ in pairs),
                why=" ".join(text for _, text in pairs),
                clause=ruleset.game.clause("fault"),
                choices=tuple(
                    Choice(value, text.rstrip(".")) for value, text in rng.sample(pairs, len(pairs))
                ),
            ),
        ),
    )


def first(rng: Random, ruleset: Ruleset) -> Question:
    """What this house does first when the shuffler fails, and whether dealing may go on."""
    table = some_round(rng, ruleset)
    fault = rng.choice(FAULTS)
    table, _ = act(table, c.NoMoreBets())
    table, _ = act(table, c.ReportFault(fault))
    right = RUNBOOKS[ruleset.options.shuffler_fault_procedure][0]
    choices = [Choice(branch, steps[0]) for branch, steps in RUNBOOKS.items()]
    found = prompt(table)
    refused = refusal(table, c.Deliver())
    where = ruleset.game.clause("fault")
    return Question(
        question=f"The shuffler fails ({fault}) before the deal. What does this house do first, "
        "and may cards go out meanwhile?",
        fields=(
            choice_field(
                "first",
                "First",
                ruleset.options.shuffler_fault_procedure,
                rng.sample(choices, len(choices)),
                f"{right} You say: {found.say}",
                where,
            ),
            yes_field(
                "deal",
                "May cards be dealt meanwhile?",
                refused is None,
                "Nothing is dealt until the list is through.",
                where,
            ),
        ),
    )


def deck_count(rng: Random, ruleset: Ruleset) -> Question:
    """Whether a deck that was counted may be dealt."""
    counted = "The machine has" if with_shuffler(ruleset) else "You have"
    deck = list(DECK)
    rng.shuffle(deck)
    change = rng.choice(("none", "missing", "twice", "swapped"))
    if change in ("missing", "swapped"):
        deck.pop()
    if change in ("twice", "swapped"):
        deck.append(rng.choice(deck))
    try:
        check_deck(deck)
        why, may = f"{DECK_SIZE} different cards are a whole deck.", True
    except Refused as refused:
        why, may = sentence(refused.message), False
    missing = [card for card in DECK if card not in deck]
    twice = sorted({card for card in deck if deck.count(card) > 1})
    return Question(
        question=f"{counted} counted the deck. May it be dealt?",
        scene=Scene(
            facts=(
                ("Cards counted", str(len(deck))),
                ("Missing", cards_text(missing) or "none"),
                ("Twice", cards_text(twice) or "none"),
            )
        ),
        fields=(yes_field("may", "It may be dealt", may, why, "ACE-06"),),
    )


def packets(rng: Random, ruleset: Ruleset) -> Question:
    """How many cards are in a packet, and how many packets a round needs."""
    code = ruleset.game.code
    table = some_round(rng, ruleset)
    size = game_of(code).packet
    by = "automatic" if with_shuffler(ruleset) else HOUSE_SHUFFLE
    other = 1 if size == 3 else 3
    wrong = refusal(table, c.LoadShuffle(Shuffle("other", DECK, other, by)))
    assert wrong is not None
    positions = [seat.position for seat in table.seats if seat.wagers]
    facts = [("Bets at", places(positions))]
    linked = size > 1 and ruleset.paytables["progressive"].community and table.lit()
    if linked:
        facts.append(("The link is lit at", places(table.lit())))
    more = 1 if linked and ruleset.options.community_source == "next_packet" else 0
    fields = [
        Field(
            name="size",
            label="Cards in a packet",
            kind="number",
            answer=size,
            why=f"The game that is selected sets it: {size} for {ruleset.game.name}.",
            clause=known_clause(wrong.clause, "ACE-03"),
        )
    ]
    if size > 1:
        fields.append(
            Field(
                name="packets",
                label="Packets for this round, yours too",
                kind="number",
                answer=len(positions) + 1 + more,
                why="One for each position with bets and one for the dealer"
                + (", and the community cards are the top of one more." if more else "."),
                clause="TSR-39" if code == "triple-shot-rummy" else "ACE-03",
            )
        )
    return Question(
        question=f"You select {ruleset.game.name} on the shuffler. How many cards make a packet?",
        scene=Scene(facts=tuple(facts)),
        fields=tuple(fields),
    )


SKILLS = (
    Skill(code="shuffler.first", title="When it fails", make=first, applies=with_shuffler),
    Skill(code="shuffler.next", title="The next step", make=next_step, applies=with_shuffler),
    Skill(code="shuffler.order", title="Swapping it", make=steps_in_order, applies=with_shuffler),
    Skill(code="shuffler.deck", title="The count of the deck", make=deck_count),
    Skill(code="shuffler.packets", title="Packets", make=packets, applies=with_shuffler),
)
