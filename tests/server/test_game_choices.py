"""Lists of all games on pages: groups by the size of the board."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.app import create_app
from hnefi.server.settings import Settings
from hnefi.variants.finding import all_variants


@pytest.mark.parametrize("path", ["/fr/people", "/fr/class"])
def test_a_list_of_games_is_grouped_by_size(tmp_path: Path, path: str) -> None:
    client = TestClient(create_app(Settings(folder=tmp_path, hosts=("testserver",))))
    groups = re.findall(
        r'<optgroup label="(\d+)\s×\s\1[^"]*">(.*?)</optgroup>', client.get(path).text, re.DOTALL
    )
    sizes = {one.id: one.rules.size for one in all_variants()}
    assert [int(size) for size, _ in groups] == sorted(set(sizes.values()))
    games = [
        (int(size), game) for size, group in groups for game in re.findall(r'<option value="([^"]+)"', group)
    ]
    assert len(games) > 50
    assert all(sizes[game] == size for size, game in games)
