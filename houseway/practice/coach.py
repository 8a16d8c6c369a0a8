"""Coach: what each decision at a live round is worth, and players that play by themselves.

Only what the player may see is looked at: the own cards and wagers, the dealer's up card and the
phase. Cards of other positions, and cards that were exposed by mistake, are left out. A player is
a function of the round and a position; `basic` needs no extra, `optimal` and the values ask the
guide of the game's solver, which is loaded when first asked for and kept per ruleset.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from houseway.games.contract import Seen
from houseway.live import commands as c
from houseway.live.round import refusal
from houseway.live.seen import seen_of, turned
from houseway.live.state import Round
from houseway.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from houseway.exact.solver import Guide


def decision_values(table: Round, position: int) -> dict[str, Fraction]:
    """The expected net of every decision that is legal now; empty when none is.

    In units of the bet that the game values decisions in (`Game.unit`), best play afterwards. While
    an offer is open it is the only decision and its value stands by itself, beside 0 for letting it
    pass. What the value leaves out is said by `left_out`.
    """
    names = table.ruleset.game.action_names
    legal = [name for name in names if refusal(table, c.Decide(position, name)) is None]
    if not legal:
        return {}
    guide, wagers = _guide(table.ruleset), table.seat(position).wagers
    worth = guide.values(_seen(table, position), wagers, legal)
    return {name: worth[name] for name in legal}


def prepare(ruleset: Ruleset) -> None:
    """Have the values of a game counted before the first is asked for."""
    _guide(ruleset)


def forget(digest: str) -> None:
    """Let go of the values under rules that nobody plays by any more, known by their digest."""
    _GUIDES.pop(digest, None)


def left_out(table: Round, position: int) -> tuple[str, ...]:
    """The bets of a position that a decision may change and that its value leaves out."""
    solver = table.ruleset.game.solver
    named = () if solver is None else solver.left_out
    return tuple(bet for bet in named if bet in table.seat(position).wagers)


def optimal(table: Round, position: int) -> str | None:
    """The decision that is worth most; of equals the one that the game's guide names first.

    None while an offer is open and not worth taking. Refused when no decision is due.
    """
    seat = table.seat(position)
    if table.offer is not None:
        name = table.offer.name
        worth = _guide(table.ruleset).values(_seen(table, position), seat.wagers, (name,))
        return name if worth[name] > 0 and name not in seat.decisions else None
    usual = _checked_usual(table, position)
    return _guide(table.ruleset).best(_seen(table, position)) or usual


def basic(table: Round, position: int) -> str | None:
    """The decision of the game's rule of thumb (`Game.rule_of_thumb`); an offer is let pass.

    Without a rule of thumb it is what the script calls usual. Refused when no decision is due.
    """
    if table.offer is not None:
        return None
    usual, game = _checked_usual(table, position), table.ruleset.game
    if game.rule_of_thumb is None:
        return usual
    return game.rule_of_thumb.decide(_seen(table, position), table.options)


def _checked_usual(table: Round, position: int) -> str:
    """What a player does who says nothing; refused when no decision is due."""
    step = table.asking or table.ruleset.game.question
    refused = refusal(table, c.Decide(position, step.usual))
    if refused is not None:
        raise refused
    return step.usual


def _seen(table: Round, position: int) -> Seen:
    """What the player at a position sees: the dealer's cards as far as they lie face up."""
    seen = seen_of(table, table.seat(position))
    return seen._replace(dealer=turned(table.dealer, table.dealer_up))


_GUIDES: dict[str, "Guide"] = {}
"""By the digest of the ruleset, which stands for everything that an analysis depends on."""


def _guide(ruleset: Ruleset) -> "Guide":
    guide = _GUIDES.get(ruleset.digest)
    if guide is None:
        with _exact_analysis():
            from houseway.exact.solver import solver_of

            made = solver_of(ruleset.game).guide(ruleset.paytables, ruleset.options)
            guide = _GUIDES[ruleset.digest] = made
    return guide


@contextmanager
def _exact_analysis() -> Iterator[None]:
    """Says which extra is missing when the exact analysis cannot be loaded."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"module {error.name!r} is not installed; install houseway with the extra 'fast'",
            name=error.name,
        ) from None
