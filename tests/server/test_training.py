"""Training over the wire: drills that count once, records that stay, roles, refusals, bounds."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

import pytest

from houseway.floor.person import ROLES
from houseway.rules.ruleset import make_ruleset
from houseway.server import learners, preparing
from houseway.server.classroom import TEACHERS
from houseway.server.training_paths import COOKIE
from houseway.training.skills import make_drill
from tests.journal.databases import on_both_kinds
from tests.live.table import GAMES
from tests.server.pupils import TCP, Pupil, named, right, wrong
from tests.server.serving import ROLES as CARDS
from tests.server.serving import InThread, in_thread, limits
from tests.waiting import PATIENCE, wait_for


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """A floor on which people learn."""
    with in_thread(f"sqlite:///{tmp_path_factory.mktemp('training')}/floor.sqlite") as made:
        yield made


@pytest.fixture(autouse=True)
def anew(floor: InThread) -> None:
    """Draw the same seeds in every test, whichever ran before."""
    floor.draw_anew()


def counts(view: Any) -> tuple[int, int]:
    return view["answered"], view["right"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_may_be_learned_by_dealers(floor: InThread, game: str) -> None:
    pupil = Pupil(floor)
    pupil.begin(game)
    for _ in range(3):
        told = pupil.right()
        assert told["grade"]["right"]
        assert all(mark["why"] for mark in told["grade"]["marks"])
    assert counts(pupil.view) == (3, 3)


def test_a_question_has_no_answer_in_it_before_it_is_given(floor: InThread) -> None:
    view = Pupil(floor).begin()
    assert set(view["drill"]) == {"skill", "seed", "question", "scene", "fields"}
    for field in view["drill"]["fields"]:
        assert set(field) == {"name", "label", "kind", "choices"}


def test_an_answer_that_is_sent_twice_counts_once(floor: InThread) -> None:
    pupil = Pupil(floor)
    view = pupil.begin()
    told = [pupil.answer(wrong(view), view) for _ in range(3)]
    assert told[0]["grade"] == told[1]["grade"] == told[2]["grade"]
    assert [one["next"]["answered"] for one in told] == [1, 1, 1]
    # Once it is graded, another answer changes nothing.
    assert not pupil.answer(right(view), view)["grade"]["right"]
    assert counts(pupil.view) == (1, 0)
    # A page that is loaded again asks what was asked.
    assert pupil.view["drill"] == pupil.view["drill"] == told[0]["next"]["drill"]


def test_two_clicks_at_the_same_moment_count_once(floor: InThread) -> None:
    pupil = Pupil(floor)
    view = pupil.begin()
    body = {**named(view), "given": right(view), "seconds": 1}
    with ThreadPoolExecutor(8) as several:
        answers = [*several.map(lambda _: pupil.ask("answer", body), range(8))]
    assert {answer.status_code for answer in answers} == {200}
    assert counts(pupil.view) == (1, 1)


def test_what_cannot_be_read_is_told_and_not_counted(floor: InThread) -> None:
    pupil = Pupil(floor)
    view = pupil.begin()
    name = view["drill"]["fields"][0]["name"]
    which = named(view)
    for given, sentence in (
        ({name: ""}, "has no answer yet"),
        ({}, "has no answer yet"),
        ({**right(view), "nothing": "5"}, "'nothing' was not asked for; asked: "),
    ):
        status, told = pupil.refused("answer", **which, given=given)
        assert (status, sentence in told) == (422, True), told
    status, told = pupil.refused("answer", **{**which, "skill": "juggling"}, given={})
    assert (status, "skill 'juggling' is unknown; known: " in told) == (409, True)
    status, told = pupil.refused("answer", **{**which, "number": 5}, given=right(view))
    assert (status, "the answer is for question 6" in told) == (409, True)
    status, told = pupil.refused(
        "answer", **{**which, "seed": which["seed"] + 1}, given=right(view)
    )
    assert (status, "asked is question 1" in told) == (409, True)
    bad: dict[str, Any]
    for bad in (
        {**which, "given": {name: 5}},
        {**which, "given": {name: "9" * 61}},
        {**which, "given": {name: ["x"] * 31}},
        {**which, "seed": -1, "given": {}},
        {**which, "seed": 2**53, "given": {}},
        {**which, "given": {}, "more": 1},
        {"given": {}},
    ):
        assert pupil.refused("answer", **bad)[0] == 422
    assert counts(pupil.view) == (0, 0)


def test_what_cannot_be_begun_is_told(floor: InThread) -> None:
    pupil = Pupil(floor)
    body: dict[str, Any]
    for body, sentence in (
        ({"game": "bridge"}, "'bridge'"),
        ({"modules": ["cooking"]}, "module 'cooking' of three-card-poker is unknown; known: "),
        ({"options": {"colour": "red"}}, "option 'colour' is unknown"),
        ({"paytables": {"pair-plus": "Z"}}, "'Z'"),
        ({"name": "  "}, "name '' is empty"),
    ):
        asked = {"name": "Robin", "track": "dealer", "game": TCP} | body
        answer = pupil.post("learners", asked)
        assert answer.status_code in (404, 409, 422), answer.text
        assert sentence in answer.json()["error"]["message"]
    bad: dict[str, Any]
    for bad in ({"track": "cook"}, {"rng_seed": -1}, {"name": "x" * 41}, {"name": "a\x07"}):
        asked_wrongly = {"name": "Robin", "track": "dealer", "game": TCP} | bad
        assert pupil.post("learners", asked_wrongly).status_code == 422


def test_the_same_seed_asks_the_same_questions(floor: InThread) -> None:
    def asked(seed: int) -> list[Any]:
        pupil = Pupil(floor)
        found = [pupil.begin(rng_seed=seed)["drill"]]
        for number in range(6):
            told = pupil.wrong() if number == 1 else pupil.right()
            found.append(told["next"]["drill"])
        return found

    first = asked(8123)
    assert first == asked(8123)
    assert first != asked(8124)
    pupil = Pupil(floor)
    pupil.begin(rng_seed=8123)
    pupil.right()
    assert pupil.begin(rng_seed=8123)["drill"] == first[0], "it begins again"


def test_a_record_is_for_its_own_browser(floor: InThread) -> None:
    one, other = Pupil(floor), Pupil(floor)
    view = one.begin()
    assert other.client.http.get(f"/api/training/{one.path}").status_code == 404
    other.learner = one.learner
    body = {**named(view), "given": right(view)}
    assert other.refused("answer", **body)[0] == 404
    assert other.look_around()["learners"] == []
    [found] = one.look_around()["learners"]
    assert found["learner"] == one.learner
    # From a page of somebody else's, or from none, nothing is taken.
    for token in ("", other.token, "x"):
        one.token, kept = token, one.token
        assert one.ask("answer", body).status_code == 403
        one.token = kept
    stranger = floor.client()
    assert stranger.http.get(f"/api/training/{one.path}").status_code == 404


def test_cookies_are_out_of_reach_of_scripts(floor: InThread) -> None:
    answer = floor.client().http.get("/api/training")
    given = answer.headers["set-cookie"].lower()
    assert given.startswith(COOKIE)
    for part in ("httponly", "samesite=strict", "path=/api/training"):
        assert part in given
    assert answer.cookies[COOKIE] not in answer.text


def test_who_is_signed_in_learns_as_the_holder_of_the_card(floor: InThread) -> None:
    at_home, at_work = Pupil(floor, floor.client()), Pupil(floor, floor.client())
    for pupil in (at_home, at_work):
        pupil.client.sign_in("d1")
    view = at_home.begin(name="Nobody")
    assert (view["name"], view["person"]) == ("Dan", "d1")
    at_home.right()
    # In another browser it is the same record.
    assert at_work.begin()["learner"] == view["learner"]
    assert counts(at_work.view) == (1, 1)
    assert {one["table"] for one in at_work.look_around()["tables"]} >= {"Poker", "Rummy"}
    assert Pupil(floor).offer["tables"] == []


def test_a_dealer_trains_by_the_rules_of_a_table(floor: InThread) -> None:
    pupil = Pupil(floor, floor.client())
    pupil.client.sign_in("d1")
    view = pupil.begin("", table="Rummy")
    assert view["game"] == "triple-shot-rummy"
    assert view["options"] == {
        "folded_hand_progressive": "eligible",
        # How the link's meters grow is part of the rules that are approved.
        "contribution_rate": "major=0.100000,mega=0.080000",
        "reserve_rate": "major=0.020000,mega=0.020000",
        "meter_seed": "major=5000.00,mega=50000.00",
    }
    assert view["paytables"] == {"progressive": "ML01"}
    asked = {"name": "", "track": "dealer", "game": "", "table": "Nowhere"}
    assert pupil.post("learners", asked).status_code == 404
    stranger = Pupil(floor)
    assert stranger.post("learners", {**asked, "table": "Rummy"}).status_code == 401


def test_a_dealer_trains_by_the_rules_of_any_house(floor: InThread) -> None:
    """All that a house decides is offered, with the three systems of a progressive among it."""
    pupil = Pupil(floor)
    house = next(game["house"] for game in pupil.offer["games"] if game["game"] == TCP)
    offered = {one["option"]: one["values"] for one in house["options"]}
    assert {"settle_style", "two_adjacent_positions", "table_minimum"} <= set(offered)
    assert offered["award_profile"] == ["nexus", "game_manager", "multi_link"]
    codes = {one["bet"]: one["codes"] for one in house["paytables"]}
    assert codes["progressive"] == ["1", "2", "01", "ML01", "ML03"]
    options = {
        "award_profile": "game_manager",
        "table_minimum": "ante=5.00,pair-plus=5.00,six-card-bonus=1.00,progressive=1.00",
    }
    paytables = {"pair-plus": "A:mini_royal=60,straight_flush=45,three_of_a_kind=28,flush=3"}
    view = pupil.begin(options=options, paytables=paytables)
    assert view["own"][0] == "award profile game manager"
    assert view["own"][-1] == f"Pair Plus {paytables['pair-plus']}"
    [progressive] = [one["rows"] for one in view["pays"] if one["bet"] == "progressive"]
    assert {"hand": "envy for A-K-Q spades", "pays": "$100.00"} in progressive
    told = {one["option"]: one for one in view["house"]}
    assert not told["award_profile"]["usual"]
    assert told["settle_style"]["usual"]
    assert told["table_minimum"]["value"] == options["table_minimum"]
    assert "table_maximum" not in told
    rules = make_ruleset(TCP, view["options"], view["paytables"])
    assert ("System", "Game Manager") in make_drill("keypad.start", 1, rules).scene.facts
    asked = {"name": "Robin", "track": "player", "game": TCP, "options": options}
    assert "not offered in practice" in pupil.post("learners", asked).json()["error"]["message"]


# What stays.


def test_records_are_bounded(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    pupil = Pupil(floor)
    monkeypatch.setattr(learners, "MOST_OF_OWNER", 2)
    for seed in (1, 2):
        pupil.begin(rng_seed=seed)
    asked = {"name": "Robin", "track": "dealer", "game": TCP, "rng_seed": 3}
    answer = pupil.post("learners", asked)
    assert "2 courses are begun already" in answer.json()["error"]["message"]
    monkeypatch.setattr(learners, "MOST", 0)
    answer = Pupil(floor).post("learners", asked)
    assert "sign in with a card, or come back later" in answer.json()["error"]["message"]


def test_asking_too_often_is_refused(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floor.room, "limits", limits({"learners": 1}))
    pupil, other = Pupil(floor), Pupil(floor)
    pupil.begin()
    pupil.begin()
    asked = {"name": "Robin", "track": "dealer", "game": TCP}
    assert other.post("learners", asked).status_code == 429
    monkeypatch.setattr(floor.room, "limits", limits({"training": 1}))
    assert pupil.ask("answer", {}).status_code == 422
    assert pupil.ask("answer", {}).status_code == 429


# Those who teach.


def test_who_may_see_learners(floor: InThread) -> None:
    pupil = Pupil(floor)
    pupil.begin(name="Kim")
    code = pupil.view["modules"][0]["code"]
    for role in ROLES:
        client = floor.as_(CARDS[role])
        expected = 200 if role in TEACHERS else 403
        assert client.http.get("/api/training/class").status_code == expected, role
        path = f"/api/training/class/{pupil.learner}"
        assert client.http.get(path).status_code == expected, role
        body = {"learner": pupil.learner, "module": code, "goal": 3}
        assert client.post("/api/training/class/assign", body).status_code == expected, role
    assert floor.client().http.get("/api/training/class").status_code == 401


def test_the_class_and_what_is_assigned(floor: InThread) -> None:
    pupil = Pupil(floor)
    pupil.begin(name="Lee", rng_seed=1)
    pupil.right()
    pupil.wrong()
    trainer = floor.as_("t1")
    seen = trainer.get("/api/training/class")
    lee = next(one for one in seen["learners"] if one["learner"] == pupil.learner)
    assert (lee["name"], lee["person"], lee["answered"], lee["right"]) == ("Lee", None, 2, 1)
    # A kind of question may stand in several modules.
    assert sum(module["answered"] for module in lee["modules"]) >= 2
    looked = trainer.get(f"/api/training/class/{pupil.learner}")
    assert len(looked["mistakes"]) == 1
    skill = pupil.view["drill"]["skill"]
    module = next(
        one for one in pupil.view["modules"] if skill in {known["code"] for known in one["skills"]}
    )
    asked = {"learner": pupil.learner, "module": module["code"], "goal": 2}
    trainer.post("/api/training/class/assign", asked)
    # Who teaches was here, and not who learns.
    again = trainer.get(f"/api/training/class/{pupil.learner}")
    assert again["updated_at"] == looked["updated_at"]
    [assigned] = pupil.view["assigned"]
    assert (assigned["title"], assigned["done"], assigned["by"]) == (module["title"], 0, "Tia")
    assert pupil.right()["next"]["assigned"][0]["done"] == 1
    trainer.post("/api/training/class/assign", {**asked, "goal": 0})
    assert pupil.view["assigned"] == []
    for body, status in (
        ({**asked, "module": "cooking"}, 409),
        ({**asked, "learner": "nobody"}, 404),
        ({**asked, "goal": 1001}, 422),
        ({"module": module["code"], "goal": 1}, 422),
        ({"card": "x9", "game": TCP, "module": module["code"], "goal": 1}, 404),
    ):
        assert trainer.post("/api/training/class/assign", body).status_code == status, body


def test_a_module_is_assigned_to_who_has_not_begun(floor: InThread) -> None:
    trainer = floor.as_("t1")
    module = Pupil(floor).begin("triple-shot-bonus")["modules"][0]["code"]
    asked = {"card": "c1", "game": "triple-shot-bonus", "module": module, "goal": 5}
    answer = trainer.post("/api/training/class/assign", asked)
    assert answer.status_code == 200, answer.text
    pupil = Pupil(floor, floor.client())
    pupil.client.sign_in("c1")
    [begun] = pupil.look_around()["learners"]
    assert (begun["name"], begun["game"]) == ("Cal", "triple-shot-bonus")
    assert pupil.begin("triple-shot-bonus")["assigned"][0]["goal"] == 5


# Exams.


def take(pupil: Pupil, exam: Any, *, wrongly: int = 0) -> Any:
    """Answer all that is left of an exam, so many of it wrongly."""
    rules = {name: pupil.view[name] for name in ("options", "paytables")}
    while exam["drill"] is not None:
        given = (wrong if exam["answered"] < wrongly else right)({**exam, **rules})
        exam = pupil.do("exam/answer", number=exam["answered"] + 1, given=given)
        assert "grade" not in exam
    return exam


@on_both_kinds
def test_nothing_is_lost_when_the_server_stops_in_the_middle_of_an_exam(database: str) -> None:
    """On both databases: answers, mistakes, what was assigned, and the exam to its certificate."""
    with in_thread(database) as first:
        pupil = Pupil(first)
        pupil.begin(name="Sam Deal")
        pupil.right()
        pupil.wrong()
        code = pupil.view["modules"][0]["code"]
        body = {"learner": pupil.learner, "module": code, "goal": 7}
        assert first.as_("t1").post("/api/training/class/assign", body).status_code == 200
        before = pupil.view
        assert (counts(before), len(before["mistakes"])) == ((2, 1), 1)
        exam = pupil.do("exam", questions=20)
        assert (exam["questions"], exam["answered"], exam["results"]) == (20, 0, [])
        for _ in range(3):
            given = right(exam)
            answered = {"number": exam["answered"] + 1, "given": given}
            exam = pupil.do("exam/answer", **answered)
            # Sent again it counts once; another answer to it is refused.
            assert pupil.do("exam/answer", **answered) == exam
        first_field = next(iter(given))
        other = "2" if given[first_field] == "1" else "1"
        sent = {**answered, "given": {**given, first_field: other}}
        status, told = pupil.refused("exam/answer", **sent)
        assert (status, "question 4 is open, and each is answered once" in told) == (409, True)
        cookies = dict(pupil.client.http.cookies)
        [begun] = pupil.look_around()["learners"]
        assert begun["exam"]
    with in_thread(database, furnished=False) as second:
        again = Pupil(second, second.client(cookies=cookies))
        assert again.token == pupil.token
        again.learner = pupil.learner
        ignored = {"exam", "updated_at"}
        now = {name: value for name, value in again.view.items() if name not in ignored}
        assert now.items() <= before.items()
        assert again.begin(name="Sam Deal")["learner"] == pupil.learner
        assert again.client.get(f"/api/training/{again.path}/exam") == exam
        # Beginning again goes on with what waits.
        assert again.do("exam", questions=10) == exam
        over = take(again, exam)
        [came] = over["results"]
        assert (came["passed"], came["right"], came["asked"]) == (True, 20, 20)
        assert sum(module["asked"] for module in came["modules"]) == 20
        path = f"/api/training/certificates/{came['digest']}"
        printed = again.client.http.get(path)
        assert printed.content.startswith(b"%PDF")
        assert printed.content == again.client.http.get(path).content
        page = again.client.http.get(f"{path}?format=html")
        assert page.headers["content-disposition"].startswith("attachment")
        assert "Sam Deal" in page.text
        assert came["digest"] in page.text
        assert Pupil(second).client.http.get(path).status_code == 404
        assert second.as_("t1").http.get(path).content == printed.content
        assert second.as_("d1").http.get(path).status_code == 404
        [seen] = second.as_("t1").get("/api/training/class")["learners"]
        assert [one["digest"] for one in seen["results"]] == [came["digest"]]


def test_an_exam_that_is_not_passed_or_given_up(floor: InThread) -> None:
    pupil = Pupil(floor)
    pupil.begin(rng_seed=4)
    status, told = pupil.refused("exam/answer", number=1, given={})
    assert (status, told) == (409, "no exam is under way; begin one")
    assert pupil.refused("exam/leave")[0] == 409
    status, told = pupil.refused("exam", modules=["cooking"])
    assert (status, "module 'cooking'" in told) == (409, True)
    status, told = pupil.refused("exam", questions=1)
    assert (status, "are too few" in told) == (422, True)
    exam = take(pupil, pupil.do("exam", modules=["payouts"], questions=10), wrongly=3)
    [came] = exam["results"]
    assert (came["passed"], came["right"]) == (False, 7)
    path = f"/api/training/certificates/{came['digest']}"
    answer = pupil.client.http.get(path)
    assert (answer.status_code, "was not passed" in answer.text) == (409, True)
    assert pupil.client.http.get(f"{path}x").status_code == 404
    pupil.do("exam", questions=20)
    given_up = pupil.do("exam/leave")
    assert (given_up["drill"], len(given_up["results"])) == (None, 1)
    looked = floor.as_("s1").get(f"/api/training/class/{pupil.learner}")
    assert looked["given_up"] == 1
    # What is asked in an exam is no drill, and counts for nothing but the exam.
    view = pupil.view
    assert counts(view) == (0, 0)
    # What was missed in it comes again as a drill, and is found among the mistakes.
    assert [one["waits"] for one in view["mistakes"]] == [True] * 3
    again = {(one["skill"], one["seed"]) for one in view["mistakes"]}
    asked = set()
    for _ in range(6):
        view = pupil.view
        asked.add((view["drill"]["skill"], view["drill"]["seed"]))
        pupil.right()
    assert again <= asked


def test_of_two_last_answers_one_counts(floor: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two windows hand in the last question otherwise at the same moment: one result is kept."""
    pupil = Pupil(floor)
    rules = {name: pupil.begin()[name] for name in ("options", "paytables")}
    exam = pupil.do("exam", modules=["payouts"], questions=10)
    for number in range(1, 10):
        exam = pupil.do("exam/answer", number=number, given=right({**exam, **rules}))
    last, kept = {**exam, **rules}, floor.room.training.learners.keep
    faster = iter([right(last)])

    def overtaken(*given: Any, **more: Any) -> Any:
        for other in faster:
            pupil.do("exam/answer", number=10, given=other)
        return kept(*given, **more)

    monkeypatch.setattr(floor.room.training.learners, "keep", overtaken)
    status, told = pupil.refused("exam/answer", number=10, given=wrong(last))
    assert (status, told) == (409, "no exam is under way; begin one")
    [came] = pupil.client.get(f"/api/training/{pupil.path}/exam")["results"]
    assert (came["passed"], came["right"]) == (True, 10)


