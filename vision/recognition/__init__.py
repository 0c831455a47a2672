"""What lies in the 20 cells of a window.

`cells` cuts them out, `dice` reads them, and `cards` finds the pattern card beneath.
"""
