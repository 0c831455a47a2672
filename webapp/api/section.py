"""A section of the JSON interface: each route is declared together with what it takes and what it answers.

`webapp.api.document` makes the description of the interface from these declarations, so that no route can be
without one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import wraps
from http import HTTPStatus
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from flask import Blueprint, Response, after_this_request, jsonify, make_response, request

from webapp.api.body import Body, received

View = TypeVar("View", bound=Callable[..., object])

SMALL = 16_000
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
    status, answer
        The status that is no error, and the type of what is answered with it; None for no content.
    takes, form
        The JSON and the form that are sent.
    query
        The types of the parameters after the question mark.
    errors
        The statuses of errors to reckon with, and 304 where nothing may have changed.
    size
        The most bytes of JSON that are read.
    """

    method: str
    path: str
    name: str
    about: str
    status: int
    answer: Any
    takes: type[Body] | None = None
    form: Any = None
    query: Mapping[str, Any] = field(default_factory=dict)
    errors: Collection[int] = ()
    size: int = SMALL


class Section(Blueprint):
    """The routes of one subject below ``/api/v1``.

    Parameters
    ----------
    name, path
        Those of the blueprint; ``path`` begins behind ``/api/v1``.
    heading, about
        What the description of the interface says of the subject.
    by_seat
        Whether the cookie ``seats`` decides what a device may do.
    """

    def __init__(self, name: str, path: str = "", *, heading: str, about: str, by_seat: bool = False) -> None:
        super().__init__(name, __name__, url_prefix="/api/v1" + path)
        self.heading = heading
        self.about = about
        self.by_seat = by_seat
        self.actions: list[Action] = []

    def action(
        self,
        method: str,
        path: str,
        name: str,
        *,
        status: int = HTTPStatus.OK,
        answer: Any = None,  # noqa: ANN401  a type
        size: int = SMALL,
        form: Any = None,  # noqa: ANN401  a type
        query: Mapping[str, Any] | None = None,
        errors: Collection[int] = (),
    ) -> Callable[[View], View]:
        """Declare a route; the docstring of its view is the description, and its types are described too.

        A view whose first argument is a `Body` gets what was sent as JSON, checked, before the parts of the
        address, and None where a form was sent instead. It returns what is answered as JSON, or nothing;
        ``answer`` is the type of that where the view's own says less.
        """

        def declare(view: View) -> View:
            types = get_type_hints(view)
            returned = types.pop("return")
            says_nothing = returned is NoneType
            kinds = [kind for one in types.values() for kind in (one, *get_args(one))]
            takes = next((one for one in kinds if isinstance(one, type) and issubclass(one, Body)), None)
            expected = set(errors)
            if takes is not None or form is not None:
                expected |= {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE}
            if takes is not None and form is None:
                expected.add(HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
            action = Action(
                method,
                f"{self.url_prefix}{path}",
                name,
                view.__doc__ or "",
                HTTPStatus.NO_CONTENT if says_nothing else status,
                None if says_nothing else answer or returned,
                takes,
                form,
                query or {},
                sorted(expected),
                size,
            )

            @wraps(view)
            def answered(**place: Any) -> Response:  # noqa: ANN401
                sent = []
                if takes is not None:
                    sent = [received(takes, size) if form is None or request.is_json else None]
                content = view(*sent, **place)
                return make_response("" if says_nothing else jsonify(content), action.status)

            self.add_url_rule(path, view.__name__, answered, methods=[method.upper()])
            self.actions.append(action)
            return view

        return declare


def made_at(address: str) -> None:
    """Name in the header ``Location`` of the answer where the thing is that was made."""

    @after_this_request
    def tell(response: Response) -> Response:
        response.location = address
        return response
