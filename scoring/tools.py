"""The twelve tool cards, and what each may excuse in a finished window.

Most tools change a die before it is placed; it then goes into the window under all rules, so nothing
in the window can be blamed on them. These can leave a trace:

- Eglomise Brush moves a die and lets it ignore the color printed on its new space.
- Copper Foil Burnisher moves a die and lets it ignore the value printed on its new space.
- Cork-backed Straightedge places a die where it touches no other die.
- Every tool that moves dice (these two, Lathekin, Tap Wheel) may leave other dice behind: without a
  neighbor, in two groups, or without a die on the edge. The rules look at a die when it is placed, not later.

No tool lets dice of the same color or value lie side by side. For Eglomise Brush and Copper Foil
Burnisher the cards do not say so in as many words; they say that all other restrictions stay.
"""

from __future__ import annotations

from enum import Enum

from scoring.names import find_name


class Tool(Enum):
    """The tool cards in the order of their numbers. The value is the name printed on the card."""

    GROZING_PLIERS = "Grozing Pliers"
    EGLOMISE_BRUSH = "Eglomise Brush"
    COPPER_FOIL_BURNISHER = "Copper Foil Burnisher"
    LATHEKIN = "Lathekin"
    LENS_CUTTER = "Lens Cutter"
    FLUX_BRUSH = "Flux Brush"
    GLAZING_HAMMER = "Glazing Hammer"
    RUNNING_PLIERS = "Running Pliers"
    CORK_BACKED_STRAIGHTEDGE = "Cork-backed Straightedge"
    GRINDING_STONE = "Grinding Stone"
    FLUX_REMOVER = "Flux Remover"
    TAP_WHEEL = "Tap Wheel"

    @classmethod
    def from_name(cls, name: str) -> Tool:
        """Return the tool called ``name``, in any case, with or without the hyphen.

        Raises
        ------
        UnknownNameError
            No tool is called that; the error suggests the nearest.

        Examples
        --------
        >>> Tool.from_name("copper foil burnisher")
        <Tool.COPPER_FOIL_BURNISHER: 'Copper Foil Burnisher'>
        """
        return cls(find_name(name, [tool.value for tool in cls], "tool"))

    @property
    def number(self) -> int:
        """The number on the card, 1 to 12."""
        return list(Tool).index(self) + 1

    @property
    def moves_dice(self) -> bool:
        """Whether the tool takes dice that are in the window to another space."""
        return self in _TOOLS_THAT_MOVE_DICE


_TOOLS_THAT_MOVE_DICE = frozenset(
    {Tool.EGLOMISE_BRUSH, Tool.COPPER_FOIL_BURNISHER, Tool.LATHEKIN, Tool.TAP_WHEEL}
)
