"""Builds a site of static files: renders the pages, collects what they load, and writes the folder."""

import gzip
import json
from collections.abc import Callable, Iterable, Mapping
from html import escape
from http import HTTPStatus
from pathlib import Path

from hnefi import __version__
from hnefi.server.assets import Assets
from hnefi.server.pages.contents import PageContents
from hnefi.server.pages.icons import NAMES, icon
from hnefi.server.pages.installing import manifest_facts
from hnefi.server.pages.rendering import PageWriter
from hnefi.server.site.addresses import address_of, with_relative_addresses
from hnefi.server.site.double_click import double_click_files, kiosk_files
from hnefi.server.site.folder import check_folder, write_site
from hnefi.server.site.plan import SitePlan, plain_request, site_pages
from hnefi.server.site.shared_data import SharedData

# The scripts decompress these themselves: many hosts send them as they are.
_COMPRESSED = (".book", ".network", ".wasm")


def build_site(
    folder: Path, plan: SitePlan, report: Callable[[int, int], None], *, may_add: bool = False
) -> dict[str, bytes]:
    """Writes a site, and returns its files by path; its folder is created if missing.

    Each page is rendered and each file written: `report` is called with the steps done and their number. If
    `may_add`, the site may be written beside other files.

    Raises:
        SiteFolderError: If the folder has other files.
        FileNotFoundError: If Hnefi was installed without its pages.
        OSError: If a file cannot be written.
    """
    check_folder(folder, may_add=may_add)
    files = site_files(plan, report)
    rendered = 0 if plan.idle else len(list(site_pages(plan)))
    facts = {"hnefi": __version__, **plan.facts}
    write_site(folder, files, facts, lambda done: report(rendered + done, rendered + len(files)))
    return files


def site_files(plan: SitePlan, report: Callable[[int, int], None]) -> dict[str, bytes]:
    """Returns all files of a site by path; the arguments and errors are those of `build_site`."""
    assets = Assets.load()
    writer = PageWriter(assets)
    contents = PageContents(writer)
    shared = SharedData()
    pages: dict[str, str] = {}
    if plan.idle:
        return _written(plan, kiosk_files(plan, writer), assets)
    requests = list(site_pages(plan))
    for done, (file, request) in enumerate(requests, 1):
        content = contents.content(request)
        if content.status != HTTPStatus.OK:
            raise RuntimeError(f"{request.path}: {content.status}")
        pages[file] = shared.taken_from(content.body.decode(), file)
        report(done, 2 * len(requests))
    pages |= _entrance_files(plan, writer)
    opened = double_click_files(plan, writer)
    pages |= {file: shared.taken_from(html, file) for file, html in opened.items()}
    return {
        **_written(plan, pages, assets),
        **{file: script.encode() for file, script in shared.files.items()},
        **_sitemap(plan, (file for file, _ in requests)),
        "manifest.webmanifest": json.dumps(
            manifest_facts(plan.languages[0], "./"), ensure_ascii=False
        ).encode(),
    }


def _entrance_files(plan: SitePlan, writer: PageWriter) -> dict[str, str]:
    """Returns the page that chooses the language, and the one that hosts show for missing ones, by file.

    Their addresses are those at a server.
    """
    request = plain_request(plan, "entrance", plan.languages[0])
    base = f"{plan.address}/" if plan.address else ""
    return {
        "index.html": writer.page(request, "site_index.html"),
        "404.html": writer.page(request, "site_missing.html", base=base),
    }


def _written(plan: SitePlan, pages: Mapping[str, str], assets: Assets) -> dict[str, bytes]:
    """Returns pages with the files that they load."""
    loaded = _loaded(assets, pages.values())
    compressed = {name for name in loaded if name.endswith(_COMPRESSED)}
    written = {file: with_relative_addresses(html, file).encode() for file, html in pages.items()}
    plain = {f"static/{name}": content for name, content in loaded.items() if name not in compressed}
    return {
        **{file: _naming(compressed, content) for file, content in {**written, **plain}.items()},
        **{f"static/{name}.gz": gzip.compress(loaded[name], mtime=0) for name in compressed},
        **{name: icon(name) for name in NAMES},
        **({plan.logo: plan.imprint.logo} if plan.imprint and plan.logo else {}),
    }


def _naming(compressed: Iterable[str], content: bytes) -> bytes:
    """Returns a file with the names that compressed files have in the site."""
    for name in compressed:
        content = content.replace(name.encode(), f"{name}.gz".encode())
    return content


def _sitemap(plan: SitePlan, files: Iterable[str]) -> dict[str, bytes]:
    """Returns the list of pages for search engines, whose addresses are absolute; none without an address."""
    if not plan.address:
        return {}
    pages = (file for file in files if file.endswith("index.html"))
    listed = "\n".join(f"<url><loc>{escape(address_of(file, plan.address))}</loc></url>" for file in pages)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    )
    return {"sitemap.xml": f"{head}\n{listed}\n</urlset>\n".encode()}


def _loaded(assets: Assets, pages: Iterable[str]) -> dict[str, bytes]:
    """Returns the built files that pages load, with those that these load, by name."""
    found: dict[str, bytes] = {}
    missing = {name for page in pages for name in assets.named_in(page)}
    while missing:
        name = missing.pop()
        found[name] = assets.file(name)
        missing |= assets.needed_by(name) - found.keys()
    return found
