"""The names that the two guides of contributors give beside files."""

import re

import pytest

from tests.test_docs import ROOT, project_files, prose, read, words


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_name_beside_a_file_occurs_in_it(page: str) -> None:
    """Such as "`Action` in `games/actions.py`", or "`Page` (`pages/page.py`)"."""
    text = prose(read(page)).replace("\n", " ")
    file = r"`([\w/.]+\.(?:py|rs|tsx?))`"
    listed = re.findall(rf"((?:`\w+`(?:,? and |, | ))+)(?:in|of) {file}", text)
    listed += re.findall(rf"(`\w+`) \({file}", text)
    beside = [(name, path) for names, path in listed for name in words(names)]
    assert len(beside) >= 4
    assert [(name, path) for name, path in beside if name not in words_in(path)] == []


def words_in(path: str) -> set[str]:
    """The words of the files whose paths end so."""
    found = [ROOT / file[1:] for file in project_files() if file.endswith(f"/{path}")]
    return {word for one in found for word in re.findall(r"\w+", one.read_text(encoding="utf-8"))}
