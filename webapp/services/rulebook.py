"""What the rules say, in short entries in our own words: to look up, to search, and to point at.

Source of the facts: the cards and the rulebook (Floodgate Games, 2017), and docs/rules.md for open questions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from scoring import (
    Color,
    HouseRule,
    MarkedSpaces,
    PrivateObjective,
    ProblemCode,
    PublicObjective,
    Sentence,
    Tool,
    ToolEffect,
    counted,
    sentence,
)
from scoring.names import plain
from scoring.sentences import Words
from webapp.services.tool_rules import TOOL_RULES

Thing = PublicObjective | Tool | PrivateObjective | HouseRule
"""What an entry may be about; a color stands for its private objective."""


class Section(Enum):
    """The parts of the page, in its order."""

    PUBLIC = sentence("Public objectives")
    PRIVATE = sentence("Private objectives")
    TOOLS = sentence("Tool cards")
    QUESTIONS = sentence("Common questions")
    PLACING = sentence("Placing dice")
    PLAY = sentence("Setting up and playing")
    POINTS = sentence("Points and winning")
    SOLO = sentence("Solo game")
    HOUSE_RULES = sentence("House rules")

    @property
    def key(self) -> str:
        """What the section is called in addresses."""
        return self.name.lower().replace("_", "-")

    @property
    def of_cards(self) -> bool:
        """Whether its entries are cards with a picture."""
        return self in {Section.PUBLIC, Section.PRIVATE, Section.TOOLS}


@dataclass(frozen=True)
class Entry:
    """A short answer of the rules.

    Parameters
    ----------
    about
        Its title, or the card or house rule whose name is the title.
    section
        Where it stands.
    text
        What the rules say, a paragraph each.
    key
        What it is called in addresses; a thing of the game gives its own.
    keywords
        Further words by which people look for it. They are not shown.
    see
        The keys of other entries that go on from here.
    """

    about: Sentence | Thing
    section: Section
    text: tuple[Sentence, ...]
    key: str = ""
    keywords: Sentence | None = None
    see: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.about, Sentence):
            object.__setattr__(self, "key", key_of(self.about))

    def title(self, words: Words) -> str:
        """Return the title in a language."""
        if isinstance(self.about, Sentence):
            return words.say(self.about)
        return (
            words.private_objective(self.about) if isinstance(self.about, Color) else words.name(self.about)
        )


def key_of(thing: Thing) -> str:
    """Return what the entry about a thing is called in addresses.

    Examples
    --------
    >>> key_of(Tool.CORK_BACKED_STRAIGHTEDGE), key_of(Color.RED)
    ('cork-backed-straightedge', 'shades-of-red')
    """
    name = f"Shades of {thing.name}" if isinstance(thing, Color) else thing.value
    return plain(name).replace(" ", "-")


_LINES = sentence("Every space of it must hold a die. What is printed under the dice does not matter.")
_SETS = sentence(
    "The dice may lie anywhere. Count each kind: the smallest number is the number of sets, and dice left "
    "over give nothing."
)
_DIAGONALS = sentence(
    "Count dice, not pairs: three in a slanting chain give 3 points, and a die with several such neighbors "
    "counts once."
)
_PRIVATE = (
    sentence("Add up the values of all dice of this color in your window: the values, not the dice."),
    sentence("The others see the card when points are counted. It is the first thing that decides a tie."),
)
_MARKED = (
    sentence("Add up the values of all dice on the marked spaces: the values, not the dice."),
    sentence(
        "The card is in the expansion for five and six players. Which spaces it marks is known from one "
        "source: look at your card."
    ),
)


def _each(objective: PublicObjective) -> Sentence:
    """Say what the card gives, and for what."""
    number = objective.points_each
    if objective is PublicObjective.COLOR_DIAGONALS:
        return counted("{count} point for each such die.", "{count} points for each such die.", number)
    if objective.value.startswith("Row"):
        return counted("{count} point for each such row.", "{count} points for each such row.", number)
    if objective.value.startswith("Column"):
        return counted("{count} point for each such column.", "{count} points for each such column.", number)
    return counted("{count} point for each such set.", "{count} points for each such set.", number)


def _how(objective: PublicObjective) -> Sentence:
    """Say what to keep in mind when the card is counted."""
    if objective is PublicObjective.COLOR_DIAGONALS:
        return _DIAGONALS
    return _LINES if objective.value.startswith(("Row", "Column")) else _SETS


_SHAPES = {
    "Row": sentence("line across horizontal"),
    "Column": sentence("line down vertical"),
    "Color Diagonals": sentence("diagonal slanting corner"),
}


def _public(objective: PublicObjective) -> Entry:
    """Return the entry of a public objective."""
    return Entry(
        objective,
        Section.PUBLIC,
        (objective.rule, _each(objective), _how(objective)),
        keywords=next((said for start, said in _SHAPES.items() if objective.value.startswith(start)), None),
        see=("several-cards",),
    )


_BEFORE_PLACING = sentence("Use it when you have drafted a die, before you place it.")
_BY_ALL_RULES = sentence("Then the die is placed by all rules.")
_ANY_TIME = sentence("Use it at any time in your turn, before or after you place a die.")
_LEFT_BEHIND = sentence(
    "Dice that stay behind may lose their neighbors. That breaks no rule: a die is looked at when it is "
    "placed or moved, not later."
)

_NOTES: Mapping[Tool, tuple[Sentence, ...]] = {
    Tool.EGLOMISE_BRUSH: (
        sentence(
            "All else holds: it must fit a printed value, touch another die, and lie beside no die of its "
            "color or value."
        ),
    ),
    Tool.COPPER_FOIL_BURNISHER: (
        sentence(
            "All else holds: it must fit a printed color, touch another die, and lie beside no die of its "
            "color or value."
        ),
    ),
    Tool.LATHEKIN: (sentence("Two, not one: where only one die can be moved, the card cannot be used."),),
    Tool.LENS_CUTTER: (sentence("Both dice keep their values."),),
    Tool.RUNNING_PLIERS: (
        sentence("You leave out a turn of the same round, and begin the next one as always."),
    ),
    Tool.CORK_BACKED_STRAIGHTEDGE: (
        sentence(
            "It must not touch one by a corner either. Printed colors and values hold, and the first die "
            "of all still goes on the edge."
        ),
    ),
    Tool.GRINDING_STONE: (sentence("1 and 6 lie opposite each other, 2 and 5, 3 and 4."),),
}

_TOOL_KEYWORDS: Mapping[Tool, Sentence] = {
    Tool.GROZING_PLIERS: sentence("plus minus increase decrease raise lower change value"),
    Tool.EGLOMISE_BRUSH: sentence("move ignore color restriction"),
    Tool.COPPER_FOIL_BURNISHER: sentence("move ignore value restriction"),
    Tool.LATHEKIN: sentence("move two dice"),
    Tool.LENS_CUTTER: sentence("swap exchange trade round track"),
    Tool.FLUX_BRUSH: sentence("reroll roll again one die"),
    Tool.GLAZING_HAMMER: sentence("reroll roll again all dice pool"),
    Tool.RUNNING_PLIERS: sentence("two dice in a row second die double turn"),
    Tool.CORK_BACKED_STRAIGHTEDGE: sentence("alone apart not adjacent ruler"),
    Tool.GRINDING_STONE: sentence("flip turn over opposite side"),
    Tool.FLUX_REMOVER: sentence("new die bag choose value"),
    Tool.TAP_WHEEL: sentence("move dice of one color round track"),
}


_HOUSE_RULES = {
    Tool.EGLOMISE_BRUSH: (key_of(HouseRule.EGLOMISE_BRUSH_IGNORES_NEIGHBORS),),
    Tool.COPPER_FOIL_BURNISHER: (key_of(HouseRule.COPPER_FOIL_BURNISHER_IGNORES_NEIGHBORS),),
}


def _tool(tool: Tool) -> Entry:
    """Return the entry of a tool card."""
    notes = _NOTES.get(tool, ())
    if tool.effect is ToolEffect.MOVES_DICE:
        notes = (*notes, _ANY_TIME, _LEFT_BEHIND)
    elif tool.effect is ToolEffect.CHANGES_DIE:
        notes = (_BEFORE_PLACING, *notes, _BY_ALL_RULES)
    elif tool.effect is ToolEffect.FREES_PLACEMENT:
        notes = (_BEFORE_PLACING, *notes)
    return Entry(
        tool,
        Section.TOOLS,
        (TOOL_RULES[tool], *notes),
        keywords=_TOOL_KEYWORDS[tool],
        see=("favor-tokens", "how-often", *_HOUSE_RULES.get(tool, ())),
    )


CARDS = (
    *map(_public, PublicObjective),
    *(
        Entry(color, Section.PRIVATE, _PRIVATE, keywords=sentence("secret hidden own color"), see=("tie",))
        for color in Color
    ),
    *(
        Entry(card, Section.PRIVATE, _MARKED, keywords=sentence("secret hidden own expansion"), see=("tie",))
        for card in MarkedSpaces
    ),
    *map(_tool, Tool),
)


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


_VOICED = "\u3099\u309a"  # marks that make another syllable of a Japanese one, and so are no accents
_KANJI = r"[\u3005\u3400-\u9fff]+"
_KATAKANA = rf"(?:[\u30a1-\u30ff][{_VOICED}]?)+"
_HIRAGANA = rf"(?:[\u3041-\u3096\u30fc][{_VOICED}]?)+"
_OTHER = rf"[^\W\u3005\u3041-\u30ff\u3400-\u9fff{_VOICED}]+"
_RUNS = re.compile(rf"(?P<kanji>{_KANJI})|(?P<katakana>{_KATAKANA})|(?P<hiragana>{_HIRAGANA})|{_OTHER}")
_JAPANESE = re.compile(r"[\u3005\u3041-\u30ff\u3400-\u9fff]")

SHORTEST_BEGINNING = 2
SHORTEST_STEM, LONGEST_ENDING = 4, 3
SHORTEST_WITH_TYPO, SHORTEST_WITH_TWO = 4, 8
EXACT, BEGINNING, STEM, TYPO = 4, 3, 2, 1
TITLE, KEYWORD, TEXT = 6, 4, 2


@dataclass(frozen=True)
class Folded:
    """The words of an entry, as they are compared: each a text with blanks between the words."""

    key: str
    title: str
    keywords: str
    text: str


def folded(text: str) -> str:
    """Return the words of a text without case and accents; Japanese is cut where its kind of script changes.

    Examples
    --------
    >>> folded("L’Égalité: qui gagne ?"), folded("ラテキンは何？")
    ('l egalite qui gagne', 'らてきん は 何')
    """
    return " ".join(word for word, _ in _words(text))


def asked(query: str, skipped: str) -> list[str]:
    """Return the words of a question that say what it is about; all of them when none does.

    Parameters
    ----------
    query
        What a person typed.
    skipped
        The words that questions are made of, folded.

    Examples
    --------
    >>> asked("What does Lathekin do?", "do does what")
    ['lathekin']
    """
    words = _words(query)
    fillers = set(skipped.split())
    telling = [word for word, is_filler in words if not is_filler and word not in fillers]
    return telling or [word for word, _ in words]


def ranked(entries: Iterable[Folded], words: Sequence[str]) -> list[str]:
    """Return the keys of the entries that have at least half of the words, the best first."""
    found: list[tuple[int, int, str]] = []
    for entry in entries:
        points = [_points(word, entry) for word in words]
        if words and 2 * sum(map(bool, points)) >= len(words):
            found.append((-sum(points), len(found), entry.key))
    return [key for _, _, key in sorted(found)]


def _words(text: str) -> list[tuple[str, bool]]:
    """Return each word, and whether it is hiragana, which holds Japanese sentences together."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    kept = "".join(one for one in decomposed if one in _VOICED or not unicodedata.combining(one))
    return [(_same_kana(run[0]), run.lastgroup == "hiragana") for run in _RUNS.finditer(kept)]


