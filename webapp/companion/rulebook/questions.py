"""The entries of the rules about playing alone, about house rules, and what people ask again and again.

Source of the facts: the rulebook of the base game (Floodgate Games, 2017), in our own words.
The open questions stand in docs/rules.md.
"""

from __future__ import annotations

from scoring import HouseRule, Tool, sentence
from webapp.companion.rulebook.entry import Entry, Section

SOLO = (
    Entry(
        sentence("Playing a solo game"),
        Section.SOLO,
        (
            sentence(
                "Two public and two private objectives lie open, and one to five tool cards: the fewer, "
                "the harder."
            ),
            sentence(
                "In each of the ten rounds you roll four dice and have two turns. There are no favor tokens."
            ),
        ),
        "solo",
        sentence("solitaire one player single solo game setup"),
        ("solo-tools", "solo-target"),
    ),
    Entry(
        sentence("Tool cards in a solo game"),
        Section.SOLO,
        (
            sentence("In a solo game a die of the card's color pays, and each card works once."),
            sentence("The die comes from the draft pool. Afterwards both leave the game."),
        ),
        "solo-tools",
        sentence("pay with a die color of the card alone"),
        ("solo",),
    ),
    Entry(
        sentence("Winning a solo game"),
        Section.SOLO,
        (
            sentence(
                "The target is the sum of all dice on the round track. To win you need more; equal is not "
                "enough."
            ),
            sentence(
                "The better one of your two private objectives counts, and each empty space costs 3 points."
            ),
        ),
        "solo-target",
        sentence("target score beat win alone round track sum"),
        ("empty-spaces", "round-track"),
    ),
)

HOUSE_RULES = (
    Entry(
        HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS,
        Section.HOUSE_RULES,
        (
            sentence("The card does not say whether the moved die may lie beside a die of its own color."),
            sentence("Here it may not, as long as your group does not choose this house rule."),
        ),
        keywords=sentence("optional variant agree"),
        see=("eglomise-brush",),
    ),
    Entry(
        HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS,
        Section.HOUSE_RULES,
        (
            sentence("The card does not say whether the moved die may lie beside a die of its own value."),
            sentence("Here it may not, as long as your group does not choose this house rule."),
        ),
        keywords=sentence("optional variant agree"),
        see=("copper-foil-burnisher",),
    ),
)

QUESTIONS = (
    Entry(
        sentence("May I skip my turn?"),
        Section.QUESTIONS,
        (sentence("Yes. You need neither draft a die nor use a tool card, even if a die would fit."),),
        "skip",
        sentence("pass do nothing must I take a die forced voluntary"),
        ("my-turn",),
    ),
    Entry(
        sentence("Do diagonals count as touching?"),
        Section.QUESTIONS,
        (
            sentence("Yes: a die may touch an earlier one by a corner alone."),
            sentence("Equal colors and equal values are forbidden only side by side, not corner to corner."),
        ),
        "diagonals",
        sentence("diagonal diagonally corner adjacent neighbor slanting"),
        ("not-connected", "same-color-neighbors"),
    ),
    Entry(
        sentence("Can a tool card break a color rule?"),
        Section.QUESTIONS,
        (
            sentence(
                "The printed color, yes: {tool} moves a die to a space of another color.",
                tool=Tool.EGLOMISE_BRUSH,
            ),
            sentence("No card lets two dice of the same color lie side by side."),
        ),
        "tool-against-color",
        sentence("ignore color restriction tools"),
        ("eglomise-brush", "same-color-neighbors"),
    ),
    Entry(
        sentence("Can a die count for several objectives?"),
        Section.QUESTIONS,
        (sentence("Yes. Every card is counted for itself, and looks at all dice anew."),),
        "several-cards",
        sentence("more than one objective twice double counting same die"),
        ("scoring",),
    ),
    Entry(
        sentence("How often may I use a tool card?"),
        Section.QUESTIONS,
        (
            sentence("Once in a turn, and the same card again in another turn, for 2 favor tokens."),
            sentence("These are due also where only your own token lies on it."),
        ),
        "how-often",
        sentence("twice again several tools same tool two tool cards in one turn"),
        ("favor-tokens", "solo-tools"),
    ),
)
