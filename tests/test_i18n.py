"""The catalogue of texts: complete, used, the same placeholders everywhere, good typography."""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from hnefi import Outcome, i18n
from hnefi.pieces import Reason, Side
from hnefi.words.nouns import NOUNS

SOURCE = Path(i18n.__file__).parent
SCRIPTS = SOURCE.parents[1] / "web" / "src"
LANGUAGES = ("en", "fr")


WINNERS: dict[Reason, list[Side | None]] = {
    Reason.CORNER: [Side.DEFENDERS],
    Reason.EDGE: [Side.DEFENDERS],
    Reason.KING_CAPTURED: [Side.ATTACKERS, None],
    Reason.GUARDS_CAPTURED: [Side.ATTACKERS],
    Reason.ATTACKERS_CAPTURED: [Side.DEFENDERS],
    Reason.TUICHI: [Side.DEFENDERS],
    Reason.ENCLOSURE: [Side.ATTACKERS],
    Reason.EXIT_FORT: [Side.DEFENDERS],
    Reason.REPETITION: [Side.ATTACKERS, Side.DEFENDERS, None],
    Reason.QUIET_MOVES: [None],
    Reason.NO_MOVE: [Side.ATTACKERS, Side.DEFENDERS, None],
    Reason.BLOCKED: [None],
    Reason.AGREEMENT: [None],
    Reason.RESIGNATION: [Side.ATTACKERS, Side.DEFENDERS],
    Reason.TIME: [Side.ATTACKERS, Side.DEFENDERS],
    Reason.ABANDONED: [Side.ATTACKERS, Side.DEFENDERS, None],
    Reason.ADJUDICATION: [Side.ATTACKERS, Side.DEFENDERS, None],
}
ENDINGS = [(reason, winner) for reason in Reason for winner in WINNERS[reason]]


def catalogue(language: str) -> Catalog:
    path = SOURCE / "locale" / language / "LC_MESSAGES" / "hnefi.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


CATALOGUES = {language: catalogue(language) for language in LANGUAGES}


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def strings_of(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def messages(language: str) -> dict[str, list[str]]:
    return {key_of(message): strings_of(message) for message in CATALOGUES[language] if message.id}


def placeholders(strings: list[str]) -> set[str]:
    """Returns the nouns in placeholders, without the articles of each language: {the_king}, {of_king}."""
    names = {name for string in strings for _, name, _, _ in Formatter().parse(string) if name}
    return {re.sub(r"^(the|of|to|a)_", "", name.lower()) for name in names}


# What templates and scripts for the browser name: a key in quotes, or its beginning (`"page.nav." ~ name`,
# `web.reason.${name}` in backquotes).
IN_QUOTES = re.compile(r"""["']([a-z_]+(?:\.[a-z0-9_]+)+)["'](?!\s*~)""")
JOINED = re.compile(r"""["']([a-z_]+\.(?:[a-z0-9_]+\.)*)["']\s*~""")
IN_BACKQUOTES = re.compile(r"`([a-z_]+\.[^`\s]*\$\{[^`\s]*)`")


class Uses:
    """The keys that the code names: whole, or as the pattern of an f-string."""

    def __init__(self, sections: set[str]) -> None:
        self.exact: dict[str, str] = {}
        self.patterns: dict[str, str] = {}
        self._key = re.compile(rf"({'|'.join(sorted(sections))})(\.[a-z0-9_]+)+")
        self._sections = sections
        for path in sorted(SOURCE.rglob("*.py")):
            self._read(path)
        for path in [*sorted((SOURCE / "server" / "pages").rglob("*.html")), *sorted(SCRIPTS.rglob("*.ts*"))]:
            self._scan(path.name, path.read_text(encoding="utf-8"))

    def _read(self, path: Path) -> None:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                if self._key.fullmatch(node.value):
                    self.exact[node.value] = f"{path.name}:{node.lineno}"
                elif node.value.endswith(".head."):  # of a table
                    self.patterns[re.escape(node.value) + r"[a-z0-9_.]+"] = f"{path.name}:{node.lineno}"
            elif isinstance(node, ast.JoinedStr):
                pattern = "".join(pattern_parts(node))
                if pattern.split("\\.")[0] in self._sections:
                    self.patterns[pattern] = f"{path.name}:{node.lineno}"

    def _scan(self, name: str, source: str) -> None:
        for key in IN_QUOTES.findall(source):
            if self._key.fullmatch(key):
                self.exact[key] = name
        patterns = [re.escape(prefix) + r"[a-z0-9_.]+" for prefix in JOINED.findall(source)]
        patterns += [
            r"[a-z0-9_.]+".join(re.escape(part) for part in re.split(r"\$\{[^}]*\}", joined))
            for joined in IN_BACKQUOTES.findall(source)
        ]
        for pattern in patterns:
            if pattern.split("\\.")[0] in self._sections:
                self.patterns[pattern] = name

    def names(self, key: str) -> bool:
        return key in self.exact or any(re.fullmatch(pattern, key) for pattern in self.patterns)


def pattern_parts(node: ast.JoinedStr) -> Iterator[str]:
    for part in node.values:
        yield re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"[a-z0-9_.]+"


@pytest.fixture(scope="module")
def uses() -> Uses:
    """Returns the keys that the code names; a module read by others computes nothing when it is loaded."""
    return Uses({key.split(".")[0] for key in messages("en")})


@pytest.fixture(autouse=True)
def _no_language_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HNEFI_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)


