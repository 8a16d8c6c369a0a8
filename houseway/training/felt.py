"""Felt: wagers that may be made, the chips they lie in, and names as people say them.

What is drawn here is only where a question begins; whether a wager may stand is asked of the
rules, and so is what becomes of it.
"""

import re
from collections.abc import Mapping
from functools import cache
from math import lcm
from random import Random
from typing import Any

from houseway.floor.chips import CHIPS
from houseway.games import GAMES
from houseway.house.money import MeterShare, dollars_text
from houseway.house.options import Options, spot_amount, wager_limit
from houseway.live.phases import Phase
from houseway.live.words import and_list
from houseway.names import Bet, bet_name
from houseway.rules.ruleset import Ruleset
from houseway.rules.settlement import Settlement, settle
from houseway.training.drill import Choice, Stack

ODD_NUMBERS = (1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 17, 20, 23, 25, 30, 35, 40, 45, 55, 60, 75)
"""Chips in a wager: many of them odd, which is where pays go wrong."""
FEW = (1, 1, 1, 2, 3, 5)
TWINS = (2_000, 2_500)
"""Chips that no tray holds both of."""
Tray = tuple[int, ...]
"""Cents on the chips of a tray, largest first."""


def bet_choices(bets: "tuple[str, ...] | list[str]") -> tuple[Choice, ...]:
    """Bets to choose from."""
    return tuple(Choice(bet, bet_name(bet)) for bet in bets)


def position_choices(positions: "tuple[int, ...] | list[int]") -> tuple[Choice, ...]:
    """Positions to choose from."""
    return tuple(Choice(str(position), f"Position {position}") for position in positions)


def places(positions: "tuple[int, ...] | list[int]") -> str:
    """Positions in words: 'position 4', 'positions 1, 3 and 7'."""
    return f"position{'s' if len(positions) > 1 else ''} {and_list(positions)}"


def plain_words(text: str) -> str:
    """A sentence of the program with bets and moments as people say them."""
    one_word, several = _bets()
    for bet in several:
        text = text.replace(bet, bet_name(bet))
    text = one_word.sub(lambda found: f"{found[1]} {bet_name(found[2])}", text)
    return _PHASE.sub(lambda found: f"at this moment {MOMENTS[Phase(found[1])]}", text)


@cache
def _bets() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Where a sentence names a bet of one word, and the bets of several."""
    every = dict.fromkeys(bet for game in GAMES for bet in game.order)
    plain = "|".join(bet for bet in every if "-" not in bet)
    return re.compile(rf"\b([Oo]n|[Cc]orrect) ({plain})\b"), tuple(b for b in every if "-" in b)


def sentence(text: str) -> str:
    """The same with a capital at the beginning and a full stop at the end."""
    text = plain_words(text)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


MOMENTS = {
    Phase.BETTING: "bets are open",
    Phase.NO_MORE_BETS: "betting has ended and no card is out",
    Phase.DEALING: "cards are going out",
    Phase.DECISIONS: "the players decide",
    Phase.REVEAL: "all have decided",
    Phase.RECONCILE: "hands are being settled",
    Phase.CLOSED: "the round is over",
    Phase.VOID: "the round is void",
}
_PHASE = re.compile(r"the round is in phase '([a-z ]+)'")
YES_NO = (Choice("yes", "Yes"), Choice("no", "No"))


def yes_no(yes: object) -> str:
    """The answer to a question that is yes or no."""
    return "yes" if yes else "no"


def some_tray(rng: Random, options: Options) -> Tray:
    """Denominations of a tray: what is printed on chips, in whole numbers of the smallest one."""
    smallest = options.smallest_chip
    chips = {smallest, *(worth for worth in CHIPS if worth % smallest == 0)}
    if chips >= {*TWINS}:
        chips.remove(rng.choice(TWINS))
    if 1_000 in chips and smallest != 1_000 and rng.random() < 0.5:
        chips.remove(1_000)
    return tuple(sorted(chips, reverse=True))


def chips_of(cents: int, tray: Tray) -> tuple[tuple[int, int], ...]:
    """An amount in chips, the largest first; none where it does not come out in these."""
    found = []
    for worth in tray:
        count, cents = divmod(cents, worth)
        if count:
            found.append((worth, count))
    return () if cents else tuple(found)


def chips_answer(cents: int, tray: Tray) -> tuple[str, ...]:
    """The same as an answer."""
    return tuple(f"{worth}x{count}" for worth, count in chips_of(cents, tray))


def tray_text(tray: Tray) -> str:
    """The denominations of a tray, for a fact."""
    return ", ".join(dollars_text(worth) for worth in tray)


def stack(bet: str, cents: int, tray: Tray, position: int | None = None) -> Stack:
    """A wager as it lies on its spot."""
    return Stack(bet, bet_name(bet), cents, chips_of(cents, tray), position)


def stacks(wagers: Mapping[Bet, int], tray: Tray, position: int | None = None) -> tuple[Stack, ...]:
    """The wagers of a seat as they lie."""
    return tuple(stack(bet, cents, tray, position) for bet, cents in wagers.items())


def with_play(wagers: Mapping[Bet, int], seat: Settlement) -> dict[Bet, int]:
    """The wagers of a seat, with what lay on Play when it was settled, if anything did."""
    return {**{line.bet: line.wager for line in seat.lines if line.bet == "play"}, **wagers}


def wager_step(ruleset: Ruleset) -> int:
    """What every wager is a multiple of: chips, and where breakage is exact what always comes out.

    Halves and 3 to 2 are all there is, and the paytables may have more.
    """
    step = int(ruleset.options.smallest_chip)
    if ruleset.options.breakage != "exact":
        return step
    rows = [odds for table in ruleset.paytables.values() for _, odds in table.rows]
    parts = [odds.denominator for odds in rows if not isinstance(odds, MeterShare)]
    return lcm(step, 2, *parts)


def some_wager(
    rng: Random, ruleset: Ruleset, bet: str, numbers: tuple[int, ...] = ODD_NUMBERS
) -> int:
    """A wager on a spot that the limits of the table allow."""
    options, step = ruleset.options, wager_step(ruleset)
    least = -(-(spot_amount(options.table_minimum, bet) or step) // step) * step
    wanted = rng.choice(numbers) * step
    most = spot_amount(options.table_maximum, bet)
    limit = wager_limit(options)
    if limit is not None:
        most = limit.most if most is None else min(most, limit.most)
    if wanted < least:
        wanted += least
    if most is not None and wanted > most:
        wanted = most // step * step
    return wanted


def some_wagers(rng: Random, ruleset: Ruleset, *bets: Bet, also: float = 0.0) -> dict[Bet, int]:
    """Wagers on these spots and on what they need beside them, others with a probability."""
    game, options = ruleset.game, ruleset.options
    wanted = {bet for bet in game.wagers if bet in bets or rng.random() < also}
    if game.required:
        wanted |= set(game.required)
    elif options.ante_mandatory == "on" or not wanted & {"ante", "pair-plus"}:
        wanted.add("ante")
    return {
        bet: some_wager(rng, ruleset, bet, FEW if bet == "progressive" else ODD_NUMBERS)
        for bet in game.wagers
        if bet in wanted
    }


def codes_of(ruleset: Ruleset) -> dict[str, str]:
    """The paytables of a ruleset, as settling takes them."""
    return {bet: table.code for bet, table in ruleset.paytables.items()}


def settled(ruleset: Ruleset, **seat: Any) -> Settlement:
    """One seat settled by these rules."""
    return settle(
        ruleset.game.code,
        options=ruleset.options,
        paytables=codes_of(ruleset),
        **seat,
    )