def _same_kana(word: str) -> str:
    """Return the word with hiragana instead of katakana."""
    return "".join(chr(ord(one) - 0x60) if "\u30a1" <= one <= "\u30f6" else one for one in word)


def _points(asked_for: str, entry: Folded) -> int:
    """Return how well a word fits an entry, 0 when it does not."""
    places = ((TITLE, entry.title, True), (KEYWORD, entry.keywords, True), (TEXT, entry.text, False))
    return max(
        weight * max((_likeness(asked_for, word, typos=typos) for word in words.split()), default=0)
        for weight, words, typos in places
    )


def _likeness(asked_for: str, word: str, *, typos: bool) -> int:
    """Return how much a word of an entry is like the one that was asked for."""
    if asked_for == word:
        return EXACT
    if _JAPANESE.search(asked_for):
        if asked_for in word:
            return BEGINNING
        if len(word) > 1 and word in asked_for:
            return STEM
    elif len(asked_for) >= SHORTEST_BEGINNING and word.startswith(asked_for):
        return BEGINNING
    elif _same_stem(asked_for, word):
        return STEM
    return TYPO if typos and _near(asked_for, word) else 0


def _same_stem(one: str, other: str) -> bool:
    """Tell whether two words differ in their endings only."""
    shorter = min(len(one), len(other))
    same = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    return same >= max(SHORTEST_STEM, len(one) - LONGEST_ENDING, len(other) - LONGEST_ENDING)


