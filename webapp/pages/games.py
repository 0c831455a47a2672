"""The pages of a game: joining, the table with its forms, and the reveal. The forms work without scripts."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from scoring import HouseRule, PublicObjective, Tool
from scoring.errors import SagradaError
from webapp.companion.changes import ChoicesChange
from webapp.companion.errors import ConflictError, InputError, UnreadPhotoError, in_words_of_the_rules
from webapp.companion.games.codes import typed_code
from webapp.companion.games.dealing import Deal
from webapp.companion.games.game import Game
from webapp.companion.games.rounds import Move
from webapp.companion.listed import as_listed
from webapp.pages import game_view
from webapp.pages.frame import page, private_of, whole
from webapp.web import game_actions, photos
from webapp.web.access import find, find_for_host, games, viewer

blueprint = Blueprint("games", __name__)

MOVES = {move.value: move for move in Move}
KINDS: dict[str, Any] = {"public": PublicObjective, "tools": Tool, "house_rules": HouseRule}


@blueprint.post("/games")
def start() -> ResponseReturnValue:
    """Start a game night."""
    name, solo = request.form.get("name", ""), request.form.get("players") == "solo"
    return to_table(game_actions.start(name, solo=solo).code)


@blueprint.post("/join")
def enter_code() -> ResponseReturnValue:
    """Go to the game whose code was typed."""
    return to_table(find(typed_code(request.form.get("code", ""))).code)


@blueprint.get("/g/<code>")
def table(code: str) -> ResponseReturnValue:
    """Show the table; who has no seat is asked for a name."""
    plain = typed_code(code)
    if plain != code:
        return redirect(url_for("games.table", code=plain))
    game = find(code)
    if viewer(game).is_stranger:
        if game.is_revealed:
            return redirect(url_for("games.reveal", code=code))
        return join_page(game)
    return table_page(game)


def table_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the table, with what was refused where something was."""
    shown = game_view.table(game)
    # A name is refused beside its field, where there is one.
    name_refused = error is not None and request.endpoint == "games.join" and shown["has_name_field"]
    return page("table.html", error, table=shown, name_refused=name_refused)


@blueprint.get("/g/<code>/join")
@blueprint.get("/g/<code>/seats/<int:number>/photo")
def table_of_form(code: str, number: int = 0) -> ResponseReturnValue:  # noqa: ARG001
    """Go to the table from where one of its forms was sent, which answers with the table itself."""
    return to_table(typed_code(code))


def join_page(game: Game, error: SagradaError | None = None) -> Response:
    """Return the question for a name."""
    return page("join.html", error, table=game_view.table(game))


@blueprint.post("/g/<code>/join")
def join(code: str) -> ResponseReturnValue:
    """Sit down at the table."""
    try:
        game = game_actions.join(code, request.form.get("name", ""))
    except InputError as error:
        game = find(code)
        show = join_page if viewer(game).is_stranger else table_page
        return show(game, error)
    return to_table(game.code)


@blueprint.get("/g/<code>/reveal")
def reveal(code: str) -> ResponseReturnValue:
    """Show all windows side by side, once they are revealed."""
    game = find(typed_code(code))
    ended = games().ended(game.code)
    if ended is None:
        return to_table(game.code)
    return render_template("reveal.html", reveal=game_view.reveal(ended))


@blueprint.post("/g/<code>/reveal")
def do_reveal(code: str) -> ResponseReturnValue:
    """Open all windows."""
    try:
        game_actions.reveal(code, anyway="anyway" in request.form)
    except InputError as error:
        return table_page(find(code), error)
    return redirect(url_for("games.reveal", code=code), 303)


@blueprint.post("/g/<code>/again")
def play_again(code: str) -> ResponseReturnValue:
    """Begin the next game of the same people."""
    same_cards = request.form.get("cards") == "same"
    return to_table(game_actions.play_again(code, same_cards=same_cards).code)


@blueprint.post("/g/<code>/delete")
def delete(code: str) -> ResponseReturnValue:
    """Remove the game with all windows and photos for good."""
    game_actions.delete(code)
    return redirect(url_for("pages.start"), 303)


def to_table(code: str) -> Response:
    """Return the way to the table."""
    return make_response(redirect(url_for("games.table", code=code), 303))


# --- The forms on the table; each leads back to it --------------------------------------------------


@blueprint.post("/g/<code>/cards")
def put_cards(code: str) -> ResponseReturnValue:
    """Take in the cards of one kind."""
    kind = request.form.get("kind", "")
    if kind not in KINDS:
        raise InputError("bad_request")
    with in_words_of_the_rules():
        cards = [as_listed(name, KINDS[kind]) for name in request.form.getlist("card")]
    put: dict[str, Any] = {kind: cards}
    try:
        game_actions.put_cards(code, whole("revision"), anyway=request.form.get("anyway") == "yes", **put)
    except ConflictError as error:
        return _asked_first(code, error, ask="cards", card=[card.value for card in cards])
    return to_table(code)


