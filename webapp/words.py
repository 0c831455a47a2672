"""The words of the game in the visitor's language.

Rules and reader speak English and give codes; the sentences people see are built here from the
code, the cells and the dice. What has no translation yet falls back to the English text.
"""

from __future__ import annotations

from flask_babel import gettext, lazy_gettext, ngettext  # type: ignore[import-untyped]

from scoring import (
    WINDOW_PATTERNS,
    Board,
    Color,
    Die,
    Line,
    LineKind,
    Problem,
    ProblemCode,
    PublicObjective,
    WindowPattern,
    cell_name,
)
from webapp.language import current

COLORS = {
    Color.RED: lazy_gettext("red"),
    Color.YELLOW: lazy_gettext("yellow"),
    Color.GREEN: lazy_gettext("green"),
    Color.BLUE: lazy_gettext("blue"),
    Color.PURPLE: lazy_gettext("purple"),
}

SHADES_OF = {
    Color.RED: lazy_gettext("Shades of Red"),
    Color.YELLOW: lazy_gettext("Shades of Yellow"),
    Color.GREEN: lazy_gettext("Shades of Green"),
    Color.BLUE: lazy_gettext("Shades of Blue"),
    Color.PURPLE: lazy_gettext("Shades of Purple"),
}

OBJECTIVES = {
    PublicObjective.ROW_COLOR_VARIETY: lazy_gettext("Row Color Variety"),
    PublicObjective.COLUMN_COLOR_VARIETY: lazy_gettext("Column Color Variety"),
    PublicObjective.ROW_SHADE_VARIETY: lazy_gettext("Row Shade Variety"),
    PublicObjective.COLUMN_SHADE_VARIETY: lazy_gettext("Column Shade Variety"),
    PublicObjective.LIGHT_SHADES: lazy_gettext("Light Shades"),
    PublicObjective.MEDIUM_SHADES: lazy_gettext("Medium Shades"),
    PublicObjective.DEEP_SHADES: lazy_gettext("Deep Shades"),
    PublicObjective.SHADE_VARIETY: lazy_gettext("Shade Variety"),
    PublicObjective.COLOR_VARIETY: lazy_gettext("Color Variety"),
    PublicObjective.COLOR_DIAGONALS: lazy_gettext("Color Diagonals"),
}

RULES = {
    PublicObjective.ROW_COLOR_VARIETY: lazy_gettext("Full rows with no color twice"),
    PublicObjective.COLUMN_COLOR_VARIETY: lazy_gettext("Full columns with no color twice"),
    PublicObjective.ROW_SHADE_VARIETY: lazy_gettext("Full rows with no value twice"),
    PublicObjective.COLUMN_SHADE_VARIETY: lazy_gettext("Full columns with no value twice"),
    PublicObjective.LIGHT_SHADES: lazy_gettext("Pairs of a 1 and a 2, anywhere"),
    PublicObjective.MEDIUM_SHADES: lazy_gettext("Pairs of a 3 and a 4, anywhere"),
    PublicObjective.DEEP_SHADES: lazy_gettext("Pairs of a 5 and a 6, anywhere"),
    PublicObjective.SHADE_VARIETY: lazy_gettext("Sets of all six values, anywhere"),
    PublicObjective.COLOR_VARIETY: lazy_gettext("Sets of all five colors, anywhere"),
    PublicObjective.COLOR_DIAGONALS: lazy_gettext("Dice that touch their color at a corner"),
}

SENTENCES = {
    # from vision
    "not_a_photo": lazy_gettext("This file is not a photo that can be opened."),
    "photo_truncated": lazy_gettext("The file of this photo is incomplete or damaged."),
    "photo_too_large": lazy_gettext("This photo has too many pixels."),
    "photo_missing": lazy_gettext("There is no photo."),
    "board_not_found": lazy_gettext("There is no Sagrada window to be seen in this photo."),
    "several_boards": lazy_gettext("There are several windows in this photo, and none stands out."),
    "board_cut_off": lazy_gettext("A part of the window is outside the photo."),
    "too_small": lazy_gettext("The window is too small in this photo."),
    "too_blurry": lazy_gettext("This photo is too blurry."),
    "too_dark": lazy_gettext("This photo is too dark."),
    "bad_corners": lazy_gettext("These four corners do not make a window."),
    # from the page
    "upload_too_large": lazy_gettext("This file is larger than 40 MB."),
    "not_found": lazy_gettext("There is nothing at this address."),
    "reading_missing": lazy_gettext("This window is not here (any more)."),
    "broken_record": lazy_gettext("The file of this window is damaged."),
    "conflict": lazy_gettext("Somebody changed the same thing in another tab or on another phone."),
    "foreign_request": lazy_gettext("This change came from another web page and was refused."),
    "bad_request": lazy_gettext("This request makes no sense."),
    "bad_board": lazy_gettext("This text is not a board of four rows with five spaces each."),
    "internal": lazy_gettext("Something went wrong on the computer that serves this page."),
}

