"""Write the texts of the description for programs to a catalog: ``python docs/make_api_texts.py``.

They stand in the document that `webapp.openapi` puts together, where no extractor finds them.
`docs/translating.md` tells what comes next.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from webapp.openapi.listing import texts  # noqa: E402

if __name__ == "__main__":
    catalog = Catalog()
    for text in texts():
        catalog.add(text)
    with (ROOT / "webapp" / "translations" / "api.pot").open("wb") as file:
        write_po(file, catalog, width=110, omit_header=True, sort_output=True)
