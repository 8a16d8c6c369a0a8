"""Somebody who learns, over the wire: begins, answers right or wrong, and comes back."""

from typing import Any

import httpx

from houseway.house.money import CENTS_PER_DOLLAR
from houseway.rules.ruleset import make_ruleset
from houseway.training.drill import Field
from houseway.training.skills import make_drill
from tests.server.serving import Client, Served

TCP = "three-card-poker"


def right(view: Any) -> dict[str, Any]:
    """What is right for the drill of a view, as a screen sends it."""
    rules = make_ruleset(view["game"], view.get("options"), view.get("paytables"))
    drill = make_drill(view["drill"]["skill"], view["drill"]["seed"], rules)
    return {field.name: spelled(field) for field in drill.fields}


def spelled(field: Field) -> Any:
    """The answer of a field as it is given."""
    if field.kind == "amount":
        assert isinstance(field.answer, int)
        whole, cents = divmod(field.answer, CENTS_PER_DOLLAR)
        return f"{whole}.{cents:02d}"
    if isinstance(field.answer, tuple):
        return list(field.answer)
    return str(field.answer)


def wrong(view: Any) -> dict[str, Any]:
    """What can be read and is wrong in its first field."""
    given = right(view)
    field = view["drill"]["fields"][0]
    before = given[field["name"]]
    match field["kind"]:
        case "amount" | "number":
            given[field["name"]] = "7" if before not in ("7", "7.00") else "8"
        case "choice":
            values = [choice["value"] for choice in field["choices"]]
            given[field["name"]] = next(value for value in values if value != before)
        case "order" | "several":
            values = [choice["value"] for choice in field["choices"]]
            given[field["name"]] = values[:1] if before != values[:1] else values[1:2]
        case "chips":
            given[field["name"]] = ["100x1"] if before != ["100x1"] else ["100x2"]
    return given


class Pupil:
    """A browser in which somebody learns."""

    def __init__(self, floor: Served, client: Client | None = None) -> None:
        self.client = client or floor.client()
        self.token = ""
        self.learner = ""
        self.offer = self.look_around()

    def look_around(self) -> Any:
        """What may be learned."""
        offer = self.client.get("/api/training")
        self.token = offer["token"]
        return offer

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """Send something as a page of this browser would."""
        sent = {"x-houseway-token": self.token, **headers}
        return self.client.http.post(f"/api/training/{path}", json=body, headers=sent)

    def begin(self, game: str = TCP, **more: Any) -> Any:
        """Begin, or go on."""
        asked = {"name": "Robin", "track": "dealer", "game": game, **more}
        answer = self.post("learners", asked)
        assert answer.status_code == 200, answer.text
        self.learner = answer.json()["learner"]
        return answer.json()

    @property
    def path(self) -> str:
        return f"learners/{self.learner}"

    @property
    def view(self) -> Any:
        return self.client.get(f"/api/training/{self.path}")

    def ask(self, what: str, body: Any) -> httpx.Response:
        """Send something for this learner, whatever comes of it."""
        return self.post(f"{self.path}/{what}", body)

    def do(self, what: str, **body: Any) -> Any:
        """Do something that may be done."""
        answer = self.ask(what, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, what: str, **body: Any) -> tuple[int, str]:
        """Do something that may not be done; status and sentence."""
        answer = self.ask(what, body)
        assert answer.status_code != 200, answer.text
        return answer.status_code, answer.json()["error"]["message"]

    def answer(self, given: dict[str, Any], view: Any = None, seconds: int = 3) -> Any:
        """Answer the drill of a view, or the one that is asked now."""
        view = view or self.view
        return self.do("answer", **named(view), given=given, seconds=seconds)

    def right(self) -> Any:
        """Answer what is asked, rightly."""
        view = self.view
        return self.answer(right(view), view)

    def wrong(self) -> Any:
        """Answer what is asked, wrongly."""
        view = self.view
        return self.answer(wrong(view), view)


def named(view: Any) -> dict[str, Any]:
    """Which drill of a view it is."""
    drill = view["drill"]
    return {"skill": drill["skill"], "seed": drill["seed"], "number": view["number"]}
