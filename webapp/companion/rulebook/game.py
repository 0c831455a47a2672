"""The entries of the rules about the game itself: setting up, playing, placing dice, counting points.

Source of the facts: the rulebook of the base game (Floodgate Games, 2017), in our own words. What a
broken rule says already is said by it.
"""

from __future__ import annotations

from scoring import ProblemCode, Sentence, Tool, sentence
from webapp.companion.rulebook.entry import Entry, Section

RULE_KEYS = {code: code.value.replace("_", "-") for code in ProblemCode}
"""The entry that says more about a broken rule."""


def _rule(code: ProblemCode, title: Sentence, *more: Sentence, keywords: Sentence, see: str) -> Entry:
    """Return the entry about a rule that windows can break."""
    return Entry(title, Section.PLACING, (code.rule, *more), RULE_KEYS[code], keywords, (see, "mistakes"))


_MOVERS = [tool for tool in Tool if tool.moves_dice]
_CORNERS = sentence("Corner to corner they may lie.")

PLACING = (
    _rule(
        ProblemCode.FIRST_DIE_EDGE,
        sentence("The first die"),
        sentence(
            "Any of the 14 spaces along the edge will do, corners too. It must fit what is printed there."
        ),
        keywords=sentence("have to begin start border edge anywhere middle"),
        see="not-connected",
    ),
    _rule(
        ProblemCode.NOT_CONNECTED,
        sentence("Later dice"),
        keywords=sentence("next adjacent neighbor touching connected corner beside"),
        see="diagonals",
    ),
    _rule(
        ProblemCode.COLOR_RESTRICTION,
        sentence("Spaces with a color"),
        sentence("The value of the die is free there."),
        keywords=sentence("colored space printed restriction"),
        see="tool-against-color",
    ),
    _rule(
        ProblemCode.VALUE_RESTRICTION,
        sentence("Spaces with a value"),
        sentence("The color of the die is free there."),
        keywords=sentence("number pips gray space printed restriction shade"),
        see="copper-foil-burnisher",
    ),
    Entry(
        sentence("White spaces"),
        Section.PLACING,
        (sentence("They take any die, as long as the other rules hold."),),
        "white-spaces",
        sentence("blank free open no restriction"),
        ("not-connected",),
    ),
    _rule(
        ProblemCode.SAME_COLOR_NEIGHBORS,
        sentence("The same color side by side"),
        _CORNERS,
        keywords=sentence("equal colors next to each other adjacent neighbors two red dice"),
        see="diagonals",
    ),
    _rule(
        ProblemCode.SAME_VALUE_NEIGHBORS,
        sentence("The same value side by side"),
        _CORNERS,
        keywords=sentence("equal numbers next to each other adjacent neighbors two threes"),
        see="diagonals",
    ),
    _rule(
        ProblemCode.SPACE_TAKEN,
        sentence("Moving dice"),
        sentence("A die stays where it was placed. Only tool cards move it: {tools}.", tools=_MOVERS),
        keywords=sentence("may I move a die later relocate change place take back"),
        see="lathekin",
    ),
    Entry(
        sentence("A die that lies wrong"),
        Section.PLACING,
        (
            sentence(
                "When somebody notices it, the owner takes off dice at once, whichever they like, until "
                "all rules hold again."
            ),
            sentence("These dice leave the game, and their spaces count as empty."),
        ),
        "mistakes",
        sentence("mistake error wrong illegal placement remove broken rule penalty"),
        ("empty-spaces",),
    ),
)

