"""Messages: what is accepted, and that the browser's types are those of the server."""

import json
import re
from typing import get_args, get_type_hints

import pytest
import write_message_tables
import write_messages
import write_settings
from hypothesis import given
from hypothesis import strategies as st

from hnefi.server.events import Body
from hnefi.server.messages.socket import CLIENT_MESSAGE, After, ClientMessage, LegView, ServerMessage

GOOD = [
    {"type": "hello", "v": 1, "game": "abc", "since": 3},
    {"type": "move", "id": "m-1", "seq": 3, "move": "d2-c2", "call": 2},
    {"type": "command", "id": "c_1", "seq": 0, "do": "resign"},
    {"type": "ping", "t": 0},
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def test_the_types_of_the_browser_are_those_of_the_server() -> None:
    kept = write_messages.TARGET.read_text(encoding="utf-8")
    assert kept == write_messages.text(), "run tools/write_messages.py"


def test_the_reference_has_every_key_of_state_events_and_messages() -> None:
    write_message_tables.TABLE.check()
    kept = write_message_tables.TABLE.page.read_text(encoding="utf-8")
    models = (*get_args(Body), *get_args(ClientMessage), *get_args(ServerMessage), LegView, After)
    for model in models:
        _, _, after = kept.partition(f"### `{model.__name__}`\n")
        table = after.partition("\n### ")[0]
        assert {key for key in get_type_hints(model) if f"| `{key}` |" not in table} <= {"model_config"}


def test_the_guide_shows_every_message_of_the_socket() -> None:
    guide = write_settings.TABLE.page.read_text(encoding="utf-8")
    models = (*get_args(ClientMessage), *get_args(ServerMessage))
    kinds = {get_args(get_type_hints(model)["type"])[0] for model in models}
    assert len(kinds) == len(models)
    assert {kind for kind in kinds if not re.search(rf'{{"type":"{kind}"[,}}]', guide)} == set()


@pytest.mark.parametrize("message", GOOD)
def test_nothing_unknown_and_nothing_of_another_kind_is_accepted(message: dict[str, object]) -> None:
    CLIENT_MESSAGE.validate_json(json.dumps(message))
    for key, value in message.items():
        with pytest.raises(ValueError, match=r"."):
            CLIENT_MESSAGE.validate_json(json.dumps({**message, key: [value]}))
    for more in ({"player": 0}, {"clock_ms": 5}, {"visitor": "x"}, {"v": 2}):
        with pytest.raises(ValueError, match=r"."):
            CLIENT_MESSAGE.validate_json(json.dumps({**message, **more}))


@given(JSON)
def test_anything_else_is_refused_and_nothing_breaks(value: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        CLIENT_MESSAGE.validate_json(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "[" * 100_000, '{"type":"move"}', "\x00", '{"type":"ping","t":1e400}', b"\xff\xfe"],
)
def test_broken_texts_are_refused(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        CLIENT_MESSAGE.validate_json(text)
