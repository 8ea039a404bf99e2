"""Writes the tables of the state, the events and the other messages of a game, from their models."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from generated_tables import DOCS, GeneratedTable
from pydantic import TypeAdapter

from hnefi.server.messages.socket import ClientMessage, EventMessage, GameView, ServerMessage

HEAD = "| key | value | what it is |\n|---|---|---|\n"
SECTIONS = {
    "State": (GameView,),
    "Events": (EventMessage,),
    "Other messages of the server": get_args(ServerMessage)[2:],
    "Messages of a client": get_args(ClientMessage),
}
_KINDS = ("type", "kind")


def _content() -> str:
    tables = ""
    told = set[str]()
    for title, roots in SECTIONS.items():
        tables += f"\n## {title}\n"
        is_clients = roots == get_args(ClientMessage)
        mode: Literal["validation", "serialization"] = "validation" if is_clients else "serialization"
        _, schema = TypeAdapter.json_schemas([(root, mode, TypeAdapter(root)) for root in roots])
        models = schema["$defs"]
        for name in _reached(models, [root.__name__ for root in roots], told):
            tables += "\n" + "".join(_table(name, models[name], is_clients=is_clients))
    return f"{tables}\n"


def _reached(models: Mapping[str, Any], roots: list[str], told: set[str]) -> list[str]:
    """Returns the names of the models that are not told yet, in the order in which a reader meets them."""
    found = list(roots)
    for name in found:
        met = dict.fromkeys(_references(models[name]["properties"]))
        found += [one for one in met if one not in found and one not in told]
    told.update(found)
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _references(one)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        yield from _references([one for key, one in schema.items() if key != "discriminator"])


def _table(name: str, model: Mapping[str, Any], *, is_clients: bool) -> Iterator[str]:
    """Returns the table of a model. Clients may leave out a key that has a default."""
    yield f"### `{name}`\n\n{_sentence(model)}\n\n{HEAD}"
    for key, schema in model["properties"].items():
        may_lack = ", optional" if is_clients and key not in model["required"] else ""
        told = "The kind." if key in _KINDS else _sentence(schema)
        yield f"| `{key}` | {_type(schema)}{may_lack} | {told} |\n"


def _sentence(schema: Mapping[str, Any]) -> str:
    """Returns what its docstring says, as of JSON and on one line."""
    return str(schema["description"]).replace("None", "`null`").replace("\n", " ")


def _type(schema: Mapping[str, Any]) -> str:
    """Returns the words for the values of a schema."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for choices in ("anyOf", "oneOf"):
        if choices in schema:
            return " or ".join(map(_type, schema[choices]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " ".join(f"`{one}`" for one in schema["enum"])
    if schema["type"] == "array":
        return f"list of {_type(schema['items'])}"
    if schema["type"] == "object":
        return f"object of {_type(schema['additionalProperties'])} by string"
    return "`null`" if schema["type"] == "null" else str(schema["type"])


TABLE = GeneratedTable(DOCS / "reference" / "http-api.md", "messages", "write_message_tables", _content)

if __name__ == "__main__":
    TABLE.write()
