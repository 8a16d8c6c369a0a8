"""Environments: one position at a live table, a round an episode.

Every card is dealt and every bet settled by the live round. The only randomness is `np_random` of
the environment itself, from which each round's deck is shuffled, so a seed given to `reset`
decides everything that follows and nothing outside has a part in it. An observation holds what
the player may see and no more. The reward is 0 until the round is over, and then the net of all
bets in units of the base bet, in which the game values decisions.

`info["action_mask"]` has a 1 for every action that is allowed now, as `Discrete.sample` takes it.
An action that is not allowed is read as the first that is, a fold or a stand, and reported in
`info["illegal_action"]`; `info["decision"]` is what was done.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from houseway.cards import DECK_SIZE, cards_text
from houseway.games.contract import DEALER, SEATS, Ask, Deal, Game
from houseway.house.options import Options
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import carry_on
from houseway.live.round import act, refusal
from houseway.live.shuffler import make_shuffle
from houseway.live.state import Round, open_round
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import make_ruleset

Observation = npt.NDArray[np.int64]
POSITION = 1


def actions_of(game: Game) -> tuple[str, ...]:
    """The decisions by action: first what puts up no chips and takes no card, a fold or a stand.

    An offer that a seat may let pass is no action: it is let pass.
    """
    asked = (step for step in game.script if isinstance(step, Ask) and not step.offers)
    found = dict.fromkeys(action for step in asked for action in step.actions)
    ordered = sorted(found, key=lambda action: (action.puts is not None, action.takes))
    return tuple(action.name for action in ordered)


def bets_of(game: Game) -> dict[str, int]:
    """The usual wagers, in cents, on the bets that a seat needs."""
    return {bet: game.usual_cents(bet) for bet in game.required or (game.unit,)}


class TableEnvironment(gymnasium.Env[Observation, np.int64]):
    """One position of a game. `bets` are cents; options and paytables as for a par sheet.

    Observation, where all cards that a seat sees are dealt before it decides: its own in ascending
    order, each 0 to 51, then the dealer's that lie face up. Where more come between decisions: a
    place for each card that a seat may come to hold, in the order they came, for each of the
    dealer's that lies face up and for each of a board, each 0 for none or the card plus 1. What is
    settled without a decision is part of the reward; a hand that ends before any decision takes
    one step to its end.
    """

    # Gymnasium declares it so, and asks for a frame rate of whatever can be rendered.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        options: Options | Mapping[str, str] | None = None,
        paytables: str | Mapping[str, str] | None = None,
        bets: Mapping[str, int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.ruleset = make_ruleset(game, options, paytables)
        self.actions = actions_of(self.ruleset.game)
        self.bets: c.Bets = tuple((bets or bets_of(self.ruleset.game)).items())
        self.round = self._with_bets()
        self._ups: tuple[int, ...] = ()
        self._fresh, self._running = True, False
        self._places = _places(self.ruleset.game)
        self.render_mode = render_mode
        self.action_space: spaces.Discrete = spaces.Discrete(len(self.actions))
        self.observation_space: spaces.MultiDiscrete = spaces.MultiDiscrete(self._sizes())

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """A new round, dealt up to the first decision. `options` are not looked at."""
        super().reset(seed=seed)
        randomness = Random(int.from_bytes(self.np_random.bytes(16)))
        table = self._with_bets()
        shuffle = make_shuffle(randomness, self.ruleset.game.packet)
        table, _ = act(table, c.LoadShuffle(shuffle))
        table = carry_on(table)
        while table.offer is not None:
            table, _ = act(table, c.CloseOffer(table.offer.name))
            table = carry_on(table)
        self.round, self._fresh, self._running = table, True, True
        # The dealer's hand is put in order when it is shown, so what was up is noted now.
        ups = [card for card, up in zip(table.dealer, table.dealer_up, strict=True) if up]
        self._ups = tuple(ups[: self._places.dealer])
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The decision, and all that the dealer does until the next one or the end."""
        if not self.action_space.contains(action):
            raise ValueError(
                f"action {action!r} is unknown; known: 0 to {len(self.actions) - 1}, for "
                f"{', '.join(self.actions)}"
            )
        if not self._running:
            raise RuntimeError("no round is under way; call reset first")
        wanted, table = self.actions[int(action)], self.round
        mask = self.action_mask()
        legal = bool(mask[int(action)])
        decision = wanted if legal else self.actions[int(np.argmax(mask))]
        self._fresh = False
        if table.phase is Phase.DECISIONS:
            table, _ = act(table, c.Decide(POSITION, decision))
            self.round = table = carry_on(table)
        info = self._info() | {"decision": decision, "illegal_action": not legal}
        if not table.over:
            return self._observation(), 0.0, False, False, info
        self._running = False
        net = sum(line.net for line in table.seat(POSITION).lines)
        info["net_cents"] = net
        return self._observation(), net / dict(self.bets)[self.ruleset.game.unit], True, False, info

    def action_mask(self) -> npt.NDArray[np.int8]:
        """1 for every action that is allowed now.

        A round that is over when it was dealt takes one step to its end, with the first action.
        """
        table = self.round
        if table.phase is not Phase.DECISIONS:
            return np.array([1] + [0] * (len(self.actions) - 1), dtype=np.int8)
        allowed = [refusal(table, c.Decide(POSITION, name)) is None for name in self.actions]
        return np.array(allowed, dtype=np.int8)

    def render(self) -> str | None:
        """The cards that the player sees, where the mode is 'ansi'."""
        if self.render_mode != "ansi":
            return None
        table = self.round
        shown = [card for card, up in zip(table.dealer, table.dealer_up, strict=True) if up]
        own = cards_text(table.seat(POSITION).cards)
        return f"player {own}; dealer {cards_text(shown) or 'face down'}"

    def _with_bets(self) -> Round:
        game, names = self.ruleset.game, [bet for bet, _ in self.bets]
        meters = [side.code for side in game.side_bets if side.from_meter]
        if game.unit not in names or set(meters) & set(names):
            without = f", and a {listed(meters)} has no meter here" if meters else ""
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"bets {listed(names)} are not allowed; {game.unit} is needed{without}",
            )
        table, _ = act(open_round(self.ruleset, positions=1), c.PlaceBets(POSITION, self.bets))
        return table

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_mask()}

    def _sizes(self) -> list[int]:
        places = self._places
        size = DECK_SIZE + 1 if places.fill_up else DECK_SIZE
        return [size] * (places.own + places.dealer + places.board)

    def _observation(self) -> Observation:
        places, cards = self._places, self.round.seat(POSITION).cards
        if not places.fill_up:
            return np.array([*sorted(cards), *self._ups], dtype=np.int64)
        # A round that is over when it was dealt is shown as it was dealt.
        cards = cards[: places.own_at_first if self._fresh else places.own]
        laid = [lay for place, lay in self.round.laid.items() if place in places.boards]
        board = [card for lay in laid for card, up in zip(lay.cards, lay.up, strict=True) if up]
        seen = ((cards, places.own), (self._ups, places.dealer), (board, places.board))
        filled: list[int] = []
        for held, most in seen:
            filled += [*(card + 1 for card in held), *[0] * (most - len(held))]
        return np.array(filled, dtype=np.int64)


class _Places(NamedTuple):
    """Places of an observation."""

    own: int
    """The most cards that a seat comes to hold."""
    own_at_first: int
    """How many of them it holds at its first decision."""
    dealer: int
    """The dealer's cards that lie face up then."""
    board: int
    boards: tuple[str, ...]
    fill_up: bool
    """True where cards come after the first decision."""


def _places(game: Game) -> _Places:
    own = first = dealer = board = 0
    boards: dict[str, None] = {}
    asked = False
    for step in game.script:
        asked = asked or (isinstance(step, Ask) and not step.offers)
        if not isinstance(step, Deal) or step.for_bet:
            continue
        if step.to == SEATS:
            own = max(own + step.down + step.up, step.upto)
            first += 0 if asked else step.down + step.up
        elif step.to == DEALER:
            dealer += 0 if asked else step.up
        else:
            board += step.down + step.up
            boards[step.to] = None
    return _Places(own, first, dealer, board, tuple(boards), game.by_deck or bool(boards))