def _near(one: str, other: str) -> bool:
    """Tell whether a slip of the finger lies between two words, or two in long ones."""
    if len(one) < SHORTEST_WITH_TYPO:
        return False
    allowed = 2 if len(one) >= SHORTEST_WITH_TWO else 1
    if abs(len(one) - len(other)) > allowed:
        return False
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, right in enumerate(other, start=1):
            steps = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                steps = min(steps, earlier[j - 2] + 1)
            row.append(steps)
    return row[-1] <= allowed


ENTRIES = (*CARDS, *QUESTIONS, *PLACING, *PLAY, *POINTS, *SOLO, *HOUSE_RULES)
BY_KEY = {entry.key: entry for entry in ENTRIES}

_SKIPPED = sentence(
    "a an and any are as at be by can could do does for from get go has have how i if in is it its may me "
    "must my no not of on one or out should so than that the their them then there they this to up was we "
    "what when where which who why will with work works would you your mean means happens card rule rules "
    "exactly please"
)
"""The words of questions that say nothing about what is asked for."""


def skipped(words: Words) -> str:
    """Return the words of questions that a search leaves out, in a language, folded."""
    return folded(words.say(_SKIPPED))


def compared(entry: Entry, words: Words) -> Folded:
    """Return the words of an entry in a language; names of cards are found in English too."""
    named = () if entry.title(words) == (english := entry.title(Words())) else (english,)
    keywords = (words.say(entry.keywords),) if entry.keywords else ()
    return Folded(
        entry.key,
        folded(entry.title(words)),
        folded(" ".join((*keywords, *named))),
        folded(" ".join(words.say(one) for one in entry.text)),
    )


def found(query: str, words: Words) -> list[Entry]:
    """Return the entries that answer a question, the best first."""
    keys = ranked([compared(entry, words) for entry in ENTRIES], asked(query, skipped(words)))
    return [BY_KEY[key] for key in keys]


__all__ = ["BY_KEY", "ENTRIES", "Entry", "Section", "compared", "found", "key_of", "skipped"]
