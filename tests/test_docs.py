"""Documentation: paths and links exist, commands work, lists are complete."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hnefi
from hnefi.cli.app import COMMANDS
from hnefi.cli.lab import lab
from tests.cli_runs import complaint, refusal, run
from tests.samples import sampled
from tests.test_cli_apply import FAILING
from tests.test_i18n import messages
from tests.variant_files import renamed

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = ROOT / "docs" / "explanation" / "decisions"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
SOURCES = (".py", ".pyi", ".rs", ".c", ".toml", ".txt", ".po")
# What a tool makes; it need not be there.
MADE = {"target/checks", "target/docs/site"}


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def decision(number: int) -> str:
    (path,) = DECISIONS.glob(f"{number:04}-*.md")
    return path.read_text(encoding="utf-8")


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def words(text: str) -> list[str]:
    """Everything in backquotes."""
    return re.findall(r"`([^`\n]+)`", text)


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_number_of_variants_is_right(page: str) -> None:
    (count,) = re.findall(r"(\d+) variants", read(page))
    assert int(count) == len(hnefi.all_variants())


# --- Paths, links, commands -----------------------------------------------------------------------------


@pytest.mark.parametrize("page", NAMES)
def test_every_link_leads_somewhere_and_every_path_and_file_that_is_named_exists(page: str) -> None:
    """Also a file named from within a folder, such as `games/room.py`."""
    text = prose(read(page))
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text)
    local = [target.split("#")[0] for target in targets if "://" not in target]
    assert [target for target in local if not (ROOT / page).parent.joinpath(target).exists()] == []
    folders = "|".join(re.escape(path.name) for path in ROOT.iterdir() if path.is_dir())
    named = [word for word in words(text) if re.match(rf"({folders})/[\w./-]+$", word)]
    assert [path for path in named if path not in MADE and not (ROOT / path).exists()] == []
    files = {word for word in words(text) if re.fullmatch(r"[\w/-]+\.(py|rs|ts|toml|md)", word)}
    there = project_files()
    assert [name for name in sorted(files) if not any(path.endswith(f"/{name}") for path in there)] == []


@cache
def project_files() -> tuple[str, ...]:
    """The paths of the project's files, each after a slash."""
    apart = (".git", ".venv", "node_modules", "target")
    parents = [path for path in ROOT.iterdir() if path.name not in apart]
    files = [file for path in parents for file in (path.rglob("*.*") if path.is_dir() else [path])]
    return tuple(f"/{file.relative_to(ROOT)}" for file in files if "node_modules" not in file.parts)


@cache
def source_words() -> frozenset[str]:
    """Every word of the sources."""
    texts = (
        ROOT.joinpath(path[1:]).read_text(encoding="utf-8")
        for path in project_files()
        if path.endswith((*SOURCES, ".ts", ".tsx", ".css", ".html", ".yml")) and "/static/" not in path
    )
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_name_of_the_code_that_is_named_exists(page: str) -> None:
    """Such as `COMMANDS` or `Service._limit`; `web.ask.BUTTON` is a pattern."""
    named = [word for word in words(prose(read(page))) if re.fullmatch(r"[A-Za-z_][\w.]*", word)]
    parts = {part for word in named if word not in MADE for part in re.findall(r"\w+", word)}
    assert len(parts) > 40
    assert sorted(parts - source_words() - {"BUTTON"}) == []


def test_every_page_the_sources_name_exists() -> None:
    folders = ("src", "crates", "tests", "tools", "benchmarks", "build_backend")
    texts = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES]
    named = {
        page
        for path in [*texts, ROOT / "pyproject.toml"]
        for page in re.findall(r"docs/[\w./-]*\w", path.read_text(encoding="utf-8"))
    }
    # `docs/explanation/decisions/0009` is enough.
    missing = {page for page in named if not [*ROOT.glob(f"{page}*")]}
    assert len(named) > 10
    assert sorted(missing - MADE) == []


def tree() -> Iterator[Path]:
    """The paths of the tree that ARCHITECTURE.md draws."""
    above: list[Path] = []
    for line in read("ARCHITECTURE.md").split("```")[1].splitlines():
        found = re.match(r"  ((?:  )*)(\S+(?: · \S+)*)", line)
        if found:
            depth = len(found[1]) // 2
            paths = [(above[depth - 1] if depth else ROOT) / name for name in found[2].split(" · ")]
            above[depth:] = [paths[0]]
            yield from paths


