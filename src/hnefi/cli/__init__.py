"""The command `hnefi`: `main` is its entry point."""

import sys

__all__ = ["main"]


def main() -> None:
    """Runs the command line and exits with its exit code.

    Without the packages of the extra `app` it prints which extra is missing; `--version` needs none.
    """
    if sys.argv[1:] == ["--version"]:
        from hnefi import __version__

        print(f"hnefi {__version__}")
        return
    try:
        from hnefi.cli.app import hnefi
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("click", "rich", "prompt_toolkit"):
            raise
        from hnefi.i18n import text

        print(text("cli.missing_extra", None, package=error.name), file=sys.stderr)
        sys.exit(2)
    hnefi.main()
