"""Logs on standard error: readable text, or one JSON object a line; without secrets, names and moves."""

import json
import logging
import re
import sys
from typing import Any

import structlog
from structlog.typing import EventDict, Processor

from hnefi.errors import HnefiError

# A secret of a visitor, an invitation or a link has 43 characters (`hnefi.server.secrets`). The server logs
# none; if a library or a client puts one into a message or a path nevertheless, it is removed here.
_SECRET = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])")
_FIELDS = ("request_id", "game", "code", "status", "ms", "omitted")
_ORDER = ("time", "level", "logger", "event", *_FIELDS)
# At lower levels these libraries log what is normal, and some of them what is sent.
_NOISY = ("alembic", "asyncio", "uvicorn.error", "sqlalchemy", "websockets")


def configure_logs(level: str = "info", *, as_json: bool = False) -> None:
    """Configures all loggers.

    `level` is the least level of what the server itself logs; libraries log warnings and errors. With
    `as_json` each line is a JSON object, not a text for people.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(as_json=as_json))
    handler.addFilter(_with_details)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("hnefi").setLevel(level.upper())
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(logging.WARNING)


def _with_details(record: logging.LogRecord) -> bool:
    """Puts the details of errors into a record, with their codes, in English whoever reads them."""
    if isinstance(record.args, tuple):
        record.args = tuple(one.detail if isinstance(one, HnefiError) else one for one in record.args)
    return True


def _formatter(*, as_json: bool) -> logging.Formatter:
    before: tuple[Processor, ...] = (
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(_FIELDS),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _cleaned,
            _json_line if as_json else _text_line,
        ],
    )


def _cleaned(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Returns the fields that have a value, in their order, without secrets."""
    names = (*_ORDER, *(name for name in event if name not in _ORDER))
    return {name: _without_secrets(event[name]) for name in names if event.get(name) is not None}


def _without_secrets(value: Any) -> Any:
    return _SECRET.sub("…", value) if isinstance(value, str) else value


def _json_line(_logger: Any, _method: str, event: EventDict) -> str:
    return json.dumps(event, ensure_ascii=False, default=str)


def _text_line(_logger: Any, _method: str, event: EventDict) -> str:
    """Formats a line for people; a traceback follows on lines of its own."""
    fields = {**event}
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
