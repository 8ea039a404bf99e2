"""Who hands out printed pages and sites: name, logo, legal line, credits, and QR codes that open the game."""

import zlib
from pathlib import Path
from urllib.parse import urlsplit

import pypdfium2
import pytest

import hnefi
from hnefi import paper
from hnefi.paper import SHEETS, Imprint
from tests.cli_runs import answer, refusal
from tests.pdf_files import figures_of, pages_of, plain, tags_of, text_of, texts_of
from tests.qr_reading import read_qr
from tests.samples import deep
from tests.static_sites import built_site

pytestmark = pytest.mark.usefixtures("first_arrangement")
BRANDUB = hnefi.variant("brandub-globe")
URL = "https://shop.example/tafl"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4"/></svg>'


def png(pixels: bytes = zlib.compress(b"\0\0\x99")) -> bytes:
    """Returns a PNG picture of two grey pixels."""
    chunks = (b"IHDR", b"\0\0\0\2\0\0\0\1\x08\0\0\0\0"), (b"IDAT", pixels), (b"IEND", b"")
    parts = [
        len(data).to_bytes(4) + name + data + zlib.crc32(name + data).to_bytes(4) for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


OAK = Imprint("The Oak Workshop", SVG, "12 Mill Lane, Leeds", URL)


def address_on(pdf: bytes, page: int) -> str:
    """Returns the address in the QR code of a page, rendered to a picture; it stands below, at the right."""
    picture = pypdfium2.PdfDocument(pdf)[page].render(scale=4, grayscale=True)
    dark, width = bytes(picture.buffer).translate(bytes([1] * 128 + [0] * 128)), picture.width
    starts = range(picture.height * 3 // 4 * picture.stride, len(dark), picture.stride)
    return read_qr([dark[start + width // 2 : start + width] for start in starts])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory.mktemp("hosts") / "tafl", "brandub-globe", imprint=OAK)


@pytest.mark.parametrize("name", SHEETS)
def test_the_qr_code_of_a_sheet_opens_a_page_of_the_built_site(name: str, site: Path) -> None:
    address = address_on(paper.sheet(name, BRANDUB, "fr", imprint=OAK), 0)
    assert address.startswith(f"{URL}/fr/")
    page = (site / address.removeprefix(URL).strip("/") / "index.html").read_text("utf-8")
    assert BRANDUB.name("fr") in page


def test_changed_rules_open_the_rules_editor_with_the_changes(site: Path) -> None:
    changed = BRANDUB.with_switches({"king_armed": "none"})
    address = urlsplit(address_on(paper.sheet("poster", changed, "en", imprint=OAK), 0))
    assert (site / address.path.removeprefix("/tafl/") / "index.html").is_file()
    assert hnefi.variants.links.parse_link(address.geturl()).rules == changed.rules


@pytest.mark.parametrize("form", ["a5", *deep("a4")])
def test_a_booklet_names_who_hands_it_out_and_after_whose_rules_it_is(form: str) -> None:
    pdf = hnefi.booklet(BRANDUB, "fr", format=form, imprint=OAK)
    cover, *_, back = map(plain, texts_of(pdf))
    assert plain("D’après la règle du Globe Joueur") in cover
    assert plain(OAK.publisher) in cover
    for said in (OAK.publisher, OAK.text, "« Ard-ri et Brandub »", "licence MIT", "révision 2"):
        assert plain(said) in back
    assert plain("Hnefi a tranché. La page du jeu dit où.") in back
    assert address_on(pdf, len(texts_of(pdf)) - 1) == f"{URL}/fr/rules/brandub-globe/"
    pictures = figures_of(pdf)
    assert f"Logo : {OAK.publisher}" in [alt.replace("\u00a0", " ") for alt in pictures]
    assert all(pictures)


def test_pages_that_nobody_claims_have_no_logo_and_still_their_source() -> None:
    pdf = hnefi.booklet(BRANDUB, "en")
    assert plain("After the rules of Le Globe Joueur, “Ard-ri et Brandub”.") in text_of(pdf)
    # Without an address there is no page to look it up on.
    assert plain("Hnefi has chosen.") in text_of(pdf)
    assert plain("The rules page of the game") not in text_of(pdf)
    assert not [alt for _, alt in tags_of(pages_of(pdf)) if alt.startswith(("Logo", "QR"))]


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_that_somebody_hands_out_does_not_bear_the_sign_of_hnefi(name: str) -> None:
    def outlines(imprint: Imprint) -> int:
        page = pypdfium2.PdfDocument(paper.sheet(name, BRANDUB, "en", imprint=imprint))[0]
        return sum(1 for _ in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_PATH]))

    # A lozenge and its hole.
    assert outlines(Imprint("", b"", "One line")) - outlines(Imprint("Oak")) == 2


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("size", [0, -1])
def test_a_sheet_keeps_its_pages_with_an_imprint_on_every_paper(name: str, size: int) -> None:
    paper_name = SHEETS[name].papers[size]
    plain_sheet = paper.sheet(name, BRANDUB, "en", paper=paper_name)
    pdf = paper.sheet(name, BRANDUB, "en", paper=paper_name, imprint=Imprint("Oak", png(), "", URL))
    assert len(pages_of(pdf).pages) <= len(pages_of(plain_sheet).pages) + (name == "pieces")
    assert "Oak" in text_of(pdf)


def test_a_site_names_who_hands_it_out_on_every_page(site: Path) -> None:
    assert (site / "issuer.svg").read_bytes() == SVG
    pages = [page.read_text("utf-8") for page in site.rglob("*.html")]
    with_foot = [html for html in pages if 'class="foot"' in html]
    assert len(with_foot) > 20
    for html in with_foot:
        assert "<strong>The Oak Workshop</strong><br>12 Mill Lane, Leeds" in html
        assert 'issuer.svg"' in html


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "bad_logo"),
        (b"GIF89a", "bad_logo"),
        (b"<html/>", "bad_logo"),
        (b'<!DOCTYPE s [<!ENTITY a "b">]>' + SVG, "bad_logo"),
        (png()[:-20], "bad_logo"),
        (png().replace(b"\x08", b"\x10", 1), "bad_logo"),
        (png(b"no pixels"), "bad_logo"),
        (SVG.replace(b'viewBox="0 0 9 9"', b'width="0" height="0"'), "bad_logo"),
        (
            SVG.replace(
                b"<circle", b'<image href="https://shop.example/a.png" width="9" height="9"/><circle'
            ),
            "bad_logo",
        ),
        (SVG.decode().encode("utf-16"), "bad_logo"),
        (SVG + b" " * 1_000_000, "logo_too_large"),
    ],
)
def test_a_file_that_is_no_logo_is_refused(content: bytes, code: str, tmp_path: Path) -> None:
    logo = tmp_path / "logo"
    logo.write_bytes(content)
    common = ("--logo", str(logo), "-o", str(tmp_path / "out.pdf"))
    assert refusal("booklet", "brandub-globe", *common)["code"] == code
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.deep
def test_every_command_takes_the_same_imprint(tmp_path: Path) -> None:
    logo, target = tmp_path / "logo.png", tmp_path / "out.pdf"
    logo.write_bytes(png())
    named = ("--publisher", "Oak", "--logo", str(logo), "--imprint", "Leeds", "--url", f"{URL}/")
    game = Path(__file__).parent / "records" / "brandub-globe.tafl"
    commands = [("booklet", "brandub-globe"), ("print", "game", str(game))]
    for command in [*commands, *(("print", name, "brandub-globe") for name in SHEETS)]:
        answer(*command, *named, "-o", str(target))
        last = len(texts_of(target.read_bytes())) - 1
        assert address_on(target.read_bytes(), last) == f"{URL}/en/rules/brandub-globe/"
        assert "Oak" in text_of(target.read_bytes())
