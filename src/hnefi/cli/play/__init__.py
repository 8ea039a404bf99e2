"""The game in the terminal, for two at one keyboard."""

from hnefi.cli.play.command import play

__all__ = ["play"]
