"""Settings: options and configuration file come from one declaration; faults are named all at once."""

import re
import tomllib
from pathlib import Path

import httpx2
import pytest
import write_settings

from hnefi import i18n
from hnefi.cli.serve import serve
from hnefi.errors import SettingsError
from hnefi.server.config_file import access_keys, format_config, parse_config, read_config
from hnefi.server.secrets import hash_of
from hnefi.server.settings import GROUPS, SETTINGS, AccessKey
from tests.server.clients import Program, refused
from tests.server.conftest import client_of
from tests.server.serving import HttpClient
from tests.server.test_serve import ServeProcess, hnefi
from tests.timeouts import timeout_s

NAMES = [setting.name for setting in SETTINGS]


def uncommented(content: str) -> str:
    """Returns a configuration file whose settings are all in force."""
    return re.sub(r"^#(?=[a-z_]+ = |\[\[)", "", content, flags=re.MULTILINE)


def faults_of(content: str) -> list[tuple[str, str, str, str]]:
    with pytest.raises(SettingsError) as refusal:
        parse_config(content)
    assert refusal.value.code == "bad_settings"
    return [(fault.code, fault.path, fault.found, fault.expected) for fault in refusal.value.faults]


def written(folder: Path, content: str) -> Path:
    """Writes a configuration file."""
    (folder / "hnefi.toml").write_text(content, "utf-8")
    return folder / "hnefi.toml"


def test_every_setting_is_declared_once_and_is_an_option() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert {setting.group for setting in SETTINGS} == set(GROUPS)
    options = {parameter.name: parameter for parameter in serve.params}
    for setting in SETTINGS:
        assert setting.option in options[setting.name].opts
        assert options[setting.name].default == setting.default
    # What is said for one start is no setting.
    assert set(options) - set(NAMES) == {"lang", "opens", "config", "writes_config"}


@pytest.mark.parametrize("lang", i18n.languages())
def test_the_written_file_describes_every_setting(lang: str) -> None:
    content = format_config({}, lang)
    assert parse_config(content) == {}
    # The secret of a key has no default: the file is refused until there is one.
    assert [(code, key) for code, key, *_ in faults_of(uncommented(content))] == [
        ("wrong_value", "keys.1.secret")
    ]
    with_defaults = parse_config(uncommented(content.partition("#[[keys]]")[0]))
    assert list(with_defaults) == NAMES
    for setting in SETTINGS:
        assert with_defaults[setting.name] == (
            setting.example if setting.default is None else setting.default
        )
        assert i18n.text(setting.help, lang)[:30] in content
    assert max(map(len, content.splitlines())) <= 102


def test_the_written_file_has_the_settings_that_are_given(tmp_path: Path) -> None:
    done = hnefi("serve", "--write-config", "--games-per-hour", 7, "--origin", "https://tafl.example")
    assert done.returncode == 0
    given = {"origin": "https://tafl.example", "games_per_hour": 7}
    assert tomllib.loads(done.stdout) == given
    # What another file has is kept; the command line takes precedence.
    path = written(tmp_path, done.stdout)
    again = hnefi("serve", "--write-config", "--config", path, "--games-per-hour", 8, "--lan")
    assert tomllib.loads(again.stdout) == {**given, "lan": True, "games_per_hour": 8}
    # The comments are in the language of the user.
    assert "# ---- Réseau" in hnefi("serve", "--write-config", lang="fr").stdout


def test_all_faults_of_a_file_are_named_at_once() -> None:
    rows = (
        ("port", "70000", "wrong_value", "0…65535"),
        ("games_per_our", "5", "unknown_key", ""),
        ("engine_workers", "0", "wrong_value", ""),
        ("requests_per_minute", '"many"', "wrong_type", ""),
        ("sockets_per_address", "true", "wrong_type", ""),
        ("lan", "1", "wrong_type", "true | false"),
        ("proxy", '"127.0.0.1, 10.0.0.0/33"', "wrong_value", '"127.0.0.1"'),
        ("origin", '"tafl.example/path"', "wrong_value", '"https://tafl.example"'),
        ("data", '""', "wrong_value", ""),
        ("keys_of_my_house", "1", "unknown_key", ""),
    )
    found = faults_of("\n".join(f"{key} = {value}" for key, value, *_ in rows))
    for (key, value, code, expected), fault in zip(rows, found, strict=True):
        assert fault[:3] == (code, key, value)
        assert expected in ("", fault[3]), key
    assert found[1][3].startswith("games_per_hour | ")


