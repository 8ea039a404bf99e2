"""Writes the messages between server and browser that scripts use as TypeScript, from the Pydantic models."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter

from hnefi.engine.analysis import SCORE_BOUNDS
from hnefi.server.events import Body, Clock, Message
from hnefi.server.games import commands
from hnefi.server.games.actions import Action
from hnefi.server.messages import classrooms, http, people, records, rules, socket

TARGET = Path(__file__).parents[1] / "web" / "src" / "messages.ts"
HEAD = """// The messages between server and browser, written by tools/write_messages.py: change them in
// src/hnefi/server: messages/, events.py.
"""
UNIONS = {
    "ClientMessage": socket.ClientMessage,
    "ServerMessage": socket.ServerMessage,
    "Body": Body,
    "Clock": Clock,
}
LITERALS = {"ActionName": Action, "SideName": socket.SideName, "StatusName": socket.StatusName}
MODELS = {
    model
    for module in (commands, classrooms, http, people, records, rules)
    for model in vars(module).values()
    if isinstance(model, type) and issubclass(model, Message) and model.model_fields
}
# Only messages of clients may omit fields that have a default; the last are parts of requests.
SENT_BY_CLIENTS = {
    *(model.__name__ for model in socket.ClientMessage.__args__),
    *(model.__name__ for model in MODELS if model.__name__.endswith("Request")),
    *("TreePlyView", "HeaderView"),
}
_SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_LEAST_DOC = 3


def text() -> str:
    """Returns the content of the file."""
    models = {model for union in UNIONS.values() for model in union.__args__} | MODELS
    _, schema = TypeAdapter.json_schemas(
        [(model.__name__, "validation", TypeAdapter(model)) for model in models], ref_template="{model}"
    )
    bounds = ", ".join(f"{word}: {bound}" for word, bound in SCORE_BOUNDS.items())
    parts = [
        HEAD,
        f"/** `SCORE_BOUNDS` of hnefi.engine.analysis. */\nexport const SCORE_BOUNDS = {{ {bounds} }};\n",
    ]
    types = {name: _interface(name, one) for name, one in sorted(schema["$defs"].items())}
    for name, union in UNIONS.items():
        types[name] = f"export type {name} = {' | '.join(model.__name__ for model in union.__args__)};\n"
    for name, kind in LITERALS.items():
        types[name] = f"export type {name} = {' | '.join(map(_literal, get_args(kind)))};\n"
    used = _used(types)
    return "\n".join([*parts, *(one for name, one in types.items() if name in used)])


def _used(types: dict[str, str]) -> set[str]:
    """Returns the names of the types that scripts import, and of those that these are made of."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in TARGET.parent.rglob("*.ts*"))
    waiting = re.findall(r"\w+", " ".join(re.findall(r'\{([^}]*)\} from "[./]+/messages\.ts"', scripts)))
    used = set[str]()
    while waiting:
        if (name := waiting.pop()) in types and name not in used:
            used.add(name)
            waiting += re.findall(r"\w+", re.sub(r"/\*\*.*", "", types[name]))
    return used


def _interface(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    lines = [_doc(schema, ""), f"export interface {name} {{"]
    for field, one in schema.get("properties", {}).items():
        lines.append(_doc(one, "  "))
        may_lack = name in SENT_BY_CLIENTS and field not in required and "const" not in one
        lines.append(f"  {field}{'?' if may_lack else ''}: {_type(one)};")
    return "\n".join(line for line in [*lines, "}"] if line) + "\n"


def _union(types: Iterable[str]) -> str:
    """Returns a union of types, by its name if it has one."""
    found = " | ".join(dict.fromkeys(types))
    known = {" | ".join(model.__name__ for model in union.__args__): name for name, union in UNIONS.items()}
    return known.get(found, found)


def _doc(schema: dict[str, Any], indent: str) -> str:
    found = " ".join(schema.get("description", "").split())
    return f"{indent}/** {found} */" if len(found) > _LEAST_DOC else ""


def _type(schema: dict[str, Any]) -> str:
    """Returns the TypeScript type of a JSON schema.

    Raises:
        ValueError: If it is of a kind that no message has had so far.
    """
    if "$ref" in schema:
        return str(schema["$ref"])
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return _values(schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _union(_type(one) for one in schema[key])
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema["items"])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values)}>" if isinstance(values, dict) else "Record<string, unknown>"
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    raise ValueError(f"no type for {schema}")


def _values(values: Iterable[object]) -> str:
    """Returns the type of some values; those of `LITERALS` by their name."""
    found = " | ".join(map(_literal, values))
    known = {" | ".join(map(_literal, get_args(kind))): name for name, kind in LITERALS.items()}
    return known.get(found, found)


def _literal(value: object) -> str:
    return str(value) if isinstance(value, int) else f'"{value}"'


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
