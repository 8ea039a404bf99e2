"""Addresses in a site of static files: each page is the `index.html` of a folder, and links are relative."""

import re
from urllib.parse import urlsplit

# The attributes whose values are addresses of the site when they begin with "/".
_ATTRIBUTE = re.compile(r'(\s(?:href|src|action|content|data-[a-z-]+)=")(/[^"]*)"')


def file_of(path: str) -> str:
    """Returns the file of a page by its path at a server.

    >>> file_of("/en/rules/ard-ri-globe"), file_of("/fr/"), file_of("/icon.svg")
    ('en/rules/ard-ri-globe/index.html', 'fr/index.html', 'icon.svg')
    """
    path = path.removeprefix("/")
    if _is_file(path):
        return path
    return f"{path.rstrip('/')}/index.html".removeprefix("/")


def address_of(file: str, site: str) -> str:
    """Returns the address of a page at a host; empty if that of the site is unknown.

    >>> address_of("fr/rules/index.html", "https://school.example/tafl")
    'https://school.example/tafl/fr/rules/'
    """
    return f"{site}/{file.removesuffix('index.html')}" if site else ""


def root_from(file: str) -> str:
    """Returns the address of the site's folder from a file in it.

    >>> root_from("en/rules/ard-ri-globe/index.html"), root_from("index.html")
    ('../../../', './')
    """
    return "../" * file.count("/") or "./"


def relative_address(address: str, file: str) -> str:
    """Returns an address of a server as a file of the site links to it.

    >>> relative_address("/en/new?variant=ard-ri-globe#go", "en/rules/index.html")
    '../../en/new/?variant=ard-ri-globe#go'
    >>> relative_address("/", "en/index.html")
    '../'
    """
    path = urlsplit(address).path
    rest = address[len(path) :]
    inside = path.removeprefix("/")
    ending = "" if not inside or inside.endswith("/") or _is_file(inside) else "/"
    return f"{root_from(file)}{inside}{ending}{rest}"


def with_relative_addresses(html: str, file: str) -> str:
    """Returns a page with its addresses as a file of the site has them.

    >>> with_relative_addresses('<a href="/en/" data-needs="/static/a.js /icon.svg">', "fr/index.html")
    '<a href="../en/" data-needs="../static/a.js ../icon.svg">'
    """

    def replaced(found: re.Match[str]) -> str:
        return f'{found[1]}{" ".join(relative_address(one, file) for one in found[2].split(" "))}"'

    return _ATTRIBUTE.sub(replaced, html)


def _is_file(path: str) -> bool:
    return "." in path.rpartition("/")[2]
