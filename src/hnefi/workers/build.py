"""The identity of the compiled core: results of different builds are not mixed."""

import hashlib
from functools import cache
from pathlib import Path

from hnefi import _core


@cache
def core_digest() -> str:
    """Returns the first 16 hexadecimal digits of the SHA-256 of the compiled core."""
    return hashlib.sha256(Path(str(_core.__file__)).read_bytes()).hexdigest()[:16]