@blueprint.post("/g/<code>/deal")
def deal(code: str) -> ResponseReturnValue:
    """Draw cards at random; with a number they are tools."""
    tools = whole("tools") if "tools" in request.form else None
    try:
        game_actions.deal(code, whole("revision"), tools, anyway=request.form.get("anyway") == "yes")
    except ConflictError as error:
        return _asked_first(code, error, ask="deal", tools=tools)
    return to_table(code)


def _asked_first(code: str, error: ConflictError, **question: Any) -> Response:  # noqa: ANN401
    """Return the way to the table that asks whether used tool cards may go, or raise any other error."""
    if error.code != "tool_in_use":
        raise error
    if request.form.get("anyway") == "no":
        return to_table(code)  # they stay
    return make_response(redirect(url_for("games.table", code=code, **question), 303))


@blueprint.post("/g/<code>/players/deal")
def deal_to_players(code: str) -> ResponseReturnValue:
    """Deal window cards and private objectives to the players."""
    what, again = request.form.get("what", ""), "again" in request.form
    game_actions.deal_to_players(code, Deal(what != "privates", what != "windows", again))
    return to_table(code)


@blueprint.post("/g/<code>/first")
def draw_first(code: str) -> ResponseReturnValue:
    """Draw who begins."""
    game_actions.draw_first(code, whole("revision"))
    return to_table(code)


@blueprint.post("/g/<code>/round")
def play_on(code: str) -> ResponseReturnValue:
    """Go on to the next turn or round, or back."""
    if request.form.get("move") not in MOVES:
        raise InputError("bad_request")
    game_actions.play_on(code, MOVES[request.form["move"]], whole("seen"))
    return to_table(code)


@blueprint.post("/g/<code>/timer")
def put_timer(code: str) -> ResponseReturnValue:
    """Time the turns, or do not."""
    game_actions.put_timer(code, whole("seconds") if request.form.get("seconds") else None)
    return to_table(code)


@blueprint.post("/g/<code>/solo")
def put_solo(code: str) -> ResponseReturnValue:
    """Take in target and second private objective of a solo game."""
    target = whole("target") if request.form.get("target", "").strip() else None
    second = private_of("second_private")
    game_actions.put_cards(code, whole("revision"), target=target, second_private=second)
    return to_table(code)


@blueprint.post("/g/<code>/order")
def put_order(code: str) -> ResponseReturnValue:
    """Move a player one place up, or note whether the order is that of the turns."""
    game = find_for_host(code)
    numbers = [seat.number for seat in game.seats]
    known = request.form.get("known") == "yes"
    if "up" in request.form:
        number = whole("up")
        at = numbers.index(number) if number in numbers else 0
        if at > 0:
            numbers[at - 1], numbers[at] = numbers[at], numbers[at - 1]
        known = game.order_known
    game_actions.put_order(code, whole("revision"), numbers, known=known)
    if game.is_revealed:
        return redirect(url_for("games.reveal", code=code), 303)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/photo")
def take_photo(code: str, number: int) -> ResponseReturnValue:
    """Take in the photo of a player's window."""
    try:
        _, window = game_actions.take_photo(code, number, photos.uploaded(), photos.sent_id())
    except (InputError, UnreadPhotoError) as error:
        return table_page(find(code), error)
    return redirect(url_for("pages.show", record_id=window.id), 303)


@blueprint.post("/g/<code>/seats/<int:number>/own")
def put_own(code: str, number: int) -> ResponseReturnValue:
    """Take in a player's private objective, window card or favor tokens."""
    if "window" in request.form:
        choices = ChoicesChange(window=request.form["window"])
        game_actions.put_own(code, number, choices, whole("window_revision"))
    if "favor" in request.form:
        choices = ChoicesChange(favor_tokens=whole("favor"))
        game_actions.put_own(code, number, choices, whole("window_revision"))
    if "private" in request.form:
        choices = ChoicesChange(private=private_of("private"))
        game_actions.put_own(code, number, choices, whole("window_revision"))
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/ready")
def be_ready(code: str, number: int) -> ResponseReturnValue:
    """Note that a player is done, or not yet."""
    game_actions.be_ready(code, number, is_ready=request.form.get("ready") == "yes")
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/tool")
def use_tool(code: str, number: int) -> ResponseReturnValue:
    """Note that a player used a tool; without a name the last use is taken back."""
    if "tool" in request.form:
        with in_words_of_the_rules():
            tool = as_listed(request.form["tool"], Tool)
        game_actions.use_tool(code, number, tool)
    else:
        game_actions.take_back(code, number)
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/name")
def rename(code: str, number: int) -> ResponseReturnValue:
    """Call a player something else."""
    game_actions.rename(code, number, request.form.get("name", ""))
    return to_table(code)


@blueprint.post("/g/<code>/seats/<int:number>/leave")
def leave(code: str, number: int) -> ResponseReturnValue:
    """Take a player out of the game, with window and photo."""
    game_actions.leave(code, number)
    return to_table(code)


@blueprint.post("/g/<code>/reopen")
def reopen(code: str) -> ResponseReturnValue:
    """Go back to the table, to put cards or players right."""
    game_actions.reopen(code)
    return to_table(code)
