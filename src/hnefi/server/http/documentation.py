"""The built documentation, served as static files."""

import base64
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
_POLICY = (
    "default-src 'none'; script-src 'self' {hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
)


class Documentation(StaticFiles):
    """Serves the site that `make docs` builds. Its inline scripts run; any other inline script does not."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Overrides `StaticFiles.file_response`: adds a content security policy to HTML pages."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers.setdefault("Cache-Control", "public, no-cache")
        if str(full_path).endswith(".html"):
            response.headers["Content-Security-Policy"] = _policy(os.fspath(full_path), stat_result.st_mtime)
        return response


@lru_cache(maxsize=1_000)
def _policy(path: str, _modified: float) -> str:
    """Returns the content security policy of a page, with the digests of its inline scripts."""
    scripts = _INLINE_SCRIPT.findall(Path(path).read_bytes())
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return _POLICY.format(hashes=" ".join(sorted({f"'sha256-{digest}'" for digest in digests})))
