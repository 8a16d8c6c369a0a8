"""Rules book: the rules in force on paper, with options, readings and paytables."""

from typing import Any

from houseway.documents.document import Block, Document, Footer, Heading, Table, Text
from houseway.documents.subject import Subject
from houseway.documents.terms import spaced
from houseway.documents.words import bet_name
from houseway.rules.rulebook import pay_rows, standing


def rules_book(subject: Subject, rules: dict[str, Any], command: str) -> Document:
    """The rules of `rulebook.rules_document`, laid out."""
    told = [f"{sentence}." for sentence in standing(rules)]
    if not rules["ruleset"]["differences"]:
        told.insert(0, "These are the rules as printed, nothing changed.")
    blocks: list[Block] = [Text(text=text) for text in told]
    blocks += [
        Heading(text="Clauses"),
        Table(
            caption="Clauses in force, in our own words",
            columns=("clause", "rule", "options", "source"),
            rows=tuple(
                (
                    entry["id"],
                    entry["text"],
                    ", ".join(f"{name} = {value}" for name, value in entry["options"].items()),
                    ", ".join(entry["source"]),
                )
                for entry in rules["clauses"]
            ),
        ),
        Heading(text="Paytables"),
    ]
    blocks += [
        Table(
            caption=bet_name(table["bet"], table["code"]),
            columns=("hand", "pays"),
            rows=tuple((spaced(hand), pays) for hand, pays in pay_rows(table)),
        )
        for table in rules["paytables"]
    ]
    blocks += [
        Heading(text="Options"),
        Table(
            caption="Options of the house",
            columns=("option", "value", "default", "what it decides", "source"),
            rows=tuple(
                (entry["name"], entry["value"], entry["default"], entry["text"], entry["source"])
                for entry in rules["options"]
            ),
        ),
        Heading(text="Readings"),
        Table(
            caption="Where the sources are silent or at odds, and what is decided",
            columns=("reading", "what is unclear", "what is decided"),
            rows=tuple(
                (entry["id"], entry["matter"], entry["decision"]) for entry in rules["readings"]
            ),
        ),
    ]
    return Document(
        title=f"Rules: {subject.name}",
        revision=f"revision {subject.revision}",
        blocks=tuple(blocks),
        footer=Footer(command=command, digest=subject.digest),
    )
