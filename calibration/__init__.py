"""Making the reader fit a table: how good it is, what it learned from, and what a household teaches it.

``evaluation/``
    how good the reader is on labelled photos: labels, comparison, figures with their goals, the report;
``profiles/``
    what a household's own dice look like: ``samples`` cuts named dice out of photos, ``learning`` makes a
    profile of them, and says whether it reads any better;
``training/``
    how the networks learned: ``synthetic/`` draws scenes, ``*_set`` write them down, ``nets`` and the
    modules named like the networks train them, ``held_back*`` measure on what nothing was learned from.

``sagrada evaluate`` measures, keeps records and compares with them. ``sagrada calibrate`` and the page keep
profiles (`webapp.storage.profiles`); what a profile is, and how it is read with, stands in `vision.profile`.
"""

__all__: list[str] = []
