"""How the reader is made: synthetic photos, and the networks that learn from them.

``synthetic`` draws scenes; ``dataset`` and the modules named like ``…_set`` turn them into the arrays that
``shards`` keeps, and ``sets`` lists those. ``nets`` has the networks, the modules named like what they find
or read teach them, and ``recipes`` says from which sets and how long.
"""
