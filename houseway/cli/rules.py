"""`houseway rules`: the rules in force, clause by clause."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.padding import Padding

from houseway.cli.arguments import Json, OptionTexts, PaytableTexts
from houseway.cli.output import console, pairs, paytable_pairs, print_json, table
from houseway.games import GAMES, game_of
from houseway.games.progressive import NAMES
from houseway.money import dollars_text
from houseway.options import Options, allowed_values, register, wager_limit
from houseway.paytables import PayTable, library
from houseway.refusal import Reason, Refused, listed
from houseway.register import clauses, readings
from houseway.ruleset import differences, make_ruleset
from houseway.wagers import choose_paytables, read_options

if TYPE_CHECKING:
    from collections.abc import Iterator

INDENT = (0, 0, 0, 6)

Markdown = Annotated[bool, Parameter(negative=(), help="Print the page as Markdown.")]


def rules(
    game: str | None = None,
    *,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    markdown: Markdown = False,
    json: Json = False,
) -> None:
    """The rules in force, clause by clause in our own words, with options and their values.

    Example: `houseway rules triple-shot-bonus --option dealer_soft_17=stand`

    Parameters
    ----------
    game
        A game, or a progressive bet: three-card-progressive, five-card-link.
    """
    if game is None:
        raise Refused(Reason.UNKNOWN_GAME, f"no game is given; known: {_known()}")
    texts = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    document = rules_document(game, texts, paytable_pairs(paytable))
    if json:
        print_json(document)
    elif markdown:
        print("\n".join(markdown_lines(document)))
    else:
        _show(document)


def rules_document(
    code: str, option_texts: dict[str, str], chosen: list[tuple[str | None, str]]
) -> dict[str, Any]:
    """The rules of a game as plain data: clauses, options, readings and paytables in force."""
    options, from_options = read_options(option_texts)
    if code in NAMES:
        name, tables = NAMES[code], list(_progressive_tables(code, from_options + chosen))
        owners = {g.code for g in GAMES if "progressive" in g.wagers}
    elif code in {game.code for game in GAMES}:
        game = game_of(code)
        name, owners = game.name, {code}
        in_force = choose_paytables(game, from_options + chosen)
        asked = {bet for bet, _ in from_options + chosen}
        tables = [pt for bet, pt in in_force.items() if bet != "progressive" or bet in asked]
    else:
        raise Refused(Reason.UNKNOWN_GAME, f"game {code!r} is unknown; known: {_known()}")
    values = options.to_json()
    named = [clause for clause in clauses() if code in clause.games]
    touched = [
        entry_name
        for entry_name, entry in register().items()
        if owners & set(entry.metadata["games"]) and _touches(entry_name, code, named)
    ]
    return {
        "game": code,
        "name": name,
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
        "options": [
            {
                "name": entry_name,
                "value": values[entry_name],
                "default": Options().to_json()[entry_name],
                "allowed": list(allowed_values(entry_name)),
                "text": register()[entry_name].metadata["text"],
                "source": register()[entry_name].metadata["source"],
            }
            for entry_name in touched
        ],
        "readings": [
            {"id": r.id, "matter": r.matter, "decision": r.decision, "source": list(r.source)}
            for r in readings()
            if set(r.options) & set(touched)
        ],
        "paytables": [paytable.to_json() for paytable in tables],
    }


def _ruleset(
    code: str, option_texts: dict[str, str], chosen: list[tuple[str | None, str]]
) -> dict[str, Any]:
    """The revision and digest of the rules, and what differs from the rules as printed."""
    ruleset = make_ruleset(code, option_texts, chosen)
    return {
        "revision": ruleset.revision,
        "digest": ruleset.digest,
        "differences": list(differences(ruleset, make_ruleset(code))),
    }


def _known() -> str:
    return listed([*(game.code for game in GAMES), *NAMES])


def _touches(name: str, code: str, named: "list[Any]") -> bool:
    """A game shows the options of its own; a progressive those that its clauses name."""
    return code not in NAMES or any(name in clause.options for clause in named)


def _progressive_tables(code: str, chosen: list[tuple[str | None, str]]) -> "Iterator[PayTable]":
    for bet, _ in chosen:
        if bet not in (None, "progressive"):
            raise Refused(
                Reason.UNKNOWN_BET, f"bet {bet!r} of {code} is unknown; known: progressive"
            )
    codes = [found for _, found in chosen]
    own = [paytable for paytable in library().paytables if paytable.game == code]
    for wanted in codes:
        if wanted not in [paytable.code for paytable in own]:
            known = listed(paytable.code for paytable in own)
            raise Refused(
                Reason.UNKNOWN_PAYTABLE, f"paytable {wanted!r} of {code} is unknown; known: {known}"
            )
    yield from (paytable for paytable in own if not codes or paytable.code in codes)


def _show(document: dict[str, Any]) -> None:
    screen = console()
    screen.print(f"[bold]{document['name']}[/bold]")
    if ruleset := document["ruleset"]:
        screen.print(f"[dim]revision {ruleset['revision']}, digest {ruleset['digest']}[/dim]")
        for difference in ruleset["differences"]:
            screen.print(f"Differs from the rules as printed: {difference}", style="yellow")
    shown = table("clause", "rule", "source")
    for entry in document["clauses"]:
        force = "".join(f"\n[cyan]{n} = {v}[/cyan]" for n, v in entry["options"].items())
        shown.add_row(entry["id"], entry["text"] + force, ", ".join(entry["source"]))
    screen.print(shown)
    for limit in document["limits"]:
        amount = dollars_text(limit["cents"])
        screen.print(f"\nNo single wager above {amount} ({limit['citation']}).")
    for paytable in document["paytables"]:
        screen.print(f"\n[bold]{paytable['bet']} {paytable['code']}[/bold]")
        pays = table("hand", "pays", right=("pays",))
        for hand, odds in _pay_rows(paytable):
            pays.add_row(hand, odds)
        screen.print(pays)
    screen.print("\n[bold]Options[/bold]")
    for entry in document["options"]:
        style = "bold cyan" if entry["value"] != entry["default"] else "cyan"
        allowed = ", ".join(entry["allowed"])
        screen.print(f"[{style}]{entry['name']} = {entry['value']}[/]")
        screen.print(Padding(f"{entry['text']} [dim]({allowed}; {entry['source']})[/dim]", INDENT))
    if document["readings"]:
        screen.print("\n[bold]Readings[/bold]")
    for entry in document["readings"]:
        screen.print(f"{entry['id']}  {entry['matter']}")
        screen.print(Padding(f"[dim]{entry['decision']}[/dim]", INDENT))


def _pay_rows(paytable: dict[str, Any]) -> "Iterator[tuple[str, str]]":
    """The rows of a paytable for people, envy last."""
    for hand, odds in paytable["pays"]:
        yield hand.replace("_", " "), odds
    envy = paytable.get("envy", {"cents": {}, "per_dollar": False})
    unit = " per $1 wagered" if envy["per_dollar"] else ""
    for hand, cents in envy["cents"].items():
        yield f"envy for {hand.replace('_', ' ')}", f"${cents // 100:,}{unit}"


def markdown_lines(document: dict[str, Any]) -> "Iterator[str]":
    """The page of docs/rules for a game."""
    yield f"# {document['name']}"
    yield ""
    yield (
        "The rules in force, clause by clause in our own words, with the option values shown "
        "below. The page is generated from the catalog of the package; `houseway rules "
        f"{document['game']}` prints the same."
    )
    yield from ("", "## Clauses", "", "| Clause | Rule | Options | Source |", "|---|---|---|---|")
    for entry in document["clauses"]:
        force = ", ".join(f"`{n}={v}`" for n, v in entry["options"].items())
        yield f"| {entry['id']} | {entry['text']} | {force} | {', '.join(entry['source'])} |"
    if document["paytables"]:
        yield from ("", "## Paytables in force")
    for paytable in document["paytables"]:
        yield from ("", f"### {paytable['bet']} {paytable['code']}", "", "| Hand | Pays |")
        yield "|---|---|"
        yield from (f"| {hand} | {odds} |" for hand, odds in _pay_rows(paytable))
    yield from (
        "",
        "## Options",
        "",
        "| Option | Values, default first | What it decides | Source |",
    )
    yield "|---|---|---|---|"
    for entry in document["options"]:
        allowed = ", ".join(entry["allowed"])
        yield f"| `{entry['name']}` | {allowed} | {entry['text']} | {entry['source']} |"
    yield from ("", "## Readings", "", "| Reading | What is unclear | What is decided |")
    yield "|---|---|---|"
    for entry in document["readings"]:
        yield f"| {entry['id']} | {entry['matter']} | {entry['decision']} |"