SECRET = "a-key-for-the-school"
GAME = {"variant": "brandub-globe", "opponent": "same_device"}


GOOD_KEY = f'[[keys]]\nname = "school"\nsecret = "{SECRET}"\ndevices = 30\n'


def test_keys_are_read_and_written_again() -> None:
    hashed = hash_of("another-long-secret")
    content = f'{GOOD_KEY}[[keys]]\nname = "club"\nsecret_sha256 = "{hashed.upper()}"\ndevices = 5\n'
    found = parse_config(content)
    assert access_keys(found["keys"]) == (
        AccessKey("school", hash_of(SECRET), 30),
        AccessKey("club", hashed, 5),
    )
    assert parse_config(format_config(found, "en")) == found


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        ("keys = 3", ["wrong_type keys"]),
        ("keys = [1]", ["wrong_type keys"]),
        ("[[keys]]", [f"missing_key keys.1.{name}" for name in ("name", "devices", "secret")]),
        (
            f'{GOOD_KEY}[[keys]]\nname = ""\nsecret = "short"\ndevices = 0\nplaces = 2',
            [
                *(f"wrong_value keys.2.{name}" for name in ("name", "secret", "devices")),
                "unknown_key keys.2.places",
            ],
        ),
        (
            f"{GOOD_KEY}secret_sha256 = 'x'",
            [f"{code} keys.1.secret_sha256" for code in ("wrong_value", "contradiction")],
        ),
        (GOOD_KEY * 2, ["contradiction keys.2.name", "contradiction keys.2.secret"]),
        (f"port = -1\n{GOOD_KEY}x = 1", ["wrong_value port", "unknown_key keys.1.x"]),
    ],
)
def test_all_faults_of_keys_are_named(content: str, faults: list[str]) -> None:
    found = faults_of(content)
    assert [f"{code} {key}" for code, key, *_ in found] == faults
    assert SECRET not in str(found)


@pytest.mark.parametrize(
    "content", ["port = ", "port = 1\nport = 2", f"port = 0x{'f' * 5000}", "[" * 3000, "\0"]
)
def test_invalid_toml_is_refused(content: str) -> None:
    assert [code for code, *_ in faults_of(content)] == ["bad_toml"]


