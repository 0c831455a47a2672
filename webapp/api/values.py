"""The values that come again and again in answers: dice, spaces, boards and the names of cards."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

from pydantic import Field

import scoring


def one_of(kind: type[Enum]) -> Any:  # noqa: ANN401  what pydantic makes of a field
    """Return what says of a text that it is the value of an enumeration."""
    return Field(json_schema_extra={"enum": [one.value for one in kind]})


Count = Annotated[int, Field(ge=0)]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Label = Annotated[str, Field(description="The name in the visitor's language.")]
Board = Annotated[str, Field(description="Four rows of five dice in board notation.")]
Cell = Annotated[str, Field(pattern="^[A-D][1-5]$")]
Die = Annotated[str, Field(pattern="^[RYGBP][1-6]$")]
DieOrEmpty = Annotated[str, Field(pattern="^([RYGBP][1-6]|--)$")]
Pattern = Annotated[str, Field(pattern=r"^[RYGBP1-6.]{5}( / [RYGBP1-6.]{5}){3}$")]
Color = Annotated[str, one_of(scoring.Color)]
PublicObjective = Annotated[str, one_of(scoring.PublicObjective)]
Tool = Annotated[str, one_of(scoring.Tool)]
LineKind = Annotated[str, one_of(scoring.LineKind)]
RuleCode = Annotated[str, one_of(scoring.ProblemCode)]
