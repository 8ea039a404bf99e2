"""The command `hnefi`: `main` is its entry point."""

import sys

__all__ = ["main"]


def main() -> None:
    """Runs the command line and exits with its exit code.

    Without the packages of the extra `app` it prints which extra is missing; `--version` needs none.
    """
    try:
        from hnefi.cli.app import hnefi

        hnefi.main()
    except KeyboardInterrupt:  # before the command begins, which reports its own
        sys.exit(130)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("click", "rich", "prompt_toolkit"):
            raise
        from hnefi import __version__
        from hnefi.i18n import text

        if sys.argv[1:] == ["--version"]:
            print(f"hnefi {__version__}")
            return
        print(text("cli.missing_extra", None, package=error.name), file=sys.stderr)
        sys.exit(2)