NEXT_STEPS = {
    "not_a_photo": lazy_gettext("Choose a JPEG, PNG, WebP or HEIC file."),
    "photo_truncated": lazy_gettext("Send it again, or take another photo."),
    "photo_too_large": lazy_gettext("Make it smaller, or crop it to the window."),
    "photo_missing": lazy_gettext("Take or choose a photo first."),
    "board_not_found": lazy_gettext(
        "Take the photo from straight above so that all four corners of the window show, "
        "or put the corners by hand."
    ),
    "several_boards": lazy_gettext("Take a photo of one window, or put the corners by hand."),
    "board_cut_off": lazy_gettext("Take the photo from a little further away."),
    "too_small": lazy_gettext("Go closer, so that the window fills the photo."),
    "too_blurry": lazy_gettext("Hold the camera still and wait until it is in focus."),
    "too_dark": lazy_gettext("Turn on a light, or use the flash from a little further away."),
    "bad_corners": lazy_gettext("Put each point on one corner of the grid, clockwise from the top left."),
    "upload_too_large": lazy_gettext("Make it smaller, or crop it to the window."),
    "not_found": lazy_gettext("Start again with a photo."),
    "reading_missing": lazy_gettext("Start again with a photo."),
    "broken_record": lazy_gettext("Start again with a photo."),
    "conflict": lazy_gettext("The newest state is shown now; make your change again if it is still needed."),
    "foreign_request": lazy_gettext("Open this page itself and try again."),
    "bad_request": lazy_gettext("Load the page again and repeat your change."),
    "bad_board": lazy_gettext("Write each die as a color letter and a value, such as Y5, and -- for empty."),
    "internal": lazy_gettext("Try again; if it stays, look at what the program printed."),
}


def problem(code: str, message: str = "", next_step: str = "") -> dict[str, str]:
    """Return an error in the one shape.

    Parameters
    ----------
    code
        The machine-readable reason, which picks the translated sentences.
    message, next_step
        What the reader itself says, in English; it knows more (which edge, how many pixels), so
        an English page shows it, and so does every page for a code without a translation.
    """
    english = current() == "en"
    told = (english and message) or SENTENCES.get(code) or message or SENTENCES["bad_request"]
    advice = (english and next_step) or NEXT_STEPS.get(code) or next_step or NEXT_STEPS["bad_request"]
    return {"code": code, "message": str(told), "next_step": str(advice)}


def die_words(die: Die | None) -> str:
    """Return a die as people say it, such as "red 3"."""
    if die is None:
        return str(gettext("empty"))
    return str(gettext("%(color)s %(value)s", color=COLORS[die.color], value=die.value))


def cell_label(name: str, die: Die | None, *, doubtful: bool) -> str:
    """Return what a screen reader says for a space of the window."""
    if doubtful:
        return str(gettext("%(cell)s: %(die)s, doubtful", cell=name, die=die_words(die)))
    return str(gettext("%(cell)s: %(die)s", cell=name, die=die_words(die)))


def window_name(pattern: WindowPattern) -> str:
    """Return the name on the card in the visitor's language, as far as it is known."""
    return pattern.name_in(current())


def window_options() -> list[tuple[str, str]]:
    """Return name and label of every window card, sorted by label."""
    options = [
        (name, gettext("%(name)s (difficulty %(difficulty)s)", name=window_name(one), difficulty=one.difficulty))
        for name, one in WINDOW_PATTERNS.items()
    ]
    return sorted(options, key=lambda option: option[1])


def line_name(line: Line) -> str:
    """Return the name of a line of the score."""
    if line.kind is LineKind.PUBLIC:
        return str(OBJECTIVES[PublicObjective(line.name)])
    if line.kind is LineKind.PRIVATE:
        return str(SHADES_OF[Color.from_name(line.name)])
    if line.kind is LineKind.FAVOR_TOKENS:
        return str(gettext("Favor tokens"))
    return str(gettext("Empty spaces"))


def line_formula(line: Line) -> str:
    """Return the formula of a line with real multiplication and minus signs."""
    return line.formula.replace(" x ", " × ").replace("-", "−")


def line_words(line: Line, board: Board) -> str:
    """Say in a few words which dice earned the points of a line."""
    number = len(line.groups)
    if line.kind is LineKind.PRIVATE:
        dice = sum(len(group) for group in line.groups)
        return _counted(dice, str(ngettext("%(num)d die, its value counts", "%(num)d dice, their values added", dice)))
    if line.kind is LineKind.FAVOR_TOKENS:
        return str(gettext("One point for each token left"))
    if line.kind is LineKind.EMPTY_CELLS:
        empty = board.empty_cells()
        if not empty:
            return str(gettext("None: the window is full"))
        return _joined([cell_name(cell) for cell in empty]) if len(empty) <= 6 else str(gettext("One point less for each"))
    objective = PublicObjective(line.name)
    if not number:
        return str(RULES[objective])
    if objective in {PublicObjective.ROW_COLOR_VARIETY, PublicObjective.ROW_SHADE_VARIETY}:
        names = _joined(["ABCD"[group[0][0]] for group in line.groups])
        return str(ngettext("Row %(names)s", "Rows %(names)s", number, names=names))
    if objective in {PublicObjective.COLUMN_COLOR_VARIETY, PublicObjective.COLUMN_SHADE_VARIETY}:
        names = _joined([str(group[0][1] + 1) for group in line.groups])
        return str(ngettext("Column %(names)s", "Columns %(names)s", number, names=names))
    if objective is PublicObjective.COLOR_DIAGONALS:
        dice = sum(len(group) for group in line.groups)
        return str(ngettext("%(num)d die touches its color at a corner", "%(num)d dice touch their color at a corner", dice))
    return _sets(objective, number)


