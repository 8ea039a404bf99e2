"""Secrets: who has a seat shows it by one. They are never kept, only their SHA-256."""

import hashlib
import secrets

__all__ = ["hash_of", "new_game_id", "new_secret"]

_LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_ID_LENGTH = 12
_SECRET_BYTES = 32


def new_secret() -> str:
    """Makes a secret of 256 random bits, fit for an address.

    >>> len(new_secret())
    43
    """
    return secrets.token_urlsafe(_SECRET_BYTES)


def hash_of(secret: str) -> str:
    """Gives what is kept of a secret. Random bits of this length need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_game_id() -> str:
    """Makes the id of a game, 69 random bits: nobody finds a game by guessing."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))
