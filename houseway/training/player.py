"""Player: the rooms in which players learn."""

from houseway.training import decisions, meters, prices, rules
from houseway.training.skill import Skill

PLAYER_ROOMS: tuple[tuple[Skill, ...], ...] = (
    rules.SKILLS,
    decisions.SKILLS,
    prices.SKILLS,
    meters.SKILLS,
)
"""Rules first, then decisions, then what it all costs."""
