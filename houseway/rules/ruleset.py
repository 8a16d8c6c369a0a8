"""Ruleset: the rules a table plays by, with a revision and a digest.

Two tables with the same digest settle every hand alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from houseway.catalog import catalog
from houseway.games import game_of
from houseway.games.contract import Deck, Game
from houseway.house.money import dollars_text
from houseway.house.options import Chosen, Options
from houseway.house.paytables import PayTable
from houseway.names import Bet
from houseway.refusal import Reason, Refused
from houseway.rules.identity import FORM, chosen_options, digest
from houseway.rules.lines import settling_order
from houseway.rules.seat import Pairs, read_house

UNAPPROVED = "none"
"""The revision on a day before the first letter on a game."""


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """A game with its options and paytables, as a table plays it."""

    game: Game
    options: Chosen
    paytables: Mapping[Bet, PayTable] = field(hash=False)
    revision: str

    @cached_property
    def order(self) -> tuple[Bet, ...]:
        """The bets in the order they are settled."""
        return settling_order(self.game, self.options)

    @cached_property
    def deck(self) -> Deck:
        """The cards that are shuffled for a round."""
        return self.game.deck(self.options)

    @cached_property
    def digest(self) -> str:
        """Sixty-four hexadecimal digits that stand for these rules and no others (CMP-01)."""
        return self.digest_by(FORM)

    def usual_cents(self, bet: Bet) -> int:
        """The wager that is offered first; on the 6 Card Bonus by house option (SCB-05)."""
        if bet == "six-card-bonus":
            return int(self.options.six_card_bonus_default)
        return self.game.usual_cents(bet)

    def digest_by(self, form: int) -> str:
        """The digest of a form, as a record of that form has it."""
        revision = self.revision_by(form)
        return digest(self.game, revision, self.options, self.paytables, form)

    def revision_by(self, form: int) -> str:
        """The revision that a record of a form names; the first form looked at no day."""
        if form > 1:
            return self.revision
        return revision_of(self.game.code, replace(self.options, date=None))


def make_ruleset(
    game: str | Game,
    options: Options | Mapping[str, str] | None = None,
    paytables: str | Mapping[str, str] | Pairs | None = None,
) -> Ruleset:
    """The rules of a game with these options and paytables; refused where they cannot be played.

    Procedures vary by jurisdiction (TSR-19, TSB-29): what varies is an option. Rummy and Triple
    Shot Bonus may be dealt by hand (CMP-15), Three Card Poker may not (TCP-15).
    """
    found = game_of(game)
    chosen, tables = read_house(found, options, paytables, community=False)
    if chosen.shuffler_mode == "hand" and found.by_machine:
        raise Refused(
            Reason.UNKNOWN_VALUE,
            f"shuffler_mode 'hand' is not allowed: {found.name} is dealt with an automatic "
            "shuffler; allowed: automatic",
            found.by_machine,
        )
    settling_order(found, chosen)
    return Ruleset(
        game=found, options=chosen, paytables=tables, revision=revision_of(found.code, chosen)
    )


def revision_of(game: str, options: Options) -> str:
    """The date of the letter whose rules apply, on the day of a profile (CMP-12).

    A profile of its own plays by its letter, every other by the newest that had come by then.
    """
    rows = [row for row in catalog("revisions")["revision"] if row["game"] == game]
    rows = rows or [{"date": UNAPPROVED}]
    own = [row for row in rows if row.get("profile") == options.profile]
    if options.profile != "none" and options.date is not None and not own:
        day = options.date.isoformat()
        own = [row for row in rows if row["date"] <= day] or [{"date": UNAPPROVED}]
    return str((own or rows)[0]["date"])


def first_revision(game: str) -> str:
    """The date of the first letter on a game."""
    rows = [row for row in catalog("revisions")["revision"] if row["game"] == game]
    return min((str(row["date"]) for row in rows), default=UNAPPROVED)


def differences(
    ruleset: Ruleset, approved: Ruleset, *, instead: str = "approved"
) -> tuple[str, ...]:
    """What differs from the approved rules, a sentence each; empty when nothing does (CMP-08).

    Where the others were approved by nobody, `instead` says what they are.
    """
    found: list[str] = []
    for what, mine, theirs in (
        ("game", ruleset.game.code, approved.game.code),
        ("revision", ruleset.revision, approved.revision),
    ):
        if mine != theirs:
            found.append(f"{what} is {mine}, {instead} {theirs}")
    here = chosen_options(ruleset.game, ruleset.options)
    there = chosen_options(approved.game, approved.options)
    usual = {**approved.game.options().to_json(), **ruleset.game.options().to_json()}
    for name in sorted({*here, *there}):
        values = (options.get(name, usual[name]) for options in (here, there))
        if here.get(name) != there.get(name):
            found.append(f"option {name} is {f', {instead} '.join(values)}")
    for bet in sorted({*ruleset.paytables, *approved.paytables}):
        found += _paytable_differences(
            bet, ruleset.paytables.get(bet), approved.paytables.get(bet), instead
        )
    return tuple(found)


def _paytable_differences(
    bet: str, mine: PayTable | None, theirs: PayTable | None, instead: str
) -> list[str]:
    if mine is None or theirs is None:
        return [f"paytable of {bet} is {'absent' if mine is None else 'not approved'}"]
    here, there = mine.to_json(), theirs.to_json()
    found = []
    if here["code"] != there["code"]:
        found.append(f"paytable of {bet} is {here['code']}, {instead} {there['code']}")
    pays, others = dict(here["pays"]), dict(there["pays"])
    found += [
        f"{bet} pays {hand} {pays.get(hand, 'nothing')}, {instead} {others.get(hand, 'nothing')}"
        for hand in {**others, **pays}
        if pays.get(hand) != others.get(hand)
    ]
    if here.get("envy") != there.get("envy"):
        envies = (_envy(table.get("envy")) for table in (here, there))
        found.append(f"envy of {bet} is {f', {instead} '.join(envies)}")
    return found


def _envy(envy: dict[str, Any] | None) -> str:
    if envy is None:
        return "nothing"
    paid = " and ".join(f"{dollars_text(cents)} on {hand}" for hand, cents in envy["cents"].items())
    return f"{paid} for each dollar wagered" if envy["per_dollar"] else paid


def check_approved(ruleset: Ruleset, approved: "tuple[Ruleset, ...]") -> None:
    """Refuse rules that no approval covers; a practice table, without a profile, does not ask.

    A table opens only under rules that were approved (CMP-01); what differs is named (CMP-08).
    """
    if ruleset.options.profile == "none" or any(ruleset.digest == a.digest for a in approved):
        return
    same = [a for a in approved if a.game.code == ruleset.game.code]
    if not same:
        raise Refused(
            Reason.NOT_APPROVED,
            f"no approved rules of {ruleset.game.code} are on record; a table under profile "
            f"{ruleset.options.profile!r} needs them",
            "CMP-01",
        )
    nearest = min((differences(ruleset, a) for a in same), key=lambda found: len(found))
    named = "; ".join(nearest)
    raise Refused(
        Reason.NOT_APPROVED,
        f"the rules of {ruleset.game.code} differ from the approved revision: {named}",
        "CMP-08",
    )
