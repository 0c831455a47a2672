"""Making the reader fit a table: how good it is, what it learned from, and what dice of one's own look like.

``evaluation/``
    how good the reader is on labelled photos: labels, comparison, figures with their goals, the report;
``profiles/``
    what dice of one's own look like: ``samples`` cuts named dice out of photos, ``learning`` makes a
    profile of them, and says whether it reads any better;
``training/``
    how the networks learned: ``synthetic/`` draws scenes, ``sets`` says which are kept as arrays, ``recipes``
    which network learns from which; ``held_back`` draws labelled photos that nothing was learned from.

``sagrada evaluate`` measures, keeps records and compares with them. ``sagrada calibrate`` and the page keep
profiles (`webapp.storage.profiles`); what a profile is, and how it is read with, stands in `vision.profile`.
"""

__all__: list[str] = []
