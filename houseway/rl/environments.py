"""Environments: one position at a live table, a round an episode.

Every card is dealt and every bet settled by the live round. The only randomness is `np_random` of
the environment itself, from which each round's deck is shuffled, so a seed given to `reset`
decides everything that follows and nothing outside has a part in it. An observation holds what
the player may see and no more. The reward is 0 until the round is over, and then the net of all
bets in units of the base bet: the Ante, or the Blackjack bet.

`info["action_mask"]` has a 1 for every action that is allowed now, as `Discrete.sample` takes it.
An action that is not allowed is read as the first of the game's actions, a stand, and reported in
`info["illegal_action"]`; `info["decision"]` is what was done.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from houseway.cards import DECK_SIZE, cards_text
from houseway.games import game_of
from houseway.games.blackjack import SIX_CARDS
from houseway.live import commands as c
from houseway.live.phases import Phase
from houseway.live.procedure import carry_on
from houseway.live.round import act, refusal
from houseway.live.state import Round, open_round
from houseway.names import GameCode
from houseway.options import Options
from houseway.refusal import Reason, Refused, listed
from houseway.ruleset import make_ruleset
from houseway.shuffler import make_shuffle

Observation = npt.NDArray[np.int64]
POSITION = 1


class TableEnvironment(gymnasium.Env[Observation, np.int64]):
    """One position of a game. `bets` are cents; options and paytables as for a par sheet."""

    # Gymnasium declares it so, and asks for a frame rate of whatever can be rendered.
    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012
    game: ClassVar[GameCode]
    actions: ClassVar[tuple[str, ...]]
    """The decisions by action; the first is the one that an illegal action is read as."""
    default_bets: ClassVar[Mapping[str, int]]
    base_bet: ClassVar[str]

    def __init__(
        self,
        options: Options | Mapping[str, str] | None = None,
        paytables: str | Mapping[str, str] | None = None,
        bets: Mapping[str, int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.ruleset = make_ruleset(self.game, options, paytables)
        self.bets: c.Bets = tuple((bets or self.default_bets).items())
        self.round = self._with_bets()
        self._up_card, self._fresh, self._running = 0, True, False
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
        shuffle = make_shuffle(randomness, game_of(self.game).packet)
        table, _ = act(table, c.LoadShuffle(shuffle))
        table = carry_on(table)
        if table.offer is not None:
            table, _ = act(table, c.CloseOffer(table.offer.name))
            table = carry_on(table)
        self.round, self._fresh, self._running = table, True, True
        # The dealer's hand is put in order when it is shown, so what was up is noted now.
        at = table.dealer_up.index(True) if True in table.dealer_up else 0
        self._up_card = table.dealer[at]
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
        decision = wanted if legal else self.actions[0]
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
        return self._observation(), net / dict(self.bets)[self.base_bet], True, False, info

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
        names = [bet for bet, _ in self.bets]
        if self.base_bet not in names or "progressive" in names:
            raise Refused(
                Reason.BAD_ARGUMENT,
                f"bets {listed(names)} are not allowed; {self.base_bet} is needed, and a "
                "progressive has no meter here",
            )
        table, _ = act(open_round(self.ruleset, positions=1), c.PlaceBets(POSITION, self.bets))
        return table

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_mask()}

    def _sizes(self) -> list[int]:
        return [DECK_SIZE] * 3

    def _observation(self) -> Observation:
        return np.array(sorted(self.round.seat(POSITION).cards), dtype=np.int64)


class ThreeCardPoker(TableEnvironment):
    """Three Card Poker: fold is 0, play is 1.

    Observation: the player's three cards in ascending order, each 0 to 51.
    """

    game: ClassVar[GameCode] = "three-card-poker"
    actions = ("fold", "play")
    default_bets: ClassVar[Mapping[str, int]] = {"ante": 1000}
    base_bet = "ante"


class TripleShotRummy(ThreeCardPoker):
    """Triple Shot Rummy: fold is 0, play is 1.

    Observation: the player's three cards in ascending order, each 0 to 51.
    """

    game = "triple-shot-rummy"


class ThreeCardPokerFaceUp(ThreeCardPoker):
    """Three Card Poker Face Up: fold is 0, play is 1.

    Observation: the player's three cards in ascending order, then the dealer's up card.
    """

    game = "three-card-poker-face-up"

    def _sizes(self) -> list[int]:
        return [DECK_SIZE] * 4

    def _observation(self) -> Observation:
        own = sorted(self.round.seat(POSITION).cards)
        return np.array([*own, self._up_card], dtype=np.int64)


class TripleShotBonus(TableEnvironment):
    """Triple Shot Bonus: stand is 0, hit 1, double 2, split 3; insurance is let pass.

    One deck never leaves enough tens under an Ace to make insurance worth taking.

    Observation: six places for the player's cards in the order they came and one for the dealer's
    up card, each 0 for none or the card plus 1. War and Poker are settled without a decision and
    are part of the reward; a hand that ends before any decision takes one step to its end.
    """

    game = "triple-shot-bonus"
    actions = ("stand", "hit", "double", "split")
    default_bets: ClassVar[Mapping[str, int]] = {"war": 1000, "blackjack": 1000, "poker": 1000}
    base_bet = "blackjack"

    def _sizes(self) -> list[int]:
        return [DECK_SIZE + 1] * (SIX_CARDS + 1)

    def _observation(self) -> Observation:
        # A round that is over when it was dealt is shown as it was dealt, with two cards.
        cards = self.round.seat(POSITION).cards[: 2 if self._fresh else SIX_CARDS]
        own = [card + 1 for card in cards] + [0] * (SIX_CARDS - len(cards))
        return np.array([*own, self._up_card + 1], dtype=np.int64)
