"""Inline scripts of the pages: their digests for the content security policy."""

import base64
import hashlib
from functools import cache
from pathlib import Path

_TEMPLATES = Path(__file__).parent / "templates"
_INLINE_SCRIPTS = ("theme.js", "every_page.js")


@cache
def inline_script_hashes() -> tuple[str, ...]:
    """Returns the digests of the inline scripts, as a content security policy has them."""
    # Without variables and blocks, Jinja renders a file as it is, but for the end of the last line.
    scripts = [(_TEMPLATES / name).read_text(encoding="utf-8").removesuffix("\n") for name in _INLINE_SCRIPTS]
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    return tuple(f"sha256-{digest}" for digest in digests)
