"""Codes that people type and tokens that devices keep."""

from __future__ import annotations

import hashlib
import re
import secrets

# Without vowels, so that no code is a word, and without what looks alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V.
ALPHABET = "CDFGHJKMNPQRTWXY34679"
CODE_LENGTH = 6
CODE_PATTERN = re.compile(f"[{ALPHABET}]{{{CODE_LENGTH}}}")
HASH_LENGTH = 64
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{22}")


def new_code() -> str:
    """Return a random code of 6 letters and digits: one of 85 million."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def typed_code(text: str) -> str:
    """Return a code as people type it, in capitals and without blanks and hyphens.

    >>> typed_code(" k7m-4qx ")
    'K7M4QX'
    """
    return re.sub(r"[\s\-]", "", text).upper()


def is_code(text: str) -> bool:
    """Tell whether a text can be a code at all."""
    return CODE_PATTERN.fullmatch(text) is not None


def new_token() -> str:
    """Return a random secret for a device."""
    return secrets.token_urlsafe(16)


def hashed(token: str) -> str:
    """Return what is kept of a token: whoever reads the database cannot take a seat with it."""
    return hashlib.sha256(token.encode()).hexdigest()
