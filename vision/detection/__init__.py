"""Where windows are in a photo: from an upright picture to a grid, or to the reason why there is none.

`views` are what the finder network looks at, `lattice` fits a window to what it marks, `sighting` looks at
each once more, and `search` puts them together.
"""