def test_the_tree_of_the_architecture_has_every_folder_and_its_table_paths_that_exist() -> None:
    drawn = set(tree())
    assert [path for path in sorted(drawn) if not path.exists()] == []
    roots = (ROOT / name for name in ("src/hnefi", "src/hnefi/server", "web/src", "crates", "tests"))
    folders = {path for root in roots for path in root.iterdir() if path.is_dir()}
    unnamed = ("__pycache__", "static")
    assert sorted(path for path in folders - drawn if path.name not in unnamed) == []
    # Each row begins in a path, and every package of the library has its row.
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| [^|]+ \|$", read("ARCHITECTURE.md"), re.MULTILINE)
    named = {path for row in rows[1:] for path in re.findall(r"(?:src|crates|web|docs|tools)/[\w/.]*", row)}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    packages = {f"src/hnefi/{path.parent.name}/" for path in (ROOT / "src" / "hnefi").glob("*/__init__.py")}
    assert sorted(one for one in packages if not any(path.startswith(one) for path in named)) == []


def test_the_layers_of_the_architecture_are_those_that_are_checked() -> None:
    settings = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]["layers"]
    drawn = read("ARCHITECTURE.md").split("```")[3].strip().splitlines()
    named = [set(re.findall(r"\w+", line.split("  ")[0])) for line in drawn]
    assert named == [set(re.findall(r"\w+", layer)) for layer in settings]


def test_every_task_of_the_makefile_that_is_named_exists() -> None:
    tasks = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    named = {task for page in NAMES for task in re.findall(r"\bmake ([a-z-]+)`", read(page))}
    assert named <= tasks
    table = set(re.findall(r"^\| `make ([a-z-]+)`", read("CONTRIBUTING.md"), re.MULTILINE))
    assert tasks - table <= {"help", "setup", "setup-release", "clean"}


@pytest.mark.parametrize(
    "page", ["docs/reference/command-line.md", "docs/explanation/decisions/0015-command-line.md"]
)
def test_every_command_is_named(page: str) -> None:
    named = {re.sub(r"^hnefi ", "", word).split()[0] for word in words(prose(read(page)))}
    assert [command for command in COMMANDS if command not in named] == []


TABLE = re.findall(r"^\| `hnefi ([^`]+)` \|", read("docs/reference/command-line.md"), re.MULTILINE)
# They talk on standard input, or take long; `site` has tests of its own.
BY_HAND = ("site", "play", "serve", "backup", "restore", "engine", "analyse")
LONG = ("lab arena", "lab balance", "lab calibrate", "lab train", "lab select")