def test_all_languages_have_the_same_keys() -> None:
    assert list(messages("fr")) == list(messages("en"))


def test_no_key_occurs_twice() -> None:
    for language in LANGUAGES:
        source = (SOURCE / "locale" / language / "LC_MESSAGES" / "hnefi.po").read_text(encoding="utf-8")
        keys = re.findall(r'^msgid "(.+)"$', source, re.MULTILINE)
        assert len(keys) == len(set(keys))


def test_every_key_the_code_names_has_a_text(uses: Uses) -> None:
    keys = messages("en")
    missing = {key: where for key, where in uses.exact.items() if key not in keys}
    unmatched = {
        pattern: where
        for pattern, where in uses.patterns.items()
        if not any(re.fullmatch(pattern, key) for key in keys)
    }
    assert not missing
    assert not unmatched


def test_every_text_is_used(uses: Uses) -> None:
    assert [key for key in messages("en") if not uses.names(key)] == []


# The values of what composes keys in scripts, where a key that is missing would be read by players.
SIDES, WINNERS_OF_ENDS = ("attackers", "defenders"), ("won", "lost", "attackers", "defenders")
COMPOSED: dict[str, tuple[str, ...]] = {
    "web.end.${who}": WINNERS_OF_ENDS,
    "web.end.${who}.early": WINNERS_OF_ENDS,
    # Only a game of two sides that belong to different people has it.
    "web.end.${who}.trapped": ("won", "lost"),
    "web.end.next.${otherSide(own)}": SIDES,
    "web.end.why.missed.${whose}": ("you", "they"),
    "web.end.why.safe.${whose}": ("you", "they"),
    "web.end.why.shut.${whose}": ("you", "they"),
    "web.end.why.won.${who}": ("you", *SIDES),
    'outcome.${reason}.${winner ?? "draw"}': tuple(
        f"{reason.value}.{winner.value if winner else 'draw'}"
        for reason in Reason
        for winner in WINNERS[reason]
    ),
    "web.analysis.read.${kind}": ("faults", "remarks"),
    'score.wins.${win_in > 0 ? "attackers" : "defenders"}': SIDES,
}
"""The templates of keys of ends, of outcomes and of plural texts in scripts, and what fills each of them."""

BACKQUOTED_END = re.compile(r"`((?:web\.end|outcome|reason)\.[^`]*\$\{[^`]*)`")
BACKQUOTED_PLURAL = re.compile(r"plural\((?:[^`()]*\? )?`([^`]*\$\{[^`]*)`")
BACKQUOTE = re.compile(r"`([^`]*)`")
PLURAL_CALL = re.compile(r"\bplural\(([^,]*),")


