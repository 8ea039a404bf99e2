"""Logs on standard error: readable text, or one JSON object a line; without secrets, names and moves."""

import json
import logging
import re
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from hnefi.errors import HnefiError

# A secret of a visitor, an invitation or a link has 43 characters (`hnefi.server.secrets`). The server logs
# none; if a library or a client puts one into a message or a path nevertheless, it is removed here.
_SECRET = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
_FIELDS = ("request_id", "game", "code", "status", "ms", "omitted")

REQUEST = ContextVar[Mapping[str, str]]("request", default=MappingProxyType({}))
"""Fields of every line that is logged for the request that runs now."""

# At lower levels these libraries log what is normal, and some of them what is sent.
_NOISY = ("alembic", "asyncio", "uvicorn.error", "sqlalchemy", "websockets")


def configure_logs(level: str, *, as_json: bool) -> None:
    """Configures all loggers.

    `level` is the least level of what the server itself logs; libraries log warnings and errors. With
    `as_json` each line is a JSON object, not a text for people.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter(as_json=as_json))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("hnefi").setLevel(level.upper())
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


class _Formatter(logging.Formatter):
    """Formats the fields that have a value, in one order and without secrets."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        if isinstance(record.args, tuple):
            # The details of errors have their codes, and are in English whoever reads them.
            record.args = tuple(one.detail if isinstance(one, HnefiError) else one for one in record.args)
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **{name: getattr(record, name, REQUEST.get().get(name)) for name in _FIELDS},
            "exception": self.formatException(record.exc_info) if record.exc_info else None,
        }
        event = {name: _without_secrets(value) for name, value in event.items() if value is not None}
        return json.dumps(event, ensure_ascii=False, default=str) if self._as_json else _text_line(event)


def _without_secrets(value: Any) -> Any:
    return _SECRET.sub("…", value) if isinstance(value, str) else value


def _text_line(fields: dict[str, Any]) -> str:
    """Formats a line for people; a traceback follows on lines of its own."""
    exception = fields.pop("exception", None)
    time, level, logger, message = (fields.pop(name, "") for name in ("time", "level", "logger", "event"))
    rest = "".join(f" {name}={value}" for name, value in fields.items())
    line = _on_one_line(f"{time} {level.upper()} {logger}: {message}{rest}")
    return line if exception is None else f"{line}\n{exception}"


def _on_one_line(text: str) -> str:
    """Escapes characters that would end the line, or act on a terminal.

    >>> print(_on_one_line("one\\ntwo"))
    one\\ntwo
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
