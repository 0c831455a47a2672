"""How the reader is made: synthetic photos, and the networks that learn from them.

The modules in the order of the work: ``synthetic`` (pictures), ``dataset`` and ``traced_set`` (pictures as
arrays on disk; ``llvm`` says whether they can be traced), ``nets`` (the networks), ``loop`` (what their
training has in common), ``finder`` and ``reader`` (training each). ``held_back`` reads scenes that nothing
was learned from. ``unlike_set``, ``unlike``, ``dyes_set``, ``dyes``, ``together``, ``odd_set``,
``odd_reader`` and ``held_back_odd`` (with ``legible``) are the same for dice that are not the game's,
``held_back_lens`` for lenses that bend.
``card_set``, ``objectives`` and ``held_back_cards`` are the same for public objective cards.
"""