def _sets(objective: PublicObjective, number: int) -> str:
    """Say how many sets there are for an objective that counts sets."""
    if objective is PublicObjective.LIGHT_SHADES:
        return str(ngettext("%(num)d pair of 1 and 2", "%(num)d pairs of 1 and 2", number))
    if objective is PublicObjective.MEDIUM_SHADES:
        return str(ngettext("%(num)d pair of 3 and 4", "%(num)d pairs of 3 and 4", number))
    if objective is PublicObjective.DEEP_SHADES:
        return str(ngettext("%(num)d pair of 5 and 6", "%(num)d pairs of 5 and 6", number))
    if objective is PublicObjective.SHADE_VARIETY:
        return str(ngettext("%(num)d set of all six values", "%(num)d sets of all six values", number))
    return str(ngettext("%(num)d set of all five colors", "%(num)d sets of all five colors", number))


def _counted(number: int, text: str) -> str:
    return text if number else str(gettext("No die of this color"))


def _joined(names: list[str]) -> str:
    """Return names one after the other."""
    return ", ".join(names)


def problem_sentence(problem: Problem, board: Board, pattern: WindowPattern | None) -> str:
    """Say in the visitor's language what is wrong with the placement of the dice."""
    names = [cell_name(cell) for cell in problem.cells]
    first = board[problem.cells[0]] if problem.cells else None
    code = problem.code
    if code == ProblemCode.FIRST_DIE_EDGE.value:
        return str(gettext("No die lies on the edge of the window, where the first one has to go."))
    if code == ProblemCode.NOT_CONNECTED.value:
        joined = _joined(names)
        return str(
            ngettext(
                "%(names)s does not touch the other dice, not even at a corner.",
                "%(names)s do not touch the other dice, not even at a corner.",
                len(names),
                names=joined,
            )
        )
    if first is not None and len(names) == 2:
        one, other = names
        if code == ProblemCode.SAME_COLOR_NEIGHBORS.value:
            color = COLORS[first.color]
            return str(gettext("%(one)s and %(other)s: the same color (%(color)s) side by side.", one=one, other=other, color=color))
        if code == ProblemCode.SAME_VALUE_NEIGHBORS.value:
            return str(gettext("%(one)s and %(other)s: the same value (%(value)s) side by side.", one=one, other=other, value=first.value))
    if first is not None and pattern is not None:
        needed = pattern[problem.cells[0]]
        wanted = COLORS[needed] if isinstance(needed, Color) else needed
        if code in {ProblemCode.COLOR_RESTRICTION.value, ProblemCode.VALUE_RESTRICTION.value}:
            return str(gettext("%(cell)s: %(die)s on a space that needs: %(wanted)s.", cell=names[0], die=die_words(first), wanted=wanted))
    return problem.message


def script_words() -> dict[str, str]:
    """Return the words that the scripts on the page need."""
    return {
        "uploading": str(gettext("Sending the photo… {percent} %")),
        "reading": str(gettext("Reading the dice…")),
        "offline": str(gettext("The computer that serves this page does not answer. Is it still on, and in the same network?")),
        "try_send": str(gettext("Check that, and send the photo again.")),
        "try_again": str(gettext("Your change was not saved. Try again.")),
        "too_large": str(SENTENCES["upload_too_large"]),
        "too_large_next": str(NEXT_STEPS["upload_too_large"]),
        "undone": str(gettext("Undone.")),
        "set": str(gettext("{cell} is now {die}.")),
        "merged": str(gettext("Somebody else changed this window too; both changes are kept.")),
        "now_value": str(gettext("{cell}: {color}. Now the value.")),
        "now_color": str(gettext("{cell}: {value}. Now the color.")),
        "three": str(gettext("Three cards are chosen already. Take one away first.")),
        "delete": str(gettext("Delete this window for good?")),
        "corner": str(gettext("Corner {number} of 4")),
        "turned": str(gettext("Turned by half a turn.")),
        "read_again": str(gettext("Read again with your corners.")),
        "empty": str(gettext("empty")),
        "colors": {color.value: str(name) for color, name in COLORS.items()},  # type: ignore[dict-item]
    }
