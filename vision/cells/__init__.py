"""What lies in the 20 cells of a window: from the grid in a photo to probabilities and to the card beneath.

The road: ``crops`` cuts the cells out, ``dice`` asks the reader network, ``unlike`` and ``colorless`` notice
dice that it does not know, ``pattern`` finds the card and which way up it lies, and ``prior`` weighs what was
read with doubt by the rules of the game.
"""
