"""Builds the documentation as a site in `target/docs/site`, which is served or opened from its folder.

A dead link, a missing heading or an unresolved reference fails the build. Writing the pages and building the
site are two steps, so that another generator can take the place of Zensical (decision 36).
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import docs_pages

ROOT = Path(__file__).parents[1]
WORK = ROOT / "target" / "docs"
SETTINGS = ROOT / "docs" / "site.toml"

REMOTE_SCRIPT = "https://unpkg.com/iframe-worker/shim"
LOCAL_SCRIPT = "scripts/local-worker.js"

_INLINE_CODE = re.compile(r"<code>[^<]*</code>")
_OPTION = re.compile(r"--[a-z][\w-]*")


def main(arguments: list[str]) -> None:
    """Builds into the folder that is named, or into `target/docs`."""
    if len(arguments) > 1:
        sys.exit("usage: build_docs.py [FOLDER]")
    sys.exit(build(Path(arguments[0]).resolve() if arguments else WORK))


def build(work: Path) -> int:
    """Builds the site in `work/site` from the pages in `work/pages`.

    Returns:
        The exit code of the generator, which has printed what is wrong.
    """
    docs_pages.write_pages(work / "pages")
    config = work / "mkdocs.yml"
    # JSON is YAML.
    config.write_text(json.dumps(settings(), indent=1), "utf-8")
    generator = Path(sys.executable).with_name("zensical")
    command = [str(generator), "build", "--strict", "--clean", "--config-file", str(config)]
    code = subprocess.run(command, cwd=work, check=False).returncode
    for page in (work / "site").rglob("*.html"):
        use_local_script(page, work / "site")
        keep_options_whole(page)
    return code


def settings() -> dict[str, object]:
    """Returns the settings of the generator: `docs/site.toml` with paths and all pages."""
    found = tomllib.loads(SETTINGS.read_text("utf-8"))
    options = found.pop("docstrings") | {"extensions": [str(ROOT / "tools" / "docs_doctests.py")]}
    python = {"paths": [str(ROOT / "src")], "options": options}
    found["plugins"].append({"mkdocstrings": {"default_handler": "python", "handlers": {"python": python}}})
    found["nav"] = docs_pages.navigation(found["nav"])
    return {**found, "docs_dir": "pages", "site_dir": "site"}


def use_local_script(page: Path, site: Path) -> None:
    """Replaces the one script that the generator would load from the network by ours."""
    text = page.read_text("utf-8")
    local = f"{'../' * (len(page.relative_to(site).parts) - 1)}{LOCAL_SCRIPT}"
    page.write_text(text.replace(REMOTE_SCRIPT, local), "utf-8")


def keep_options_whole(page: Path) -> None:
    """Marks the options in inline code, so that no line breaks within `--where`."""
    text = page.read_text("utf-8")
    marked = _INLINE_CODE.sub(lambda code: _OPTION.sub(r'<span class="option">\g<0></span>', code[0]), text)
    page.write_text(marked, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
