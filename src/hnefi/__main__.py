"""`python -m hnefi`: the command line."""

from hnefi.cli import main

if __name__ == "__main__":
    main()
