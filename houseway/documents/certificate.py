"""Certificate: that somebody has passed an exam under the rules of one house, on paper."""

from collections.abc import Mapping
from typing import Any

from houseway.documents.document import Block, Document, Facts, Footer, Signatures, Table, Text
from houseway.documents.words import bet_name


def certificate(data: Mapping[str, Any]) -> Document:
    """The certificate of an exam, from its plain data with the hash over them.

    The same data give the same bytes: the day is the one in the data.
    """
    score = f"{data['right']} of {data['questions']} right, {data['needed']}% needed"
    blocks: list[Block] = [
        Text(text=f"{data['name']} has passed the exam in dealing {data['game_name']}."),
        Facts(
            rows=(
                ("name", data["name"]),
                ("date", data["date"]),
                ("game", data["game_name"]),
                ("score", score),
                ("rules of", data["revision"]),
                ("digest of the rules", data["ruleset"]),
                ("exam seed", str(data["seed"])),
                ("SHA-256 of this certificate", data["sha256"]),
            )
        ),
        Table(
            caption="By module",
            columns=("module", "right", "asked"),
            rows=tuple((m["title"], str(m["right"]), str(m["asked"])) for m in data["modules"]),
            right=("right", "asked"),
        ),
        Table(
            caption="Paytables of the house",
            columns=("bet", "paytable"),
            rows=tuple((bet_name(bet), code) for bet, code in data["paytables"].items()),
        ),
    ]
    if data["options"]:
        blocks.append(
            Table(
                caption="Options of the house that differ from the usual",
                columns=("option", "value"),
                rows=tuple(data["options"].items()),
            )
        )
    else:
        blocks.append(Text(text="The house plays with the usual options."))
    blocks.append(Signatures(roles=("Trainer", "Card room manager")))
    return Document(
        title=f"Certificate: {data['game_name']}",
        revision=data["revision"],
        blocks=tuple(blocks),
        # No command makes it again: what was answered is on the floor where it was.
        footer=Footer(command="", digest=data["ruleset"]),
    )
