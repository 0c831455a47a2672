"""How the reference of the library is made out of the docstrings: ``make docs``."""

from importlib.metadata import version as version_of

import scoring

project = "Sagrada Companion"
author = "The authors of Sagrada Companion"
version = release = version_of("sagrada-companion")
extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser"]
html_theme = "furo"
html_title = f"{project} {version}"
default_role = "py:obj"  # a name in single backticks is one of ours
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_ivar = True
myst_enable_extensions = ["colon_fence"]

for _name in scoring.__all__:  # some are only there once they are asked for
    getattr(scoring, _name)
