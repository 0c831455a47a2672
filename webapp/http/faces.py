"""One view, two faces: a page and its JSON show the same object, a form and a JSON body are the same model.

A view function is declared with `Pages`. It gets what was sent as a `Sent`, and returns `shown(...)` for a
page or `done(...)` after a change. Whoever asks for JSON, with ``Accept: application/json`` or with ``.json``
behind the address, gets the view as JSON; everybody else gets it drawn by a template.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_origin

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, core_schema
from spectree import Response as Answers
from spectree import SpecTree
from spectree.plugins.flask_plugin import FlaskPlugin
from werkzeug.exceptions import RequestEntityTooLarge

from scoring.errors import SagradaError, ScoringError
from scoring.sentences import Sentence, english
from webapp.domain.errors import InputError
from webapp.domain.record import ID_PATTERN
from webapp.http.errors import MediaTypeError, NotAcceptableError, form_too_large, problem_of, status_of
from webapp.http.preferences import wants_json
from webapp.http.session import note_several_photos

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

Taken = TypeVar("Taken", bound="Sent")
Viewed = TypeVar("Viewed", bound=Callable[..., object])

SMALL = 16_000
"""The most bytes of JSON that an address takes."""
FORMS = frozenset({"", "multipart/form-data", "application/x-www-form-urlencoded"})
FILES = frozenset({"export.json", "file.json", "openapi.json"})
"""What is called so in an address is a file, not the JSON of a page."""
LONGEST_CARD_NAME = 60  # the longest name of a card in any language has 34


class View(BaseModel):
    """What a page and its JSON show."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, use_attribute_docstrings=True)


if TYPE_CHECKING:
    Thing = TypeVar("Thing")
    Drawn = Annotated[Thing, None]
else:

    class Drawn:
        """What only the page needs, to draw what the view says: a `Drawn[Board]` is a `Board` there."""

        def __class_getitem__(cls, kind: object) -> object:
            """Return how pydantic takes it: as it is, and left out of the JSON."""
            return Annotated[Any, Field(exclude=True)]


class ErrorView(View):
    """What went wrong, and what to do about it."""

    code: str
    """The reason, for programs."""
    message: str
    next_step: str
    data: dict[str, Any] | None = None
    """More for programs, such as `where`: the place in what was sent."""

    @classmethod
    def of(cls, error: SagradaError) -> ErrorView:
        """Return an error in the visitor's language."""
        return cls.model_validate(problem_of(error))


class ErrorAnswer(View):
    """The answer to whatever went wrong."""

    error: ErrorView


def _without_defaults(schema: dict[str, Any]) -> None:
    """Let a key that may be left out have no default: null does not stand for it."""
    for one in schema["properties"].values():
        if one.get("default", ...) is None:
            del one["default"]


class Sent(BaseModel):
    """What is sent to an address, as a form or as JSON; keys that are left out leave things as they are."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        json_schema_extra=_without_defaults,
    )

    def sent(self, *keys: str) -> dict[str, Any]:
        """Return those of the keys that were sent; all that were without ``keys``."""
        sent = self.model_fields_set
        return {key: getattr(self, key) for key in keys or sent if key in sent}


LEFT_OUT: Any = None
"""Stands for a key that was not sent; null may not be sent in its place. See `Sent.sent`."""


@dataclass(frozen=True)
class Text:
    """Says of a type that it is sent as a text of at most ``most`` characters, which ``find`` understands.

    ``find`` raises a `ScoringError` where it does not. The name of a card is the usual text.
    """

    find: Callable[[str], object]
    most: int = LONGEST_CARD_NAME

    def __get_pydantic_core_schema__(self, _source: object, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how pydantic checks it."""
        text = core_schema.str_schema(max_length=self.most, strict=True)
        return core_schema.no_info_after_validator_function(self.find, text)


class SentError(SagradaError):
    """What was sent is not what the address takes; ``where`` names the place, such as ``players[0].name``."""

    def __init__(self, code: str, what: Sentence, advice: Sentence, where: str = "", why: str = "") -> None:
        data = {key: text for key, text in (("where", where), ("why", why)) if text}
        super().__init__(code, what, advice, data or None)


