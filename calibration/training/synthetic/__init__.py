"""Synthetic photographs of windows: what the finder and the reader learn from.

The modules in the order of the work: ``camera`` (where the photo is taken from), ``textures``
(frame, card, art, table), ``dice`` (translucent rounded cubes by ray marching), ``finish``
(light, lens, sensor, JPEG) and ``scene``, which puts them together with exact labels. ``traced`` does
the same with a path tracer instead of ``dice``: ``solids`` (dice and pips as triangles), ``lights`` (what is
around) and ``tracer`` (what Mitsuba takes). ``odd`` draws windows with dice that are not the game's.

Unit of length: the pitch, the distance of neighboring slots. x runs along a row, y down a
column, z up from the frame's surface towards the camera. All randomness comes from the
``numpy.random.Generator`` that is passed in.
"""
