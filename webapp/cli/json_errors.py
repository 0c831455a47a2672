"""What goes wrong, told to programs: under ``--json`` an error is an object of JSON, too."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from scoring.errors import SagradaError
from webapp.cli.options import echo_json, spoken

JSON = "--json"
BAD_USAGE, FAILED = "bad_usage", "failed"


class Commands(click.Group):
    """Commands whose errors are JSON where their answers are."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002  as click has it
        **extra: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command; see `click.Command.main`."""
        given = sys.argv[1:] if args is None else list(args)
        if not standalone_mode or JSON not in given:
            return super().main(args, prog_name, complete_var, standalone_mode, **extra)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as error:
            echo_json({"error": _told(error)})
            sys.exit(error.exit_code)
        sys.exit(status if isinstance(status, int) else 0)


def _told(error: click.ClickException) -> dict[str, object]:
    """Return an error as plain data: of the rules or a file with its own code, else what click says."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    option = error.param.opts[0] if isinstance(error, click.BadParameter) and error.param else None
    where: dict[str, object] = {"option": option} if option else {}
    for cause in (error.__cause__, error.__context__):
        if isinstance(cause, SagradaError):
            return {**cause.to_json(spoken(context)), **where}
    code = BAD_USAGE if isinstance(error, click.UsageError) else FAILED
    return {"code": code, "message": error.format_message(), "next_step": "", **where}
