"""`hnefi box`: all that a game needs on a table, in one folder, also for a game of one's own."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import hnefi
from hnefi import words
from hnefi.cli.box import box
from hnefi.paper import Imprint, box_forms, box_page
from hnefi.variants.custom import derive
from hnefi.variants.files import format_variant
from tests.cli_runs import answer, printed, refusal, run, run_installed
from tests.pdf_files import pages_of, plain, sizes, tags_of, text_of
from tests.server.test_static_site import links
from tests.test_imprints import SVG, URL, address_on
from tests.variant_files import renamed

pytestmark = pytest.mark.usefixtures("first_arrangement")
ROOT = Path(__file__).resolve().parents[1]
BRANDUB = hnefi.variant("brandub-globe")
FILES = {f"brandub-globe-{form}-en.pdf" for form in box_forms(BRANDUB)}
# A game of one's own has no puzzles.
OWN_FORMS = [form for form in box_forms(BRANDUB) if form != "puzzles"]
Made = tuple[Path, dict[str, Any]]


def in_process(*args: str) -> str:
    """Returns the output of a command in a process of its own: pages keep what they know of all variants."""
    made = run_installed(*args)
    assert (made.returncode, made.stderr) == (0, b"")
    return made.stdout.decode()


@pytest.fixture(scope="module")
def elm(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Returns the box of a game of one's own, whose file says all that a built-in one says."""
    folder = tmp_path_factory.mktemp("elm")
    names = 'names = { en = "Elm tafl", fr = "Tafl de l’orme" }\nminutes = [5, 20]'
    text = re.sub("^names = .*$", names, renamed("brandub-globe", "elm-tafl"), flags=re.MULTILINE)
    (folder / "elm.toml").write_text(text, encoding="utf-8")
    options = ("--languages", "fr", "--publisher", "Elm & Sons", "--url", URL, "--colour", "--bleed", "3")
    box = ("box", str(folder / "elm.toml"), "-o", str(folder / "box"), *options, "--json")
    return folder / "box", json.loads(in_process(*box))


@pytest.mark.deep
def test_the_examples_of_the_command_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bare = derive(hnefi.variant("brandub-globe"), "my-tafl", {"en": "My tafl"}, {})
    Path("my-tafl.toml").write_text(format_variant(bare), encoding="utf-8")
    Path("oak.svg").write_bytes(SVG)
    for line, _ in box.examples:
        out = printed(*shlex.split(line), "--no-site")
        assert "index.html" in out


