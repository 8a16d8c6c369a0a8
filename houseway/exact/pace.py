"""Pace: rounds an hour, from the seconds that play and the shuffler take. A model, not a count."""

from fractions import Fraction

from houseway.refusal import Reason, Refused

SECONDS_AN_HOUR = 3600
DECKS = (1, 2)
"""One deck waits for the shuffler; with two in turn, one is shuffled while the other is played."""


def rounds_per_hour(
    *, play_seconds: int | Fraction, cycle_seconds: int | Fraction, decks: int = 1
) -> Fraction:
    """Rounds that a table deals in an hour (ACE-04).

    `play_seconds` runs from the first bet to the last payment, `cycle_seconds` is one cycle of
    the shuffler. Time at which nobody plays is not in it.
    """
    for name, seconds in (("play_seconds", play_seconds), ("cycle_seconds", cycle_seconds)):
        if seconds <= 0:
            raise Refused(Reason.BAD_ARGUMENT, f"{name} {seconds} must be more than 0")
    if decks not in DECKS:
        raise Refused(Reason.BAD_ARGUMENT, f"decks {decks} must be 1, or 2 used in turn")
    together = play_seconds + cycle_seconds
    return SECONDS_AN_HOUR / Fraction(together if decks == 1 else max(play_seconds, cycle_seconds))


def cycles_gained(quicker: Fraction) -> tuple[Fraction, Fraction]:
    """Cycles in the time of one older cycle, by the two readings of 'so much faster' (ACE-04).

    Either the rate is higher by that share, or a cycle takes less time by that share.
    """
    return 1 + quicker, 1 / (1 - quicker)