def test_an_exam_is_neither_looked_up_nor_begun_away(floor: InThread) -> None:
    """A question of it is no drill to be asked again, and who begins anew gives it up."""
    pupil = Pupil(floor)
    pupil.begin(rng_seed=21)
    missed = named(pupil.view)
    pupil.wrong()
    drill = pupil.do("exam", questions=20)["drill"]
    status, told = pupil.refused("again", skill=drill["skill"], seed=drill["seed"])
    assert (status, "was not missed" in told) == (422, True), told
    found = pupil.do("again", skill=missed["skill"], seed=missed["seed"])
    assert named(found) == {**missed, "number": 1}
    assert pupil.begin(rng_seed=21)["exam"] is False
    assert floor.as_("s1").get(f"/api/training/class/{pupil.learner}")["given_up"] == 1


# Players.


def test_players_are_asked_once_their_figures_are_counted(
    floor: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the page is told so; where they cannot be counted, why."""
    pupil = Pupil(floor)
    gate = threading.Event()
    made = make_drill

    def slow(*given: Any) -> Any:
        assert gate.wait(PATIENCE)
        return made(*given)

    monkeypatch.setattr(preparing, "make_drill", slow)
    view = pupil.begin(track="player", modules=["player-rules"], options={"tie_rule": "win"})
    assert (view["figures"], view["drill"]) == ("counting", None)
    asked = {"skill": "rules.hand", "seed": 1, "number": 0, "given": {}}
    status, told = pupil.refused("answer", **asked)
    assert (status, "are being counted; try again in a moment" in told) == (409, True)
    gate.set()
    wait_for(lambda: pupil.view["figures"] == "ready")
    told = pupil.right()
    assert told["grade"]["right"]

    def missing(*_: Any) -> Any:
        raise ModuleNotFoundError("no module 'numba'")

    monkeypatch.setattr(preparing, "make_drill", missing)
    pupil.begin("triple-shot-bonus", track="player", modules=["player-rules"])
    wait_for(lambda: pupil.view["figures"] == "missing")
    assert "need the extra 'fast'" in pupil.refused("answer", **asked)[1]

    def failing(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(preparing, "make_drill", failing)
    pupil.begin("triple-shot-rummy", track="player", modules=["player-rules"])
    wait_for(lambda: pupil.view["figures"] == "failed")
    assert "could not be counted by these rules" in pupil.refused("answer", **asked)[1]
    assert pupil.refused("exam")[0] == 422
    body = {"name": "R", "track": "player", "game": TCP, "options": {"profile": "wa_2017"}}
    assert "is not offered" in pupil.post("learners", body).json()["error"]["message"]


@pytest.mark.parametrize(
    "rules",
    [
        {"options": {}, "paytables": {}},
        {"options": {"tie_rule": "win"}, "paytables": {"pair-plus": "A:flush=3,pair=none"}},
    ],
)
def test_lessons_and_the_questions_at_their_ends(
    floor: InThread, rules: dict[str, dict[str, str]]
) -> None:
    """By the usual rules, and by those of a table that somebody practises at."""
    pupil = Pupil(floor)
    pairs = [("option", f"{name}={value}") for name, value in rules["options"].items()]
    pairs += [("paytable", f"{bet}={code}") for bet, code in rules["paytables"].items()]
    path = f"/api/training/lessons/three-card-poker?{urlencode(pairs)}"
    wait_for(lambda: pupil.client.get(path)["figures"] == "ready")
    found = pupil.client.get(path)
    assert len(found["lessons"]) > 3
    assert {name: found[name] for name in rules} == rules
    for lesson in found["lessons"]:
        assert lesson["sentences"]
        for drill in lesson["checks"]:
            given = right({**found, "drill": drill})
            body = {"skill": drill["skill"], "seed": drill["seed"], "given": given, **rules}
            answer = pupil.post(f"lessons/{TCP}/check", body)
            assert answer.json()["right"], answer.text


def test_lessons_that_there_are_not(floor: InThread) -> None:
    pupil = Pupil(floor)
    for address, said in {
        "bridge": "game 'bridge' is unknown",
        f"{TCP}?option=tie_rule=maybe": "'maybe'",
        f"{TCP}?option=profile=wa_2017": "is not offered in practice",
        f"{TCP}?paytable=pair-plus=A:flush=-3": "'-3'",
        f"{TCP}?paytable=A": "paytable",
    }.items():
        answer = pupil.client.http.get(f"/api/training/lessons/{address}")
        refused = answer.status_code in (404, 409, 422)
        assert (refused, said in answer.text) == (True, True), answer.text
    dealers = {"skill": "payouts.pair-plus", "seed": 1, "given": {}}
    assert pupil.post(f"lessons/{TCP}/check", dealers).status_code == 422


def test_no_more_is_counted_at_once_than_the_server_can_bear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who asks for more waits, and gets it when asking again."""
    gate = threading.Event()
    made: list[str] = []

    def slow(ruleset: Any) -> Any:
        assert gate.wait(PATIENCE)
        made.append(ruleset.digest)

    monkeypatch.setattr(preparing, "make_lessons", slow)
    monkeypatch.setattr(preparing, "meter_points", lambda _: None)
    room = preparing.Preparing(lambda _: None)
    rules = [
        make_ruleset(TCP, {}, {"pair-plus": f"A:flush={pay}"})
        for pay in range(5, 6 + preparing.MOST_WAITING)
    ]
    assert {room.lessons(one) for one in rules} == {"counting"}
    gate.set()
    wait_for(lambda: {room.lessons(one) for one in rules[:-1]} == {"ready"})
    assert len(made) == preparing.MOST_WAITING
    wait_for(lambda: room.lessons(rules[-1]) == "ready")
