"""Synthetic photographs of windows: what the finder and the reader learn from.

``scene`` puts them together with exact labels; ``traced`` does so with a path tracer instead of ``dice``.

 Unit of length: the pitch, the distance of neighboring slots. x runs along a row, y down a column, z up from
the frame's surface towards the camera. All randomness comes from the generator that is passed in.
"""
