"""The command `hnefi play`: a game in the terminal."""

from hnefi.cli.play.command import play

__all__ = ["play"]
