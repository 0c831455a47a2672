"""Cards that a household has shown: tool and public objective cards of its own edition and language.

The road: ``sheet`` finds the cards that lie side by side in a photo, ``card`` keeps one of them with its
local features. In a later photo ``locating`` finds where cards of this printing lie, by the features that
they share, ``comparing`` lays each taught card over such a place, and ``search`` says which one it is, and
how that goes together with what the diagrams said.
"""

from vision.taught.card import TaughtCard as TaughtCard
from vision.taught.card import kind_of as kind_of
from vision.taught.card import learn_card as learn_card
from vision.taught.search import find_taught as find_taught
from vision.taught.sheet import OnSheet as OnSheet
from vision.taught.sheet import cards_on as cards_on
