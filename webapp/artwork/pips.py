"""Where the pips of a die are."""

from __future__ import annotations

_L, _M, _H = 28, 50, 72
PIPS = {
    1: [(_M, _M)],
    2: [(_H, _L), (_L, _H)],
    3: [(_H, _L), (_M, _M), (_L, _H)],
    4: [(_L, _L), (_H, _L), (_L, _H), (_H, _H)],
    5: [(_L, _L), (_H, _L), (_M, _M), (_L, _H), (_H, _H)],
    6: [(_L, 25), (_H, 25), (_L, _M), (_H, _M), (_L, 75), (_H, 75)],
}
"""Centers of the pips of each value on a face of 100 x 100."""