class _Plugin(FlaskPlugin):
    def parse_path(self, *route: Any) -> Any:  # noqa: ANN401
        """Let a part of an address that only we know be a text."""
        path, parameters = super().parse_path(*route)
        return path, [{**one, "schema": one["schema"] or {"type": "string"}} for one in parameters]


class _Description(SpecTree):
    def _generate_spec(self) -> dict[str, Any]:
        """Let every refusal be described, whatever its status, and what was made be answered with 201."""
        made: dict[str, Any] = super()._generate_spec()
        for path in made["paths"].values():
            for method, operation in path.items():
                answers = operation["responses"]
                answers["default"] = {**answers.pop("400"), "description": "Refused, and why."}
                if method == "post" and "200" in answers:
                    answers["201"] = {**answers["200"], "description": "Made; its address is in Location."}
        return made


spec = _Description(
    "flask",
    backend=_Plugin,
    title="Sagrada Companion",
    version=version("sagrada-companion"),
    description="Every page is its own JSON: ask for it with `Accept: application/json` or with `.json` "
    "behind the address. What a form sends may be sent as JSON to the same address.",
    mode="strict",
    path="api",
    page_templates={},  # they would load scripts from elsewhere
    annotations=False,
    naming_strategy=lambda model: model.__name__,
    nested_naming_strategy=lambda _, name: name,
    validation_error_status=HTTPStatus.BAD_REQUEST,
    validation_error_model=ErrorAnswer,
)
"""Makes the OpenAPI document from the types that `Pages` name; it is at ``/api/openapi.json``."""


class Nothing(View):
    """Stands for the answer where there is nothing more to say."""


class Pages(Blueprint):
    """Pages, of which those that name what they answer have a face as JSON.

    What an address takes the view function gets as ``sent``.
    """

    def route(
        self,
        rule: str,
        *,
        answers: type[View] | None = None,
        takes: type[Sent] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Callable[[Viewed], Viewed]:
        """Return the decorator of a view function; `get` and `post` take the same."""
        routed: Callable[[Any], Any] = super().route(rule, **options)

        def declare(view: Viewed) -> Viewed:
            @wraps(view)
            def answered(*refused: Any, **place: Any) -> object:  # noqa: ANN401
                if takes is not None:
                    place["sent"] = received(takes)
                return view(*refused, **place)

            status: Any = {"HTTP_204": None} if answers is Nothing else {"HTTP_200": answers}
            described = spec.validate(json=takes, resp=Answers(**status), skip_validation=True)
            made: Viewed = routed(described(answered))
            return made

        return declare if answers else routed


# --- What is sent ----------------------------------------------------------------------------------


def received(model: type[Taken]) -> Taken:
    """Return what was sent, checked; else raise `SentError`, `TooLargeError` or `MediaTypeError`."""
    try:
        if request.is_json:
            return model.model_validate_json(body().removeprefix(codecs.BOM_UTF8), strict=True)
        if request.mimetype not in FORMS:
            body()  # one that is too large is told so first
            raise MediaTypeError("not_json")
        return model.model_validate(_fields(model))
    except ValidationError as error:
        raise _refused(error.errors(include_url=False)) from None


def body(most: int = SMALL) -> bytes:
    """Return the body of the request, or raise `TooLargeError` where it has more than ``most`` bytes."""
    request.max_content_length = most
    try:
        return request.get_data()
    except RequestEntityTooLarge:
        raise form_too_large(most) from None


def _fields(model: type[Sent]) -> dict[str, Any]:
    """Return what a form says: a list where several may be sent, ``name.key`` for each entry of an object."""
    form = request.form
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        kind = get_origin(field.annotation)
        if kind is dict:
            parts = ((key.partition("."), one) for key, one in form.items())
            found[name] = {key: one for (whose, _, key), one in parts if whose == name and key and one}
        elif name in form:
            is_text = any(isinstance(one, Text) for one in field.metadata)  # which may become a pair, say
            several = kind in {tuple, list} and not is_text
            found[name] = [one for one in form.getlist(name) if one] if several else form[name]
    return found


def _refused(mistakes: Sequence[ErrorDetails]) -> SentError:
    """Return the error for what is wrong, first for an unknown key: it may be why another one is missing."""
    mistake = next((one for one in mistakes if one["type"] == "extra_forbidden"), mistakes[0])
    place = [part for part in mistake["loc"] if part != "[key]"]  # such as players[0].favor_tokens
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in place]
    where = "".join(parts).removeprefix(".")[:300]
    cause = mistake.get("ctx", {}).get("error")
    if isinstance(cause, ScoringError):
        return SentError(cause.code, cause.sentence, cause.advice, where)
    what = english("Send one JSON object.")
    if where:
        what = english('"{key}" cannot be used as it was sent.', key=where)
    advice = english("{place} says what belongs there.", place=spec.config.spec_url)
    code = "unknown_key" if mistake["type"] == "extra_forbidden" else "bad_request"
    return SentError(code, what, advice, where, mistake["msg"])


