"""A section of the JSON interface: each route is declared together with what it takes and what it answers.

`webapp.api.document` makes the description of the interface from these declarations, so that no route can be
without one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, request

from scoring import ScoringError
from webapp.api.body import Body, BodyError, received
from webapp.web.language import words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    View = Callable[..., ResponseReturnValue]

SMALL = 64_000
"""The most bytes of JSON that an action takes, where it declares no other number."""


@dataclass(frozen=True)
class Action:
    """What can be done at an address.

    Parameters
    ----------
    method, path
        Where; the path is written as Flask does.
    name
        The operation's id, such as ``readPhoto``.
    about
        What it does: a summary, and after an empty line what else there is to know.
    answers
        The type of each status that is no error; None for an answer without content.
    takes, form
        The JSON and the form that are sent.
    query
        The types of the parameters after the question mark.
    errors
        The statuses of errors to reckon with.
    size
        The most bytes of JSON that are read.
    """

    method: str
    path: str
    name: str
    about: str
    answers: Mapping[int, Any]
    takes: type[Body] | None = None
    form: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    errors: Collection[int] = ()
    size: int = SMALL


class Section(Blueprint):
    """The routes of one subject below ``/api/v1``.

    Parameters
    ----------
    name, import_name, path
        Those of the blueprint; ``path`` begins behind ``/api/v1``.
    heading, about
        What the description of the interface says of the subject.
    by_seat
        Whether the cookie ``seats`` decides what a device may do.
    """

    def __init__(
        self,
        name: str,
        import_name: str,
        path: str = "",
        *,
        heading: str,
        about: str,
        by_seat: bool = False,
    ) -> None:
        super().__init__(name, import_name, url_prefix="/api/v1" + path)
        self.heading = heading
        self.about = about
        self.by_seat = by_seat
        self.actions: list[Action] = []
        self.register_error_handler(BodyError, lambda error: refusal(error, error.status))
        self.register_error_handler(ScoringError, refusal)

    def action(
        self,
        method: str,
        path: str,
        name: str,
        answers: Mapping[int, Any],
        *,
        takes: type[Body] | None = None,
        size: int = SMALL,
        form: Any = None,  # noqa: ANN401  a type
        query: Mapping[str, Any] | None = None,
        errors: Collection[int] = (),
    ) -> Callable[[View], View]:
        """Declare a route; its docstring is the description.

        The view gets what was sent as JSON, checked, before the parts of the address. Where a form is taken
        instead, it gets None.
        """
        expected = set(errors)
        if takes is not None or form is not None:
            expected |= {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
        if takes is not None and form is None:
            expected.add(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)

        def declare(view: View) -> View:
            @wraps(view)
            def checked(**place: Any) -> ResponseReturnValue:  # noqa: ANN401
                if takes is None:
                    return view(**place)
                sent = None if form is not None and not request.is_json else received(takes, size)
                return view(sent, **place)

            self.add_url_rule(path, view.__name__, checked, methods=[method.upper()])
            self.actions.append(
                Action(
                    method,
                    f"{self.url_prefix}{path}",
                    name,
                    view.__doc__ or "",
                    answers,
                    takes,
                    form,
                    query or {},
                    sorted(expected),
                    size,
                )
            )
            return view

        return declare


def refusal(error: ScoringError, status: int = HTTPStatus.BAD_REQUEST) -> Response:
    """Answer what the rules or the checks of a request refuse, in the visitor's language."""
    data = {"data": {"where": error.where}} if isinstance(error, BodyError) and error.where else {}
    response = jsonify(error={**error.to_json(words()), **data})
    response.status_code = status
    return response