def test_the_table_of_commands_has_them_all() -> None:
    assert {line.split()[0] for line in TABLE} == set(COMMANDS)
    assert {line.split()[1] for line in TABLE if line.startswith("lab ")} == set(lab.members)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goes to a folder with files for commands."""
    (tmp_path / "games.tafl").write_bytes((ROOT / "tests/records/brandub-globe.tafl").read_bytes())
    (tmp_path / "positions.epd").write_text("brandub-globe 7/7/7/3K3/7/7/t6 d am d4-d5;\n", "utf-8")
    (tmp_path / "mine.toml").write_text(renamed("brandub-globe", "mine"), "utf-8")
    (tmp_path / "faulty.toml").write_text("id = 1")
    monkeypatch.setenv("HNEFI_VARIANTS", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("files", "first_arrangement")
@pytest.mark.parametrize("line", [line for line in TABLE if not line.startswith(BY_HAND + LONG)])
def test_the_commands_of_the_table_work(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hnefi.cli.lab.signature.signature_of", lambda _: 1)
    code, out, err = run(*shlex.split(line))
    assert (code, bool(out), err) == (0, True, "")


ANSWERS = {
    "apply": "brandub-globe start --calls manual",
    "lab perft": "brandub-globe 1 --divide",
    "lab suite": "positions.epd --nodes 100",
    "lab conversion": "brandub-globe --positions 2 --nodes 50 --play-nodes 200 --judge 500",
    "lab sample": "brandub-walker-7 --games 1 --nodes 100",
    "lab levels": "ard-ri-globe --only 1-2 --games 2 --resume levels",
    "lab tactics": "brandub-globe --positions 1 --play-nodes 200 -o tactics.epd",
    "lab themes": "brandub-globe",
    "lab puzzles": "brandub-globe --positions 1",
    "lab select": ". puzzles",
    "lab lengths": "ard-ri-globe --games 1 --nodes 20",
    "lab prover": "ard-ri-globe --games 1 --play-nodes 50 --nodes 100 --large-nodes 200",
    "replay": "games.tafl",
    "library add": "games.tafl --library games.db",
    "variants": "",
    "variants identify": "'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/'",
    "variants new": "mine --from brandub-globe --set quiet_limit=40",
    "variants add": "mine.toml",
    "variants check": "mine.toml",
    "variants path": "",
    "rules": "brandub-globe --why",
    "show": "brandub-globe start -o -",
    "booklet": "brandub-globe -o brandub.pdf",
    **{
        f"print {sheet}": f"brandub-globe -o {sheet}.pdf"
        for sheet in ("board", "pieces", "score", "summary", "poster")
    },
    "print diagram": "brandub-globe -o brandub.svg",
    "print game": "games.tafl -o game.pdf",
    "diff": "brandub-globe brandub-breyer",
    "analyse": "brandub-globe start --depth 1",
    "hint": "brandub-globe start --depth 1",
    "lab arena": "nodes:20 nodes:30 ard-ri-globe --games 2 --sprt 0 10",
    "lab balance": "ard-ri-globe --player nodes:20 --games 2",
    "lab calibrate": "ard-ri-globe --nodes 20 --games 8",
    "book build": "ard-ri-globe --positions 5 --nodes 50 --self-play 2 --output book.json",
    "book show": "brandub-globe",
    "lab train": "ard-ri-globe --positions 1000 --generations 1 --match-games 2 --time 1 --resume training",
}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", sampled(ANSWERS, *(ANSWERS.keys() - {"lab train"})))
def test_every_key_of_an_answer_is_written_down(command: str) -> None:
    _, out, _ = run(*command.split(), *shlex.split(ANSWERS[command]), "--json")
    # A hint is one line of an analysis, what is identified a list of those like it.
    elsewhere = {
        "apply": decision(9),
        "hint": answer_row("analyse"),
        "variants identify": answer_row("variants"),
    }
    row = elsewhere.get(command) or answer_row(command)
    assert [key for key in json.loads(out) if key not in words(row)] == []


def answer_row(command: str) -> str:
    (row,) = re.findall(rf"^\| `{command}` \| (.+) \|$", decision(15), re.MULTILINE)
    return str(row)


# --- Decisions ------------------------------------------------------------------------------------------


def test_the_list_of_decisions_is_complete() -> None:
    rows = re.findall(
        r"^\| \[(\d+)\]\(([\w-]+\.md)\) \|", read("docs/explanation/decisions/README.md"), re.MULTILINE
    )
    files = sorted(path.name for path in DECISIONS.glob("0*.md"))
    assert [name for _, name in rows] == files
    for number, name in rows:
        text = (DECISIONS / name).read_text(encoding="utf-8")
        assert name.startswith(f"{int(number):04}-")
        assert text.startswith(f"# {number}. ")
        assert "*Status: " in text


def key_table() -> Iterator[tuple[str, str, str]]:
    """The rows of decision 3: path, values, neutral."""
    values = ""
    for line in decision(3).splitlines():
        row = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and row[0].strip("| ").isdigit():
            path, neutral = row[1].strip("`"), row[3].strip("| ")
            values = values if row[2] == "the same" else row[2]
            yield path, values, neutral


def test_the_table_of_keys_is_that_of_the_core() -> None:
    schema = {entry["path"]: entry for entry in json.loads(hnefi.Rules.schema())}
    rows = list(key_table())
    assert sorted(path for path, _, _ in rows) == sorted(schema)
    for path, values, neutral in rows:
        assert neutral == neutral_words(schema[path]["neutral"], schema[path]), path
        assert missing_values(values, schema[path]) == [], path


def neutral_words(neutral: Any, entry: dict[str, Any]) -> str:
    """Formats a neutral value as in the table."""
    if entry["kind"] == "map":
        if None in neutral.values():
            return "never left out"
        if set(neutral) == {"count", "result"}:
            return f"count {neutral['count']}, `{neutral['result']}`"
        (each,) = set(neutral.values())
        return f"each `{each}`" if isinstance(each, str) else f"each {each}"
    if neutral is None:
        return "never left out"
    if neutral == ["attackers", "defenders", "king"]:
        return "all three"
    return str(neutral) if entry["kind"] == "integer" else f"`{json.dumps(neutral).strip(chr(34))}`"


def missing_values(documented: str, entry: dict[str, Any]) -> list[str]:
    """What a key may hold and the table does not say, or the other way round."""
    named = {word for part in words(documented) for word in re.split(r"[{}, ]+", part) if word}
    if entry["kind"] == "map":
        inner = list(entry["keys"].values())
        expected = {*entry["keys"], *(v for one in inner if one["kind"] == "choice" for v in one["values"])}
        bounds = {one["values"][1] for one in inner if one["kind"] == "integer"}
    else:
        expected = set(entry["values"]) if entry["kind"] == "choice" else set()
        bounds = {entry["values"][1]} if entry["kind"] == "integer" else set()
    if entry["kind"] == "flag":
        expected = {"true", "false"}
    undocumented = [f"to {bound}" for bound in bounds if f"to {bound}" not in documented]
    closed = entry["kind"] in ("choice", "flag", "map")
    return sorted(expected ^ named if closed else set()) + undocumented


# --- Codes of errors ------------------------------------------------------------------------------------


def codes_of_apply() -> set[str]:
    """The closed list of decision 9."""
    rows = re.findall(r"^\| [^|`]+ \| (`[^|]+) \|$", decision(9).split("closed\nlist")[1], re.MULTILINE)
    return {code for row in rows for code in words(row)}


def catalogue_codes() -> set[str]:
    return {key.split(".")[1] for key in messages("en") if key.startswith("error.")}


START = "brandub-globe start"
PROVOKED = {
    "bad_usage": f"{START} --calls perhaps",
    "cannot_read": "missing.toml start",
    "unknown_variant": "chess start",
    "bad_variant": "faulty.toml start",
    "bad_switch": f"{START} --switch quiet_limit=many",
    "bad_rules": f"{START} --switch corners=none",
    "bad_position": "brandub-globe 7/7",
    "bad_move": f"{START} d2",
    "game_over": "brandub-globe '7/7/7/7/7/7/K2t3 a' d1-d2",
    "no_piece": f"{START} a1-a2",
    "not_your_piece": f"{START} d4-d5",
    "not_on_board": f"{START} d2-h2",
    "no_move_made": f"{START} d2-d2",
    "not_in_line": f"{START} d2-e3",
    "path_blocked": f"{START} d2-d5",
    "square_occupied": f"{START} d2-d3",
    "too_far": "ard-ri-globe start d5-d7",
    "throne_no_stop": "brandub-globe '7/7/7/t6/7/7/3K3 a' a4-d4",
    "throne_no_pass": "tablut-kouvia '9/9/4K4/9/9/9/9/9/3t5 d' e7-e3",
    "corner_no_stop": "brandub-globe '7/7/7/t6/7/7/3K3 a' a4-a1",
    "corner_no_pass": "brandub-globe '7/7/5t1/3K3/7/7/T6 d' a1-c1 --switch corners=2x2",
    "camp_closed": "tablut-kouvia '9/9/9/9/9/9/6K2/3t5/9 a' d2-d1 --switch camps=d1,e1,f1,e2",
    "other_goes_on": "berserk-11 '11/11/11/11/11/5K5/3t2t4/3T2T4/t10/11/11 a' a3-d3 g5-h5",
    "must_capture": "berserk-11 '11/11/11/11/11/5K5/3t2t4/3T2T4/t10/11/11 a' a3-d3 d3-c3",
    "must_replay": "gwezboell-globe '9/9/9/9/2K6/9/8t/9/6t2 d' c5-a5 g1-g2 a5-a9 i3-i2 --calls manual",
    "wrong_captures": f"{START} d2-c2xc3",
}


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("code", PROVOKED)
def test_apply_answers_with_the_codes_of_its_list_and_a_sentence(code: str) -> None:
    words = ("apply", *shlex.split(PROVOKED[code]))
    assert refusal(*words)["code"] == code
    said = complaint(*words, "--lang", "en")
    assert said.count("\n") == 1 or code in ("bad_variant", "bad_rules")
    assert said.rstrip().endswith(".") or code in ("bad_variant", "bad_rules")


def test_the_list_of_codes_is_closed() -> None:
    assert codes_of_apply() == {*PROVOKED, *FAILING}
    core = (ROOT / "crates" / "rules" / "src").glob("*.rs")
    named = {code for path in core for code in re.findall(r'"([a-z_]+)"', path.read_text(encoding="utf-8"))}
    assert named & catalogue_codes() <= codes_of_apply() | {"bad_square"}


def test_every_code_is_in_a_decision() -> None:
    named = {word for path in DECISIONS.glob("0*.md") for word in words(path.read_text(encoding="utf-8"))}
    assert sorted(catalogue_codes() - named) == []
