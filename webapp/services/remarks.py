"""What a player should know before trusting an answer: doubts of the reader, and what was not checked.

In JSON a `Remark` has the shape of a notice of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring import Cell, Color, PrivateObjective, RoundTrack, Sentence, Setup, WindowPattern, Words
from scoring.game.setup import ROUNDS
from scoring.patterns.custom import doubt_of
from scoring.patterns.identify import WindowMatch, WindowRanking
from scoring.sentences import counted, sentence

LIKELY = 0.15  # cards less likely than this are not worth naming to a person
MOST_LIKELY_CARDS = 3
NOT_ALL_COUNTED = "not_all_counted"  # of a whole game this is said once, not for each player
SURE_OF_THE_WAY_UP = 0.9  # a reading less sure of it says so; set by hand


@dataclass(frozen=True)
class Remark:
    """A sentence about the answer.

    Parameters
    ----------
    code
        What it is about, for programs.
    sentences
        What to know.
    cells
        Where, as (row, column) from 0.
    """

    code: str
    sentences: tuple[Sentence, ...]
    cells: tuple[Cell, ...] = ()

    def text(self, words: Words) -> str:
        """Return what to know, in the language of ``words``."""
        return words.say(*self.sentences)


def percent(probability: float) -> str:
    """Return a probability for people, never as a certainty that nobody has.

    Examples
    --------
    >>> percent(0.9994), percent(0.87), percent(0.0001)
    ('>99%', '87%', '<1%')
    """
    if probability > 0.99:
        return ">99%"
    return "<1%" if probability < 0.01 else f"{probability:.0%}"


# --- About the photo -------------------------------------------------------------------------------


def doubt(cells: Sequence[Cell]) -> Remark:
    """Say which cells of a photo a person should look at."""
    said = sentence("Read with doubt, look at these first: {cells}.", cells=list(cells))
    return Remark("doubtful_cells", (said,), tuple(cells))


def unlike_dice() -> Remark:
    """Say that the dice of a photo are none that the reader knows."""
    said = sentence(
        "These dice look unlike Sagrada's: the program may take one for another, so look at each of them."
    )
    return Remark("unlike_dice", (said,))


def read_with(profile: str) -> Remark:
    """Say whose dice those of a photo were taken for."""
    return Remark("read_with_profile", (sentence("Read as these dice: {name}.", name=profile),))


def not_those(profile: str) -> Remark:
    """Say that the dice of a photo are not those that somebody said they are."""
    said = sentence(
        "The dice in the photo do not look like {name}: they were read as the game's own.", name=profile
    )
    return Remark("not_those_dice", (said,))


def other_windows(number: int) -> Remark:
    """Say that a photo shows more windows than the one that was read."""
    said = counted(
        "The photo shows {count} other whole window; the largest, most central one was read.",
        "The photo shows {count} other whole windows; the largest, most central one was read.",
        number,
    )
    return Remark("other_windows", (said,))


def upside_down(probability: float) -> Remark:
    """Say that a photo was perhaps read upside down; ``probability`` is that it was not."""
    said = sentence(
        "The window may be upside down ({sure} sure that it is not): row A belongs on the side away from the "
        "card's name. The points are the same either way.",
        sure=percent(probability),
    )
    return Remark("maybe_upside_down", (said,))


def card_from_photo(unclear: Sequence[Cell]) -> Remark:
    """Say that a card was read off a photo, and which of its spaces were hard to read."""
    said = [sentence("Read from the photo: compare it with the card, and correct it with --replace.")]
    if unclear:
        said.append(sentence("Look at these spaces first: {cells}.", cells=list(unclear)))
    return Remark("card_from_photo", tuple(said), tuple(unclear))


def maybe_known(window: WindowPattern, probability: float) -> Remark:
    """Say that a card that is about to be added looks like a known one."""
    said = sentence("It may be {window} ({sure}).", window=window, sure=percent(probability))
    return Remark("maybe_known_window", (said,))


# --- About the window card -------------------------------------------------------------------------


def unknown_card(ranking: WindowRanking, how_to_name: str) -> Remark:
    """Say that the print was not checked, and which cards are likely; ``how_to_name`` is an option or key."""
    likely = [match for match in ranking.matches[:MOST_LIKELY_CARDS] if match.probability >= LIKELY]
    return Remark(
        "unknown_window",
        (
            sentence(
                "The window card is not known, so printed colors and values were not checked: "
                "name it with {option}.",
                option=how_to_name,
            ),
            *(
                sentence(
                    "It may be {window} ({sure}).", window=match.pattern, sure=percent(match.probability)
                )
                for match in likely
            ),
        ),
    )


def identified(match: WindowMatch, how_to_name: str) -> Remark:
    """Say which card the dice point to."""
    sure = percent(match.probability)
    if match.turned:
        said = sentence(
            "By its dice the window card is {window}, upside down ({sure} sure).",
            window=match.pattern,
            sure=sure,
        )
    else:
        said = sentence(
            "By its dice the window card is {window} ({sure} sure).", window=match.pattern, sure=sure
        )
    other = sentence("If it is another one, name it with {option}.", option=how_to_name)
    return Remark("identified_window", (said, other))


def better_card(named: WindowPattern, match: WindowMatch) -> Remark:
    """Say that another card, or the named one upside down, fits the dice better."""
    sure = percent(match.probability)
    if match.pattern.name == named.name:
        said = sentence(
            "The dice fit {window} better upside down ({sure} sure): is A1 the space at the top left?",
            window=named,
            sure=sure,
        )
        return Remark("window_upside_down", (said,))
    said = sentence(
        "The dice fit {better} better than {window} ({sure} sure): is it the right card?",
        better=match.pattern,
        window=named,
        sure=sure,
    )
    return Remark("window_doubtful", (said,))


def own_windows_missing(*why: Sentence) -> Remark:
    """Say that only the cards of the game are known, and why."""
    return Remark("own_windows_missing", (sentence("Windows of your own are left out."), *why))


def same_window(players: Sequence[str]) -> Remark:
    """Say that several players have one and the same window."""
    said = sentence(
        "These players have the same photo or the same dice: {players}. Whose window is it?",
        players=list(players),
    )
    return Remark("same_window", (said,))


def same_card(window: WindowPattern, players: Sequence[str]) -> Remark:
    """Say that several players have the same window, or the two sides of one card."""
    said = sentence(
        "{window} is on a card that there is once in the game, but these players have it: {players}.",
        window=window,
        players=list(players),
    )
    return Remark("same_card", (said,))


def same_private(private: PrivateObjective, players: Sequence[str]) -> Remark:
    """Say that several players have the same private objective."""
    said = sentence(
        "Each private objective is in the game once, but these players have the same ({color}): {players}.",
        color=private,
        players=list(players),
    )
    return Remark("same_private", (said,))


# --- About the dice --------------------------------------------------------------------------------


def too_many_dice(color: Color, number: int, most: int) -> Remark:
    """Say that more dice of a color lie in the windows than the game has."""
    said = sentence(
        "Dice of one color ({color}) in the windows: {number}. This game has only {most}: look again.",
        color=color,
        number=number,
        most=most,
    )
    return Remark("too_many_dice", (said,))


# --- About the points ------------------------------------------------------------------------------


def not_all_counted(setup: Setup) -> Remark:
    """Say that objectives are missing from the total."""
    said = (
        sentence("Not everything is counted yet: a solo game has 2 public objectives and 2 private ones.")
        if setup.is_solo
        else sentence("Not everything is counted yet: a game has 3 public objectives and a private one.")
    )
    return Remark(NOT_ALL_COUNTED, (said,))


def more_than_usual(setup: Setup, number: int) -> Remark:
    """Say that more public objectives are counted than a game has."""
    said = (
        sentence("A solo game has 2 public objectives; here {number} are counted.", number=number)
        if setup.is_solo
        else sentence("A game has 3 public objectives; here {number} are counted.", number=number)
    )
    return Remark("many_objectives", (said,))


def no_tokens_in_solo() -> Remark:
    """Say that favor tokens were left out."""
    return Remark("no_favor_tokens", (sentence("A solo game has no favor tokens: none were counted."),))


def too_many_tokens(window: WindowPattern, tokens: int) -> Remark:
    """Say that more favor tokens are left than came with a window."""
    said = counted(
        "{window} comes with {count} favor token, so {tokens} cannot be left: is it the right card?",
        "{window} comes with {count} favor tokens, so {tokens} cannot be left: is it the right card?",
        window.difficulty or 0,
        window=window,
        tokens=tokens,
    )
    return Remark("too_many_favor_tokens", (said,))


def doubtful_print(window: WindowPattern) -> Remark:
    """Say that sources do not agree on what is printed on a space of the card."""
    return Remark("doubtful_print", (doubt_of(window),), tuple(cell for cell, _ in window.doubtful))


def unfinished_track(track: RoundTrack) -> Remark:
    """Say that the target of a solo game is not final."""
    said = sentence(
        "The round track holds {done} of {all} rounds, so the target is not final.",
        done=len(track.spaces),
        all=ROUNDS,
    )
    return Remark("unfinished_round_track", (said,))
