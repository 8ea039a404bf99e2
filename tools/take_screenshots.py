"""Takes the pictures of the documentation: pages, a class, a kiosk, the terminal, prints.

    python tools/take_screenshots.py

starts a server in an empty folder, opens its pages in Chromium and writes small pictures to `docs/pictures`.
Run it after a change of the look.
"""

import io
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import programs
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from rich.console import Console
from rich.text import Text

from hnefi import i18n, variant
from hnefi.paper import Imprint, sheet_document, to_png
from hnefi.paper.arranging import arranged
from hnefi.paper.booklets import booklet_document

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
HNEFI = Path(sys.executable).with_name("hnefi")

COLOURS = 256
"""Colours of a picture: enough for wood, cloth and the king's gold, and a third of the size."""

MOST_BYTES = 150_000
PRINT_PPI, PRINT_GAP = 52, 14
TIMEOUT_S = 60

SIZE = {"width": 1200, "height": 760}
PAGES = {
    "game": "/en/table?variant=copenhagen-11",
    "analysis": "/en/analysis?variant=brandub-globe#d2-b2.d5-b5",
    "editor": "/en/rules/new?variant=fetlar-11",
}
"""The address of each page, by the name of its picture."""

COMMANDS = (
    ("show", "brandub-globe", "start", "d2-b2", "d5-b5"),
    ("analyse", "brandub-globe", "start", "d2-b2", "d5-b5", "--nodes", "20000", "--lines", "2"),
)
"""The commands shown in the picture of the terminal."""


def main() -> None:
    """Takes every screenshot; the exit code is 1 if one is too large."""
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        program = playwright.chromium.launch(
            executable_path=str(programs.find_browser()), args=list(programs.BROWSER_ARGUMENTS)
        )
        settings = {"locale": "en-GB", "reduced_motion": "reduce", "base_url": address}
        page = program.new_context(viewport=SIZE, **settings).new_page()  # type: ignore[arg-type]
        for name, path in PAGES.items():
            page.goto(path)
            page.wait_for_selector("tafl-board")
            page.wait_for_load_state("networkidle")
            if name == "analysis":
                ask_the_engine(page)
            save(name, page.screenshot())
        save("terminal", terminal(page))
        save("kiosk", kiosk(page, Path(folder) / "kiosk"))
        pages = [program.new_context(viewport=SIZE, **settings).new_page() for _ in range(5)]  # type: ignore[arg-type]
        save("class", class_room(*pages))
        program.close()
    save("prints", prints())
    large = [path.name for path in PICTURES.glob("*.png") if path.stat().st_size > MOST_BYTES]
    sys.exit(f"more than {MOST_BYTES // 1000} kB: {', '.join(large)}" if large else 0)


@contextmanager
def running_server(folder: Path) -> Iterator[str]:
    """Runs `hnefi serve` in a folder and returns its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    homes = {"HNEFI_VARIANTS": str(folder / "variants"), "HNEFI_LIBRARY": str(folder / "games.db")}
    server = subprocess.Popen(
        [HNEFI, "serve", "--port", str(port), "--data", folder], env={**os.environ, **homes}
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/api/ready")
        yield address
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str) -> None:
    """Waits until an address answers.

    Raises:
        TimeoutError: If it does not answer within a minute.
    """
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise TimeoutError(address)


def ask_the_engine(page: Page) -> None:
    """Starts an analysis and waits for its third line."""
    page.get_by_role("button", name=i18n.text("web.analysis.go", "en")).click()
    page.locator(".lines li").nth(2).wait_for(timeout=TIMEOUT_S * 1_000)
    page.wait_for_timeout(2_000)


def terminal(page: Page) -> bytes:
    """Returns a picture of what commands print in a terminal with colours."""
    colours = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "truecolor", "HNEFI_LANG": "en"}
    console = Console(record=True, file=io.StringIO(), width=80, force_terminal=True)
    for words in COMMANDS:
        run = subprocess.run(
            [HNEFI, *words], capture_output=True, text=True, check=True, env={**os.environ, **colours}
        )
        console.print(Text("$ hnefi " + " ".join(words), style="bold"))
        console.print(Text.from_ansi(run.stdout))
    # The content security policy of the page before would refuse the styles.
    page.goto("about:blank")
    style = "display: inline-block; font: 20px/1.2 monospace; padding: 1em; margin: 0"
    html = console.export_html(inline_styles=True, code_format=f'<pre style="{style}">{{code}}</pre>')
    page.set_content(f'<body style="margin: 0; background: #fff">{html}</body>')
    return page.locator("pre").screenshot()


def kiosk(page: Page, folder: Path) -> bytes:
    """Returns a picture of the start of a kiosk with three games."""
    games = "brandub-globe,ard-ri-globe,hist-tablut-9"
    options = ["--kiosk", "--variants", games, "--languages", "en,fr"]
    subprocess.run([HNEFI, "site", "build", folder, *options], check=True)
    page.goto((folder / "index.html").as_uri())
    page.wait_for_load_state("networkidle")
    return page.screenshot()


def class_room(host: Page, *pupils: Page) -> bytes:
    """Returns a picture of the page of a teacher, once the pupils are paired."""
    host.goto("/en/class")
    form = host.locator("[data-create]")
    form.locator("[name=name]").fill("5B")
    form.locator("[type=submit]").click()
    code = host.locator(".class-code .code").inner_text()
    for pupil, name in zip(pupils, ("Ada", "Ben", "Cleo", "Dan"), strict=True):
        pupil.goto("/en/class")
        pupil.get_by_label(i18n.text("page.class.code", "en")).fill(code)
        pupil.get_by_label(i18n.text("page.class.first_name", "en")).fill(name)
        pupil.get_by_role("button", name=i18n.text("page.class.join", "en")).click()
        host.get_by_text(name, exact=True).first.wait_for()
    host.get_by_role("button", name=i18n.text("page.class.pair_all", "en")).click()
    host.locator(".class-boards li").nth(1).wait_for()
    host.wait_for_timeout(1_000)
    return host.screenshot()


def prints() -> bytes:
    """Returns a picture of printed pages side by side: a booklet, a summary and a poster."""
    game, imprint = variant("brandub-globe"), Imprint("The Oak Workshop", url="https://shop.example/oak")
    booklet = to_png(arranged(booklet_document(game, "en", "a5", imprint=imprint)), ppi=PRINT_PPI)
    sheets = [sheet_document(name, game, "en", imprint=imprint) for name in ("summary", "poster")]
    pages = [booklet[0], booklet[4], *(to_png(sheet, ppi=PRINT_PPI * 0.7)[0] for sheet in sheets)]
    images = [Image.open(io.BytesIO(page)).convert("RGB") for page in pages]
    width = sum(image.width + PRINT_GAP for image in images) + PRINT_GAP
    table = Image.new("RGB", (width, max(image.height for image in images) + 2 * PRINT_GAP), "#d8d4cc")
    left = PRINT_GAP
    for image in images:
        table.paste(image, (left, PRINT_GAP))
        left += image.width + PRINT_GAP
    picture = io.BytesIO()
    table.save(picture, "PNG")
    return picture.getvalue()


def save(name: str, picture: bytes) -> None:
    """Writes a picture with few colours to `docs/pictures`."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    small = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    path = PICTURES / f"{name}.png"
    small.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
