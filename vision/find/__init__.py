"""Where a window lies in a photo: from an upright picture to a grid, or to the reason why there is none.

The road: ``search`` takes ``views`` of the photo (from the ``levels`` of its size) and looks at the
``maps`` that the finder network makes of them; it fits a ``lattice`` (``growing`` finds starts where
outlines tell little), and ``sighting`` looks at each again, set straight, with ``scrutiny``. Of what is not
whole ``partial`` names the edge, and ``refusals`` say why nothing can be read. ``corners`` is the short
way, for corners set by hand.
"""