def composed_keys(template: str) -> list[str]:
    """Returns the keys of a template; a value with dots fills several of its holes."""
    prefix, suffix = template[: template.index("${")], template[template.rindex("}") + 1 :]
    return [f"{prefix}{value}{suffix}" for value in COMPOSED[template]]


def test_every_template_of_an_end_or_a_plural_text_is_listed() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.rglob("*.ts*")))
    found = {*BACKQUOTED_END.findall(sources), *BACKQUOTED_PLURAL.findall(sources)}
    assert found == set(COMPOSED)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", COMPOSED)
def test_every_end_that_a_script_composes_has_a_text(template: str, language: str) -> None:
    texts = i18n.texts(tuple(composed_keys(template)), language)
    for key in composed_keys(template):
        forms = texts[key] if isinstance(texts[key], list) else [texts[key]]
        for form in forms:
            output = str(form).format(n=5, name="Ana", move="e5–e8")
            assert output
            assert key not in output
            assert not re.search(r"[{}]", output)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_plural_text_of_a_script_has_its_forms(language: str) -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.rglob("*.ts*")))
    calls = PLURAL_CALL.findall(sources)
    keys = {key for call in calls for key in re.findall(r'"([a-z_.]+\.[a-z_.]+)"', call)}
    keys |= {key for call in calls for part in BACKQUOTE.findall(call) for key in composed_keys(part)}
    assert len(keys) > 30
    texts = i18n.texts(tuple(keys), language)
    for key in sorted(keys):
        assert isinstance(texts[key], list), key
        assert all(texts[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_text(language: str) -> None:
    for reason in Reason:
        assert i18n.text(f"reason.{reason.value}", language) != f"reason.{reason.value}"


NOUN_FORM = re.compile(
    rf"(?:(?:the|of|to|a|this|all|one_of)_)?({'|'.join(NOUNS)})s?(?:_side)?", re.IGNORECASE
)
AGREEMENT = re.compile(
    r"e_\w+|s_\w+_side|one_(?!of_)\w+|taken_\w+|only|both|(?:he|him|his|hers|if_he|it)_\w+"
)


def nouns_and_facts(strings: list[str]) -> set[str]:
    """Returns the placeholders without the forms that the grammar of a language requires."""
    found = {name for name in placeholders(strings) if not AGREEMENT.fullmatch(name)}
    forms = {name: NOUN_FORM.fullmatch(name) for name in found}
    return {form[1] if form else name for name, form in forms.items()}


def test_a_text_has_the_same_placeholders_in_all_languages() -> None:
    french = messages("fr")
    for key, strings in messages("en").items():
        assert nouns_and_facts(french[key]) == nouns_and_facts(strings), key


def test_no_text_is_empty_or_has_loose_blanks() -> None:
    for language in LANGUAGES:
        for key, strings in messages(language).items():
            for string in strings:
                assert string.strip() == string != "", (language, key)
                assert "  " not in string, (language, key)


def prose(string: str) -> str:
    """The text without code in backquotes, web addresses and placeholders."""
    return re.sub(r"`[^`]*`|https?:\S+|\{[^}]*\}", "x", string)


FRENCH_FAULTS = {
    "colon without U+00A0": re.compile(r"(?<!\u00a0):(?!\d)"),
    "; ! ? without U+202F": re.compile(r"(?<!\u202f)[;!?]"),
    "% without U+202F": re.compile(r"(?<=[\dx])[ \u00a0]?%"),
    "« without U+00A0 after it": re.compile(r"«(?!\u00a0)"),
    "» without U+00A0 before it": re.compile(r"(?<!\u00a0)»"),
    "straight or double quotes": re.compile(r"[\"'“”]"),
    "three dots": re.compile(r"\.\.\."),
}


def faulty(language: str, fault: re.Pattern[str], read: Callable[[str], str] = str) -> list[str]:
    """Returns the keys of the texts that have a fault."""
    return [key for key, texts in messages(language).items() if any(fault.search(read(one)) for one in texts)]


@pytest.mark.parametrize("fault", FRENCH_FAULTS)
def test_french_typography(fault: str) -> None:
    assert faulty("fr", FRENCH_FAULTS[fault], prose) == []


def test_a_number_stays_with_its_unit_in_french() -> None:
    assert faulty("fr", re.compile(r"[}\d] (?:h|s|ms|min|%|Mo|jours?)(?![\w’])")) == []


def test_sizes_of_boards_stay_on_one_line() -> None:
    apart = re.compile(r"(?:\d|size\}) ×|× (?:\d|\{size)")
    assert [key for language in LANGUAGES for key in faulty(language, apart)] == []


def test_english_apostrophes_and_quotes_are_curly() -> None:
    assert faulty("en", re.compile(r"[\"']"), prose) == []


@pytest.mark.parametrize("sample", ["a : b", "a\u00a0;", "« a\u00a0»", "«\u00a0a »", "l'a", "“a”", "9 %"])
def test_the_typography_test_finds_a_fault(sample: str) -> None:
    assert any(fault.search(prose(sample)) for fault in FRENCH_FAULTS.values())


def test_plural_forms() -> None:
    forms = {"en": ["0 squares", "1 square", "2 squares"], "fr": ["0 case", "1 case", "2 cases"]}
    for language, texts in forms.items():
        assert [i18n.plural("count.squares", n, language) for n in (0, 1, 2)] == texts


def test_every_plural_text_has_both_forms() -> None:
    for language in LANGUAGES:
        for message in CATALOGUES[language]:
            if message.pluralizable:
                assert len(strings_of(message)) == 2, (language, message.id)


def test_the_users_language_is_the_first_variable_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert i18n.current_language() == "en"
    monkeypatch.setenv("LANG", "fr_BE.UTF-8")
    assert i18n.current_language() == "fr"
    assert i18n.text("piece.king") == "roi"
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert i18n.current_language() == "en"
    monkeypatch.setenv("HNEFI_LANG", "fr")
    assert i18n.current_language() == "fr"
    monkeypatch.setenv("HNEFI_LANG", "tlh")
    assert i18n.current_language() == "en"


def test_a_missing_key_is_never_silent() -> None:
    with pytest.warns(i18n.MissingText, match="error.nonsense"):
        assert i18n.text("error.nonsense", "fr") == "error.nonsense"
    with pytest.warns(i18n.MissingText):
        assert i18n.plural("error.nonsense", 2, "fr") == "error.nonsense"


def test_a_language_that_lacks_a_text_gives_it_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language, texts in (
        ("en", {"piece.king": "king", "piece.defender": "defender"}),
        ("fr", {"piece.king": "roi"}),
    ):
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        small = Catalog(locale=language)
        for key, string in texts.items():
            small.add(key, string)
        with (folder / "hnefi.mo").open("wb") as file:
            write_mo(file, small)
    monkeypatch.setattr(i18n, "_LOCALE", tmp_path)
    i18n._catalogue.cache_clear()
    assert i18n.text("piece.king", "fr") == "roi"
    with pytest.warns(i18n.MissingText, match=r"'piece.defender' in 'fr'"):
        assert i18n.text("piece.defender", "fr") == "defender"
    i18n._catalogue.cache_clear()


def test_missing_catalogues_name_the_build_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_LOCALE", tmp_path)
    i18n._catalogue.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"compiled texts.*compile_catalogues"):
        i18n.text("piece.king", "en")
    monkeypatch.undo()
    assert i18n.text("piece.king", "en") == "king"


@pytest.mark.parametrize(("reason", "winner"), ENDINGS)
def test_every_possible_outcome_has_a_distinct_text(reason: Reason, winner: Side | None) -> None:
    key = f"outcome.{reason.value}.{winner.value if winner else 'draw'}"
    assert key in messages("en")
    for language in LANGUAGES:
        assert i18n.outcome_text(Outcome(winner, reason), language) == messages(language)[key][0]


def test_an_unusual_outcome_has_a_text() -> None:
    odd = Outcome(Side.ATTACKERS, Reason.CORNER)
    assert i18n.outcome_text(odd, "en") == "The king is in a corner. The attackers win."


def test_importing_the_texts_reads_no_catalogue() -> None:
    program = (
        "import sys\n"
        "from hnefi import i18n\n"
        "assert i18n._catalogue.cache_info().currsize == 0\n"
        "assert 'babel' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
