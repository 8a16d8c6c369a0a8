"""Rulebook: the rules of a game as they are in force, clause by clause, as plain data."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from houseway.catalog.register import Clause, clauses, contact_role, house_readings, readings
from houseway.games import GAMES
from houseway.games.contract import Game
from houseway.games.progressive import NAMES
from houseway.house.money import dollars_text
from houseway.house.options import (
    Options,
    allowed_values,
    notices,
    out_of_force,
    register,
    wager_limit,
)
from houseway.refusal import Reason, Refused, listed
from houseway.rules.ruleset import UNAPPROVED, Ruleset, differences, first_revision, make_ruleset
from houseway.rules.wagers import choose_paytables, choose_progressives, read_options


def rules_document(
    code: str, option_texts: dict[str, str], chosen: list[tuple[str | None, str]]
) -> dict[str, Any]:
    """The rules of a game as plain data: clauses, options, readings and paytables in force.

    A date without a profile is refused: a letter binds a table under a jurisdiction, and rules
    shown with an older letter would not have the digest of those played without a profile.
    """
    known = [game for game in GAMES if game.code == code]
    if not known and code not in NAMES:
        raise Refused(Reason.UNKNOWN_GAME, f"game {code!r} is unknown; known: {known_codes()}")
    usual: Options = known[0].options() if known else Options()
    options, from_options = read_options(option_texts, usual)
    if options.date is not None and options.profile == "none":
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"date {options.date} needs a profile, whose letters and limits have dates; give one "
            f"of {listed(allowed_values('profile')[1:])} as profile=…, or leave the date out",
            "CMP-12",
        )
    if code in NAMES:
        name, tables = NAMES[code], list(choose_progressives(code, from_options + chosen))
    else:
        [game] = known
        name = game.name
        in_force = choose_paytables(game, from_options + chosen)
        asked = {bet for bet, _ in from_options + chosen}
        tables = [pt for bet, pt in in_force.items() if bet != "progressive" or bet in asked]
    values = options.to_json()
    named = [clause for clause in clauses() if code in clause.games]
    entries = register(type(usual))
    touched = [name for name in entries if _touches(name, known, named)]
    return {
        "game": code,
        "name": name,
        "contact": contact_role(options.profile),
        "out_of_force": out_of_force(options) or None,
        "ruleset": None if code in NAMES else _ruleset(code, option_texts, chosen),
        "clauses": [
            {
                "id": clause.id,
                "text": clause.text,
                "source": list(clause.source),
                "options": {n: values[n] for n in clause.options if n in values},
            }
            for clause in named
        ],
        "limits": [
            {"cents": limit.most, "citation": limit.citation}
            for limit in [wager_limit(options)]
            if limit is not None
        ],
        "notices": notices(code, options),
        "options": [
            {
                "name": entry_name,
                "value": values[entry_name],
                "default": usual.to_json()[entry_name],
                "allowed": list(allowed_values(entry_name, type(usual))),
                "text": entries[entry_name].metadata["text"],
                "source": entries[entry_name].metadata["source"],
            }
            for entry_name in touched
        ],
        "readings": [
            {"id": r.id, "matter": r.matter, "decision": r.decision, "source": list(r.source)}
            for r in readings()
            if set(r.options) & set(touched)
        ]
        + [
            {"id": r.id, "matter": r.matter, "decision": r.decision, "source": list(r.source)}
            for r in house_readings()
            if code in r.games
        ],
        "paytables": [paytable.to_json() for paytable in tables],
    }


def _ruleset(
    code: str, option_texts: dict[str, str], chosen: list[tuple[str | None, str]]
) -> dict[str, Any]:
    """The revision and digest of the rules, and how they differ from the rules as printed."""
    ruleset = make_ruleset(code, option_texts, chosen)
    return {
        "revision": ruleset.revision,
        "digest": ruleset.digest,
        "differences": list(printed_differences(ruleset)),
    }


def printed_differences(ruleset: Ruleset) -> tuple[str, ...]:
    """How rules differ from the newest ones as printed, a sentence each."""
    printed = make_ruleset(ruleset.game.code)
    found = differences(replace(ruleset, revision=printed.revision), printed, instead="instead of")
    if ruleset.revision == UNAPPROVED:
        name, first = ruleset.game.name, first_revision(ruleset.game.code)
        day = ruleset.options.date
        return (f"no letter on {name} is in force on {day}; the first is of {first}", *found)
    if ruleset.revision != printed.revision:
        return (f"the letter is of {ruleset.revision}, instead of {printed.revision}", *found)
    return found


def standing(document: dict[str, Any]) -> Iterator[str]:
    """Says what the rules of a document leave out and what must be posted, a sentence each."""
    ruleset = document["ruleset"] or {"differences": []}
    for difference in ruleset["differences"]:
        yield f"Differs from the rules as printed: {difference}"
    if document["out_of_force"]:
        yield f"Not in force: {document['out_of_force']}"
    yield from (f"To be posted: {notice}" for notice in document["notices"])


def known_codes() -> str:
    """Every game and progressive that has rules, for the end of a sentence."""
    return listed([*(game.code for game in GAMES), *NAMES])


def _touches(name: str, known: list[Game], named: list[Clause]) -> bool:
    """A game shows the options of its own; a progressive those that its clauses name."""
    if known:
        return known[0].touches(name)
    return any(name in clause.options for clause in named)


def pay_rows(paytable: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The rows of a paytable for people, envy last."""
    for hand, odds in paytable["pays"]:
        yield hand.replace("_", " "), odds
    envy = paytable.get("envy", {"cents": {}, "per_dollar": False})
    unit = " per $1 wagered" if envy["per_dollar"] else ""
    for hand, cents in envy["cents"].items():
        yield f"envy for {hand.replace('_', ' ')}", f"{dollars_text(cents)}{unit}"
