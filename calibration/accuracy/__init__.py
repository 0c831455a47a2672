"""How good the reader is: held against labelled photos, kept as records, reported.

The modules in the order of the work: ``labels`` (what photos show), ``comparison`` (a reading held against
it), ``summary`` with ``shares`` and ``reliability`` (many of these added up), ``records`` (what is kept in
``results/``), ``goals`` (what is to be reached), ``report`` (the figures laid out), ``pages`` with
``diagram`` (the committed documents). ``loose`` measures a reader on loose dice, ``color_spaces`` has the
profiles of photos that are not in sRGB.
"""