ORIGINS = (
    *("http://", "https://tafl.example:port", "ftp://tafl.example", "https://a b", "https://a#b"),
    *("//a", "[", ""),
)
DATABASES = (
    *("mysql://:horse-0123@host/hnefi", "postgresql://h:horse@host:abc/hnefi", "postgresql://[::1/hnefi"),
    *("postgresql+asyncpg://host/hnefi", "hnefi"),
)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        *(("origin", origin, f"--origin is “{origin}”; expected ") for origin in ORIGINS),
        *(
            ("database", url, '--database is “…”; expected "postgresql://hnefi@/hnefi" | "sqlite:///…".\n')
            for url in DATABASES
        ),
    ],
)
def test_origins_and_databases_have_to_be_such_and_show_no_password(
    tmp_path: Path, key: str, value: str, message: str
) -> None:
    found = faults_of(f"{key} = '{value}'")
    assert [fault[:2] for fault in found] == [("wrong_value", key)]
    done = hnefi("serve", f"--{key}", value, "--data", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert "horse" not in f"{found} {done.stderr}"
    if key == "database":
        verified = hnefi("backup", "--verify", "--database", value)
        assert (verified.returncode, verified.stdout, verified.stderr) == (2, "", message)


@pytest.mark.parametrize("words", [(), ("--database", "sqlite:///x")])
def test_several_processes_share_a_postgres(words: tuple[str, ...], tmp_path: Path) -> None:
    for lang in i18n.languages():
        done = hnefi("serve", "--data", tmp_path, "--engines-only", *words, lang=lang)
        assert (done.returncode, done.stdout) == (2, "")
        assert i18n.text("error.engines_need_postgres", lang) in done.stderr


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hnefi.toml"
    with pytest.raises(SettingsError) as refusal:
        read_config(b"port = 1 # \xff", path)
    assert [fault.code for fault in refusal.value.faults] == ["bad_encoding"]
    assert read_config("port = 1".encode("utf-8-sig"), path) == {"port": 1}


def test_relative_paths_begin_at_the_folder_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    monkeypatch.chdir(tmp_path)
    found = read_config(b'data = "games"\ndocs = "/srv/docs"', Path("site/hnefi.toml"))
    assert found == {"data": str(site / "games"), "docs": "/srv/docs"}


def test_the_command_line_shows_the_faults_of_a_file(tmp_path: Path) -> None:
    file = written(tmp_path, "port = -1\nport_of_metrics = 3")
    done = hnefi("serve", "--config", file)
    assert done.returncode == 2
    head, first, second, *_ = done.stderr.splitlines()
    assert head == f"The configuration file {file} cannot be used:"
    assert first == "port: -1; expected: 0…65535"
    assert second.startswith("port_of_metrics: unknown key; expected: ")
    missing = hnefi("serve", "--config", tmp_path / "nowhere.toml")
    assert (missing.returncode, "nowhere.toml" in missing.stderr) == (2, True)


def test_a_limit_below_four_still_admits_one(tmp_path: Path) -> None:
    with client_of(tmp_path, requests_per_minute=1) as server:
        program = Program(server)
        assert program.post("/api/visitors").status_code == 201
        assert refused(program.post("/api/visitors")) == (429, "too_many_requests")


def test_the_file_and_the_command_line_are_obeyed_and_the_least_memory_of_each_worker_is_enough(
    tmp_path: Path,
) -> None:
    # The port of the process stands on its command line, and takes precedence.
    path = written(tmp_path, "port = 1\ngames_per_hour = 4\nrequests_per_minute = 6")
    least = {setting.name: setting.least for setting in SETTINGS if setting.name.endswith("_worker_mib")}
    assert len(least) == 3
    words: list[object] = [
        word for name, mib in least.items() for word in (f"--{name.replace('_', '-')}", mib)
    ]
    words += ["--config", path, "--requests-per-minute", 1_000]
    with ServeProcess(tmp_path / "data", *words) as address:
        client = HttpClient(address)
        game = client.request("POST", "/api/games", GAME)["game"]
        assert client.request("POST", "/api/games", GAME, expect=429)["code"] == "too_many_games"
        rules = {"variant": "brandub-globe", "switches": {}}
        client.request("POST", "/api/rules", rules)
        client.request("POST", "/api/rules/example", {**rules, "leaf": "king_armed", "value": "none"})
        reports = client.request("POST", "/api/analysis", {"variant": "brandub-globe", "time_ms": 100})
        assert '"final":true' in reports
        resign = {"id": "r", "seq": client.request("GET", f"/api/games/{game}")["seq"], "do": "resign"}
        client.request("POST", f"/api/games/{game}/commands", resign)
        film = f"{address}/api/games/{game}/picture.gif"
        assert httpx2.get(film, timeout=timeout_s()).content.startswith(b"GIF8")


def test_every_limit_is_among_the_request_limits_of_the_guide() -> None:
    guide = write_settings.TABLE.page.read_text("utf-8")
    rows = guide.partition("## Request limits")[2].partition("\n## ")[0].splitlines()
    for setting in (one for one in SETTINGS if one.group == "limits"):
        found = [row for row in rows if re.search(rf"[.`]{setting.name}`", row) and row.startswith("|")]
        assert found, setting.name
        # The processor time stands there in other units.
        assert setting.unit == "ms/s" or re.search(rf"\b{setting.default:,}\b", found[0]), setting.name


def test_the_table_in_the_guide_is_up_to_date() -> None:
    write_settings.TABLE.check()