@pytest.mark.deep
def test_the_commands_of_the_guide_lead_to_a_finished_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HNEFI_VARIANTS", str(tmp_path / "variants"))
    guide = (ROOT / "docs" / "guide" / "shop.md").read_text("utf-8")
    commands = re.findall("^hnefi (.*)$", guide, re.MULTILINE)
    assert len(commands) == 3
    [own] = re.findall("^```toml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    for line in commands:
        command, _, file = line.partition(" > ")
        said = in_process(*shlex.split(command))
        if file:
            # The file begins with the texts of the guide instead of those of the copied game.
            head, rest = said.split("[about]", 1)
            Path(file).write_text(head + own + rest[rest.index("[rules]") :], encoding="utf-8")
    named = set(re.findall(r"`(oak-tafl-\S+\.pdf)`", guide))
    assert len(named) == len(OWN_FORMS)
    assert named < {path.name for path in (tmp_path / "oak-box").iterdir()}
    address = re.findall(r"`https://shop.example/oak/(\S+)`", guide)[0]
    assert (tmp_path / "oak-box" / "site" / address / "index.html").is_file()


@pytest.mark.deep
def test_the_forms_of_a_box_are_in_colour_and_its_booklet_to_read_has_a_bleed(elm: Made) -> None:
    folder, found = elm
    pdfs = {one["form"]: (folder / one["file"]).read_bytes() for one in found["prints"]}
    assert sizes(pages_of(pdfs["booklet"])) == {(148 + 18, 210 + 18)}
    assert sizes(pages_of(pdfs["booklet-fold"])) == {(297, 210)}
    for form in ("board", "pieces", "poster"):
        picture = pypdfium2.PdfDocument(pdfs[form])[0].render(scale=1).to_pil().convert("RGB")
        colours = picture.getcolors(1 << 16) or []
        assert max(max(colour) - min(colour) for _, colour in colours) > 40, form


def test_the_page_of_a_box_lists_all_its_files_and_who_hands_it_out(elm: Made) -> None:
    folder, found = elm
    page = (folder / "index.html").read_text("utf-8")
    assert [one["form"] for one in found["prints"]] == OWN_FORMS
    for one in found["prints"]:
        assert (folder / one["file"]).stat().st_size == one["bytes"]
        assert f'href="{one["file"]}"' in page
    assert all((folder / link).is_file() for link in re.findall('href="(.*?)"', page))
    assert "<strong>Elm &amp; Sons</strong>" in page
    listed = json.loads((folder / "hnefi-box.json").read_text("utf-8"))["files"]
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {*listed, "hnefi-box.json"} == there
    assert found["files"] == len(listed)


def test_the_site_of_a_box_has_the_game_to_which_its_codes_lead(elm: Made) -> None:
    site = elm[0] / "site"
    address = address_on((elm[0] / "elm-tafl-board-fr.pdf").read_bytes(), 0)
    assert address == f"{URL}/fr/rules/elm-tafl/"
    page = (site / "fr/rules/elm-tafl/index.html").read_text("utf-8")
    assert "Tafl de l’orme" in page.replace("\u00a0", " ").replace("&nbsp;", " ")
    shelf = (site / "fr/index.html").read_text("utf-8").partition('class="shelf"')[2]
    assert re.findall(r'variant=(\S+?)">.*?<b>(.*?)</b>.*?class="note">(.*?)<', shelf, re.DOTALL)[1:] == [
        ("elm-tafl", "Tafl de l’orme", "")
    ]
    assert [(page, link) for page, link, target in links(site) if target and not target.is_file()] == []


@pytest.mark.parametrize(
    ("address", "card"),
    [
        ("index.html", 'variant=elm-tafl">'),
        ("rules/index.html", 'data-id="elm-tafl"'),
        ("new/index.html", 'name="variant" value="elm-tafl"'),
    ],
)
def test_cards_of_a_game_of_ones_own_have_its_own_minutes_and_ease(
    elm: Made, address: str, card: str
) -> None:
    page = (elm[0] / "site/fr" / address).read_text("utf-8").partition(card)[2]
    shown = " ".join(re.sub("<[^>]*>", " ", page.partition("</li>")[0].partition("</label>")[0]).split())
    assert re.search(r"7 × 7 · 5–20 min (· )?Prise en main facile", shown.replace("\u00a0", " "))


def test_a_game_of_ones_own_keeps_all_its_texts_on_paper(elm: Made) -> None:
    booklet = text_of((elm[0] / "elm-tafl-booklet-fr.pdf").read_bytes())
    sections = words.rules(hnefi.variant("brandub-globe"), "fr").sections
    about = [one for one in sections if one.id in ("material", "advice", "history", "names", "source")]
    assert len(about) == 5
    # Misprints are for those who ask for the sources.
    said = [each.text for one in about for each in one.clauses if not each.name.startswith("misprints.")]
    assert [sentence for sentence in said if plain(sentence) not in booklet] == []


def test_a_game_with_a_name_alone_has_no_empty_heading(tmp_path: Path) -> None:
    bare = derive(hnefi.variant("tablut-kouvia"), "bare", {"en": "Bare"}, {})
    (tmp_path / "bare.toml").write_text(format_variant(bare), encoding="utf-8")
    answer("box", str(tmp_path / "bare.toml"), "-o", str(tmp_path / "box"), "--no-site")
    assert not (tmp_path / "box" / "site").exists()
    for pdf in (tmp_path / "box").glob("*.pdf"):
        tags = [tag for tag, _ in tags_of(pages_of(pdf.read_bytes()))] if "fold" not in pdf.name else []
        assert all(not (one == "/H2" == next_) for one, next_ in pairwise(tags)), pdf.name
    page = (tmp_path / "box" / "index.html").read_text("utf-8")
    assert re.findall(r"<(h\d|th|p|header)[^>]*>\s*</\1>", page) == []


def test_a_name_is_never_markup_on_the_page_of_a_box() -> None:
    named = derive(hnefi.variant("brandub-globe"), "odd", {"en": "<b>Odd</b>"}, {})
    page = box_page(named, ["en"], Imprint("<i>", b"", "a & b"), [], "", "")
    assert "<b>" not in page
    assert "<i>" not in page
    assert "a &amp; b" in page


@pytest.fixture
def printed_blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has forms without content, for the tests of the folder in which they are written."""
    monkeypatch.setattr("hnefi.paper.boxes._printed", lambda *_, **__: ("a4", b"%PDF-1.7\n%%EOF\n"))


def made(folder: Path, *options: str) -> dict[str, Any]:
    return answer("box", "brandub-globe", "-o", str(folder), "--no-site", *options)


@pytest.mark.usefixtures("printed_blank")
def test_a_second_box_replaces_its_own_files_alone(tmp_path: Path) -> None:
    made(tmp_path, "--languages", "en,fr")
    (tmp_path / "notes.txt").write_text("mine")
    made(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"index.html", "hnefi-box.json", "notes.txt"}
    assert (
        refusal("site", "build", str(tmp_path), "--variants", "brandub-globe")["code"] == "site_folder_in_use"
    )


@pytest.mark.usefixtures("printed_blank")
def test_a_folder_with_other_files_is_refused_without_force(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    refused = refusal("box", "brandub-globe", "-o", str(tmp_path), "--no-site")
    assert (refused["code"], "thesis" in refused["message"]) == ("site_folder_in_use", True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    made(tmp_path, "--force")
    assert (tmp_path / "thesis.txt").read_text() == "mine"


@pytest.mark.usefixtures("printed_blank")
def test_the_box_of_another_game_is_not_replaced_without_force(tmp_path: Path) -> None:
    made(tmp_path)
    command = ("box", "ard-ri-globe", "-o", str(tmp_path), "--no-site")
    assert "holds the files of brandub-globe" in refusal(*command)["message"]
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"index.html", "hnefi-box.json"}
    assert run(*command, "--force")[0] == 0
    assert json.loads((tmp_path / "hnefi-box.json").read_text())["variant"] == "ard-ri-globe"


@pytest.mark.usefixtures("printed_blank")
def test_a_box_that_fails_half_way_has_whole_files_alone_and_can_be_made_again(tmp_path: Path) -> None:
    (tmp_path / "brandub-globe-poster-en.pdf").mkdir()
    refused = refusal("box", "brandub-globe", "-o", str(tmp_path), "--no-site", "--force")
    assert refused["code"] == "cannot_write"
    whole = [path for path in tmp_path.iterdir() if path.is_file() and path.suffix == ".pdf"]
    assert whole
    assert all(path.read_bytes().rstrip().endswith(b"%%EOF") for path in whole)
    assert {path.name for path in tmp_path.iterdir()} <= FILES | {"hnefi-box.json"}
    (tmp_path / "brandub-globe-poster-en.pdf").rmdir()
    made(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"index.html", "hnefi-box.json"}


@pytest.mark.usefixtures("printed_blank")
def test_an_interruption_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def interrupted(path: Path, content: bytes) -> int:
        if "poster" not in path.name:
            return write(path, content)
        write(path, content[:100])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    code, _, _ = run("box", "brandub-globe", "-o", str(tmp_path), "--no-site")
    assert code != 0
    assert not [path for path in tmp_path.iterdir() if "poster" in path.name]


def test_a_file_with_the_id_of_a_built_in_game_is_refused(tmp_path: Path) -> None:
    written = renamed("brandub-globe", "brandub-globe").replace("revision = 2", "revision = 3")
    (tmp_path / "mine.toml").write_text(written, encoding="utf-8")
    refused = refusal("box", str(tmp_path / "mine.toml"), "-o", str(tmp_path / "box"))
    assert (refused["code"], "brandub-globe" in refused["message"]) == ("bad_variant", True)


@pytest.mark.parametrize(
    "options", [(), ("-o", "box", "--languages", "de"), ("-o", "box", "--logo", "none.svg")]
)
def test_a_command_line_that_cannot_work_makes_no_folder(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal("box", "brandub-globe", *options)["code"] in ("bad_usage", "cannot_read")
    assert not [*tmp_path.iterdir()]