# --- What is answered ------------------------------------------------------------------------------


def shown(
    template: str,
    view: View | None = None,
    error: SagradaError | None = None,
    draw: Callable[[], Mapping[str, Any]] = dict,
) -> Response:
    """Return a view as JSON, or drawn by a template, which calls it ``state``; without one there is no JSON.

    ``error`` is what was refused, which the page tells and has the status of; ``draw`` returns what only the
    template needs.
    """
    if not wants_json():
        told = {"problem": problem_of(error) if error else None, **draw()}
        page = render_template(template, state=view, **told)
        return make_response(page, status_of(error) if error else HTTPStatus.OK)
    if error is not None:
        raise error
    if view is None:
        raise NotAcceptableError("no_json")
    return as_json(view)


def as_json(view: View) -> Response:
    """Return a view as JSON; where it is only looked at, an unchanged one is answered with 304."""
    answer = Response(view.model_dump_json(by_alias=True), mimetype="application/json")
    if request.method == "GET":
        answer.add_etag()
        answer.make_conditional(request)
    return answer


def done(endpoint: str, *, made: bool = False, **where: Any) -> Response:  # noqa: ANN401
    """Return the way to a page after a change, or that page as JSON; ``made`` says that it is a new one."""
    address = url_for(endpoint, **where)
    if not wants_json():
        return make_response(redirect(address, HTTPStatus.SEE_OTHER))
    rule = next(current_app.url_map.iter_rules(endpoint))
    view = current_app.view_functions[endpoint]
    answer = make_response(view(**{name: where[name] for name in rule.arguments}))
    if made:
        answer.status_code = HTTPStatus.CREATED
        answer.location = address
    return answer


def gone(endpoint: str, **where: Any) -> Response:  # noqa: ANN401
    """Return the way to a page after something was removed, or that there is nothing more to say."""
    if wants_json():
        return Response(status=HTTPStatus.NO_CONTENT)
    return make_response(redirect(url_for(endpoint, **where), HTTPStatus.SEE_OTHER))


def register(app: Flask) -> None:
    """Let ``app`` answer with JSON too: ``/w/ID.json`` is ``/w/ID`` with ``Accept: application/json``."""
    plain = app.wsgi_app

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path.endswith(".json") and path.rsplit("/", 1)[1] not in FILES and not path.startswith("/static/"):
            environ = {**environ, "PATH_INFO": path.removesuffix(".json"), "HTTP_ACCEPT": "application/json"}
        return plain(environ, start_response)

    app.wsgi_app = answered  # type: ignore[method-assign]
    spec.register(app)


def uploaded() -> bytes:
    """Return the bytes of the first photo in the form; there are two inputs, for camera and gallery.

    Of an empty file there are none, which the reader refuses by name; without any it is an `InputError`.
    """
    content = b""
    sent = request.files.getlist("photo")
    for upload in sent:
        if not content:
            content = upload.read()
        elif upload.read(1):
            note_several_photos()
    if not any(upload.filename for upload in sent):
        raise InputError("photo_missing")
    return content


def sent_file(most: int) -> bytes:
    """Return the file of the form, of a larger one the first ``most`` bytes, or raise `InputError`."""
    content = b""
    if upload := request.files.get("file"):
        content = upload.read(most)
        upload.close()  # a large one lies in a file of its own
    if not content:
        raise InputError("window_file_missing")
    return content


def sent_id() -> str | None:
    """Return the id that the browser gave the photo, so that one sent again is stored once; None without."""
    photo_id = request.form.get("photo_id", "")
    return photo_id if ID_PATTERN.fullmatch(photo_id) else None
