"""Secrets of visitors, invitations and links, of which only the SHA-256 is stored, and of seeds of lots."""

import hashlib
import secrets

_LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_ID_LENGTH = 12
_SECRET_BYTES = 32


def new_secret() -> str:
    """Creates a URL-safe secret of 256 random bits.

    >>> len(new_secret())
    43
    """
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(secret: str) -> str:
    """Returns the SHA-256 of a secret, which is stored or published. 256 random bits need no slow hash.

    >>> hash_of("seed")[:8]
    '19b25856'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def new_game_id() -> str:
    """Creates the id of a game from 69 random bits, so that ids cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))
