"""Leave out what needs Mitsuba where it is not installed: 60 MB that only the training data are made with."""

from importlib.util import find_spec

# Not a skip: on the server a step of its own installs Mitsuba and runs this file.
collect_ignore = [] if find_spec("mitsuba") else ["test_tracer.py"]
