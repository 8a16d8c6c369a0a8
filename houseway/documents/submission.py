"""Submission: everything about a game that is handed to an authority, as files in one folder.

The files are made in memory and written last, so that a folder holds a whole pack or none. The
manifest names every file with its SHA-256; a folder that has one may be written anew.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from houseway import __version__
from houseway.documents.checklist import checklist_document, checklist_json, open_items
from houseway.documents.document import Document
from houseway.documents.layout_text import layout_text
from houseway.documents.par_sheet import par_sheet
from houseway.documents.print_sheet import pdf_of
from houseway.documents.rack_card import rack_card, revision_code
from houseway.documents.rules_book import rules_book
from houseway.documents.strategy_card import strategy_card
from houseway.documents.subject import Subject, make_subject
from houseway.documents.web_page import html_of
from houseway.exact.strategy import strategy_document
from houseway.games.registry import shown_options
from houseway.refusal import Reason, Refused
from houseway.rules.rulebook import printed_differences, rules_document
from houseway.rules.ruleset import make_ruleset

MANIFEST = "manifest.json"
FORMAT = 1
LAID_OUT_BY = ("jinja2", "numpy", "typst", "vl-convert-python")
"""Programs whose version the bytes of a pack may hang on."""
Files = dict[str, bytes]


def make_pack(
    game: str,
    options: Mapping[str, str],
    paytables: list[tuple[str | None, str]],
    items: Mapping[str, tuple[str, bytes]],
    watch: Callable[[str], None] = lambda what: None,  # noqa: ARG005
) -> Files:
    """Every file of a pack by its path, the manifest last; items are a file's name and bytes."""
    watch("pricing the game")
    ruleset = make_ruleset(game, options, paytables)
    in_force: list[tuple[str | None, str]] = [
        (bet, table.code) for bet, table in ruleset.paytables.items()
    ]
    plain = {name: text for name, text in options.items() if name in ruleset.options.to_json()}
    subject = make_subject(game, plain, in_force)
    command = subject.command("pack", game, more=_more(items))
    files: Files = {}
    rules = rules_document(game, plain, in_force)
    _lay_out(files, "rules", rules_book(subject, rules, command))
    files["rules.json"] = _json(rules)
    files["options.json"] = _json(
        {
            "options": shown_options(game, subject.options),
            "differences": list(printed_differences(ruleset)),
        }
    )
    files["paytables.json"] = _json({bet: table.to_json() for bet, table in subject.tables.items()})
    watch("making the par sheet")
    _lay_out(files, "par-sheet", par_sheet(subject))
    files["par-sheet.json"] = _json(subject.sheet.to_json())
    progressive = subject.tables.get("progressive")
    if progressive is not None:
        watch("making the par sheet of the progressive")
        other = make_subject(progressive.game, plain, [("progressive", progressive.code)])
        _lay_out(files, f"par-sheet-{progressive.game}", par_sheet(other))
        files[f"par-sheet-{progressive.game}.json"] = _json(other.sheet.to_json())
    watch("laying out the cards")
    _lay_out(files, "strategy", strategy_card(subject, command))
    files["strategy.json"] = _json(strategy_document(game, plain, in_force))
    _lay_out(files, "rack-card", rack_card(subject, command))
    _lay_out(files, "layout", layout_text(subject, command))
    brought = {name: f"items/{name}/{file}" for name, (file, _) in items.items()}
    files |= {brought[name]: content for name, (_, content) in items.items()}
    _lay_out(files, "checklist", checklist_document(subject, brought, command))
    files["checklist.json"] = _json(checklist_json(brought))
    files["digests.json"] = _json(
        {
            "ruleset": {"revision": subject.revision, "digest": subject.digest},
            "rack_card": revision_code(subject),
            "files": _digests(files),
        }
    )
    files[MANIFEST] = _json(_manifest(subject, files, command, items))
    return files


def _more(items: Mapping[str, tuple[str, bytes]]) -> list[str]:
    given = [word for name, (file, _) in items.items() for word in ("--item", f"{name}={file}")]
    return [*given, "--out", "pack"]


def _manifest(
    subject: Subject, files: Files, command: str, items: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "houseway_pack": FORMAT,
        "game": subject.code,
        "revision": subject.revision,
        "digest": subject.digest,
        "complete": not open_items(items),
        "open": list(open_items(items)),
        "versions": {"houseway": __version__, **{name: version(name) for name in LAID_OUT_BY}},
        "command": command,
        "files": {
            path: {"sha256": digest, "bytes": len(files[path])}
            for path, digest in _digests(files).items()
        },
    }


def _digests(files: Files) -> dict[str, str]:
    return {path: hashlib.sha256(files[path]).hexdigest() for path in sorted(files)}


def _lay_out(files: Files, name: str, document: Document) -> None:
    files[f"{name}.html"] = html_of(document)
    files[f"{name}.pdf"] = pdf_of(document)


def _json(data: Any) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode()


def check_folder(out: str) -> None:
    """Refuse a folder that holds anything but an earlier pack, before anything is made for it."""
    place = Path(out)
    if place.exists() and not place.is_dir():
        raise _not_a_place(out, "it is a file; name a folder that is new, empty or an earlier pack")
    above = place if place.is_dir() else place.parent
    if not above.is_dir():
        raise _not_a_place(out, f"there is no folder '{place.parent}'")
    if not os.access(above, os.W_OK):
        raise _not_a_place(out, "that is not allowed")
    if not place.is_dir():
        return
    known = {*_earlier(place), MANIFEST}
    for path in sorted(place.rglob("*")):
        name = path.relative_to(place).as_posix()
        ours = any(file.startswith(f"{name}/") for file in known)
        # What is written into a link is written elsewhere.
        if path.is_symlink() or (name not in known and not (ours and path.is_dir())):
            raise _not_a_place(
                out,
                f"it holds {name!r}, which is of no earlier pack; name a folder that is new, empty "
                "or an earlier pack",
            )


def write_pack(out: str, files: Files) -> None:
    """Write the files, in place of those of an earlier pack; the manifest last."""
    place = Path(out)
    try:
        place.mkdir(exist_ok=True)
        for name in _earlier(place) - set(files):
            (place / name).unlink(missing_ok=True)
            with suppress(OSError):
                # The folder of an item that is no longer given; one that is not empty stays.
                (place / name).parent.rmdir()
        (place / MANIFEST).unlink(missing_ok=True)
        for name, content in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
    except OSError as error:
        raise _not_a_place(out, str(error.strerror)) from None


def _earlier(place: Path) -> set[str]:
    """The files that an earlier pack in the folder names; none where there was no pack."""
    try:
        found = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        if found["houseway_pack"] == FORMAT:
            # Only what lies in the folder itself: a manifest may say anything.
            return {name for name in found["files"] if not {"..", ""} & set(name.split("/"))}
    except (OSError, ValueError, KeyError, TypeError):
        pass
    if (place / MANIFEST).exists():
        raise _not_a_place(str(place), f"its {MANIFEST} is of no earlier pack")
    return set()


def _not_a_place(out: str, problem: str) -> Refused:
    return Refused(Reason.BAD_ARGUMENT, f"pack {out!r} cannot be written: {problem}")
