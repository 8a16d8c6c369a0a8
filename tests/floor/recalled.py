"""A round read from its raw events by hand: other code than the program's, for recall's tests.

Only texts are looked at. What they come to is asked of `houseway.settle`, seat by seat.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from houseway import settle
from houseway.cards import DECK, card_text
from houseway.journal.event import Event
from houseway.rules.lines import Line
from houseway.rules.settlement import Settlement

CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")
GETS = re.compile(r"(?:position (\d)|(dealer)|(community)) gets (.*)")
SHOWS = re.compile(r"(?:position \d|dealer|community) shows (.*)")
BETS = re.compile(r"bets (\d)(?: by ([^:]+))?: (.*)")
METER = re.compile(r"which (?:stands at|was) \$[0-9,.]+[0-9]")
STEPS = ("round_opened", "round", "round_undone")
DEALER, COMMUNITY = "dealer", "community"


def rounds_by_hand(events: Iterable[Event], table: str) -> dict[int, list[Event]]:
    """The events of each round of a table, by its number."""
    found: dict[int, list[Event]] = {}
    for event in events:
        if event.stream != f"table:{table}" or event.kind not in STEPS:
            continue
        if event.kind == "round_opened":
            found[event.data["number"]] = []
        found[max(found)].append(event)
    return found


class ByHand:
    """What the events of a round say, up to one of them."""

    def __init__(self, events: Iterable[Event]) -> None:
        opened, *rest = events
        self.paytables: dict[str, str] = opened.data["start"]["paytables"]
        said: list[Event] = []
        for event in rest:
            if event.kind == "round_undone":
                said.pop()
            else:
                said.append(event)
        self.wagers: dict[int, dict[str, int]] = {}
        self.players: dict[int, str] = {}
        self.decisions: dict[int, list[str]] = {}
        self.cards: dict[str, list[str]] = {}
        self.order: list[str] = []
        """All cards in the order in which they were dealt."""
        self.seen: set[str] = set()
        """Cards that lay face up, or were turned over."""
        self.meters: dict[str, int] = {}
        self.awards: dict[int, int] = {}
        """What the ledger has paid from a meter, by position."""
        self.void = False
        for event in said:
            self._command(event.data["text"])
            for line in event.data["told"]:
                self._told(line.strip())

    @property
    def dealt(self) -> set[str]:
        """Every card that has left the deck."""
        return {*self.order}

    def _command(self, text: str) -> None:
        if found := BETS.fullmatch(text):
            position, player, bets = int(found[1]), found[2], found[3]
            self.wagers.pop(position, None)
            if bets != "none":
                pairs = (part.rpartition(" ") for part in bets.split(", "))
                self.wagers[position] = {b: round(float(c) * 100) for b, _, c in pairs}
                self.players[position] = player or ""
        elif text.startswith("decide "):
            who, _, decision = text.removeprefix("decide ").partition(": ")
            self.decisions.setdefault(int(who), []).append(decision)
        elif text.startswith("start game: "):
            for part in text.removeprefix("start game: ").split(", "):
                level, _, amount = part.partition(" ")
                if level not in ("pay", "priced"):
                    self.meters[level] = round(float(amount) * 100)
        elif text.startswith("award "):
            who, _, amount = text.removeprefix("award ").partition(": ")
            self.awards[int(who)] = round(float(amount) * 100)
        elif text.startswith("back out "):
            del self.awards[int(text.removeprefix("back out "))]
        elif text.startswith("exposed "):
            place, _, number = text.removeprefix("exposed ").partition(": card ")
            self.seen.add(self.cards[place][int(number) - 1])
        elif text.startswith(("void ", "rule void")):
            self.void = True

    def _told(self, line: str) -> None:
        if found := GETS.match(line):
            place = found[1] or found[2] or found[3]
            for part in found[4].split(", "):
                cards = CARD.findall(part)
                self.cards.setdefault(place, []).extend(cards)
                self.order += cards
                self.seen |= {*cards} if part.endswith("face up") else set()
        elif shown := SHOWS.match(line):
            self.seen |= {*CARD.findall(shown[1])}

    def settled(self, position: int, game: str, options: Mapping[str, str]) -> Settlement:
        """A position of the round, settled by itself."""
        bets, decisions = self.wagers[position], self.decisions.get(position, [])
        if game == "triple-shot-bonus":
            assert len(self.wagers) == 1, "the order of the deck is that of one position"
            rest = [card for card in map(card_text, DECK) if card not in self.dealt]
            deck = [*self.order, *rest]
            return settle(game, bets=bets, deck=deck, decisions=decisions, options=options)
        lit = [p for p, placed in self.wagers.items() if "progressive" in placed and p != position]
        lit = lit if "progressive" in bets else []
        folded = [p for p in lit if self.decisions.get(p) == ["fold"]]
        alone = settle(
            game,
            bets=bets,
            player=self.cards[str(position)],
            dealer=self.cards[DEALER],
            decision=decisions[0] if decisions else None,
            community=self.cards.get(COMMUNITY),
            meter=self.meters if "progressive" in bets else None,
            others=[self.cards[str(p)] for p in lit if p not in folded],
            folded_others=[self.cards[str(p)] for p in folded],
            paytables=self.paytables,
            options=options,
        )
        if position not in self.awards:
            return alone
        return replace(alone, lines=tuple(self._awarded(position, line) for line in alone.lines))

    def _awarded(self, position: int, line: Line) -> Line:
        """A line, with what the ledger has paid where it is a share of a meter."""
        if line.bet != "progressive":
            return line
        paid = self.awards[position]
        why, found = METER.subn(f"which was ${paid / 100:,.2f}", line.why)
        assert found == 1, line.why
        return replace(line, net=paid - line.wager, why=why)


def house_cents(settlements: Iterable[Settlement]) -> int:
    """What the tray gains: all but progressive wagers, and what a meter pays."""
    gained = 0
    for line in (line for found in settlements for line in found.lines):
        if line.bet != "progressive":
            gained -= line.net
        elif line.outcome == "win" and not METER.search(line.why):
            gained -= line.wager + line.net
    return gained


def check_recalled(
    seen: Mapping[str, Any], events: list[Event], game: str, options: Mapping[str, str]
) -> None:
    """A recalled round against its events: each step, and at the end every seat and the house."""
    assert len(seen["steps"]) == len(events)
    for place, (step, event) in enumerate(zip(seen["steps"], events, strict=True)):
        assert (step["record"], step["at"]) == (event.position, event.at)
        assert step["actor"]["card"] == event.actor
        by_hand = ByHand(events[: place + 1])
        text = event.data.get("text", "")
        assert step["text"] == (text.split(":")[0] if text.startswith("shuffle ") else text)
        told = [line.strip() for line in event.data.get("told", [])]
        if seen["every_card"]:
            assert step["told"] == told
            assert cards_of(step["round"]) == by_hand.dealt
        else:
            assert cards_of(step["round"]) == by_hand.seen
        for seat in step["round"]["positions"]:
            assert seat["wagers"] == by_hand.wagers[seat["position"]]
            assert seat["decisions"] == by_hand.decisions.get(seat["position"], [])
    by_hand = ByHand(events)
    if by_hand.void:
        assert (seen["house_cents"], seen["void"] is not None) == (0, True)
        return
    settlements = {p: by_hand.settled(p, game, options) for p in by_hand.wagers}
    last = seen["steps"][-1]["round"]
    assert {seat["position"] for seat in last["positions"]} == {*settlements}
    for seat in last["positions"]:
        alone = settlements[seat["position"]]
        assert sorted(map(_line, seat["lines"])) == sorted(
            _line(line.to_json()) for line in alone.lines
        )
    assert {seat["position"]: seat["net"] for seat in seen["positions"]} == {
        position: alone.net for position, alone in settlements.items()
    }
    assert seen["house_cents"] == house_cents(settlements.values())


def _line(line: Mapping[str, Any]) -> tuple[str, int, int, str, str]:
    return line["bet"], line["wager"], line["net"], line["clause"], line["why"]


def cards_of(view: Mapping[str, Any]) -> set[str]:
    """The cards that the felt of a step shows."""
    seats = [card for seat in view["positions"] for card in seat["cards"]]
    return {*view["dealer"], *(view["community"] or ()), *seats} - {"??"}
