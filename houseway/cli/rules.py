"""`houseway rules`: the rules in force, clause by clause."""

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.padding import Padding

from houseway.cli.arguments import Json, OptionTexts, PaytableTexts, fill_in
from houseway.cli.output import console, pairs, paytable_pairs, print_json, table
from houseway.refusal import Reason, Refused
from houseway.rules.rulebook import known_codes, pay_rows, rules_document, standing
from houseway.rules.ruleset import UNAPPROVED

if TYPE_CHECKING:
    from collections.abc import Iterator

INDENT = (0, 0, 0, 6)

Markdown = Annotated[bool, Parameter(negative=(), help="Print the page as Markdown.")]


@fill_in
def rules(
    game: str | None = None,
    *,
    paytable: PaytableTexts = [],
    option: OptionTexts = [],
    markdown: Markdown = False,
    json: Json = False,
) -> None:
    """The rules in force, clause by clause in our own words, with options and their values.

    A date is given together with a profile, whose letters and limits have dates.

    Example: `houseway rules {second} --option {second_option}`

    Parameters
    ----------
    game
        A game, or a progressive bet: three-card-progressive, five-card-link.
    """
    if game is None:
        raise Refused(Reason.UNKNOWN_GAME, f"no game is given; known: {known_codes()}")
    texts = pairs(option, "option", "NAME=VALUE, such as tie_rule=push")
    document = rules_document(game, texts, paytable_pairs(paytable))
    if json:
        print_json(document)
    elif markdown:
        print("\n".join(markdown_lines(document)))
    else:
        _show(document)


def _show(document: dict[str, Any]) -> None:
    screen = console()
    screen.print(f"[bold]{document['name']}[/bold]")
    if ruleset := document["ruleset"]:
        revision = ruleset["revision"]
        shown_revision = "no revision" if revision == UNAPPROVED else f"revision {revision}"
        screen.print(f"[dim]{shown_revision}, digest {ruleset['digest']}[/dim]")
    for sentence in standing(document):
        screen.print(sentence, style="yellow")
    shown = table("clause", "rule", "source")
    for entry in document["clauses"]:
        force = "".join(f"\n[cyan]{n} = {v}[/cyan]" for n, v in entry["options"].items())
        shown.add_row(entry["id"], entry["text"] + force, ", ".join(entry["source"]))
    screen.print(shown)
    if document["contact"]:
        screen.print(f"\nQuestions about these rules go to {document['contact']}.")
    for paytable in document["paytables"]:
        screen.print(f"\n[bold]{paytable['bet']} {paytable['code']}[/bold]")
        pays = table("hand", "pays", right=("pays",))
        for hand, odds in pay_rows(paytable):
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


def markdown_lines(document: dict[str, Any]) -> "Iterator[str]":
    """The page of docs/rules for a game."""
    yield f"# {document['name']}"
    yield ""
    yield (
        "The rules in force, clause by clause in our own words, with the option values shown "
        "below. The page is generated from the catalog of the package; `houseway rules "
        f"{document['game']}` prints the same."
    )
    for sentence in standing(document):
        yield from ("", f"{sentence}.")
    yield from ("", "## Clauses", "", "| Clause | Rule | Options | Source |", "|---|---|---|---|")
    for entry in document["clauses"]:
        force = ", ".join(f"`{n}={v}`" for n, v in entry["options"].items())
        yield f"| {entry['id']} | {entry['text']} | {force} | {', '.join(entry['source'])} |"
    if document["paytables"]:
        yield from ("", "## Paytables in force")
    for paytable in document["paytables"]:
        yield from ("", f"### {paytable['bet']} {paytable['code']}", "", "| Hand | Pays |")
        yield "|---|---|"
        yield from (f"| {hand} | {odds} |" for hand, odds in pay_rows(paytable))
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
