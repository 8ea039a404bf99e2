"""Writes the tables of the state of a game in the reference of the HTTP API, from its models."""

from collections.abc import Iterator, Mapping
from typing import Any

from generated_tables import DOCS, GeneratedTable

from hnefi.server.messages.socket import GameView

HEAD = "| key | value | what it is |\n|---|---|---|\n"


def _content() -> str:
    schema = GameView.model_json_schema(mode="serialization")
    models = {"GameView": schema, **schema["$defs"]}
    tables = "\n".join("".join(_table(name, models[name])) for name in _reached(models))
    return f"\n{tables}\n"


def _reached(models: Mapping[str, Any]) -> list[str]:
    """Returns the names of the models in the order in which a reader meets them."""
    found = ["GameView"]
    for name in found:
        found += dict.fromkeys(one for one in _references(models[name]["properties"]) if one not in found)
    return found


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for one in schema:
            yield from _references(one)
    elif isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        yield from _references([one for key, one in schema.items() if key != "discriminator"])


def _table(name: str, model: Mapping[str, Any]) -> Iterator[str]:
    yield f"### `{name}`\n\n{_sentence(model)}\n\n{HEAD}"
    for key, schema in model["properties"].items():
        yield f"| `{key}` | {_type(schema)} | {_sentence(schema)} |\n"


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


TABLE = GeneratedTable(DOCS / "reference" / "http-api.md", "state", "write_game_state", _content)

if __name__ == "__main__":
    TABLE.write()
