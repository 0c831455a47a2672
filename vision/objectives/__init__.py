"""Public objective cards in a photo of a table: where they lie and which they are.

The road: ``finding`` looks at ``views`` of the photo with one small network, which marks cards and points
to their corners, ``outlines`` at what stands out from the table; ``telling`` sets each card straight and
reads it, by its diagram alone, with two others.
``search`` puts both together.
"""

from vision.objectives.search import diagram_of as diagram_of
from vision.objectives.search import find_objectives as find_objectives
from vision.objectives.search import lies_on as lies_on
from vision.objectives.search import named_at as named_at
from vision.objectives.search import only_a_card as only_a_card
