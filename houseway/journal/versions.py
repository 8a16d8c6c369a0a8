"""Versions: events of an earlier shape, read as they would be written today.

A model names for each kind of event what leads from version 1 of its data to version 2, from 2 to
3, and so on; the version that is written is the one after the last. What is stored and hashed is
never changed: an event is made over when something is worked out from it.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from houseway.journal import refused
from houseway.journal.event import Event, canonical
from houseway.refusal import Reason, Refused

if TYPE_CHECKING:
    from houseway.journal.state import Model, State

Upcast = Callable[[Event, "State"], Mapping[str, Any]]
"""The data of an event as the next version has it. It may look at the state before the event, for
what an earlier program left out because it was known."""
Upcasts = Mapping[str, Sequence[Upcast]]
"""By kind; a kind that is not named has one version."""


OWN: Upcasts = {refused.KIND: (refused.refused_2,)}
"""Of what the journal itself writes, whatever the model."""


def newest(upcasts: Upcasts, kind: str) -> int:
    """The version of a kind that is written today."""
    return len(_steps(upcasts, kind)) + 1


def _steps(upcasts: Upcasts, kind: str) -> Sequence[Upcast]:
    return OWN.get(kind) or upcasts.get(kind, ())


def present(event: Event, state: "State", upcasts: Upcasts) -> Event:
    """An event as it would be written today; refused when it is of a newer version."""
    known = newest(upcasts, event.kind)
    if event.schema == known:
        return event
    if not 1 <= event.schema < known:
        raise Refused(
            Reason.BAD_RECORD,
            f"event {event.position} is {event.kind!r} of version {event.schema}, and this program "
            f"knows it up to version {known}; use the program that wrote it, or a newer one",
        )
    for step in _steps(upcasts, event.kind)[event.schema - 1 :]:
        content = {"data": dict(step(event, state)), "transfers": event.transfers}
        event = event._replace(schema=event.schema + 1, body=canonical(content))
    return event


def form_of(model: "Model") -> str:
    """What tells projections of one program from those of another.

    It changes with what a state is written as, and with any version of an event.
    """
    versions = {kind: newest(model.upcasts, kind) for kind in {**model.upcasts, **OWN}}
    return sha256(canonical([model.form, versions]).encode()).hexdigest()
