"""Export: a variant as files: the par sheet, its figures, the variant itself, or a whole pack."""

import csv
import io
import json
import re
import zipfile
from typing import NamedTuple

from houseway.documents.par_sheet import par_sheet
from houseway.documents.print_sheet import pdf_of
from houseway.documents.strategy_card import strategy_card
from houseway.documents.submission import make_pack
from houseway.documents.web_page import html_of
from houseway.refusal import Reason, Refused, listed
from houseway.rules.variant import Variant
from houseway.studio.board import board
from houseway.studio.draft import subject_of
from houseway.studio.figure import Told, nobody
from houseway.studio.names import KINDS

COLUMNS = ("house_edge", "element_of_risk", "hit_frequency", "push_frequency")
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of files in a pack: the same variant gives the same bytes."""


class File(NamedTuple):
    """What somebody takes home."""

    name: str
    media: str
    content: bytes


def export(
    variant: Variant,
    kind: str,
    author: str | None = None,
    told: Told = nobody,
) -> File:
    """The variant as a file of a kind; the same variant gives the same bytes."""
    name = "-".join(re.findall("[a-z0-9]+", variant.name.lower())) or variant.game
    match kind:
        case "pdf":
            told({"doing": "par sheet"})
            sheet = par_sheet(subject_of(variant, author=author))
            return File(f"par-{name}.pdf", "application/pdf", pdf_of(sheet))
        case "html":
            told({"doing": "par sheet"})
            sheet = par_sheet(subject_of(variant, author=author))
            return File(f"par-{name}.html", "text/html; charset=utf-8", html_of(sheet))
        case "csv":
            return File(f"par-{name}.csv", "text/csv; charset=utf-8", _csv(variant))
        case "json":
            text = json.dumps(subject_of(variant).sheet.to_json(), indent=2) + "\n"
            return File(f"par-{name}.json", "application/json", text.encode())
        case "card":
            subject = subject_of(variant, author=author)
            card = strategy_card(subject, subject.command("strategy", subject.code))
            return File(f"strategy-{name}.pdf", "application/pdf", pdf_of(card))
        case "pack":
            return File(f"pack-{name}.zip", "application/zip", _pack(variant, told))
        case "variant":
            return File(f"{name}.json", "application/json", variant.text().encode())
    raise Refused(
        Reason.UNKNOWN_VALUE, f"export {kind[:40]!r} is not known; known: {listed(KINDS)}"
    )


def _csv(variant: Variant) -> bytes:
    """Every bet with its exact figures, a line each."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("bet", "paytable", *COLUMNS, "standard_deviation"))
    priced = board(variant)
    for row in priced["bets"]:
        code = "" if row["paytable"] is None else row["paytable"]["code"]
        figures = [row[name]["exact"] for name in COLUMNS]
        writer.writerow((row["bet"], code, *figures, row["standard_deviation"]))
    found = priced["progressive"]
    if found is not None:
        # Its edge hangs on a meter; what it returns without one stands in the sheet.
        hits = found["hit_frequency"]["exact"]
        writer.writerow(("progressive", found["code"], "", "", hits, "", ""))
    return text.getvalue().encode()


def _pack(variant: Variant, told: Told) -> bytes:
    files = make_pack(
        variant.game,
        variant.options,
        list(variant.paytables.items()),
        {},
        lambda what: told({"doing": what}),
    )
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path, EARLIEST), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()