PLAY = (
    Entry(
        sentence("What every player gets"),
        Section.PLAY,
        (
            sentence("One private objective, which nobody else sees, and two window cards."),
            sentence(
                "Five and six players also take ten dice of their own, two of each color, and roll them."
            ),
            sentence("Choose one of the four sides of your cards and slide it into your frame."),
            sentence(
                "Take as many favor tokens as there are dots beside its name, 3 to 6: the harder the "
                "window, the more tokens."
            ),
        ),
        "players-setup",
        sentence("setup preparation start choose window card difficulty dots deal how many tokens"),
        ("table-setup", "favor-tokens"),
    ),
    Entry(
        sentence("What lies on the table"),
        Section.PLAY,
        (
            sentence("Three public objectives, three tool cards, and the round track."),
            sentence(
                "All 90 dice are in the bag, 18 of each color. Draw lots for who begins and gets the bag."
            ),
            sentence("With five and six players 60 and 70 dice are in the bag, 12 and 14 of each color."),
        ),
        "table-setup",
        sentence("setup preparation how many dice cards starting player first player bag"),
        ("players-setup", "rounds"),
    ),
    Entry(
        sentence("Rounds and the draft pool"),
        Section.PLAY,
        (
            sentence("The game has ten rounds."),
            sentence(
                "In each, the player with the bag draws two dice for every player and one more, and rolls "
                "them: 5, 7 or 9 dice with two, three or four players. They are the draft pool."
            ),
            sentence("With five and six players it is one die for every player and one more: 6 or 7."),
        ),
        "rounds",
        sentence("how many rounds how many dice draw roll drafting"),
        ("turns", "round-track"),
    ),
    Entry(
        sentence("Whose turn it is"),
        Section.PLAY,
        (
            sentence(
                "Everybody has two turns in a round. The first ones go clockwise from the player with the "
                "bag."
            ),
            sentence(
                "The second ones go back the other way: who came last has two turns in a row, and who "
                "began comes last."
            ),
            sentence(
                "Five and six players have one turn each, clockwise: one die of the draft pool and one of "
                "their own, and a tool card, in any order."
            ),
        ),
        "turns",
        sentence("order of play clockwise snake direction second turn who is next"),
        ("my-turn",),
    ),
    Entry(
        sentence("What you may do in your turn"),
        Section.PLAY,
        (
            sentence("Draft one die and place it, and use one tool card, in either order."),
            sentence("Both are up to you."),
        ),
        "my-turn",
        sentence("actions draft take a die use a tool my turn"),
        ("skip", "favor-tokens"),
    ),
    Entry(
        sentence("Favor tokens"),
        Section.PLAY,
        (
            sentence("They pay for tool cards."),
            sentence("The first use of a card costs 1 favor token, each further one 2."),
            sentence("It does not matter who used it before. Each token you keep is worth 1 point."),
        ),
        "favor-tokens",
        sentence("cost price pay tool card one or two tokens how much favour"),
        ("how-often", "players-setup"),
    ),
    Entry(
        sentence("The end of a round, and the round track"),
        Section.PLAY,
        (
            sentence("All dice left in the draft pool go on the round track, on the space of this round."),
            sentence("The bag goes to the next player clockwise, who begins the next round."),
        ),
        "round-track",
        sentence("leftover dice remaining pass the bag"),
        ("lens-cutter", "tap-wheel"),
    ),
)

POINTS = (
    Entry(
        sentence("How points are counted"),
        Section.POINTS,
        (
            sentence("After the tenth round the game ends."),
            sentence(
                "Add up what the public objectives give, your private objective, and 1 point for each "
                "favor token left. Take off 1 point for each empty space."
            ),
            sentence("Who has most points wins."),
        ),
        "scoring",
        sentence("score scoring end of the game winner win victory points total sum"),
        ("empty-spaces", "tie", "below-zero"),
    ),
    Entry(
        sentence("Empty spaces"),
        Section.POINTS,
        (sentence("Each costs 1 point, in a solo game 3. It does not matter why it is empty."),),
        "empty-spaces",
        sentence("blank hole minus penalty lose points unfilled"),
        ("mistakes",),
    ),
    Entry(
        sentence("A tie"),
        Section.POINTS,
        (
            sentence("First, who has more points from the private objective is ahead."),
            sentence("Then, who has more favor tokens left."),
            sentence("Then, who had their first turn of the last round later."),
        ),
        "tie",
        sentence("draw equal points same score tie-break who wins"),
        ("scoring",),
    ),
    Entry(
        sentence("Can a result be below zero?"),
        Section.POINTS,
        (sentence("Yes. The rules set no lower limit."),),
        "below-zero",
        sentence("negative points minus less than zero"),
        ("empty-spaces",),
    ),
)
