"""Quick replace: it does what the one of every NamedTuple does."""

from typing import NamedTuple

import pytest

from houseway.live.quick_replace import quick_replace


class Plain(NamedTuple):
    """Three fields."""

    one: int
    two: str = ""
    three: tuple[int, ...] = ()


@quick_replace
class Quick(NamedTuple):
    """The same three."""

    one: int
    two: str = ""
    three: tuple[int, ...] = ()


@pytest.mark.parametrize(
    "changes",
    [{}, {"one": 5}, {"three": (1,), "two": "b"}, {"one": 0, "two": "", "three": (2, 3)}],
)
def test_the_named_fields_change_and_the_others_stay(changes: dict[str, object]) -> None:
    plain, quick = Plain(1, "a"), Quick(1, "a")
    found = quick._replace(**changes)  # type: ignore[arg-type]
    assert tuple(found) == tuple(plain._replace(**changes))  # type: ignore[arg-type]
    assert isinstance(found, Quick)
    assert quick == Quick(1, "a", ())


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(KeyError, match="four"):
        Quick(1)._replace(four=4)  # type: ignore[call-arg]
