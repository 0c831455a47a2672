"""How the reader is made: synthetic photos, and the networks that learn from them.

``synthetic`` draws scenes; the modules named like ``…_set``, and ``dataset``, turn them into the arrays that
``shards`` keeps, and ``sets`` says which and how many; ``llvm`` says whether they can be traced. ``nets`` has
the networks; the modules named like what they find or read say what is learned, ``loop`` learns it, and
``recipes`` says from which sets and how long. ``held_back`` draws labelled photos that nothing was learned
from.
"""
